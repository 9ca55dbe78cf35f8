//! What may be asked of an index.

use std::collections::BTreeSet;

use crate::document::DocumentKind;
use crate::segment::DocumentRow;

/// The most hits a search returns.
pub const HITS_MAX: usize = 1_000;
/// A question is read up to here.
pub const QUERY_WORDS_MAX: usize = 256;

/// A set of documents that are kept and searched together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Namespace(pub String);

/// A question, and where to look for its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub text: String,
    pub limit: usize,
    pub filters: Filters,
    pub ways: Ways,
    /// The question's embedding, by the same endpoint as the documents'.
    pub vector: Option<Vec<f32>>,
}

impl Query {
    /// Everything on, nothing filtered, no embedding.
    pub fn new(text: impl Into<String>, limit: usize) -> Self {
        Self {
            text: text.into(),
            limit,
            filters: Filters::default(),
            ways: Ways::all(),
            vector: None,
        }
    }
}

/// What a document must be to be found. An empty list asks for nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filters {
    /// One of these. Also decides what counts as rare: other namespaces are as if they were not there.
    pub namespaces: BTreeSet<Namespace>,
    /// One of these.
    pub kinds: BTreeSet<DocumentKind>,
    /// All of these.
    pub tags: BTreeSet<String>,
    /// The first and last day, month or year, both included. A document without a date is in no period.
    pub from: Option<String>,
    pub to: Option<String>,
}

impl Filters {
    pub(crate) fn takes_namespace(&self, namespace: &Namespace) -> bool {
        self.namespaces.is_empty() || self.namespaces.contains(namespace)
    }

    pub(crate) fn takes(&self, document: &DocumentRow) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&document.kind))
            && self.tags.iter().all(|tag| document.tags.contains(tag))
            && self.takes_date(document.date.as_deref())
    }

    /// "2024-03" lies in every period that has a day of that month.
    fn takes_date(&self, date: Option<&str>) -> bool {
        if self.from.is_none() && self.to.is_none() {
            return true;
        }
        let Some(date) = date else {
            return false;
        };
        let after = |from: &String| compared(date, from).is_ge();
        let before = |to: &String| compared(date, to).is_le();
        self.from.as_ref().is_none_or(after) && self.to.as_ref().is_none_or(before)
    }
}

/// As far as both say.
fn compared(date: &str, bound: &str) -> std::cmp::Ordering {
    let length = date.len().min(bound.len());
    date.as_bytes()[..length].cmp(&bound.as_bytes()[..length])
}

/// One way to find or order passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// The question's words, the rarer the more (BM25 over heads and body, passage and document).
    Words,
    /// Words that no passage has, by the nearest that some have.
    Spelling,
    /// Words that the best passages have in common.
    Expansion,
    /// What passages that say much the same were worth.
    Neighbours,
    /// Embeddings.
    Vectors,
    /// Repetition moves down.
    Diversity,
}

/// Which ways are taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ways(BTreeSet<Way>);

impl Ways {
    pub fn all() -> Self {
        Self::only([
            Way::Words,
            Way::Spelling,
            Way::Expansion,
            Way::Neighbours,
            Way::Vectors,
            Way::Diversity,
        ])
    }

    pub fn only(ways: impl IntoIterator<Item = Way>) -> Self {
        Self(ways.into_iter().collect())
    }

    #[must_use]
    pub fn without(mut self, way: Way) -> Self {
        self.0.remove(&way);
        self
    }

    pub fn has(&self, way: Way) -> bool {
        self.0.contains(&way)
    }
}
