//! What one tenant's part of a group of appends comes to: each statement once, with many rows.
//!
//! A mission may be appended to several times in a group. Then only its last summary counts, its last snapshot,
//! and what became of each checkpoint in the end. What is erased goes last, whatever the group put there before.

use std::collections::BTreeMap;

use adjutant_mission::{
    AccountKey, Balance, CheckpointNumber, MissionId, Phase, Summary, TenantId,
};
use adjutant_store::{
    Batch, Blob, InboxChange, InboxRow, Retention, Sealed, Snapshot, StoredEvent, SubjectTag,
    WholeMission, WrappedKey,
};

use crate::accounts;
use crate::columns::{self, Param};
use crate::heads::MissionHead;
use crate::rows::Id;
use crate::statements::{
    ADD_COUNTS, ADD_EVENTS, ADD_USAGE, CHANGE_MISSIONS, DROP_CONTENT, OPEN_MISSIONS, PUT_BLOBS,
    PUT_INBOX, PUT_KEYS, PUT_SNAPSHOTS, PUT_SUBJECTS, REMOVE_INBOX, SETTLE,
};

/// Most bytes of events or blobs in one statement, unless a single one is larger: PostgreSQL takes no message of
/// a gigabyte.
const STATEMENT_BYTES_MAX: usize = 16 << 20;

/// A statement and what goes into it.
pub(crate) struct Request<'b> {
    pub(crate) sql: &'static str,
    pub(crate) params: Vec<Param<'b>>,
}

/// A mission's first row.
struct Opened<'b> {
    summary: &'b Summary<Sealed>,
    origin: &'b TenantId,
    kept: Retention,
}

