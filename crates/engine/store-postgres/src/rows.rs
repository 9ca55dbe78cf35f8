//! Columns to values and back. Numbers without a sign keep their bits, so every value survives.

use std::error::Error;
use std::fmt;

use adjutant_mission::{
    CheckpointId, CheckpointNumber, MicroUsd, MissionId, Phase, Severity, Summary, TenantId,
    Timestamp, Usage, Zone,
};
use adjutant_store::{
    AttestationRow, Blob, BlobDigest, ChainHead, EventHash, InboxRow, MissionRow, Retention,
    Sealed, Snapshot, StoreError, StoredEvent, WrappedKey,
};
use bytes::BytesMut;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, accepts, to_sql_checked};

/// 16 bytes as PostgreSQL's `uuid`, which it compares byte by byte: missions by age.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Id([u8; 16]);

impl From<MissionId> for Id {
    fn from(mission: MissionId) -> Self {
        Self(mission.bits().to_be_bytes())
    }
}

impl From<Id> for MissionId {
    fn from(id: Id) -> Self {
        Self::from_bits(u128::from_be_bytes(id.0))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl ToSql for Id {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        out.extend_from_slice(&self.0);
        Ok(IsNull::No)
    }

    accepts!(UUID);
    to_sql_checked!();
}

impl<'a> FromSql<'a> for Id {
    fn from_sql(_: &Type, bytes: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(bytes.try_into()?))
    }

    accepts!(UUID);
}

/// A column of a row that the schema promises to be a `T`.
pub(crate) fn get<'r, T: FromSql<'r>>(row: &'r Row, column: usize) -> Result<T, StoreError> {
    row.try_get(column)
        .map_err(|error| unreadable(&crate::error::said(&error)))
}

pub(crate) fn unreadable(what: &str) -> StoreError {
    StoreError::Corrupt {
        what: what.to_owned(),
    }
}

/// The columns of [`mission_row`], in its order, from something called `missions`.
macro_rules! mission_columns {
    () => {
        "missions.mission, title, phase, paused, tasks_total, tasks_ended, checkpoints_open, used_money, \
         used_tokens, opened_at, updated_at, wake_at, origin, kept, \
         (SELECT wrapped FROM mission_keys WHERE mission_keys.tenant = missions.tenant \
             AND mission_keys.mission = missions.mission)"
    };
}
pub(crate) use mission_columns;

pub(crate) fn mission_row(row: &Row) -> Result<MissionRow, StoreError> {
    Ok(MissionRow {
        summary: summary(row)?,
        origin: tenant(row, 12)?,
        kept: kept(row, 13)?,
        key: get::<Option<Vec<u8>>>(row, 14)?.map(WrappedKey),
    })
}

fn summary(row: &Row) -> Result<Summary<Sealed>, StoreError> {
    Ok(Summary {
        mission: mission(row, 0)?,
        title: Sealed(get(row, 1)?),
        phase: phase(row, 2)?,
        paused: get(row, 3)?,
        tasks_total: number(row, 4)?,
        tasks_ended: number(row, 5)?,
        checkpoints_open: number(row, 6)?,
        used: Usage {
            money: MicroUsd(unsigned(row, 7)?),
            tokens: unsigned(row, 8)?,
        },
        opened_at: Timestamp(get(row, 9)?),
        updated_at: Timestamp(get(row, 10)?),
        wake_at: get::<Option<i64>>(row, 11)?.map(Timestamp),
    })
}

pub(crate) fn mission(row: &Row, column: usize) -> Result<MissionId, StoreError> {
    get::<Id>(row, column).map(MissionId::from)
}

pub(crate) fn phase(row: &Row, column: usize) -> Result<Phase, StoreError> {
    let name: &str = get(row, column)?;
    Phase::ALL
        .into_iter()
        .find(|phase| phase.name() == name)
        .ok_or_else(|| unreadable(&format!("unknown phase `{name}`")))
}

