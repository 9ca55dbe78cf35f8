//! The store in memory, for tests and the simulator. It forgets everything when it is dropped.
//!
//! Every operation also exists without async (`append_now`, `events_now` …), for callers that have no
//! runtime. Nothing here is fast for many missions; that is not its job.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_mission::{
    Account, AccountCaps, AccountKey, AccountOwner, Balance, CheckpointNumber, MissionId, Phase,
    TenantId, Timestamp, Window, take_charges,
};
use tokio::sync::broadcast;

use crate::{
    AppendError, Asked, AttestationRow, Batch, Blob, BlobDigest, CapsRow, ChainHead, Committed,
    Due, InboxChange, InboxRow, ListOrder, ListQuery, MissionRow, PhaseCounts, Placed,
    RecordChanges, RecordKind, RecordRow, Retention, SUBSCRIPTION_BACKLOG_MAX, Sealed, Snapshot,
    Store, StoreError, StoredEvent, SubjectTag, TenantStore, WholeMission, WrappedKey,
    missions_with_prefix,
};

#[derive(Debug, Clone)]
pub struct MemoryStore {
    tenants: Arc<Mutex<BTreeMap<TenantId, Tenant>>>,
    committed: broadcast::Sender<Committed>,
}

#[derive(Debug, Default)]
struct Tenant {
    key: Option<WrappedKey>,
    attestations: Vec<AttestationRow>,
    missions: BTreeMap<MissionId, Mission>,
    accounts: BTreeMap<AccountKey, Balance>,
    caps: BTreeMap<(AccountOwner, Window), AccountCaps>,
    records: BTreeMap<(RecordKind, String), Sealed>,
    /// What became durable when; what is pruned leaves a gap.
    order: Vec<Placed>,
}

