//! The store on a PostgreSQL server: row security per tenant, one writer with group commit, a host that can be
//! taken over.
//!
//! One host at a time writes; any number of readers look on, and others stand by to take over. What events mean,
//! and whether a journal's chain is whole, is judged by whoever loads it, not here.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod accounts;
mod appends;
mod changes;
mod columns;
mod error;
mod heads;
mod in_doubt;
mod jobs;
mod lease;
#[cfg(test)]
mod migration_tests;
mod migrations;
#[cfg(test)]
mod plan_tests;
mod policies;
mod read;
mod read_kept;
mod readers;
mod records;
mod recovery;
mod roles;
mod rows;
mod scrub;
mod session;
#[cfg(test)]
mod session_tests;
mod settings;
mod statements;
mod tenure;
mod tls;
mod transaction;
mod writer;
mod writer_state;
mod writes;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use adjutant_mission::{AccountKey, Balance, Lease, MissionId, TenantId, Timestamp};
use adjutant_store::{
    AppendError, Asked, AttestationRow, Batch, BlobDigest, CapsRow, ChainHead, Committed, Due,
    Health, ListQuery, MissionRow, PhaseCounts, Placed, RecordChanges, RecordKind, RecordRow,
    Retry, SUBSCRIPTION_BACKLOG_MAX, Snapshot, Store, StoreError, StoredEvent, SubjectTag,
    TenantStore, WholeMission, WrappedKey, missions_with_prefix,
};
use tokio::sync::{broadcast, mpsc, oneshot, watch};

use crate::jobs::{Append, Change, ChangeJob, Job};
use crate::lease::Pulse;
use crate::readers::Readers;
use crate::session::{Purpose, Session};
use crate::tenure::{Begun, Tenure};
use crate::writer::Writer;

pub use settings::{SCHEMA_DEFAULT, Settings};

/// What the store is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// To write: creates the store if there is none, brings it up to date, and locks out other hosts.
    Host,
    /// To look on, also while a host runs. Appends are refused.
    Reader,
}

/// A cheap handle; clones share one store. Dropping the last one closes it in the background; a host calls
/// [`PostgresStore::close`] to know that another one can take over.
#[derive(Debug, Clone)]
pub struct PostgresStore {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    settings: Settings,
    place: PathBuf,
    readers: Readers,
    /// Absent for readers, and once closed.
    writer: Mutex<Option<mpsc::Sender<Job>>>,
    access: Access,
    committed: broadcast::Sender<Committed>,
    lease: Lease,
    taken_over: watch::Receiver<bool>,
    health: Health,
}

/// Trouble with the server's disk counts as over when no write has failed for so long. A mission that waits for the
/// disk tries again every 30 s, so while one waits, trouble that lasts is noticed again in time.
const QUIET_AFTER_TROUBLE: Duration = Duration::from_secs(45);

impl PostgresStore {
    /// Opens the store. Must be called within a tokio runtime that lasts as long as the store.
    pub async fn open(settings: &Settings, access: Access) -> Result<Self, StoreError> {
        match access {
            Access::Host => {
                let session = Session::connect(settings, Purpose::Host).await?;
                match Tenure::begin(session, settings).await? {
                    Begun::Host(tenure) => Ok(Self::host(settings, tenure)),
                    Begun::Held(session) => Err(tenure::locked(&session, settings).await),
                }
            }
            Access::Reader => {
                let session = Session::connect(settings, Purpose::Reader).await?;
                migrations::check(&session, settings).await?;
                session.go_to_work(settings, Purpose::Reader).await?;
                roles::check_guarded(session.client(), settings).await?;
                let tenure = (Lease::new(|| false), watch::channel(false).1);
                let store = Self::new(settings, access, None, broadcast::Sender::new(1), tenure);
                store.shared.readers.give(session);
                Ok(store)
            }
        }
    }

    /// Opens the store as its host as soon as there is no other: at once, or when the other one has stopped, has
    /// died, or has lost its connection. Once it stands by, trouble with the server is waited out.
    pub async fn stand_by(settings: &Settings) -> Result<Self, StoreError> {
        let mut session = Some(Session::connect(settings, Purpose::Host).await?);
        let mut pulse = Pulse::default();
        loop {
            match Self::try_begin(settings, session.take(), &mut pulse).await {
                Ok(Begun::Host(tenure)) => return Ok(Self::host(settings, tenure)),
                Ok(Begun::Held(same)) => session = Some(same),
                Err(error) if error.retry() == Retry::Later => {}
                Err(error) => return Err(error),
            }
            tokio::time::sleep(recovery::STAND_BY_EVERY).await;
        }
    }