pub(crate) fn kept(row: &Row, column: usize) -> Result<Retention, StoreError> {
    let name: &str = get(row, column)?;
    Retention::ALL
        .into_iter()
        .find(|kept| kept.name() == name)
        .ok_or_else(|| unreadable(&format!("unknown retention `{name}`")))
}

pub(crate) fn tenant(row: &Row, column: usize) -> Result<TenantId, StoreError> {
    TenantId::new(get::<String>(row, column)?).map_err(|error| unreadable(&error.to_string()))
}

pub(crate) fn unsigned(row: &Row, column: usize) -> Result<u64, StoreError> {
    get(row, column).map(i64::cast_unsigned)
}

fn number(row: &Row, column: usize) -> Result<u32, StoreError> {
    let number: i64 = get(row, column)?;
    u32::try_from(number).map_err(|_| unreadable(&format!("{number} is out of range")))
}

/// Columns `seq, hash` from `first` on.
pub(crate) fn head(row: &Row, first: usize) -> Result<ChainHead, StoreError> {
    Ok(ChainHead {
        seq: unsigned(row, first)?,
        hash: EventHash::from_bytes(digest(row, first + 1)?),
    })
}

pub(crate) fn digest(row: &Row, column: usize) -> Result<[u8; 32], StoreError> {
    let bytes: &[u8] = get(row, column)?;
    bytes
        .try_into()
        .map_err(|_| unreadable(&format!("a digest has {} bytes", bytes.len())))
}

/// Columns `seq, hash, bytes`.
pub(crate) fn event(row: &Row) -> Result<StoredEvent, StoreError> {
    let ChainHead { seq, hash } = head(row, 0)?;
    Ok(StoredEvent {
        seq,
        hash,
        bytes: get(row, 2)?,
    })
}

/// Columns `digest, zone, bytes`.
pub(crate) fn blob(row: &Row) -> Result<Blob, StoreError> {
    let zone = match get(row, 1)? {
        "platform" => Zone::Platform,
        "sensitive" => Zone::Sensitive,
        name => return Err(unreadable(&format!("unknown zone `{name}`"))),
    };
    let digest = BlobDigest::from_bytes(digest(row, 0)?);
    Ok(Blob::stored(digest, zone, get(row, 2)?))
}

pub(crate) fn zone_name(zone: Zone) -> &'static str {
    match zone {
        Zone::Platform => "platform",
        Zone::Sensitive => "sensitive",
    }
}

/// Columns `mission, number, severity, deadline, entry`.
pub(crate) fn inbox_row(row: &Row) -> Result<InboxRow, StoreError> {
    Ok(InboxRow {
        checkpoint: CheckpointId {
            mission: mission(row, 0)?,
            number: CheckpointNumber::new(number(row, 1)?),
        },
        severity: match get::<i16>(row, 2)? {
            0 => Severity::Critical,
            1 => Severity::High,
            2 => Severity::Medium,
            rank => return Err(unreadable(&format!("unknown severity {rank}"))),
        },
        deadline: Timestamp(get(row, 3)?),
        entry: Sealed(get(row, 4)?),
    })
}

/// Columns `seq, hash, version, passport`.
pub(crate) fn snapshot(row: &Row) -> Result<Snapshot, StoreError> {
    let version: i32 = get(row, 2)?;
    Ok(Snapshot {
        head: head(row, 0)?,
        version: u16::try_from(version)
            .map_err(|_| unreadable(&format!("unknown snapshot version {version}")))?,
        passport: Sealed(get(row, 3)?),
    })
}

/// Columns `number, mission, bytes`.
pub(crate) fn attestation(row: &Row) -> Result<AttestationRow, StoreError> {
    Ok(AttestationRow {
        number: unsigned(row, 0)?,
        mission: mission(row, 1)?,
        bytes: get(row, 2)?,
    })
}

pub(crate) fn severity_rank(severity: Severity) -> i16 {
    match severity {
        Severity::Critical => 0,
        Severity::High => 1,
        Severity::Medium => 2,
    }
}