#[derive(Debug)]
struct Mission {
    row: MissionRow,
    events: Vec<StoredEvent>,
    inbox: BTreeMap<CheckpointNumber, InboxRow>,
    blobs: BTreeMap<BlobDigest, Blob>,
    snapshot: Option<Snapshot>,
    subjects: BTreeSet<SubjectTag>,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryStore {
    pub fn new() -> Self {
        Self {
            tenants: Arc::default(),
            committed: broadcast::Sender::new(SUBSCRIPTION_BACKLOG_MAX),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<TenantId, Tenant>> {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T>(&self, tenant: &TenantId, of: impl FnOnce(&Tenant) -> T) -> T {
        match self.lock().get(tenant) {
            Some(tenant) => of(tenant),
            None => of(&Tenant::default()),
        }
    }

    fn write<T>(&self, tenant: &TenantId, of: impl FnOnce(&mut Tenant) -> T) -> T {
        of(self.lock().entry(tenant.clone()).or_default())
    }

    pub fn append_now(&self, tenant: &TenantId, batch: Batch) -> Result<(), AppendError> {
        batch.check()?;
        let id = batch.mission;
        let seq = self.write(tenant, |kept| kept.append(tenant, batch))?;
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
        self.read(tenant, |tenant| {
            let events = tenant
                .missions
                .get(&mission)
                .map_or(&[][..], |m| &m.events[..]);
            let start = events.partition_point(|event| event.seq < from_seq);
            events[start..]
                .iter()
                .take(limit as usize)
                .cloned()
                .collect()
        })
    }

    pub fn order_now(&self, tenant: &TenantId, after: u64, limit: u32) -> Vec<Placed> {
        self.read(tenant, |tenant| {
            let start = tenant.order.partition_point(|at| at.position <= after);
            let kept = |at: &&Placed| {
                let mission = tenant.missions.get(&at.mission);
                mission.is_some_and(|mission| !mission.events.is_empty())
            };
            let found = tenant.order[start..].iter().filter(kept);
            found.take(limit as usize).copied().collect()
        })
    }

    pub fn newest_now(&self, tenant: &TenantId) -> u64 {
        let all = self.order_now(tenant, 0, u32::MAX);
        all.last().map_or(0, |at| at.position)
    }

    pub fn head_now(&self, tenant: &TenantId, mission: MissionId) -> Option<ChainHead> {
        self.read(tenant, |tenant| tenant.missions.get(&mission)?.head())
    }

    pub fn snapshot_now(&self, tenant: &TenantId, mission: MissionId) -> Option<Snapshot> {
        self.read(tenant, |tenant| {
            tenant.missions.get(&mission)?.snapshot.clone()
        })
    }

    pub fn blob_now(
        &self,
        tenant: &TenantId,
        mission: MissionId,
        digest: BlobDigest,
    ) -> Option<Vec<u8>> {
        self.read(tenant, |tenant| {
            let blob = tenant.missions.get(&mission)?.blobs.get(&digest)?;
            Some(blob.bytes.clone())
        })
    }

    pub fn list_now(&self, tenant: &TenantId, query: &ListQuery) -> Vec<MissionRow> {
        let Some(bound) = query.bound() else {
            return Vec::new();
        };
        let is_wanted = |row: &&MissionRow| {
            let phases = query.phases.as_ref();
            phases.is_none_or(|phases| phases.contains(&row.summary.phase))
        };
        let most = query.limit as usize;
        self.read(tenant, |tenant| match query.order {
            ListOrder::NewestFirst => {
                let rows = tenant.missions.range(..=bound).rev();
                let rows = rows.map(|(_, mission)| &mission.row).filter(is_wanted);
                rows.take(most).cloned().collect()
            }
            ListOrder::OldestFirst => {
                let rows = tenant.missions.range(bound..);
                let rows = rows.map(|(_, mission)| &mission.row).filter(is_wanted);
                rows.take(most).cloned().collect()
            }
        })
    }

    pub fn row_now(&self, tenant: &TenantId, mission: MissionId) -> Option<MissionRow> {
        self.read(tenant, |tenant| {
            tenant.missions.get(&mission).map(|m| m.row.clone())
        })
    }

    pub fn counts_now(&self, tenant: &TenantId) -> PhaseCounts {
        self.read(tenant, |tenant| {
            Phase::ALL
                .iter()
                .map(|&phase| {
                    let missions = tenant.missions.values();
                    let in_phase = missions.filter(|m| m.row.summary.phase == phase);
                    (phase, in_phase.count() as u64)
                })
                .filter(|&(_, count)| count > 0)
                .collect()
        })
    }

    pub fn inbox_now(&self, tenant: &TenantId, limit: u32) -> Vec<Asked> {
        self.read(tenant, |tenant| {
            let mut asked = Vec::new();
            for mission in tenant.missions.values() {
                asked.extend(mission.inbox.values().map(|row| Asked {
                    row: row.clone(),
                    key: mission.row.key.clone(),
                }));
            }
            asked.sort_by_key(|Asked { row, .. }| (row.severity, row.deadline, row.checkpoint));
            asked.truncate(limit as usize);
            asked
        })
    }

    pub fn find_now(&self, tenant: &TenantId, prefix: &str, limit: u32) -> Vec<MissionId> {
        let Some(range) = missions_with_prefix(prefix) else {
            return Vec::new();
        };
        self.read(tenant, |tenant| {
            let found = tenant.missions.range(range).rev().map(|(&id, _)| id);
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
        for (name, tenant) in self.lock().iter() {
            for MissionRow { summary, kept, .. } in tenant.missions.values().map(|m| &m.row) {
                let waits = !summary.phase.is_ended() && *kept == Retention::Working;
                waking.extend(summary.wake_at.filter(|_| waits).map(|wake_at| Due {
                    tenant: name.clone(),
                    mission: summary.mission,
                    wake_at,
                }));
            }
        }
        waking.sort_by_key(|due| due.wake_at);
        waking
    }
}

impl Tenant {
    fn append(&mut self, name: &TenantId, batch: Batch) -> Result<u64, AppendError> {
        let known = self.missions.get(&batch.mission);
        if let Some(kept) = known.map(|mission| mission.row.kept)
            && !kept.takes(batch.erases)
        {
            return Err(AppendError::Settled { kept });
        }
        let found = known
            .and_then(Mission::head)
            .unwrap_or_else(|| ChainHead::genesis(name, batch.mission));
        if found != batch.expected {
            return Err(AppendError::Conflict {
                expected: batch.expected,
                found,
            });
        }
        let taken = take_charges(&batch.owners, &batch.charges, |key| {
            Ok::<_, Infallible>(Account {
                caps: self
                    .caps
                    .get(&(key.owner.clone(), key.window))
                    .cloned()
                    .unwrap_or_default(),
                balance: self.accounts.get(key).copied().unwrap_or_default(),
            })
        });
        let Ok(taken) = taken;
        let after = taken.map_err(|refusal| AppendError::CapReached(Box::new(refusal)))?;
        self.accounts.extend(after);
        self.place(batch.mission, &batch.events);
        let mission = self
            .missions
            .entry(batch.mission)
            .or_insert_with(|| Mission::open(name, &batch));
        mission.write(batch);
        Ok(mission.events.last().map_or(0, |event| event.seq))
    }

    fn place(&mut self, mission: MissionId, events: &[StoredEvent]) {
        let next = self.order.last().map_or(1, |last| last.position + 1);
        let placed = events.iter().zip(next..);
        self.order.extend(placed.map(|(event, position)| Placed {
            position,
            mission,
            seq: event.seq,
        }));
    }

    fn continues(&self, attestations: &[AttestationRow]) -> bool {
        let next = self.attestations.last().map_or(1, |last| last.number + 1);
        let numbers = attestations.iter().map(|row| row.number);
        numbers.eq((next..).take(attestations.len()))
    }

    fn attest(&mut self, attestations: Vec<AttestationRow>) -> bool {
        let fits = self.continues(&attestations);
        if fits {
            self.attestations.extend(attestations);
        }
        fits
    }

    fn prune(&mut self, mission: MissionId, attestation: AttestationRow) -> bool {
        let continues = self.continues(std::slice::from_ref(&attestation));
        let Some(mission) = self.missions.get_mut(&mission) else {
            return false;
        };
        if !continues || mission.row.kept == Retention::Pruned {
            return false;
        }
        mission.drop_content();
        mission.events.clear();
        mission.row.kept = Retention::Pruned;
        self.attestations.push(attestation);
        true
    }

    fn set_key(
        &mut self,
        expected: Option<&WrappedKey>,
        key: WrappedKey,
        rewrapped: Vec<(MissionId, WrappedKey)>,
    ) -> bool {
        if self.key.as_ref() != expected {
            return false;
        }
        self.key = Some(key);
        for (mission, wrapped) in rewrapped {
            if let Some(kept) = self.missions.get_mut(&mission)
                && let Some(key) = &mut kept.row.key
            {
                *key = wrapped;
            }
        }
        true
    }

    fn put_in(&mut self, whole: WholeMission) -> bool {
        let id = whole.row.summary.mission;
        if self.missions.contains_key(&id) {
            return false;
        }
        self.place(id, &whole.events);
        let mission = Mission {
            row: whole.row,
            events: whole.events,
            inbox: whole
                .inbox
                .into_iter()
                .map(|row| (row.checkpoint.number, row))
                .collect(),
            blobs: whole
                .blobs
                .into_iter()
                .map(|blob| (blob.digest, blob))
                .collect(),
            snapshot: whole.snapshot,
            subjects: whole.subjects.into_iter().collect(),
        };
        self.missions.insert(id, mission);
        true
    }
}

impl Mission {
    fn open(tenant: &TenantId, batch: &Batch) -> Self {
        let opening = batch.opening.as_ref();
        Self {
            row: MissionRow {
                summary: batch.summary.clone(),
                origin: tenant.clone(),
                key: opening.map(|opening| opening.key.clone()),
                kept: Retention::Working,
            },
            events: Vec::new(),
            inbox: BTreeMap::new(),
            blobs: BTreeMap::new(),
            snapshot: None,
            subjects: opening
                .map(|opening| opening.subjects.iter().copied().collect())
                .unwrap_or_default(),
        }
    }

    fn head(&self) -> Option<ChainHead> {
        self.events.last().map(StoredEvent::head)
    }

    fn write(&mut self, batch: Batch) {
        self.events.extend(batch.events);
        self.row.summary = batch.summary;
        for change in batch.inbox {
            match change {
                InboxChange::Put(row) => {
                    self.inbox.insert(row.checkpoint.number, row);
                }
                InboxChange::Remove(number) => {
                    self.inbox.remove(&number);
                }
            }
        }
        for blob in batch.blobs {
            self.blobs.entry(blob.digest).or_insert(blob);
        }
        if batch.snapshot.is_some() {
            self.snapshot = batch.snapshot;
        }
        if batch.erases {
            self.drop_content();
            self.row.kept = Retention::Erased;
        }
    }

    fn drop_content(&mut self) {
        self.row.key = None;
        self.row.summary.title = Sealed::default();
        self.row.summary.wake_at = None;
        self.inbox.clear();
        self.blobs.clear();
        self.subjects.clear();
        self.snapshot = None;
    }

    fn whole(&self) -> WholeMission {
        WholeMission {
            row: self.row.clone(),
            events: self.events.clone(),
            blobs: self.blobs.values().cloned().collect(),
            snapshot: self.snapshot.clone(),
            inbox: self.inbox.values().cloned().collect(),
            subjects: self.subjects.iter().copied().collect(),
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

    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        let tenants = self.lock();
        let used = |(_, tenant): &(&TenantId, &Tenant)| {
            tenant.key.is_some() || !tenant.missions.is_empty()
        };
        Ok(tenants
            .iter()
            .filter(used)
            .map(|(name, _)| name.clone())
            .collect())
    }

    async fn scrub(&self) -> Result<(), StoreError> {
        Ok(())
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

    async fn order(&self, after: u64, limit: u32) -> Result<Vec<Placed>, StoreError> {
        Ok(self.store.order_now(&self.tenant, after, limit))
    }

    async fn newest(&self) -> Result<u64, StoreError> {
        Ok(self.store.newest_now(&self.tenant))
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

    async fn list(&self, query: ListQuery) -> Result<Vec<MissionRow>, StoreError> {
        Ok(self.store.list_now(&self.tenant, &query))
    }

    async fn row(&self, mission: MissionId) -> Result<Option<MissionRow>, StoreError> {
        Ok(self.store.row_now(&self.tenant, mission))
    }

    async fn counts(&self) -> Result<PhaseCounts, StoreError> {
        Ok(self.store.counts_now(&self.tenant))
    }

    async fn inbox(&self, limit: u32) -> Result<Vec<Asked>, StoreError> {
        Ok(self.store.inbox_now(&self.tenant, limit))
    }

    async fn find(&self, prefix: &str, limit: u32) -> Result<Vec<MissionId>, StoreError> {
        Ok(self.store.find_now(&self.tenant, prefix, limit))
    }

    async fn missions_of(&self, subject: SubjectTag) -> Result<Vec<MissionId>, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| {
            let concerned = tenant
                .missions
                .iter()
                .filter(|(_, m)| m.subjects.contains(&subject));
            concerned.map(|(&id, _)| id).collect()
        }))
    }

    async fn tenant_key(&self) -> Result<Option<WrappedKey>, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| tenant.key.clone()))
    }

    async fn set_tenant_key(
        &self,
        expected: Option<WrappedKey>,
        key: WrappedKey,
        rewrapped: Vec<(MissionId, WrappedKey)>,
    ) -> Result<bool, StoreError> {
        Ok(self.store.write(&self.tenant, |tenant| {
            tenant.set_key(expected.as_ref(), key, rewrapped)
        }))
    }

    async fn mission_keys(
        &self,
        after: Option<MissionId>,
        limit: u32,
    ) -> Result<Vec<(MissionId, WrappedKey)>, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| {
            let later = tenant
                .missions
                .iter()
                .filter(|(id, _)| after.is_none_or(|after| **id > after));
            let keys = later.filter_map(|(&id, mission)| Some((id, mission.row.key.clone()?)));
            keys.take(limit as usize).collect()
        }))
    }

