//! Whether a document is well formed, whatever it says.

use std::collections::BTreeSet;

use adjutant_document_model::{Block, Document};

pub(super) fn blocks(document: &Document) -> impl Iterator<Item = &Block> {
    let inside = document.sections.iter().flat_map(|section| &section.blocks);
    document.summary.iter().chain(inside)
}

pub(super) fn faults(document: &Document) -> Vec<String> {
    let mut faults = Vec::new();
    if document.title.trim().is_empty() {
        faults.push("The document has no title: give it one.".to_owned());
    }
    for (at, section) in document.sections.iter().enumerate() {
        if section.heading.trim().is_empty() {
            faults.push(format!("Section {} has no heading: give it one.", at + 1));
        }
    }
    let mut seen = BTreeSet::new();
    for source in &document.sources {
        if source.passages.is_empty() {
            faults.push(format!(
                "Source `{}` is listed but never cited: remove it.",
                source.id
            ));
        }
        for passage in &source.passages {
            if passage.number == 0 || !seen.insert(passage.number) {
                faults.push(format!(
                    "Passage number {} is not unique, counting from 1: renumber the passages.",
                    passage.number
                ));
            }
        }
    }
    for block in blocks(document) {
        of_block(block, &mut faults);
    }
    faults
}

fn of_block(block: &Block, faults: &mut Vec<String>) {
    match block {
        Block::Heading(text) if text.trim().is_empty() => {
            faults.push("A heading inside a section is empty: name it or remove it.".to_owned());
        }
        Block::Table {
            caption,
            columns,
            rows,
        } => {
            let wrong = rows.iter().position(|row| row.len() != columns.len());
            if let Some(row) = wrong {
                faults.push(format!(
                    "Row {} of “{caption}” has a different number of cells than there are columns.",
                    row + 1
                ));
            }
        }
        _ => {}
    }
}
