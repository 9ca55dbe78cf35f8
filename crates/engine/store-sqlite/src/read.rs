//! The queries, one function each. Every one that touches a tenant's data names the tenant.

use adjutant_mission::{MissionId, Phase, TenantId, Timestamp};
use adjutant_store::{
    Asked, BlobDigest, ChainHead, Due, ListOrder, ListQuery, MissionRange, MissionRow, PhaseCounts,
    Placed, Snapshot, StoredEvent, WrappedKey,
};
use rusqlite::{Connection, OptionalExtension, Params, Row, Statement, StatementStatus, params};

use crate::rows::{self, mission_bytes};

pub(crate) const MISSION_ROW: &str = "(SELECT id FROM missions WHERE tenant = ?1 AND mission = ?2)";

pub(crate) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map(params, read)?.collect();
    check_effort(&statement);
    found
}

pub(crate) fn one<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Option<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params, read).optional();
    check_effort(&statement);
    found
}

/// Every query walks an index in the order it answers in: what it costs must not grow with the store.
fn check_effort(statement: &Statement<'_>) {
    debug_assert_eq!(statement.get_status(StatementStatus::FullscanStep), 0);
    debug_assert_eq!(statement.get_status(StatementStatus::Sort), 0);
}

pub(crate) fn events(
    connection: &Connection,
    tenant: &TenantId,
    mission: MissionId,
    from_seq: u64,
    limit: u32,
) -> rusqlite::Result<Vec<StoredEvent>> {
    let Ok(from_seq) = i64::try_from(from_seq) else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "SELECT seq, hash, bytes FROM events
         WHERE mission = {MISSION_ROW} AND seq >= ?3 ORDER BY seq LIMIT ?4"
    );
    let params = params![tenant.as_str(), mission_bytes(mission), from_seq, limit];
    all(connection, &sql, params, rows::event)
}

pub(crate) fn order(
    connection: &Connection,
    tenant: &TenantId,
    after: u64,
    limit: u32,
) -> rusqlite::Result<Vec<Placed>> {
    let Ok(after) = i64::try_from(after) else {
        return Ok(Vec::new());
    };
    // By the events, one after the other: whichever comes first in the statement would be walked whole.
    let sql = "SELECT events.pos, missions.mission, events.seq FROM events
        CROSS JOIN missions ON missions.id = events.mission
        WHERE events.pos > ?2 AND missions.tenant = ?1 ORDER BY events.pos LIMIT ?3";
    all(
        connection,
        sql,
        params![tenant.as_str(), after, limit],
        |row| {
            Ok(Placed {
                position: rows::seq(row, 0)?,
                mission: rows::mission(row, 1)?,
                seq: rows::seq(row, 2)?,
            })
        },
    )
}

pub(crate) fn newest(connection: &Connection, tenant: &TenantId) -> rusqlite::Result<u64> {
    let sql = "SELECT events.pos FROM events
        CROSS JOIN missions ON missions.id = events.mission
        WHERE events.pos > 0 AND missions.tenant = ?1 ORDER BY events.pos DESC LIMIT 1";
    let found = one(connection, sql, [tenant.as_str()], |row| rows::seq(row, 0))?;
    Ok(found.unwrap_or(0))
}

pub(crate) fn head(
    connection: &Connection,
    tenant: &TenantId,
    mission: MissionId,
) -> rusqlite::Result<Option<ChainHead>> {
    let sql = format!(
        "SELECT seq, hash FROM events WHERE mission = {MISSION_ROW} ORDER BY seq DESC LIMIT 1"
    );
    let params = params![tenant.as_str(), mission_bytes(mission)];
    one(connection, &sql, params, |row| {
        Ok(ChainHead {
            seq: rows::seq(row, 0)?,
            hash: rows::hash(row, 1)?,
        })
    })
}

pub(crate) fn snapshot(
    connection: &Connection,
    tenant: &TenantId,
    mission: MissionId,
) -> rusqlite::Result<Option<Snapshot>> {
    let sql =
        format!("SELECT seq, hash, version, passport FROM snapshots WHERE mission = {MISSION_ROW}");
    let params = params![tenant.as_str(), mission_bytes(mission)];
    one(connection, &sql, params, rows::snapshot)
}

pub(crate) fn blob(
    connection: &Connection,
    tenant: &TenantId,
    mission: MissionId,
    digest: BlobDigest,
) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql = format!("SELECT bytes FROM blobs WHERE mission = {MISSION_ROW} AND digest = ?3");
    let params = params![tenant.as_str(), mission_bytes(mission), digest.as_bytes()];
    one(connection, &sql, params, |row| row.get(0))
}

