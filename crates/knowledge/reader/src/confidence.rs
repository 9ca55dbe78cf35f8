//! How likely it is that the statements found answer a question: a logistic model over a few signs.
//!
//! The weights are learned by `bench/reader/learn_confidence.py` (`make learn-reader`) from 322 questions: samples/velmoran,
//! samples/incident and the learning sets of samples/public. Each is in log-odds per unit of its sign; units stand with [`SIGNS`].
//! Judged by a model that has not seen their world, 64 % of the answerable questions are answered right and 75 % of the others
//! declared unanswerable; of answers said to be 0.57, 0.73 and 0.87 likely, 0.61, 0.72 and 0.89 are right. The weights of the
//! kinds of questions are partly a habit of authors: whoever asks for a number asks more often for one that is not there.

use crate::question::{Asked, Question};
use crate::ranking::{Held, Hit, Sought};
use crate::reading::Reading;
use crate::terms::Term;

const COUNT: usize = 18;
/// What the model looks at, in the order of the weights. Shares are of the weight of all words that are looked for.
pub const SIGNS: [&str; COUNT] = [
    // 1 if a value is asked for and the statement has none of its kind; 1 if nothing that is quoted with it has.
    "lacks_value",
    "none_quoted",
    // Share in the statement, what is quoted with it, its heading and its lead-in.
    "near",
    // Share of the names and numbers among those that are not near.
    "names_missing",
    // Natural logarithm of the number of words of the statement.
    "length",
    // How far the score falls from the best to the 5th and the 20th statement.
    "margin_5",
    "margin_20",
    // Number of words that are looked for.
    "words",
    // What is asked: 1 for one of these.
    "amount",
    "money",
    "duration",
    "share",
    "date",
    "who",
    "where",
    "whether",
    "why",
    "which",
];
const WEIGHTS: [f64; COUNT] = [
    -1.62, -0.98, 0.80, -0.46, -0.81, 2.15, 1.69, 0.31, -1.32, -1.02, -0.13, -0.87, 0.32, 0.17,
    1.60, 0.83, 1.19, 0.14,
];
const BIAS: f64 = -0.88;
/// From this probability on a question counts as answered: both kinds of errors are then about equally far from their goals.
pub(crate) const ANSWERED_MIN: f64 = 0.50;

const MARGINS: [usize; 2] = [4, 19];

/// The signs of one question, in the order of [`SIGNS`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signs(pub [f64; COUNT]);

impl Signs {
    pub(crate) fn probability(self) -> f64 {
        let odds: f64 = self
            .0
            .iter()
            .zip(WEIGHTS)
            .map(|(sign, weight)| sign * weight)
            .sum();
        1.0 / (1.0 + (-(BIAS + odds)).exp())
    }
}

impl Reading<'_> {
    pub(crate) fn signs_of(
        &self,
        question: &Question,
        sought: &[Sought],
        held: &Held,
        hits: &[Hit],
    ) -> Option<Signs> {
        let best = hits.first()?;
        let last = hits.last()?;
        let at = best.statement;
        let quoted = self.quoted_with(at);
        let lacks = |other: &usize| question.wants_value() && !self.has_wanted(question, *other);
        let flag = |is: bool| f64::from(u8::from(is));
        let margin = |place: usize| best.score - hits.get(place).unwrap_or(last).score;
        let mut signs = [0.0; COUNT];
        signs[0] = flag(lacks(&at));
        signs[1] = flag(quoted.iter().all(lacks));
        signs[4] = (self.indexed[at].words.max(1) as f64).ln();
        signs[5] = margin(MARGINS[0]);
        signs[6] = margin(MARGINS[1]);
        signs[7] = sought.len() as f64;
        signs[8 + kind(question.asked)] = 1.0;
        let total: f64 = sought.iter().map(|word| word.weight).sum();
        for (number, word) in sought.iter().enumerate() {
            let share = word.weight / total;
            let inside = quoted.iter().map(|other| held.own(*other, number));
            let near = inside.fold(counted(&self.indexed[at].near, word), f64::max);
            signs[2] += share * near;
            if near == 0.0 && word.is_name {
                signs[3] += share;
            }
        }
        Some(Signs(signs))
    }
}

/// How well a list of terms in order has a word.
fn counted(terms: &[Term], word: &Sought) -> f64 {
    let fitting = word.terms.iter();
    let fitting = fitting.filter(|(term, _)| terms.binary_search(term).is_ok());
    fitting.map(|(_, counts)| *counts).fold(0.0, f64::max)
}

/// The place of a kind of question among the last signs.
fn kind(asked: Asked) -> usize {
    match asked {
        Asked::Amount => 0,
        Asked::Money => 1,
        Asked::Duration => 2,
        Asked::Share => 3,
        Asked::Date => 4,
        Asked::Who => 5,
        Asked::Where => 6,
        Asked::Whether => 7,
        Asked::Why => 8,
        Asked::Which => 9,
    }
}
