//! The charts of a document, numbered from 1 in the order in which they are read.

use adjutant_charts::{Chart, Theme, draw};

use crate::document::{Block, Document};

/// The file that holds a chart beside a Markdown text. Reports of different kinds may lie side by side.
#[must_use]
pub fn chart_file(kind: &str, number: usize) -> String {
    let letters = kind.to_lowercase();
    let words = letters.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    match words.is_empty() {
        true => format!("charts/{number}.svg"),
        false => format!("charts/{}-{number}.svg", words.join("-")),
    }
}

/// The files a Markdown text links to. A chart that cannot be drawn has none, and the text says so.
#[must_use]
pub fn chart_files(document: &Document) -> Vec<(String, String)> {
    charts(document)
        .enumerate()
        .filter_map(|(index, chart)| {
            let drawing = draw(chart, Theme::Light).ok()?;
            Some((chart_file(&document.kind, index + 1), drawing.svg))
        })
        .collect()
}

fn charts(document: &Document) -> impl Iterator<Item = &Chart> {
    let sections = document.sections.iter().flat_map(|section| &section.blocks);
    document
        .summary
        .iter()
        .chain(sections)
        .filter_map(|block| match block {
            Block::Chart { chart, .. } => Some(&**chart),
            _ => None,
        })
}
