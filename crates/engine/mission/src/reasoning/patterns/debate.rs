//! Two sides: each makes its case, then each answers the other's last word, until one has nothing more to say. A verdict
//! on the last word of both says whose side stands first in the result, which holds everything that was said.

use alloc::vec;
use alloc::vec::Vec;

use super::super::StepRole;
use super::super::run::{Halt, Run, with};

pub(super) fn play(run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    let case = run.think(StepRole::For, 1, given.to_vec())?;
    let objection = run.think(StepRole::Against, 1, with(given, &[case.number]))?;
    let mut sides = [vec![case.number], vec![objection.number]];
    let mut last_words = [case.number, objection.number];
    let mut settled = case.is_settled() || objection.is_settled();
    let mut rounds = 1;
    while !settled && rounds < run.iterations() {
        rounds += 1;
        for (side, other) in [(0, 1), (1, 0)] {
            let uses = vec![last_words[side], last_words[other]];
            let rebuttal = run.think(StepRole::Rebut, rounds, uses)?;
            sides[side].push(rebuttal.number);
            last_words[side] = rebuttal.number;
            if rebuttal.is_settled() {
                settled = true;
                break;
            }
        }
    }
    let verdict = run.weigh(StepRole::Verdict, rounds, last_words.to_vec())?;
    let [case, objection] = sides;
    // Of equals, the one that spoke first.
    Ok(if verdict.score(1) > verdict.score(0) {
        with(&objection, &case)
    } else {
        with(&case, &objection)
    })
}

pub(super) fn steps_max(iterations: u32) -> u32 {
    2 * iterations + 1
}
