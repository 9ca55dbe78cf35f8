//! The queries, one function each. Every one that touches a tenant's data names the tenant, though row
//! security would show it no other's: either alone must be enough.

use adjutant_mission::{MissionId, Phase, TenantId, Timestamp};
use adjutant_store::{
    Asked, BlobDigest, ChainHead, Due, ListOrder, ListQuery, MissionRange, MissionRow, PhaseCounts,
    Placed, Snapshot, StoreError, StoredEvent, WrappedKey,
};
use tokio_postgres::Row;

use crate::readers::Readers;
use crate::rows::{self, Id, mission_columns};
use crate::session::Params;

const EVENTS: &str = "SELECT seq, hash, bytes FROM events
    WHERE tenant = $1 AND mission = $2 AND seq >= $3 ORDER BY seq LIMIT $4";
const ORDER: &str = "SELECT pos, mission, seq FROM events
    WHERE tenant = $1 AND pos > $2 ORDER BY pos LIMIT $3";
const NEWEST: &str = "SELECT pos FROM events WHERE tenant = $1 ORDER BY pos DESC LIMIT 1";
const HEAD: &str = "SELECT seq, hash FROM events
    WHERE tenant = $1 AND mission = $2 ORDER BY seq DESC LIMIT 1";
pub(crate) const SNAPSHOT: &str = "SELECT seq, hash, version, passport FROM snapshots
    WHERE tenant = $1 AND mission = $2";
const BLOB: &str = "SELECT bytes FROM blobs WHERE tenant = $1 AND mission = $2 AND digest = $3";
pub(crate) const MISSION: &str = concat!(
    "SELECT ",
    mission_columns!(),
    " FROM missions WHERE tenant = $1 AND mission = $2"
);
const LIST: &str = concat!(
    "SELECT ",
    mission_columns!(),
    " FROM missions WHERE tenant = $1 AND mission <= $2 ORDER BY mission DESC LIMIT $3"
);
const LIST_OLDEST: &str = concat!(
    "SELECT ",
    mission_columns!(),
    " FROM missions WHERE tenant = $1 AND mission >= $2 ORDER BY mission LIMIT $3"
);
/// One walk of the index per phase; only what they found, at most `$3` each, is sorted.
pub(crate) const LIST_PHASES: &str = concat!(
    "SELECT ",
    mission_columns!(),
    " FROM unnest($4::text[]) AS wanted (phase_name) CROSS JOIN LATERAL (
          SELECT * FROM missions
          WHERE tenant = $1 AND phase = wanted.phase_name AND mission <= $2
          ORDER BY mission DESC LIMIT $3
      ) AS missions ORDER BY mission DESC LIMIT $3"
);
pub(crate) const LIST_PHASES_OLDEST: &str = concat!(
    "SELECT ",
    mission_columns!(),
    " FROM unnest($4::text[]) AS wanted (phase_name) CROSS JOIN LATERAL (
          SELECT * FROM missions
          WHERE tenant = $1 AND phase = wanted.phase_name AND mission >= $2
          ORDER BY mission LIMIT $3
      ) AS missions ORDER BY mission LIMIT $3"
);
const COUNTS: &str = "SELECT phase, n FROM counts WHERE tenant = $1 AND n > 0";
const INBOX: &str = "
    SELECT mission, number, severity, deadline, entry,
        (SELECT wrapped FROM mission_keys WHERE mission_keys.tenant = $1
            AND mission_keys.mission = inbox.mission)
    FROM inbox WHERE tenant = $1 ORDER BY severity, deadline, mission, number LIMIT $2";
const FIND: &str = "SELECT mission FROM missions WHERE tenant = $1 AND mission BETWEEN $2 AND $3
    ORDER BY mission DESC LIMIT $4";
const DUE: &str = "SELECT tenant, mission, wake_at FROM due($1, $2)";
const NEXT_WAKE: &str = "SELECT next_wake($1)";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    EVENTS,
    ORDER,
    NEWEST,
    HEAD,
    SNAPSHOT,
    BLOB,
    MISSION,
    LIST,
    LIST_OLDEST,
    LIST_PHASES,
    LIST_PHASES_OLDEST,
    COUNTS,
    INBOX,
    FIND,
    DUE,
    NEXT_WAKE,
];

pub(crate) fn all<T>(
    rows: &[Row],
    read: impl FnMut(&Row) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    rows.iter().map(read).collect()
}

pub(crate) async fn events(
    readers: &Readers,
    tenant: &TenantId,
    mission: MissionId,
    from_seq: u64,
    limit: u32,
) -> Result<Vec<StoredEvent>, StoreError> {
    let Ok(from_seq) = i64::try_from(from_seq) else {
        return Ok(Vec::new());
    };
    let (mission, limit) = (Id::from(mission), i64::from(limit));
    let params: Params<'_> = &[&tenant.as_str(), &mission, &from_seq, &limit];
    all(
        &readers.rows(Some(tenant), EVENTS, params).await?,
        rows::event,
    )
}

pub(crate) async fn order(
    readers: &Readers,
    tenant: &TenantId,
    after: u64,
    limit: u32,
) -> Result<Vec<Placed>, StoreError> {
    let Ok(after) = i64::try_from(after) else {
        return Ok(Vec::new());
    };
    let params: Params<'_> = &[&tenant.as_str(), &after, &i64::from(limit)];
    all(&readers.rows(Some(tenant), ORDER, params).await?, |row| {
        Ok(Placed {
            position: rows::get::<i64>(row, 0)?.cast_unsigned(),
            mission: rows::mission(row, 1)?,
            seq: rows::get::<i64>(row, 2)?.cast_unsigned(),
        })
    })
}

