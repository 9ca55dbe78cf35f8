//! Checkpoints: questions put to a human. Silence, error and doubt mean no.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use crate::{
    Actor, AgentId, CheckpointNumber, EffectNumber, Json, LayerNumber, MicroUsd, Millis, OptionKey,
    Payload, PlanPatch, ReplanTrigger, Role, TaskKey, Timestamp, Verdict,
};

/// How long a claim keeps others from deciding.
pub const CLAIM_LASTS: Millis = Millis::hours(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckpointType {
    PlanApproval,
    ToolApproval,
    SubagentApproval,
    CriticalDecision,
    FinalReview,
}

/// What the question is about, and therefore what an answer does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    ApprovePlan,
    ApproveTool {
        task: TaskKey,
    },
    DoHumanTask {
        task: TaskKey,
    },
    /// Recovery level four: everything else was tried.
    RecoverTask {
        task: TaskKey,
    },
    /// A `once` effect was sent and its result is not known.
    SettleInDoubt {
        task: TaskKey,
        effect: EffectNumber,
    },
    /// A conclusion is less sure than the mission wants it.
    AcceptConclusion {
        task: TaskKey,
    },
    PassLayer {
        layer: LayerNumber,
    },
    /// A soft cap would be passed: one task's, or the mission's and what it is charged to.
    PassSoftCap {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<TaskKey>,
    },
    /// There is occasion to change the plan. A yes goes on with it as it is.
    ChangePlan {
        trigger: ReplanTrigger,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<TaskKey>,
    },
    ReviewResult,
}

impl Asks {
    pub fn task(&self) -> Option<&TaskKey> {
        match self {
            Self::ApproveTool { task }
            | Self::DoHumanTask { task }
            | Self::RecoverTask { task }
            | Self::AcceptConclusion { task }
            | Self::SettleInDoubt { task, .. } => Some(task),
            Self::ApprovePlan
            | Self::PassLayer { .. }
            | Self::PassSoftCap { .. }
            | Self::ChangePlan { .. }
            | Self::ReviewResult => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    Decision,
    Help,
    Blocked,
    Failed,
    Emergency,
    GateTimeout,
    Lifecycle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Critical,
    High,
    Medium,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Urgency {
    Immediate,
    Soon,
    Whenever,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Approve,
    Modify,
    Reject,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    Low,
    Medium,
    High,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceOption {
    pub key: OptionKey,
    pub label: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pros: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cons: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<MicroUsd>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<Risk>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recommendation {
    pub option: OptionKey,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PastDecision {
    pub checkpoint: crate::CheckpointId,
    pub question: String,
    pub option: String,
    pub outcome: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forwarding {
    pub from: AgentId,
    pub to: Role,
    pub at: Timestamp,
}

/// The question as it was asked. Never changed afterwards; what happens to it are further events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    pub number: CheckpointNumber,
    /// Name of what opened it: `plan_ready`, `tool_call`, `task_failed` …; an open list.
    pub trigger: String,
    #[serde(rename = "kind")]
    pub checkpoint_type: CheckpointType,
    pub asks: Asks,
    pub category: Category,
    pub severity: Severity,
    pub urgency: Urgency,
    pub question: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub context: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<ChoiceOption>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<Recommendation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub similar: Vec<PastDecision>,
    pub actions: Vec<Action>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Agents that a policy lets answer; empty means humans only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deciding_agents: Vec<AgentId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forwarded: Vec<Forwarding>,
    pub deadline: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    pub by: Actor,
    pub at: Timestamp,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    pub verdict: Verdict,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<OptionKey>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The change a `modify` asks for: new arguments, a result, or the tasks to do again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Json>,
    /// For `modify` at the final review: where to take the work up again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redo: Vec<TaskKey>,
    /// For `modify` of a plan, or where a task came to a stand: how the plan is to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<Box<PlanPatch>>,
}

impl Decision {
    pub fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            option: None,
            note: String::new(),
            change: None,
            redo: Vec::new(),
            patch: None,
        }
    }

    /// Whether it is a `modify` that only says something.
    pub fn is_words(&self) -> bool {
        self.verdict == Verdict::Modify
            && self.change.is_none()
            && self.redo.is_empty()
            && self.patch.is_none()
    }

    pub(crate) fn output(&self, by: &Actor) -> Payload {
        #[derive(Serialize)]
        struct Answer<'a> {
            verdict: Verdict,
            #[serde(skip_serializing_if = "Option::is_none")]
            option: Option<&'a OptionKey>,
            note: &'a str,
            by: &'a AgentId,
            #[serde(skip_serializing_if = "Option::is_none")]
            change: Option<&'a Json>,
        }
        let answer = Answer {
            verdict: self.verdict,
            option: self.option.as_ref(),
            note: &self.note,
            by: &by.id,
            change: self.change.as_ref(),
        };
        Payload::Inline(Json::encode(&answer).unwrap_or_else(|_| Json::null()))
    }
}
