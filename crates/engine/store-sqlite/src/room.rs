//! Whether the disk has room for what missions write next.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use adjutant_store::StoreError;
use rusqlite::Connection;

use crate::error::{from_io, from_sqlite};

/// Less than this is no room: a few batches with their blobs would fill it.
const ROOM_BYTES_MIN: usize = 1 << 20;

/// Asks the file system, which takes microseconds. What it says may be wrong; writing tells.
pub(crate) fn looks_enough(path: &Path) -> bool {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match rustix::fs::statvfs(folder.unwrap_or(Path::new("."))) {
        Ok(found) => found.f_bavail.saturating_mul(found.f_frsize) >= ROOM_BYTES_MIN as u64,
        // Not every file system says.
        Err(_) => true,
    }
}

/// Writes as much beside the store as there must be room for, removes it, and commits something that changes nothing.
pub(crate) fn write_and_remove(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let beside = beside(path);
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(&vec![0; ROOM_BYTES_MIN])?;
        file.sync_data()
    });
    // Nothing is lost if it stays: the next attempt writes over it.
    let _ = fs::remove_file(&beside);
    written.map_err(|error| from_io(path, &error))?;
    commit(connection).map_err(|error| from_sqlite(path, &error))
}

fn commit(connection: &Connection) -> rusqlite::Result<()> {
    let schema: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    connection.pragma_update(None, "user_version", schema)
}

fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push("-room");
    name.into()
}
