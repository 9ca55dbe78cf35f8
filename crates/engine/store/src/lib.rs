//! The journal's contract: the store trait, the hash chain, and the conformance suite every backend runs.
//!
//! A store keeps journals and the read models derived from them. It knows nothing of what events mean
//! beyond what a [`Batch`] spells out, and never re-serialises an event: it keeps the bytes it was given.
//!
//! **Invariant:** Nothing in the store is reachable without a tenant, except which missions are due, which tenants
//! exist, and the news of appends. A compile-fail test below says so to the compiler.
//!
//! **Invariant:** There is no outbox, job table or timer table. What a mission owes follows from its state; the store
//! keeps one instant per mission, `wake_at`.

mod account_book;
mod attestation;
mod batch;
mod blob;
mod chain;
pub mod conformance;
mod error;
mod health;
mod hex;
mod memory;
mod record;
mod row;
mod sealed;
mod whole;

use std::future::Future;
use std::ops::RangeInclusive;

use adjutant_mission::{
    AccountCaps, AccountKey, AccountOwner, Balance, Charge, CheckpointNumber, Lease, MissionId,
    Phase, Summary, TenantId, Timestamp, Window,
};
use tokio::sync::broadcast;

pub use account_book::AccountBook;
pub use attestation::AttestationRow;
pub use batch::{BLOB_BYTES_MAX, EVENT_BYTES_MAX, EVENTS_PER_BATCH_MAX, missions_with_prefix};
pub use blob::{Blob, BlobDigest, DigestError};
pub use chain::{Broken, Chain, ChainHead, EventHash};
pub use error::{AppendError, Retry, StoreError};
pub use health::Health;
pub use memory::{MemoryStore, MemoryTenant};
pub use record::{ExpectedRecord, RecordChanges, RecordKind, RecordRow};
pub use row::{Asked, InboxRow, MissionRow, Retention};
pub use sealed::{Sealed, SubjectTag, WrappedKey};
pub use whole::WholeMission;

/// How many commits a subscriber may fall behind before it is told that it missed some.
pub const SUBSCRIPTION_BACKLOG_MAX: usize = 1_024;

/// A run of missions by id, which is by age.
pub type MissionRange = RangeInclusive<MissionId>;

/// An event as it is kept: its bytes, and the hash that ties it to everything before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    pub seq: u64,
    pub bytes: Vec<u8>,
    pub hash: EventHash,
}

/// A mission's state at some point of its journal, so that loading need not begin at the beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub head: ChainHead,
    pub version: u16,
    pub passport: Sealed,
}

/// How an append changes the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InboxChange {
    /// Opened, or changed in place.
    Put(InboxRow),
    /// Closed: the checkpoint's number.
    Remove(CheckpointNumber),
}

/// What one append writes, all of it or nothing.
#[derive(Debug, Clone)]
pub struct Batch {
    pub mission: MissionId,
    /// Where the caller believes the journal ends. If it does not, nothing is written.
    pub expected: ChainHead,
    /// At least one event, continuing `expected` without a gap.
    pub events: Vec<StoredEvent>,
    /// With the batch that begins a journal, and with no other.
    pub opening: Option<Opening>,
    pub summary: Summary<Sealed>,
    pub inbox: Vec<InboxChange>,
    pub blobs: Vec<Blob>,
    /// Whose accounts are charged, and with what. A reservation that an account does not allow refuses the batch.
    pub owners: Vec<AccountOwner>,
    pub charges: Vec<Charge>,
    /// Replaces the mission's snapshot.
    pub snapshot: Option<Snapshot>,
    /// The mission's content goes with this batch: its key, whom it concerns, its inbox, snapshot and blobs.
    /// What is left is the row, without a title, and the events, which nobody can open any more.
    pub erases: bool,
}

/// What is stated once, when a mission's journal begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The mission's data key, wrapped by its tenant's.
    pub key: WrappedKey,
    /// Whom the mission concerns.
    pub subjects: Vec<SubjectTag>,
}

/// What one account may come to, in each of its windows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapsRow {
    pub owner: AccountOwner,
    pub window: Window,
    pub caps: AccountCaps,
}

/// Which missions to list.
#[derive(Debug, Clone)]
pub struct ListQuery {
    pub phases: Option<Vec<Phase>>,
    pub limit: u32,
    pub order: ListOrder,
    /// Continue past this mission.
    pub past: Option<MissionId>,
}

/// By when missions were opened, which their ids tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ListOrder {
    #[default]
    NewestFirst,
    OldestFirst,
}

