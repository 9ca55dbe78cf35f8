//! Columns to values and back. Numbers without a sign keep their bits, so every value survives.

use adjutant_mission::{MicroUsd, MissionId, Phase, Severity, Summary, TenantId, Timestamp, Usage};
use adjutant_store::{EventHash, StoredEvent};
use rusqlite::Row;
use rusqlite::types::{FromSqlError, Type};

/// The columns of [`summary`], in its order.
pub(crate) const SUMMARY_COLUMNS: &str = "mission, title, phase, paused, tasks_total, tasks_ended, \
     checkpoints_open, used_money, used_tokens, opened_at, updated_at, wake_at";

pub(crate) fn summary(row: &Row<'_>) -> rusqlite::Result<Summary> {
    Ok(Summary {
        mission: mission(row, 0)?,
        title: row.get(1)?,
        phase: phase(row, 2)?,
        paused: row.get(3)?,
        tasks_total: row.get(4)?,
        tasks_ended: row.get(5)?,
        checkpoints_open: row.get(6)?,
        used: Usage {
            money: MicroUsd(row.get::<_, i64>(7)?.cast_unsigned()),
            tokens: row.get::<_, i64>(8)?.cast_unsigned(),
        },
        opened_at: Timestamp(row.get(9)?),
        updated_at: Timestamp(row.get(10)?),
        wake_at: row.get::<_, Option<i64>>(11)?.map(Timestamp),
    })
}

pub(crate) fn mission(row: &Row<'_>, column: usize) -> rusqlite::Result<MissionId> {
    let bytes: [u8; 16] = row.get(column)?;
    Ok(MissionId::from_bits(u128::from_be_bytes(bytes)))
}

pub(crate) fn mission_bytes(mission: MissionId) -> [u8; 16] {
    mission.bits().to_be_bytes()
}

pub(crate) fn phase(row: &Row<'_>, column: usize) -> rusqlite::Result<Phase> {
    let name = row.get_ref(column)?.as_str()?;
    Phase::ALL
        .into_iter()
        .find(|phase| phase.name() == name)
        .ok_or_else(|| unreadable(column, format!("`{name}` is no phase")))
}

pub(crate) fn tenant(row: &Row<'_>, column: usize) -> rusqlite::Result<TenantId> {
    let name: String = row.get(column)?;
    TenantId::new(name).map_err(|error| unreadable(column, error.to_string()))
}

pub(crate) fn hash(row: &Row<'_>, column: usize) -> rusqlite::Result<EventHash> {
    row.get(column).map(EventHash::from_bytes)
}

pub(crate) fn seq(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get(column).map(i64::cast_unsigned)
}

/// Columns `seq, hash, bytes`.
pub(crate) fn event(row: &Row<'_>) -> rusqlite::Result<StoredEvent> {
    Ok(StoredEvent {
        seq: seq(row, 0)?,
        hash: hash(row, 1)?,
        bytes: row.get(2)?,
    })
}

pub(crate) fn severity_rank(severity: Severity) -> u8 {
    match severity {
        Severity::Critical => 0,
        Severity::High => 1,
        Severity::Medium => 2,
    }
}

pub(crate) fn unreadable(column: usize, why: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(
        column,
        Type::Text,
        Box::new(FromSqlError::Other(why.into())),
    )
}
