//! Columns to values and back. Numbers without a sign keep their bits, so every value survives.

use adjutant_mission::{
    CheckpointId, CheckpointNumber, MicroUsd, MissionId, Phase, Severity, Summary, TenantId,
    Timestamp, Usage, Zone,
};
use adjutant_store::{
    AttestationRow, Blob, BlobDigest, ChainHead, EventHash, InboxRow, MissionRow, Retention,
    Sealed, Snapshot, StoredEvent, WrappedKey,
};
use rusqlite::Row;
use rusqlite::types::{FromSqlError, Type};

/// The columns of [`mission_row`], in its order.
pub(crate) const MISSION_COLUMNS: &str = "mission, title, phase, paused, tasks_total, tasks_ended, \
     checkpoints_open, used_money, used_tokens, opened_at, updated_at, wake_at, origin, kept, \
     (SELECT wrapped FROM mission_keys WHERE mission_keys.mission = missions.id), id";
/// Where [`MISSION_COLUMNS`] has the row's own number.
pub(crate) const MISSION_ID_COLUMN: usize = 15;

pub(crate) fn mission_row(row: &Row<'_>) -> rusqlite::Result<MissionRow> {
    Ok(MissionRow {
        summary: summary(row)?,
        origin: tenant(row, 12)?,
        kept: kept(row, 13)?,
        key: row.get::<_, Option<Vec<u8>>>(14)?.map(WrappedKey),
    })
}

fn summary(row: &Row<'_>) -> rusqlite::Result<Summary<Sealed>> {
    Ok(Summary {
        mission: mission(row, 0)?,
        title: Sealed(row.get(1)?),
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
        .ok_or_else(|| unreadable(column, format!("unknown phase `{name}`")))
}

fn kept(row: &Row<'_>, column: usize) -> rusqlite::Result<Retention> {
    let name = row.get_ref(column)?.as_str()?;
    Retention::ALL
        .into_iter()
        .find(|kept| kept.name() == name)
        .ok_or_else(|| unreadable(column, format!("unknown retention `{name}`")))
}

pub(crate) fn zone_name(zone: Zone) -> &'static str {
    match zone {
        Zone::Platform => "platform",
        Zone::Sensitive => "sensitive",
    }
}

/// Columns `digest, zone, bytes`.
pub(crate) fn blob(row: &Row<'_>) -> rusqlite::Result<Blob> {
    let zone = match row.get_ref(1)?.as_str()? {
        "platform" => Zone::Platform,
        "sensitive" => Zone::Sensitive,
        name => return Err(unreadable(1, format!("unknown zone `{name}`"))),
    };
    let stored = BlobDigest::from_bytes(row.get(0)?);
    Ok(Blob::stored(stored, zone, row.get(2)?))
}

/// Columns `mission, number, severity, deadline, entry`.
pub(crate) fn inbox_row(row: &Row<'_>) -> rusqlite::Result<InboxRow> {
    Ok(InboxRow {
        checkpoint: CheckpointId {
            mission: mission(row, 0)?,
            number: CheckpointNumber::new(row.get(1)?),
        },
        severity: match row.get::<_, u8>(2)? {
            0 => Severity::Critical,
            1 => Severity::High,
            2 => Severity::Medium,
            rank => return Err(unreadable(2, format!("unknown severity {rank}"))),
        },
        deadline: Timestamp(row.get(3)?),
        entry: Sealed(row.get(4)?),
    })
}

/// Columns `seq, hash, version, passport`.
pub(crate) fn snapshot(row: &Row<'_>) -> rusqlite::Result<Snapshot> {
    Ok(Snapshot {
        head: ChainHead {
            seq: seq(row, 0)?,
            hash: hash(row, 1)?,
        },
        version: row.get(2)?,
        passport: Sealed(row.get(3)?),
    })
}

/// Columns `number, mission, bytes`.
pub(crate) fn attestation(row: &Row<'_>) -> rusqlite::Result<AttestationRow> {
    Ok(AttestationRow {
        number: seq(row, 0)?,
        mission: mission(row, 1)?,
        bytes: row.get(2)?,
    })
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
