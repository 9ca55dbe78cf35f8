//! Events: facts that happened to a mission. The journal of them is the only truth.
//!
//! Wire names carry their version (`task_completed/1`) and never change; a new shape is a new variant.
//! Golden files pin them. An unknown name is a typed error, never skipped.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use crate::{
    Actor, AgentId, AgentLevel, ApprovalSource, Assessment, CampaignId, Caps, Checkpoint,
    CheckpointNumber, CheckpointType, CommandId, Decision, DepartmentId, EffectNumber, Failure,
    ForkChange, GateVerdict, Json, LayerNumber, MissionId, OptionKey, Payload, Plan, PlanPatch,
    ReplanTrigger, StepTaken, TaskKey, TeamId, TenantId, Timestamp, ToolCall, ToolTable, Trust,
    Usage,
};

/// The version of the machine's decisions. Behaviour that changes branches on the number a mission began with.
pub const LOGIC_VERSION: u16 = 1;

/// Whose work a mission is. Stated once, in the opening event; every later event inherits it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    pub tenant: TenantId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub department: Option<DepartmentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<CampaignId>,
    /// Whom the mission's content concerns, so that it can be found when they ask for it to be erased.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<String>,
    /// Ties together what belongs to one piece of business across missions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation: Option<CommandId>,
}

impl Scope {
    pub fn of(tenant: TenantId) -> Self {
        Self {
            tenant,
            department: None,
            team: None,
            campaign: None,
            subjects: Vec::new(),
            correlation: None,
        }
    }
}

/// Whether an event's content may leave the sensitive zone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Zone {
    #[default]
    Platform,
    Sensitive,
}

/// What an event follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    Command(CommandId),
    Effect(EffectNumber),
}

/// An event with its envelope, as it stands in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// Its place in the mission's journal, from 1, without gaps.
    pub seq: u64,
    pub at: Timestamp,
    /// Who did it; absent means the engine itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Actor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    #[serde(default, skip_serializing_if = "is_platform")]
    pub zone: Zone,
    pub event: Event,
}

fn is_platform(zone: &Zone) -> bool {
    *zone == Zone::Platform
}

#[derive(Debug, thiserror::Error)]
#[error("event {seq} cannot be read: {source}")]
pub struct DecodeError {
    pub seq: u64,
    pub source: serde_json::Error,
}

impl Recorded {
    /// The bytes that are stored and hashed.
    pub fn encode(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }

