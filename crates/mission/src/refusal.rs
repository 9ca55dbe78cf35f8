//! Why the machine said no. A refused input changes nothing.

use alloc::string::String;

use crate::{Problem, Role};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the plan has {} problems, the first: {}", .0.len(), .0[0])]
    PlanInvalid(alloc::vec::Vec<Problem>),
    #[error("the mission has ended ({phase})")]
    MissionEnded { phase: &'static str },
    #[error("`{command}` does not fit: {why}")]
    DoesNotFit {
        command: &'static str,
        why: &'static str,
    },
    #[error("this command was carried out before")]
    CommandRepeated,
    #[error("there is no checkpoint {checkpoint} in this mission")]
    CheckpointUnknown { checkpoint: u32 },
    #[error("checkpoint {checkpoint} is closed: {how}")]
    CheckpointClosed { checkpoint: u32, how: String },
    #[error("checkpoint {checkpoint} is claimed by {by}")]
    CheckpointClaimed { checkpoint: u32, by: String },
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
    #[error("the change does not fit: {why}")]
    ChangeUnfit { why: String },
    #[error("effect {effect} is not outstanding: it has its outcome or was never asked for")]
    EffectNotOutstanding { effect: u32 },
    #[error("the outcome does not fit effect {effect}: {why}")]
    OutcomeUnfit { effect: u32, why: &'static str },
    #[error("the machine contradicts itself and has stopped this mission: {why}")]
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
