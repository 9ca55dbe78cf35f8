//! The one interface every tool has.

use std::future::Future;
use std::pin::Pin;

use adjutant_mission::{EffectId, FailureKind, Lease, TenantId, Timestamp};
use serde_json::Value;

use crate::{Finding, Manifest};

pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Why a call was not sent.
pub(crate) const LEASE_LOST: &str = "another host may have taken over, so nothing was sent; it is tried again if this host still has the store";

/// One call of a tool.
#[derive(Debug, Clone)]
pub struct Call {
    /// Whose mission calls.
    pub tenant: TenantId,
    /// The same over crashes and repeated sending: whoever is called can tell a repetition by it.
    pub effect: EffectId,
    /// Resolved, and valid by the manifest's input schema.
    pub arguments: Value,
    /// Whether it may still be sent. A tool that waits before it sends asks again.
    pub lease: Lease,
}

impl Call {
    /// Refuses once this host's lease has run out. Nothing of the call may have been sent before.
    pub fn check_lease(&self) -> Result<(), ToolFailure> {
        match self.lease.holds() {
            true => Ok(()),
            false => Err(ToolFailure::temporary(LEASE_LOST)),
        }
    }
}

/// Whether the `{{…}}` references in arguments still stand for something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum References {
    /// A plan is checked: what a reference stands for is not known.
    Open,
    /// A call is about to be sent: braces are text.
    Resolved,
}

pub trait Tool: Send + Sync {
    fn manifest(&self) -> &Manifest;

    /// What is wrong with arguments beyond what the schema can say. Looks at nothing but them, and costs nothing: it is asked
    /// when a plan is checked, and again before a call is sent.
    fn check(&self, _arguments: &Value, _references: References) -> Vec<Finding> {
        Vec::new()
    }

    /// The fields of a result in which it writes fixed words of its own, whatever its arguments hold.
    fn own_words(&self) -> &'static [&'static str] {
        &[]
    }

    /// Dropping the future ends whatever it began, as far as that can be ended.
    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>>;
}

/// Why a call gave no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolFailure {
    #[error("{message}")]
    Failed { kind: FailureKind, message: String },
    #[error("deferred until {} ms since the epoch", until.0)]
    Deferred { until: Timestamp },
}

impl ToolFailure {
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self::Failed {
            kind,
            message: message.into(),
        }
    }

    pub fn temporary(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Temporary, message)
    }

    pub fn permanent(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Permanent, message)
    }

    pub fn bad_input(message: impl Into<String>) -> Self {
        Self::new(FailureKind::BadInput, message)
    }

    pub fn timed_out(message: impl Into<String>) -> Self {
        Self::new(FailureKind::TimedOut, message)
    }

    /// A setting forbids it; nothing was done.
    pub fn denied(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Denied, message)
    }

    /// It may or may not have happened. Never of a kind that is tried again by itself.
    pub fn in_doubt(message: impl std::fmt::Display) -> Self {
        Self::new(
            FailureKind::OutcomeUnknown,
            format!(
                "{message}; it is unknown whether it took effect, so it is not repeated: check before you retry"
            ),
        )
    }

    pub fn kind(&self) -> Option<FailureKind> {
        match self {
            Self::Failed { kind, .. } => Some(*kind),
            Self::Deferred { .. } => None,
        }
    }
}
