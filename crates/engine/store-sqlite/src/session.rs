//! The writer's statements: how one batch is written inside an open transaction.
//!
//! Transactions, and what to do when one fails, are the writer's business.

use std::collections::HashMap;

use adjutant_mission::{MissionId, Phase, Summary, TenantId};
use adjutant_store::{
    Batch, Blob, ChainHead, InboxChange, InboxRow, Retention, Sealed, Snapshot, StoredEvent,
    SubjectTag, WrappedKey,
};
use rusqlite::{Connection, OptionalExtension, Statement, params};

use crate::changes;
use crate::heads::{Key, MissionHead};
use crate::rows::{self, mission_bytes};

/// Every statement of the hot path, prepared once for the life of the writer.
#[derive(Debug)]
pub(crate) struct Session<'c> {
    begin: Statement<'c>,
    commit: Statement<'c>,
    find_mission: Statement<'c>,
    find_head: Statement<'c>,
    insert_mission: Statement<'c>,
    insert_event: Statement<'c>,
    find_position: Statement<'c>,
    update_summary: Statement<'c>,
    update_phase: Statement<'c>,
    update_wake: Statement<'c>,
    add_count: Statement<'c>,
    put_inbox: Statement<'c>,
    remove_inbox: Statement<'c>,
    put_blob: Statement<'c>,
    put_snapshot: Statement<'c>,
    put_key: Statement<'c>,
    put_subject: Statement<'c>,
    /// What the open transaction adds to tenants' usage, written once at its end.
    usage: HashMap<TenantId, u64>,
}

