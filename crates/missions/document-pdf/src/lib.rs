//! A deliverable as PDF, set by Typst from one fixed template.
//!
//! The document goes in as data, never as markup: no text from outside can run code or change the layout. No
//! file of the machine is read, no clock asked, nothing fetched; the same document gives the same bytes.

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod paper;
mod world;

use adjutant_document_model::{Document, Made};
use typst::diag::SourceDiagnostic;
use typst::foundations::Smart;
use typst_layout::PagedDocument;
use typst_pdf::PdfOptions;

use crate::world::Room;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PdfRefusal {
    #[error("the pages cannot be set: {0}")]
    Setting(String),
    #[error("the pages cannot be written as PDF: {0}")]
    Writing(String),
    #[error("{0} is no name for a template")]
    Name(&'static str),
}

/// What is flawed in the document is shown where it is: ask `adjutant_document_model::problems` first.
pub fn pdf(document: &Document, made: &Made) -> Result<Vec<u8>, PdfRefusal> {
    let bytes = set(document, made).and_then(|pages| {
        let options = PdfOptions {
            ident: Smart::Custom(format!("{} {}", made.mission, made.journal_head)),
            creator: Smart::Custom(Some("Adjutant".to_owned())),
            ..PdfOptions::default()
        };
        typst_pdf::pdf(&pages, &options).map_err(|errors| PdfRefusal::Writing(first(&errors)))
    });
    // What the typesetter remembers of this document helps no other one.
    comemo::evict(0);
    bytes
}

fn set(document: &Document, made: &Made) -> Result<PagedDocument, PdfRefusal> {
    let paper = paper::paper(document, made);
    let room = Room::new(paper.data.to_string(), paper.pictures)?;
    typst::compile::<PagedDocument>(&room)
        .output
        .map_err(|errors| PdfRefusal::Setting(first(&errors)))
}

fn first(errors: &[SourceDiagnostic]) -> String {
    errors.first().map_or_else(
        || "no reason given".to_owned(),
        |error| error.message.to_string(),
    )
}

#[cfg(test)]
#[path = "../../document-model/tests/formats/hostile.rs"]
mod hostile;
#[cfg(test)]
mod pdf_tests;
