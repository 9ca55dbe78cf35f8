//! How a host is set up. Reads no files: the program fills it in.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use adjutant_effects::RuleBook;
use adjutant_journal::SigningKey;
use adjutant_knowledge_base::Shelf;
use adjutant_mission::{Autonomy, CheckpointType, TenantId};
use adjutant_notify::Channel;
use adjutant_supervision::Supervisor;

use crate::{Clock, Replanner, StartLimits};

#[derive(Debug, Clone)]
pub struct Config {
    pub clock: Clock,
    /// How long a clean stop waits for what is being performed.
    pub drain: Duration,
    pub performs: Performs,
    /// What signs journals, and how often; nothing signs without one.
    pub signing: Option<Signing>,
    /// Bytes a tenant's missions may take before no more are opened; those that run go on.
    pub quotas: Quotas,
    /// Questions that whoever opens a mission does not settle in it, besides those that its plan names.
    pub four_eyes: Vec<CheckpointType>,
    /// Whatever is opened asks at least what this asks.
    pub autonomy: Option<Autonomy>,
    /// The rules of tenants.
    pub rules: RuleBook,
    /// Those that watch every mission, besides the ones that its plan names.
    pub supervisors: Vec<Supervisor>,
    /// Finds tasks for what supervisors require; without one they ask a person instead.
    pub replanner: Option<Arc<dyn Replanner>>,
    /// How many missions the triggers of somebody with an access token may start, together with what they start themselves.
    pub starts: StartLimits,
    /// Who is told of open checkpoints and endings while the host carries on.
    pub channels: Vec<Channel>,
    /// What was read of the knowledge base's indexes.
    pub shelf: Arc<Shelf>,
}

#[derive(Debug, Clone)]
pub struct Signing {
    pub key: Arc<SigningKey>,
    pub every: Duration,
}

/// How many bytes of events and blobs tenants may have.
#[derive(Debug, Clone, Default)]
pub struct Quotas {
    pub general: Option<u64>,
    /// For tenants that have a quota of their own.
    pub of: BTreeMap<TenantId, u64>,
}

impl Quotas {
    pub fn of(&self, tenant: &TenantId) -> Option<u64> {
        self.of.get(tenant).copied().or(self.general)
    }
}

/// Whether a host does what missions owe, or only records what is said to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Performs {
    Effects,
    /// For a command that must not start anything it would have to wait for, or leave in doubt.
    Nothing,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            clock: Clock::system(),
            drain: Duration::from_secs(10),
            performs: Performs::Effects,
            signing: None,
            quotas: Quotas::default(),
            four_eyes: Vec::new(),
            autonomy: None,
            rules: RuleBook::default(),
            supervisors: Vec::new(),
            replanner: None,
            starts: StartLimits::default(),
            channels: Vec::new(),
            shelf: Arc::default(),
        }
    }
}
