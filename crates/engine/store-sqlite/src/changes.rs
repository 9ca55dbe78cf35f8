//! What is written beside appends, seldom: keys, attestations, pruning, missions put in whole. Each is one
//! transaction between two groups of appends.

use adjutant_mission::{MissionId, TenantId};
use adjutant_store::{AttestationRow, Retention, WholeMission, WrappedKey};
use rusqlite::{Connection, OptionalExtension, params};

use crate::read_kept;
use crate::rows::mission_bytes;

/// Does `change` in a transaction of its own, which is kept only if it says so.
pub(crate) fn transact(
    connection: &Connection,
    change: impl FnOnce(&Connection) -> rusqlite::Result<bool>,
) -> rusqlite::Result<bool> {
    let transaction = connection.unchecked_transaction()?;
    let done = change(&transaction)?;
    if done {
        transaction.commit()?;
    }
    Ok(done)
}

pub(crate) fn set_tenant_key(
    connection: &Connection,
    tenant: &TenantId,
    expected: Option<&WrappedKey>,
    key: &WrappedKey,
    rewrapped: &[(MissionId, WrappedKey)],
) -> rusqlite::Result<bool> {
    if read_kept::tenant_key(connection, tenant)?.as_ref() != expected {
        return Ok(false);
    }
    connection.execute(
        "INSERT INTO tenants (tenant, wrapped, usage) VALUES (?1, ?2, 0)
         ON CONFLICT DO UPDATE SET wrapped = ?2",
        params![tenant.as_str(), key.0],
    )?;
    let mut rewrap = connection.prepare(
        "UPDATE mission_keys SET wrapped = ?3
         WHERE mission = (SELECT id FROM missions WHERE tenant = ?1 AND mission = ?2)",
    )?;
    for (mission, wrapped) in rewrapped {
        rewrap.execute(params![tenant.as_str(), mission_bytes(*mission), wrapped.0])?;
    }
    Ok(true)
}

pub(crate) fn attest(
    connection: &Connection,
    tenant: &TenantId,
    attestations: &[AttestationRow],
) -> rusqlite::Result<bool> {
    let last = read_kept::last_attestation(connection, tenant)?;
    let next = last.map_or(1, |last| last.number + 1);
    let numbers = attestations.iter().map(|row| row.number);
    if !numbers.eq((next..).take(attestations.len())) {
        return Ok(false);
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO attestations (tenant, number, mission, bytes) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for row in attestations {
        insert.execute(params![
            tenant.as_str(),
            row.number.cast_signed(),
            mission_bytes(row.mission),
            row.bytes
        ])?;
    }
    Ok(true)
}

pub(crate) fn prune(
    connection: &Connection,
    tenant: &TenantId,
    mission: MissionId,
    attestation: AttestationRow,
) -> rusqlite::Result<bool> {
    let found = connection
        .query_row(
            "SELECT id FROM missions WHERE tenant = ?1 AND mission = ?2 AND kept <> ?3",
            params![
                tenant.as_str(),
                mission_bytes(mission),
                Retention::Pruned.name()
            ],
            |row| row.get::<_, i64>(0),
        )
        .optional()?;
    let Some(id) = found else { return Ok(false) };
    if !attest(connection, tenant, &[attestation])? {
        return Ok(false);
    }
    drop_content(connection, tenant, mission, id)?;
    let freed = bytes_of(connection, "events", id)?;
    connection.execute(
        "UPDATE positions_given SET pos = max(pos, (SELECT max(pos) FROM events WHERE pos > 0))",
        [],
    )?;
    connection.execute("DELETE FROM events WHERE mission = ?1", [id])?;
    change_usage(connection, tenant, -freed)?;
    connection.execute(
        "UPDATE missions SET kept = ?2, title = x'', wake_at = NULL WHERE id = ?1",
        params![id, Retention::Pruned.name()],
    )?;
    Ok(true)
}

/// Removes all of a mission that says something, but for its events and its row.
pub(crate) fn drop_content(
    connection: &Connection,
    tenant: &TenantId,
    mission: MissionId,
    id: i64,
) -> rusqlite::Result<()> {
    let freed = bytes_of(connection, "blobs", id)?;
    for table in ["mission_keys", "snapshots", "blobs"] {
        connection.execute(&format!("DELETE FROM {table} WHERE mission = ?1"), [id])?;
    }
    for table in ["inbox", "subjects"] {
        connection.execute(
            &format!("DELETE FROM {table} WHERE tenant = ?1 AND mission = ?2"),
            params![tenant.as_str(), mission_bytes(mission)],
        )?;
    }
    change_usage(connection, tenant, -freed)
}

fn bytes_of(connection: &Connection, table: &str, id: i64) -> rusqlite::Result<i64> {
    let sql = format!("SELECT coalesce(sum(length(bytes)), 0) FROM {table} WHERE mission = ?1");
    connection.query_row(&sql, [id], |row| row.get(0))
}

pub(crate) fn change_usage(
    connection: &Connection,
    tenant: &TenantId,
    by: i64,
) -> rusqlite::Result<()> {
    let mut change = connection.prepare_cached(
        "INSERT INTO tenants (tenant, usage) VALUES (?1, ?2)
         ON CONFLICT DO UPDATE SET usage = usage + ?2",
    )?;
    change.execute(params![tenant.as_str(), by]).map(drop)
}

pub(crate) fn give_key(
    connection: &Connection,
    tenant: &TenantId,
    mission: MissionId,
    key: &WrappedKey,
) -> rusqlite::Result<bool> {
    let given = connection.execute(
        "INSERT INTO mission_keys (mission, wrapped)
         SELECT id, ?4 FROM missions WHERE tenant = ?1 AND mission = ?2 AND kept = ?3
         ON CONFLICT DO NOTHING",
        params![
            tenant.as_str(),
            mission_bytes(mission),
            Retention::Archived.name(),
            key.0
        ],
    )?;
    Ok(given == 1)
}

pub(crate) fn put_in(
    connection: &Connection,
    tenant: &TenantId,
    whole: &WholeMission,
) -> rusqlite::Result<bool> {
    let summary = &whole.row.summary;
    let mission = mission_bytes(summary.mission);
    let taken = connection
        .query_row(
            "SELECT 1 FROM missions WHERE tenant = ?1 AND mission = ?2",
            params![tenant.as_str(), mission],
            |_| Ok(()),
        )
        .optional()?;
    if taken.is_some() {
        return Ok(false);
    }
    let mut session = crate::session::Session::prepare(connection)?;
    let id = session.open_mission(
        connection,
        tenant,
        &whole.row.origin,
        whole.row.kept,
        summary,
    )?;
    if let Some(key) = &whole.row.key {
        session.put_key(id, key)?;
    }
    session.put_subjects(tenant, summary.mission, &whole.subjects)?;
    session.put_events(id, &whole.events)?;
    session.put_blobs(id, &whole.blobs)?;
    if let Some(snapshot) = &whole.snapshot {
        session.replace_snapshot(id, snapshot)?;
    }
    for row in &whole.inbox {
        session.put_inbox_row(tenant, row)?;
    }
    change_usage(connection, tenant, whole.usage().cast_signed())?;
    Ok(true)
}

/// Moves the log into the database and cuts it to nothing: with `secure_delete` on, what was deleted is then
/// in neither file.
pub(crate) fn scrub(connection: &Connection) -> rusqlite::Result<()> {
    let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
        row.get::<_, bool>(0)
    })?;
    if busy {
        return Err(rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY),
            Some("a reader keeps the write-ahead log in use".to_owned()),
        ));
    }
    Ok(())
}
