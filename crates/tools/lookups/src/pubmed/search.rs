//! What may be searched for.

use serde::Deserialize;
use serde_json::Value;

use crate::LookupError;
use crate::dates::Date;
use crate::wanted::{self, LIST_MAX, MOST_MAX};

const ID_DIGITS_MAX: usize = 9;

/// Words with PubMed's own operators and field tags, or numbers of articles; not both.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    #[serde(default)]
    pub query: String,
    #[serde(default)]
    pub ids: Vec<String>,
    #[serde(default)]
    pub published_from: Option<String>,
    #[serde(default)]
    pub published_to: Option<String>,
    #[serde(default)]
    pub article_types: Vec<ArticleType>,
    #[serde(default)]
    pub languages: Vec<String>,
    #[serde(default)]
    pub species: Species,
    #[serde(default)]
    pub availability: Availability,
    #[serde(default)]
    pub sort: Sort,
    #[serde(default = "wanted::most")]
    pub most: u32,
}

impl Search {
    pub fn words(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            ids: Vec::new(),
            published_from: None,
            published_to: None,
            article_types: Vec::new(),
            languages: Vec::new(),
            species: Species::Any,
            availability: Availability::Any,
            sort: Sort::Relevance,
            most: wanted::MOST,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArticleType {
    CaseReport,
    ClinicalTrial,
    Guideline,
    Letter,
    MetaAnalysis,
    ObservationalStudy,
    RandomizedControlledTrial,
    Review,
    SystematicReview,
}

impl ArticleType {
    const WORDS: [&str; 9] = [
        "case_report",
        "clinical_trial",
        "guideline",
        "letter",
        "meta_analysis",
        "observational_study",
        "randomized_controlled_trial",
        "review",
        "systematic_review",
    ];

    /// As PubMed calls it.
    fn name(self) -> &'static str {
        match self {
            Self::CaseReport => "Case Reports",
            Self::ClinicalTrial => "Clinical Trial",
            Self::Guideline => "Guideline",
            Self::Letter => "Letter",
            Self::MetaAnalysis => "Meta-Analysis",
            Self::ObservationalStudy => "Observational Study",
            Self::RandomizedControlledTrial => "Randomized Controlled Trial",
            Self::Review => "Review",
            Self::SystematicReview => "Systematic Review",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Species {
    #[default]
    Any,
    Humans,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Availability {
    #[default]
    Any,
    Abstract,
    FreeFullText,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    #[default]
    Relevance,
    Newest,
    Author,
    Journal,
}

impl Sort {
    pub(super) fn parameter(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Newest => "pub_date",
            Self::Author => "Author",
            Self::Journal => "JournalName",
        }
    }
}

/// A search that can be sent.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) ids: Vec<String>,
    pub(super) term: String,
    pub(super) from: Option<Date>,
    pub(super) to: Option<Date>,
    pub(super) sort: Sort,
    pub(super) most: usize,
}

impl Search {
    pub(super) fn check(&self) -> Result<Checked, LookupError> {
        let bad = |what: &str| Err(LookupError::InvalidSearch(what.into()));
        let most = wanted::check_most(self.most)?;
        let query = self.query.trim();
        match (query.is_empty(), self.ids.is_empty()) {
            (true, true) => return bad("say what to search for: query or ids"),
            (false, false) => return bad("query and ids cannot be combined"),
            _ => {}
        }
        wanted::check_text("query", query)?;
        wanted::check_list("ids", &self.ids, MOST_MAX as usize)?;
        wanted::check_list("languages", &self.languages, LIST_MAX)?;
        let (from, to) = wanted::range(
            ("published_from", self.published_from.as_deref()),
            ("published_to", self.published_to.as_deref()),
        )?;
        Ok(Checked {
            ids: self
                .ids
                .iter()
                .map(|id| number(id))
                .collect::<Result<_, _>>()?,
            term: self.term(query)?,
            from,
            to,
            sort: self.sort,
            most,
        })
    }

    fn term(&self, query: &str) -> Result<String, LookupError> {
        let mut parts = vec![format!("({query})")];
        let types = self.article_types.iter();
        let types: Vec<String> = types
            .map(|kind| format!("\"{}\"[pt]", kind.name()))
            .collect();
        let mut languages = Vec::new();
        for language in &self.languages {
            if !language.chars().all(char::is_alphabetic) {
                return Err(LookupError::InvalidSearch(format!(
                    "languages has `{language}`; a language is one word, such as english"
                )));
            }
            languages.push(format!("{}[la]", language.to_lowercase()));
        }
        for choices in [types, languages] {
            if !choices.is_empty() {
                parts.push(format!("({})", choices.join(" OR ")));
            }
        }
        match self.species {
            Species::Any => {}
            Species::Humans => parts.push("humans[mh]".into()),
        }
        match self.availability {
            Availability::Any => {}
            Availability::Abstract => parts.push("hasabstract".into()),
            Availability::FreeFullText => parts.push("\"free full text\"[sb]".into()),
        }
        // One part alone needs no brackets, which PubMed would show in its warnings.
        match parts.as_slice() {
            [_] => Ok(query.to_owned()),
            _ => Ok(parts.join(" AND ")),
        }
    }
}

/// `31452104` or `PMID:31452104`.
fn number(id: &str) -> Result<String, LookupError> {
    let given = id.trim();
    let digits = given
        .strip_prefix("PMID:")
        .or(given.strip_prefix("pmid:"))
        .unwrap_or(given)
        .trim();
    let proper = !digits.is_empty()
        && digits.len() <= ID_DIGITS_MAX
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    if proper {
        Ok(digits.to_owned())
    } else {
        Err(LookupError::InvalidSearch(format!(
            "ids has `{id}`; the number of an article has up to {ID_DIGITS_MAX} digits"
        )))
    }
}

/// The JSON Schema of a search.
pub fn schema() -> Value {
    let schema = wanted::object_schema(
        "A search of PubMed: a query, or ids.",
        vec![
            (
                "query",
                wanted::text_schema(
                    "words, with AND, OR, NOT, brackets, quotes and field tags such as [ti], [tiab], [au], [mh]",
                ),
            ),
            (
                "ids",
                wanted::list_schema(
                    "numbers of articles (PMID) instead of a query",
                    MOST_MAX as usize,
                ),
            ),
            (
                "published_from",
                wanted::date_schema("the first year, month or day"),
            ),
            (
                "published_to",
                wanted::date_schema("the last year, month or day"),
            ),
            (
                "article_types",
                wanted::choices_schema(&ArticleType::WORDS, "any of these kinds of article"),
            ),
            (
                "languages",
                wanted::list_schema(
                    "any of these languages, in English, such as german",
                    LIST_MAX,
                ),
            ),
            (
                "species",
                wanted::choice_schema(&["any", "humans"], "only articles about humans, or all"),
            ),
            (
                "availability",
                wanted::choice_schema(
                    &["any", "abstract", "free_full_text"],
                    "only articles with an abstract, or with a free full text",
                ),
            ),
            (
                "sort",
                wanted::choice_schema(
                    &["relevance", "newest", "author", "journal"],
                    "the sort order",
                ),
            ),
        ],
    );
    let fields = ["query", "ids"];
    wanted::needs_one_of(schema, &fields)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_schema_demands_what_the_search_does() {
        let samples = json!({ "query": "gout", "ids": ["31452104"], "published_from": "2020", "sort": "newest", "most": 5 });
        wanted::check_agrees(&schema(), &samples, |search: Search| search.check().is_ok());
    }
}
