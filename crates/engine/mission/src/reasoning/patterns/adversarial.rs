//! An answer under attack: each attack is met by a defence, until there is nothing left to attack. What is given is the
//! answer; only if nothing is given, one is written first. The result is the answer with its defences.

use alloc::vec;
use alloc::vec::Vec;

use super::super::StepRole;
use super::super::run::{Halt, Run, with};
use super::{Opening, draft_steps};

pub(super) fn play(run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    let mut standing = given.to_vec();
    if standing.is_empty() {
        standing = vec![run.think(StepRole::Answer, 1, Vec::new())?.number];
    }
    // Attacks see what was said before, so that none is made twice.
    let mut exchange = standing.clone();
    for iteration in 1..=run.iterations() {
        let attack = run.think(StepRole::Attack, iteration, exchange.clone())?;
        if attack.is_settled() {
            break;
        }
        exchange.push(attack.number);
        let defence = run.think(StepRole::Defend, iteration, exchange.clone())?;
        exchange.push(defence.number);
        standing = with(&standing, &[defence.number]);
    }
    Ok(standing)
}

pub(super) fn steps_max(iterations: u32, opening: Opening) -> u32 {
    draft_steps(opening) + 2 * iterations
}