impl<'c> Session<'c> {
    pub(crate) fn prepare(connection: &'c Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            begin: connection.prepare("BEGIN IMMEDIATE")?,
            commit: connection.prepare("COMMIT")?,
            find_mission: connection.prepare(&format!(
                "SELECT {} FROM missions WHERE tenant = ?1 AND mission = ?2",
                rows::MISSION_COLUMNS
            ))?,
            find_head: connection.prepare(
                "SELECT seq, hash FROM events WHERE mission = ?1 ORDER BY seq DESC LIMIT 1",
            )?,
            insert_mission: connection.prepare(
                "INSERT INTO missions (tenant, mission, title, phase, ended, paused, tasks_total,
                     tasks_ended, checkpoints_open, used_money, used_tokens, opened_at, updated_at, wake_at,
                     origin, kept)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
            )?,
            insert_event: connection
                .prepare("INSERT INTO events (pos, mission, seq, hash, bytes) VALUES (?1, ?2, ?3, ?4, ?5)")?,
            find_position: connection.prepare(
                "SELECT max(positions_given.pos, coalesce((SELECT max(pos) FROM events), 0)) FROM positions_given",
            )?,
            // No indexed column stands in this statement, so the common append touches no index of
            // `missions`: SQLite rewrites the entries of every column that is named, changed or not.
            update_summary: connection.prepare(
                "UPDATE missions SET title = ?2, paused = ?3, tasks_total = ?4, tasks_ended = ?5,
                     checkpoints_open = ?6, used_money = ?7, used_tokens = ?8, opened_at = ?9, updated_at = ?10
                 WHERE id = ?1",
            )?,
            update_phase: connection
                .prepare("UPDATE missions SET phase = ?2, ended = ?3 WHERE id = ?1")?,
            update_wake: connection.prepare("UPDATE missions SET wake_at = ?2 WHERE id = ?1")?,
            add_count: connection.prepare(
                "INSERT INTO counts (tenant, phase, n) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET n = n + ?3",
            )?,
            put_inbox: connection.prepare(
                "INSERT INTO inbox (tenant, mission, number, severity, deadline, entry)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT DO UPDATE SET severity = ?4, deadline = ?5, entry = ?6",
            )?,
            remove_inbox: connection.prepare(
                "DELETE FROM inbox WHERE tenant = ?1 AND mission = ?2 AND number = ?3",
            )?,
            put_blob: connection.prepare(
                "INSERT INTO blobs (mission, digest, bytes, zone) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO NOTHING",
            )?,
            put_snapshot: connection.prepare(
                "INSERT INTO snapshots (mission, seq, hash, version, passport)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO UPDATE SET seq = ?2, hash = ?3, version = ?4, passport = ?5",
            )?,
            put_key: connection
                .prepare("INSERT INTO mission_keys (mission, wrapped) VALUES (?1, ?2)")?,
            put_subject: connection.prepare(
                "INSERT INTO subjects (tenant, subject, mission) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO NOTHING",
            )?,
            usage: HashMap::new(),
        })
    }

    pub(crate) fn begin(&mut self) -> rusqlite::Result<()> {
        self.usage.clear();
        self.begin.execute([]).map(drop)
    }

    pub(crate) fn commit(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        for (tenant, by) in self.usage.drain() {
            changes::change_usage(connection, &tenant, by.cast_signed())?;
        }
        self.commit.execute([]).map(drop)
    }

    /// Reads where a mission stands.
    pub(crate) fn load(&mut self, (tenant, mission): &Key) -> rusqlite::Result<MissionHead> {
        let found = self
            .find_mission
            .query_row(params![tenant.as_str(), mission_bytes(*mission)], |row| {
                let id = row.get::<_, i64>(rows::MISSION_ID_COLUMN)?;
                Ok((id, rows::mission_row(row)?))
            })
            .optional()?;
        let genesis = ChainHead::genesis(tenant, *mission);
        let Some((row, kept)) = found else {
            return Ok(MissionHead {
                row: None,
                head: genesis,
                summary: None,
                kept: Retention::Working,
            });
        };
        let head = self
            .find_head
            .query_row([row], |row| {
                Ok(ChainHead {
                    seq: rows::seq(row, 0)?,
                    hash: rows::hash(row, 1)?,
                })
            })
            .optional()?;
        Ok(MissionHead {
            row: Some(row),
            head: head.unwrap_or(genesis),
            summary: Some(kept.summary),
            kept: kept.kept,
        })
    }

    /// Writes a batch that fits `known`, and moves `known` on.
    pub(crate) fn write(
        &mut self,
        connection: &Connection,
        tenant: &TenantId,
        batch: Batch,
        known: &mut MissionHead,
    ) -> rusqlite::Result<()> {
        let row = match (known.row, &known.summary) {
            (Some(row), Some(before)) => {
                self.change_mission(row, tenant, before, &batch.summary)?;
                row
            }
            _ => self.open_mission(
                connection,
                tenant,
                tenant,
                Retention::Working,
                &batch.summary,
            )?,
        };
        if let Some(opening) = &batch.opening {
            self.put_key(row, &opening.key)?;
            self.put_subjects(tenant, batch.mission, &opening.subjects)?;
        }
        self.put_events(row, &batch.events)?;
        self.change_inbox(tenant, batch.mission, &batch.inbox)?;
        let new_blobs = self.put_blobs(row, &batch.blobs)?;
        if let Some(snapshot) = &batch.snapshot {
            self.replace_snapshot(row, snapshot)?;
        }
        *self.usage.entry(tenant.clone()).or_default() += batch.event_bytes() + new_blobs;
        if batch.erases {
            changes::drop_content(connection, tenant, batch.mission, row)?;
            connection.execute(
                "UPDATE missions SET kept = ?2 WHERE id = ?1",
                params![row, Retention::Erased.name()],
            )?;
            known.kept = Retention::Erased;
        }
        known.row = Some(row);
        known.summary = Some(batch.summary);
        if let Some(head) = batch.events.last().map(StoredEvent::head) {
            known.head = head;
        }
        Ok(())
    }

    /// Writes a mission's first row, and gives its number.
    pub(crate) fn open_mission(
        &mut self,
        connection: &Connection,
        tenant: &TenantId,
        origin: &TenantId,
        kept: Retention,
        summary: &Summary<Sealed>,
    ) -> rusqlite::Result<i64> {
        self.count(tenant, summary.phase, 1)?;
        self.insert_mission.execute(params![
            tenant.as_str(),
            mission_bytes(summary.mission),
            summary.title.0,
            summary.phase.name(),
            summary.phase.is_ended(),
            summary.paused,
            summary.tasks_total,
            summary.tasks_ended,
            summary.checkpoints_open,
            summary.used.money.0.cast_signed(),
            summary.used.tokens.cast_signed(),
            summary.opened_at.0,
            summary.updated_at.0,
            summary.wake_at.map(|at| at.0),
            origin.as_str(),
            kept.name(),
        ])?;
        Ok(connection.last_insert_rowid())
    }

    pub(crate) fn put_key(&mut self, row: i64, key: &WrappedKey) -> rusqlite::Result<()> {
        self.put_key.execute(params![row, key.0]).map(drop)
    }

    pub(crate) fn put_subjects(
        &mut self,
        tenant: &TenantId,
        mission: MissionId,
        subjects: &[SubjectTag],
    ) -> rusqlite::Result<()> {
        for subject in subjects {
            self.put_subject.execute(params![
                tenant.as_str(),
                subject.0,
                mission_bytes(mission)
            ])?;
        }
        Ok(())
    }

    pub(crate) fn put_events(&mut self, row: i64, events: &[StoredEvent]) -> rusqlite::Result<()> {
        let last: i64 = self.find_position.query_row([], |row| row.get(0))?;
        for (position, event) in (last + 1..).zip(events) {
            self.insert_event.execute(params![
                position,
                row,
                event.seq.cast_signed(),
                event.hash.as_bytes(),
                event.bytes
            ])?;
        }
        Ok(())
    }

    fn change_mission(
        &mut self,
        row: i64,
        tenant: &TenantId,
        before: &Summary<Sealed>,
        now: &Summary<Sealed>,
    ) -> rusqlite::Result<()> {
        if before == now {
            return Ok(());
        }
        if now.phase != before.phase {
            self.count(tenant, before.phase, -1)?;
            self.count(tenant, now.phase, 1)?;
            self.update_phase
                .execute(params![row, now.phase.name(), now.phase.is_ended()])?;
        }
        if now.wake_at != before.wake_at {
            self.update_wake
                .execute(params![row, now.wake_at.map(|at| at.0)])?;
        }
        self.update_summary
            .execute(params![
                row,
                now.title.0,
                now.paused,
                now.tasks_total,
                now.tasks_ended,
                now.checkpoints_open,
                now.used.money.0.cast_signed(),
                now.used.tokens.cast_signed(),
                now.opened_at.0,
                now.updated_at.0,
            ])
            .map(drop)
    }

    fn count(&mut self, tenant: &TenantId, phase: Phase, by: i64) -> rusqlite::Result<()> {
        self.add_count
            .execute(params![tenant.as_str(), phase.name(), by])
            .map(drop)
    }

    fn change_inbox(
        &mut self,
        tenant: &TenantId,
        mission: MissionId,
        changes: &[InboxChange],
    ) -> rusqlite::Result<()> {
        for change in changes {
            match change {
                InboxChange::Put(row) => self.put_inbox_row(tenant, row)?,
                InboxChange::Remove(number) => {
                    self.remove_inbox.execute(params![
                        tenant.as_str(),
                        mission_bytes(mission),
                        number.get()
                    ])?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn put_inbox_row(
        &mut self,
        tenant: &TenantId,
        row: &InboxRow,
    ) -> rusqlite::Result<()> {
        self.put_inbox
            .execute(params![
                tenant.as_str(),
                mission_bytes(row.checkpoint.mission),
                row.checkpoint.number.get(),
                rows::severity_rank(row.severity),
                row.deadline.0,
                row.entry.0,
            ])
            .map(drop)
    }

    /// Writes the blobs that are not there yet, and gives how many bytes those are.
    pub(crate) fn put_blobs(&mut self, row: i64, blobs: &[Blob]) -> rusqlite::Result<u64> {
        let mut new = 0;
        for blob in blobs {
            let (digest, zone) = (blob.digest.as_bytes(), rows::zone_name(blob.zone));
            let written = self
                .put_blob
                .execute(params![row, digest, blob.bytes, zone])?;
            if written > 0 {
                new += blob.bytes.len() as u64;
            }
        }
        Ok(new)
    }

    pub(crate) fn replace_snapshot(
        &mut self,
        row: i64,
        snapshot: &Snapshot,
    ) -> rusqlite::Result<()> {
        self.put_snapshot
            .execute(params![
                row,
                snapshot.head.seq.cast_signed(),
                snapshot.head.hash.as_bytes(),
                snapshot.version,
                snapshot.passport.0,
            ])
            .map(drop)
    }
}