    /// Reads stored bytes that claim to be event `seq`.
    pub fn decode(seq: u64, bytes: &[u8]) -> Result<Self, DecodeError> {
        serde_json::from_slice(bytes).map_err(|source| DecodeError { seq, source })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    pub mission: MissionId,
    pub scope: Scope,
    pub logic: u16,
    pub plan: Plan,
    pub tools: ToolTable,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<ApprovalSource>,
    /// Whose sub-mission it is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<crate::Parent>,
    /// Of a sub-mission: who began the missions above it. A fork keeps this.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub began_by: Vec<crate::AgentId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "data", deny_unknown_fields)]
pub enum Event {
    #[serde(rename = "mission_opened/1")]
    MissionOpened(alloc::boxed::Box<Opened>),
    /// All before this was inherited from another mission, up to its event `at`. From here on this one goes its own way.
    #[serde(rename = "mission_forked/1")]
    MissionForked {
        of: MissionId,
        at: u64,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changes: Vec<ForkChange>,
    },
    #[serde(rename = "execution_started/1")]
    ExecutionStarted {},
    #[serde(rename = "mission_paused/1")]
    MissionPaused { reason: String },
    #[serde(rename = "mission_resumed/1")]
    MissionResumed {},
    #[serde(rename = "layer_passed/1")]
    LayerPassed { layer: LayerNumber },
    /// Nothing new is started from here on.
    #[serde(rename = "stop_requested/1")]
    StopRequested {
        into: Stop,
        reason: String,
        /// What was done is to be undone.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        undo: bool,
    },
    /// Nothing runs any more: what was done is undone now, newest first.
    #[serde(rename = "undo_began/1")]
    UndoBegan {},
    #[serde(rename = "undo_started/1")]
    UndoStarted {
        task: TaskKey,
        effect: EffectNumber,
        attempt: u16,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        reserved: Usage,
    },
    #[serde(rename = "undone/1")]
    Undone {
        task: TaskKey,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
    },
    /// It could not be undone: it is tried again, or stays as it is.
    #[serde(rename = "undo_failed/1")]
    UndoFailed {
        task: TaskKey,
        failure: Failure,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
        then: AfterFailure,
    },
    #[serde(rename = "synthesis_started/1")]
    SynthesisStarted {},
    #[serde(rename = "mission_ended/1")]
    MissionEnded(Ending),

    /// A task's try began: from here its effect is owed and its reservation held.
    #[serde(rename = "task_started/1")]
    TaskStarted {
        task: TaskKey,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effect: Option<EffectNumber>,
        attempt: u16,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        reserved: Usage,
    },
    #[serde(rename = "task_completed/1")]
    TaskCompleted {
        task: TaskKey,
        output: Payload,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
    },
    /// Its work is done, but a finish-to-finish or start-to-finish dependency is not met yet.
    #[serde(rename = "task_held/1")]
    TaskHeld {
        task: TaskKey,
        output: Payload,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
    },
    #[serde(rename = "task_released/1")]
    TaskReleased { task: TaskKey },
    #[serde(rename = "attempt_failed/1")]
    AttemptFailed {
        task: TaskKey,
        failure: Failure,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
        then: AfterFailure,
    },
    /// An agent's run in this mission began.
    #[serde(rename = "agent_started/1")]
    AgentStarted {
        agent: AgentId,
        level: AgentLevel,
        /// Which agent started it; absent if the mission itself did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        started_by: Option<AgentId>,
    },
    /// An agent wanted what its level or its task does not allow. It did not happen.
    #[serde(rename = "breach_refused/1")]
    BreachRefused {
        task: TaskKey,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AgentId>,
        wanted: String,
        reason: String,
    },
    /// A task's agent took one step of its reasoning.
    #[serde(rename = "step_taken/1")]
    StepTaken {
        task: TaskKey,
        taken: alloc::boxed::Box<StepTaken>,
    },
    /// How sure a conclusion is, all things considered, and what follows.
    #[serde(rename = "confidence_assessed/1")]
    ConfidenceAssessed {
        task: TaskKey,
        assessment: Assessment,
        then: AfterAssessment,
    },
    /// A human sent a blocked task back to work.
    #[serde(rename = "task_requeued/1")]
    TaskRequeued { task: TaskKey },
    #[serde(rename = "task_skipped/1")]
    TaskSkipped { task: TaskKey, reason: String },
    #[serde(rename = "gate_judged/1")]
    GateJudged {
        task: TaskKey,
        verdict: GateVerdict,
        reason: String,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
        then: AfterVerdict,
    },
    /// These tasks are to be done again, in the light of what was found.
    #[serde(rename = "tasks_returned/1")]
    TasksReturned { tasks: Vec<TaskKey>, reason: String },
    #[serde(rename = "tool_call_approved/1")]
    ToolCallApproved {
        task: TaskKey,
        /// What the approver changed the call into.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<ToolCall>,
    },
    #[serde(rename = "cap_reached/1")]
    CapReached {
        /// The task whose cap it is; absent for the mission's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<TaskKey>,
        cap: Caps,
        reason: String,
    },

    /// The plan is another from here on: the difference, on which occasion and why.
    #[serde(rename = "plan_changed/1")]
    PlanChanged {
        trigger: ReplanTrigger,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
        patch: alloc::boxed::Box<PlanPatch>,
    },

    /// A person agreed to go past soft caps: the mission's, or one task's.
    #[serde(rename = "soft_cap_passed/1")]
    SoftCapPassed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<TaskKey>,
    },
    /// A soft cap was reached, and the cheaper ways are taken from here on.
    #[serde(rename = "degraded/1")]
    Degraded { reason: String },

    /// The effect is about to be sent; from here on a crash leaves it in doubt.
    #[serde(rename = "effect_started/1")]
    EffectStarted { effect: EffectNumber },
    #[serde(rename = "effect_deferred/1")]
    EffectDeferred {
        effect: EffectNumber,
        until: Timestamp,
    },
    #[serde(rename = "effect_in_doubt/1")]
    EffectInDoubt {
        effect: EffectNumber,
        reason: String,
    },
    /// It was sent, may be sent again, and its result will not come: all that was reserved for it counts as spent, and
    /// its task is begun anew.
    #[serde(rename = "effect_lost/1")]
    EffectLost { effect: EffectNumber },
    /// Its outcome is no longer wanted; it was safe to drop. What it was to cost counts as spent, for it may
    /// have been under way.
    #[serde(rename = "effect_abandoned/1")]
    EffectAbandoned {
        effect: EffectNumber,
        reason: String,
    },

    #[serde(rename = "checkpoint_opened/1")]
    CheckpointOpened(alloc::boxed::Box<Checkpoint>),
    #[serde(rename = "checkpoint_waived/1")]
    CheckpointWaived(Waived),
    #[serde(rename = "checkpoint_claimed/1")]
    CheckpointClaimed { checkpoint: CheckpointNumber },
    #[serde(rename = "checkpoint_released/1")]
    CheckpointReleased { checkpoint: CheckpointNumber },
    /// Guidance in prose, which left the question open. No longer recorded: words are an answer, or refused.
    #[serde(rename = "checkpoint_guided/1")]
    CheckpointGuided {
        checkpoint: CheckpointNumber,
        note: String,
    },
    /// One of several approvals that a question needs, and not the last.
    #[serde(rename = "checkpoint_endorsed/1")]
    CheckpointEndorsed {
        checkpoint: CheckpointNumber,
        decision: Decision,
    },
    #[serde(rename = "checkpoint_decided/1")]
    CheckpointDecided {
        checkpoint: CheckpointNumber,
        decision: Decision,
    },
    #[serde(rename = "checkpoint_expired/1")]
    CheckpointExpired { checkpoint: CheckpointNumber },
    #[serde(rename = "checkpoint_withdrawn/1")]
    CheckpointWithdrawn {
        checkpoint: CheckpointNumber,
        reason: String,
    },

    #[serde(rename = "informed/1")]
    Informed {
        topic: String,
        trust: Trust,
        body: Json,
    },

    /// Nobody can read the events before this one any more. It is the last of its journal, and never sealed.
    #[serde(rename = "content_erased/1")]
    ContentErased { reason: String },
}

impl Event {
    /// The name it is stored under.
    pub fn name(&self) -> &'static str {
        match self {
            Self::MissionOpened(_) => "mission_opened/1",
            Self::MissionForked { .. } => "mission_forked/1",
            Self::ExecutionStarted {} => "execution_started/1",
            Self::MissionPaused { .. } => "mission_paused/1",
            Self::MissionResumed {} => "mission_resumed/1",
            Self::LayerPassed { .. } => "layer_passed/1",
            Self::StopRequested { .. } => "stop_requested/1",
            Self::UndoBegan {} => "undo_began/1",
            Self::UndoStarted { .. } => "undo_started/1",
            Self::Undone { .. } => "undone/1",
            Self::UndoFailed { .. } => "undo_failed/1",
            Self::SynthesisStarted {} => "synthesis_started/1",
            Self::MissionEnded(_) => "mission_ended/1",
            Self::TaskStarted { .. } => "task_started/1",
            Self::TaskCompleted { .. } => "task_completed/1",
            Self::TaskHeld { .. } => "task_held/1",
            Self::TaskReleased { .. } => "task_released/1",
            Self::AttemptFailed { .. } => "attempt_failed/1",
            Self::AgentStarted { .. } => "agent_started/1",
            Self::BreachRefused { .. } => "breach_refused/1",
            Self::StepTaken { .. } => "step_taken/1",
            Self::ConfidenceAssessed { .. } => "confidence_assessed/1",
            Self::TaskRequeued { .. } => "task_requeued/1",
            Self::TaskSkipped { .. } => "task_skipped/1",
            Self::GateJudged { .. } => "gate_judged/1",
            Self::TasksReturned { .. } => "tasks_returned/1",
            Self::ToolCallApproved { .. } => "tool_call_approved/1",
            Self::CapReached { .. } => "cap_reached/1",
            Self::PlanChanged { .. } => "plan_changed/1",
            Self::SoftCapPassed { .. } => "soft_cap_passed/1",
            Self::Degraded { .. } => "degraded/1",
            Self::EffectStarted { .. } => "effect_started/1",
            Self::EffectDeferred { .. } => "effect_deferred/1",
            Self::EffectInDoubt { .. } => "effect_in_doubt/1",
            Self::EffectLost { .. } => "effect_lost/1",
            Self::EffectAbandoned { .. } => "effect_abandoned/1",
            Self::CheckpointOpened(_) => "checkpoint_opened/1",
            Self::CheckpointWaived(_) => "checkpoint_waived/1",
            Self::CheckpointClaimed { .. } => "checkpoint_claimed/1",
            Self::CheckpointReleased { .. } => "checkpoint_released/1",
            Self::CheckpointGuided { .. } => "checkpoint_guided/1",
            Self::CheckpointEndorsed { .. } => "checkpoint_endorsed/1",
            Self::CheckpointDecided { .. } => "checkpoint_decided/1",
            Self::CheckpointExpired { .. } => "checkpoint_expired/1",
            Self::CheckpointWithdrawn { .. } => "checkpoint_withdrawn/1",
            Self::Informed { .. } => "informed/1",
            Self::ContentErased { .. } => "content_erased/1",
        }
    }

