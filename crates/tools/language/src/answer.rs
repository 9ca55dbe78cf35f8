//! What is given back.

use serde::Serialize;

use crate::compare::CompareAnswer;
use crate::entities::EntitiesAnswer;
use crate::language::LanguageAnswer;
use crate::phrases::PhrasesAnswer;
use crate::readability::ReadabilityAnswer;
use crate::sentences::SentencesAnswer;
use crate::sentiment::SentimentAnswer;

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
    Language(LanguageAnswer),
    Sentences(SentencesAnswer),
    Entities(EntitiesAnswer),
    Phrases(PhrasesAnswer),
    Sentiment(SentimentAnswer),
    Readability(ReadabilityAnswer),
    Comparison(CompareAnswer),
}

/// Cuts a list that is too long to send and says so.
pub(crate) fn truncate_with_note<T>(
    list: &mut Vec<T>,
    max: usize,
    what: &str,
    notes: &mut Vec<String>,
) {
    if list.len() > max {
        notes.push(format!(
            "{} {what} were found, the first {max} are listed: send the text in parts for the rest.",
            list.len()
        ));
        list.truncate(max);
    }
}
