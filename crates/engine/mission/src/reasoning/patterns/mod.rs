//! The eleven patterns, each a walk of its own: from what is given (the results of the patterns before) to a result
//! (the thoughts that stand at its end). Rules they share:
//! - a thought that starts from the question uses what is given; one that goes on from other thoughts uses those;
//! - thoughts that are to differ use each other;
//! - what weighs uses what it weighs and nothing else, so that its scores are in the order of `uses`.

mod adversarial;
mod analogical;
mod chain_of_thought;
mod debate;
mod decomposition;
mod mcts;
mod pedagogical;
mod react;
pub(super) mod reflection;
mod socratic;
mod tree_of_thought;
mod upper_bound;

use alloc::vec::Vec;

use super::run::{Halt, Run, iterations, may_call};
use super::{Pattern, Reasoning};

/// Whether a pattern has something to go on from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// It is the first.
    Fresh,
    /// Others came before it.
    Given,
}

/// Walks through one pattern to its result.
pub(super) fn play(pattern: Pattern, run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    match pattern {
        Pattern::ChainOfThought => chain_of_thought::play(run, given),
        Pattern::TreeOfThought => tree_of_thought::play(run, given),
        Pattern::React => react::play(run, given),
        Pattern::Reflection => reflection::play(run, given),
        Pattern::Mcts => mcts::play(run, given),
        Pattern::Debate => debate::play(run, given),
        Pattern::Decomposition => decomposition::play(run, given),
        Pattern::Analogical => analogical::play(run, given),
        Pattern::Adversarial => adversarial::play(run, given),
        Pattern::Socratic => socratic::play(run, given),
        Pattern::Pedagogical => pedagogical::play(run, given),
    }
}

/// Steps of one pattern at most, its conclusion not counted.
pub(super) fn steps_max(
    pattern: Pattern,
    reasoning: &Reasoning,
    may_act: bool,
    opening: Opening,
) -> u32 {
    let iterations = u32::from(iterations(reasoning));
    match pattern {
        Pattern::ChainOfThought => chain_of_thought::steps_max(iterations),
        Pattern::TreeOfThought => tree_of_thought::steps_max(iterations),
        Pattern::React => react::steps_max(iterations, may_call(reasoning, may_act)),
        Pattern::Reflection => reflection::steps_max(iterations, opening),
        Pattern::Mcts => mcts::steps_max(iterations),
        Pattern::Debate => debate::steps_max(iterations),
        Pattern::Decomposition => decomposition::steps_max(),
        Pattern::Analogical => analogical::steps_max(iterations),
        Pattern::Adversarial => adversarial::steps_max(iterations, opening),
        Pattern::Socratic => socratic::steps_max(),
        Pattern::Pedagogical => pedagogical::steps_max(iterations),
    }
}

/// The step a pattern needs that works on a draft: a first answer, if nothing is given.
fn draft_steps(opening: Opening) -> u32 {
    match opening {
        Opening::Fresh => 1,
        Opening::Given => 0,
    }
}
