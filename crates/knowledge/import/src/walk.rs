//! Lists the files of a folder that may be read, and says why the others may not.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::file::{self, Fingerprint};
use crate::{Limits, ReadFailure};

pub const FILES_MAX: usize = 10_000;
/// Of everything that is looked at, so that a folder of hidden or odd things ends too.
const ENTRIES_MAX: usize = 200_000;
const DEPTH_MAX: usize = 64;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// In the order of their paths.
    pub files: Vec<Found>,
    pub skipped: Vec<Skipped>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// Below the folder.
    pub path: PathBuf,
    pub fingerprint: Fingerprint,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Below the folder.
    pub path: PathBuf,
    pub because: SkippedBecause,
}

#[derive(Debug, PartialEq, Eq, Error)]
pub enum SkippedBecause {
    #[error("hidden")]
    Hidden,
    #[error("a link to something inside the folder, which is listed by itself")]
    LinkInside,
    #[error("a link that leads out of the folder")]
    LinkOut,
    #[error("a link that leads nowhere or in a circle")]
    LinkBroken,
    #[error("deeper than {DEPTH_MAX} folders")]
    TooDeep,
    #[error(transparent)]
    Unreadable(#[from] ReadFailure),
}

#[derive(Debug, PartialEq, Eq, Error)]
pub enum WalkFailure {
    #[error("not a folder")]
    NotAFolder,
    #[error("more than {max} files in the folder")]
    TooMany { max: usize },
    #[error("the folder cannot be opened: {what}")]
    Unreadable { what: String },
}

/// Lists a folder and the folders in it. Reads every file once, for its fingerprint; blocks while it does.
pub fn walk(folder: &Path, limits: &Limits) -> Result<Walk, WalkFailure> {
    let unreadable = |error: std::io::Error| WalkFailure::Unreadable {
        what: error.to_string(),
    };
    let root = folder.canonicalize().map_err(unreadable)?;
    if !root.is_dir() {
        return Err(WalkFailure::NotAFolder);
    }
    let mut walk = Walk::default();
    let mut entries = 0;
    // A folder's entries are put in reverse, so that they come off in order.
    let mut waiting = vec![PathBuf::new()];
    while let Some(path) = waiting.pop() {
        let full = root.join(&path);
        let metadata = match full.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) => {
                let because = ReadFailure::unreadable(&error).into();
                walk.skipped.push(Skipped { path, because });
                continue;
            }
        };
        if let Some(because) = unwanted(&path, &full, &root, &metadata) {
            walk.skipped.push(Skipped { path, because });
            continue;
        }
        if metadata.is_dir() {
            match names_in(&full, ENTRIES_MAX - entries) {
                Ok(names) => {
                    entries += names.len();
                    waiting.extend(names.iter().rev().map(|name| path.join(name)));
                }
                Err(Listing::TooMany) => return Err(WalkFailure::TooMany { max: ENTRIES_MAX }),
                Err(Listing::Unreadable(error)) => {
                    let because = ReadFailure::unreadable(&error).into();
                    walk.skipped.push(Skipped { path, because });
                }
            }
            continue;
        }
        match file::open(&full, limits.file_bytes_max).and_then(|opened| file::fingerprint(&opened))
        {
            Ok(fingerprint) => walk.files.push(Found { path, fingerprint }),
            Err(failure) => walk.skipped.push(Skipped {
                path,
                because: failure.into(),
            }),
        }
        if walk.files.len() > FILES_MAX {
            return Err(WalkFailure::TooMany { max: FILES_MAX });
        }
    }
    Ok(walk)
}

fn unwanted(
    path: &Path,
    full: &Path,
    root: &Path,
    metadata: &std::fs::Metadata,
) -> Option<SkippedBecause> {
    let hidden = path
        .file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    if hidden {
        return Some(SkippedBecause::Hidden);
    }
    if metadata.is_symlink() {
        return Some(match full.canonicalize() {
            Ok(target) if target.starts_with(root) => SkippedBecause::LinkInside,
            Ok(_) => SkippedBecause::LinkOut,
            Err(_) => SkippedBecause::LinkBroken,
        });
    }
    if metadata.is_dir() && path.components().count() > DEPTH_MAX {
        return Some(SkippedBecause::TooDeep);
    }
    None
}

enum Listing {
    TooMany,
    Unreadable(std::io::Error),
}

fn names_in(folder: &Path, names_max: usize) -> Result<Vec<OsString>, Listing> {
    let mut names = Vec::new();
    for entry in folder.read_dir().map_err(Listing::Unreadable)? {
        if names.len() >= names_max {
            return Err(Listing::TooMany);
        }
        names.push(entry.map_err(Listing::Unreadable)?.file_name());
    }
    names.sort();
    Ok(names)
}
