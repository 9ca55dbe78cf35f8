//! The seven phases of a ReAct iteration. Four are steps; the other three the machine decides by itself, so they are in
//! no record: they follow from it.

use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use super::next::{AtConclusion, conclusions};
use super::run::Run;
use super::{Reasoning, StepKind, StepTaken};
use crate::Ppm;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReactPhase {
    /// There is something to reason by, and an iteration left.
    Precondition,
    Reasoning,
    /// Which tool to call, if any.
    Action,
    /// What the call gave.
    Observation,
    /// Whether the thought holds, by what was observed.
    Postcondition,
    /// How sure one may be after all that.
    Uncertainty,
    /// Whether that is enough.
    Checkpoint,
}

impl ReactPhase {
    pub const ALL: [Self; 7] = [
        Self::Precondition,
        Self::Reasoning,
        Self::Action,
        Self::Observation,
        Self::Postcondition,
        Self::Uncertainty,
        Self::Checkpoint,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Precondition => "precondition",
            Self::Reasoning => "reasoning",
            Self::Action => "action",
            Self::Observation => "observation",
            Self::Postcondition => "postcondition",
            Self::Uncertainty => "uncertainty",
            Self::Checkpoint => "checkpoint",
        }
    }

    /// Whether a model is asked or a tool called for it; the machine decides the others.
    pub fn is_a_step(self) -> bool {
        match self {
            Self::Reasoning | Self::Action | Self::Observation | Self::Postcondition => true,
            Self::Precondition | Self::Uncertainty | Self::Checkpoint => false,
        }
    }
}

/// What one phase of one iteration came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseRecord {
    pub iteration: u16,
    pub phase: ReactPhase,
    /// The step it was, from 0; none if the machine decided it or there was nothing to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u16>,
    /// It went as it should: what was chosen may be called, what was thought is good enough, the loop may end.
    pub holds: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Ppm>,
}

/// Which phase a step of ReAct is.
pub fn phase_of(step: &StepTaken) -> ReactPhase {
    match step.step.kind {
        StepKind::Think | StepKind::Split => ReactPhase::Reasoning,
        StepKind::Act => ReactPhase::Action,
        StepKind::Call => ReactPhase::Observation,
        StepKind::Weigh => ReactPhase::Postcondition,
        StepKind::Conclude => ReactPhase::Checkpoint,
    }
}

/// All phases of all iterations that the steps have reached, in order. An iteration that is under way ends with the last
/// phase that was completed; where ReAct comes twice among the patterns, the iterations start from 1 again.
pub fn react_phases(reasoning: &Reasoning, may_act: bool, steps: &[StepTaken]) -> Vec<PhaseRecord> {
    let Ok(mut run) = Run::new(reasoning, may_act, steps) else {
        return vec![PhaseRecord {
            iteration: 1,
            phase: ReactPhase::Precondition,
            step: None,
            holds: false,
            confidence: None,
        }];
    };
    // Where the walk halts is no matter here: what it has passed is.
    let _halted = conclusions(&mut run, &reasoning.patterns, AtConclusion::Stop);
    run.into_phases()
}
