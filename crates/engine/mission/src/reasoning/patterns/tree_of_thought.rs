//! A search level by level: several ways to begin, weighed side by side; the most promising are kept and each is
//! continued in more than one way, the rest is pruned. The result is the way from the root to the best leaf.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::super::StepRole;
use super::super::run::{Halt, Run, Taken, with};

/// Ways to begin.
const BRANCHES: u16 = 3;
/// Lines that survive the pruning of a level.
const KEPT: u16 = 2;
/// Ways in which each of them is continued: with only one there would be nothing left to prune.
const CONTINUATIONS: u16 = 2;

/// A line of thought from the root to a leaf.
#[derive(Clone)]
struct Line {
    path: Vec<u16>,
    settled: bool,
}

impl Line {
    fn continued(path: &[u16], leaf: Taken<'_>) -> Self {
        Self {
            path: with(path, &[leaf.number]),
            settled: leaf.is_settled(),
        }
    }

    fn leaf(&self) -> Option<u16> {
        self.path.last().copied()
    }
}

pub(super) fn play(run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    let mut branches: Vec<Line> = Vec::new();
    for _ in 0..BRANCHES {
        let others: Vec<u16> = branches.iter().filter_map(Line::leaf).collect();
        let branch = run.think(StepRole::Branch, 1, with(given, &others))?;
        branches.push(Line::continued(&[], branch));
    }
    let mut kept = prune(run, 1, branches)?;
    for depth in 2..=run.iterations() {
        if kept.iter().all(|line| line.settled) {
            break;
        }
        let grown = grow(run, depth, &kept)?;
        kept = prune(run, depth, grown)?;
    }
    Ok(kept.into_iter().next().map_or(Vec::new(), |best| best.path))
}

/// A settled line stays as it is and is weighed again beside the new ones.
fn grow(run: &mut Run<'_>, depth: u16, kept: &[Line]) -> Result<Vec<Line>, Halt> {
    let mut grown = Vec::new();
    for line in kept {
        if line.settled {
            grown.push(line.clone());
            continue;
        }
        let mut siblings = Vec::new();
        for _ in 0..CONTINUATIONS {
            let leaf = run.think(StepRole::Expand, depth, with(&line.path, &siblings))?;
            siblings.push(leaf.number);
            grown.push(Line::continued(&line.path, leaf));
        }
    }
    Ok(grown)
}

/// The best lines, best first; of equals the earlier.
fn prune(run: &mut Run<'_>, depth: u16, lines: Vec<Line>) -> Result<Vec<Line>, Halt> {
    let leaves = lines.iter().filter_map(Line::leaf).collect();
    let weighed = run.weigh(StepRole::Promise, depth, leaves)?;
    let mut ranked: Vec<(usize, Line)> = lines.into_iter().enumerate().collect();
    ranked.sort_by_key(|(place, _)| Reverse(weighed.score(*place)));
    ranked.truncate(usize::from(KEPT));
    Ok(ranked.into_iter().map(|(_, line)| line).collect())
}

pub(super) fn steps_max(iterations: u32) -> u32 {
    let first_level = u32::from(BRANCHES) + 1;
    let level = u32::from(KEPT) * u32::from(CONTINUATIONS) + 1;
    first_level + level * iterations.saturating_sub(1)
}
