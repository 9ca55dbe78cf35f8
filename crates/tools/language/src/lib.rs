//! What a text says on its face: its language, sentences, entities, key phrases, sentiment and readability.
//!
//! Pure: no clock, no files, no network, no model; lists and rules only, in time linear in the text. What the rules do
//! not know they do not guess: they refuse, or say `unsure`.

#![cfg_attr(
    test,
    expect(clippy::unwrap_used, reason = "a test that fails may panic")
)]

mod answer;
mod character_offsets;
mod compare;
mod entities;
mod language;
mod numbers;
mod phrases;
mod readability;
mod refusal;
mod request;
mod schema;
mod sentences;
mod sentiment;
mod words;

pub use answer::{Answer, Content};
pub use character_offsets::Span;
pub use compare::{CompareAnswer, CompareRequest};
pub use entities::{Certainty, ENTITIES_MAX, EntitiesAnswer, EntitiesRequest, Entity, Kind};
pub use language::{DetectedLanguage, LanguageAnswer, LanguageRequest, Paragraph, Unsure};
pub use phrases::{CharacterRange, PHRASES_MAX, Phrase, PhrasesAnswer, PhrasesRequest};
pub use readability::{Measure, ReadabilityAnswer, ReadabilityRequest};
pub use refusal::Refusal;
pub use request::{Request, TEXT_CHARACTERS_MAX, process};
pub use schema::{answer_schema, schema};
pub use sentences::{SENTENCES_MAX, SentencesAnswer, SentencesRequest};
pub use sentiment::{
    About, ClinicalAnswer, OpinionAnswer, Outcome, ScoredSentence, SentimentAnswer,
    SentimentRequest, Statement,
};
pub use words::SupportedLanguage;
