//! What every part of a running host shares. Knows nothing of the handle that callers hold.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use adjutant_effects::{Performer, RuleBook};
use adjutant_journal::Vault;
use adjutant_knowledge_base::Shelf;
use adjutant_mission::{Autonomy, CheckpointType, Timestamp};
use adjutant_supervision::Supervisor;
use tokio::sync::Notify;

use crate::audit::Audit;
use crate::config::{Config, Performs, Quotas};
use crate::feed::Feed;
use crate::notifier::Notifier;
use crate::permits::Tallies;
use crate::registry::{Opening, Registry};
use crate::signer::Signer;
use crate::starts::StartLimits;
use crate::stops::Stops;
use crate::triggers::Triggers;
use crate::{Clock, Replanner};

/// What every runner of a host shares.
#[derive(Debug)]
pub(crate) struct Shared<S> {
    pub(crate) store: S,
    pub(crate) vault: Vault,
    pub(crate) signer: Option<Signer>,
    pub(crate) notifier: Option<Notifier>,
    pub(crate) quotas: Quotas,
    pub(crate) four_eyes: Vec<CheckpointType>,
    pub(crate) autonomy: Option<Autonomy>,
    pub(crate) rules: RuleBook,
    pub(crate) supervisors: Vec<Supervisor>,
    pub(crate) replanner: Option<Arc<dyn Replanner>>,
    pub(crate) starts: StartLimits,
    /// Held while a start is counted.
    pub(crate) starting: tokio::sync::Mutex<()>,
    /// Held while an offer is made or answered.
    pub(crate) offering: tokio::sync::Mutex<()>,
    pub(crate) performer: Performer,
    pub(crate) clock: Clock,
    pub(crate) registry: Registry,
    pub(crate) opening: Opening,
    pub(crate) stops: Stops,
    pub(crate) tallies: Tallies,
    pub(crate) audit: Audit,
    pub(crate) feed: Feed,
    pub(crate) triggers: Triggers,
    /// Held while the knowledge base is changed.
    pub(crate) knowledge: tokio::sync::Mutex<()>,
    pub(crate) shelf: Arc<Shelf>,
    /// When the waker means to look next, in milliseconds; and how to make it look earlier.
    pub(crate) next_look: AtomicI64,
    pub(crate) look_earlier: Notify,
    /// Whether the waker looks after the whole store. Until it does, each mission gets its own timer.
    pub(crate) carries_on: AtomicBool,
    pub(crate) performs: Performs,
    pub(crate) draining: AtomicBool,
    pub(crate) left: Notify,
}

impl<S> Shared<S> {
    pub(crate) fn new(store: S, vault: Vault, performer: Performer, config: Config) -> Self {
        Self {
            store,
            vault,
            signer: config
                .signing
                .map(|signing| Signer::new(signing.key, signing.every)),
            notifier: Notifier::new(config.channels),
            quotas: config.quotas,
            four_eyes: config.four_eyes,
            autonomy: config.autonomy,
            rules: config.rules,
            supervisors: config.supervisors,
            replanner: config.replanner,
            starts: config.starts,
            starting: tokio::sync::Mutex::new(()),
            offering: tokio::sync::Mutex::new(()),
            performer,
            clock: config.clock,
            registry: Registry::default(),
            opening: Opening::default(),
            stops: Stops::default(),
            tallies: Tallies::default(),
            audit: Audit::default(),
            feed: Feed::new(),
            triggers: Triggers::default(),
            knowledge: tokio::sync::Mutex::new(()),
            shelf: config.shelf,
            next_look: AtomicI64::new(i64::MAX),
            look_earlier: Notify::new(),
            carries_on: AtomicBool::new(false),
            performs: config.performs,
            draining: AtomicBool::new(false),
            left: Notify::new(),
        }
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    /// Whether effects may be started now.
    pub(crate) fn may_perform(&self) -> bool {
        self.performs == Performs::Effects && !self.is_draining()
    }

    /// A mission has come to rest until `at`. The waker need only hear of it if that is news.
    pub(crate) fn rested_until(&self, at: Option<Timestamp>) {
        if at.is_some_and(|at| at.0 < self.next_look.load(Ordering::Acquire)) {
            self.look_earlier.notify_one();
        }
    }
}
