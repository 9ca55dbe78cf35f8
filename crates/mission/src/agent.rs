//! Agents: a persistent identity ([`crate::AgentId`]), its run in one mission, and the run's sessions.
//! Agent tasks are not part of the machine yet; these records are what journals will name them by.

use serde::{Deserialize, Serialize};

use crate::{AgentId, MissionId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AgentLevel {
    L1,
    L2,
    L3,
    L4,
    L5,
}

impl AgentLevel {
    /// Law 6: who may start whom. Nobody skips a level.
    pub fn may_start(self, other: Self) -> bool {
        use AgentLevel::{L1, L2, L3, L4, L5};
        matches!(
            (self, other),
            (L1, L2) | (L2, L3 | L4) | (L3, L4) | (L4, L5)
        )
    }
}

/// One agent at work in one mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentRun {
    pub agent: AgentId,
    pub level: AgentLevel,
    pub mission: MissionId,
    pub number: u32,
}

/// One context window of a run; a new one begins when the old is full or stale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSession {
    pub run: AgentRun,
    pub number: u32,
}
