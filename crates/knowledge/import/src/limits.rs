//! How much a file may cost.

use serde::{Deserialize, Serialize};

const MEGABYTE: u64 = 1024 * 1024;

/// What reading one file may cost at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    pub file_bytes_max: u64,
    /// Of the text that comes out.
    pub text_bytes_max: u64,
    pub parts_max: u64,
    /// Of one packed piece inside a file, unpacked.
    pub unpacked_bytes_max: u64,
    pub pages_max: u64,
    /// Address space of the child process.
    pub memory_bytes_max: u64,
    pub cpu_seconds_max: u64,
    pub wall_seconds_max: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes_max: 64 * MEGABYTE,
            text_bytes_max: 16 * MEGABYTE,
            parts_max: 400_000,
            unpacked_bytes_max: 128 * MEGABYTE,
            pages_max: 20_000,
            memory_bytes_max: 1024 * MEGABYTE,
            cpu_seconds_max: 30,
            wall_seconds_max: 60,
        }
    }
}

/// The most one part takes in an answer beside its text.
const PART_ANSWER_BYTES_MAX: u64 = 128;
/// Everything in an answer that is neither text nor parts.
const FRAME_ANSWER_BYTES_MAX: u64 = 64 * 1024;

impl Limits {
    /// The longest answer a well-behaved child can give. Text is free of control characters, so JSON writes a byte of
    /// it with two at most.
    pub(crate) fn answer_bytes_max(&self) -> u64 {
        self.text_bytes_max
            .saturating_mul(2)
            .saturating_add(self.parts_max.saturating_mul(PART_ANSWER_BYTES_MAX))
            .saturating_add(FRAME_ANSWER_BYTES_MAX)
    }
}
