//! What a search found, and why.

use crate::entry::DocumentId;
use crate::query::{Namespace, Way};

/// The hits, best first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchResult {
    pub hits: Vec<Hit>,
    /// The words that were added to the question, and their weights.
    pub expanded_with: Vec<(String, f64)>,
    /// Of the passages that passed the filters, how many have an embedding that fits the question's.
    pub chunks_with_vector: u32,
    pub chunks_searched: u32,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub namespace: Namespace,
    pub document: DocumentId,
    /// Counted from 0, as `chunks` gives them.
    pub chunk: u32,
    /// The sum of the shares of all ways. The best possible passage has about the sum of their weights.
    pub score: f64,
    pub explained: Explained,
}

/// Why a passage stands where it stands. All sums are exact, in the order given.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Explained {
    pub terms: Vec<TermShare>,
    /// The sum of the terms' shares in the passage, and in its document.
    pub passage: f64,
    pub document: f64,
    pub ways: Vec<WayShare>,
    /// Where diversity put it; none if it was off.
    pub diversity: Option<Diversity>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermOrigin {
    Asked,
    /// In the place of a word no passage has.
    Spelled,
    /// From the best passages.
    Expanded,
}

/// What one term gave.
#[derive(Debug, Clone, PartialEq)]
pub struct TermShare {
    pub term: String,
    pub origin: TermOrigin,
    pub weight: f64,
    pub in_body: u32,
    pub in_heads: u32,
    /// Passages that have it, of all in the searched namespaces.
    pub chunks_with: u32,
    pub idf: f64,
    /// 1 for a passage of average length, more for a longer one.
    pub length_norm: f64,
    pub passage_share: f64,
    pub document_share: f64,
}

/// What one way gave: `weight` times `value` of `best`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WayShare {
    pub way: Way,
    /// Counted from 1; none if the way does not know the passage.
    pub rank: Option<u32>,
    pub value: f64,
    pub best: f64,
    pub weight: f64,
    pub share: f64,
}

/// The place by score and the place it got, both counted from 1, and what its score was multiplied by for the choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diversity {
    pub from: u32,
    pub to: u32,
    pub factor: f64,
}
