//! Which statements bear on a question, best first.

use std::collections::BTreeSet;

use adjutant_text::bm25::inverse_document_frequency;
use adjutant_text::dates::Date;

use crate::reading::Reading;
use crate::terms::Term;
use crate::values::{Placed, Unit, Value, values};
use crate::words::{is_stop_word, stemmed, words};

/// What a word counts where it does not stand in the statement itself.
const NEAR: f64 = 0.75;
const NEIGHBOUR: f64 = 0.55;
const FAR: f64 = 0.5;
const TITLE: f64 = 0.6;
/// How much a long statement counts less.
const LENGTH: f64 = 0.12;
const USUAL_WORDS: f64 = 14.0;

/// How many letters a short form has.
const SHORT_FORM: std::ops::RangeInclusive<usize> = 2..=5;
/// What is measured, and the stems of its units.
const MEASURES: &[(&str, &[&str])] = &[
    ("temperature", &["degre", "c", "celsius", "fahrenheit"]),
    ("distance", &["km", "kilometr", "metr", "mile"]),
    ("length", &["km", "kilometr", "metr", "mm", "cm", "mile"]),
    ("weight", &["kg", "kilogram", "gram", "tonn", "ton"]),
];

/// Words of questions that are not what is asked about.
const ASKING: &[&str] = &[
    "many",
    "much",
    "long",
    "often",
    "when",
    "what",
    "which",
    "who",
    "whom",
    "whose",
    "where",
    "why",
    "how",
    "there",
    "say",
    "says",
    "said",
    "tell",
    "document",
    "documents",
    "according",
    "exactly",
    "actually",
    "currently",
    "please",
    "happen",
    "happened",
    "name",
    "give",
    "us",
    "get",
    "anyone",
    "anybody",
    "someone",
    "somebody",
    "anything",
    "thing",
    "things",
];

/// A word that is looked for.
#[derive(Debug)]
pub(crate) struct Sought {
    pub(crate) word: String,
    /// Its forms; none if no statement has it.
    pub(crate) terms: Vec<Term>,
    pub(crate) weight: f64,
    /// Written as a name, or a number.
    pub(crate) is_name: bool,
    /// The date it is part of: a document of that date has it.
    pub(crate) date: Option<Date>,
    /// Statements that have it in another form: `CEO` as its words, `temperature` as a number of degrees.
    pub(crate) also: BTreeSet<usize>,
}

/// A statement that bears on a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hit {
    pub(crate) statement: usize,
    pub(crate) score: f64,
}

