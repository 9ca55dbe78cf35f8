//! How much a job may use.

use std::time::Duration;

use serde::{Deserialize, Serialize};

const MEGABYTE: u64 = 1024 * 1024;

/// What one job may use at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Of all its processes together.
    pub cpu_seconds: u64,
    pub wall: Duration,
    /// Of all its processes together, without the files it keeps.
    pub memory_bytes: u64,
    /// Processes and threads.
    pub processes: u64,
    /// Per process.
    pub open_files: u64,
    /// Of one file.
    pub file_bytes: u64,
    /// Of all the files it keeps.
    pub disk_bytes: u64,
    pub total_files: u64,
    /// Of standard output, and again of standard error; what is more is left out.
    pub output_bytes: u64,
    /// Of all files that are wanted back.
    pub collected_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            cpu_seconds: 30,
            wall: Duration::from_secs(60),
            memory_bytes: 512 * MEGABYTE,
            processes: 64,
            open_files: 256,
            file_bytes: 64 * MEGABYTE,
            disk_bytes: 128 * MEGABYTE,
            total_files: 10_000,
            output_bytes: 256 * 1024,
            collected_bytes: 16 * MEGABYTE,
        }
    }
}
