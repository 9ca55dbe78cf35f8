//! One tenant's journals, in the clear for whoever has the key.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_mission::{
    InboxEntry, Json, Mission, MissionId, PASSPORT_VERSION, Recorded, Summary, TenantId,
};
use adjutant_store::{
    BlobDigest, Chain, ChainHead, ListQuery, MissionRow, Opening, RecordKind, Retention, Store,
    SubjectTag, TenantStore, WrappedKey,
};

use crate::JournalError;
use crate::cursor::JournalCursor;
use crate::event::Label;
use crate::keys::{DataKey, MasterKey, TenantKey};
use crate::mission_seal::MissionSeal;
use crate::seal;

/// Events read from the store at a time.
pub(crate) const PAGE_EVENTS: u32 = 2_000;

/// The master key, and the tenants' keys it has opened so far. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Vault {
    master: MasterKey,
    opened: Arc<Mutex<HashMap<TenantId, TenantKey>>>,
    /// The newest register of each kind that was read or written.
    seen: Arc<Mutex<HashMap<(TenantId, RecordKind), u64>>>,
    /// Whether a host has looked at everything in the store. From then on nothing unsealed is taken for old.
    in_charge: Arc<AtomicBool>,
    /// Who signs here; nobody in particular, for whoever only reads.
    signer: Arc<Mutex<Option<String>>>,
}

impl Vault {
    pub fn new(master: MasterKey) -> Self {
        Self {
            master,
            opened: Arc::default(),
            seen: Arc::default(),
            in_charge: Arc::default(),
            signer: Arc::default(),
        }
    }

    pub fn master(&self) -> &MasterKey {
        &self.master
    }

    /// Refuses a store with a tenant whose key another master key wraps: a store has one.
    pub async fn check<S: Store>(&self, store: &S) -> Result<(), JournalError> {
        for tenant in store.tenants().await? {
            if let Some(wrapped) = store.tenant(&tenant).tenant_key().await? {
                self.master.check(&wrapped)?;
            }
        }
        Ok(())
    }

