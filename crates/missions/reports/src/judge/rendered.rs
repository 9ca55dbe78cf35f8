//! Whether a document comes out: its charts drawn, its sections written.

use adjutant_charts::{Theme, draw};
use adjutant_document_model::{Block, Document, markdown_text};

use super::shape::blocks;

pub(super) fn faults(document: &Document) -> Vec<String> {
    let mut faults: Vec<String> = blocks(document).filter_map(undrawn).collect();
    let written = letters(&markdown_text(document));
    let lost = document.sections.iter().filter(|section| {
        let heading = letters(&section.heading);
        !heading.is_empty() && !written.contains(&heading)
    });
    faults.extend(lost.map(|section| {
        format!(
            "The section “{}” is lost when the document is written as text: change its heading.",
            section.heading
        )
    }));
    faults
}

fn undrawn(block: &Block) -> Option<String> {
    let Block::Chart { caption, chart } = block else {
        return None;
    };
    let refusal = draw(chart, Theme::default()).err()?;
    Some(format!(
        "The chart “{caption}” cannot be drawn: {refusal}. Correct its data or leave it out."
    ))
}

/// What no format escapes.
fn letters(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).collect()
}
