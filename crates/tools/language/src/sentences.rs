//! Where sentences begin and end. Lines that are headings or points of a list stand for themselves.

use adjutant_text::sentences::sentences;
use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::answer::{Answer, Content, truncate_with_note};
use crate::character_offsets::{CharacterOffsets, Span};
use crate::request::{check, new_answer};

/// Sentences that are listed.
pub const SENTENCES_MAX: usize = 20_000;

/// Asks for the sentences of a text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentencesRequest {
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SentencesAnswer {
    pub count: usize,
    pub sentences: Vec<Span>,
}

pub(crate) fn answer(request: &SentencesRequest) -> Result<Answer, Refusal> {
    let text = request.text.as_str();
    check("text", text)?;
    let found = sentences(text);
    let count = found.len();
    let places = CharacterOffsets::new(text);
    let mut notes = Vec::new();
    let mut sentences: Vec<Span> = found.iter().map(|range| places.span(range)).collect();
    truncate_with_note(&mut sentences, SENTENCES_MAX, "sentences", &mut notes);
    Ok(new_answer(
        "sentences",
        Content::Sentences(SentencesAnswer { count, sentences }),
        "stops, with rules for abbreviations (English, German, French, Spanish, Italian, Dutch, Portuguese), numbers, \
         initials, ordinals, quotes, lists and headings; offsets count characters",
        notes,
    ))
}
