//! Small things that a tenant keeps beside its journals.

use std::fmt;

use crate::Sealed;

/// What a record is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// What may not be done for now.
    Stop,
    /// How often a tool with limits was called.
    Tally,
    Trigger,
    /// How far a channel of notifications has come.
    Channel,
    /// What became of one notification.
    Notice,
    /// A namespace of the knowledge base: its documents, and which segments are its index.
    Namespace,
    /// What was read out of one document.
    Document,
    /// A part of a namespace's index.
    Segment,
    /// What a conclusion turned out to be worth.
    Outcome,
    /// What a request started that may be sent again.
    Request,
    /// A key that lets somebody in over HTTP.
    Access,
    /// Something that was done beside missions and must be accounted for.
    Audit,
    /// What an account may come to, as it was last set.
    Caps,
    /// Which records of another kind there are, and in which version.
    Register,
}

impl RecordKind {
    pub const ALL: [Self; 14] = [
        Self::Stop,
        Self::Tally,
        Self::Trigger,
        Self::Channel,
        Self::Notice,
        Self::Namespace,
        Self::Document,
        Self::Segment,
        Self::Outcome,
        Self::Request,
        Self::Access,
        Self::Audit,
        Self::Caps,
        Self::Register,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Tally => "tally",
            Self::Trigger => "trigger",
            Self::Channel => "channel",
            Self::Notice => "notice",
            Self::Namespace => "namespace",
            Self::Document => "document",
            Self::Segment => "segment",
            Self::Outcome => "outcome",
            Self::Request => "request",
            Self::Access => "access",
            Self::Audit => "audit",
            Self::Caps => "caps",
            Self::Register => "register",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One record. Its name is in the clear and says nothing; what it says is sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRow {
    pub kind: RecordKind,
    pub name: String,
    pub content: Sealed,
}

/// Records that change together, in one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordChanges {
    pub expected: ExpectedRecord,
    pub put: Vec<RecordRow>,
    pub dropped: Option<(RecordKind, String)>,
}

/// A record as whoever changes others last saw it; without content, one that was not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedRecord {
    pub kind: RecordKind,
    pub name: String,
    pub content: Option<Sealed>,
}
