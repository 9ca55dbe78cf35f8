//! What is wrong with a document, in sentences. Every format can still be written of such a document, and
//! shows the flaw where it is; whether it may be handed over is the caller's decision.

use std::collections::BTreeSet;

use adjutant_charts::{Theme, draw};

use crate::document::{Block, Document, Span};

/// Nothing wrong is an empty list.
#[must_use]
pub fn problems(document: &Document) -> Vec<String> {
    let mut found = Found {
        passages: BTreeSet::new(),
        problems: Vec::new(),
    };
    found.sources(document);
    if document.title.trim().is_empty() {
        found.say("the document has no title");
    }
    found.blocks("the summary", &document.summary);
    for (index, section) in document.sections.iter().enumerate() {
        let place = if section.heading.trim().is_empty() {
            found.say(format!("section {} has an empty heading", index + 1));
            format!("section {}", index + 1)
        } else {
            format!("section {} \u{201C}{}\u{201D}", index + 1, section.heading)
        };
        found.blocks(&place, &section.blocks);
    }
    found.problems
}

struct Found {
    passages: BTreeSet<u32>,
    problems: Vec<String>,
}

impl Found {
    fn say(&mut self, problem: impl Into<String>) {
        self.problems.push(problem.into());
    }

    fn sources(&mut self, document: &Document) {
        let mut ids = BTreeSet::new();
        for source in &document.sources {
            if !ids.insert(source.id.as_str()) {
                self.say(format!("two sources have the id {}", source.id));
            }
            for passage in &source.passages {
                if passage.number == 0 {
                    self.say(format!(
                        "a passage of {} has number 0; they begin at 1",
                        source.id
                    ));
                }
                if !self.passages.insert(passage.number) {
                    self.say(format!("two passages have number {}", passage.number));
                }
            }
        }
    }

    fn blocks(&mut self, place: &str, blocks: &[Block]) {
        for block in blocks {
            self.block(place, block);
        }
    }

    fn block(&mut self, place: &str, block: &Block) {
        match block {
            Block::Heading(text) if text.trim().is_empty() => {
                self.say(format!("{place} has an empty heading"));
            }
            Block::Heading(_) => {}
            Block::Paragraph(spans) => self.spans(place, spans),
            Block::Bullets(items) => items.iter().for_each(|spans| self.spans(place, spans)),
            Block::Table {
                caption,
                columns,
                rows,
            } => {
                let table = format!("{place}, table \u{201C}{caption}\u{201D}");
                if columns.is_empty() {
                    self.say(format!("{table} has no columns"));
                }
                for (index, row) in rows.iter().enumerate() {
                    if row.len() != columns.len() {
                        self.say(format!(
                            "{table}: row {} has {} cells, but there are {} columns",
                            index + 1,
                            row.len(),
                            columns.len()
                        ));
                    }
                    row.iter().for_each(|spans| self.spans(&table, spans));
                }
            }
            Block::Chart { caption, chart } => {
                if let Err(refusal) = draw(chart, Theme::Light) {
                    self.say(format!(
                        "{place}: chart \u{201C}{caption}\u{201D} cannot be drawn: {refusal}"
                    ));
                }
            }
            Block::Figures(figures) => figures
                .iter()
                .for_each(|figure| self.cites(place, &figure.cites)),
            Block::Callout(callout) => self.spans(place, &callout.text),
            Block::Quote { cites, .. } => self.cites(place, cites),
        }
    }

    fn spans(&mut self, place: &str, spans: &[Span]) {
        spans.iter().for_each(|span| self.cites(place, &span.cites));
    }

    fn cites(&mut self, place: &str, cites: &[u32]) {
        for number in cites {
            if !self.passages.contains(number) {
                self.say(format!(
                    "{place} cites passage {number}, which no source has"
                ));
            }
        }
    }
}