pub(crate) async fn newest(readers: &Readers, tenant: &TenantId) -> Result<u64, StoreError> {
    let params: Params<'_> = &[&tenant.as_str()];
    let found = readers.rows(Some(tenant), NEWEST, params).await?;
    let newest = found
        .first()
        .map(|row| rows::get::<i64>(row, 0))
        .transpose()?;
    Ok(newest.map_or(0, i64::cast_unsigned))
}

pub(crate) async fn head(
    readers: &Readers,
    tenant: &TenantId,
    mission: MissionId,
) -> Result<Option<ChainHead>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str(), &Id::from(mission)];
    let found = readers.rows(Some(tenant), HEAD, params).await?;
    found.first().map(|row| rows::head(row, 0)).transpose()
}

pub(crate) async fn snapshot(
    readers: &Readers,
    tenant: &TenantId,
    mission: MissionId,
) -> Result<Option<Snapshot>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str(), &Id::from(mission)];
    let found = readers.rows(Some(tenant), SNAPSHOT, params).await?;
    found.first().map(rows::snapshot).transpose()
}

pub(crate) async fn blob(
    readers: &Readers,
    tenant: &TenantId,
    mission: MissionId,
    digest: BlobDigest,
) -> Result<Option<Vec<u8>>, StoreError> {
    let digest: &[u8] = digest.as_bytes();
    let params: Params<'_> = &[&tenant.as_str(), &Id::from(mission), &digest];
    let found = readers.rows(Some(tenant), BLOB, params).await?;
    found.first().map(|row| rows::get(row, 0)).transpose()
}

pub(crate) async fn row(
    readers: &Readers,
    tenant: &TenantId,
    mission: MissionId,
) -> Result<Option<MissionRow>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str(), &Id::from(mission)];
    let found = readers.rows(Some(tenant), MISSION, params).await?;
    found.first().map(rows::mission_row).transpose()
}

pub(crate) async fn list(
    readers: &Readers,
    tenant: &TenantId,
    query: &ListQuery,
) -> Result<Vec<MissionRow>, StoreError> {
    let Some(bound) = query.bound() else {
        return Ok(Vec::new());
    };
    let (bound, limit) = (Id::from(bound), i64::from(query.limit));
    let (every, of_phases) = match query.order {
        ListOrder::NewestFirst => (LIST, LIST_PHASES),
        ListOrder::OldestFirst => (LIST_OLDEST, LIST_PHASES_OLDEST),
    };
    let name = tenant.as_str();
    let found = match &query.phases {
        None => {
            let params: Params<'_> = &[&name, &bound, &limit];
            readers.rows(Some(tenant), every, params).await?
        }
        Some(phases) => {
            let phases: Vec<&str> = Phase::ALL
                .iter()
                .filter(|phase| phases.contains(phase))
                .map(|phase| phase.name())
                .collect();
            let params: Params<'_> = &[&name, &bound, &limit, &phases];
            readers.rows(Some(tenant), of_phases, params).await?
        }
    };
    all(&found, rows::mission_row)
}

pub(crate) async fn counts(
    readers: &Readers,
    tenant: &TenantId,
) -> Result<PhaseCounts, StoreError> {
    let found = readers
        .rows(Some(tenant), COUNTS, &[&tenant.as_str()])
        .await?;
    let mut counts = all(&found, |row| {
        Ok((rows::phase(row, 0)?, rows::unsigned(row, 1)?))
    })?;
    counts.sort_unstable();
    Ok(counts)
}

pub(crate) async fn inbox(
    readers: &Readers,
    tenant: &TenantId,
    limit: u32,
) -> Result<Vec<Asked>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str(), &i64::from(limit)];
    let found = readers.rows(Some(tenant), INBOX, params).await?;
    all(&found, |row| {
        Ok(Asked {
            row: rows::inbox_row(row)?,
            key: rows::get::<Option<Vec<u8>>>(row, 5)?.map(WrappedKey),
        })
    })
}

pub(crate) async fn find(
    readers: &Readers,
    tenant: &TenantId,
    range: &MissionRange,
    limit: u32,
) -> Result<Vec<MissionId>, StoreError> {
    let (first, last) = (Id::from(*range.start()), Id::from(*range.end()));
    let params: Params<'_> = &[&tenant.as_str(), &first, &last, &i64::from(limit)];
    let found = readers.rows(Some(tenant), FIND, params).await?;
    all(&found, |row| rows::mission(row, 0))
}

pub(crate) async fn due(
    readers: &Readers,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Due>, StoreError> {
    let params: Params<'_> = &[&now.0, &i64::from(limit)];
    all(&readers.rows(None, DUE, params).await?, |row| {
        Ok(Due {
            tenant: rows::tenant(row, 0)?,
            mission: rows::mission(row, 1)?,
            wake_at: Timestamp(rows::get(row, 2)?),
        })
    })
}

pub(crate) async fn next_wake(
    readers: &Readers,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let found = readers.rows(None, NEXT_WAKE, &[&now.0]).await?;
    let at: Option<i64> = match found.first() {
        Some(row) => rows::get(row, 0)?,
        None => None,
    };
    Ok(at.map(Timestamp))
}
