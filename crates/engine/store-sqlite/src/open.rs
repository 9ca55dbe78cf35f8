//! Opening connections: settings, and bringing the schema up to date.
//!
//! **Invariant:** No other product code opens a connection to the database.

use std::path::Path;
use std::time::Duration;

use adjutant_store::StoreError;
use rusqlite::{Connection, OpenFlags};

use crate::error::from_sqlite;

/// Numbered from 1. Immutable once merged: a change is a further migration.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_journal.sql"),
    include_str!("../migrations/0002_keeping.sql"),
    include_str!("../migrations/0003_accounts.sql"),
    include_str!("../migrations/0004_records.sql"),
    include_str!("../migrations/0005_order.sql"),
];

/// "Adjt": tells our files from other programs' SQLite databases.
const APPLICATION_ID: i32 = 0x4164_6a74;
/// How long to wait for a foreign program that holds the database's own lock.
const BUSY_WAIT: Duration = Duration::from_secs(5);
/// Pages the log may collect before they are moved into the database: 32 MiB, so that a page written by
/// many commits is moved once.
const WAL_PAGES_MAX: i64 = 8_192;
/// The log file is cut back to this size when it is reset.
const WAL_FILE_BYTES_MAX: i64 = 64 << 20;
const WRITER_CACHE_KIB: i64 = 65_536;
const READER_CACHE_KIB: i64 = 16_384;
const STATEMENTS_CACHED_MAX: usize = 32;

/// The one connection that writes, with the schema up to date.
pub(crate) fn writer(path: &Path) -> Result<Connection, StoreError> {
    let failed = |error| from_sqlite(path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    configure_writer(&connection).map_err(failed)?;
    check_ownership(path, &connection)?;
    migrate(path, &mut connection, MIGRATIONS)?;
    Ok(connection)
}

fn configure_writer(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_WAIT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_CACHED_MAX);
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", WAL_PAGES_MAX)?;
    connection.pragma_update(None, "journal_size_limit", WAL_FILE_BYTES_MAX)?;
    // What is deleted is overwritten: an erased key must not linger in a free page.
    connection.pragma_update(None, "secure_delete", "ON")?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "cache_size", -WRITER_CACHE_KIB)
}

/// A connection that cannot write.
pub(crate) fn reader(path: &Path) -> Result<Connection, StoreError> {
    let failed = |error| from_sqlite(path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(BUSY_WAIT).map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_CACHED_MAX);
    connection
        .pragma_update(None, "cache_size", -READER_CACHE_KIB)
        .map_err(failed)?;
    Ok(connection)
}

/// Refuses a schema that this program cannot read.
pub(crate) fn check_schema(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    check_ownership(path, connection)?;
    let (found, known) = (schema_version(path, connection)?, schema_known());
    if found == 0 {
        // Whoever began to make it was cut off before anything was in it.
        return Err(StoreError::Missing { path: path.into() });
    }
    match found.cmp(&known) {
        std::cmp::Ordering::Less => Err(StoreError::SchemaOlder { found, known }),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(StoreError::SchemaNewer { found, known }),
    }
}

fn schema_known() -> u32 {
    MIGRATIONS.len() as u32
}

fn schema_version(path: &Path, connection: &Connection) -> Result<u32, StoreError> {
    connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|error| from_sqlite(path, &error))
}

/// A database with tables that are not ours is left alone.
fn check_ownership(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let failed = |error| from_sqlite(path, &error);
    let id: i32 = connection
        .pragma_query_value(None, "application_id", |row| row.get(0))
        .map_err(failed)?;
    let tables: u32 = connection
        .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
        .map_err(failed)?;
    if id == APPLICATION_ID || (id == 0 && tables == 0) {
        return Ok(());
    }
    Err(StoreError::Corrupt {
        what: format!("{} is a database of another program", path.display()),
    })
}

pub(crate) fn migrate(
    path: &Path,
    connection: &mut Connection,
    migrations: &[&str],
) -> Result<(), StoreError> {
    let failed = |error| from_sqlite(path, &error);
    let (found, known) = (schema_version(path, connection)?, migrations.len() as u32);
    if found > known {
        return Err(StoreError::SchemaNewer { found, known });
    }
    if found == known {
        return Ok(());
    }
    // All or nothing: whoever is cut off leaves no store that nobody can read.
    let transaction = connection.transaction().map_err(failed)?;
    for migration in migrations.iter().skip(found as usize) {
        transaction.execute_batch(migration).map_err(failed)?;
    }
    transaction
        .pragma_update(None, "application_id", APPLICATION_ID)
        .map_err(failed)?;
    transaction
        .pragma_update(None, "user_version", known)
        .map_err(failed)?;
    transaction.commit().map_err(failed)
}
