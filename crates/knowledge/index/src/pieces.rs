//! A document's parts, those too long for a passage cut at sentence ends.

use adjutant_text::sentences::cut_points;

use crate::chunk::CHUNK_WORDS_MAX;
use crate::document::{Document, Form, Part, Span};
use crate::words::word_count;

/// Bounds text that has no words to count, such as encoded data.
const PIECE_BYTES_MAX: usize = 8_000;
const PIECE_WORDS_TARGET: usize = 180;

/// A part, or a run of whole sentences out of one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) span: Span,
    pub(crate) form: Form,
    pub(crate) page: Option<u32>,
    pub(crate) words: usize,
}

pub(crate) fn pieces(document: &Document) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut covered = 0_u32;
    for part in &document.parts {
        // A part that lies over the one before, or outside the text, is none.
        if part.span.start < covered {
            continue;
        }
        let range = part.span.start as usize..part.span.end as usize;
        let Some(text) = document.text.get(range) else {
            continue;
        };
        if text.trim().is_empty() {
            continue;
        }
        covered = part.span.end;
        let words = word_count(text);
        if fits(text, words) {
            found.push(piece(part, 0, text.len(), words));
        } else {
            cut_part(part, text, &mut found);
        }
    }
    found
}

fn fits(text: &str, words: usize) -> bool {
    words <= CHUNK_WORDS_MAX && text.len() <= PIECE_BYTES_MAX
}

fn piece(part: &Part, start: usize, end: usize, words: usize) -> Piece {
    Piece {
        span: Span {
            start: part.span.start.saturating_add(narrow(start)),
            end: part.span.start.saturating_add(narrow(end)),
        },
        form: part.form,
        page: part.page,
        words,
    }
}

fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

fn cut_part(part: &Part, text: &str, found: &mut Vec<Piece>) {
    let mut start = 0;
    let mut end = 0;
    let mut words = 0;
    for stop in stops(text) {
        let more = word_count(&text[end..stop]);
        let full = words + more > PIECE_WORDS_TARGET || stop - start > PIECE_BYTES_MAX;
        if full && !text[start..end].trim().is_empty() {
            found.push(trimmed(part, text, start, end, words));
            start = end;
            words = 0;
        }
        words += more;
        end = stop;
    }
    if !text[start..end].trim().is_empty() {
        found.push(trimmed(part, text, start, end, words));
    }
}

/// Without the space between two sentences.
fn trimmed(part: &Part, text: &str, start: usize, end: usize, words: usize) -> Piece {
    let run = &text[start..end];
    let before = run.len() - run.trim_start().len();
    let after = run.len() - run.trim_end().len();
    piece(part, start + before, end - after, words)
}

/// Where the text may be cut so that what lies between two cuts is small enough.
fn stops(text: &str) -> Vec<usize> {
    let mut stops = Vec::new();
    let mut start = 0;
    for end in cut_points(text) {
        let sentence = &text[start..end];
        if !fits(sentence, word_count(sentence)) {
            cut_sentence(sentence, start, &mut stops);
        }
        stops.push(end);
        start = end;
    }
    stops
}

/// A sentence nobody could read in one go: between words, and where there are none, between characters.
fn cut_sentence(sentence: &str, offset: usize, stops: &mut Vec<usize>) {
    let mut words = 0;
    let mut bytes = 0;
    for word in sentence.split_inclusive(char::is_whitespace) {
        for letters in runs(word) {
            let more = word_count(letters);
            if bytes > 0
                && (words + more > PIECE_WORDS_TARGET || bytes + letters.len() > PIECE_BYTES_MAX)
            {
                let last = stops.last().copied().unwrap_or(offset).max(offset);
                stops.push(last + bytes);
                words = 0;
                bytes = 0;
            }
            words += more;
            bytes += letters.len();
        }
    }
}

/// A word, or a few signs of it at a time where it is very long.
fn runs(word: &str) -> impl Iterator<Item = &str> {
    const RUN_BYTES_MAX: usize = 96;
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.floor_char_boundary(RUN_BYTES_MAX);
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}
