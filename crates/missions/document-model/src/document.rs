//! The document itself: sections of blocks of spans, and the sources that the spans cite.

use adjutant_charts::Chart;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// `Deep Dive`, `Risk Assessment`, `Go/No-Go`.
    pub kind: String,
    pub title: String,
    pub objective: String,
    /// What a reader in a hurry needs, before everything else.
    #[serde(default)]
    pub summary: Vec<Block>,
    #[serde(default)]
    pub sections: Vec<Section>,
    /// Numbered from 1, in this order.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// No language model had a part in it.
    #[serde(default)]
    pub offline: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    pub heading: String,
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    Heading(String),
    Paragraph(Vec<Span>),
    Bullets(Vec<Vec<Span>>),
    Table {
        caption: String,
        columns: Vec<Column>,
        rows: Vec<Vec<Vec<Span>>>,
    },
    Chart {
        caption: String,
        chart: Box<Chart>,
    },
    Figures(Vec<Figure>),
    Callout(Callout),
    Quote {
        text: String,
        cites: Vec<u32>,
    },
}

/// A run of text and what it rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    pub text: String,
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub strong: bool,
    /// Numbers of passages: see [`Passage::number`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cites: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

/// What a sentence is, where it is not a cited fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    Interpretation,
    Calculation,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    pub heading: String,
    #[serde(default)]
    pub align: Align,
    /// Its share of the width, against the other columns'.
    #[serde(default = "one")]
    pub width: u16,
}

fn one() -> u16 {
    1
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    #[default]
    Left,
    Right,
    Centre,
}

/// A number worth seeing from across the room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    pub value: String,
    pub label: String,
    #[serde(default)]
    pub cites: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Callout {
    pub tone: Tone,
    pub title: String,
    pub text: Vec<Span>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    Note,
    Good,
    Warning,
    Bad,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub id: String,
    pub title: String,
    #[serde(default)]
    pub published: Option<String>,
    /// Where it can be looked at: a web address, or the name of a file.
    #[serde(default)]
    pub place: Option<String>,
    /// `very low`, `low`, `moderate`, `high`, if it was graded.
    #[serde(default)]
    pub grade: Option<String>,
    pub passages: Vec<Passage>,
}

/// What is cited, letter for letter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// What citations call it; unique in the document, from 1.
    pub number: u32,
    pub text: String,
    /// The heading within the source below which it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What opens it in a knowledge base: `kb:NAMESPACE/SOURCE#FROM-TO`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

/// How a document came about: what a journal tells of it. Written behind the sections.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    pub mission: String,
    /// Dates as people read them.
    pub begun: String,
    pub ended: String,
    pub cost: String,
    pub tokens: u64,
    pub steps: u64,
    pub answered_by: Vec<Used>,
    pub tools: Vec<Used>,
    pub decisions: Vec<Decided>,
    /// Confidence of each conclusion, and what that is worth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conclusions: Vec<Concluded>,
    /// Each time that the document was held against its sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<Checked>,
    pub not_checked: Vec<String>,
    pub standing: Standing,
    /// What public databases say in it is made up: stand-ins answered in their place.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub stand_in: bool,
    /// How much personal data was replaced by marks: `2 dates of birth, 1 name`. Empty if there was none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub replaced: String,
    /// The head of the journal it was made from, so that it can be proved later.
    pub journal_head: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Used {
    pub name: String,
    pub times: u64,
    pub cost: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    pub question: String,
    pub answer: String,
    pub by: String,
    pub at: String,
}

/// How sure a conclusion is: of itself, by its evidence, by experience, and what went wrong on the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Concluded {
    pub title: String,
    pub by: String,
    /// All things considered: `71 %`.
    pub sure: String,
    /// What that is made of: what it thinks of itself, the rules it keeps, what supports it.
    pub made_of: String,
    /// How much it rests on.
    pub evidence: String,
    /// What such a confidence has meant so far, and in how many cases.
    pub so_far: String,
    /// What went wrong on the way; empty if nothing did.
    pub trouble: String,
}

/// Whether anybody has looked at it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Reviewed and delivered.
    Delivered,
    /// Delivered, and looked at by nobody: whoever started it agreed to it in advance. Every page says so.
    Unreviewed,
    /// Reviewed, and refused: every page says so.
    Rejected,
    /// Nobody has approved it: every page says so.
    #[default]
    Draft,
}

impl Standing {
    /// What stands at the edge of every page.
    #[must_use]
    pub fn mark(self) -> Option<&'static str> {
        match self {
            Self::Delivered => None,
            Self::Unreviewed => Some("Not reviewed"),
            Self::Rejected => Some("Rejected"),
            Self::Draft => Some("Draft \u{2013} not approved"),
        }
    }
}

/// One time that a document was held against its sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checked {
    /// Which time it was, from 1.
    pub round: u64,
    /// What was looked at, and how much of it held: `Facts`, `3 of 4`.
    pub kinds: Vec<CheckedKind>,
    /// What became of the document then: `passed`, `sent back`.
    pub then: String,
    /// What was wrong, one thing each.
    pub faults: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedKind {
    pub name: String,
    pub held: String,
}
