//! What is told, as far as it takes to say who is told and when.

use core::fmt;
use core::str::FromStr;

use crate::{Checkpoint, CheckpointId, IdError, MissionId, Role, Severity, Timestamp};

/// What a notice is about. Its text is the notice's id, and stays the same however often it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    Checkpoint(CheckpointId),
    Ending(MissionId),
}

const ENDED: &str = "-ended";

impl Subject {
    pub fn mission(self) -> MissionId {
        match self {
            Self::Checkpoint(checkpoint) => checkpoint.mission,
            Self::Ending(mission) => mission,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkpoint(checkpoint) => checkpoint.fmt(f),
            Self::Ending(mission) => write!(f, "{mission}{ENDED}"),
        }
    }
}

impl FromStr for Subject {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        match text.strip_suffix(ENDED) {
            Some(mission) => mission.parse().map(Self::Ending),
            None => text.parse().map(Self::Checkpoint),
        }
    }
}

/// As much of a notice as it takes to say who gets it, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    pub subject: Subject,
    /// When it happened.
    pub at: Timestamp,
    /// Who may answer; an ending asks nobody.
    pub role: Option<Role>,
    pub severity: Option<Severity>,
}

impl About {
    pub fn ending(mission: MissionId, at: Timestamp) -> Self {
        Self {
            subject: Subject::Ending(mission),
            at,
            role: None,
            severity: None,
        }
    }

    pub fn checkpoint(mission: MissionId, checkpoint: &Checkpoint, at: Timestamp) -> Self {
        let number = checkpoint.number;
        Self {
            subject: Subject::Checkpoint(CheckpointId { mission, number }),
            at,
            role: checkpoint.role.clone(),
            severity: Some(checkpoint.severity),
        }
    }

    /// Whether it may break into quiet hours that let urgent notices pass.
    pub fn is_urgent(&self) -> bool {
        match self.severity {
            Some(Severity::Critical | Severity::High) => true,
            Some(Severity::Medium) | None => false,
        }
    }
}
