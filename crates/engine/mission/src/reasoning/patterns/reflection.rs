//! A draft, its critique, its revision, and again, until the critique finds nothing to mend. What is given is the draft;
//! only if nothing is given, one is written first. The result is the last draft.

use alloc::vec;
use alloc::vec::Vec;

use super::super::StepRole;
use super::super::run::{Halt, Run, with};
use super::{Opening, draft_steps};

pub(super) fn play(run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    play_rounds(run, given, run.iterations())
}

/// The same with a limit of its own.
pub(in super::super) fn play_rounds(
    run: &mut Run<'_>,
    given: &[u16],
    iterations: u16,
) -> Result<Vec<u16>, Halt> {
    let mut draft = given.to_vec();
    if draft.is_empty() {
        draft = vec![run.think(StepRole::Answer, 1, Vec::new())?.number];
    }
    for iteration in 1..=iterations {
        let critique = run.think(StepRole::Critique, iteration, draft.clone())?;
        if critique.is_settled() {
            break;
        }
        let uses = with(&draft, &[critique.number]);
        draft = vec![run.think(StepRole::Revise, iteration, uses)?.number];
    }
    Ok(draft)
}

pub(super) fn steps_max(iterations: u32, opening: Opening) -> u32 {
    draft_steps(opening) + 2 * iterations
}
