//! Okapi BM25, the usual way to rank texts by words: rare words count more, repetitions less and less, and a long text
//! has to repeat a word more often than a short one.
//!
//! Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009). Logarithms are computed in
//! software, so that ranks are the same on every machine.

/// The two numbers of BM25.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bm25 {
    /// How much a further occurrence still counts; called k1 in the literature, usually 1.2 to 2.
    pub saturation: f64,
    /// How much a text is taken to be long because it repeats itself; called b, 0 to 1, usually 0.75.
    pub length_penalty: f64,
}

impl Bm25 {
    /// What a word that occurs so often adds to the score of a text: up to `saturation + 1` times its weight. The weight
    /// is how rare the word is, and how much it matters to the question.
    pub fn score(&self, weight: f64, count: f64, length_norm: f64) -> f64 {
        weight * count * (self.saturation + 1.0) / (count + self.saturation * length_norm)
    }

    /// 1 for a text of mean length, more for a longer one.
    pub fn length_norm(&self, length: f64, mean: f64) -> f64 {
        1.0 - self.length_penalty + self.length_penalty * length / mean
    }
}

/// How telling a word is that stands in so many of all texts: near 0 if all have it. Never negative, as in Lucene.
pub fn inverse_document_frequency(texts_with_word: u32, texts: usize) -> f64 {
    let with = f64::from(texts_with_word);
    libm::log(1.0 + (texts as f64 - with + 0.5).max(0.0) / (with + 0.5))
}

/// What a word that occurs so often weighs where two texts are compared: 1 for once, growing with the logarithm.
pub fn log_frequency(count: f64) -> f64 {
    1.0 + libm::log(count)
}

#[cfg(test)]
#[path = "bm25_tests.rs"]
mod tests;