    fn remembered(&self, tenant: &TenantId) -> Option<TenantKey> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.get(tenant).cloned()
    }

    pub(crate) fn remember(&self, tenant: &TenantId, key: &TenantKey) {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.insert(tenant.clone(), key.clone());
    }

    pub(crate) fn seen(&self, tenant: &TenantId, kind: RecordKind) -> Option<u64> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get(&(tenant.clone(), kind)).copied()
    }

    pub(crate) fn saw(&self, tenant: &TenantId, kind: RecordKind, number: u64) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = seen.entry((tenant.clone(), kind)).or_default();
        *newest = number.max(*newest);
    }

    pub(crate) fn signs(&self, signer: String) {
        let mut known = self.signer.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(signer);
    }

    /// Whose signatures count; anybody's, if there are none.
    pub(crate) fn signers(&self) -> Vec<String> {
        let known = self.signer.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().cloned().collect()
    }

    pub(crate) fn in_charge(&self) {
        self.in_charge.store(true, Ordering::Release);
    }

    pub(crate) fn is_in_charge(&self) -> bool {
        self.in_charge.load(Ordering::Acquire)
    }

    /// One tenant's journals in `store`.
    pub fn tenant<S: Store>(&self, store: &S, tenant: &TenantId) -> TenantJournal<S::Tenant> {
        TenantJournal {
            store: store.tenant(tenant),
            tenant: tenant.clone(),
            vault: self.clone(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct TenantJournal<T> {
    store: T,
    tenant: TenantId,
    vault: Vault,
}

/// A mission in the list. One whose content is gone, or sealed without a key, has no title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub summary: Summary,
    pub origin: TenantId,
    pub kept: Retention,
}

impl<T: TenantStore> TenantJournal<T> {
    pub fn store(&self) -> &T {
        &self.store
    }

    pub fn tenant(&self) -> &TenantId {
        &self.tenant
    }

    pub(crate) fn vault(&self) -> &Vault {
        &self.vault
    }

    /// The tenant's key, if it has one.
    pub async fn key(&self) -> Result<Option<TenantKey>, JournalError> {
        if let Some(key) = self.vault.remembered(&self.tenant) {
            return Ok(Some(key));
        }
        let wrapped = self.store.tenant_key().await?;
        wrapped.map(|wrapped| self.unwrap(&wrapped)).transpose()
    }

    fn unwrap(&self, wrapped: &WrappedKey) -> Result<TenantKey, JournalError> {
        let key = self.vault.master.unwrap(&self.tenant, wrapped)?;
        self.vault.remember(&self.tenant, &key);
        Ok(key)
    }

    /// The tenant's key, made if it has none.
    pub async fn key_or_new(&self) -> Result<TenantKey, JournalError> {
        if let Some(key) = self.key().await? {
            return Ok(key);
        }
        let key = self.make_key().await?;
        let settled = self.vault.is_in_charge();
        self.establish(&key, settled, true).await?;
        Ok(key)
    }

    pub(crate) async fn make_key(&self) -> Result<TenantKey, JournalError> {
        loop {
            if let Some(key) = self.key().await? {
                return Ok(key);
            }
            let fresh = TenantKey::generate()?;
            let wrapped = self.vault.master.wrap(&self.tenant, &fresh)?;
            // Whoever was first made the key that holds.
            if self.store.set_tenant_key(None, wrapped, Vec::new()).await? {
                self.vault.remember(&self.tenant, &fresh);
                return Ok(fresh);
            }
        }
    }

    /// How the journal of a new mission stands: at its beginning, with a key of its own.
    pub async fn begin(
        &self,
        mission: MissionId,
        title: &str,
        subjects: &[String],
    ) -> Result<JournalCursor, JournalError> {
        let tenant_key = self.key_or_new().await?;
        let key = DataKey::generate()?;
        let mut tags: Vec<SubjectTag> = subjects.iter().map(|name| tenant_key.tag(name)).collect();
        tags.sort_unstable();
        tags.dedup();
        let opening = Opening {
            key: tenant_key.wrap(mission, &key)?,
            subjects: tags,
        };
        let seal = MissionSeal::new(self.tenant.clone(), mission, Some(key));
        Ok(JournalCursor {
            head: ChainHead::genesis(&self.tenant, mission),
            snapshot_seq: 0,
            title: seal.title(title)?,
            seal,
            opening: Some(opening),
        })
    }

    /// The seal of a mission whose content is there.
    pub async fn seal_of(&self, row: &MissionRow) -> Result<MissionSeal, JournalError> {
        let mission = row.summary.mission;
        if matches!(row.kept, Retention::Erased | Retention::Pruned) {
            return Err(JournalError::Gone {
                mission,
                kept: row.kept,
            });
        }
        // Only a mission from elsewhere can be sealed and without a key; a title in the clear is older than seals, or
        // was put there by somebody who has no key.
        if row.key.is_none() && seal::is_sealed(&row.summary.title.0) {
            return Err(JournalError::NoKey { mission });
        }
        if row.key.is_none() && !self.may_be_unsealed(mission).await? {
            return Err(JournalError::Unsealed { mission });
        }
        let key = self.open_key(mission, row.key.as_ref()).await?;
        Ok(MissionSeal::new(row.origin.clone(), mission, key))
    }

    async fn open_key(
        &self,
        mission: MissionId,
        wrapped: Option<&WrappedKey>,
    ) -> Result<Option<DataKey>, JournalError> {
        let Some(wrapped) = wrapped else {
            return Ok(None);
        };
        let damaged = || JournalError::KeyDamaged {
            of: format!("tenant `{}`", self.tenant),
        };
        let key = self.key().await?.ok_or_else(damaged)?;
        key.unwrap(mission, wrapped).map(Some)
    }

    pub async fn list(&self, query: ListQuery) -> Result<Vec<Listed>, JournalError> {
        let mut listed = Vec::new();
        for row in self.store.list(query).await? {
            listed.push(self.listed(row).await?);
        }
        Ok(listed)
    }

    pub async fn summary(&self, mission: MissionId) -> Result<Option<Listed>, JournalError> {
        match self.store.row(mission).await? {
            Some(row) => self.listed(row).await.map(Some),
            None => Ok(None),
        }
    }

    async fn listed(&self, row: MissionRow) -> Result<Listed, JournalError> {
        let title = match row.kept {
            Retention::Erased | Retention::Pruned => String::new(),
            Retention::Working | Retention::Archived => match self.seal_of(&row).await {
                Ok(seal) => seal.open_title(&row.summary.title)?,
                Err(JournalError::NoKey { .. } | JournalError::Unsealed { .. }) => String::new(),
                Err(error) => return Err(error),
            },
        };
        Ok(Listed {
            summary: row.summary.titled(title),
            origin: row.origin,
            kept: row.kept,
        })
    }

    /// Open checkpoints, most urgent first.
    pub async fn inbox(&self, limit: u32) -> Result<Vec<InboxEntry>, JournalError> {
        let mut entries = Vec::new();
        for asked in self.store.inbox(limit).await? {
            let mission = asked.row.checkpoint.mission;
            // What nobody here sealed asks nobody here anything; verifying tells of it.
            if asked.key.is_none() && !self.may_be_unsealed(mission).await? {
                continue;
            }
            let key = self.open_key(mission, asked.key.as_ref()).await?;
            let seal = MissionSeal::new(self.tenant.clone(), mission, key);
            entries.push(seal.open_inbox(&asked.row)?);
        }
        Ok(entries)
    }

    async fn row(&self, mission: MissionId) -> Result<MissionRow, JournalError> {
        let row = self.store.row(mission).await?;
        row.ok_or(JournalError::MissionUnknown(mission))
    }

    /// Folds a mission from its snapshot, if there is one of this version, and the events since. The chain is
    /// checked on the way, so that a torn or altered journal is reported and never built upon.
    pub async fn load(&self, mission: MissionId) -> Result<(Mission, JournalCursor), JournalError> {
        let row = self.row(mission).await?;
        let seal = self.seal_of(&row).await?;
        let (mut folded, head) = match self.resume(&seal, mission).await? {
            Some((folded, head)) => (Some(folded), head),
            None => (None, ChainHead::genesis(&row.origin, mission)),
        };
        let snapshot_seq = head.seq;
        let mut chain = Chain::after(head);
        self.each_event(&seal, mission, &mut chain, |recorded| {
            let outcome = match &mut folded {
                Some(folded) => folded.apply(&recorded),
                None => Mission::begin(&recorded).map(|begun| folded = Some(begun)),
            };
            outcome.map_err(|source| JournalError::Corrupt {
                mission,
                source: Box::new(source),
            })
        })
        .await?;
        let folded = folded.ok_or(JournalError::MissionUnknown(mission))?;
        let cursor = JournalCursor {
            head: chain.head(),
            snapshot_seq,
            seal,
            title: row.summary.title,
            opening: None,
        };
        Ok((folded, cursor))
    }

    /// A snapshot only saves time. One that does not open or read is not trusted, and the journal is folded
    /// whole.
    async fn resume(
        &self,
        seal: &MissionSeal,
        mission: MissionId,
    ) -> Result<Option<(Mission, ChainHead)>, JournalError> {
        let kept = self.store.snapshot(mission).await?;
        let kept = kept.filter(|kept| kept.version == PASSPORT_VERSION);
        Ok(kept.and_then(|kept| {
            let passport = seal.open_snapshot(kept.head.seq, &kept.passport).ok()?;
            let folded = Mission::from_passport(&passport).ok()?;
            let fits = folded.seq() == kept.head.seq && folded.id() == mission;
            fits.then_some((folded, kept.head))
        }))
    }

    /// Every event of a mission from its first, checked against the chain.
    pub async fn read(
        &self,
        mission: MissionId,
    ) -> Result<(Vec<Recorded>, ChainHead), JournalError> {
        let row = self.row(mission).await?;
        let seal = self.seal_of(&row).await?;
        let mut events = Vec::new();
        let mut chain = Chain::new(&row.origin, mission);
        self.each_event(&seal, mission, &mut chain, |recorded| {
            events.push(recorded);
            Ok(())
        })
        .await?;
        Ok((events, chain.head()))
    }

    /// Events of a mission from `from_seq` on, at most `limit`, as they are stored: the chain is not checked.
    pub async fn events(
        &self,
        mission: MissionId,
        from_seq: u64,
        limit: u32,
    ) -> Result<Vec<Recorded>, JournalError> {
        let row = self.row(mission).await?;
        let seal = self.seal_of(&row).await?;
        let page = self.store.events(mission, from_seq, limit).await?;
        let opened = page
            .iter()
            .map(|stored| seal.open_event(stored.seq, &stored.bytes));
        opened.collect()
    }

    /// What can be read of a journal without its key, checked against the chain: all that is left of one that
    /// was erased.
    pub async fn labels(&self, mission: MissionId) -> Result<Vec<(u64, Label)>, JournalError> {
        let row = self.row(mission).await?;
        let mut chain = Chain::new(&row.origin, mission);
        let mut labels = Vec::new();
        loop {
            let from = chain.head().seq + 1;
            let page = self.store.events(mission, from, PAGE_EVENTS).await?;
            for stored in &page {
                chain.feed(stored).map_err(|source| JournalError::Broken {
                    mission,
                    source: Box::new(source),
                })?;
                let label = Label::read(stored.seq, &stored.bytes);
                labels.extend(label.map(|label| (stored.seq, label)));
            }
            if page.len() < PAGE_EVENTS as usize {
                return Ok(labels);
            }
        }
    }

    async fn each_event(
        &self,
        seal: &MissionSeal,
        mission: MissionId,
        chain: &mut Chain,
        mut take: impl FnMut(Recorded) -> Result<(), JournalError>,
    ) -> Result<(), JournalError> {
        loop {
            let from = chain.head().seq + 1;
            let page = self.store.events(mission, from, PAGE_EVENTS).await?;
            let is_last = page.len() < PAGE_EVENTS as usize;
            for stored in &page {
                chain.feed(stored).map_err(|source| JournalError::Broken {
                    mission,
                    source: Box::new(source),
                })?;
                take(seal.open_event(stored.seq, &stored.bytes)?)?;
            }
            if is_last {
                return Ok(());
            }
        }
    }

    /// The value that a blob of a mission holds; `None` if there is no such blob.
    pub async fn output(
        &self,
        seal: &MissionSeal,
        mission: MissionId,
        digest: BlobDigest,
    ) -> Result<Option<Json>, JournalError> {
        let stored = self.store.blob(mission, digest).await?;
        stored.map(|stored| seal.open_output(&stored)).transpose()
    }
}