    /// Becomes the host unless there is one that lives. One that is hung loses its session, and with it the lock.
    async fn try_begin(
        settings: &Settings,
        session: Option<Session>,
        pulse: &mut Pulse,
    ) -> Result<Begun, StoreError> {
        let session = match session {
            Some(session) => session,
            None => Session::connect(settings, Purpose::Host).await?,
        };
        let begun = Tenure::begin(session, settings).await?;
        if let Begun::Held(session) = &begun
            && pulse.is_hung(session, settings).await?
        {
            tenure::end_hung(session, settings).await?;
        }
        Ok(begun)
    }

    fn host(settings: &Settings, tenure: Tenure) -> Self {
        let committed = broadcast::Sender::new(SUBSCRIPTION_BACKLOG_MAX);
        let (jobs, waiting) = mpsc::channel(writer::QUEUE_MAX);
        let (takes_over, taken_over) = watch::channel(false);
        let writer = Writer::new(settings, committed.clone(), takes_over);
        let lease = tenure.term.lease();
        tokio::spawn(writer.run(Box::new(tenure), waiting));
        let tenure = (lease, taken_over);
        Self::new(settings, Access::Host, Some(jobs), committed, tenure)
    }

    fn new(
        settings: &Settings,
        access: Access,
        writer: Option<mpsc::Sender<Job>>,
        committed: broadcast::Sender<Committed>,
        (lease, taken_over): (Lease, watch::Receiver<bool>),
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                settings: settings.clone(),
                place: settings.place(),
                readers: Readers::new(settings),
                writer: Mutex::new(writer),
                access,
                committed,
                lease,
                taken_over,
                health: Health::default(),
            }),
        }
    }

    /// Finishes what was asked so far and lets go of the lock. Everything asked afterwards, through any clone,
    /// is refused as closed.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.shared.readers.stop();
        let Some(jobs) = self.shared.lock_writer().take() else {
            return Ok(());
        };
        let (answer, answered) = oneshot::channel();
        let sent = jobs.send(Job::Close(answer)).await;
        sent.map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)
    }

    /// Bytes that the store's tables and indexes take on the server.
    pub async fn size(&self) -> Result<u64, StoreError> {
        read_kept::size(&self.shared.readers, &self.shared.settings.schema).await
    }

    /// The login that connects and the owner of the tables, if the one can become the other: whoever has the login can
    /// then turn row security off.
    pub async fn owner_in_reach(&self) -> Result<Option<(String, String)>, StoreError> {
        read_kept::owner_in_reach(&self.shared.readers, &self.shared.settings.schema).await
    }

    async fn append(&self, tenant: TenantId, batch: Batch) -> Result<(), AppendError> {
        batch.check()?;
        let jobs = self.shared.jobs()?;
        let (answer, answered) = oneshot::channel();
        let append = Append {
            tenant,
            batch,
            answer,
        };
        let sent = jobs.send(Job::Append(Box::new(append))).await;
        drop(jobs);
        sent.map_err(|_| StoreError::Closed)?;
        let written = answered.await.map_err(|_| StoreError::Closed)?;
        if let Err(AppendError::Store(error)) = &written {
            self.shared.health.write_failed(error);
        }
        written
    }

    /// Has the writer do something between two groups. `false` says that it does not fit what is there.
    async fn change(&self, tenant: &TenantId, change: Change) -> Result<bool, StoreError> {
        let jobs = self.shared.jobs()?;
        let (answer, answered) = oneshot::channel();
        let job = ChangeJob {
            tenant: tenant.clone(),
            change,
            answer,
        };
        let sent = jobs.send(Job::Change(Box::new(job))).await;
        drop(jobs);
        sent.map_err(|_| StoreError::Closed)?;
        let written = answered.await.map_err(|_| StoreError::Closed)?;
        if let Err(error) = &written {
            self.shared.health.write_failed(error);
        }
        written
    }
}

impl Shared {
    fn jobs(&self) -> Result<mpsc::Sender<Job>, StoreError> {
        match &*self.lock_writer() {
            Some(jobs) => Ok(jobs.clone()),
            None => Err(self.why_no_writer()),
        }
    }

