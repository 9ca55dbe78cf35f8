//! Collects the texts that the rules check: the parts of a document, or every string of a JSON value.

use adjutant_constitution::{Origin, Text};
use adjutant_document_model::{Block, Document, Mark, Span};
use serde_json::Value;

/// Everything that a mission wrote or quotes. The title and the objective are left out: the person who asked wrote them.
pub(super) fn of_document(document: &Document) -> Vec<Text> {
    let mut texts = Vec::new();
    for block in &document.summary {
        of_block("Summary", block, &mut texts);
    }
    for section in &document.sections {
        for block in &section.blocks {
            of_block(&section.heading, block, &mut texts);
        }
    }
    for source in &document.sources {
        let passages = source.passages.iter().map(|passage| passage.text.as_str());
        texts.extend(passages.map(|text| Text::new(&source.title, text, Origin::Quoted)));
    }
    texts
}

fn of_block(place: &str, block: &Block, texts: &mut Vec<Text>) {
    let mut add = |text: String, origin| texts.push(Text::new(place, text, origin));
    match block {
        Block::Heading(text) => add(text.clone(), Origin::Quoted),
        Block::Quote { text, .. } => add(text.clone(), Origin::Quoted),
        Block::Paragraph(spans) => add(written(spans), Origin::Judged),
        Block::Bullets(items) => {
            for spans in items {
                add(written(spans), Origin::Judged);
            }
        }
        Block::Callout(callout) => add(written(&callout.text), Origin::Judged),
        Block::Table { caption, rows, .. } => {
            add(caption.clone(), Origin::Quoted);
            for row in rows {
                // One text per row, but one sentence per cell: `not shown` in one column says nothing about the next
                // cell.
                let cells: Vec<String> = row.iter().map(|cell| written(cell)).collect();
                add(cells.join(".\n"), Origin::Quoted);
            }
        }
        Block::Chart { caption, .. } => add(caption.clone(), Origin::Quoted),
        Block::Figures(figures) => {
            for figure in figures {
                add(format!("{} {}", figure.value, figure.label), Origin::Quoted);
            }
        }
    }
}

/// Spans as one text, each with its citations, and what it is where it is no cited fact.
fn written(spans: &[Span]) -> String {
    let mut text = String::new();
    for span in spans {
        text.push_str(&span.text);
        for number in &span.cites {
            text.push_str(&format!(" [{number}]"));
        }
        text.push_str(match span.mark {
            Some(Mark::Interpretation) => " (interpretation)",
            Some(Mark::Calculation) => " (calculation)",
            None => "",
        });
    }
    text
}

/// Every string of a value.
pub(super) fn of_value(value: &Value) -> Vec<Text> {
    let mut texts = Vec::new();
    gather("", value, &mut texts);
    texts
}

fn gather(name: &str, value: &Value, texts: &mut Vec<Text>) {
    match value {
        Value::String(text) => texts.push(Text::new(name, text, Origin::Quoted)),
        Value::Array(items) => items.iter().for_each(|item| gather(name, item, texts)),
        Value::Object(fields) => {
            for (name, field) in fields {
                gather(name, field, texts);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
