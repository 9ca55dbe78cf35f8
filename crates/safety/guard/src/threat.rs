//! The result of an inspection: threats with their location and reason. What is done about them is in `policy`.

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
    /// Gives the model another identity.
    RoleChange,
    /// Cancels the instructions the model was given.
    Override,
    /// Imitates the delimiters between turns, roles or sources.
    DelimiterForgery,
    /// Visible to a machine but not to a person.
    HiddenText,
    /// Contains encoded text.
    EncodedText,
    /// Discloses confidential data.
    Exfiltration,
    /// Requests or imitates a tool call.
    ToolHijack,
    /// Asks the model to produce or do something.
    Instruction,
    TooLong,
    BadEncoding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth logging.
    Low,
    /// Probably an attempt to steer the model.
    Medium,
    /// Almost certainly an attempt to steer the model.
    High,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threat {
    pub kind: ThreatKind,
    pub severity: Severity,
    /// Byte range in the original text.
    pub span: Range<usize>,
    /// One line of plain English.
    pub reason: String,
}

/// How much text is inspected, and how deeply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Longer texts are cut here and reported as `TooLong`.
    pub text_bytes_max: usize,
    /// Threats listed; the most severe are kept.
    pub threats_max: usize,
    /// Levels of nested encodings that are decoded.
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

/// The result of inspecting a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspected {
    /// The highest severity among the threats.
    pub severity: Option<Severity>,
    /// Sorted by location.
    pub threats: Vec<Threat>,
    /// The text without its invisible parts; the visible characters are unchanged.
    pub text: String,
    /// Ranges of `text` that `fence` marks.
    pub(crate) passages: Vec<Range<usize>>,
}
