//! A look at the store: what is owed though the feed did not tell of it, and which records are of no more use.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{CheckpointId, InboxEntry, Millis, Phase, TenantId, Timestamp};
use adjutant_notify::{About, ChannelName, ChannelState, Look, Progress, State, Subject};
use adjutant_store::{ListOrder, ListQuery, RecordKind, Retention, Store, TenantStore};
use tokio::sync::broadcast::error::TryRecvError;

use super::{Key, LOOK_AGAIN, LOOK_AGAIN_AFTER_TROUBLE, Telling};

/// Open checkpoints that one look takes in, the most urgent first. More of them are learned from the feed.
const INBOX_MAX: u32 = 50_000;
/// Missions read at a time when endings are looked for.
const PAGE_MISSIONS: u32 = 500;
/// How long it can be seen that an ending was not told.
const GIVEN_UP_KEPT: Millis = Millis::hours(7 * 24);

const ENDED: [Phase; 3] = [Phase::Completed, Phase::Failed, Phase::Cancelled];

impl<S: Store> Telling<S> {
    pub(super) async fn look(&mut self) {
        let now = self.now();
        self.look_at = now.plus(LOOK_AGAIN);
        let endings = std::mem::take(&mut self.missing);
        match self.look_at_all(endings).await {
            Ok(()) => self.looked = true,
            Err(error) => {
                self.failed(error);
                self.missing |= endings;
                self.look_at = now.plus(LOOK_AGAIN_AFTER_TROUBLE);
            }
        }
        // What the feed told in the meantime the look may have seen already; and nothing is settled before it
        // has caught up.
        for _ in 0..self.feed.len() {
            match self.feed.try_recv() {
                Ok(committed) => self.happened(&committed).await,
                Err(TryRecvError::Lagged(_)) => self.look_soon(Millis::ZERO),
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
        self.settled.clear();
    }

    async fn look_at_all(&mut self, endings: bool) -> Result<(), JournalError> {
        let sides = self.sides.iter();
        let tenants: BTreeSet<TenantId> = sides.map(|side| side.channel.tenant.clone()).collect();
        if !self.looked {
            self.forget_other_tenants(&tenants).await?;
        }
        for tenant in &tenants {
            let journal = self.shared.vault.tenant(&self.shared.store, tenant);
            match self.look_at_one(tenant, &journal, endings).await {
                // Without it a notice may be sent twice. With it none would be sent at all.
                Err(JournalError::RecordBroken { kind, name }) => {
                    journal.drop_record(kind, &name).await?;
                    self.look_soon(Millis::ZERO);
                }
                looked => looked?,
            }
        }
        Ok(())
    }

    /// Tenants for whom there is no channel any more.
    async fn forget_other_tenants(&self, tenants: &BTreeSet<TenantId>) -> Result<(), JournalError> {
        for tenant in self.shared.store.tenants().await? {
            if tenants.contains(&tenant) {
                continue;
            }
            let store = self.shared.store.tenant(&tenant);
            for kind in [RecordKind::Channel, RecordKind::Notice] {
                for row in store.records(kind).await? {
                    store.drop_record(kind, row.name).await?;
                }
            }
        }
        Ok(())
    }

    async fn look_at_one(
        &mut self,
        tenant: &TenantId,
        journal: &TenantJournal<S::Tenant>,
        endings: bool,
    ) -> Result<(), JournalError> {
        self.take_states(tenant, journal).await?;
        let inbox = journal.inbox(INBOX_MAX).await?;
        let whole = inbox.len() < INBOX_MAX as usize;
        let open: BTreeSet<CheckpointId> = inbox.iter().map(|entry| entry.checkpoint).collect();
        let mut kept: BTreeMap<Key, Progress> = BTreeMap::new();
        for (name, progress) in journal.records::<Progress>(RecordKind::Notice).await? {
            match self.key_of(tenant, &name) {
                Some(key) if self.is_of_use(key, &progress, &open, whole) => {
                    kept.insert(key, progress);
                }
                _ => {
                    journal.drop_record(RecordKind::Notice, &name).await?;
                }
            }
        }
        let settled = kept.iter().filter(|(_, progress)| progress.is_settled());
        self.settled.extend(settled.map(|(key, _)| *key));
        for entry in &inbox {
            self.owe_from(tenant, &about(entry), &kept);
        }
        if endings {
            self.find_endings(tenant, journal, &kept).await?;
        }
        self.move_on(tenant, journal).await
    }

    /// How far each channel has come, and none that is not there any more.
    async fn take_states(
        &mut self,
        tenant: &TenantId,
        journal: &TenantJournal<S::Tenant>,
    ) -> Result<(), JournalError> {
        let now = self.now();
        let found = journal.records::<ChannelState>(RecordKind::Channel).await?;
        let mut found: BTreeMap<String, ChannelState> = found.into_iter().collect();
        for side in &mut self.sides {
            if side.channel.tenant != *tenant {
                continue;
            }
            let name = side.channel.name.as_str();
            let stored = found.remove(name);
            let mut state = stored.clone().unwrap_or_else(|| ChannelState::begun(now));
            if !self.looked {
                // A host that has just started asks again.
                state.gone = None;
            }
            if stored.as_ref() != Some(&state) {
                let kind = RecordKind::Channel;
                journal.put_record(kind, name, &state).await?;
            }
            side.state = Some(state);
        }
        for name in found.keys() {
            journal.drop_record(RecordKind::Channel, name).await?;
        }
        Ok(())
    }

    fn key_of(&self, tenant: &TenantId, record: &str) -> Option<Key> {
        let (name, subject) = ChannelName::of_record(record)?;
        let at = self
            .sides
            .iter()
            .position(|side| side.channel.name == name && side.channel.tenant == *tenant)?;
        Some((at, subject))
    }

    fn is_of_use(
        &self,
        (at, subject): Key,
        progress: &Progress,
        open: &BTreeSet<CheckpointId>,
        whole: bool,
    ) -> bool {
        let state = self.sides.get(at).and_then(|side| side.state.as_ref());
        match (subject, &progress.state) {
            (Subject::Checkpoint(checkpoint), _) => open.contains(&checkpoint) || !whole,
            (Subject::Ending(_), State::Owed | State::Waiting { .. }) => true,
            (Subject::Ending(_), State::Delivered { at }) => {
                state.is_some_and(|state| *at > state.endings_until)
            }
            (Subject::Ending(_), State::GivenUp { at, .. }) => {
                self.now().since(*at) < GIVEN_UP_KEPT
            }
        }
    }

    /// Owes what is not settled.
    fn owe_from(&mut self, tenant: &TenantId, about: &About, kept: &BTreeMap<Key, Progress>) {
        for at in 0..self.sides.len() {
            let wanted = self.sides.get(at).is_some_and(|side| {
                side.sends() && side.channel.tenant == *tenant && side.channel.takes(about)
            });
            if !wanted {
                continue;
            }
            let kept = kept.get(&(at, about.subject));
            let look = match self.looked {
                false => Look::First,
                true => Look::Again,
            };
            if let Some(progress) = Progress::still_owed(kept, about.subject, look) {
                self.owe(at, about.clone(), progress);
            }
        }
    }

    /// Missions are listed by when they began, so that all that have ended must be looked through.
    async fn find_endings(
        &mut self,
        tenant: &TenantId,
        journal: &TenantJournal<S::Tenant>,
        kept: &BTreeMap<Key, Progress>,
    ) -> Result<(), JournalError> {
        let sides = self.sides.iter().filter(|side| {
            side.sends() && side.channel.tenant == *tenant && side.channel.tells.endings()
        });
        let states = sides.filter_map(|side| side.state.as_ref());
        let Some(until) = states.map(|state| state.endings_until).min() else {
            return Ok(());
        };
        let mut before = None;
        loop {
            let query = ListQuery {
                phases: Some(ENDED.to_vec()),
                limit: PAGE_MISSIONS,
                order: ListOrder::NewestFirst,
                past: before,
            };
            let page = journal.store().list(query).await?;
            for row in &page {
                let (mission, at) = (row.summary.mission, row.summary.updated_at);
                if row.kept == Retention::Working && at > until {
                    self.owe_ending(tenant, &About::ending(mission, at), kept);
                }
            }
            before = page.last().map(|row| row.summary.mission);
            if page.len() < PAGE_MISSIONS as usize {
                return Ok(());
            }
        }
    }

    /// Channels may be of different age.
    fn owe_ending(&mut self, tenant: &TenantId, about: &About, kept: &BTreeMap<Key, Progress>) {
        let before = |state: &ChannelState| state.is_past(about.at);
        let told: Vec<Key> = (0..self.sides.len())
            .filter(|at| {
                let state = self.sides.get(*at).and_then(|side| side.state.as_ref());
                state.is_some_and(before)
            })
            .map(|at| (at, about.subject))
            .collect();
        let delivered = |key| (key, settled_before(about.at));
        let mut known: BTreeMap<Key, Progress> = told.into_iter().map(delivered).collect();
        for at in 0..self.sides.len() {
            let key = (at, about.subject);
            if let Some(progress) = kept.get(&key) {
                known.insert(key, progress.clone());
            }
        }
        self.owe_from(tenant, about, &known);
    }

    /// Says how far endings are settled, so that they are not looked at again.
    async fn move_on(
        &mut self,
        tenant: &TenantId,
        journal: &TenantJournal<S::Tenant>,
    ) -> Result<(), JournalError> {
        if self.missing {
            return Ok(());
        }
        let now = self.now();
        for (at, side) in self.sides.iter_mut().enumerate() {
            if side.channel.tenant != *tenant || !side.sends() {
                continue;
            }
            let Some(state) = &mut side.state else {
                continue;
            };
            let owed = self.book.oldest_ending(at);
            if let Some(moved) = state.moved_on(now, owed) {
                let name = side.channel.name.as_str();
                let kind = RecordKind::Channel;
                journal.put_record(kind, name, &moved).await?;
                *state = moved;
            }
        }
        Ok(())
    }
}

fn settled_before(at: Timestamp) -> Progress {
    Progress {
        tries: 0,
        state: State::Delivered { at },
    }
}

fn about(entry: &InboxEntry) -> About {
    About {
        subject: Subject::Checkpoint(entry.checkpoint),
        at: entry.opened_at,
        role: entry.role.clone(),
        severity: Some(entry.severity),
    }
}
