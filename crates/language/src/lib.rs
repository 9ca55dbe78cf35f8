//! What a text says on its face: its language, sentences, entities, key phrases, sentiment and readability.
//!
//! Pure: no clock, no files, no network, no model; lists and rules only, in time linear in the text. What the rules do
//! not know they do not guess: they refuse, or say `unsure`.

mod answer;
mod entities;
mod language;
mod numbers;
mod place;
mod refusal;
mod request;
mod schema;
mod sentences;
mod words;

pub use answer::{Answer, Content};
pub use entities::{Certainty, ENTITIES_MAX, EntitiesFound, EntitiesOf, Entity, Kind};
pub use language::{Judged, LanguageFound, LanguageOf, Paragraph, Unsure};
pub use place::Span;
pub use refusal::Refusal;
pub use request::{Request, TEXT_CHARACTERS_MAX, process};
pub use schema::{answer_schema, schema};
pub use sentences::{SENTENCES_MAX, SentencesFound, SentencesOf};
pub use words::Tongue;
