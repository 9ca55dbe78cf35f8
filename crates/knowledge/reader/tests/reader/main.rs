//! What is read out of small documents.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod answers;
mod asking;
mod conditions;
mod denials;
mod disagreements;
mod gaps;
mod genres;
mod obligations;
mod statements;
mod sums;
mod values;
mod versions;

use adjutant_import::{Limits, read};
use adjutant_knowledge_index::Document;
use adjutant_reader::{Given, Reading};

/// Documents by their names, read as files are.
pub fn documents(files: &[(&str, &str)]) -> Vec<(String, Document)> {
    let read = |(name, text): &(&str, &str)| {
        let document = read(text.as_bytes(), name, &Limits::default()).unwrap();
        ((*name).to_owned(), document)
    };
    files.iter().map(read).collect()
}

pub fn reading(documents: &[(String, Document)]) -> Reading<'_> {
    let given: Vec<Given<'_>> = documents
        .iter()
        .map(|(name, document)| Given { name, document })
        .collect();
    Reading::new(&given)
}
