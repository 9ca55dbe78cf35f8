//! What the settings say of workflows that programs start.

use adjutant_mission::{AgentId, CheckpointType, MicroUsd};

/// What a workflow may cost if the settings say nothing.
const BUDGET_DEFAULT: MicroUsd = MicroUsd(1_000_000);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkflowPolicy {
    /// Principals whose programs may answer questions of missions that they did not start.
    pub approvers: Vec<AgentId>,
    /// Questions that workflows need not ask: the plan, the result, or both.
    pub approved_in_advance: Vec<CheckpointType>,
    /// The most that a workflow may cost. A caller can ask for less.
    pub budget: MicroUsd,
}

impl Default for WorkflowPolicy {
    fn default() -> Self {
        Self {
            approvers: Vec::new(),
            approved_in_advance: Vec::new(),
            budget: BUDGET_DEFAULT,
        }
    }
}

impl WorkflowPolicy {
    /// Whether nobody sees the plan before it runs.
    pub(super) fn starts_unseen(&self) -> bool {
        self.approved_in_advance
            .contains(&CheckpointType::PlanApproval)
    }
}
