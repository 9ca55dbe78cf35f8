//! One walk through the recorded steps. A pattern is written as if it took its steps one after the other; each is read
//! from the record as long as there is one, and the first that is not recorded halts the walk: it is what comes next.
//! So the way to a step is the same whether the walk was cut short before it or not.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{
    ITERATIONS_MAX, Move, PATTERNS_MAX, Pattern, PhaseRecord, Reasoning, Signs, StepKind, StepRole,
    StepTaken,
};
use crate::{Ppm, ToolCall};

/// A whole: certainty, or full marks.
pub(super) const WHOLE: Ppm = Ppm(1_000_000);

/// Why a walk ends before its patterns do.
pub(super) enum Halt {
    /// This step is not recorded yet.
    Take(Box<Move>),
    Stuck(String),
}

/// A step that the record holds: its number, and what its answer says of itself.
#[derive(Clone, Copy)]
pub(super) struct Taken<'a> {
    pub(super) number: u16,
    pub(super) signs: &'a Signs,
}

impl Taken<'_> {
    pub(super) fn is_settled(self) -> bool {
        self.signs.settled
    }

    /// The score of what was weighed in this place. A score that was not given is none: what nobody vouches for does
    /// not pass.
    pub(super) fn score(self, place: usize) -> Ppm {
        self.signs
            .scores
            .get(place)
            .map_or(Ppm(0), |score| (*score).min(WHOLE))
    }

    /// The parts to work on, by number.
    pub(super) fn parts(self, parts_max: u16) -> core::ops::Range<u16> {
        0..self.signs.parts.min(parts_max)
    }
}

pub(super) struct Run<'a> {
    reasoning: &'a Reasoning,
    may_act: bool,
    steps: &'a [StepTaken],
    /// How many of the steps the walk has passed.
    passed: usize,
    pattern: Pattern,
    phases: Vec<PhaseRecord>,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        reasoning: &'a Reasoning,
        may_act: bool,
        steps: &'a [StepTaken],
    ) -> Result<Self, Halt> {
        precondition(reasoning).map_err(Halt::Stuck)?;
        Ok(Self {
            reasoning,
            may_act,
            steps,
            passed: 0,
            pattern: Pattern::ChainOfThought,
            phases: Vec::new(),
        })
    }

    pub(super) fn enter(&mut self, pattern: Pattern) {
        self.pattern = pattern;
    }

    /// Keeps what a phase of ReAct came to, for those who look back.
    pub(super) fn note(&mut self, phase: PhaseRecord) {
        self.phases.push(phase);
    }

    pub(super) fn into_phases(self) -> Vec<PhaseRecord> {
        self.phases
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.passed == self.steps.len()
    }

    pub(super) fn iterations(&self) -> u16 {
        iterations(self.reasoning)
    }

    pub(super) fn threshold(&self) -> Ppm {
        self.reasoning.confidence_threshold
    }

    pub(super) fn may_call(&self) -> bool {
        may_call(self.reasoning, self.may_act)
    }

    pub(super) fn permits(&self, call: &ToolCall) -> bool {
        permits(self.reasoning, call)
    }

    pub(super) fn think(
        &mut self,
        role: StepRole,
        iteration: u16,
        uses: Vec<u16>,
    ) -> Result<Taken<'a>, Halt> {
        self.take(self.step(StepKind::Think, role, iteration, uses))
    }

    /// A thought about one part of what `split` took apart.
    pub(super) fn think_of_part(
        &mut self,
        role: StepRole,
        iteration: u16,
        uses: Vec<u16>,
        part: Option<(u16, u16)>,
    ) -> Result<Taken<'a>, Halt> {
        let step = self.step(StepKind::Think, role, iteration, uses);
        self.take(Move { part, ..step })
    }

    pub(super) fn weigh(
        &mut self,
        role: StepRole,
        iteration: u16,
        uses: Vec<u16>,
    ) -> Result<Taken<'a>, Halt> {
        self.take(self.step(StepKind::Weigh, role, iteration, uses))
    }

    /// Every pattern takes its question apart once, in its first round.
    pub(super) fn split(&mut self, role: StepRole, uses: Vec<u16>) -> Result<Taken<'a>, Halt> {
        self.take(self.step(StepKind::Split, role, 1, uses))
    }

    pub(super) fn act(&mut self, iteration: u16, uses: Vec<u16>) -> Result<Taken<'a>, Halt> {
        self.take(self.step(StepKind::Act, StepRole::Choose, iteration, uses))
    }

    pub(super) fn call(
        &mut self,
        iteration: u16,
        uses: Vec<u16>,
        call: ToolCall,
    ) -> Result<Taken<'a>, Halt> {
        let step = self.step(StepKind::Call, StepRole::Observe, iteration, uses);
        self.take(Move {
            call: Some(call),
            ..step
        })
    }

    pub(super) fn conclude(&mut self, uses: Vec<u16>) -> Result<Taken<'a>, Halt> {
        self.take(self.step(StepKind::Conclude, StepRole::Conclude, 1, uses))
    }

    fn step(&self, kind: StepKind, role: StepRole, iteration: u16, uses: Vec<u16>) -> Move {
        Move {
            kind,
            role,
            pattern: self.pattern,
            iteration,
            uses,
            part: None,
            call: None,
        }
    }

    fn take(&mut self, step: Move) -> Result<Taken<'a>, Halt> {
        let Ok(number) = u16::try_from(self.passed) else {
            return Err(Halt::Stuck(format!(
                "a reasoning run has at most {} steps",
                u32::from(u16::MAX) + 1
            )));
        };
        let Some(recorded) = self.steps.get(self.passed) else {
            return Err(Halt::Take(Box::new(step)));
        };
        if recorded.step != step {
            return Err(Halt::Stuck(format!(
                "step {number} is recorded as {}, but the steps before it lead to {}",
                described(&recorded.step),
                described(&step)
            )));
        }
        self.passed += 1;
        Ok(Taken {
            number,
            signs: &recorded.signs,
        })
    }
}

/// What must hold before the first step.
pub(super) fn precondition(reasoning: &Reasoning) -> Result<(), String> {
    match (reasoning.patterns.len(), reasoning.max_iterations) {
        (0, _) => Err(String::from("no reasoning pattern")),
        (_, 0) => Err(String::from("no iteration is allowed")),
        (patterns, _) if patterns > PATTERNS_MAX => Err(format!(
            "{patterns} reasoning patterns, but at most {PATTERNS_MAX} are allowed"
        )),
        _ => Ok(()),
    }
}

/// Rounds of one pattern: never more than the limit, whatever was asked for.
pub(super) fn iterations(reasoning: &Reasoning) -> u16 {
    reasoning.max_iterations.min(ITERATIONS_MAX)
}

pub(super) fn may_call(reasoning: &Reasoning, may_act: bool) -> bool {
    may_act && !reasoning.tools.is_empty()
}

pub(super) fn permits(reasoning: &Reasoning, call: &ToolCall) -> bool {
    reasoning.tools.contains(&call.tool)
}

/// `first`, then what of `then` is not in it.
pub(super) fn with(first: &[u16], then: &[u16]) -> Vec<u16> {
    let mut all = first.to_vec();
    for number in then {
        if !all.contains(number) {
            all.push(*number);
        }
    }
    all
}

fn described(step: &Move) -> String {
    format!(
        "{}/{} of {} in iteration {} after {:?}",
        step.kind.name(),
        step.role.name(),
        step.pattern.name(),
        step.iteration,
        step.uses
    )
}