    /// The digest of the blob that holds its content, if that was too large for the journal.
    pub fn blob(&self) -> Option<&str> {
        match self {
            Self::TaskCompleted { output, .. } | Self::TaskHeld { output, .. } => match output {
                Payload::Blob { digest, .. } => Some(digest),
                Payload::Inline(_) => None,
            },
            Self::StepTaken { taken, .. } => match &taken.output {
                Payload::Blob { digest, .. } => Some(digest),
                Payload::Inline(_) => None,
            },
            _ => None,
        }
    }
}

/// What the machine does about a failed try: the recovery levels in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterFailure {
    Retry {
        at: Timestamp,
    },
    Alternative,
    /// The agent that started this task's agent takes it over.
    Upward {
        to: AgentId,
    },
    Escalate,
    GiveUp,
}

/// What follows from how sure a conclusion is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterAssessment {
    GoOn,
    /// It is thought through once more.
    Again,
    /// A person decides.
    Ask,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterVerdict {
    Pass,
    Return,
    Escalate,
    GiveUp,
}

/// Where a stopping mission ends up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// Makes what it can of what exists.
    Synthesize,
    Fail,
    Cancel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndingPhase {
    Completed,
    Failed,
    Cancelled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// Reviewed, or its review waived by someone who may.
    Delivered,
    /// Kept, marked as unreviewed, not delivered.
    Draft,
    /// There is nothing to deliver.
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    pub phase: EndingPhase,
    pub delivery: Delivery,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// A question that was not asked, because someone answered it in advance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waived {
    #[serde(rename = "kind")]
    pub checkpoint_type: CheckpointType,
    pub by: crate::AgentId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<OptionKey>,
}
