//! The store in memory, for tests and the simulator. It forgets everything when it is dropped.
//!
//! Every operation also exists without async (`append_now`, `events_now` …), for callers that have no
//! runtime. Nothing here is fast for many missions; that is not its job.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_mission::{InboxEntry, MissionId, Phase, Summary, TenantId, Timestamp};
use tokio::sync::broadcast;

use crate::{
    AppendError, Batch, BlobDigest, ChainHead, Committed, Due, InboxChange, ListQuery, PhaseCounts,
    SUBSCRIPTION_BACKLOG_MAX, Snapshot, Store, StoreError, StoredEvent, TenantStore,
    missions_with_prefix,
};

#[derive(Debug, Clone)]
pub struct MemoryStore {
    missions: Arc<Mutex<Missions>>,
    committed: broadcast::Sender<Committed>,
}

type Missions = BTreeMap<TenantId, BTreeMap<MissionId, Mission>>;

#[derive(Debug)]
struct Mission {
    events: Vec<StoredEvent>,
    summary: Summary,
    inbox: BTreeMap<u32, InboxEntry>,
    blobs: BTreeMap<BlobDigest, Vec<u8>>,
    snapshot: Option<Snapshot>,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryStore {
    pub fn new() -> Self {
        Self {
            missions: Arc::default(),
            committed: broadcast::Sender::new(SUBSCRIPTION_BACKLOG_MAX),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Missions> {
        self.missions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T>(&self, tenant: &TenantId, of: impl FnOnce(&BTreeMap<MissionId, Mission>) -> T) -> T {
        match self.lock().get(tenant) {
            Some(missions) => of(missions),
            None => of(&BTreeMap::new()),
        }
    }

    pub fn append_now(&self, tenant: &TenantId, batch: Batch) -> Result<(), AppendError> {
        batch.check()?;
        let mut tenants = self.lock();
        let missions = tenants.entry(tenant.clone()).or_default();
        let found = missions
            .get(&batch.mission)
            .and_then(Mission::head)
            .unwrap_or_else(|| ChainHead::genesis(tenant, batch.mission));
        if found != batch.expected {
            return Err(AppendError::Conflict {
                expected: batch.expected,
                found,
            });
        }
        let id = batch.mission;
        let mission = missions.entry(id).or_insert_with(|| Mission {
            events: Vec::new(),
            summary: batch.summary.clone(),
            inbox: BTreeMap::new(),
            blobs: BTreeMap::new(),
            snapshot: None,
        });
        mission.write(batch);
        let seq = mission.events.last().map_or(0, |event| event.seq);
        drop(tenants);
        if self.committed.receiver_count() > 0 {
            // An error only means that the last receiver has just gone.
            let _ = self.committed.send(Committed {
                tenant: tenant.clone(),
                mission: id,
                seq,
            });
        }
        Ok(())
    }

    pub fn events_now(
        &self,
        tenant: &TenantId,
        mission: MissionId,
        from_seq: u64,
        limit: u32,
    ) -> Vec<StoredEvent> {
        self.read(tenant, |missions| {
            let events = missions.get(&mission).map_or(&[][..], |m| &m.events[..]);
            let start = events.partition_point(|event| event.seq < from_seq);
            events[start..]
                .iter()
                .take(limit as usize)
                .cloned()
                .collect()
        })
    }

    pub fn head_now(&self, tenant: &TenantId, mission: MissionId) -> Option<ChainHead> {
        self.read(tenant, |missions| {
            missions.get(&mission).and_then(Mission::head)
        })
    }

    pub fn snapshot_now(&self, tenant: &TenantId, mission: MissionId) -> Option<Snapshot> {
        self.read(tenant, |missions| missions.get(&mission)?.snapshot.clone())
    }

    pub fn blob_now(
        &self,
        tenant: &TenantId,
        mission: MissionId,
        digest: BlobDigest,
    ) -> Option<Vec<u8>> {
        self.read(tenant, |missions| {
            missions.get(&mission)?.blobs.get(&digest).cloned()
        })
    }

    pub fn list_now(&self, tenant: &TenantId, query: &ListQuery) -> Vec<Summary> {
        self.read(tenant, |missions| {
            missions
                .values()
                .rev()
                .map(|mission| &mission.summary)
                .filter(|summary| query.before.is_none_or(|id| summary.mission < id))
                .filter(|summary| {
                    query
                        .phases
                        .as_ref()
                        .is_none_or(|phases| phases.contains(&summary.phase))
                })
                .take(query.limit as usize)
                .cloned()
                .collect()
        })
    }

    pub fn summary_now(&self, tenant: &TenantId, mission: MissionId) -> Option<Summary> {
        self.read(tenant, |missions| {
            missions.get(&mission).map(|m| m.summary.clone())
        })
    }

    pub fn counts_now(&self, tenant: &TenantId) -> PhaseCounts {
        self.read(tenant, |missions| {
            Phase::ALL
                .iter()
                .map(|&phase| {
                    let in_phase = missions.values().filter(|m| m.summary.phase == phase);
                    (phase, in_phase.count() as u64)
                })
                .filter(|&(_, count)| count > 0)
                .collect()
        })
    }

    pub fn inbox_now(&self, tenant: &TenantId, limit: u32) -> Vec<InboxEntry> {
        self.read(tenant, |missions| {
            let mut entries: Vec<&InboxEntry> =
                missions.values().flat_map(|m| m.inbox.values()).collect();
            entries.sort_by_key(|entry| (entry.severity, entry.deadline, entry.checkpoint));
            entries.into_iter().take(limit as usize).cloned().collect()
        })
    }

    pub fn find_now(&self, tenant: &TenantId, prefix: &str, limit: u32) -> Vec<MissionId> {
        let Some(range) = missions_with_prefix(prefix) else {
            return Vec::new();
        };
        self.read(tenant, |missions| {
            let found = missions.range(range).rev().map(|(&id, _)| id);
            found.take(limit as usize).collect()
        })
    }

    pub fn due_now(&self, now: Timestamp, limit: u32) -> Vec<Due> {
        let mut due = self.waking();
        due.retain(|due| due.wake_at <= now);
        due.truncate(limit as usize);
        due
    }

    pub fn next_wake_now(&self, now: Timestamp) -> Option<Timestamp> {
        let mut waking = self.waking().into_iter().map(|due| due.wake_at);
        waking.find(|&wake_at| wake_at > now)
    }

    /// Every mission that has a time to wake, earliest first.
    fn waking(&self) -> Vec<Due> {
        let mut waking = Vec::new();
        for (tenant, missions) in self.lock().iter() {
            for mission in missions.values().filter(|m| !m.summary.phase.is_ended()) {
                waking.extend(mission.summary.wake_at.map(|wake_at| Due {
                    tenant: tenant.clone(),
                    mission: mission.summary.mission,
                    wake_at,
                }));
            }
        }
        waking.sort_by_key(|due| due.wake_at);
        waking
    }
}

impl Mission {
    fn head(&self) -> Option<ChainHead> {
        self.events.last().map(StoredEvent::head)
    }

    fn write(&mut self, batch: Batch) {
        self.events.extend(batch.events);
        self.summary = batch.summary;
        for change in batch.inbox {
            match change {
                InboxChange::Put(entry) => {
                    self.inbox.insert(entry.checkpoint.number, *entry);
                }
                InboxChange::Remove(number) => {
                    self.inbox.remove(&number);
                }
            }
        }
        for blob in batch.blobs {
            self.blobs.entry(blob.digest).or_insert(blob.bytes);
        }
        if batch.snapshot.is_some() {
            self.snapshot = batch.snapshot;
        }
    }
}

/// One tenant's part of a [`MemoryStore`].
#[derive(Debug, Clone)]
pub struct MemoryTenant {
    store: MemoryStore,
    tenant: TenantId,
}

impl Store for MemoryStore {
    type Tenant = MemoryTenant;

    fn tenant(&self, tenant: &TenantId) -> MemoryTenant {
        MemoryTenant {
            store: self.clone(),
            tenant: tenant.clone(),
        }
    }

    async fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<Due>, StoreError> {
        Ok(self.due_now(now, limit))
    }

    async fn next_wake(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.next_wake_now(now))
    }

    fn subscribe(&self) -> broadcast::Receiver<Committed> {
        self.committed.subscribe()
    }
}

impl TenantStore for MemoryTenant {
    async fn append(&self, batch: Batch) -> Result<(), AppendError> {
        self.store.append_now(&self.tenant, batch)
    }

    async fn events(
        &self,
        mission: MissionId,
        from_seq: u64,
        limit: u32,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        Ok(self
            .store
            .events_now(&self.tenant, mission, from_seq, limit))
    }

    async fn head(&self, mission: MissionId) -> Result<Option<ChainHead>, StoreError> {
        Ok(self.store.head_now(&self.tenant, mission))
    }

    async fn snapshot(&self, mission: MissionId) -> Result<Option<Snapshot>, StoreError> {
        Ok(self.store.snapshot_now(&self.tenant, mission))
    }

    async fn blob(
        &self,
        mission: MissionId,
        digest: BlobDigest,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.store.blob_now(&self.tenant, mission, digest))
    }

    async fn list(&self, query: ListQuery) -> Result<Vec<Summary>, StoreError> {
        Ok(self.store.list_now(&self.tenant, &query))
    }

    async fn summary(&self, mission: MissionId) -> Result<Option<Summary>, StoreError> {
        Ok(self.store.summary_now(&self.tenant, mission))
    }

    async fn counts(&self) -> Result<PhaseCounts, StoreError> {
        Ok(self.store.counts_now(&self.tenant))
    }

    async fn inbox(&self, limit: u32) -> Result<Vec<InboxEntry>, StoreError> {
        Ok(self.store.inbox_now(&self.tenant, limit))
    }

    async fn find(&self, prefix: &str, limit: u32) -> Result<Vec<MissionId>, StoreError> {
        Ok(self.store.find_now(&self.tenant, prefix, limit))
    }
}
