//! What was committed, for whoever watches. Law 1: nothing comes out here before it is durable.

use std::sync::Arc;

use adjutant_mission::{MissionId, Recorded, TenantId};
use tokio::sync::broadcast;

/// How far a watcher may fall behind before it must read the journal instead.
const FEED_LENGTH_MAX: usize = 4_096;

/// Events of one append, in order.
#[derive(Debug, Clone)]
pub struct Committed {
    pub tenant: TenantId,
    pub mission: MissionId,
    pub events: Arc<[Recorded]>,
}

#[derive(Debug, Clone)]
pub(crate) struct Feed(broadcast::Sender<Committed>);

impl Feed {
    pub(crate) fn new() -> Self {
        Self(broadcast::channel(FEED_LENGTH_MAX).0)
    }

    pub(crate) fn watchers(&self) -> usize {
        self.0.receiver_count()
    }

    pub(crate) fn publish(&self, committed: Committed) {
        // No watcher is no error.
        let _ = self.0.send(committed);
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Committed> {
        self.0.subscribe()
    }
}
