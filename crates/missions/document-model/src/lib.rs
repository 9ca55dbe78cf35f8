//! What a mission hands over: one document model, written as Markdown, HTML and DOCX. PDF has a crate of
//! its own, because what sets it is large.
//!
//! The same document gives the same bytes. Nothing here reads files, clocks or the network.

mod chart_files;
mod document;
mod docx;
mod html;
mod manuscript;
mod markdown;
mod problems;
mod table;
mod xml_text;

pub use chart_files::{chart_file, chart_files};
pub use document::{
    Align, Block, Callout, Checked, CheckedKind, Column, Concluded, Decided, Document, Figure,
    Made, Mark, Passage, Section, Source, Span, Standing, Tone, Used,
};
pub use docx::{DocxRefusal, docx};
pub use html::html;
pub use manuscript::{
    BACK_LINKS_MAX, Citation, Citations, Manuscript, SOURCES_HEADING, Whereabout, mark_word,
    running_line, source_facts, web_address, whereabouts,
};
pub use markdown::{markdown, markdown_summary, markdown_text};
pub use problems::problems;
pub use table::{Tint, column_count, tints};
