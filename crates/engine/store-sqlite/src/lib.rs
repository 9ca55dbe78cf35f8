//! The store on one SQLite file: WAL, full durability, one writer thread with group commit.
//!
//! One host at a time writes; any number of readers look on from other processes. What events mean, and
//! whether a journal's chain is whole, is judged by whoever loads it, not here.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod accounts;
mod changes;
mod error;
#[cfg(test)]
mod failure_tests;
mod heads;
mod lock;
#[cfg(test)]
mod migration_tests;
mod open;
mod read;
mod read_kept;
mod readers;
mod records;
mod room;
mod rows;
mod session;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_mission::{AccountKey, Balance, MissionId, TenantId, Timestamp};
use adjutant_store::{
    AppendError, Asked, AttestationRow, Batch, BlobDigest, CapsRow, ChainHead, Committed, Due,
    Health, ListQuery, MissionRow, PhaseCounts, Placed, RecordChanges, RecordKind, RecordRow,
    SUBSCRIPTION_BACKLOG_MAX, Snapshot, Store, StoreError, StoredEvent, SubjectTag, TenantStore,
    WholeMission, WrappedKey, missions_with_prefix,
};
use tokio::sync::{broadcast, oneshot};

use crate::lock::HostLock;
use crate::readers::Readers;
use crate::writer::{Append, Job, Writer};

/// What the store is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// To write: creates the store if there is none, brings it up to date, and locks out other hosts.
    Host,
    /// To look on, also while a host runs. Appends are refused.
    Reader,
}

/// The version of SQLite that is built in.
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// A cheap handle; clones share one store. Dropping the last one closes it and waits for that; a host
/// calls [`SqliteStore::close`] to hear whether closing worked.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    readers: Readers,
    /// Absent for readers, and once closed.
    writer: Mutex<Option<Writer>>,
    access: Access,
    committed: broadcast::Sender<Committed>,
    health: Health,
}

impl SqliteStore {
    /// Opens the store at `path`. Blocks for as long as the disk takes.
    pub fn open(path: impl AsRef<Path>, access: Access) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let committed = broadcast::Sender::new(SUBSCRIPTION_BACKLOG_MAX);
        let writer = match access {
            Access::Host => {
                let lock = HostLock::take(path)?;
                let connection = open::writer(path)?;
                Some(Writer::start(path, connection, lock, committed.clone())?)
            }
            Access::Reader => {
                if !path.exists() {
                    return Err(StoreError::Missing {
                        path: path.to_owned(),
                    });
                }
                open::check_schema(path, &open::reader(path)?)?;
                None
            }
        };
        Ok(Self {
            shared: Arc::new(Shared {
                path: path.to_owned(),
                readers: Readers::start(path)?,
                writer: Mutex::new(writer),
                access,
                committed,
                health: Health::default(),
            }),
        })
    }

    /// Finishes what was asked so far, moves the log into the database file and lets go of the lock.
    /// Everything asked afterwards, through any clone, is refused as closed.
    pub async fn close(&self) -> Result<(), StoreError> {
        let readers = self.shared.readers.stop();
        let Some(writer) = self.shared.take_writer() else {
            return Ok(());
        };
        let (answer, answered) = oneshot::channel();
        let job = Job::Close { readers, answer };
        let sent = writer.jobs.send(job).await;
        sent.map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
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

    /// Has the writer change something between two groups.
    async fn change<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&rusqlite::Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let done = self.on_writer(change).await?;
        done.map_err(|error| {
            let error = error::from_sqlite(&self.shared.path, &error);
            self.shared.health.write_failed(&error);
            error
        })
    }

    /// Runs something on the writer's thread, between two groups.
    async fn on_writer<T, F>(&self, run: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&rusqlite::Connection) -> T + Send + 'static,
    {
        let jobs = self.shared.jobs()?;
        let (answer, answered) = oneshot::channel();
        let job = Job::Change(Box::new(move |connection| {
            // Whoever asked may have gone; what was done stays done.
            let _ = answer.send(run(connection));
        }));
        jobs.send(job).await.map_err(|_| StoreError::Closed)?;
        drop(jobs);
        answered.await.map_err(|_| StoreError::Closed)
    }
}

impl Shared {
    fn jobs(&self) -> Result<tokio::sync::mpsc::Sender<Job>, StoreError> {
        match &*self.lock_writer() {
            Some(writer) => Ok(writer.jobs.clone()),
            None => Err(self.why_no_writer()),
        }
    }

    fn lock_writer(&self) -> std::sync::MutexGuard<'_, Option<Writer>> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_writer(&self) -> Option<Writer> {
        self.lock_writer().take()
    }

    fn why_no_writer(&self) -> StoreError {
        match self.access {
            Access::Host => StoreError::Closed,
            Access::Reader => StoreError::ReadOnly {
                path: self.path.clone(),
            },
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        for reader in self.readers.stop() {
            // A reader that panicked has nothing left to close.
            let _ = reader.join();
        }
        if let Some(Writer { jobs, thread }) = self.take_writer() {
            drop(jobs);
            let _ = thread.join();
        }
    }
}

