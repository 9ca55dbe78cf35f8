//! How a job ended, and what it left.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Protections;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    pub exit: Exit,
    /// The limit that ended it, if one did.
    pub limit: Option<LimitReached>,
    pub stdout: Stream,
    pub stderr: Stream,
    /// One for each file that was wanted, in the same order.
    pub files: Vec<FileOut>,
    pub used: Used,
    pub protections: Protections,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    Code(i32),
    /// As a shell tells it: a program that itself ends with 128 and a signal's number looks the same.
    Signal(i32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum LimitReached {
    #[error("it used more than {seconds} seconds of processor time")]
    Cpu { seconds: u64 },
    #[error("it ran longer than {wall:?}")]
    Wall { wall: Duration },
    #[error("it used more than {bytes} bytes of memory")]
    Memory { bytes: u64 },
    #[error("it started more than {processes} processes")]
    Processes { processes: u64 },
    #[error("it wrote a file of more than {bytes} bytes")]
    FileBytes { bytes: u64 },
    #[error("it kept more than {bytes} bytes in files")]
    Disk { bytes: u64 },
    #[error("it made more than {files} files")]
    TotalFiles { files: u64 },
}

/// How much of the end of a long stream is kept: there programs say why they ended.
pub(crate) const STREAM_END_BYTES_MAX: usize = 4 * 1024;

/// The beginning of what was written, how much more there was, and the end of that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stream {
    pub bytes: Vec<u8>,
    pub left_out: u64,
    /// The last of the bytes that were left out.
    pub end: Vec<u8>,
}

impl Stream {
    /// The end of everything that was written, as far as it was kept.
    pub fn last(&self, bytes_max: usize) -> Vec<u8> {
        // Between the beginning and an end that was left out something may be missing.
        let kept_whole = self.left_out == self.end.len() as u64;
        let before: &[u8] = match kept_whole {
            true => &self.bytes,
            false => &[],
        };
        let room = bytes_max.saturating_sub(self.end.len());
        let before = &before[before.len().saturating_sub(room)..];
        let end = &self.end[self.end.len().saturating_sub(bytes_max)..];
        [before, end].concat()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileOut {
    pub name: String,
    pub content: Collected,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Collected {
    Bytes(Vec<u8>),
    Refused(FileRefused),
}

/// Why a wanted file is not given back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum FileRefused {
    #[error("it does not exist")]
    Missing,
    #[error("it is a link, or is reached through one")]
    Link,
    #[error("it is not a regular file")]
    NotAFile,
    #[error("with its {bytes} bytes the files exceed {max} in total")]
    TooLarge { bytes: u64, max: u64 },
    #[error("it cannot be read: {message}")]
    Unreadable { message: String },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    pub wall: Duration,
    /// As last seen; what was used since the last look is missing.
    pub cpu: Duration,
    pub memory_bytes_peak: u64,
    pub processes_peak: u64,
}
