//! What can go wrong with a store: one code, one sentence of what happened, one of what to do.

use std::path::PathBuf;

use adjutant_mission::AccountRefusal;

use crate::{ChainHead, Kept};

/// Whether doing the same again can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Load the mission afresh and decide again.
    AfterReload,
    /// The same request may succeed once the cause has gone away.
    Later,
    /// Only a person or a changed program can help.
    Never,
}

/// Why the store could not do what was asked. Cloned when one cause fails many requests.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    #[error("another host{} has the store {} open", holder(*.pid), path.display())]
    Locked { path: PathBuf, pid: Option<u32> },
    #[error("the store {} cannot be written", path.display())]
    ReadOnly { path: PathBuf },
    #[error("the disk of {} is full", path.display())]
    DiskFull { path: PathBuf },
    #[error("the store is damaged: {what}")]
    Corrupt { what: String },
    #[error("the store has schema {found}, this program knows only up to {known}")]
    SchemaNewer { found: u32, known: u32 },
    #[error("the store has schema {found}, this program needs {known}")]
    SchemaOlder { found: u32, known: u32 },
    #[error("there is no store at {}", path.display())]
    Missing { path: PathBuf },
    #[error("something else is writing to the store {}", path.display())]
    Busy { path: PathBuf },
    #[error("the store was closed")]
    Closed,
    #[error("reading or writing {} failed: {why}", path.display())]
    Io { path: PathBuf, why: String },
    #[error("the database refused: {what}")]
    Backend { what: String },
    #[error("the database server of {} cannot be reached: {why}", path.display())]
    Unreachable { path: PathBuf, why: String },
    #[error("the database server of {} does not let this program in: {why}", path.display())]
    Refused { path: PathBuf, why: String },
    #[error("the address of the database cannot be used: {why}")]
    BadAddress { why: String },
    #[error("the database would not keep tenants apart: {what}")]
    Unguarded { what: String },
    #[error("another host has taken over the store {}", path.display())]
    TakenOver { path: PathBuf },
    #[error("the connection to {} was lost before the server said whether it wrote the batch", path.display())]
    Unconfirmed { path: PathBuf },
}

fn holder(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})"))
        .unwrap_or_default()
}

impl StoreError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Locked { .. } => "ADJ-3001",
            Self::ReadOnly { .. } => "ADJ-3002",
            Self::DiskFull { .. } => "ADJ-3003",
            Self::Corrupt { .. } => "ADJ-3004",
            Self::SchemaNewer { .. } => "ADJ-3005",
            Self::SchemaOlder { .. } => "ADJ-3006",
            Self::Missing { .. } => "ADJ-3007",
            Self::Busy { .. } => "ADJ-3008",
            Self::Closed => "ADJ-3009",
            Self::Io { .. } => "ADJ-3010",
            Self::Backend { .. } => "ADJ-3011",
            Self::Unreachable { .. } => "ADJ-3012",
            Self::Refused { .. } => "ADJ-3013",
            Self::BadAddress { .. } => "ADJ-3014",
            Self::Unguarded { .. } => "ADJ-3015",
            Self::TakenOver { .. } => "ADJ-3016",
            Self::Unconfirmed { .. } => "ADJ-3017",
        }
    }

    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Locked { .. } => "Use the running host, or stop it first.",
            Self::ReadOnly { .. } => "Make the file and its folder writable for this user.",
            Self::DiskFull { .. } => {
                "Free some space; missions carry on from where they were, nothing half-written was kept."
            }
            Self::Corrupt { .. } => {
                "Keep the file as it is and restore the store from a backup that verifies."
            }
            Self::SchemaNewer { .. } => "Use the newer program that wrote this store.",
            Self::SchemaOlder { .. } => {
                "Start a host once with this program; it brings the store up to date."
            }
            Self::Missing { .. } => "Check the path, or start a host there to create the store.",
            Self::Busy { .. } => "Close other programs that have the file open, then try again.",
            Self::Closed => "Open the store again.",
            Self::Io { .. } => "Check the disk and the folder, then try again.",
            Self::Backend { .. } => "Report this with its code: it is a defect of the program.",
            Self::Unreachable { .. } => {
                "Check that the server runs and can be reached; missions carry on once it is back."
            }
            Self::Refused { .. } => {
                "Correct the user, the password, or what the server grants them."
            }
            Self::BadAddress { .. } => "Correct the address or the schema in the settings.",
            Self::Unguarded { .. } => {
                "Have the tables owned by another role than the one that works, with row security on."
            }
            Self::TakenOver { .. } => "Stop this host: the other one carries on with the missions.",
            Self::Unconfirmed { .. } => "Load the mission again: the batch is there or it is not.",
        }
    }

    pub fn retry(&self) -> Retry {
        match self {
            Self::DiskFull { .. }
            | Self::Busy { .. }
            | Self::Io { .. }
            | Self::Locked { .. }
            | Self::Unreachable { .. } => Retry::Later,
            Self::Unconfirmed { .. } => Retry::AfterReload,
            Self::ReadOnly { .. }
            | Self::Corrupt { .. }
            | Self::SchemaNewer { .. }
            | Self::SchemaOlder { .. }
            | Self::Missing { .. }
            | Self::Closed
            | Self::Backend { .. }
            | Self::Refused { .. }
            | Self::BadAddress { .. }
            | Self::Unguarded { .. }
            | Self::TakenOver { .. } => Retry::Never,
        }
    }
}

/// Why nothing was appended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    #[error("the journal ends at event {}, not at event {} as expected", found.seq, expected.seq)]
    Conflict {
        expected: ChainHead,
        /// A mission without events is found at its genesis.
        found: ChainHead,
    },
    #[error("the batch contradicts itself: {why}")]
    Malformed { why: String },
    #[error("the mission is {}: nothing can be added to it", kept.name())]
    Settled { kept: Kept },
    /// Nothing is lost: let the mission be decided again without what was refused.
    #[error("a cap does not allow it: {0}")]
    CapReached(Box<AccountRefusal>),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AppendError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "ADJ-3021",
            Self::Malformed { .. } => "ADJ-3022",
            Self::Settled { .. } => "ADJ-3023",
            Self::CapReached(_) => "ADJ-3024",
            Self::Store(error) => error.code(),
        }
    }

    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "Load the mission again: someone else moved it on.",
            Self::Malformed { .. } => "Report this with its code: it is a defect of the program.",
            Self::Settled { .. } => "Run the plan again as a new mission.",
            Self::CapReached(_) => {
                "Raise the cap with `adjutant budget set`, or wait for the next window."
            }
            Self::Store(error) => error.remedy(),
        }
    }

    pub fn retry(&self) -> Retry {
        match self {
            Self::Conflict { .. } => Retry::AfterReload,
            Self::CapReached(_) => Retry::AfterReload,
            Self::Malformed { .. } | Self::Settled { .. } => Retry::Never,
            Self::Store(error) => error.retry(),
        }
    }
}