/// One tenant's part of a [`SqliteStore`].
#[derive(Debug, Clone)]
pub struct SqliteTenant {
    store: SqliteStore,
    tenant: TenantId,
}

impl SqliteTenant {
    async fn read<T, F>(&self, read: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&rusqlite::Connection, &TenantId) -> rusqlite::Result<T> + Send + 'static,
    {
        let tenant = self.tenant.clone();
        let readers = &self.store.shared.readers;
        readers
            .read(move |connection| read(connection, &tenant))
            .await
    }

    /// A change that is kept only if it says so.
    async fn change<F>(&self, change: F) -> Result<bool, StoreError>
    where
        F: FnOnce(&rusqlite::Connection, &TenantId) -> rusqlite::Result<bool> + Send + 'static,
    {
        let tenant = self.tenant.clone();
        self.store
            .change(move |c| changes::transact(c, |c| change(c, &tenant)))
            .await
    }
}

impl Store for SqliteStore {
    type Tenant = SqliteTenant;

    fn tenant(&self, tenant: &TenantId) -> SqliteTenant {
        SqliteTenant {
            store: self.clone(),
            tenant: tenant.clone(),
        }
    }

    async fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<Due>, StoreError> {
        let readers = &self.shared.readers;
        readers.read(move |c| read::due(c, now, limit)).await
    }

    async fn next_wake(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        let readers = &self.shared.readers;
        readers.read(move |c| read::next_wake(c, now)).await
    }

    fn subscribe(&self) -> broadcast::Receiver<Committed> {
        self.shared.committed.subscribe()
    }

    fn health(&self) -> Health {
        self.shared.health.clone()
    }

    async fn look_after_health(&self) {
        let Shared { path, health, .. } = &*self.shared;
        if health.trouble().is_none() && room::looks_enough(path) {
            return;
        }
        let path = path.clone();
        let tried = self.on_writer(move |connection| room::write_and_remove(&path, connection));
        match tried.await {
            Ok(Ok(())) => health.well_again(),
            Ok(Err(error)) => health.write_failed(&error),
            // A store that is closed is neither well nor ill.
            Err(_) => {}
        }
    }

    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        self.shared.readers.read(read_kept::tenants).await
    }

    async fn scrub(&self) -> Result<(), StoreError> {
        self.change(changes::scrub).await
    }
}

impl TenantStore for SqliteTenant {
    async fn append(&self, batch: Batch) -> Result<(), AppendError> {
        self.store.append(self.tenant.clone(), batch).await
    }

    async fn events(
        &self,
        mission: MissionId,
        from_seq: u64,
        limit: u32,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        self.read(move |c, tenant| read::events(c, tenant, mission, from_seq, limit))
            .await
    }

    async fn order(&self, after: u64, limit: u32) -> Result<Vec<Placed>, StoreError> {
        self.read(move |c, tenant| read::order(c, tenant, after, limit))
            .await
    }

    async fn newest(&self) -> Result<u64, StoreError> {
        self.read(read::newest).await
    }

    async fn head(&self, mission: MissionId) -> Result<Option<ChainHead>, StoreError> {
        self.read(move |c, tenant| read::head(c, tenant, mission))
            .await
    }

    async fn snapshot(&self, mission: MissionId) -> Result<Option<Snapshot>, StoreError> {
        self.read(move |c, tenant| read::snapshot(c, tenant, mission))
            .await
    }

    async fn blob(
        &self,
        mission: MissionId,
        digest: BlobDigest,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(move |c, tenant| read::blob(c, tenant, mission, digest))
            .await
    }

    async fn list(&self, query: ListQuery) -> Result<Vec<MissionRow>, StoreError> {
        self.read(move |c, tenant| read::list(c, tenant, &query))
            .await
    }

    async fn row(&self, mission: MissionId) -> Result<Option<MissionRow>, StoreError> {
        self.read(move |c, tenant| read::row(c, tenant, mission))
            .await
    }

    async fn counts(&self) -> Result<PhaseCounts, StoreError> {
        self.read(read::counts).await
    }

    async fn inbox(&self, limit: u32) -> Result<Vec<Asked>, StoreError> {
        self.read(move |c, tenant| read::inbox(c, tenant, limit))
            .await
    }

    async fn find(&self, prefix: &str, limit: u32) -> Result<Vec<MissionId>, StoreError> {
        let Some(range) = missions_with_prefix(prefix) else {
            return Ok(Vec::new());
        };
        self.read(move |c, tenant| read::find(c, tenant, &range, limit))
            .await
    }

