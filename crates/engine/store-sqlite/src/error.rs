//! From SQLite's and the file system's failures to the store's.

use std::io;
use std::path::Path;

use adjutant_store::StoreError;
use rusqlite::ErrorCode;

pub(crate) fn from_sqlite(path: &Path, error: &rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    let what = error.to_string();
    // A full disk shows first where SQLite cannot grow the file beside the store that processes share.
    let extended = error.sqlite_error().map(|error| error.extended_code);
    if extended == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) {
        return StoreError::DiskFull { path };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::DiskFull { path },
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            StoreError::ReadOnly { path }
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Corrupt { what },
        Some(ErrorCode::SystemIoFailure) => StoreError::Io { path, why: what },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
        Some(_) => StoreError::Backend { what },
        None => match error {
            // A stored value that is not what the schema promises.
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..) => StoreError::Corrupt { what },
            _ => StoreError::Backend { what },
        },
    }
}

pub(crate) fn from_io(path: &Path, error: &io::Error) -> StoreError {
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::PermissionDenied
        | io::ErrorKind::ReadOnlyFilesystem
        | io::ErrorKind::NotADirectory
        | io::ErrorKind::IsADirectory => StoreError::ReadOnly { path },
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::DiskFull { path },
        _ => StoreError::Io {
            path,
            why: error.to_string(),
        },
    }
}
