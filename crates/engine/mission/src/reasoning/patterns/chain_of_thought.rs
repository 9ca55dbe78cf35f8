//! One thought after the other, each from all before it, until there is nothing more to add.

use alloc::vec::Vec;

use super::super::StepRole;
use super::super::run::{Halt, Run, with};

pub(super) fn play(run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    let mut chain = Vec::new();
    for iteration in 1..=run.iterations() {
        let thought = run.think(StepRole::Step, iteration, with(given, &chain))?;
        chain.push(thought.number);
        if thought.is_settled() {
            break;
        }
    }
    Ok(chain)
}

pub(super) fn steps_max(iterations: u32) -> u32 {
    iterations
}
