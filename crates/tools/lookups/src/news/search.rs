//! What to search the news for.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::dates::is_day;
use crate::words::words;
use crate::{LookupError, most};

const TEXT_CHARS_MAX: usize = 400;
const LANGUAGE_CHARS: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NewsKind {
    #[default]
    Everything,
    Headlines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NewsOrder {
    #[default]
    Relevance,
    Newest,
    Popularity,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewsSearch {
    pub words: String,
    #[serde(default)]
    pub from: Option<String>,
    #[serde(default)]
    pub to: Option<String>,
    #[serde(default)]
    pub language: Option<String>,
    #[serde(default)]
    pub kind: NewsKind,
    #[serde(default)]
    pub order: NewsOrder,
    #[serde(default = "most::most_unless_said")]
    pub most: u32,
}

impl NewsSearch {
    pub fn schema() -> Value {
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["words"],
            "properties": {
                "words": {
                    "type": "string", "minLength": 1, "maxLength": TEXT_CHARS_MAX,
                    "description": "Words that must all occur in title or text.",
                },
                "from": { "type": "string", "format": "date", "description": "First day." },
                "to": { "type": "string", "format": "date", "description": "Last day." },
                "language": {
                    "type": "string", "pattern": "^[a-z]{2}$",
                    "description": "A language in two letters: en, de, fr.",
                },
                "kind": {
                    "enum": ["everything", "headlines"], "default": "everything",
                    "description": "All articles, or only current headlines.",
                },
                "order": {
                    "enum": ["relevance", "newest", "popularity"], "default": "relevance",
                    "description": "The sort order. Feeds have no popularity and are then ordered by relevance.",
                },
                "most": most::schema(),
            },
        })
    }

    pub(super) fn check(&self) -> Result<Checked, LookupError> {
        if self.words.chars().count() > TEXT_CHARS_MAX {
            return Err(LookupError::InvalidSearch(format!(
                "`words` is longer than {TEXT_CHARS_MAX} characters."
            )));
        }
        let words = words(&self.words);
        if words.is_empty() {
            return Err(LookupError::InvalidSearch(
                "A news search requires words.".into(),
            ));
        }
        for (field, day) in [("from", &self.from), ("to", &self.to)] {
            if let Some(day) = day.as_deref().filter(|day| !is_day(day)) {
                return Err(LookupError::InvalidSearch(format!(
                    "`{field}` must be a day such as 2026-05-17, and is {day}."
                )));
            }
        }
        if let (Some(from), Some(to)) = (&self.from, &self.to)
            && from > to
        {
            return Err(LookupError::InvalidSearch(format!(
                "`from` ({from}) is after `to` ({to})."
            )));
        }
        let is_code = |code: &String| {
            code.len() == LANGUAGE_CHARS && code.bytes().all(|byte| byte.is_ascii_lowercase())
        };
        if let Some(code) = self.language.as_ref().filter(|code| !is_code(code)) {
            return Err(LookupError::InvalidSearch(format!(
                "`language` must be two lower-case letters such as en, but is {code}."
            )));
        }
        Ok(Checked {
            words,
            from: self.from.clone(),
            to: self.to.clone(),
            language: self.language.clone(),
            kind: self.kind,
            order: self.order,
            most: most::check(self.most)?,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Checked {
    pub(super) words: Vec<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) language: Option<String>,
    pub(super) kind: NewsKind,
    pub(super) order: NewsOrder,
    pub(super) most: usize,
}

impl Checked {
    /// Whether a day, of whatever precision, is within the days asked for.
    pub(super) fn covers(&self, day: Option<&str>) -> bool {
        let Some(day) = day else {
            return self.from.is_none() && self.to.is_none();
        };
        let after = self.from.as_deref().is_none_or(|from| day >= from);
        let before = self.to.as_deref().is_none_or(|to| day <= to);
        after && before
    }
}
