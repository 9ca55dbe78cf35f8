//! What to search patents for.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::LookupError;
use crate::dates::is_day;
use crate::most;
use crate::wanted;
use crate::words::words;

const TEXT_CHARS_MAX: usize = 300;
const WORDS_MAX: usize = 20;
const CLASSIFICATION_CHARS_MAX: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Office {
    Us,
    Ep,
    #[default]
    Both,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatentSearch {
    #[serde(default)]
    pub words: String,
    #[serde(default)]
    pub applicant: Option<String>,
    #[serde(default)]
    pub inventor: Option<String>,
    #[serde(default)]
    pub classification: Option<String>,
    #[serde(default)]
    pub published_from: Option<String>,
    #[serde(default)]
    pub published_to: Option<String>,
    #[serde(default)]
    pub office: Office,
    #[serde(default = "most::most_unless_said")]
    pub most: u32,
}

impl PatentSearch {
    pub fn schema() -> Value {
        let schema = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "words": {
                    "type": "string", "maxLength": TEXT_CHARS_MAX,
                    "description": "Words that must all occur: in title or abstract in Europe, anywhere in the record in the United States, whose records have no abstract.",
                },
                "applicant": {
                    "type": "string", "maxLength": TEXT_CHARS_MAX,
                    "description": "Words of the applicant's name.",
                },
                "inventor": {
                    "type": "string", "maxLength": TEXT_CHARS_MAX,
                    "description": "Words of an inventor's name.",
                },
                "classification": {
                    "type": "string", "maxLength": CLASSIFICATION_CHARS_MAX,
                    "pattern": "^[A-HYa-hy][0-9]{2}([A-Za-z]([0-9]{1,4}(/[0-9]{2,6})?)?)?$",
                    "description": "An IPC or CPC symbol or its beginning: A61K, A61K9, C07D403/10.",
                },
                "published_from": { "type": "string", "format": "date", "description": "First day of publication." },
                "published_to": { "type": "string", "format": "date", "description": "Last day of publication." },
                "office": {
                    "enum": ["us", "ep", "both"], "default": "both",
                    "description": "Which office to search: us, ep, or both.",
                },
                "most": most::schema(),
            },
        });
        let fields = ["words", "applicant", "inventor", "classification"];
        wanted::needs_one_of(schema, &fields)
    }

    /// The search in safe pieces, or what is wrong with it.
    pub(super) fn check(&self) -> Result<Checked, LookupError> {
        let checked = Checked {
            words: pieces("words", &self.words)?,
            applicant: pieces("applicant", self.applicant.as_deref().unwrap_or_default())?,
            inventor: pieces("inventor", self.inventor.as_deref().unwrap_or_default())?,
            classification: self.classification.as_deref().map(symbol).transpose()?,
            from: day("published_from", self.published_from.as_deref())?,
            to: day("published_to", self.published_to.as_deref())?,
            most: most::check(self.most)?,
        };
        if let (Some(from), Some(to)) = (&checked.from, &checked.to)
            && from > to
        {
            return Err(LookupError::InvalidSearch(format!(
                "`published_from` ({from}) is after `published_to` ({to})."
            )));
        }
        let lists = [&checked.words, &checked.applicant, &checked.inventor];
        if lists.iter().all(|list| list.is_empty()) && checked.classification.is_none() {
            return Err(LookupError::InvalidSearch(
                "A patent search needs words, an applicant, an inventor or a classification."
                    .into(),
            ));
        }
        Ok(checked)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Checked {
    pub(super) words: Vec<String>,
    pub(super) applicant: Vec<String>,
    pub(super) inventor: Vec<String>,
    /// In upper case, without spaces.
    pub(super) classification: Option<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) most: usize,
}

fn pieces(field: &str, text: &str) -> Result<Vec<String>, LookupError> {
    if text.chars().count() > TEXT_CHARS_MAX {
        return Err(LookupError::InvalidSearch(format!(
            "`{field}` is longer than {TEXT_CHARS_MAX} characters."
        )));
    }
    let pieces = words(text);
    if pieces.len() > WORDS_MAX {
        return Err(LookupError::InvalidSearch(format!(
            "`{field}` has more than {WORDS_MAX} words."
        )));
    }
    Ok(pieces)
}

fn symbol(text: &str) -> Result<String, LookupError> {
    let symbol: String = text
        .chars()
        .filter(|character| !character.is_whitespace())
        .map(|character| character.to_ascii_uppercase())
        .collect();
    let bytes = symbol.as_bytes();
    let begins = matches!(bytes.first(), Some(b'A'..=b'H' | b'Y'))
        && bytes
            .get(1..3)
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_digit));
    let goes_on = bytes.get(3).is_none_or(u8::is_ascii_uppercase);
    let rest = bytes.get(4..).unwrap_or_default();
    let ends = rest
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b'/')
        && rest.iter().filter(|byte| **byte == b'/').count() <= 1;
    if begins && goes_on && ends && symbol.len() <= CLASSIFICATION_CHARS_MAX {
        return Ok(symbol);
    }
    Err(LookupError::InvalidSearch(format!(
        "`classification` is not an IPC or CPC symbol: {text}. Examples: A61K, C07D403/10."
    )))
}

fn day(field: &str, text: Option<&str>) -> Result<Option<String>, LookupError> {
    match text {
        None => Ok(None),
        Some(day) if is_day(day) => Ok(Some(day.to_owned())),
        Some(other) => Err(LookupError::InvalidSearch(format!(
            "`{field}` must be a day such as 2026-05-17, and is {other}."
        ))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_schema_demands_what_the_search_does() {
        let samples = json!({
            "words": "hinge", "applicant": "Acme", "inventor": "Ada", "classification": "A61K",
            "published_from": "2020-01-01", "office": "us", "most": 5,
        });
        wanted::check_agrees(&PatentSearch::schema(), &samples, |search: PatentSearch| {
            search.check().is_ok()
        });
    }
}
