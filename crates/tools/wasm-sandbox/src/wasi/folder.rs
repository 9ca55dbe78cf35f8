//! The job's folder: files in memory, under names that lie inside it.

use std::collections::BTreeMap;

use super::errno::Errno;
use crate::job::{NAME_BYTES_MAX, is_file_name};
use crate::{Collected, FileIn, FileOut};

pub(super) struct Folder {
    files: BTreeMap<String, Vec<u8>>,
    bytes: u64,
    bytes_max: u64,
    files_max: usize,
}

pub(super) enum Found {
    File { bytes: u64 },
    Folder,
}

/// What a name that is opened has to be, or becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Creation {
    No,
    IfMissing,
    Always,
}

impl Folder {
    pub(super) fn new(files: Vec<FileIn>, bytes_max: u64, files_max: usize) -> Self {
        let bytes = files.iter().map(|file| file.bytes.len() as u64).sum();
        Self {
            files: files
                .into_iter()
                .map(|file| (file.name, file.bytes))
                .collect(),
            bytes,
            bytes_max,
            files_max,
        }
    }

    /// The name a path of the job means. Only paths below the folder mean one, and `.` is the folder itself.
    pub(super) fn name(path: &[u8]) -> Result<String, Errno> {
        if path.len() > NAME_BYTES_MAX {
            return Err(Errno::NameTooLong);
        }
        let path = std::str::from_utf8(path).map_err(|_| Errno::Invalid)?;
        if path.starts_with('/') || path.split('/').any(|part| part == "..") {
            return Err(Errno::NotCapable);
        }
        let parts: Vec<&str> = path
            .split('/')
            .filter(|part| !matches!(*part, "" | "."))
            .collect();
        let name = parts.join("/");
        if path.is_empty() || !(name.is_empty() || is_file_name(&name)) {
            return Err(Errno::Invalid);
        }
        Ok(name)
    }

    pub(super) fn find(&self, name: &str) -> Result<Found, Errno> {
        if let Some(bytes) = self.files.get(name) {
            return Ok(Found::File {
                bytes: bytes.len() as u64,
            });
        }
        let below = format!("{name}/");
        let is_folder = self
            .files
            .range(below.clone()..)
            .next()
            .is_some_and(|(other, _)| other.starts_with(&below));
        if name.is_empty() || is_folder {
            return Ok(Found::Folder);
        }
        Err(Errno::NoEntry)
    }

    pub(super) fn open(&mut self, name: &str, creation: Creation) -> Result<(), Errno> {
        match (self.find(name), creation) {
            (Ok(Found::Folder), _) => Err(Errno::IsFolder),
            (Ok(Found::File { .. }), Creation::Always) => Err(Errno::Exists),
            (Ok(Found::File { .. }), _) => Ok(()),
            (Err(error), Creation::No) => Err(error),
            (Err(_), _) => self.create(name),
        }
    }

    fn create(&mut self, name: &str) -> Result<(), Errno> {
        if self.files.len() >= self.files_max {
            return Err(Errno::NoSpace);
        }
        let mut parents = name.match_indices('/').map(|(end, _)| &name[..end]);
        if parents.any(|parent| self.files.contains_key(parent)) {
            return Err(Errno::NotAFolder);
        }
        self.files.insert(name.into(), Vec::new());
        Ok(())
    }

    pub(super) fn clear(&mut self, name: &str) -> Result<(), Errno> {
        let file = self.files.get_mut(name).ok_or(Errno::NoEntry)?;
        self.bytes -= file.len() as u64;
        *file = Vec::new();
        Ok(())
    }

    pub(super) fn remove(&mut self, name: &str) -> Result<(), Errno> {
        self.clear(name)?;
        self.files.remove(name);
        Ok(())
    }

    /// Empty behind the end.
    pub(super) fn read(&self, name: &str, position: u64) -> Result<&[u8], Errno> {
        let file = self.files.get(name).ok_or(Errno::BadFile)?;
        let position = usize::try_from(position).unwrap_or(usize::MAX);
        Ok(file.get(position..).unwrap_or_default())
    }

    pub(super) fn write(&mut self, name: &str, position: u64, bytes: &[u8]) -> Result<(), Errno> {
        let file = self.files.get_mut(name).ok_or(Errno::BadFile)?;
        let end = position
            .checked_add(bytes.len() as u64)
            .ok_or(Errno::NoSpace)?;
        let growth = end.saturating_sub(file.len() as u64);
        // Also keeps the position and the end within what an address can be.
        if growth > self.bytes_max.saturating_sub(self.bytes) {
            return Err(Errno::NoSpace);
        }
        let (start, end) = (position as usize, end as usize);
        if end > file.len() {
            file.resize(end, 0);
        }
        file[start..end].copy_from_slice(bytes);
        self.bytes += growth;
        Ok(())
    }

    pub(super) fn collect(mut self, wanted: Vec<String>, bytes_max: u64) -> Vec<FileOut> {
        let mut total = 0u64;
        let mut collect = |name: &str| {
            let Some(file) = self.files.remove(name) else {
                return Collected::Missing;
            };
            let bytes = file.len() as u64;
            if total + bytes > bytes_max {
                return Collected::TooLarge {
                    bytes,
                    max: bytes_max,
                };
            }
            total += bytes;
            Collected::Bytes(file)
        };
        wanted
            .into_iter()
            .map(|name| FileOut {
                content: collect(&name),
                name,
            })
            .collect()
    }
}