    async fn missions_of(&self, subject: SubjectTag) -> Result<Vec<MissionId>, StoreError> {
        self.read(move |c, tenant| read_kept::missions_of(c, tenant, subject))
            .await
    }

    async fn tenant_key(&self) -> Result<Option<WrappedKey>, StoreError> {
        self.read(read_kept::tenant_key).await
    }

    async fn set_tenant_key(
        &self,
        expected: Option<WrappedKey>,
        key: WrappedKey,
        rewrapped: Vec<(MissionId, WrappedKey)>,
    ) -> Result<bool, StoreError> {
        self.change(move |c, tenant| {
            changes::set_tenant_key(c, tenant, expected.as_ref(), &key, &rewrapped)
        })
        .await
    }

    async fn mission_keys(
        &self,
        after: Option<MissionId>,
        limit: u32,
    ) -> Result<Vec<(MissionId, WrappedKey)>, StoreError> {
        self.read(move |c, tenant| read_kept::mission_keys(c, tenant, after, limit))
            .await
    }

    async fn attestations(&self, from: u64, limit: u32) -> Result<Vec<AttestationRow>, StoreError> {
        self.read(move |c, tenant| read_kept::attestations(c, tenant, from, limit))
            .await
    }

    async fn attestations_of(&self, mission: MissionId) -> Result<Vec<AttestationRow>, StoreError> {
        self.read(move |c, tenant| read_kept::attestations_of(c, tenant, mission))
            .await
    }

    async fn last_attestation(&self) -> Result<Option<AttestationRow>, StoreError> {
        self.read(read_kept::last_attestation).await
    }

    async fn attest(&self, attestations: Vec<AttestationRow>) -> Result<bool, StoreError> {
        self.change(move |c, tenant| changes::attest(c, tenant, &attestations))
            .await
    }

    async fn prune(
        &self,
        mission: MissionId,
        attestation: AttestationRow,
    ) -> Result<bool, StoreError> {
        self.change(move |c, tenant| changes::prune(c, tenant, mission, attestation))
            .await
    }

    async fn take_out(&self, mission: MissionId) -> Result<Option<WholeMission>, StoreError> {
        self.read(move |c, tenant| read_kept::take_out(c, tenant, mission))
            .await
    }

    async fn put_in(&self, whole: WholeMission) -> Result<bool, StoreError> {
        self.change(move |c, tenant| changes::put_in(c, tenant, &whole))
            .await
    }

    async fn give_key(&self, mission: MissionId, key: WrappedKey) -> Result<bool, StoreError> {
        self.change(move |c, tenant| changes::give_key(c, tenant, mission, &key))
            .await
    }

    async fn accounts(&self, from: Timestamp) -> Result<Vec<(AccountKey, Balance)>, StoreError> {
        self.read(move |c, tenant| accounts::since(c, tenant, from))
            .await
    }

    async fn put_accounts(&self, accounts: Vec<(AccountKey, Balance)>) -> Result<(), StoreError> {
        let put = self.change(move |c, tenant| {
            for (key, balance) in &accounts {
                accounts::write(c, tenant, key, balance)?;
            }
            Ok(true)
        });
        put.await.map(drop)
    }

    async fn caps(&self) -> Result<Vec<CapsRow>, StoreError> {
        self.read(accounts::caps).await
    }

    async fn set_caps(&self, row: CapsRow) -> Result<(), StoreError> {
        let set = self.change(move |c, tenant| accounts::set_caps(c, tenant, &row).map(|()| true));
        set.await.map(drop)
    }

    async fn records(&self, kind: RecordKind) -> Result<Vec<RecordRow>, StoreError> {
        self.read(move |c, tenant| records::of_kind(c, tenant, kind))
            .await
    }

    async fn record_names(&self, kind: RecordKind) -> Result<Vec<String>, StoreError> {
        self.read(move |c, tenant| records::names(c, tenant, kind))
            .await
    }

    async fn record(
        &self,
        kind: RecordKind,
        name: String,
    ) -> Result<Option<RecordRow>, StoreError> {
        self.read(move |c, tenant| records::one(c, tenant, kind, name))
            .await
    }

    async fn put_record(&self, row: RecordRow) -> Result<(), StoreError> {
        let put = self.change(move |c, tenant| records::put(c, tenant, &row).map(|()| true));
        put.await.map(drop)
    }

    async fn change_records(&self, changes: RecordChanges) -> Result<bool, StoreError> {
        self.change(move |c, tenant| records::change(c, tenant, &changes))
            .await
    }

    async fn drop_record(&self, kind: RecordKind, name: String) -> Result<bool, StoreError> {
        self.change(move |c, tenant| records::remove(c, tenant, kind, &name))
            .await
    }

    async fn usage(&self) -> Result<u64, StoreError> {
        self.read(read_kept::usage).await
    }
}