pub(crate) fn row(
    connection: &Connection,
    tenant: &TenantId,
    mission: MissionId,
) -> rusqlite::Result<Option<MissionRow>> {
    let sql = format!(
        "SELECT {} FROM missions WHERE tenant = ?1 AND mission = ?2",
        rows::MISSION_COLUMNS
    );
    let params = params![tenant.as_str(), mission_bytes(mission)];
    one(connection, &sql, params, rows::mission_row)
}

pub(crate) fn list(
    connection: &Connection,
    tenant: &TenantId,
    query: &ListQuery,
) -> rusqlite::Result<Vec<MissionRow>> {
    let Some(bound) = query.bound() else {
        return Ok(Vec::new());
    };
    let bound = bound.bits().to_be_bytes();
    let (past, order) = match query.order {
        ListOrder::NewestFirst => ("<=", "DESC"),
        ListOrder::OldestFirst => (">=", "ASC"),
    };
    let Some(phases) = &query.phases else {
        let sql = format!(
            "SELECT {} FROM missions WHERE tenant = ?1 AND mission {past} ?2
             ORDER BY mission {order} LIMIT ?3",
            rows::MISSION_COLUMNS
        );
        let params = params![tenant.as_str(), bound, query.limit];
        return all(connection, &sql, params, rows::mission_row);
    };
    // One walk of the index per phase, merged here: SQLite would sort all matches of `phase IN (…)`.
    let sql = format!(
        "SELECT {} FROM missions WHERE tenant = ?1 AND phase = ?4 AND mission {past} ?2
         ORDER BY mission {order} LIMIT ?3",
        rows::MISSION_COLUMNS
    );
    let mut found = Vec::new();
    for phase in Phase::ALL.iter().filter(|phase| phases.contains(phase)) {
        let params = params![tenant.as_str(), bound, query.limit, phase.name()];
        found.extend(all(connection, &sql, params, rows::mission_row)?);
    }
    found.sort_by_key(|row| row.summary.mission);
    if query.order == ListOrder::NewestFirst {
        found.reverse();
    }
    found.truncate(query.limit as usize);
    Ok(found)
}

pub(crate) fn counts(connection: &Connection, tenant: &TenantId) -> rusqlite::Result<PhaseCounts> {
    let sql = "SELECT phase, n FROM counts WHERE tenant = ?1 AND n > 0";
    let mut counts = all(connection, sql, [tenant.as_str()], |row| {
        Ok((rows::phase(row, 0)?, rows::seq(row, 1)?))
    })?;
    counts.sort_unstable();
    Ok(counts)
}

pub(crate) fn inbox(
    connection: &Connection,
    tenant: &TenantId,
    limit: u32,
) -> rusqlite::Result<Vec<Asked>> {
    let sql = "SELECT mission, number, severity, deadline, entry,
             (SELECT wrapped FROM mission_keys JOIN missions ON missions.id = mission_keys.mission
              WHERE missions.tenant = ?1 AND missions.mission = inbox.mission)
         FROM inbox WHERE tenant = ?1 ORDER BY severity, deadline, mission, number LIMIT ?2";
    all(connection, sql, params![tenant.as_str(), limit], |row| {
        Ok(Asked {
            row: rows::inbox_row(row)?,
            key: row.get::<_, Option<Vec<u8>>>(5)?.map(WrappedKey),
        })
    })
}

pub(crate) fn find(
    connection: &Connection,
    tenant: &TenantId,
    range: &MissionRange,
    limit: u32,
) -> rusqlite::Result<Vec<MissionId>> {
    let sql = "SELECT mission FROM missions WHERE tenant = ?1 AND mission BETWEEN ?2 AND ?3
               ORDER BY mission DESC LIMIT ?4";
    let (first, last) = (mission_bytes(*range.start()), mission_bytes(*range.end()));
    let params = params![tenant.as_str(), first, last, limit];
    all(connection, sql, params, |row| rows::mission(row, 0))
}

pub(crate) fn due(
    connection: &Connection,
    now: Timestamp,
    limit: u32,
) -> rusqlite::Result<Vec<Due>> {
    let sql = "SELECT tenant, mission, wake_at FROM missions
               WHERE ended = 0 AND kept = 'working' AND wake_at IS NOT NULL AND wake_at <= ?1 ORDER BY wake_at LIMIT ?2";
    all(connection, sql, params![now.0, limit], |row| {
        Ok(Due {
            tenant: rows::tenant(row, 0)?,
            mission: rows::mission(row, 1)?,
            wake_at: Timestamp(row.get(2)?),
        })
    })
}

pub(crate) fn next_wake(
    connection: &Connection,
    now: Timestamp,
) -> rusqlite::Result<Option<Timestamp>> {
    let sql = "SELECT wake_at FROM missions
               WHERE ended = 0 AND kept = 'working' AND wake_at IS NOT NULL AND wake_at > ?1 ORDER BY wake_at LIMIT 1";
    one(connection, sql, [now.0], |row| row.get(0).map(Timestamp))
}
