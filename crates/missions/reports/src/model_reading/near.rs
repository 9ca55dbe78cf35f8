//! How near texts are to each other by the words they share, rare words counting more.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::content;

/// Texts as weighted words.
pub(super) struct Near {
    words: Vec<BTreeSet<String>>,
    weights: BTreeMap<String, f64>,
    lengths: Vec<f64>,
}

impl Near {
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let words: Vec<BTreeSet<String>> = texts.map(content).collect();
        let mut spread: BTreeMap<String, f64> = BTreeMap::new();
        for word in words.iter().flatten() {
            *spread.entry(word.clone()).or_default() += 1.0;
        }
        let all = words.len() as f64;
        let weights: BTreeMap<String, f64> = spread
            .into_iter()
            .map(|(word, count)| (word, (1.0 + all / count).ln()))
            .collect();
        let mut near = Self {
            lengths: Vec::new(),
            words,
            weights,
        };
        near.lengths = near.words.iter().map(|own| near.length(own)).collect();
        near
    }

    fn weight(&self, word: &str) -> f64 {
        self.weights.get(word).copied().unwrap_or(1.0)
    }

    fn length(&self, words: &BTreeSet<String>) -> f64 {
        let squares = words.iter().map(|word| self.weight(word).powi(2));
        squares.sum::<f64>().sqrt()
    }

    /// From 0 for nothing in common to 1.
    pub(super) fn between(&self, one: usize, other: usize) -> f64 {
        let (first, second) = (&self.words[one], &self.words[other]);
        let shared = first.intersection(second);
        let product: f64 = shared.map(|word| self.weight(word).powi(2)).sum();
        let lengths = self.lengths[one] * self.lengths[other];
        if lengths > 0.0 {
            product / lengths
        } else {
            0.0
        }
    }
}
