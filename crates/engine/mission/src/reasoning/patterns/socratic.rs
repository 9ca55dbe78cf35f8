//! What the question takes for granted is named and examined, one assumption after the other; then it is answered in the
//! light of what held.

use alloc::vec;
use alloc::vec::Vec;

use super::super::StepRole;
use super::super::run::{Halt, Run, with};

const ASSUMPTIONS_MAX: u16 = 6;

pub(super) fn play(run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    let split = run.split(StepRole::Assumptions, given.to_vec())?;
    let mut examined = Vec::new();
    for assumption in split.parts(ASSUMPTIONS_MAX) {
        let part = Some((split.number, assumption));
        let examination = run.think_of_part(StepRole::Examine, 1, given.to_vec(), part)?;
        examined.push(examination.number);
    }
    let light = with(given, &with(&[split.number], &examined));
    Ok(vec![run.think(StepRole::Answer, 1, light)?.number])
}

pub(super) fn steps_max() -> u32 {
    1 + u32::from(ASSUMPTIONS_MAX) + 1
}
