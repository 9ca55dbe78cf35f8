//! What was read out of a file: one text, and how it is built.

use serde::{Deserialize, Serialize};

/// A run of a document's text, in bytes of UTF-8; both ends stand between characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// What a file was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    Markdown,
    Text,
    Html,
    Pdf,
    Docx,
    Csv,
    Json,
    Email,
    Spreadsheet,
}

/// What was read out of a file. The text is the document from here on: citations point into it, letter for letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    pub kind: DocumentKind,
    pub title: Option<String>,
    /// Who wrote it, as the file says.
    pub author: Option<String>,
    /// The date the file states of itself: `2024-03-01`, `2024-03` or `2024`.
    pub date: Option<String>,
    pub text: String,
    /// In the text's order, none over another. Text outside all parts is layout and is never cited.
    pub parts: Vec<Part>,
    /// What the file has and the text has not, such as hidden text: a sentence each, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omissions: Vec<String>,
}

/// A piece of the text that belongs together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub span: Span,
    pub form: Form,
    /// Counted from 1, where the file has pages.
    pub page: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// 1 is the highest.
    Heading(u8),
    Paragraph,
    ListItem,
    /// A table's head, which every row under it is read with.
    RowHead,
    Row,
    Code,
}
