//! What one tenant's part of a group of appends comes to: each statement once, with many rows.
//!
//! A mission may be appended to several times in a group. Then only its last summary counts, its last snapshot,
//! and what became of each checkpoint in the end.

use std::collections::BTreeMap;

use adjutant_mission::{InboxEntry, MissionId, Phase, Summary, TenantId};
use adjutant_store::{Batch, Blob, InboxChange, Snapshot, StoreError, StoredEvent};
use tokio_postgres::types::ToSql;

use crate::heads::Known;
use crate::rows::{Id, severity_rank};

/// Most bytes of events or blobs in one statement, unless a single one is larger: PostgreSQL takes no message of
/// a gigabyte.
const STATEMENT_BYTES_MAX: usize = 16 << 20;

const OPEN_MISSIONS: &str = "
    INSERT INTO missions (tenant, mission, title, phase, ended, paused, tasks_total, tasks_ended,
        checkpoints_open, used_money, used_tokens, opened_at, updated_at, wake_at)
    SELECT $1, * FROM unnest($2::uuid[], $3::bytea[], $4::text[], $5::boolean[], $6::boolean[], $7::bigint[],
        $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[])";
const CHANGE_MISSIONS: &str = "
    UPDATE missions SET title = now.title, phase = now.phase, ended = now.ended, paused = now.paused,
        tasks_total = now.tasks_total, tasks_ended = now.tasks_ended,
        checkpoints_open = now.checkpoints_open, used_money = now.used_money,
        used_tokens = now.used_tokens, opened_at = now.opened_at, updated_at = now.updated_at,
        wake_at = now.wake_at
    FROM unnest($2::uuid[], $3::bytea[], $4::text[], $5::boolean[], $6::boolean[], $7::bigint[],
        $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[])
        AS now (mission, title, phase, ended, paused, tasks_total, tasks_ended, checkpoints_open,
            used_money, used_tokens, opened_at, updated_at, wake_at)
    WHERE missions.tenant = $1 AND missions.mission = now.mission";
const ADD_COUNTS: &str = "
    INSERT INTO counts (tenant, phase, n) SELECT $1, * FROM unnest($2::text[], $3::bigint[])
    ON CONFLICT (tenant, phase) DO UPDATE SET n = counts.n + excluded.n";
const ADD_EVENTS: &str = "
    INSERT INTO events (tenant, mission, seq, hash, bytes)
    SELECT $1, * FROM unnest($2::uuid[], $3::bigint[], $4::bytea[], $5::bytea[])";
const PUT_INBOX: &str = "
    INSERT INTO inbox (tenant, mission, number, severity, deadline, entry)
    SELECT $1, * FROM unnest($2::uuid[], $3::bigint[], $4::smallint[], $5::bigint[], $6::bytea[])
    ON CONFLICT (tenant, mission, number) DO UPDATE
    SET severity = excluded.severity, deadline = excluded.deadline, entry = excluded.entry";
const REMOVE_INBOX: &str = "
    DELETE FROM inbox USING unnest($2::uuid[], $3::bigint[]) AS closed (mission, number)
    WHERE inbox.tenant = $1 AND inbox.mission = closed.mission AND inbox.number = closed.number";
const PUT_BLOBS: &str = "
    INSERT INTO blobs (tenant, mission, digest, bytes)
    SELECT $1, * FROM unnest($2::uuid[], $3::bytea[], $4::bytea[]) ON CONFLICT DO NOTHING";
const PUT_SNAPSHOTS: &str = "
    INSERT INTO snapshots (tenant, mission, seq, hash, version, passport)
    SELECT $1, * FROM unnest($2::uuid[], $3::bigint[], $4::bytea[], $5::integer[], $6::bytea[])
    ON CONFLICT (tenant, mission) DO UPDATE
    SET seq = excluded.seq, hash = excluded.hash, version = excluded.version, passport = excluded.passport";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    OPEN_MISSIONS,
    CHANGE_MISSIONS,
    ADD_COUNTS,
    ADD_EVENTS,
    PUT_INBOX,
    REMOVE_INBOX,
    PUT_BLOBS,
    PUT_SNAPSHOTS,
];

