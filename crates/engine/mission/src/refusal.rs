//! Why the machine said no. A refused input changes nothing.

use alloc::string::String;

use crate::{CheckpointNumber, EffectNumber, Problem, Role};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the plan has {} problems, the first: {}", .0.len(), .0[0])]
    PlanInvalid(alloc::vec::Vec<Problem>),
    #[error("the mission has ended ({phase})")]
    MissionEnded { phase: &'static str },
    #[error("`{command}` is not possible now: {why}")]
    DoesNotFit {
        command: &'static str,
        why: &'static str,
    },
    #[error("this command was already carried out")]
    CommandRepeated,
    #[error("there is no checkpoint {checkpoint} in this mission")]
    CheckpointUnknown { checkpoint: CheckpointNumber },
    #[error("checkpoint {checkpoint} is closed: {how}")]
    CheckpointClosed {
        checkpoint: CheckpointNumber,
        how: String,
    },
    #[error("checkpoint {checkpoint} is claimed by {by}")]
    CheckpointClaimed {
        checkpoint: CheckpointNumber,
        by: String,
    },
    #[error("{actor} may not decide this: {why}")]
    NotAllowed { actor: String, why: &'static str },
    #[error("only someone with the role `{role}` may decide this")]
    RoleMissing { role: Role },
    #[error("`{action}` is not among this checkpoint's actions")]
    ActionNotOffered { action: &'static str },
    #[error("a choice is needed: give one of {options}")]
    OptionNeeded { options: String },
    #[error("`{option}` is not among this checkpoint's options: {options}")]
    OptionUnknown { option: String, options: String },
    #[error("the change is not valid: {why}")]
    ChangeUnfit { why: String },
    #[error("effect {effect} is not outstanding: it already has an outcome or was never requested")]
    EffectNotOutstanding { effect: EffectNumber },
    #[error("the outcome is not valid for effect {effect}: {why}")]
    OutcomeUnfit {
        effect: EffectNumber,
        why: &'static str,
    },
    #[error("an internal inconsistency stopped this mission: {why}")]
    MachineFault { why: String },
}

impl Refused {
    /// The code a user or operator can look up.
    pub fn code(&self) -> &'static str {
        match self {
            Self::PlanInvalid(_) => "ADJ-1000",
            Self::MissionEnded { .. } => "ADJ-2001",
            Self::DoesNotFit { .. } => "ADJ-2002",
            Self::CommandRepeated => "ADJ-2003",
            Self::CheckpointUnknown { .. } => "ADJ-2010",
            Self::CheckpointClosed { .. } => "ADJ-2011",
            Self::CheckpointClaimed { .. } => "ADJ-2012",
            Self::NotAllowed { .. } => "ADJ-2013",
            Self::RoleMissing { .. } => "ADJ-2014",
            Self::ActionNotOffered { .. } => "ADJ-2015",
            Self::OptionNeeded { .. } => "ADJ-2016",
            Self::OptionUnknown { .. } => "ADJ-2017",
            Self::ChangeUnfit { .. } => "ADJ-2018",
            Self::EffectNotOutstanding { .. } => "ADJ-2020",
            Self::OutcomeUnfit { .. } => "ADJ-2021",
            Self::MachineFault { .. } => "ADJ-2099",
        }
    }
}
