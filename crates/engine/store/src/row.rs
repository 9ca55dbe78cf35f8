//! Rows of the read models, as they are kept.

use adjutant_mission::{CheckpointId, Severity, Summary, TenantId, Timestamp};

use crate::{Sealed, WrappedKey};

/// A mission in the list, with what it takes to read and verify it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissionRow {
    pub summary: Summary<Sealed>,
    /// Whose genesis its chain begins with: another tenant's if it was imported.
    pub origin: TenantId,
    /// Its data key; none once it is erased or pruned, or if it was written before content was sealed.
    pub key: Option<WrappedKey>,
    pub kept: Retention,
}

/// What of a mission is there, and what may be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retention {
    /// Everything, and a host may move it on.
    Working,
    /// Everything, to be read and verified: it came from another store.
    Archived,
    /// Its row and its events, which nobody can open any more.
    Erased,
    /// Its row, and the attestation of what was removed.
    Pruned,
}

impl Retention {
    pub const ALL: [Self; 4] = [Self::Working, Self::Archived, Self::Erased, Self::Pruned];

    /// Whether a batch may be added; content can be erased from an archived mission too.
    pub fn takes(self, erases: bool) -> bool {
        match self {
            Self::Working => true,
            Self::Archived => erases,
            Self::Erased | Self::Pruned => false,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Archived => "archived",
            Self::Erased => "erased",
            Self::Pruned => "pruned",
        }
    }
}

/// An open checkpoint in the inbox: what it is sorted by, and the sealed entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxRow {
    pub checkpoint: CheckpointId,
    pub severity: Severity,
    pub deadline: Timestamp,
    pub entry: Sealed,
}

/// A row of the inbox with the key of its mission, if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub row: InboxRow,
    pub key: Option<WrappedKey>,
}
