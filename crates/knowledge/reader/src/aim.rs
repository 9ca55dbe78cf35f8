//! How much a statement is about what an objective speaks of.

use std::collections::HashMap;

use adjutant_text::bm25::inverse_document_frequency;

use crate::reading::Reading;
use crate::same_meaning::same_meaning;
use crate::terms::Term;
use crate::words::{is_stop_word, words};

/// The words of an objective, with what each weighs, and the words of the same meaning, which weigh less.
#[derive(Debug, Clone, Default)]
pub(crate) struct Aim {
    terms: HashMap<Term, (usize, f64)>,
    weights: Vec<f64>,
    total: f64,
}

/// What a word weighs in what a statement stands under, in its section and in the title of its document.
const NEAR: f64 = 0.7;
const SECTION: f64 = 0.6;
const TITLE: f64 = 0.5;
/// What a word of the same meaning weighs.
const ALIKE: f64 = 0.4;
/// Words of who asks, not of what is asked for.
const ASKING: &[&str] = &[
    "answer",
    "assess",
    "clarify",
    "describe",
    "determine",
    "establish",
    "explain",
    "find",
    "happen",
    "happened",
    "know",
    "point",
    "points",
    "question",
    "questions",
    "really",
    "report",
    "say",
    "show",
    "still",
    "tell",
    "today",
    "good",
    "stay",
    "stays",
    "remain",
    "remains",
    "work",
    "works",
];
/// A section with more statements is a whole document.
const SECTION_MAX: usize = 25;

impl Reading<'_> {
    pub(crate) fn aim(&self, objective: &str) -> Aim {
        let mut aim = Aim::default();
        for word in words(objective) {
            let small = objective[word].to_lowercase();
            if is_stop_word(&small) || ASKING.contains(&small.as_str()) {
                continue;
            }
            let Some(term) = self.terms.of(&small) else {
                continue;
            };
            if aim.terms.get(&term).is_some_and(|(_, share)| *share >= 1.0) {
                continue;
            }
            let place = aim.weights.len();
            let weight = self.weight_of(term);
            aim.weights.push(weight);
            aim.total += weight;
            aim.terms.insert(term, (place, 1.0));
            let family = self.terms.family(&small);
            let alike = same_meaning(&small)
                .iter()
                .filter_map(|other| self.terms.of(other));
            for other in family.into_iter().chain(alike) {
                aim.terms.entry(other).or_insert((place, ALIKE));
            }
        }
        aim
    }

    pub(crate) fn weight_of(&self, term: Term) -> f64 {
        inverse_document_frequency(
            self.spread[term as usize].max(1),
            self.statements.len().max(1),
        )
    }

    /// Which share of an aim a statement has, itself or by what it stands under, from 0 to 1.
    pub(crate) fn relevance(&self, aim: &Aim, at: usize) -> f64 {
        let mut best = vec![0.0_f64; aim.weights.len()];
        self.add_relevance(aim, at, 1.0, &mut best);
        aim.sum(&best)
    }

    /// The same with the sentence before it, which it may go on from.
    pub(crate) fn relevance_of_two(&self, aim: &Aim, at: usize, before: usize) -> f64 {
        let mut best = vec![0.0_f64; aim.weights.len()];
        self.add_relevance(aim, at, 1.0, &mut best);
        self.add_relevance(aim, before, NEAR, &mut best);
        aim.sum(&best)
    }

    /// The same with all statements of its section.
    pub(crate) fn relevance_of_section(&self, aim: &Aim, at: usize) -> f64 {
        let mut best = vec![0.0_f64; aim.weights.len()];
        self.add_relevance(aim, at, 1.0, &mut best);
        let own = &self.statements[at];
        let is_same = |other: usize| {
            let other = &self.statements[other];
            other.document == own.document && other.headings == own.headings
        };
        let before = (0..at)
            .rev()
            .take_while(|other| is_same(*other))
            .take(SECTION_MAX);
        let behind = (at + 1..self.statements.len())
            .take_while(|other| is_same(*other))
            .take(SECTION_MAX);
        for other in before.chain(behind) {
            self.add_relevance(aim, other, SECTION, &mut best);
        }
        aim.sum(&best)
    }

    fn add_relevance(&self, aim: &Aim, at: usize, scale: f64, best: &mut [f64]) {
        let indexed = &self.indexed[at];
        let title = &self.titles[self.statements[at].document];
        let lists = [
            (&indexed.own, 1.0),
            (&indexed.near, NEAR),
            (&indexed.far, TITLE),
            (title, TITLE),
        ];
        for (list, share) in lists {
            for term in list {
                if let Some((place, alike)) = aim.terms.get(term) {
                    best[*place] = best[*place].max(share * alike * scale);
                }
            }
        }
    }
}

impl Aim {
    fn sum(&self, best: &[f64]) -> f64 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let sum: f64 = best
            .iter()
            .zip(&self.weights)
            .map(|(share, weight)| share * weight)
            .sum();
        sum / self.total
    }
}
