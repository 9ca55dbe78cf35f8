//! Rows as columns: what a statement of many rows is given, one array for each column.

use adjutant_mission::{MissionId, Summary};
use adjutant_store::{
    AttestationRow, Blob, InboxRow, Sealed, Snapshot, StoredEvent, SubjectTag, WrappedKey,
};
use tokio_postgres::types::ToSql;

use crate::rows::{Id, severity_rank, zone_name};

pub(crate) type Param<'b> = Box<dyn ToSql + Sync + Send + 'b>;

/// One value of each row. Every row is something to choose from.
fn column<'b, R: Copy, T: ToSql + Sync + Send + 'b>(
    rows: &[R],
    of: impl FnMut(R) -> T,
) -> Param<'b> {
    Box::new(rows.iter().copied().map(of).collect::<Vec<T>>())
}

pub(crate) fn missions<'b>(rows: &[MissionId]) -> Param<'b> {
    column(rows, Id::from)
}

pub(crate) fn summaries<'b>(rows: &[&'b Summary<Sealed>]) -> Vec<Param<'b>> {
    vec![
        column(rows, |row| Id::from(row.mission)),
        column(rows, |row| &row.title.0[..]),
        column(rows, |row| row.phase.name()),
        column(rows, |row| row.phase.is_ended()),
        column(rows, |row| row.paused),
        column(rows, |row| i64::from(row.tasks_total)),
        column(rows, |row| i64::from(row.tasks_ended)),
        column(rows, |row| i64::from(row.checkpoints_open)),
        column(rows, |row| row.used.money.0.cast_signed()),
        column(rows, |row| row.used.tokens.cast_signed()),
        column(rows, |row| row.opened_at.0),
        column(rows, |row| row.updated_at.0),
        column(rows, |row| row.wake_at.map(|at| at.0)),
    ]
}

pub(crate) fn keys<'b>(rows: &[(MissionId, &'b WrappedKey)]) -> Vec<Param<'b>> {
    vec![
        column(rows, |(mission, _)| Id::from(mission)),
        column(rows, |(_, key)| &key.0[..]),
    ]
}

pub(crate) fn subjects<'b>(rows: &[(MissionId, &'b SubjectTag)]) -> Vec<Param<'b>> {
    vec![
        column(rows, |(mission, _)| Id::from(mission)),
        column(rows, |(_, subject)| &subject.0[..]),
    ]
}

pub(crate) fn events<'b>(rows: &[(MissionId, &'b StoredEvent)]) -> Vec<Param<'b>> {
    vec![
        column(rows, |(mission, _)| Id::from(mission)),
        column(rows, |(_, event)| event.seq.cast_signed()),
        column(rows, |(_, event)| &event.hash.as_bytes()[..]),
        column(rows, |(_, event)| &event.bytes[..]),
    ]
}

pub(crate) fn blobs<'b>(rows: &[(MissionId, &'b Blob)]) -> Vec<Param<'b>> {
    vec![
        column(rows, |(mission, _)| Id::from(mission)),
        column(rows, |(_, blob)| &blob.digest.as_bytes()[..]),
        column(rows, |(_, blob)| zone_name(blob.zone)),
        column(rows, |(_, blob)| &blob.bytes[..]),
    ]
}

pub(crate) fn snapshots<'b>(rows: &[(MissionId, &'b Snapshot)]) -> Vec<Param<'b>> {
    vec![
        column(rows, |(mission, _)| Id::from(mission)),
        column(rows, |(_, snapshot)| snapshot.head.seq.cast_signed()),
        column(rows, |(_, snapshot)| &snapshot.head.hash.as_bytes()[..]),
        column(rows, |(_, snapshot)| i32::from(snapshot.version)),
        column(rows, |(_, snapshot)| &snapshot.passport.0[..]),
    ]
}

pub(crate) fn inbox<'b>(rows: &[&'b InboxRow]) -> Vec<Param<'b>> {
    vec![
        column(rows, |row| Id::from(row.checkpoint.mission)),
        column(rows, |row| i64::from(row.checkpoint.number.get())),
        column(rows, |row| severity_rank(row.severity)),
        column(rows, |row| row.deadline.0),
        column(rows, |row| &row.entry.0[..]),
    ]
}

pub(crate) fn attestations<'b>(rows: &'b [AttestationRow]) -> Vec<Param<'b>> {
    let rows: Vec<&AttestationRow> = rows.iter().collect();
    vec![
        column(&rows, |row| row.number.cast_signed()),
        column(&rows, |row| Id::from(row.mission)),
        column(&rows, |row| &row.bytes[..]),
    ]
}
