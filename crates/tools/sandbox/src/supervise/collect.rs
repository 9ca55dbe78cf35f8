//! Takes the wanted files out of the job's folder, once nobody can change them any more.

use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;

use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;

use crate::FileRefused;

/// The files in the order they are wanted. All that are given have `bytes_max` together.
pub(super) fn collect(
    folder: impl AsFd,
    wanted: &[String],
    bytes_max: u64,
) -> Vec<Result<Vec<u8>, FileRefused>> {
    let mut room = bytes_max;
    wanted
        .iter()
        .map(|name| {
            let bytes = file(&folder, name, room, bytes_max)?;
            room -= bytes.len() as u64;
            Ok(bytes)
        })
        .collect()
}

fn file(folder: impl AsFd, name: &str, room: u64, bytes_max: u64) -> Result<Vec<u8>, FileRefused> {
    // A pipe would block.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_XDEV;
    let opened = openat2(folder, name, flags, Mode::empty(), inside).map_err(refused)?;
    let unreadable = |error: std::io::Error| FileRefused::Unreadable {
        message: error.to_string(),
    };
    let opened = File::from(opened);
    let found = opened.metadata().map_err(unreadable)?;
    if !found.is_file() {
        return Err(FileRefused::NotAFile);
    }
    let too_large = |bytes| FileRefused::TooLarge {
        bytes,
        max: bytes_max,
    };
    if found.len() > room {
        return Err(too_large(found.len()));
    }
    let mut bytes = Vec::new();
    opened
        .take(room.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    match bytes.len() as u64 {
        count if count > room => Err(too_large(count)),
        _ => Ok(bytes),
    }
}

fn refused(error: Errno) -> FileRefused {
    match error {
        Errno::NOENT | Errno::NOTDIR => FileRefused::Missing,
        Errno::LOOP | Errno::XDEV => FileRefused::Link,
        // What opening a socket gives.
        Errno::NXIO => FileRefused::NotAFile,
        error => FileRefused::Unreadable {
            message: error.to_string(),
        },
    }
}