type Param<'b> = Box<dyn ToSql + Sync + Send + 'b>;

/// A statement and what goes into it.
pub(crate) struct Request<'b> {
    pub(crate) sql: &'static str,
    pub(crate) params: Vec<Param<'b>>,
}

#[derive(Default)]
pub(crate) struct TenantWrites<'b> {
    opened: BTreeMap<MissionId, &'b Summary>,
    changed: BTreeMap<MissionId, &'b Summary>,
    counts: BTreeMap<Phase, i64>,
    events: Vec<(Id, &'b StoredEvent)>,
    inbox: BTreeMap<(MissionId, u32), Option<&'b InboxEntry>>,
    blobs: Vec<(Id, &'b Blob)>,
    snapshots: BTreeMap<MissionId, &'b Snapshot>,
}

impl<'b> TenantWrites<'b> {
    /// Adds a batch that fits `known`, and moves `known` on.
    pub(crate) fn add(&mut self, batch: &'b Batch, known: &mut Known) {
        let mission = batch.mission;
        if known.phase.is_none() || self.opened.contains_key(&mission) {
            self.opened.insert(mission, &batch.summary);
        } else {
            self.changed.insert(mission, &batch.summary);
        }
        if known.phase != Some(batch.summary.phase) {
            if let Some(before) = known.phase {
                *self.counts.entry(before).or_default() -= 1;
            }
            *self.counts.entry(batch.summary.phase).or_default() += 1;
        }
        known.phase = Some(batch.summary.phase);
        let id = Id::from(mission);
        self.events
            .extend(batch.events.iter().map(|event| (id, event)));
        for change in &batch.inbox {
            match change {
                InboxChange::Put(entry) => {
                    self.inbox
                        .insert((mission, entry.checkpoint.number), Some(entry));
                }
                InboxChange::Remove(number) => {
                    self.inbox.insert((mission, *number), None);
                }
            }
        }
        self.blobs.extend(batch.blobs.iter().map(|blob| (id, blob)));
        if let Some(snapshot) = &batch.snapshot {
            self.snapshots.insert(mission, snapshot);
        }
        if let Some(head) = batch.events.last().map(StoredEvent::head) {
            known.head = head;
        }
    }

    /// In the order in which they are to be sent.
    pub(crate) fn requests(&self, tenant: &'b TenantId) -> Result<Vec<Request<'b>>, StoreError> {
        let mut requests = Vec::new();
        let mut ask = |sql, columns: Vec<Param<'b>>| {
            let mut params: Vec<Param<'b>> = vec![Box::new(tenant.as_str())];
            params.extend(columns);
            requests.push(Request { sql, params });
        };
        if !self.opened.is_empty() {
            ask(OPEN_MISSIONS, summary_columns(&self.opened));
        }
        if !self.changed.is_empty() {
            ask(CHANGE_MISSIONS, summary_columns(&self.changed));
        }
        let counts = self.counts.iter().filter(|(_, by)| **by != 0);
        let (phases, by): (Vec<&str>, Vec<i64>) =
            counts.map(|(phase, by)| (phase.name(), *by)).unzip();
        if !phases.is_empty() {
            ask(ADD_COUNTS, vec![Box::new(phases), Box::new(by)]);
        }
        for events in in_parts(&self.events, |(_, event)| event.bytes.len()) {
            ask(ADD_EVENTS, event_columns(events));
        }
        let (put, removed) = inbox_columns(&self.inbox)?;
        if let Some(columns) = put {
            ask(PUT_INBOX, columns);
        }
        if let Some(columns) = removed {
            ask(REMOVE_INBOX, columns);
        }
        for blobs in in_parts(&self.blobs, |(_, blob)| blob.bytes.len()) {
            ask(PUT_BLOBS, blob_columns(blobs));
        }
        let snapshots: Vec<_> = self.snapshots.iter().collect();
        for snapshots in in_parts(&snapshots, |(_, snapshot)| snapshot.passport.len()) {
            ask(PUT_SNAPSHOTS, snapshot_columns(snapshots));
        }
        Ok(requests)
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

fn column<'b, S, T: ToSql + Sync + Send + 'b>(
    rows: impl Iterator<Item = S>,
    of: impl FnMut(S) -> T,
) -> Param<'b> {
    Box::new(rows.map(of).collect::<Vec<T>>())
}

fn summary_columns<'b>(missions: &BTreeMap<MissionId, &'b Summary>) -> Vec<Param<'b>> {
    let all = || missions.values().copied();
    vec![
        column(missions.keys(), |mission| Id::from(*mission)),
        column(all(), |s| s.title.as_bytes()),
        column(all(), |s| s.phase.name()),
        column(all(), |s| s.phase.is_ended()),
        column(all(), |s| s.paused),
        column(all(), |s| i64::from(s.tasks_total)),
        column(all(), |s| i64::from(s.tasks_ended)),
        column(all(), |s| i64::from(s.checkpoints_open)),
        column(all(), |s| s.used.money.0.cast_signed()),
        column(all(), |s| s.used.tokens.cast_signed()),
        column(all(), |s| s.opened_at.0),
        column(all(), |s| s.updated_at.0),
        column(all(), |s| s.wake_at.map(|at| at.0)),
    ]
}

