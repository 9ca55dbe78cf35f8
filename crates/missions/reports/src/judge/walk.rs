//! Every statement of a document, with what it rests on and where it stands.

use adjutant_document_model::{Block, Document, Mark, Span, Tone};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Prose,
    /// A callout that tells of the work.
    Note,
    Cell {
        /// Some cell of the row is cited or marked.
        row_covered: bool,
    },
    Figure,
}

#[derive(Debug, Clone)]
pub(super) struct Statement<'a> {
    pub(super) text: &'a str,
    pub(super) cites: &'a [u32],
    pub(super) mark: Option<Mark>,
    pub(super) place: Place,
    section: &'a str,
}

impl Statement<'_> {
    pub(super) fn place(&self) -> String {
        format!("“{}”", self.section)
    }
}

/// The passages that some blocks cite.
pub(crate) fn cites_of(blocks: &[Block]) -> Vec<u32> {
    let mut all = Vec::new();
    blocks
        .iter()
        .for_each(|block| of_block(block, "", &mut all));
    let mut cites: Vec<u32> = all.iter().flat_map(|at| at.cites).copied().collect();
    cites.dedup();
    cites
}

/// The texts of some blocks.
pub(crate) fn texts_of(blocks: &[Block]) -> Vec<&str> {
    let mut all = Vec::new();
    blocks
        .iter()
        .for_each(|block| of_block(block, "", &mut all));
    all.iter().map(|at| at.text).collect()
}

pub(super) fn statements(document: &Document) -> Vec<Statement<'_>> {
    let mut all = of_summary(document);
    for section in &document.sections {
        for block in &section.blocks {
            of_block(block, &section.heading, &mut all);
        }
    }
    all
}

pub(super) fn of_summary(document: &Document) -> Vec<Statement<'_>> {
    let mut all = Vec::new();
    for block in &document.summary {
        of_block(block, "Summary", &mut all);
    }
    all
}

fn of_block<'a>(block: &'a Block, section: &'a str, all: &mut Vec<Statement<'a>>) {
    let mut add = |spans: &'a [Span], place: Place| {
        let told = spans.iter().filter(|span| !span.text.trim().is_empty());
        all.extend(told.map(|span| Statement {
            text: &span.text,
            cites: &span.cites,
            mark: span.mark,
            place,
            section,
        }));
    };
    match block {
        Block::Heading(_) | Block::Chart { .. } => {}
        Block::Paragraph(spans) => add(spans, Place::Prose),
        Block::Bullets(items) => items.iter().for_each(|item| add(item, Place::Prose)),
        Block::Callout(callout) => {
            let note = callout.tone == Tone::Note;
            add(&callout.text, if note { Place::Note } else { Place::Prose });
        }
        Block::Table { rows, .. } => {
            for row in rows {
                let mut spans = row.iter().flatten();
                let row_covered = spans.any(|span| !span.cites.is_empty() || span.mark.is_some());
                row.iter()
                    .for_each(|cell| add(cell, Place::Cell { row_covered }));
            }
        }
        Block::Figures(figures) => all.extend(figures.iter().map(|figure| Statement {
            text: &figure.value,
            cites: &figure.cites,
            mark: None,
            place: Place::Figure,
            section,
        })),
        Block::Quote { text, cites } => all.push(Statement {
            text,
            cites,
            mark: None,
            place: Place::Prose,
            section,
        }),
    }
}
