//! What lists and inboxes show of a mission, derived from its state and events.

use alloc::string::String;
use serde::{Deserialize, Serialize};

use crate::{
    AgentId, Checkpoint, CheckpointId, CheckpointType, MissionId, Role, Severity, Timestamp,
    Urgency, Usage,
};

/// Where a mission stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Planning,
    Executing,
    /// Nothing else is outstanding: only a person can move it.
    AwaitingHuman,
    Synthesizing,
    Completed,
    Failed,
    Cancelled,
}

impl Phase {
    pub const ALL: [Self; 7] = [
        Self::Planning,
        Self::Executing,
        Self::AwaitingHuman,
        Self::Synthesizing,
        Self::Completed,
        Self::Failed,
        Self::Cancelled,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Planning => "planning",
            Self::Executing => "executing",
            Self::AwaitingHuman => "awaiting_human",
            Self::Synthesizing => "synthesizing",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn is_ended(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// One row of the mission list. Where it is kept, its title is sealed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary<Title = String> {
    pub mission: MissionId,
    pub title: Title,
    pub phase: Phase,
    pub paused: bool,
    pub tasks_total: u32,
    /// Completed or skipped.
    pub tasks_ended: u32,
    pub checkpoints_open: u32,
    pub used: Usage,
    pub opened_at: Timestamp,
    pub updated_at: Timestamp,
    /// When the host must look at it next: the past for "now", absent for "only when told".
    pub wake_at: Option<Timestamp>,
}

impl<Title> Summary<Title> {
    /// The same row under another title.
    pub fn titled<Other>(self, title: Other) -> Summary<Other> {
        Summary {
            mission: self.mission,
            title,
            phase: self.phase,
            paused: self.paused,
            tasks_total: self.tasks_total,
            tasks_ended: self.tasks_ended,
            checkpoints_open: self.checkpoints_open,
            used: self.used,
            opened_at: self.opened_at,
            updated_at: self.updated_at,
            wake_at: self.wake_at,
        }
    }
}

/// One open checkpoint, as an inbox shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InboxEntry {
    pub checkpoint: CheckpointId,
    pub mission_title: String,
    #[serde(rename = "kind")]
    pub checkpoint_type: CheckpointType,
    pub severity: Severity,
    pub urgency: Urgency,
    pub question: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_by: Option<AgentId>,
    pub opened_at: Timestamp,
    pub deadline: Timestamp,
}

impl InboxEntry {
    pub fn of(
        mission: MissionId,
        title: &str,
        checkpoint: &Checkpoint,
        opened_at: Timestamp,
    ) -> Self {
        Self {
            checkpoint: CheckpointId {
                mission,
                number: checkpoint.number,
            },
            mission_title: String::from(title),
            checkpoint_type: checkpoint.checkpoint_type,
            severity: checkpoint.severity,
            urgency: checkpoint.urgency,
            question: checkpoint.question.clone(),
            role: checkpoint.role.clone(),
            claimed_by: None,
            opened_at,
            deadline: checkpoint.deadline,
        }
    }
}
