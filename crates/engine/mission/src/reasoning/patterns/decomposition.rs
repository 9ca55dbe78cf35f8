//! The question is taken apart and each part answered for itself; the conclusion puts the answers together.

use alloc::vec;
use alloc::vec::Vec;

use super::super::StepRole;
use super::super::run::{Halt, Run, with};

const PARTS_MAX: u16 = 8;

pub(super) fn play(run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    let split = run.split(StepRole::Parts, given.to_vec())?;
    let mut answers = Vec::new();
    for part in split.parts(PARTS_MAX) {
        let part = Some((split.number, part));
        let answer = run.think_of_part(StepRole::Answer, 1, given.to_vec(), part)?;
        answers.push(answer.number);
    }
    if answers.is_empty() {
        // It has no parts: it is answered as it is.
        let uses = with(given, &[split.number]);
        answers = vec![run.think(StepRole::Answer, 1, uses)?.number];
    }
    Ok(answers)
}

pub(super) fn steps_max() -> u32 {
    1 + u32::from(PARTS_MAX)
}
