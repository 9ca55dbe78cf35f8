//! What is given back.

use serde::Serialize;

use crate::compare::Compared;
use crate::entities::EntitiesFound;
use crate::language::LanguageFound;
use crate::phrases::PhrasesFound;
use crate::readability::ReadabilityFound;
use crate::sentences::SentencesFound;
use crate::sentiment::SentimentFound;

/// The answer to one request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    pub process: &'static str,
    #[serde(flatten)]
    pub content: Content,
    /// One line that says exactly what was done.
    pub method: String,
    /// What a careful reader would doubt, one sentence each.
    pub notes: Vec<String>,
}

/// What was found, by the kind of request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content {
    Language(LanguageFound),
    Sentences(SentencesFound),
    Entities(EntitiesFound),
    Phrases(PhrasesFound),
    Sentiment(SentimentFound),
    Readability(ReadabilityFound),
    Comparison(Compared),
}

/// Cuts a list that is too long to send and says so.
pub(crate) fn cut<T>(list: &mut Vec<T>, max: usize, what: &str, notes: &mut Vec<String>) {
    if list.len() > max {
        notes.push(format!(
            "{} {what} were found, the first {max} are listed: send the text in parts for the rest.",
            list.len()
        ));
        list.truncate(max);
    }
}
