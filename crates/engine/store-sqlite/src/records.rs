//! Records: what a tenant keeps beside its journals.

use adjutant_mission::TenantId;
use adjutant_store::{RecordChanges, RecordKind, RecordRow, Sealed};
use rusqlite::{Connection, params};

use crate::read::all;

pub(crate) fn of_kind(
    connection: &Connection,
    tenant: &TenantId,
    kind: RecordKind,
) -> rusqlite::Result<Vec<RecordRow>> {
    all(
        connection,
        "SELECT name, content FROM records WHERE tenant = ?1 AND kind = ?2 ORDER BY name",
        params![tenant.as_str(), kind.name()],
        |row| {
            Ok(RecordRow {
                kind,
                name: row.get(0)?,
                content: Sealed(row.get(1)?),
            })
        },
    )
}

pub(crate) fn names(
    connection: &Connection,
    tenant: &TenantId,
    kind: RecordKind,
) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT name FROM records WHERE tenant = ?1 AND kind = ?2 ORDER BY name";
    all(
        connection,
        sql,
        params![tenant.as_str(), kind.name()],
        |row| row.get(0),
    )
}

pub(crate) fn one(
    connection: &Connection,
    tenant: &TenantId,
    kind: RecordKind,
    name: String,
) -> rusqlite::Result<Option<RecordRow>> {
    let sql = "SELECT content FROM records WHERE tenant = ?1 AND kind = ?2 AND name = ?3";
    let found = all(
        connection,
        sql,
        params![tenant.as_str(), kind.name(), name],
        |row| row.get(0).map(Sealed),
    )?;
    let content = found.into_iter().next();
    Ok(content.map(|content| RecordRow {
        kind,
        name,
        content,
    }))
}

pub(crate) fn put(
    connection: &Connection,
    tenant: &TenantId,
    row: &RecordRow,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO records (tenant, kind, name, content) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET content = ?4";
    let kind = row.kind.name();
    connection
        .execute(sql, params![tenant.as_str(), kind, row.name, row.content.0])
        .map(drop)
}

pub(crate) fn remove(
    connection: &Connection,
    tenant: &TenantId,
    kind: RecordKind,
    name: &str,
) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM records WHERE tenant = ?1 AND kind = ?2 AND name = ?3";
    let removed = connection.execute(sql, params![tenant.as_str(), kind.name(), name])?;
    Ok(removed == 1)
}

/// The writer holds a transaction around it.
pub(crate) fn change(
    connection: &Connection,
    tenant: &TenantId,
    changes: &RecordChanges,
) -> rusqlite::Result<bool> {
    let expected = &changes.expected;
    let found = one(connection, tenant, expected.kind, expected.name.clone())?;
    if found.map(|row| row.content) != expected.content {
        return Ok(false);
    }
    for row in &changes.put {
        put(connection, tenant, row)?;
    }
    if let Some((kind, name)) = &changes.dropped {
        remove(connection, tenant, *kind, name)?;
    }
    Ok(true)
}
