//! Which texts fit a question: BM25 over stems, and for words that no text has, groups of three letters.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_text::bm25::{Bm25, inverse_document_frequency};

use crate::words::{trigrams, worth};

const RANKING: Bm25 = Bm25 {
    saturation: 1.2,
    length_penalty: 0.0,
};
/// How alike two words must be by their groups of three letters to be taken for one.
const ALIKE_MIN: f64 = 0.6;
/// What a word counts that is only alike.
const ALIKE_WORTH: f64 = 0.7;
/// How many known words one unknown word may stand for.
const ALIKE_MAX: usize = 3;

/// A term of a question, and how much it counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    /// As it was asked.
    pub(crate) term: String,
    /// Known terms that it stands for, and how alike each is.
    pub(crate) known: Vec<(u32, f64)>,
}

/// Texts by their terms. Weights are shares of what the rarest word weighs, so they mean the same however many texts there are.
#[derive(Debug, Default)]
pub(crate) struct TextIndex {
    numbers: BTreeMap<String, u32>,
    /// For each term the texts that have it, and what it weighs in them.
    postings: Vec<Vec<(u32, f64)>>,
    grams: BTreeMap<[char; 3], Vec<u32>>,
    gram_counts: Vec<usize>,
    texts: usize,
}

impl TextIndex {
    /// Of texts given as terms and how often each occurs, weighed by where it stands. `of` says what each text is about:
    /// a term of several texts about the same thing is no less telling for that.
    pub(crate) fn build(texts: &[BTreeMap<String, f64>], of: impl Fn(usize) -> usize) -> Self {
        let mut index = Self {
            texts: texts.len(),
            ..Self::default()
        };
        let mut counts: Vec<Vec<(u32, f64)>> = Vec::new();
        for (at, text) in (0_u32..).zip(texts) {
            for (term, count) in text {
                let next = counts.len() as u32;
                let number = *index.numbers.entry(term.clone()).or_insert(next);
                if number == next {
                    counts.push(Vec::new());
                    index.add_grams(term, number);
                }
                counts[number as usize].push((at, *count));
            }
        }
        let things = (0..texts.len()).map(&of).max().map_or(0, |last| last + 1);
        let rarest = inverse_document_frequency(1, things).max(f64::MIN_POSITIVE);
        index.postings = counts
            .into_iter()
            .map(|list| {
                let with: BTreeSet<usize> = list.iter().map(|(at, _)| of(*at as usize)).collect();
                let with = u32::try_from(with.len()).unwrap_or(u32::MAX);
                let weight = inverse_document_frequency(with, things) / rarest;
                let scored = list
                    .into_iter()
                    .map(|(at, count)| (at, RANKING.score(weight, count, 1.0)));
                scored.collect()
            })
            .collect();
        index
    }

    fn add_grams(&mut self, term: &str, number: u32) {
        let grams = trigrams(term);
        self.gram_counts.push(grams.len());
        for gram in grams {
            self.grams.entry(gram).or_default().push(number);
        }
    }

    /// What a term stands for here: itself, or words that are alike.
    pub(crate) fn asked(&self, term: &str) -> Asked {
        self.asked_with(term, 1.0)
    }

    /// The same for a term that counts only a share.
    pub(crate) fn asked_with(&self, term: &str, share: f64) -> Asked {
        let mut known = match self.numbers.get(term) {
            Some(number) => vec![(*number, worth(term))],
            None => self.alike(term),
        };
        for (_, alike) in &mut known {
            *alike *= share;
        }
        Asked {
            term: term.to_owned(),
            known,
        }
    }

    fn alike(&self, term: &str) -> Vec<(u32, f64)> {
        // Short words and figures are alike by chance.
        if term.contains(' ')
            || term.chars().count() < 5
            || term.chars().any(|char| char.is_ascii_digit())
        {
            return Vec::new();
        }
        let grams = trigrams(term);
        let mut shared: BTreeMap<u32, usize> = BTreeMap::new();
        for gram in &grams {
            for number in self.grams.get(gram).into_iter().flatten() {
                *shared.entry(*number).or_default() += 1;
            }
        }
        let mut found: Vec<(u32, f64)> = shared
            .into_iter()
            .map(|(number, count)| {
                let both = grams.len() + self.gram_counts[number as usize];
                (number, 2.0 * count as f64 / both as f64)
            })
            .filter(|(_, alike)| *alike >= ALIKE_MIN)
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(ALIKE_MAX);
        found
            .iter()
            .map(|(number, alike)| (*number, alike * ALIKE_WORTH))
            .collect()
    }

    /// What a term counts in each text that has it.
    pub(crate) fn weights<'a>(&'a self, asked: &'a Asked) -> impl Iterator<Item = (u32, f64)> + 'a {
        asked.known.iter().flat_map(move |(number, alike)| {
            self.postings[*number as usize]
                .iter()
                .map(move |(text, weight)| (*text, weight * alike))
        })
    }

    /// What all terms together count, for every text.
    pub(crate) fn scores<'a>(&self, asked: impl Iterator<Item = &'a Asked>) -> Vec<f64> {
        let mut scores = vec![0.0; self.texts];
        for term in asked {
            for (text, weight) in self.weights(term) {
                scores[text as usize] += weight;
            }
        }
        scores
    }

    /// What one term counts in one text.
    pub(crate) fn weight(&self, asked: &Asked, text: usize) -> f64 {
        self.weights(asked)
            .filter(|(at, _)| *at as usize == text)
            .map(|(_, weight)| weight)
            .sum()
    }

    /// The most that a term counts in any text.
    pub(crate) fn weight_max(&self, asked: &Asked) -> f64 {
        self.weights(asked)
            .map(|(_, weight)| weight)
            .fold(0.0, f64::max)
    }
}
