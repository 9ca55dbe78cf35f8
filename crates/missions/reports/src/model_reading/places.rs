//! Where in the documents a quote stands, so that what rests on it has an address.

use std::collections::BTreeMap;
use std::ops::Range;

use super::cut::{Cut, PartOf};
use crate::documents_read::Stated;
use crate::text::plain;

/// Fewer characters than this are in nearly every text and prove nothing.
const QUOTE_CHARS_MIN: usize = 3;

/// The parts of the documents with their texts, by the ids that questions have for them.
pub(super) struct Places<'a> {
    parts: BTreeMap<&'a str, Place<'a>>,
}

pub(super) struct Place<'a> {
    pub(super) part: &'a PartOf,
    text: &'a str,
}

impl<'a> Places<'a> {
    pub(super) fn of(cut: &'a Cut) -> Self {
        let texts: BTreeMap<&str, &str> = cut
            .items
            .iter()
            .flat_map(|item| &item.sources)
            .map(|source| (source.id.as_str(), source.text.as_str()))
            .collect();
        let parts = cut.parts.iter().filter_map(|part| {
            let text = texts.get(part.id.as_str())?;
            Some((part.id.as_str(), Place { part, text }))
        });
        Self {
            parts: parts.collect(),
        }
    }

    pub(super) fn get(&self, id: &str) -> Option<&Place<'a>> {
        self.parts.get(id)
    }

    /// The part that a statement with this address is in.
    pub(super) fn holding(&self, address: &str) -> Option<&Place<'a>> {
        let (document, from, to) = address_parts(address)?;
        self.parts.values().find(|place| {
            let first = place.part.first;
            let length = place.text.chars().count();
            place.part.document == document && first <= from && to <= first + length
        })
    }
}

impl Place<'_> {
    /// The statement that a quote is in, or the statements that it runs over; nothing if the quote is not here.
    pub(super) fn stated(&self, quote: &str) -> Option<Stated> {
        let found = find(self.text, quote)?;
        let touched = self.part.statements.iter();
        let touched = touched.filter(|at| at.start < found.end && found.start < at.end);
        let span = touched.fold(found.clone(), |span, at| {
            span.start.min(at.start)..span.end.max(at.end)
        });
        let characters = |to: usize| self.part.first + self.text[..to].chars().count();
        Some(Stated {
            value: None,
            sentence: self.text[span.clone()].to_owned(),
            row: None,
            title: self.part.title.clone(),
            source: self.part.source.clone(),
            date: self.part.date.clone(),
            address: format!(
                "{}#{}-{}",
                self.part.document,
                characters(span.start),
                characters(span.end)
            ),
        })
    }
}

/// Document, first character and end of an address.
pub(super) fn address_parts(address: &str) -> Option<(&str, usize, usize)> {
    let (document, place) = address.rsplit_once('#')?;
    let (from, to) = place.split_once('-')?;
    Some((document, from.parse().ok()?, to.parse().ok()?))
}

/// Whether two statements are of one document and have characters in common.
pub(super) fn overlap(first: &Stated, other: &Stated) -> bool {
    let parts = (address_parts(&first.address), address_parts(&other.address));
    match parts {
        (Some((document, from, to)), Some((others, begin, end))) => {
            document == others && from < end && begin < to
        }
        _ => first.address == other.address,
    }
}

/// The bytes of a text that are a quote, spaces and line ends aside.
pub(super) fn find(text: &str, quote: &str) -> Option<Range<usize>> {
    let wanted: Vec<char> = plain(quote).chars().collect();
    if wanted.len() < QUOTE_CHARS_MIN {
        return None;
    }
    // The text in one line, and the byte at which each of its characters begins.
    let mut line: Vec<(char, usize)> = Vec::new();
    for (at, char) in text.char_indices() {
        match char.is_whitespace() {
            false => line.push((char, at)),
            true if line.last().is_some_and(|(last, _)| *last != ' ') => line.push((' ', at)),
            true => {}
        }
    }
    let windows = line.windows(wanted.len());
    let mut places = windows.enumerate().filter(|(_, window)| {
        let mut both = window.iter().zip(&wanted);
        both.all(|((own, _), wanted)| own == wanted)
    });
    let (at, _) = places.next()?;
    let start = line[at].1;
    let (last, end) = line[at + wanted.len() - 1];
    Some(start..end + last.len_utf8())
}

/// Whether a value stands in a quote as it is written, spaces aside.
pub(super) fn has_value(quote: &str, value: &str) -> bool {
    let bare = |text: &str| -> String {
        let kept = text.chars().filter(|char| !char.is_whitespace());
        kept.flat_map(char::to_lowercase).collect()
    };
    let value = bare(value);
    !value.is_empty() && bare(quote).contains(&value)
}
