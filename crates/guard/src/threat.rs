//! What is said about a text: threats with their place and reason.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Where a text came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Person,
    Document,
    ToolResult,
    WebPage,
    Mcp,
    Model,
}

impl Origin {
    pub const ALL: [Self; 6] = [
        Self::Person,
        Self::Document,
        Self::ToolResult,
        Self::WebPage,
        Self::Mcp,
        Self::Model,
    ];

    /// A person may give instructions; the author of anything else may not.
    pub(crate) fn may_instruct(self) -> bool {
        self == Self::Person
    }
}

/// What a passage tries to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThreatKind {
    /// Makes the reader somebody else.
    RoleChange,
    /// Sets aside what the reader was told.
    Override,
    /// Imitates the marks between turns, roles or sources.
    DelimiterForgery,
    /// Is there for the machine and not for the eye.
    HiddenText,
    /// Says something in an encoding.
    EncodedText,
    /// Gives away what was confided.
    Exfiltration,
    /// Has a tool called, or imitates a call.
    ToolHijack,
    /// Asks the reader to produce something.
    Instruction,
    TooLong,
    BadEncoding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth a line in the log.
    Low,
    /// Likely meant to steer.
    Medium,
    /// Cannot well be meant otherwise.
    High,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threat {
    pub kind: ThreatKind,
    pub severity: Severity,
    /// Bytes of the text as it was given.
    pub span: Range<usize>,
    /// One plain line.
    pub reason: String,
}

/// How much is looked at, and how deep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// What is longer is cut here, and said to be.
    pub text_bytes_max: usize,
    /// Threats listed; of more, the gravest stay.
    pub threats_max: usize,
    /// Encodings inside encodings that are followed.
    pub decode_depth_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            text_bytes_max: 8 * 1024 * 1024,
            threats_max: 200,
            decode_depth_max: 3,
        }
    }
}

/// A text that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspected {
    /// The gravest of the threats.
    pub severity: Option<Severity>,
    /// In the order of their places.
    pub threats: Vec<Threat>,
    /// The text without what a reader does not see. What is seen stays letter for letter.
    pub text: String,
    /// Places in `text` that `fence` marks.
    pub(crate) passages: Vec<Range<usize>>,
}
