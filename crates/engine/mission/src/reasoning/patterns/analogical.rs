//! A case that is like this one, what in it corresponds to what, and how well that fits. If it does not fit well enough,
//! another case is looked for; what the best-fitting one teaches is carried over in the end.

use alloc::vec::Vec;

use super::super::StepRole;
use super::super::run::{Halt, Run, with};
use crate::Ppm;

/// A case with its correspondences.
#[derive(Clone, Copy)]
struct Likeness {
    analogue: u16,
    map: u16,
    fit: Ppm,
}

pub(super) fn play(run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    let mut analogues = Vec::new();
    let mut best: Option<Likeness> = None;
    let mut last = 1;
    for iteration in 1..=run.iterations() {
        last = iteration;
        let analogue = run.think(StepRole::Analogue, iteration, with(given, &analogues))?;
        // A further case that is settled brings nothing new: looking on would only repeat it.
        if best.is_some() && analogue.is_settled() {
            break;
        }
        analogues.push(analogue.number);
        let map = run.think(StepRole::Map, iteration, with(given, &[analogue.number]))?;
        let weighed = run.weigh(StepRole::Fit, iteration, [map.number].to_vec())?;
        let found = Likeness {
            analogue: analogue.number,
            map: map.number,
            fit: weighed.score(0),
        };
        best = Some(match best {
            Some(best) if best.fit >= found.fit => best,
            _ => found,
        });
        if found.fit >= run.threshold() {
            break;
        }
    }
    let likeness = best.map_or(Vec::new(), |best| [best.analogue, best.map].to_vec());
    let transfer = run.think(StepRole::Transfer, last, with(given, &likeness))?;
    Ok([transfer.number].to_vec())
}

pub(super) fn steps_max(iterations: u32) -> u32 {
    3 * iterations + 1
}
