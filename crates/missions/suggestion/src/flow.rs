//! What followed what: a graph of tools with a line for every pair of which one was called after the other, in templates and
//! in workflows that were run.

use std::collections::{BTreeMap, VecDeque};

/// PageRank, by power iteration.
const DAMPING: f64 = 0.85;
const ROUNDS: usize = 40;
/// Longer ways between two tools say nothing.
const STEPS_MAX: u32 = 4;

#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// For each tool those that were called after it, and how often.
    after: Vec<BTreeMap<usize, f64>>,
    /// How often each tool was called.
    calls: Vec<f64>,
    ranks: Vec<f64>,
    density: f64,
}

impl Flow {
    /// Of so many tools.
    pub(crate) fn new(tools: usize) -> Self {
        Self {
            after: vec![BTreeMap::new(); tools],
            calls: vec![0.0; tools],
            ranks: Vec::new(),
            density: 0.0,
        }
    }

    pub(crate) fn add_call(&mut self, tool: usize, weight: f64) {
        self.calls[tool] += weight;
    }

    pub(crate) fn add_step(&mut self, from: usize, to: usize, weight: f64) {
        if from != to {
            *self.after[from].entry(to).or_default() += weight;
        }
    }

    /// Counts what follows from all that was added.
    pub(crate) fn finish(&mut self) {
        let tools = self.after.len();
        let lines: usize = self.after.iter().map(BTreeMap::len).sum();
        let possible = tools * tools.saturating_sub(1);
        self.density = match possible {
            0 => 0.0,
            _ => lines as f64 / possible as f64,
        };
        self.ranks = ranks(&self.after);
    }

    /// The share of all possible lines that there are.
    pub(crate) fn density(&self) -> f64 {
        self.density
    }

    /// How central a tool is, from 0 to 1; 0 for one that was never called with others.
    pub(crate) fn rank(&self, tool: usize) -> f64 {
        self.ranks.get(tool).copied().unwrap_or_default()
    }

    pub(crate) fn was_called(&self, tool: usize) -> bool {
        self.calls[tool] > 0.0
    }

    /// How often one tool was called right after the other.
    pub(crate) fn times(&self, from: usize, to: usize) -> f64 {
        self.after[from].get(&to).copied().unwrap_or_default()
    }

    /// How many steps the shortest way takes from one tool to the other, if there is one.
    pub(crate) fn distance(&self, from: usize, to: usize) -> Option<u32> {
        let mut seen = vec![false; self.after.len()];
        let mut waiting = VecDeque::from([(from, 0)]);
        seen[from] = true;
        while let Some((at, steps)) = waiting.pop_front() {
            if at == to {
                return Some(steps);
            }
            if steps == STEPS_MAX {
                continue;
            }
            for next in self.after[at].keys() {
                if !std::mem::replace(&mut seen[*next], true) {
                    waiting.push_back((*next, steps + 1));
                }
            }
        }
        None
    }
}

/// The PageRank of every node, as a share of the highest; nodes without any line have none.
fn ranks(after: &[BTreeMap<usize, f64>]) -> Vec<f64> {
    let nodes = after.len();
    if nodes == 0 {
        return Vec::new();
    }
    let even = 1.0 / nodes as f64;
    let mut ranks = vec![even; nodes];
    let weights: Vec<f64> = after.iter().map(|lines| lines.values().sum()).collect();
    for _ in 0..ROUNDS {
        let ends = ranks
            .iter()
            .zip(&weights)
            .filter(|(_, weight)| **weight == 0.0);
        let dangling: f64 = ends.map(|(rank, _)| rank).sum();
        let mut next = vec![(1.0 - DAMPING) * even + DAMPING * dangling * even; nodes];
        for (from, lines) in after.iter().enumerate() {
            for (to, weight) in lines {
                next[*to] += DAMPING * ranks[from] * weight / weights[from];
            }
        }
        ranks = next;
    }
    let mut is_on_a_line = vec![false; nodes];
    for (from, lines) in after.iter().enumerate() {
        is_on_a_line[from] |= !lines.is_empty();
        for to in lines.keys() {
            is_on_a_line[*to] = true;
        }
    }
    let highest = ranks.iter().copied().fold(0.0, f64::max);
    ranks
        .iter()
        .zip(is_on_a_line)
        .map(|(rank, is)| {
            if is && highest > 0.0 {
                rank / highest
            } else {
                0.0
            }
        })
        .collect()
}
