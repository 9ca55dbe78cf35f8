//! What comes next in a reasoning, and how much may come at most. Patterns follow one another, each going on from the
//! results of those before it; then one conclusion from all results; then, if the caller wants, further rounds that
//! criticise the conclusion and conclude anew.
//!
//! **Invariant:** The next step of a reasoning follows from its recorded steps and from nothing else. So a crash costs
//! only the step under way.

use alloc::vec::Vec;

use super::patterns::{self, reflection};
use super::run::{Halt, Run, precondition, with};
use super::{Next, Pattern, Reasoning, StepKind, StepTaken};

/// Steps of one further round at most: critique, revision, conclusion.
pub const AGAIN_STEPS_MAX: u32 = 3;

/// A further round criticises once: whether another is worth it is for the caller to say.
const AGAIN_ITERATIONS: u16 = 1;

/// What comes after `steps`. Those after a conclusion belong to a further round, which is followed to its end.
pub fn next(reasoning: &Reasoning, may_act: bool, steps: &[StepTaken]) -> Next {
    walk(reasoning, may_act, steps, AtConclusion::Stop)
}

/// What comes after `steps` if a conclusion is not enough: the first step of a further round, or what is missing to
/// the conclusion.
pub fn again(reasoning: &Reasoning, may_act: bool, steps: &[StepTaken]) -> Next {
    walk(reasoning, may_act, steps, AtConclusion::GoOn)
}

/// How often it was concluded.
pub fn rounds(steps: &[StepTaken]) -> u16 {
    let conclusions = steps
        .iter()
        .filter(|taken| taken.step.kind == StepKind::Conclude)
        .count();
    u16::try_from(conclusions).unwrap_or(u16::MAX)
}

/// Steps to the first conclusion at most; a further round takes at most [`AGAIN_STEPS_MAX`] more.
pub fn steps_max(reasoning: &Reasoning, may_act: bool) -> u32 {
    if precondition(reasoning).is_err() {
        return 0;
    }
    let stages: u32 = reasoning
        .patterns
        .iter()
        .enumerate()
        .map(|(stage, pattern)| {
            let opening = match stage {
                0 => patterns::Opening::Fresh,
                _ => patterns::Opening::Given,
            };
            patterns::steps_max(*pattern, reasoning, may_act, opening)
        })
        .sum();
    stages + 1
}

/// What to do where a conclusion is the last step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AtConclusion {
    Stop,
    GoOn,
}

fn walk(
    reasoning: &Reasoning,
    may_act: bool,
    steps: &[StepTaken],
    at_conclusion: AtConclusion,
) -> Next {
    let walked = Run::new(reasoning, may_act, steps)
        .and_then(|mut run| conclusions(&mut run, &reasoning.patterns, at_conclusion));
    match walked {
        Ok(()) => Next::Concluded,
        Err(Halt::Take(step)) => Next::Take(*step),
        Err(Halt::Stuck(why)) => Next::Stuck(why),
    }
}

pub(super) fn conclusions(
    run: &mut Run<'_>,
    stages: &[Pattern],
    at_conclusion: AtConclusion,
) -> Result<(), Halt> {
    let mut results = Vec::new();
    for pattern in stages {
        run.enter(*pattern);
        let result = patterns::play(*pattern, run, &results)?;
        results = with(&results, &result);
    }
    let mut conclusion = run.conclude(results.clone())?.number;
    while !run.is_at_end() || at_conclusion == AtConclusion::GoOn {
        // The conclusion before is criticised by the light of what it was drawn from, and stands last.
        let given = with(&results, &[conclusion]);
        run.enter(Pattern::Reflection);
        let result = reflection::play_rounds(run, &given, AGAIN_ITERATIONS)?;
        conclusion = run.conclude(with(&given, &result))?.number;
    }
    Ok(())
}
