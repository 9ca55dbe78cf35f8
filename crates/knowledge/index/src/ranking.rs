//! The numbers of the ranking, in one place.

use adjutant_text::bm25::Bm25;

/// Chosen on one half of a judged collection's questions and reported on the other (`bench/retrieval`). Where the
/// choice made little difference, the usual value stays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranking {
    /// How fast a further occurrence of a word loses worth.
    pub saturation: f64,
    /// How much a long passage must repeat a word to count as much as a short one; 0 to 1.
    pub length_penalty: f64,
    /// What a word in a heading counts, in words of the body.
    pub heads_weight: f64,
    /// Share of the document's own score in that of its passage; 0 to 1.
    pub document_share: f64,
    /// Weight of a word put in the place of an unknown one.
    pub spelling_weight: f64,
    /// From how many of the best passages further words are taken, and how many words.
    pub expansion_chunks: usize,
    pub expansion_terms: usize,
    /// Weight of all further words together; the question's own have the rest.
    pub expansion_share: f64,
    /// How many of the best passages lend each other worth, and from how many each one takes.
    pub neighbour_pool: usize,
    pub neighbours: usize,
    pub neighbours_weight: f64,
    pub vectors_weight: f64,
    /// What each further passage of a document keeps of its score, and a repetition.
    pub same_document_factor: f64,
    pub repetition_factor: f64,
}

impl Ranking {
    pub(crate) fn bm25(&self) -> Bm25 {
        Bm25 {
            saturation: self.saturation,
            length_penalty: self.length_penalty,
        }
    }
}

impl Default for Ranking {
    fn default() -> Self {
        Self {
            saturation: 1.2,
            length_penalty: 0.75,
            heads_weight: 2.0,
            document_share: 0.3,
            spelling_weight: 0.5,
            expansion_chunks: 10,
            expansion_terms: 30,
            expansion_share: 0.3,
            neighbour_pool: 100,
            neighbours: 10,
            neighbours_weight: 0.4,
            vectors_weight: 1.0,
            same_document_factor: 0.95,
            repetition_factor: 0.5,
        }
    }
}
