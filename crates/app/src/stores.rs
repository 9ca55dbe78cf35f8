//! The store of an installation: a SQLite file or a PostgreSQL schema, alike to everything above.

use adjutant_mission::{AccountKey, Balance, Lease, MissionId, TenantId, Timestamp};
use adjutant_store::{
    AppendError, Asked, AttestationRow, Batch, BlobDigest, CapsRow, ChainHead, Committed, Due,
    Health, ListQuery, MissionRow, PhaseCounts, Placed, RecordChanges, RecordKind, RecordRow,
    Snapshot, Store, StoreError, StoredEvent, SubjectTag, TenantStore, WholeMission, WrappedKey,
};
use adjutant_store_postgres::{PostgresStore, PostgresTenant, Settings as Server};
use adjutant_store_sqlite::{SqliteStore, SqliteTenant};
use tokio::sync::broadcast;

use crate::settings::StorePlace;

/// What a store is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// To write; refused at once if another host does.
    Host,
    /// To write, as soon as no other host does. A SQLite file is not waited for.
    StandBy,
    /// To look on.
    Reader,
}

#[derive(Debug, Clone)]
pub enum AnyStore {
    Sqlite(SqliteStore),
    Postgres(PostgresStore),
}

#[derive(Debug, Clone)]
pub enum AnyTenant {
    Sqlite(SqliteTenant),
    Postgres(PostgresTenant),
}

impl AnyStore {
    pub async fn open(place: &StorePlace, access: Access) -> Result<Self, StoreError> {
        match place {
            StorePlace::File(path) => {
                let access = match access {
                    Access::Host | Access::StandBy => adjutant_store_sqlite::Access::Host,
                    Access::Reader => adjutant_store_sqlite::Access::Reader,
                };
                SqliteStore::open(path, access).map(Self::Sqlite)
            }
            StorePlace::Server { address, schema } => {
                let server = Server::new(address)?.with_schema(schema)?;
                let opened = match access {
                    Access::Host => {
                        PostgresStore::open(&server, adjutant_store_postgres::Access::Host).await
                    }
                    Access::StandBy => PostgresStore::stand_by(&server).await,
                    Access::Reader => {
                        PostgresStore::open(&server, adjutant_store_postgres::Access::Reader).await
                    }
                };
                opened.map(Self::Postgres)
            }
        }
    }

    /// A warning for the operator: a login that can become the owner of the tables is fine on one person's machine, but
    /// then the database does not keep tenants apart.
    pub async fn warning(&self) -> Result<Option<String>, StoreError> {
        let Self::Postgres(store) = self else {
            return Ok(None);
        };
        let found = store.owner_in_reach().await?;
        Ok(found.map(|(login, owner)| {
            format!(
                "note[ADJ-3136]: the database login `{login}` can become `{owner}`, which owns the tables, and could turn \
                 row security off: unless this is your own machine, run hosts with a login that cannot; see docs/postgresql.md"
            )
        }))
    }

    pub async fn close(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(store) => store.close().await,
            Self::Postgres(store) => store.close().await,
        }
    }
}

impl Store for AnyStore {
    type Tenant = AnyTenant;

    fn tenant(&self, tenant: &TenantId) -> AnyTenant {
        match self {
            Self::Sqlite(store) => AnyTenant::Sqlite(store.tenant(tenant)),
            Self::Postgres(store) => AnyTenant::Postgres(store.tenant(tenant)),
        }
    }

    async fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<Due>, StoreError> {
        match self {
            Self::Sqlite(store) => store.due(now, limit).await,
            Self::Postgres(store) => store.due(now, limit).await,
        }
    }

    async fn next_wake(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        match self {
            Self::Sqlite(store) => store.next_wake(now).await,
            Self::Postgres(store) => store.next_wake(now).await,
        }
    }

    fn subscribe(&self) -> broadcast::Receiver<Committed> {
        match self {
            Self::Sqlite(store) => store.subscribe(),
            Self::Postgres(store) => store.subscribe(),
        }
    }

    fn lease(&self) -> Lease {
        match self {
            Self::Sqlite(store) => store.lease(),
            Self::Postgres(store) => store.lease(),
        }
    }

    async fn taken_over(&self) {
        match self {
            Self::Sqlite(store) => store.taken_over().await,
            Self::Postgres(store) => store.taken_over().await,
        }
    }

