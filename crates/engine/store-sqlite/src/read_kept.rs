//! The queries about keys, subjects, attestations and whole missions.

use adjutant_mission::{MissionId, TenantId};
use adjutant_store::{AttestationRow, SubjectTag, WholeMission, WrappedKey};
use rusqlite::{Connection, params};

use crate::read::{MISSION_ROW, all, one};
use crate::rows::{self, mission_bytes};

pub(crate) fn tenants(connection: &Connection) -> rusqlite::Result<Vec<TenantId>> {
    // The whole of a small table, and no other query may walk one.
    let mut statement = connection.prepare_cached("SELECT tenant FROM tenants ORDER BY tenant")?;
    let found = statement.query_map([], |row| rows::tenant(row, 0))?;
    found.collect()
}

pub(crate) fn tenant_key(
    connection: &Connection,
    tenant: &TenantId,
) -> rusqlite::Result<Option<WrappedKey>> {
    let sql = "SELECT wrapped FROM tenants WHERE tenant = ?1";
    let found = one(connection, sql, [tenant.as_str()], |row| {
        row.get::<_, Option<Vec<u8>>>(0)
    })?;
    Ok(found.flatten().map(WrappedKey))
}

pub(crate) fn usage(connection: &Connection, tenant: &TenantId) -> rusqlite::Result<u64> {
    let sql = "SELECT usage FROM tenants WHERE tenant = ?1";
    let found = one(connection, sql, [tenant.as_str()], |row| rows::seq(row, 0))?;
    Ok(found.unwrap_or(0))
}

pub(crate) fn mission_keys(
    connection: &Connection,
    tenant: &TenantId,
    after: Option<MissionId>,
    limit: u32,
) -> rusqlite::Result<Vec<(MissionId, WrappedKey)>> {
    let sql = "SELECT missions.mission, wrapped
               FROM missions CROSS JOIN mission_keys ON mission_keys.mission = missions.id
               WHERE tenant = ?1 AND missions.mission > ?2 ORDER BY missions.mission LIMIT ?3";
    // No bytes at all come before every id.
    let after = after.map_or(Vec::new(), |id| mission_bytes(id).to_vec());
    all(
        connection,
        sql,
        params![tenant.as_str(), after, limit],
        |row| Ok((rows::mission(row, 0)?, WrappedKey(row.get(1)?))),
    )
}

pub(crate) fn missions_of(
    connection: &Connection,
    tenant: &TenantId,
    subject: SubjectTag,
) -> rusqlite::Result<Vec<MissionId>> {
    let sql = "SELECT mission FROM subjects WHERE tenant = ?1 AND subject = ?2 ORDER BY mission";
    all(
        connection,
        sql,
        params![tenant.as_str(), subject.0],
        |row| rows::mission(row, 0),
    )
}

pub(crate) fn attestations(
    connection: &Connection,
    tenant: &TenantId,
    from: u64,
    limit: u32,
) -> rusqlite::Result<Vec<AttestationRow>> {
    let Ok(from) = i64::try_from(from) else {
        return Ok(Vec::new());
    };
    let sql = "SELECT number, mission, bytes FROM attestations
               WHERE tenant = ?1 AND number >= ?2 ORDER BY number LIMIT ?3";
    let params = params![tenant.as_str(), from, limit];
    all(connection, sql, params, rows::attestation)
}

pub(crate) fn attestations_of(
    connection: &Connection,
    tenant: &TenantId,
    mission: MissionId,
) -> rusqlite::Result<Vec<AttestationRow>> {
    let sql = "SELECT number, mission, bytes FROM attestations
               WHERE tenant = ?1 AND mission = ?2 ORDER BY number";
    let params = params![tenant.as_str(), mission_bytes(mission)];
    all(connection, sql, params, rows::attestation)
}

pub(crate) fn last_attestation(
    connection: &Connection,
    tenant: &TenantId,
) -> rusqlite::Result<Option<AttestationRow>> {
    let sql = "SELECT number, mission, bytes FROM attestations
               WHERE tenant = ?1 ORDER BY number DESC LIMIT 1";
    one(connection, sql, [tenant.as_str()], rows::attestation)
}

/// Everything of a mission, in one read transaction.
pub(crate) fn take_out(
    connection: &Connection,
    tenant: &TenantId,
    mission: MissionId,
) -> rusqlite::Result<Option<WholeMission>> {
    let moment = connection.unchecked_transaction()?;
    let Some(row) = crate::read::row(&moment, tenant, mission)? else {
        return Ok(None);
    };
    let id = mission_bytes(mission);
    let of = params![tenant.as_str(), id];
    let sql =
        format!("SELECT seq, hash, bytes FROM events WHERE mission = {MISSION_ROW} ORDER BY seq");
    let events = all(&moment, &sql, of, rows::event)?;
    let sql = format!(
        "SELECT digest, zone, bytes FROM blobs WHERE mission = {MISSION_ROW} ORDER BY digest"
    );
    let blobs = all(&moment, &sql, of, rows::blob)?;
    let sql = "SELECT mission, number, severity, deadline, entry FROM inbox
               WHERE tenant = ?1 AND mission = ?2 ORDER BY number";
    let inbox = all(&moment, sql, of, rows::inbox_row)?;
    let sql = "SELECT subject FROM subjects WHERE tenant = ?1 AND mission = ?2 ORDER BY subject";
    let subjects = all(&moment, sql, of, |row| row.get(0).map(SubjectTag))?;
    Ok(Some(WholeMission {
        snapshot: crate::read::snapshot(&moment, tenant, mission)?,
        row,
        events,
        blobs,
        inbox,
        subjects,
    }))
}
