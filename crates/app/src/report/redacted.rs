//! A report without personal data. It is redacted once, before any format writes it, and after its quotes were checked
//! against their sources.

use adjutant_document_model::{Block, Document, Made, Section, Source, Span, web_address};
use adjutant_redact::{Leaving, Outgoing};
use serde_json::Value;

use crate::outgoing::{count_replaced, gather};

/// Behind a quote that is no longer letter for letter.
const ALTERED: &str = " [personal data replaced]";

/// Replaces personal data in a document and in what is said of its making, which then says how much there was.
pub(super) fn redact(document: &mut Document, made: &mut Made, outgoing: &mut Outgoing) {
    let quotes: Vec<String> = quotes_mut(document).map(|quote| quote.clone()).collect();
    let addresses: Vec<Option<String>> = addresses_mut(document).map(|at| at.clone()).collect();
    let drawn: Vec<Value> = blocks_mut(&mut document.summary, &mut document.sections)
        .filter_map(|block| match block {
            Block::Chart { chart, .. } => Some(serde_json::to_value(chart).unwrap_or_default()),
            _ => None,
        })
        .collect();
    let mut charts = drawn.clone();
    let mut texts = Vec::new();
    gather_document(document, &mut texts);
    gather_made(made, &mut texts);
    for chart in &mut charts {
        gather("", chart, &mut texts);
    }
    let replaced = outgoing.redact(&mut texts);
    if replaced.is_empty() {
        return;
    }
    made.replaced = count_replaced(&replaced);
    for (quote, before) in quotes_mut(document).zip(quotes) {
        if *quote != before {
            quote.push_str(ALTERED);
        }
    }
    // An address leads nowhere without the personal data in a file's name.
    for (address, before) in addresses_mut(document).zip(addresses) {
        if *address != before {
            *address = None;
        }
    }
    put_back(document, drawn.into_iter().zip(charts));
}

/// Charts with what was replaced in them. One that cannot be drawn without is left out.
fn put_back(document: &mut Document, mut charts: impl Iterator<Item = (Value, Value)>) {
    for block in blocks_mut(&mut document.summary, &mut document.sections) {
        let Block::Chart { caption, chart } = block else {
            continue;
        };
        match charts.next() {
            Some((before, after)) if before != after => match serde_json::from_value(after) {
                Ok(redacted) => *chart = redacted,
                Err(_) => {
                    let text = format!("{caption} (left out: the chart has personal data)");
                    *block = Block::Paragraph(vec![Span {
                        text,
                        ..Span::default()
                    }]);
                }
            },
            _ => {}
        }
    }
}

fn blocks_mut<'a>(
    summary: &'a mut [Block],
    sections: &'a mut [Section],
) -> impl Iterator<Item = &'a mut Block> {
    let blocks = sections
        .iter_mut()
        .flat_map(|section| section.blocks.iter_mut());
    summary.iter_mut().chain(blocks)
}

/// What is in quotation marks, or cited letter for letter.
fn quotes_mut(document: &mut Document) -> impl Iterator<Item = &mut String> {
    let blocks = blocks_mut(&mut document.summary, &mut document.sections);
    let quotes = blocks.filter_map(|block| match block {
        Block::Quote { text, .. } => Some(text),
        _ => None,
    });
    let sources = document.sources.iter_mut();
    let passages = sources.flat_map(|source| source.passages.iter_mut());
    quotes.chain(passages.map(|passage| &mut passage.text))
}

fn addresses_mut(document: &mut Document) -> impl Iterator<Item = &mut Option<String>> {
    let sources = document.sources.iter_mut();
    let passages = sources.flat_map(|source| source.passages.iter_mut());
    passages.map(|passage| &mut passage.address)
}

/// Everything that a reader sees, but for charts.
fn gather_document<'a>(document: &'a mut Document, texts: &mut Vec<Leaving<'a>>) {
    texts.push(Leaving::text(&mut document.title));
    texts.push(Leaving::text(&mut document.objective));
    for block in &mut document.summary {
        gather_block(block, texts);
    }
    for section in &mut document.sections {
        texts.push(Leaving::text(&mut section.heading));
        for block in &mut section.blocks {
            gather_block(block, texts);
        }
    }
    for source in &mut document.sources {
        gather_source(source, texts);
    }
}

fn gather_block<'a>(block: &'a mut Block, texts: &mut Vec<Leaving<'a>>) {
    match block {
        Block::Heading(text) | Block::Quote { text, .. } => texts.push(Leaving::text(text)),
        Block::Paragraph(spans) => texts.push(line(spans)),
        Block::Bullets(items) => texts.extend(items.iter_mut().map(|spans| line(spans))),
        Block::Table {
            caption,
            columns,
            rows,
        } => {
            texts.push(Leaving::text(caption));
            for row in rows {
                let headings = columns.iter().map(|column| column.heading.as_str());
                for (cell, heading) in row.iter_mut().zip(headings.chain(std::iter::repeat(""))) {
                    texts.push(line(cell).labelled(heading));
                }
            }
            let headings = columns.iter_mut().map(|column| &mut column.heading);
            texts.extend(headings.map(Leaving::text));
        }
        Block::Chart { caption, .. } => texts.push(Leaving::text(caption)),
        Block::Figures(figures) => {
            for figure in figures {
                texts.push(Leaving::text(&mut figure.value).labelled(&figure.label));
                texts.push(Leaving::text(&mut figure.label));
            }
        }
        Block::Callout(callout) => {
            texts.push(Leaving::text(&mut callout.title));
            texts.push(line(&mut callout.text));
        }
    }
}

fn line(spans: &mut [Span]) -> Leaving<'_> {
    Leaving::pieces(spans.iter_mut().map(|span| &mut span.text).collect())
}

/// Ids and web addresses lead to the source, and stay.
fn gather_source<'a>(source: &'a mut Source, texts: &mut Vec<Leaving<'a>>) {
    let is_web = web_address(source).is_some();
    texts.push(Leaving::text(&mut source.title));
    if let Some(place) = source.place.as_mut().filter(|_| !is_web) {
        texts.push(Leaving::text(place));
    }
    for passage in &mut source.passages {
        texts.push(Leaving::text(&mut passage.text));
        texts.extend(passage.place.as_mut().map(Leaving::text));
        texts.extend(passage.address.as_mut().map(Leaving::text));
    }
}

/// Who decided is named: a decision without a name is worth nothing.
fn gather_made<'a>(made: &'a mut Made, texts: &mut Vec<Leaving<'a>>) {
    for decided in &mut made.decisions {
        texts.push(Leaving::text(&mut decided.question));
        texts.push(Leaving::text(&mut decided.answer));
    }
    for concluded in &mut made.conclusions {
        texts.push(Leaving::text(&mut concluded.title));
        texts.push(Leaving::text(&mut concluded.trouble));
    }
    let faults = made.checked.iter_mut().flat_map(|round| &mut round.faults);
    texts.extend(faults.map(Leaving::text));
    texts.extend(made.not_checked.iter_mut().map(Leaving::text));
}

#[cfg(test)]
#[path = "redacted_tests.rs"]
mod tests;
