//! What a text says on its face: its language, sentences, entities, key phrases, sentiment and readability.
//!
//! Pure: no clock, no files, no network, no model; lists and rules only, in time linear in the text. What the rules do
//! not know they do not guess: they refuse, or say `unsure`.

#![cfg_attr(
    test,
    expect(clippy::unwrap_used, reason = "a test that fails may panic")
)]

mod answer;
mod compare;
mod entities;
mod language;
mod numbers;
mod phrases;
mod place;
mod readability;
mod refusal;
mod request;
mod schema;
mod sentences;
mod sentiment;
mod words;

pub use answer::{Answer, Content};
pub use compare::{CompareOf, Compared};
pub use entities::{Certainty, ENTITIES_MAX, EntitiesFound, EntitiesOf, Entity, Kind};
pub use language::{Judged, LanguageFound, LanguageOf, Paragraph, Unsure};
pub use phrases::{PHRASES_MAX, Phrase, PhrasesFound, PhrasesOf, Place};
pub use place::Span;
pub use readability::{Measure, ReadabilityFound, ReadabilityOf};
pub use refusal::Refusal;
pub use request::{Request, TEXT_CHARACTERS_MAX, process};
pub use schema::{answer_schema, schema};
pub use sentences::{SENTENCES_MAX, SentencesFound, SentencesOf};
pub use sentiment::{
    About, ClinicalFound, OpinionFound, Outcome, ScoredSentence, SentimentFound, SentimentOf,
    Statement,
};
pub use words::Tongue;
