//! The articles that stand in for PubMed's.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::databases::query;

const RECORDS: &str = include_str!("../../../../../../samples/velmoran/apis/pubmed.json");

#[derive(Debug, Default, Deserialize)]
struct Records {
    journals: BTreeMap<String, Journal>,
    articles: Vec<Article>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Journal {
    pub(super) title: String,
    pub(super) abbreviation: String,
    pub(super) issn: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Article {
    pub(super) pmid: String,
    pub(super) title: String,
    pub(super) journal: String,
    pub(super) date: String,
    pub(super) authors: Vec<Author>,
    pub(super) types: Vec<String>,
    pub(super) mesh: Vec<String>,
    /// Labels and texts.
    #[serde(rename = "abstract")]
    pub(super) sections: Vec<(String, String)>,
    pub(super) language: String,
    #[serde(default)]
    pub(super) vernacular: Option<String>,
    #[serde(default)]
    pub(super) medline: Option<String>,
    #[serde(default)]
    pub(super) electronic: Option<String>,
    #[serde(default)]
    pub(super) volume: Option<String>,
    #[serde(default)]
    pub(super) issue: Option<String>,
    #[serde(default)]
    pub(super) pages: Option<String>,
    #[serde(default)]
    pub(super) doi: Option<String>,
    #[serde(default)]
    pub(super) pmc: Option<String>,
    #[serde(default)]
    pub(super) registry: Option<String>,
    #[serde(default)]
    pub(super) free: bool,
    #[serde(default)]
    pub(super) keywords: Vec<String>,
    /// Kind, place and number of what it is linked to.
    #[serde(default)]
    pub(super) links: Vec<(String, String, Option<String>)>,
    #[serde(default)]
    pub(super) book: Option<Book>,
    #[serde(skip)]
    pub(super) words: Words,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Author {
    Person(String, String),
    Group(String),
}

#[derive(Debug, Deserialize)]
pub(super) struct Book {
    pub(super) title: String,
    pub(super) publisher: String,
    pub(super) place: String,
    pub(super) editors: Vec<Author>,
    pub(super) accession: String,
    pub(super) isbn: String,
}

/// What is searched, cut once.
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) title: Vec<String>,
    pub(super) summary: Vec<String>,
    pub(super) authors: Vec<String>,
    pub(super) mesh: Vec<String>,
    pub(super) types: Vec<String>,
    pub(super) journal: Vec<String>,
    pub(super) keywords: Vec<String>,
}

fn records() -> &'static Records {
    static READ: OnceLock<Records> = OnceLock::new();
    READ.get_or_init(|| {
        // A test proves that they can be read.
        let mut records: Records = serde_json::from_str(RECORDS).unwrap_or_default();
        for article in &mut records.articles {
            article.words = words_of(article, records.journals.get(&article.journal));
        }
        records
    })
}

pub(super) fn articles() -> &'static [Article] {
    &records().articles
}

pub(super) fn journal_of(article: &Article) -> Option<&'static Journal> {
    records().journals.get(&article.journal)
}

fn words_of(article: &Article, journal: Option<&Journal>) -> Words {
    let joined = |parts: &[String]| query::words(&parts.join(" | "));
    let texts: Vec<String> = article.sections.iter().map(|part| part.1.clone()).collect();
    let authors = article.authors.iter().map(|author| match author {
        Author::Person(last, fore) => format!("{last} {fore}"),
        Author::Group(name) => name.clone(),
    });
    let journal = journal.map_or(String::new(), |journal| {
        format!("{} {}", journal.title, journal.abbreviation)
    });
    Words {
        title: query::words(&article.title),
        summary: joined(&texts),
        authors: joined(&authors.collect::<Vec<_>>()),
        mesh: joined(&article.mesh),
        types: joined(&article.types),
        journal: query::words(&journal),
        keywords: joined(&article.keywords),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_records_can_be_read() {
        let records: Records = serde_json::from_str(RECORDS).unwrap();
        assert_eq!(records.articles.len(), 60);
        for article in &records.articles {
            assert!(records.journals.contains_key(&article.journal));
        }
    }
}
