//! Checkpoints: questions put to a human. Silence, error and doubt mean no.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use crate::{
    Actor, AgentId, CheckpointNumber, EffectClass, EffectNumber, Json, LayerNumber, MicroUsd,
    Millis, OptionKey, Payload, PlanPatch, ReplanTrigger, Role, TaskKey, Timestamp, Verdict,
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

impl CheckpointType {
    pub fn name(self) -> &'static str {
        match self {
            Self::PlanApproval => "plan_approval",
            Self::ToolApproval => "tool_approval",
            Self::SubagentApproval => "subagent_approval",
            Self::CriticalDecision => "critical_decision",
            Self::FinalReview => "final_review",
        }
    }
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

/// Who may answer a question, and how many of them must agree to approve it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approvers {
    /// Nobody else may answer; everybody may who has the right to, if it is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<AgentId>,
    #[serde(default = "one")]
    pub needed: u8,
}

fn one() -> u8 {
    1
}

/// What an approval is given for, as one word: the same only for the same call with the same arguments, class and price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ApprovalHash(String);

impl ApprovalHash {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(String::from(&*blake3::hash(bytes).to_hex()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The call that a question asks about, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProposedCall {
    /// A tool, a route to a model, or `mission`; nothing where only the start of agents is asked about.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub calls: String,
    /// The agents that would start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentId>,
    /// Its arguments, with results in the place of references.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Json>,
    pub class: EffectClass,
    /// The most that it costs.
    pub price: MicroUsd,
    /// What an approval is bound to.
    pub hash: ApprovalHash,
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
    /// What is to be called, where that is the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Box<ProposedCall>>,
    /// How the same was decided earlier in this mission, the latest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub similar: Vec<PastDecision>,
    pub actions: Vec<Action>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approvers: Option<Box<Approvers>>,
    /// Agents that a policy lets answer; empty means humans only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deciding_agents: Vec<AgentId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forwarded: Vec<Forwarding>,
    pub deadline: Timestamp,
}

impl Checkpoint {
    /// How many people must approve it.
    pub fn approvals_needed(&self) -> usize {
        let needed = self.approvers.as_ref().map_or(1, |who| who.needed);
        usize::from(needed.max(1))
    }

    /// What can be answered, as options: its own, or else what each answer means here.
    pub fn choices(&self) -> Vec<ChoiceOption> {
        if !self.options.is_empty() {
            return self.options.clone();
        }
        let choices = self.actions.iter().filter_map(|action| {
            let (key, label) = match (action, &self.asks) {
                (Action::Approve, Asks::ApprovePlan) => ("approve", "Run it as planned"),
                (Action::Approve, Asks::ApproveTool { .. }) => ("approve", "Let it"),
                (Action::Approve, Asks::ReviewResult) => ("approve", "Deliver it"),
                (Action::Approve, _) => ("approve", "Yes"),
                (Action::Modify, Asks::ApprovePlan | Asks::ChangePlan { .. }) => {
                    ("modify", "Change the plan first: say how")
                }
                (Action::Modify, Asks::ReviewResult) => ("modify", "Have it reworked: say how"),
                (Action::Modify, _) => ("modify", "Yes, with changes"),
                (Action::Reject, Asks::ApprovePlan) => ("reject", "Do not run it"),
                (Action::Reject, Asks::ReviewResult) => ("reject", "Do not deliver it"),
                (Action::Reject, _) => ("reject", "No"),
            };
            Some(ChoiceOption {
                key: OptionKey::new(key).ok()?,
                label: label.into(),
                description: String::new(),
                pros: Vec::new(),
                cons: Vec::new(),
                cost: None,
                time: None,
                risk: None,
            })
        });
        choices.collect()
    }
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
