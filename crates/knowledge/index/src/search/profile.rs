//! What a passage is about, as one direction: its terms, each by how often it stands there and how rare it is.

use adjutant_text::bm25::{inverse_document_frequency, log_frequency};

use crate::search::scope::{Scope, Slot};

/// By term, rising; of length one.
pub(crate) struct Profile {
    weights: Vec<(u32, f64)>,
}

impl Profile {
    pub(crate) fn new(scope: &Scope<'_>, slot: Slot) -> Self {
        let (part, chunk) = scope.locate(slot);
        let mut weights: Vec<(u32, f64)> = part
            .part
            .segment
            .counts(chunk)
            .map(|count| {
                let number = part.part.numbers[count.term as usize];
                let times = f64::from(count.body) + f64::from(count.heads);
                let with = scope.chunks_with[number as usize];
                let rarity = inverse_document_frequency(with, scope.chunk_count);
                let weight = log_frequency(times) * rarity;
                (number, weight)
            })
            .collect();
        let square: f64 = weights.iter().map(|(_, weight)| weight * weight).sum();
        let length = square.sqrt();
        if length > 0.0 {
            for (_, weight) in &mut weights {
                *weight /= length;
            }
        }
        Self { weights }
    }

    pub(crate) fn weights(&self) -> impl Iterator<Item = (u32, f64)> {
        self.weights.iter().copied()
    }

    /// 1 for the same words as often, 0 for none in common.
    pub(crate) fn likeness(&self, other: &Self) -> f64 {
        let (mut left, mut right) = (self.weights.iter(), other.weights.iter());
        let (mut a, mut b) = (left.next(), right.next());
        let mut sum = 0.0;
        while let (Some((term, weight)), Some((other_term, other_weight))) = (a, b) {
            match term.cmp(other_term) {
                std::cmp::Ordering::Less => a = left.next(),
                std::cmp::Ordering::Greater => b = right.next(),
                std::cmp::Ordering::Equal => {
                    sum += weight * other_weight;
                    a = left.next();
                    b = right.next();
                }
            }
        }
        sum
    }

    /// Whether it could be a repetition at all.
    pub(crate) fn is_as_long_as(&self, other: &Self) -> bool {
        let (a, b) = (self.weights.len(), other.weights.len());
        a.min(b) * 4 >= a.max(b) * 3
    }
}
