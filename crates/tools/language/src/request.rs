//! What can be asked.

use serde::Deserialize;

use crate::answer::{Answer, Content};
use crate::compare::{self, CompareRequest};
use crate::entities::{self, EntitiesRequest};
use crate::language::{self, LanguageRequest};
use crate::phrases::{self, PhrasesRequest};
use crate::readability::{self, ReadabilityRequest};
use crate::sentences::{self, SentencesRequest};
use crate::sentiment::{self, SentimentRequest};
use crate::{Refusal, words};

/// A text may have so many characters.
pub const TEXT_CHARACTERS_MAX: usize = 1_000_000;

/// One thing to do with a text, tagged by `process`: `{"process": "entities", "text": "..."}`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "process", rename_all = "snake_case")]
pub enum Request {
    Language(LanguageRequest),
    Sentences(SentencesRequest),
    Entities(EntitiesRequest),
    Phrases(PhrasesRequest),
    Sentiment(SentimentRequest),
    Readability(ReadabilityRequest),
    Compare(CompareRequest),
}

/// Does what is asked. A function of the request and nothing else: the same request gives the same answer.
pub fn process(request: &Request) -> Result<Answer, Refusal> {
    match request {
        Request::Language(request) => language::answer(request),
        Request::Sentences(request) => sentences::answer(request),
        Request::Entities(request) => entities::answer(request),
        Request::Phrases(request) => phrases::answer(request),
        Request::Sentiment(request) => sentiment::answer(request),
        Request::Readability(request) => readability::answer(request),
        Request::Compare(request) => compare::answer(request),
    }
}

/// Refuses a text that is too long or has nothing to read.
pub(crate) fn check(field: &'static str, text: &str) -> Result<(), Refusal> {
    // So many bytes cannot be too many characters: no need to count.
    if text.len() > TEXT_CHARACTERS_MAX {
        let got = text.chars().count();
        if got > TEXT_CHARACTERS_MAX {
            return Err(Refusal::TooLong {
                field,
                got,
                max: TEXT_CHARACTERS_MAX,
            });
        }
    }
    if words::words(text).next().is_none() {
        return Err(Refusal::NoWords { field });
    }
    Ok(())
}

pub(crate) fn new_answer(
    process: &'static str,
    content: Content,
    method: impl Into<String>,
    notes: Vec<String>,
) -> Answer {
    Answer {
        process,
        content,
        method: method.into(),
        notes,
    }
}
