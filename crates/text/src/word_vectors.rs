//! What words have to do with each other, as numbers: words that stand in the same surroundings point the same way.
//!
//! The vectors are GloVe's, of 24,000 common English words, learned from encyclopedia and news texts by others
//! (`bench/word-vectors/make.py` says how they came here). They know general English only: no names, no terms of a field.

use std::sync::LazyLock;

/// How many numbers say what a word means.
pub const DIMENSIONS: usize = 100;

const WORDS: &str = include_str!("../data/word_vectors/words.txt");
const VECTORS: &[u8] = include_bytes!("../data/word_vectors/vectors.bin");
/// Of which share of a text a word may be before it counts half. So "the" says next to nothing.
const SHARE_AT_HALF: f64 = 1e-3;
/// The share of the commonest word; the others have it divided by their rank, as Zipf found.
const SHARE_OF_FIRST: f64 = 0.1;
const RANK_SHIFT: f64 = 2.7;

/// Each word with its place in the table, in the order of the alphabet. The table has the commonest first.
static BY_WORD: LazyLock<Vec<(&'static str, usize)>> = LazyLock::new(|| {
    let places = WORDS.lines().enumerate().map(|(place, word)| (word, place));
    let mut by_word: Vec<_> = places.collect();
    by_word.sort_unstable();
    by_word
});

/// What a text as a whole is about: the mean of its words, common ones counting little, with length one. `None` if it has no
/// word that is known. The words are in lower case.
pub fn meaning<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<[f64; DIMENSIONS]> {
    let mut sum = [0.0; DIMENSIONS];
    for word in words {
        let Some(place) = place_of(word) else {
            continue;
        };
        let weight = weight_of(place);
        for (sum, component) in sum.iter_mut().zip(vector_at(place)) {
            *sum += weight * component;
        }
    }
    let length = sum.iter().map(|sum| sum * sum).sum::<f64>().sqrt();
    (length > 0.0).then(|| sum.map(|sum| sum / length))
}

fn place_of(word: &str) -> Option<usize> {
    let at = BY_WORD.binary_search_by(|(known, _)| (*known).cmp(word));
    at.ok().map(|at| BY_WORD[at].1)
}

fn weight_of(place: usize) -> f64 {
    let share = SHARE_OF_FIRST / (place as f64 + RANK_SHIFT);
    SHARE_AT_HALF / (SHARE_AT_HALF + share)
}

fn vector_at(place: usize) -> impl Iterator<Item = f64> {
    let from = place * DIMENSIONS;
    VECTORS[from..from + DIMENSIONS]
        .iter()
        .map(|byte| f64::from(byte.cast_signed()))
}

#[cfg(test)]
#[path = "word_vectors_tests.rs"]
mod tests;