impl ListQuery {
    /// The first id, in its order, that a list may begin with; none if there is none past the last.
    pub fn bound(&self) -> Option<MissionId> {
        let bits = match (self.order, self.past) {
            (ListOrder::NewestFirst, None) => u128::MAX,
            (ListOrder::NewestFirst, Some(past)) => past.bits().checked_sub(1)?,
            (ListOrder::OldestFirst, None) => 0,
            (ListOrder::OldestFirst, Some(past)) => past.bits().checked_add(1)?,
        };
        Some(MissionId::from_bits(bits))
    }
}

/// How many missions are in each phase.
pub type PhaseCounts = Vec<(Phase, u64)>;

/// A mission that wants its host's attention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub tenant: TenantId,
    pub mission: MissionId,
    pub wake_at: Timestamp,
}

/// An append that is on disk: the news that a mission's journal now ends at `seq`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committed {
    pub tenant: TenantId,
    pub mission: MissionId,
    pub seq: u64,
}

/// Where an event stands among all of its tenant's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    pub position: u64,
    pub mission: MissionId,
    pub seq: u64,
}

/// The whole store. All it lets anyone do without a tenant is what a host needs to wake missions and to look
/// after all of them alike. A mission's data cannot be reached without saying whose it is:
///
/// ```
/// use adjutant_mission::{MissionId, TenantId};
/// use adjutant_store::{Store, TenantStore};
///
/// async fn read<S: Store>(store: &S, tenant: &TenantId, mission: MissionId) {
///     let _ = store.tenant(tenant).events(mission, 1, 10).await;
/// }
/// ```
///
/// ```compile_fail,E0599
/// use adjutant_mission::{MissionId, TenantId};
/// use adjutant_store::{Store, TenantStore};
///
/// async fn read<S: Store>(store: &S, mission: MissionId) {
///     let _ = store.events(mission, 1, 10).await;
/// }
/// ```
pub trait Store: Clone + Send + Sync + 'static {
    type Tenant: TenantStore;

    /// Access to one tenant's data: the only way to any of it.
    fn tenant(&self, tenant: &TenantId) -> Self::Tenant;

    /// Unended missions with `wake_at <= now`, earliest first.
    fn due(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Due>, StoreError>> + Send;

    /// The earliest `wake_at` after `now` of an unended mission.
    fn next_wake(
        &self,
        now: Timestamp,
    ) -> impl Future<Output = Result<Option<Timestamp>, StoreError>> + Send;

    /// News of every append from here on, each sent after it is durable and before `append` returns.
    /// Only appends made through this store object and its clones are seen.
    fn subscribe(&self) -> broadcast::Receiver<Committed>;

    /// Whether this host may still act. Always, where nobody can take the store from a process that lives.
    fn lease(&self) -> Lease {
        Lease::default()
    }

    /// Returns when another host has taken the store from this one. Never, where nobody can.
    fn taken_over(&self) -> impl Future<Output = ()> + Send {
        std::future::pending()
    }

    /// Whether what is written is kept.
    fn health(&self) -> Health {
        Health::default()
    }

    /// Looks whether writing works, and notes that in the store's health. Costs next to nothing while all is well.
    fn look_after_health(&self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }

    /// Every tenant that has a mission or a key, by name.
    fn tenants(&self) -> impl Future<Output = Result<Vec<TenantId>, StoreError>> + Send;

    /// Leaves nothing of what was erased, pruned or re-wrapped in the files this store can reach: deleted
    /// bytes are gone from the database and its log when this returns.
    fn scrub(&self) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// One tenant's data.
pub trait TenantStore: Clone + Send + Sync + 'static {
    /// Writes a batch durably, in one transaction. On return it is on disk; on error nothing is.
    fn append(&self, batch: Batch) -> impl Future<Output = Result<(), AppendError>> + Send;

    /// Events from `from_seq` on, in order, at most `limit`.
    fn events(
        &self,
        mission: MissionId,
        from_seq: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<StoredEvent>, StoreError>> + Send;

    /// The tenant's events in the order in which they became durable, after this position. Positions grow, with gaps,
    /// and none is given twice, though what stood there may be pruned.
    fn order(
        &self,
        after: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Placed>, StoreError>> + Send;

    /// The position of the tenant's newest event; 0 if it has none.
    fn newest(&self) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Where the mission's journal ends; `None` if there is no such mission, or nothing of its journal is left.
    fn head(
        &self,
        mission: MissionId,
    ) -> impl Future<Output = Result<Option<ChainHead>, StoreError>> + Send;

    fn snapshot(
        &self,
        mission: MissionId,
    ) -> impl Future<Output = Result<Option<Snapshot>, StoreError>> + Send;

    fn blob(
        &self,
        mission: MissionId,
        digest: BlobDigest,
    ) -> impl Future<Output = Result<Option<Vec<u8>>, StoreError>> + Send;

    fn list(
        &self,
        query: ListQuery,
    ) -> impl Future<Output = Result<Vec<MissionRow>, StoreError>> + Send;

    fn row(
        &self,
        mission: MissionId,
    ) -> impl Future<Output = Result<Option<MissionRow>, StoreError>> + Send;

    fn counts(&self) -> impl Future<Output = Result<PhaseCounts, StoreError>> + Send;

    /// Open checkpoints, most urgent first: severity, then deadline.
    fn inbox(&self, limit: u32) -> impl Future<Output = Result<Vec<Asked>, StoreError>> + Send;

    /// Missions whose id's text begins with `prefix` (with or without `msn_`), newest first.
    fn find(
        &self,
        prefix: &str,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<MissionId>, StoreError>> + Send;

    /// Missions that concern somebody, oldest first.
    fn missions_of(
        &self,
        subject: SubjectTag,
    ) -> impl Future<Output = Result<Vec<MissionId>, StoreError>> + Send;

    /// The tenant's key, wrapped by the master key.
    fn tenant_key(&self) -> impl Future<Output = Result<Option<WrappedKey>, StoreError>> + Send;

    /// Replaces the tenant's key, and with it the wrapping of its missions' keys, in one transaction. Writes
    /// nothing and says `false` if the tenant's key is not `expected`. Keys of missions that have none are
    /// left out.
    fn set_tenant_key(
        &self,
        expected: Option<WrappedKey>,
        key: WrappedKey,
        rewrapped: Vec<(MissionId, WrappedKey)>,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Missions' keys, by mission, after this one.
    fn mission_keys(
        &self,
        after: Option<MissionId>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<(MissionId, WrappedKey)>, StoreError>> + Send;

    /// The tenant's attestations from this number on (the first is 1), in order.
    fn attestations(
        &self,
        from: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<AttestationRow>, StoreError>> + Send;

    /// Those about one mission, in order.
    fn attestations_of(
        &self,
        mission: MissionId,
    ) -> impl Future<Output = Result<Vec<AttestationRow>, StoreError>> + Send;

    fn last_attestation(
        &self,
    ) -> impl Future<Output = Result<Option<AttestationRow>, StoreError>> + Send;

    /// Adds attestations. Writes nothing and says `false` unless they continue the tenant's without a gap.
    fn attest(
        &self,
        attestations: Vec<AttestationRow>,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Removes a mission's events, blobs, snapshot, inbox, subjects and key, and adds the attestation that says
    /// so, in one transaction. Writes nothing and says `false` unless the attestation continues the tenant's, or
    /// the mission is unknown or already pruned.
    fn prune(
        &self,
        mission: MissionId,
        attestation: AttestationRow,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// All that is kept of a mission, as it is at one moment.
    fn take_out(
        &self,
        mission: MissionId,
    ) -> impl Future<Output = Result<Option<WholeMission>, StoreError>> + Send;

    /// Puts a mission in as it was taken out. Writes nothing and says `false` if the id is taken.
    fn put_in(&self, whole: WholeMission) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Gives an archived mission the key that it was put in without. Writes nothing and says `false` unless the
    /// mission is archived and has none.
    fn give_key(
        &self,
        mission: MissionId,
        key: WrappedKey,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// What the tenant's accounts stand at, of every window that began at this instant or later, and those that
    /// never end.
    fn accounts(
        &self,
        from: Timestamp,
    ) -> impl Future<Output = Result<Vec<(AccountKey, Balance)>, StoreError>> + Send;

    /// Puts balances in as they were taken out, in the place of those that are there.
    fn put_accounts(
        &self,
        accounts: Vec<(AccountKey, Balance)>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// What the tenant's accounts may come to, where something is said of it.
    fn caps(&self) -> impl Future<Output = Result<Vec<CapsRow>, StoreError>> + Send;

    /// Says what an account may come to, from the next reservation on; with empty caps, anything.
    fn set_caps(&self, row: CapsRow) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Records of one kind, by name.
    fn records(
        &self,
        kind: RecordKind,
    ) -> impl Future<Output = Result<Vec<RecordRow>, StoreError>> + Send;

    /// The names of the records of one kind, in order.
    fn record_names(
        &self,
        kind: RecordKind,
    ) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send;

    fn record(
        &self,
        kind: RecordKind,
        name: String,
    ) -> impl Future<Output = Result<Option<RecordRow>, StoreError>> + Send;

    /// Keeps a record, in the place of one of the same name.
    fn put_record(&self, row: RecordRow) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Puts and drops records. Writes nothing and says `false` unless the expected record is as it was seen.
    fn change_records(
        &self,
        changes: RecordChanges,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Drops a record, and says whether there was one.
    fn drop_record(
        &self,
        kind: RecordKind,
        name: String,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Bytes of events and blobs that the tenant's missions take.
    fn usage(&self) -> impl Future<Output = Result<u64, StoreError>> + Send;
}