    async fn attestations(&self, from: u64, limit: u32) -> Result<Vec<AttestationRow>, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| {
            let rows = tenant.attestations.iter().filter(|row| row.number >= from);
            rows.take(limit as usize).cloned().collect()
        }))
    }

    async fn attestations_of(&self, mission: MissionId) -> Result<Vec<AttestationRow>, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| {
            let rows = tenant.attestations.iter();
            rows.filter(|row| row.mission == mission).cloned().collect()
        }))
    }

    async fn last_attestation(&self) -> Result<Option<AttestationRow>, StoreError> {
        Ok(self
            .store
            .read(&self.tenant, |tenant| tenant.attestations.last().cloned()))
    }

    async fn attest(&self, attestations: Vec<AttestationRow>) -> Result<bool, StoreError> {
        Ok(self
            .store
            .write(&self.tenant, |tenant| tenant.attest(attestations)))
    }

    async fn prune(
        &self,
        mission: MissionId,
        attestation: AttestationRow,
    ) -> Result<bool, StoreError> {
        Ok(self
            .store
            .write(&self.tenant, |tenant| tenant.prune(mission, attestation)))
    }

    async fn take_out(&self, mission: MissionId) -> Result<Option<WholeMission>, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| {
            tenant.missions.get(&mission).map(Mission::whole)
        }))
    }

    async fn put_in(&self, whole: WholeMission) -> Result<bool, StoreError> {
        Ok(self
            .store
            .write(&self.tenant, |tenant| tenant.put_in(whole)))
    }

    async fn give_key(&self, mission: MissionId, key: WrappedKey) -> Result<bool, StoreError> {
        Ok(self.store.write(&self.tenant, |tenant| {
            let row = tenant
                .missions
                .get_mut(&mission)
                .map(|found| &mut found.row);
            let row = row.filter(|row| row.kept == Retention::Archived && row.key.is_none());
            row.map(|row| row.key = Some(key)).is_some()
        }))
    }

    async fn accounts(&self, from: Timestamp) -> Result<Vec<(AccountKey, Balance)>, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| {
            let accounts = tenant.accounts.iter();
            accounts
                .filter(|(key, _)| key.window == Window::Total || key.from >= from)
                .map(|(key, balance)| (key.clone(), *balance))
                .collect()
        }))
    }

    async fn put_accounts(&self, accounts: Vec<(AccountKey, Balance)>) -> Result<(), StoreError> {
        self.store
            .write(&self.tenant, |tenant| tenant.accounts.extend(accounts));
        Ok(())
    }

    async fn caps(&self) -> Result<Vec<CapsRow>, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| {
            let caps = tenant.caps.iter();
            caps.map(|((owner, window), caps)| CapsRow {
                owner: owner.clone(),
                window: *window,
                caps: caps.clone(),
            })
            .collect()
        }))
    }

    async fn set_caps(&self, row: CapsRow) -> Result<(), StoreError> {
        let key = (row.owner, row.window);
        self.store.write(&self.tenant, |tenant| {
            if row.caps == AccountCaps::default() {
                tenant.caps.remove(&key);
            } else {
                tenant.caps.insert(key, row.caps);
            }
        });
        Ok(())
    }

    async fn records(&self, kind: RecordKind) -> Result<Vec<RecordRow>, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| {
            let records = tenant.records.iter();
            records
                .filter(|((of, _), _)| *of == kind)
                .map(|((kind, name), content)| RecordRow {
                    kind: *kind,
                    name: name.clone(),
                    content: content.clone(),
                })
                .collect()
        }))
    }

    async fn record_names(&self, kind: RecordKind) -> Result<Vec<String>, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| {
            let records = tenant.records.keys();
            let of_kind = records.filter(|(of, _)| *of == kind);
            of_kind.map(|(_, name)| name.clone()).collect()
        }))
    }

    async fn record(
        &self,
        kind: RecordKind,
        name: String,
    ) -> Result<Option<RecordRow>, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| {
            let content = tenant.records.get(&(kind, name.clone()))?;
            let content = content.clone();
            Some(RecordRow {
                kind,
                name,
                content,
            })
        }))
    }

    async fn put_record(&self, row: RecordRow) -> Result<(), StoreError> {
        self.store.write(&self.tenant, |tenant| {
            tenant.records.insert((row.kind, row.name), row.content)
        });
        Ok(())
    }

    async fn change_records(&self, changes: RecordChanges) -> Result<bool, StoreError> {
        Ok(self.store.write(&self.tenant, |tenant| {
            let expected = changes.expected;
            let found = tenant.records.get(&(expected.kind, expected.name));
            if found != expected.content.as_ref() {
                return false;
            }
            for row in changes.put {
                tenant.records.insert((row.kind, row.name), row.content);
            }
            if let Some(dropped) = changes.dropped {
                tenant.records.remove(&dropped);
            }
            true
        }))
    }

    async fn drop_record(&self, kind: RecordKind, name: String) -> Result<bool, StoreError> {
        Ok(self.store.write(&self.tenant, |tenant| {
            tenant.records.remove(&(kind, name)).is_some()
        }))
    }

    async fn usage(&self) -> Result<u64, StoreError> {
        Ok(self.store.read(&self.tenant, |tenant| {
            tenant
                .missions
                .values()
                .map(|mission| mission.whole().usage())
                .sum()
        }))
    }
}
