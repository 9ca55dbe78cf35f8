//! Opens files with care: regular ones only, through no link, and none that is too large.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::ReadFailure;

const BUFFER_BYTES: usize = 64 * 1024;

/// What a file held: the same bytes, the same fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    pub bytes: u64,
    pub blake3: [u8; 32],
}

/// A regular file, open, and what it looked like then.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) file: File,
    pub(crate) bytes: u64,
    modified: Option<std::time::SystemTime>,
}

impl Opened {
    /// Fails unless the file still is what it was when it was opened.
    pub(crate) fn unchanged(&self, file: &File, bytes_read: u64) -> Result<(), ReadFailure> {
        let now = file
            .metadata()
            .map_err(|error| ReadFailure::unreadable(&error))?;
        let same = now.len() == self.bytes
            && bytes_read == self.bytes
            && now.modified().ok() == self.modified;
        if same {
            Ok(())
        } else {
            Err(ReadFailure::Changed)
        }
    }
}

pub(crate) fn open(path: &Path, bytes_max: u64) -> Result<Opened, ReadFailure> {
    let seen = path
        .symlink_metadata()
        .map_err(|error| ReadFailure::unreadable(&error))?;
    if seen.is_symlink() {
        return Err(what_link(path));
    }
    regular(&seen, bytes_max)?;
    // What was looked at may be gone by now: a link is still not followed, and a pipe does not make this wait.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let descriptor = rustix::fs::open(path, flags, Mode::empty()).map_err(|error| match error {
        Errno::LOOP => what_link(path),
        error => ReadFailure::unreadable(&error.into()),
    })?;
    let file = File::from(descriptor);
    let found = file
        .metadata()
        .map_err(|error| ReadFailure::unreadable(&error))?;
    regular(&found, bytes_max)?;
    Ok(Opened {
        bytes: found.len(),
        modified: found.modified().ok(),
        file,
    })
}

/// Reads a file through once, for its fingerprint.
pub(crate) fn fingerprint(opened: &Opened) -> Result<Fingerprint, ReadFailure> {
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut bytes: u64 = 0;
    let mut file = &opened.file;
    loop {
        let count = file
            .read(&mut buffer)
            .map_err(|error| ReadFailure::unreadable(&error))?;
        if count == 0 {
            break;
        }
        hasher.update(buffer.get(..count).unwrap_or_default());
        bytes += count as u64;
        if bytes > opened.bytes {
            return Err(ReadFailure::Changed);
        }
    }
    opened.unchanged(&opened.file, bytes)?;
    Ok(Fingerprint {
        bytes,
        blake3: *hasher.finalize().as_bytes(),
    })
}

fn regular(metadata: &std::fs::Metadata, bytes_max: u64) -> Result<(), ReadFailure> {
    if metadata.is_dir() {
        return Err(not_a_file("a folder"));
    }
    if !metadata.is_file() {
        return Err(not_a_file("a device, a pipe or a socket"));
    }
    if metadata.len() > bytes_max {
        return Err(ReadFailure::TooLarge {
            bytes: metadata.len(),
            max: bytes_max,
        });
    }
    Ok(())
}

fn what_link(path: &Path) -> ReadFailure {
    match rustix::fs::stat(path) {
        Err(Errno::LOOP) => ReadFailure::LinkLoop,
        _ => not_a_file("a symbolic link"),
    }
}

fn not_a_file(what: &str) -> ReadFailure {
    ReadFailure::NotAFile {
        what: what.to_owned(),
    }
}
