//! Commands: what may be asked of a mission from outside.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use crate::{
    AgentId, CheckpointNumber, CheckpointType, Decision, Json, MissionId, Plan, PlanPatch, Scope,
    ToolTable,
};

/// Opens a mission. The id is chosen by whoever asks, so that asking twice opens one mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    pub mission: MissionId,
    pub scope: Scope,
    pub plan: Plan,
    pub tools: ToolTable,
    pub approvals: Vec<ApprovalSource>,
    #[serde(default)]
    pub parent: Option<crate::Parent>,
    /// Who began the missions above it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub began_by: Vec<AgentId>,
}

/// Where leave to go on without asking comes from. The most careful source holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalSource {
    /// A person who approved these types in advance, for this mission.
    Waiver { by: AgentId, types: Waivers },
    /// The level 1-5 that a team or agent has earned.
    EarnedLevel { agent: AgentId, level: u8 },
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Waivers(pub BTreeSet<CheckpointType>);

impl Waivers {
    pub fn all() -> Self {
        use CheckpointType::{
            CriticalDecision, FinalReview, PlanApproval, SubagentApproval, ToolApproval,
        };
        Self(
            [
                PlanApproval,
                ToolApproval,
                SubagentApproval,
                CriticalDecision,
                FinalReview,
            ]
            .into(),
        )
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    Pause {
        reason: String,
    },
    Resume,
    /// Passes the layer the mission is waiting at.
    Continue,
    Abort {
        reason: String,
        /// Undo what was done, where tasks say how.
        #[serde(default)]
        undo: bool,
    },
    /// Changes the plan: only tasks that have not started, or that came to a stand.
    Replan {
        patch: Box<PlanPatch>,
        why: String,
    },
    Claim {
        checkpoint: CheckpointNumber,
    },
    Release {
        checkpoint: CheckpointNumber,
    },
    Decide {
        checkpoint: CheckpointNumber,
        decision: Decision,
    },
    Inform {
        topic: String,
        trust: Trust,
        body: Json,
    },
}

impl Command {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pause { .. } => "pause",
            Self::Resume => "resume",
            Self::Continue => "continue",
            Self::Abort { .. } => "abort",
            Self::Replan { .. } => "replan",
            Self::Claim { .. } => "claim",
            Self::Release { .. } => "release",
            Self::Decide { .. } => "decide",
            Self::Inform { .. } => "inform",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Approve,
    Modify,
    Reject,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Modify => "modify",
            Self::Reject => "reject",
        }
    }
}

/// How far information from outside may be trusted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    Trusted,
    #[default]
    Untrusted,
}
