//! What can go wrong with a store: one code, one sentence of what happened, one of what to do.

use std::path::PathBuf;

use adjutant_mission::AccountRefusal;

use crate::{ChainHead, Retention};

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
    #[error("another host{} is using the store {}", holder(*.pid), path.display())]
    Locked { path: PathBuf, pid: Option<u32> },
    #[error("the store {} is not writable", path.display())]
    ReadOnly { path: PathBuf },
    #[error("the disk of {} is full", path.display())]
    DiskFull { path: PathBuf },
    #[error("the store is damaged: {what}")]
    Corrupt { what: String },
    #[error("the store has schema {found}, but this version supports at most {known}")]
    SchemaNewer { found: u32, known: u32 },
    #[error("the store has schema {found}, but this version needs {known}")]
    SchemaOlder { found: u32, known: u32 },
    #[error("there is no store at {}", path.display())]
    Missing { path: PathBuf },
    #[error("another process is writing to the store {}", path.display())]
    Busy { path: PathBuf },
    #[error("the store was closed")]
    Closed,
    #[error("reading or writing {} failed: {why}", path.display())]
    Io { path: PathBuf, why: String },
    #[error("the database rejected the operation: {what}")]
    Backend { what: String },
    #[error("the database server of {} cannot be reached: {why}", path.display())]
    Unreachable { path: PathBuf, why: String },
    #[error("the database server of {} denied access: {why}", path.display())]
    Refused { path: PathBuf, why: String },
    #[error("the database address is not valid: {why}")]
    BadAddress { why: String },
    #[error("the database does not isolate tenants: {what}")]
    Unguarded { what: String },
    #[error(
        "the database does not isolate tenants: the policy `{policy}` on the table `{table}` {how}"
    )]
    PolicyChanged {
        table: String,
        policy: String,
        how: &'static str,
    },
    #[error("another host has taken over the store {}", path.display())]
    TakenOver { path: PathBuf },
    #[error("the connection to {} was lost before the server confirmed the write", path.display())]
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
            Self::PolicyChanged { .. } => "ADJ-3135",
            Self::TakenOver { .. } => "ADJ-3016",
            Self::Unconfirmed { .. } => "ADJ-3017",
        }
    }

    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Locked { .. } => "Use the running host, or stop it first.",
            Self::ReadOnly { .. } => "Make the file and its folder writable for this user.",
            Self::DiskFull { .. } => {
                "Free some space; missions continue from where they were, and no partial writes were kept."
            }
            Self::Corrupt { .. } => {
                "Keep the file as it is and restore the store from a backup that verifies."
            }
            Self::SchemaNewer { .. } => "Use the newer version of Adjutant that wrote this store.",
            Self::SchemaOlder { .. } => {
                "Start a host once with this version; it migrates the store."
            }
            Self::Missing { .. } => "Check the path, or start a host there to create the store.",
            Self::Busy { .. } => "Close other programs that have the file open, then retry.",
            Self::Closed => "Open the store again.",
            Self::Io { .. } => "Check the disk and the folder, then retry.",
            Self::Backend { .. } => "This is a defect of Adjutant; please report it with its code.",
            Self::Unreachable { .. } => {
                "Check that the server runs and can be reached; missions continue once it is available."
            }
            Self::Refused { .. } => {
                "Correct the user, the password, or the user's permissions on the server."
            }
            Self::BadAddress { .. } => "Correct the address or the schema in the settings.",
            Self::Unguarded { .. } => {
                "Let a role other than the connecting one own the tables, and enable row security."
            }
            Self::PolicyChanged { .. } => {
                "Find out who did this. Drop a policy that was added; restore one that was changed or dropped from the migrations."
            }
            Self::TakenOver { .. } => "Stop this host: the other one continues the missions.",
            Self::Unconfirmed { .. } => {
                "Load the mission again to see whether the batch was written."
            }
        }
    }

    /// Whether the place itself takes no more, so that every other write fails too.
    pub fn stops_all_writes(&self) -> bool {
        matches!(
            self,
            Self::DiskFull { .. } | Self::Io { .. } | Self::ReadOnly { .. }
        )
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
            | Self::PolicyChanged { .. }
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
    #[error("the batch is inconsistent: {why}")]
    Malformed { why: String },
    #[error("the mission is {}: nothing can be added to it", kept.name())]
    Settled { kept: Retention },
    /// Nothing is lost: let the mission be decided again without what was refused.
    #[error("a spending limit was reached: {0}")]
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
            Self::Conflict { .. } => "Load the mission again: another process changed it.",
            Self::Malformed { .. } => {
                "This is a defect of Adjutant; please report it with its code."
            }
            Self::Settled { .. } => "Run the plan again as a new mission.",
            Self::CapReached(_) => {
                "Raise the limit with `adjutant budget set`, or wait for the next period."
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