    fn health(&self) -> Health {
        match self {
            Self::Sqlite(store) => store.health(),
            Self::Postgres(store) => store.health(),
        }
    }

    async fn look_after_health(&self) {
        match self {
            Self::Sqlite(store) => store.look_after_health().await,
            Self::Postgres(store) => store.look_after_health().await,
        }
    }

    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        match self {
            Self::Sqlite(store) => store.tenants().await,
            Self::Postgres(store) => store.tenants().await,
        }
    }

    async fn scrub(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(store) => store.scrub().await,
            Self::Postgres(store) => store.scrub().await,
        }
    }
}

/// Passes every method of [`TenantStore`] on.
macro_rules! passed_on {
    ($($name:ident($($given:ident: $kind:ty),*) -> $gives:ty;)*) => {
        impl TenantStore for AnyTenant {
            $(
                async fn $name(&self $(, $given: $kind)*) -> $gives {
                    match self {
                        Self::Sqlite(tenant) => tenant.$name($($given),*).await,
                        Self::Postgres(tenant) => tenant.$name($($given),*).await,
                    }
                }
            )*
        }
    };
}

passed_on! {
    append(batch: Batch) -> Result<(), AppendError>;
    events(mission: MissionId, from_seq: u64, limit: u32) -> Result<Vec<StoredEvent>, StoreError>;
    order(after: u64, limit: u32) -> Result<Vec<Placed>, StoreError>;
    newest() -> Result<u64, StoreError>;
    head(mission: MissionId) -> Result<Option<ChainHead>, StoreError>;
    snapshot(mission: MissionId) -> Result<Option<Snapshot>, StoreError>;
    blob(mission: MissionId, digest: BlobDigest) -> Result<Option<Vec<u8>>, StoreError>;
    list(query: ListQuery) -> Result<Vec<MissionRow>, StoreError>;
    row(mission: MissionId) -> Result<Option<MissionRow>, StoreError>;
    counts() -> Result<PhaseCounts, StoreError>;
    inbox(limit: u32) -> Result<Vec<Asked>, StoreError>;
    find(prefix: &str, limit: u32) -> Result<Vec<MissionId>, StoreError>;
    missions_of(subject: SubjectTag) -> Result<Vec<MissionId>, StoreError>;
    tenant_key() -> Result<Option<WrappedKey>, StoreError>;
    set_tenant_key(expected: Option<WrappedKey>, key: WrappedKey, rewrapped: Vec<(MissionId, WrappedKey)>) -> Result<bool, StoreError>;
    mission_keys(after: Option<MissionId>, limit: u32) -> Result<Vec<(MissionId, WrappedKey)>, StoreError>;
    attestations(from: u64, limit: u32) -> Result<Vec<AttestationRow>, StoreError>;
    attestations_of(mission: MissionId) -> Result<Vec<AttestationRow>, StoreError>;
    last_attestation() -> Result<Option<AttestationRow>, StoreError>;
    attest(attestations: Vec<AttestationRow>) -> Result<bool, StoreError>;
    prune(mission: MissionId, attestation: AttestationRow) -> Result<bool, StoreError>;
    take_out(mission: MissionId) -> Result<Option<WholeMission>, StoreError>;
    put_in(whole: WholeMission) -> Result<bool, StoreError>;
    give_key(mission: MissionId, key: WrappedKey) -> Result<bool, StoreError>;
    accounts(from: Timestamp) -> Result<Vec<(AccountKey, Balance)>, StoreError>;
    put_accounts(accounts: Vec<(AccountKey, Balance)>) -> Result<(), StoreError>;
    caps() -> Result<Vec<CapsRow>, StoreError>;
    set_caps(row: CapsRow) -> Result<(), StoreError>;
    records(kind: RecordKind) -> Result<Vec<RecordRow>, StoreError>;
    record_names(kind: RecordKind) -> Result<Vec<String>, StoreError>;
    record(kind: RecordKind, name: String) -> Result<Option<RecordRow>, StoreError>;
    put_record(row: RecordRow) -> Result<(), StoreError>;
    change_records(changes: RecordChanges) -> Result<bool, StoreError>;
    drop_record(kind: RecordKind, name: String) -> Result<bool, StoreError>;
    usage() -> Result<u64, StoreError>;
}