pub(crate) struct TenantWrites<'b> {
    tenant: &'b TenantId,
    opened: BTreeMap<MissionId, Opened<'b>>,
    changed: BTreeMap<MissionId, &'b Summary<Sealed>>,
    counts: BTreeMap<Phase, i64>,
    keys: Vec<(MissionId, &'b WrappedKey)>,
    subjects: Vec<(MissionId, &'b SubjectTag)>,
    events: Vec<(MissionId, &'b StoredEvent)>,
    inbox: BTreeMap<(MissionId, CheckpointNumber), Option<&'b InboxRow>>,
    blobs: Vec<(MissionId, &'b Blob)>,
    snapshots: BTreeMap<MissionId, &'b Snapshot>,
    erased: Vec<MissionId>,
    /// What accounts stand at after all of it.
    pub(crate) accounts: Vec<(AccountKey, Balance)>,
}

impl<'b> TenantWrites<'b> {
    pub(crate) fn of(tenant: &'b TenantId) -> Self {
        Self {
            tenant,
            opened: BTreeMap::new(),
            changed: BTreeMap::new(),
            counts: BTreeMap::new(),
            keys: Vec::new(),
            subjects: Vec::new(),
            events: Vec::new(),
            inbox: BTreeMap::new(),
            blobs: Vec::new(),
            snapshots: BTreeMap::new(),
            erased: Vec::new(),
            accounts: Vec::new(),
        }
    }

    /// Adds a batch that fits `known`, and moves `known` on.
    pub(crate) fn add(&mut self, batch: &'b Batch, known: &mut MissionHead) {
        let mission = batch.mission;
        match self.opened.get_mut(&mission) {
            Some(opened) => opened.summary = &batch.summary,
            None if known.phase.is_none() => {
                self.open(&batch.summary, self.tenant, Retention::Working)
            }
            None => {
                self.changed.insert(mission, &batch.summary);
            }
        }
        self.count(known.phase, batch.summary.phase);
        known.phase = Some(batch.summary.phase);
        if let Some(opening) = &batch.opening {
            self.keys.push((mission, &opening.key));
            let subjects = opening.subjects.iter();
            self.subjects.extend(subjects.map(|tag| (mission, tag)));
        }
        self.put_content(
            mission,
            &batch.events,
            &batch.blobs,
            batch.snapshot.as_ref(),
        );
        for change in &batch.inbox {
            match change {
                InboxChange::Put(row) => self
                    .inbox
                    .insert((mission, row.checkpoint.number), Some(row)),
                InboxChange::Remove(number) => self.inbox.insert((mission, *number), None),
            };
        }
        if batch.erases {
            self.erased.push(mission);
            known.kept = Retention::Erased;
        }
        if let Some(head) = batch.events.last().map(StoredEvent::head) {
            known.head = head;
        }
    }

    /// Adds a mission as it was taken out elsewhere. Its id must be free.
    pub(crate) fn add_whole(&mut self, whole: &'b WholeMission) {
        let summary = &whole.row.summary;
        let mission = summary.mission;
        self.open(summary, &whole.row.origin, whole.row.kept);
        self.count(None, summary.phase);
        self.keys
            .extend(whole.row.key.iter().map(|key| (mission, key)));
        let subjects = whole.subjects.iter();
        self.subjects.extend(subjects.map(|tag| (mission, tag)));
        self.put_content(
            mission,
            &whole.events,
            &whole.blobs,
            whole.snapshot.as_ref(),
        );
        for row in &whole.inbox {
            self.inbox
                .insert((mission, row.checkpoint.number), Some(row));
        }
    }

    fn open(&mut self, summary: &'b Summary<Sealed>, origin: &'b TenantId, kept: Retention) {
        let opened = Opened {
            summary,
            origin,
            kept,
        };
        self.opened.insert(summary.mission, opened);
    }

    fn count(&mut self, before: Option<Phase>, now: Phase) {
        if before != Some(now) {
            if let Some(before) = before {
                *self.counts.entry(before).or_default() -= 1;
            }
            *self.counts.entry(now).or_default() += 1;
        }
    }

    fn put_content(
        &mut self,
        mission: MissionId,
        events: &'b [StoredEvent],
        blobs: &'b [Blob],
        snapshot: Option<&'b Snapshot>,
    ) {
        self.events
            .extend(events.iter().map(|event| (mission, event)));
        self.blobs.extend(blobs.iter().map(|blob| (mission, blob)));
        self.snapshots
            .extend(snapshot.map(|snapshot| (mission, snapshot)));
    }

    /// In the order in which they are to be sent.
    pub(crate) fn requests(&self) -> Vec<Request<'b>> {
        let mut asking = Asking::new(self.tenant);
        self.ask_for_missions(&mut asking);
        let usage: u64 = self
            .events
            .iter()
            .map(|(_, event)| event.bytes.len() as u64)
            .sum();
        asking.ask(ADD_USAGE, vec![Box::new(usage.cast_signed())]);
        for events in in_parts(&self.events, |(_, event)| event.bytes.len()) {
            asking.ask(ADD_EVENTS, columns::events(events));
        }
        if !self.accounts.is_empty() {
            asking.ask(accounts::PUT, accounts::columns(&self.accounts));
        }
        let put: Vec<&InboxRow> = self.inbox.values().flatten().copied().collect();
        if !put.is_empty() {
            asking.ask(PUT_INBOX, columns::inbox(&put));
        }
        let mut removed: BTreeMap<MissionId, Vec<i64>> = BTreeMap::new();
        for ((mission, number), _) in self.inbox.iter().filter(|(_, row)| row.is_none()) {
            removed
                .entry(*mission)
                .or_default()
                .push(i64::from(number.get()));
        }
        for (mission, numbers) in removed {
            let mission: Param<'b> = Box::new(Id::from(mission));
            asking.ask(REMOVE_INBOX, vec![mission, Box::new(numbers)]);
        }
        for blobs in in_parts(&self.blobs, |(_, blob)| blob.bytes.len()) {
            asking.ask(PUT_BLOBS, columns::blobs(blobs));
        }
        let snapshots: Vec<_> = self.snapshots.iter().map(|(id, of)| (*id, *of)).collect();
        for snapshots in in_parts(&snapshots, |(_, snapshot)| snapshot.passport.0.len()) {
            asking.ask(PUT_SNAPSHOTS, columns::snapshots(snapshots));
        }
        if !self.erased.is_empty() {
            let kept: Param<'b> = Box::new(Retention::Erased.name());
            asking.ask(SETTLE, vec![columns::missions(&self.erased), kept]);
            for sql in DROP_CONTENT {
                asking.ask(sql, vec![columns::missions(&self.erased)]);
            }
        }
        asking.requests
    }

    fn ask_for_missions(&self, asking: &mut Asking<'b>) {
        if !self.opened.is_empty() {
            let opened = self.opened.values();
            let summaries: Vec<_> = opened.clone().map(|opened| opened.summary).collect();
            let mut params = columns::summaries(&summaries);
            let origins: Vec<&str> = opened
                .clone()
                .map(|opened| opened.origin.as_str())
                .collect();
            let kept: Vec<&str> = opened.map(|opened| opened.kept.name()).collect();
            params.extend([Box::new(origins) as Param<'b>, Box::new(kept)]);
            asking.ask(OPEN_MISSIONS, params);
        }
        if !self.changed.is_empty() {
            let summaries: Vec<_> = self.changed.values().copied().collect();
            asking.ask(CHANGE_MISSIONS, columns::summaries(&summaries));
        }
        let counts = self.counts.iter().filter(|(_, by)| **by != 0);
        let (phases, by): (Vec<&str>, Vec<i64>) =
            counts.map(|(phase, by)| (phase.name(), *by)).unzip();
        if !phases.is_empty() {
            asking.ask(ADD_COUNTS, vec![Box::new(phases), Box::new(by)]);
        }
        if !self.keys.is_empty() {
            asking.ask(PUT_KEYS, columns::keys(&self.keys));
        }
        if !self.subjects.is_empty() {
            asking.ask(PUT_SUBJECTS, columns::subjects(&self.subjects));
        }
    }
}

/// Requests of one tenant, whose name is every statement's first parameter.
pub(crate) struct Asking<'b> {
    tenant: &'b TenantId,
    pub(crate) requests: Vec<Request<'b>>,
}

impl<'b> Asking<'b> {
    pub(crate) fn new(tenant: &'b TenantId) -> Self {
        Self {
            tenant,
            requests: vec![Request {
                sql: crate::session::SET_TENANT,
                params: vec![Box::new(tenant.as_str())],
            }],
        }
    }

    pub(crate) fn ask(&mut self, sql: &'static str, more: Vec<Param<'b>>) {
        let mut params: Vec<Param<'b>> = vec![Box::new(self.tenant.as_str())];
        params.extend(more);
        self.requests.push(Request { sql, params });
    }
}

/// Cuts a list so that no part is larger than a statement may be.
fn in_parts<T>(mut rest: &[T], bytes: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let mut sum = 0;
        let fits = rest.iter().take_while(|item| {
            sum += bytes(item);
            sum <= STATEMENT_BYTES_MAX
        });
        let (part, after) = rest.split_at(fits.count().max(1));
        parts.push(part);
        rest = after;
    }
    parts
}