    fn lock_writer(&self) -> MutexGuard<'_, Option<mpsc::Sender<Job>>> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn why_no_writer(&self) -> StoreError {
        match self.access {
            Access::Host => StoreError::Closed,
            Access::Reader => StoreError::ReadOnly {
                path: self.place.clone(),
            },
        }
    }
}

/// One tenant's part of a [`PostgresStore`].
#[derive(Debug, Clone)]
pub struct PostgresTenant {
    store: PostgresStore,
    tenant: TenantId,
}

impl PostgresTenant {
    fn readers(&self) -> &Readers {
        &self.store.shared.readers
    }
}

impl Store for PostgresStore {
    type Tenant = PostgresTenant;

    fn tenant(&self, tenant: &TenantId) -> PostgresTenant {
        PostgresTenant {
            store: self.clone(),
            tenant: tenant.clone(),
        }
    }

    async fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<Due>, StoreError> {
        read::due(&self.shared.readers, now, limit).await
    }

    async fn next_wake(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        read::next_wake(&self.shared.readers, now).await
    }

    fn subscribe(&self) -> broadcast::Receiver<Committed> {
        self.shared.committed.subscribe()
    }

    fn lease(&self) -> Lease {
        self.shared.lease.clone()
    }

    async fn taken_over(&self) {
        let mut told = self.shared.taken_over.clone();
        // Who closed the store, or only reads it, is not taken over.
        if told.wait_for(|taken| *taken).await.is_err() {
            std::future::pending().await
        }
    }

    fn health(&self) -> Health {
        self.shared.health.clone()
    }

    async fn look_after_health(&self) {
        if self.shared.health.is_quiet_for(QUIET_AFTER_TROUBLE) {
            self.shared.health.well_again();
        }
    }

    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        read_kept::tenants(&self.shared.readers).await
    }

    async fn scrub(&self) -> Result<(), StoreError> {
        self.shared.jobs()?;
        scrub::scrub(&self.shared.settings).await
    }
}

impl TenantStore for PostgresTenant {
    async fn append(&self, batch: Batch) -> Result<(), AppendError> {
        self.store.append(self.tenant.clone(), batch).await
    }

    async fn events(
        &self,
        mission: MissionId,
        from_seq: u64,
        limit: u32,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        read::events(self.readers(), &self.tenant, mission, from_seq, limit).await
    }

    async fn order(&self, after: u64, limit: u32) -> Result<Vec<Placed>, StoreError> {
        read::order(self.readers(), &self.tenant, after, limit).await
    }

    async fn newest(&self) -> Result<u64, StoreError> {
        read::newest(self.readers(), &self.tenant).await
    }

    async fn head(&self, mission: MissionId) -> Result<Option<ChainHead>, StoreError> {
        read::head(self.readers(), &self.tenant, mission).await
    }

    async fn snapshot(&self, mission: MissionId) -> Result<Option<Snapshot>, StoreError> {
        read::snapshot(self.readers(), &self.tenant, mission).await
    }

    async fn blob(
        &self,
        mission: MissionId,
        digest: BlobDigest,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        read::blob(self.readers(), &self.tenant, mission, digest).await
    }

    async fn list(&self, query: ListQuery) -> Result<Vec<MissionRow>, StoreError> {
        read::list(self.readers(), &self.tenant, &query).await
    }

    async fn row(&self, mission: MissionId) -> Result<Option<MissionRow>, StoreError> {
        read::row(self.readers(), &self.tenant, mission).await
    }

    async fn counts(&self) -> Result<PhaseCounts, StoreError> {
        read::counts(self.readers(), &self.tenant).await
    }

    async fn inbox(&self, limit: u32) -> Result<Vec<Asked>, StoreError> {
        read::inbox(self.readers(), &self.tenant, limit).await
    }

    async fn find(&self, prefix: &str, limit: u32) -> Result<Vec<MissionId>, StoreError> {
        let Some(range) = missions_with_prefix(prefix) else {
            return Ok(Vec::new());
        };
        read::find(self.readers(), &self.tenant, &range, limit).await
    }

    async fn missions_of(&self, subject: SubjectTag) -> Result<Vec<MissionId>, StoreError> {
        read_kept::missions_of(self.readers(), &self.tenant, subject).await
    }

