//! What has become of one task.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use super::undo::UndoState;
use crate::{
    AgentId, AgentLevel, ApprovalHash, Assessment, CheckpointNumber, DependencyKind, EffectNumber,
    Failure, Payload, StepTaken, Task, Timestamp, ToolCall, ToolId, Usage, WorkSpec,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Something it depends on has not happened yet.
    Waiting,
    Ready,
    /// Ready, but not before its time: a lag or the pause before a retry.
    Delayed,
    /// Its tool call needs a human's leave.
    AwaitingApproval,
    Running,
    /// It is a question, and the question is open.
    AwaitingHuman,
    /// Done, but another task must start or finish before it may finish.
    Held,
    /// It cannot go on by itself; a human was asked.
    Blocked,
    Completed,
    Failed,
    Skipped,
    /// The mission stopped while it ran: it was dropped, or its last try came to nothing.
    Stopped,
}

impl TaskStatus {
    pub fn is_ended(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed | Self::Skipped | Self::Stopped
        )
    }

    /// Nothing but a person's answer moves it.
    pub(crate) fn waits_for_person(self) -> bool {
        matches!(
            self,
            Self::AwaitingApproval | Self::AwaitingHuman | Self::Blocked
        )
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Ready => "ready",
            Self::Delayed => "delayed",
            Self::AwaitingApproval => "awaiting_approval",
            Self::Running => "running",
            Self::AwaitingHuman => "awaiting_human",
            Self::Held => "held",
            Self::Blocked => "blocked",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::Stopped => "stopped",
        }
    }
}

/// Which of a task's two ways is being tried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallPath {
    #[default]
    First,
    Alternative,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskState {
    pub status: TaskStatus,
    /// Tries so far, over both ways and every return.
    pub attempt: u16,
    /// Tries so far in the present way.
    pub tries: u16,
    pub way: CallPath,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<EffectNumber>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointNumber>,
    /// What a person has allowed it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approved: Vec<ApprovalHash>,
    /// The call as a human changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_call: Option<ToolCall>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Payload>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    pub used: Usage,
    pub turns: u64,
    /// A person agreed that it may go past its soft caps.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub soft_cap_passed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<UndoState>,
    /// The mission that this one was forked from did it, or may have: it is not ours to undo.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub(crate) inherited: bool,
    /// The steps of its reasoning so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepTaken>,
    /// How sure its last conclusion is, all things considered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assessed: Option<Assessment>,
    /// The step whose call a human allowed, and the call as it was allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) call_allowed: Option<(u16, ToolCall)>,
    /// The agent that took it over, if its own could not go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_over: Option<TakenOver>,
    /// What those who sent it back want it to heed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guidance: Vec<String>,
    /// How often this gate has sent work back.
    pub returns: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// Its first start since it was last put back: what others that wait for its start go by. Unlike
    /// `started_at`, being tried again at a human's word does not reset it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) begun_at: Option<Timestamp>,
    pub(crate) start_unmet: u32,
    pub(crate) finish_unmet: u32,
    pub(crate) start_not_before: Timestamp,
    pub(crate) finish_not_before: Timestamp,
    /// Something it depends on will never happen.
    pub(crate) doomed: bool,
}

/// Who does a task in the place of its own agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenOver {
    pub by: AgentId,
    pub level: AgentLevel,
}

impl TaskState {
    /// Whether the mission that this one was forked from did it, or may have.
    pub fn is_inherited(&self) -> bool {
        self.inherited
    }

    pub(crate) fn new(spec: &Task) -> Self {
        let (mut start_unmet, mut finish_unmet) = (0, 0);
        for dependency in &spec.after {
            match dependency.kind {
                DependencyKind::FinishToStart | DependencyKind::StartToStart => start_unmet += 1,
                DependencyKind::FinishToFinish | DependencyKind::StartToFinish => finish_unmet += 1,
            }
        }
        let status = if start_unmet == 0 {
            TaskStatus::Ready
        } else {
            TaskStatus::Waiting
        };
        Self {
            status,
            attempt: 0,
            tries: 0,
            way: CallPath::First,
            effect: None,
            checkpoint: None,
            approved: Vec::new(),
            changed_call: None,
            output: None,
            failure: None,
            used: Usage::NONE,
            turns: 0,
            soft_cap_passed: false,
            undo: None,
            steps: Vec::new(),
            assessed: None,
            call_allowed: None,
            taken_over: None,
            guidance: Vec::new(),
            returns: 0,
            started_at: None,
            ended_at: None,
            begun_at: None,
            inherited: false,
            start_unmet,
            finish_unmet,
            start_not_before: Timestamp(i64::MIN),
            finish_not_before: Timestamp(i64::MIN),
            doomed: false,
        }
    }

    /// What the present way calls: a tool, or a model by the question's route. Nothing if it calls neither.
    pub(crate) fn callee(&self, spec: &Task) -> Option<ToolId> {
        match &spec.work {
            WorkSpec::Tool(first) => Some(self.call(spec, first).tool.clone()),
            WorkSpec::Agent(agent) => match self.instead_of_asking(spec) {
                Some(call) => Some(call.tool.clone()),
                None => match self.next_call(spec) {
                    Some(call) => Some(call.tool),
                    None => Some(self.asked(agent).route()),
                },
            },
            WorkSpec::Human(_) | WorkSpec::Gate(_) | WorkSpec::Mission(_) => None,
        }
    }

    /// The tool call of the present way, if it is one.
    pub(crate) fn tool_call<'a>(&'a self, spec: &'a Task) -> Option<&'a ToolCall> {
        match &spec.work {
            WorkSpec::Tool(first) => Some(self.call(spec, first)),
            WorkSpec::Agent(_) => self.instead_of_asking(spec),
            WorkSpec::Human(_) | WorkSpec::Gate(_) | WorkSpec::Mission(_) => None,
        }
    }

    /// The call that an agent's task makes now in place of its question.
    pub(crate) fn instead_of_asking<'a>(&'a self, spec: &'a Task) -> Option<&'a ToolCall> {
        let WorkSpec::Agent(agent) = &spec.work else {
            return None;
        };
        match (&self.changed_call, self.way) {
            (Some(changed), _) => {
                Some(changed).filter(|call| call.tool != self.asked(agent).route())
            }
            (None, CallPath::First) => None,
            (None, CallPath::Alternative) => spec.alternative.as_ref(),
        }
    }

    /// The tool call of the present way, as changed by a human if one did.
    pub(crate) fn call<'a>(&'a self, spec: &'a Task, first: &'a ToolCall) -> &'a ToolCall {
        let planned = match self.way {
            CallPath::First => first,
            CallPath::Alternative => spec.alternative.as_ref().unwrap_or(first),
        };
        self.changed_call.as_ref().unwrap_or(planned)
    }
}
