//! Where sentences begin and end. Lines that are headings or points of a list stand for themselves.

mod abbreviations;
mod lines;
mod stops;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::answer::{Answer, Content, cut};
use crate::place::{Places, Span};
use crate::request::{answered, check};

/// Sentences that are listed.
pub const SENTENCES_MAX: usize = 20_000;

/// Asks for the sentences of a text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentencesOf {
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SentencesFound {
    pub count: usize,
    pub sentences: Vec<Span>,
}

pub(crate) fn answer(request: &SentencesOf) -> Result<Answer, Refusal> {
    let text = request.text.as_str();
    check("text", text)?;
    let found = sentences(text);
    let count = found.len();
    let places = Places::new(text);
    let mut notes = Vec::new();
    let mut sentences: Vec<Span> = found.iter().map(|range| places.span(range)).collect();
    cut(&mut sentences, SENTENCES_MAX, "sentences", &mut notes);
    Ok(answered(
        "sentences",
        Content::Sentences(SentencesFound { count, sentences }),
        "stops, with rules for abbreviations (English, German, French, Spanish, Italian, Dutch, Portuguese), numbers, \
         initials, ordinals, quotes, lists and headings; offsets count characters",
        notes,
    ))
}

/// The sentences of a text as byte ranges, in order, without white space around them.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for block in lines::blocks(text) {
        let mut start = block.start;
        for end in stops::ends(&text[block.clone()]) {
            keep(text, start..block.start + end, &mut found);
            start = block.start + end;
        }
        keep(text, start..block.end, &mut found);
    }
    found
}

fn keep(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let piece = &text[range.clone()];
    let trimmed = piece.trim();
    if trimmed.is_empty() {
        return;
    }
    let start = range.start + (piece.len() - piece.trim_start().len());
    let range = start..start + trimmed.len();
    // What has no letter or digit belongs to the sentence before it.
    let bare = !trimmed.chars().any(char::is_alphanumeric);
    match found.last_mut() {
        Some(last)
            if bare && last.end <= range.start && !text[last.end..range.start].contains('\n') =>
        {
            last.end = range.end;
        }
        _ if bare => {}
        _ => found.push(range),
    }
}