    async fn tenant_key(&self) -> Result<Option<WrappedKey>, StoreError> {
        read_kept::tenant_key(self.readers(), &self.tenant).await
    }

    async fn set_tenant_key(
        &self,
        expected: Option<WrappedKey>,
        key: WrappedKey,
        rewrapped: Vec<(MissionId, WrappedKey)>,
    ) -> Result<bool, StoreError> {
        let change = Change::SetTenantKey {
            expected,
            key,
            rewrapped,
        };
        self.store.change(&self.tenant, change).await
    }

    async fn mission_keys(
        &self,
        after: Option<MissionId>,
        limit: u32,
    ) -> Result<Vec<(MissionId, WrappedKey)>, StoreError> {
        read_kept::mission_keys(self.readers(), &self.tenant, after, limit).await
    }

    async fn attestations(&self, from: u64, limit: u32) -> Result<Vec<AttestationRow>, StoreError> {
        read_kept::attestations(self.readers(), &self.tenant, from, limit).await
    }

    async fn attestations_of(&self, mission: MissionId) -> Result<Vec<AttestationRow>, StoreError> {
        read_kept::attestations_of(self.readers(), &self.tenant, mission).await
    }

    async fn last_attestation(&self) -> Result<Option<AttestationRow>, StoreError> {
        read_kept::last_attestation(self.readers(), &self.tenant).await
    }

    async fn attest(&self, attestations: Vec<AttestationRow>) -> Result<bool, StoreError> {
        let change = Change::Attest(attestations);
        self.store.change(&self.tenant, change).await
    }

    async fn prune(
        &self,
        mission: MissionId,
        attestation: AttestationRow,
    ) -> Result<bool, StoreError> {
        let change = Change::Prune(mission, attestation);
        self.store.change(&self.tenant, change).await
    }

    async fn take_out(&self, mission: MissionId) -> Result<Option<WholeMission>, StoreError> {
        read_kept::take_out(self.readers(), &self.tenant, mission).await
    }

    async fn put_in(&self, whole: WholeMission) -> Result<bool, StoreError> {
        let change = Change::PutIn(Box::new(whole));
        self.store.change(&self.tenant, change).await
    }

    async fn give_key(&self, mission: MissionId, key: WrappedKey) -> Result<bool, StoreError> {
        let change = Change::GiveKey(mission, key);
        self.store.change(&self.tenant, change).await
    }

    async fn accounts(&self, from: Timestamp) -> Result<Vec<(AccountKey, Balance)>, StoreError> {
        accounts::since(self.readers(), &self.tenant, from).await
    }

    async fn put_accounts(&self, accounts: Vec<(AccountKey, Balance)>) -> Result<(), StoreError> {
        let change = Change::PutAccounts(accounts);
        self.store.change(&self.tenant, change).await.map(drop)
    }

    async fn caps(&self) -> Result<Vec<CapsRow>, StoreError> {
        accounts::caps(self.readers(), &self.tenant).await
    }

    async fn set_caps(&self, row: CapsRow) -> Result<(), StoreError> {
        let change = Change::SetCaps(row);
        self.store.change(&self.tenant, change).await.map(drop)
    }

    async fn records(&self, kind: RecordKind) -> Result<Vec<RecordRow>, StoreError> {
        records::of_kind(self.readers(), &self.tenant, kind).await
    }

    async fn record_names(&self, kind: RecordKind) -> Result<Vec<String>, StoreError> {
        records::names(self.readers(), &self.tenant, kind).await
    }

    async fn record(
        &self,
        kind: RecordKind,
        name: String,
    ) -> Result<Option<RecordRow>, StoreError> {
        records::one(self.readers(), &self.tenant, kind, name).await
    }

    async fn put_record(&self, row: RecordRow) -> Result<(), StoreError> {
        let change = Change::PutRecord(row);
        self.store.change(&self.tenant, change).await.map(drop)
    }

    async fn change_records(&self, changes: RecordChanges) -> Result<bool, StoreError> {
        let change = Change::PutRecords(changes);
        self.store.change(&self.tenant, change).await
    }

    async fn drop_record(&self, kind: RecordKind, name: String) -> Result<bool, StoreError> {
        let change = Change::DropRecord(kind, name);
        self.store.change(&self.tenant, change).await
    }

    async fn usage(&self) -> Result<u64, StoreError> {
        read_kept::usage(self.readers(), &self.tenant).await
    }
}
