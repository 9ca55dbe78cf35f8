//! How a job ended, and what it left.

use std::time::Duration;

use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    pub end: End,
    pub stdout: Stream,
    pub stderr: Stream,
    /// One for each file that was wanted, in the same order.
    pub files: Vec<FileOut>,
    pub used: Used,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    /// It did what WebAssembly forbids: a division by zero, an address outside its memory.
    Trap {
        why: String,
    },
    Limit(LimitReached),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LimitReached {
    #[error("it used more than {fuel} units of fuel")]
    Fuel { fuel: u64 },
    #[error("it ran longer than {wall:?}")]
    Wall { wall: Duration },
    #[error("it used more than {bytes} bytes of memory")]
    Memory { bytes: u64 },
    #[error("its tables have more than {elements} elements")]
    Table { elements: usize },
    #[error("its calls are nested more than {calls} deep, or need more than {bytes} bytes")]
    Stack { calls: usize, bytes: usize },
}

/// The beginning of what was written, and how much more there was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stream {
    pub bytes: Vec<u8>,
    pub left_out: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileOut {
    pub name: String,
    pub content: Collected,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Collected {
    Bytes(Vec<u8>),
    Missing,
    /// With it the wanted files are larger together than the job's limit.
    TooLarge {
        bytes: u64,
        max: u64,
    },
}

/// The same for the same job, on every machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// About one unit for each instruction, and one for each 64 bytes moved.
    pub fuel: u64,
    pub memory_bytes_peak: u64,
}