fn event_columns<'b>(events: &[(Id, &'b StoredEvent)]) -> Vec<Param<'b>> {
    let all = || events.iter().copied();
    vec![
        column(all(), |(mission, _)| mission),
        column(all(), |(_, event)| event.seq.cast_signed()),
        column(all(), |(_, event)| &event.hash.as_bytes()[..]),
        column(all(), |(_, event)| &event.bytes[..]),
    ]
}

type Columns<'b> = Option<Vec<Param<'b>>>;

fn inbox_columns<'b>(
    inbox: &BTreeMap<(MissionId, u32), Option<&'b InboxEntry>>,
) -> Result<(Columns<'b>, Columns<'b>), StoreError> {
    let mut put = Vec::new();
    let mut removed = Vec::new();
    for ((mission, number), entry) in inbox {
        let key = (Id::from(*mission), i64::from(*number));
        match entry {
            Some(entry) => {
                let json = serde_json::to_vec(entry).map_err(|error| StoreError::Backend {
                    what: error.to_string(),
                })?;
                put.push((key, *entry, json));
            }
            None => removed.push(key),
        }
    }
    let put = (!put.is_empty()).then(|| -> Vec<Param<'b>> {
        vec![
            column(put.iter(), |((mission, _), _, _)| *mission),
            column(put.iter(), |((_, number), _, _)| *number),
            column(put.iter(), |(_, entry, _)| severity_rank(entry.severity)),
            column(put.iter(), |(_, entry, _)| entry.deadline.0),
            column(put.into_iter(), |(_, _, json)| json),
        ]
    });
    let removed = (!removed.is_empty()).then(|| -> Vec<Param<'b>> {
        vec![
            column(removed.iter(), |(mission, _)| *mission),
            column(removed.iter(), |(_, number)| *number),
        ]
    });
    Ok((put, removed))
}

fn blob_columns<'b>(blobs: &[(Id, &'b Blob)]) -> Vec<Param<'b>> {
    let all = || blobs.iter().copied();
    vec![
        column(all(), |(mission, _)| mission),
        column(all(), |(_, blob)| &blob.digest.as_bytes()[..]),
        column(all(), |(_, blob)| &blob.bytes[..]),
    ]
}

fn snapshot_columns<'b>(snapshots: &[(&MissionId, &&'b Snapshot)]) -> Vec<Param<'b>> {
    let all = || snapshots.iter().map(|(_, snapshot)| **snapshot);
    vec![
        column(snapshots.iter(), |(mission, _)| Id::from(**mission)),
        column(all(), |snapshot| snapshot.head.seq.cast_signed()),
        column(all(), |snapshot| &snapshot.head.hash.as_bytes()[..]),
        column(all(), |snapshot| i32::from(snapshot.version)),
        column(all(), |snapshot| &snapshot.passport[..]),
    ]
}