impl Reading<'_> {
    pub(crate) fn sought(&self, question: &str) -> Vec<Sought> {
        let mut found: Vec<Sought> = Vec::new();
        let mut seen = Vec::new();
        let dates: Vec<Placed> = values(question)
            .into_iter()
            .filter(|at| matches!(at.value, Value::Day(_)))
            .collect();
        for (place, word) in words(question).into_iter().enumerate() {
            let date = dates.iter().find(|at| at.span.contains(&word.start));
            let date = date.and_then(|at| match at.value {
                Value::Day(date) => Some(date),
                _ => None,
            });
            let written = &question[word];
            let small = written.to_lowercase();
            if is_stop_word(&small) || ASKING.contains(&small.as_str()) {
                continue;
            }
            let stem = stemmed(&small);
            if seen.contains(&stem) {
                continue;
            }
            let terms = self.terms.find(&stem);
            // A word that no statement has weighs as much as one that a single statement has.
            let with = terms
                .iter()
                .map(|term| self.spread[*term as usize])
                .sum::<u32>()
                .max(1);
            let weight = inverse_document_frequency(with, self.statements.len());
            let is_name = place > 0 && written.starts_with(|char: char| char.is_uppercase())
                || written.contains(|char: char| char.is_ascii_digit());
            seen.push(stem);
            found.push(Sought {
                word: written.to_owned(),
                terms,
                weight,
                is_name,
                date,
                also: self.in_another_form(written, &small),
            });
        }
        found
    }

    /// The statements that spell a short form out, or measure what is asked for.
    fn in_another_form(&self, written: &str, small: &str) -> BTreeSet<usize> {
        let all = 0..self.statements.len();
        if SHORT_FORM.contains(&written.len()) && written.chars().all(|c| c.is_ascii_uppercase()) {
            return all.filter(|at| spells_out(self.text(*at), small)).collect();
        }
        let measure = MEASURES.iter().find(|(name, _)| *name == small);
        let Some((_, units)) = measure else {
            return BTreeSet::new();
        };
        let measured = |at: &usize| {
            let mut found = values(self.text(*at)).into_iter();
            found.any(|placed| match placed.value {
                Value::Amount {
                    unit: Unit::Of(unit),
                    ..
                } => units.contains(&unit.as_str()),
                _ => false,
            })
        };
        all.filter(measured).collect()
    }

    /// How well a statement has a word: 1 in itself, less in what it stands under or beside.
    pub(crate) fn holds(&self, statement: usize, sought: &Sought) -> f64 {
        if sought.also.contains(&statement) {
            return 1.0;
        }
        let document = self.statements[statement].document;
        let dated = self.facts[document].date.zip(sought.date);
        if dated.is_some_and(|(own, asked)| own.is_within(asked)) {
            return 1.0;
        }
        let own = &self.indexed[statement];
        let has = |list: &[Term]| has_any(list, &sought.terms);
        let beside = |statement| {
            self.beside(statement)
                .any(|other| has(&self.indexed[other].own))
        };
        match () {
            () if has(&own.own) => 1.0,
            () if has(&own.near) => NEAR,
            () if has(&self.titles[document]) => TITLE,
            () if beside(statement) => NEIGHBOUR,
            () if has(&own.far) => FAR,
            () => 0.0,
        }
    }

    /// The statements before and after in the same paragraph.
    pub(crate) fn beside(&self, statement: usize) -> impl Iterator<Item = usize> {
        let own = &self.statements[statement];
        let same = move |other: usize| {
            let other = self.statements.get(other)?;
            let together =
                other.document == own.document && other.block == own.block && own.cells.is_empty();
            together.then_some(())
        };
        let before = statement.checked_sub(1).filter(|at| same(*at).is_some());
        let after = Some(statement + 1).filter(|at| same(*at).is_some());
        before.into_iter().chain(after)
    }

    pub(crate) fn hits(&self, sought: &[Sought]) -> Vec<Hit> {
        let total: f64 = sought.iter().map(|word| word.weight).sum();
        if total == 0.0 {
            return Vec::new();
        }
        let mut hits = Vec::new();
        for statement in 0..self.statements.len() {
            let has_own = |word: &Sought| {
                let own = &self.indexed[statement].own;
                let has = has_any(own, &word.terms) || word.also.contains(&statement);
                if has { word.weight } else { 0.0 }
            };
            let own: f64 = sought.iter().map(has_own).sum();
            if own == 0.0 {
                continue;
            }
            let held: f64 = sought
                .iter()
                .map(|word| self.holds(statement, word) * word.weight)
                .sum();
            let length = (self.indexed[statement].words as f64 / USUAL_WORDS - 1.0).max(0.0);
            hits.push(Hit {
                statement,
                score: (held / total) / (1.0 + LENGTH * length),
            });
        }
        hits.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.statement.cmp(&b.statement))
        });
        hits
    }
}

fn has_any(list: &[Term], terms: &[Term]) -> bool {
    terms.iter().any(|term| list.binary_search(term).is_ok())
}

/// Whether words that follow one another begin with these letters: `chief executive officer` and `ceo`.
fn spells_out(text: &str, letters: &str) -> bool {
    let small = text.to_lowercase();
    let all = words(&small);
    let count = letters.len();
    all.windows(count).any(|run| {
        let mut pairs = run.iter().zip(letters.chars());
        pairs.all(|(word, letter)| word.len() > 1 && small[word.clone()].starts_with(letter))
    })
}
