//! How a text feels, or what it says came of a treatment: two questions with two lists of words.

mod clinical;
mod opinion;
mod vader;
#[cfg(test)]
mod vader_tests;

use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::answer::Answer;
use crate::request::check;

pub use clinical::{ClinicalAnswer, Outcome, Statement};
pub use opinion::{OpinionAnswer, ScoredSentence};

/// Sentences that are listed.
const SENTENCES_MAX: usize = 5_000;

/// Asks for the sentiment of a text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentimentRequest {
    pub text: String,
    #[serde(default)]
    pub about: About,
}

/// What the text is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum About {
    #[default]
    Opinions,
    Clinical,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SentimentAnswer {
    Opinions(OpinionAnswer),
    Clinical(ClinicalAnswer),
}

pub(crate) fn answer(request: &SentimentRequest) -> Result<Answer, Refusal> {
    check("text", &request.text)?;
    let english = crate::language::detect_supported(&request.text);
    let mut notes = Vec::new();
    match english {
        Ok(crate::SupportedLanguage::English) => {}
        Ok(other) => {
            return Err(Refusal::OtherLanguage {
                what: "sentiment",
                language: other.name().to_owned(),
                advice: "only English is supported; translate the text first",
            });
        }
        Err(judged) if judged.unsure.is_none() => {
            return Err(Refusal::OtherLanguage {
                what: "sentiment",
                language: judged.name.to_owned(),
                advice: "only English is supported; translate the text first",
            });
        }
        Err(_) => {
            notes.push("The language is not certain: the text was read as English.".to_owned())
        }
    }
    Ok(match request.about {
        About::Opinions => opinion::answer(&request.text, notes),
        About::Clinical => clinical::answer(&request.text, notes),
    })
}
