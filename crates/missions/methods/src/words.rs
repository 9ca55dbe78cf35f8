//! What two texts have in common, and where a sentence stands in its source.

use std::collections::BTreeSet;
use std::ops::Range;

use adjutant_questions::{Evidence, Source};
pub(crate) use adjutant_text::stems::content_stems as stems;

/// Which share of the smaller set the other has as well, from 0 to 1.
pub(crate) fn likeness(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let smaller = one.len().min(other.len());
    match smaller {
        0 => 0.0,
        smaller => one.intersection(other).count() as f64 / smaller as f64,
    }
}

/// Which share of the first set the second has, from 0 to 1.
pub(crate) fn covered(wanted: &BTreeSet<String>, by: &BTreeSet<String>) -> f64 {
    match wanted.len() {
        0 => 0.0,
        count => wanted.intersection(by).count() as f64 / count as f64,
    }
}

/// The document that a passage belongs to.
pub(crate) fn document_of(source: &str) -> &str {
    source
        .split_once('#')
        .map_or(source, |(document, _)| document)
}

/// How many documents a statement rests on.
pub(crate) fn documents<'a>(evidence: impl IntoIterator<Item = &'a Evidence>) -> BTreeSet<&'a str> {
    evidence
        .into_iter()
        .map(|one| document_of(&one.source))
        .collect()
}

/// A sentence of a source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sentence<'a> {
    pub(crate) source: &'a Source,
    pub(crate) text: &'a str,
}

impl Sentence<'_> {
    pub(crate) fn evidence(&self) -> Evidence {
        Evidence {
            source: self.source.id.clone(),
            quote: self.text.to_owned(),
        }
    }
}

/// The sentences of all sources in order, each once: passages of a document may overlap.
pub(crate) fn sentences(sources: &[Source], most: usize) -> Vec<Sentence<'_>> {
    let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut found = Vec::new();
    for source in sources {
        for range in adjutant_text::sentences::sentences(&source.text) {
            let range: Range<usize> = range;
            let text = &source.text[range];
            if seen.insert((document_of(&source.id), text)) {
                found.push(Sentence { source, text });
            }
            if found.len() == most {
                return found;
            }
        }
    }
    found
}

/// On one line, cut at a word if it is longer.
pub(crate) fn short(text: &str, characters_max: usize) -> String {
    let line = adjutant_text::lines::one_line(text);
    if line.chars().count() <= characters_max {
        return line;
    }
    let mut cut: String = line
        .chars()
        .take(characters_max.saturating_sub(1))
        .collect();
    if let Some(space) = cut.rfind(' ').filter(|at| *at > characters_max / 2) {
        cut.truncate(space);
    }
    cut.push('…');
    cut
}

/// `1 document`, `2 documents`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
