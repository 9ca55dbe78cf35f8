//! Effects: what the outside world must do for a mission, and the outcomes it reports back.
//!
//! **Invariant:** A question to a model is announced before it is sent, and is never in doubt. If its answer is lost,
//! its whole reservation counts as spent (`effect_lost/1`) and it is asked anew under a new id; a recorded answer is
//! not asked for again.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use crate::{
    EffectId, Gate, Json, MicroUsd, Move, Ppm, Signs, TaskKey, Timestamp, ToolCall, ToolId,
};

/// What performing an effect twice would mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectClass {
    /// Changes nothing outside.
    Pure,
    /// Changes something; doing it again with the same id changes nothing more.
    Idempotent,
    /// Must not happen twice.
    Once,
    /// Changes nothing outside and costs each time. It is announced before it is sent; if its result is lost, all that
    /// was reserved for it counts as spent, and it is begun anew.
    Paid,
}

impl EffectClass {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::Idempotent => "idempotent",
            Self::Once => "once",
            Self::Paid => "paid",
        }
    }

    /// Whether it is announced before it is sent.
    pub fn is_announced(self) -> bool {
        match self {
            Self::Once | Self::Paid => true,
            Self::Pure | Self::Idempotent => false,
        }
    }
}

/// Something the machine asks the host to perform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    pub id: EffectId,
    pub task: TaskKey,
    pub attempt: u16,
    pub class: EffectClass,
    /// Not before this instant: the outcome before was `Deferred`.
    pub not_before: Option<Timestamp>,
    pub work: Work,
    /// The step of a reasoning that it is, if it is one.
    pub thought: Option<alloc::boxed::Box<Thought>>,
    /// What people, and gates that sent the work back, want it to heed.
    pub guidance: Vec<String>,
}

/// A step of a reasoning, with all that it goes on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought {
    /// Its place among the task's steps, from 0.
    pub number: u16,
    pub step: Move,
    /// What earlier steps gave: those it uses, the one it works on a part of, and all that was observed.
    pub earlier: Vec<Earlier>,
    /// What it may choose to call.
    pub tools: Vec<ToolId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    pub number: u16,
    pub step: Move,
    pub output: Payload,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    CallTool(ToolCall),
    AskModel(alloc::boxed::Box<crate::AgentWork>),
    EvaluateGate(Gate),
    /// Start a mission and wait for its end; or end it, if its parent is being stopped.
    RunMission {
        sub: alloc::boxed::Box<crate::SubMission>,
        ends: bool,
    },
}

/// How an effect ended. Every effect gets exactly one final outcome; `Deferred` only moves its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Done {
        output: Payload,
        usage: Usage,
        #[serde(default, skip_serializing_if = "Remarks::is_none")]
        remarks: Remarks,
    },
    Judged {
        verdict: GateVerdict,
        reason: String,
        usage: Usage,
    },
    Failed {
        failure: Failure,
        usage: Usage,
    },
    /// A rule or permission refused it; nothing was done.
    Denied {
        reason: String,
    },
    /// It cannot go on without a person; nothing was done.
    NeedsHuman {
        reason: String,
    },
    Deferred {
        until: Timestamp,
    },
}

impl Outcome {
    /// Done, with nothing to remark.
    pub fn done(output: Payload, usage: Usage) -> Self {
        Self::Done {
            output,
            usage,
            remarks: Remarks::default(),
        }
    }
}

/// What a result says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remarks {
    /// How sure it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Ppm>,
    /// What was not to be expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surprise: Option<String>,
    /// What it says, in short: for a person who is asked about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gist: Option<String>,
    /// What of a step of reasoning the next depends on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signs: Option<alloc::boxed::Box<Signs>>,
}

impl Remarks {
    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// What an effect produced, or where it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    Inline(Json),
    /// Too large for the journal: the blob's digest and length.
    Blob {
        digest: String,
        bytes: u64,
        /// What questions to people show of it, by the path to it.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        shown: BTreeMap<String, Json>,
    },
}

/// What an effect consumed, or holds in reserve.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    #[serde(default, skip_serializing_if = "is_zero_money")]
    pub money: MicroUsd,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tokens: u64,
}

impl Usage {
    pub const NONE: Self = Self {
        money: MicroUsd::ZERO,
        tokens: 0,
    };

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            money: MicroUsd(self.money.0.saturating_add(other.money.0)),
            tokens: self.tokens.saturating_add(other.tokens),
        }
    }

    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self {
            money: MicroUsd(self.money.0.saturating_sub(other.money.0)),
            tokens: self.tokens.saturating_sub(other.tokens),
        }
    }

    /// What was said to be used, but no more than was reserved for it: law 4.
    #[must_use]
    pub fn at_most(self, reserved: Self) -> Self {
        Self {
            money: self.money.min(reserved.money),
            tokens: self.tokens.min(reserved.tokens),
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        *self == Self::NONE
    }
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

fn is_zero_money(value: &MicroUsd) -> bool {
    value.0 == 0
}

/// Why a try did not succeed. Data, not an error: it is recorded and shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The other side had trouble; the same call may work later.
    Temporary,
    /// The same call will fail again.
    Permanent,
    /// The arguments are wrong or point at something that is not there.
    BadInput,
    /// The result does not fit the tool's schema.
    BadOutput,
    /// It took longer than its limit.
    TimedOut,
    /// It was sent, and whether it took effect cannot be told.
    OutcomeUnknown,
    /// A cap would have been passed.
    CapReached,
    /// A rule or permission refused it.
    Denied,
    /// It asked for a person.
    NeedsHuman,
    /// A gate's verdict was `fatal` or `infeasible`, or its returns are used up.
    Verdict,
}

impl FailureKind {
    /// Whether a `once` effect that ended like this may have had its effect all the same.
    pub(crate) fn leaves_in_doubt(self) -> bool {
        matches!(
            self,
            Self::OutcomeUnknown | Self::TimedOut | Self::BadOutput
        )
    }

    /// Whether doing the very same again can help.
    pub fn is_retryable(self) -> bool {
        match self {
            Self::Temporary | Self::TimedOut | Self::BadOutput => true,
            Self::OutcomeUnknown
            | Self::Permanent
            | Self::BadInput
            | Self::CapReached
            | Self::Denied
            | Self::NeedsHuman
            | Self::Verdict => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateVerdict {
    Valid,
    /// Wrong in a way that doing earlier work again can mend.
    Repairable,
    /// Wrong for good.
    Fatal,
    /// Cannot be met as things are; a person must choose.
    Infeasible,
}
