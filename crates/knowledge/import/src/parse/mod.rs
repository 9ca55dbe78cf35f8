//! One parser per kind of file. They are pure: bytes in, a document or a failure out.

mod csv;
mod docx;
mod docx_body;
mod docx_styles;
mod email;
mod html;
mod html_elements;
mod json;
mod markdown;
mod office;
mod package;
mod pdf;
mod pdf_about;
mod pdf_glyphs;
mod pdf_ground;
mod pdf_layout;
mod pdf_page;
mod pdf_type3;
mod plain;
mod spreadsheet;
mod spreadsheet_cells;
mod table;
mod xml;

use adjutant_knowledge_index::{Document, DocumentKind};

use crate::kind::{Sniffed, sniff};
use crate::{Limits, ReadFailure, encoding};

/// Reads a file's bytes. Its name helps where its content does not say what it is.
///
/// A hostile file can make this slow, hungry or panic: [`crate::Reader`] has it done in a child process.
pub fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadFailure> {
    let size = bytes.len() as u64;
    if size > limits.file_bytes_max {
        return Err(ReadFailure::TooLarge {
            bytes: size,
            max: limits.file_bytes_max,
        });
    }
    match sniff(bytes, name) {
        Sniffed::Pdf => pdf::read(bytes, limits),
        Sniffed::Zip => package::read(bytes, limits),
        Sniffed::OldOffice => office::read(bytes, limits),
        Sniffed::Other(what) => Err(ReadFailure::unsupported(what)),
        Sniffed::Email => email::read(bytes, limits),
        Sniffed::Perhaps(Some(DocumentKind::Html)) => html::read(bytes, limits),
        Sniffed::Perhaps(named) => read_text(bytes, named, limits),
    }
}

fn read_text(
    bytes: &[u8],
    named: Option<DocumentKind>,
    limits: &Limits,
) -> Result<Document, ReadFailure> {
    let text = encoding::decode(bytes)?;
    match named {
        Some(DocumentKind::Markdown) => markdown::read(&text, limits),
        Some(DocumentKind::Csv) => csv::read(&text, limits),
        Some(DocumentKind::Json) => json::read(&text, limits),
        _ if json::is_whole(&text) => json::read(&text, limits),
        _ => plain::read(&text, limits),
    }
}
