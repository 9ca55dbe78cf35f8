//! ReAct in seven phases: what must hold before, a thought, the choice of a tool, what calling it gave, whether the
//! thought holds by that, how sure one may be, and whether that is enough. If not, once more with what is known now.

use alloc::vec;
use alloc::vec::Vec;

use super::super::run::{Halt, Run, Taken, with};
use super::super::{PhaseRecord, ReactPhase, StepRole};
use crate::Ppm;

pub(super) fn play(run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    // Thoughts and observations: what the conclusion is drawn from.
    let mut known = Vec::new();
    let mut last_postcondition = Vec::new();
    for iteration in 1..=run.iterations() {
        // That there is a pattern and an iteration left is why the walk is here.
        note(run, iteration, ReactPhase::Precondition, None, true, None);

        let background = with(given, &known);
        let uses = with(&background, &last_postcondition);
        let thought = run.think(StepRole::Step, iteration, uses)?;
        known.push(thought.number);
        let (number, sure) = (Some(thought.number), thought.signs.sure);
        note(run, iteration, ReactPhase::Reasoning, number, true, sure);

        let observation = act(run, iteration, with(&background, &[thought.number]))?;
        known.extend(observation);

        let mut weighed = vec![thought.number];
        weighed.extend(observation);
        let places = weighed.len();
        let postcondition = run.weigh(StepRole::Postcondition, iteration, weighed)?;
        last_postcondition = vec![postcondition.number];
        let held = lowest_score(postcondition, places);
        let (number, enough) = (Some(postcondition.number), held >= run.threshold());
        note(
            run,
            iteration,
            ReactPhase::Postcondition,
            number,
            enough,
            Some(held),
        );

        // Nobody is surer than the weaker of the two: neither a thought of itself nor its examiner of it.
        let confidence = sure.map_or(held, |sure| sure.min(held));
        let sure_enough = confidence >= run.threshold();
        let confidence = Some(confidence);
        note(
            run,
            iteration,
            ReactPhase::Uncertainty,
            None,
            sure_enough,
            confidence,
        );

        let nothing_more = observation.is_none() && thought.is_settled();
        let done = sure_enough || nothing_more;
        note(
            run,
            iteration,
            ReactPhase::Checkpoint,
            None,
            done,
            confidence,
        );
        if done {
            break;
        }
    }
    Ok(known)
}

/// Chooses a tool and calls it. A tool that is not among those it may call is not called: that it was chosen is in the
/// record, for the machine above to object to.
fn act(run: &mut Run<'_>, iteration: u16, uses: Vec<u16>) -> Result<Option<u16>, Halt> {
    if !run.may_call() {
        note(run, iteration, ReactPhase::Action, None, true, None);
        note(run, iteration, ReactPhase::Observation, None, true, None);
        return Ok(None);
    }
    let choice = run.act(iteration, uses)?;
    let chosen = choice.signs.call.as_ref();
    let permitted = chosen.filter(|call| run.permits(call));
    let holds = chosen.is_none() || permitted.is_some();
    let number = Some(choice.number);
    note(
        run,
        iteration,
        ReactPhase::Action,
        number,
        holds,
        choice.signs.sure,
    );
    let observation = match permitted {
        Some(call) => Some(
            run.call(iteration, vec![choice.number], call.clone())?
                .number,
        ),
        None => None,
    };
    note(
        run,
        iteration,
        ReactPhase::Observation,
        observation,
        holds,
        None,
    );
    Ok(observation)
}

/// A thought that is borne out by one thing and not by another is not borne out.
fn lowest_score(postcondition: Taken<'_>, places: usize) -> Ppm {
    (0..places)
        .map(|place| postcondition.score(place))
        .min()
        .unwrap_or(Ppm(0))
}

fn note(
    run: &mut Run<'_>,
    iteration: u16,
    phase: ReactPhase,
    step: Option<u16>,
    holds: bool,
    confidence: Option<Ppm>,
) {
    run.note(PhaseRecord {
        iteration,
        phase,
        step,
        holds,
        confidence,
    });
}

pub(super) fn steps_max(iterations: u32, may_call: bool) -> u32 {
    // A thought and its postcondition; between them, a choice and a call.
    iterations * if may_call { 4 } else { 2 }
}
