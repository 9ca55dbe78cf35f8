//! Statements of which one says what the other denies.

use std::collections::{BTreeSet, HashMap};

use adjutant_text::bm25::inverse_document_frequency;

use crate::claims::Force;
use crate::main_statements::is_clause;
use crate::reading::Reading;
use crate::statement::StatementForm;
use crate::terms::Term;
use crate::words::words;

/// The first says it, the second denies it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Denial {
    pub said: usize,
    pub denied: usize,
    pub likeness: f64,
}

const NEGATIONS: &[&str] = &[
    "no",
    "not",
    "never",
    "none",
    "cannot",
    "without",
    "neither",
    "nobody",
    "nothing",
    "isn't",
    "wasn't",
    "aren't",
    "didn't",
    "doesn't",
    "don't",
    "won't",
    "can't",
    "unable",
    "impossible",
];
/// How many words after a negation are denied by it.
const REACH: usize = 5;
/// A phrase in more statements says little.
const SHARED_BY_MAX: usize = 40;
const LIKENESS_MIN: f64 = 0.55;
/// Shorter statements share words by chance.
const WORDS_MIN: usize = 4;
const WORDS_MAX: usize = 40;

struct Said {
    statement: usize,
    terms: Vec<Term>,
    phrases: Vec<(Term, Term)>,
    denied: Vec<Term>,
    /// Names and numbers: they tell one case from another.
    marks: Vec<Term>,
}

impl Reading<'_> {
    pub fn denials(&self) -> Vec<Denial> {
        let said: Vec<Said> = (0..self.statements.len())
            .filter_map(|number| self.said(number))
            .collect();
        let mut by_phrase: HashMap<(Term, Term), Vec<usize>> = HashMap::new();
        for (at, one) in said.iter().enumerate() {
            for phrase in &one.phrases {
                by_phrase.entry(*phrase).or_default().push(at);
            }
        }
        let mut pairs = BTreeSet::new();
        for with in by_phrase
            .into_values()
            .filter(|with| with.len() <= SHARED_BY_MAX)
        {
            for (place, a) in with.iter().enumerate() {
                pairs.extend(with[place + 1..].iter().map(|b| (*a, *b)));
            }
        }
        let mut found: Vec<Denial> = pairs
            .into_iter()
            .filter_map(|(a, b)| self.denial(&said[a], &said[b]))
            .collect();
        found.sort_by(|a, b| b.likeness.total_cmp(&a.likeness));
        found
    }

    fn said(&self, number: usize) -> Option<Said> {
        let statement = &self.statements[number];
        let text = self.text(number);
        let count = self.indexed[number].words;
        let is_prose = matches!(
            statement.form,
            StatementForm::Sentence | StatementForm::Item
        );
        if !is_prose
            || !is_clause(text)
            || !(WORDS_MIN..=WORDS_MAX).contains(&count)
            || crate::claims::force(text) == Force::Supposed
        {
            return None;
        }
        let mut phrases = Vec::new();
        let mut denied = Vec::new();
        let mut last: Option<(usize, Term)> = None;
        let mut negated_at: Option<usize> = None;
        let mut marks = Vec::new();
        for (place, word) in words(text).into_iter().enumerate() {
            let written = &text[word.clone()];
            let small = written.to_lowercase();
            // `no. 7` is a number.
            let is_number = small == "no" && text[word.end..].starts_with('.');
            if NEGATIONS.contains(&small.as_str()) && !is_number {
                negated_at = Some(place);
            }
            let Some(term) = self.terms.get(&small) else {
                continue;
            };
            let named = place > 0 && written.starts_with(char::is_uppercase);
            if named || self.terms.has_digit(term) {
                marks.push(term);
            }
            if negated_at.is_some_and(|at| place <= at + REACH) {
                denied.push(term);
            }
            if let Some((before, other)) = last
                && place - before <= 2
            {
                phrases.push((term.min(other), term.max(other)));
            }
            last = Some((place, term));
        }
        phrases.sort_unstable();
        phrases.dedup();
        Some(Said {
            statement: number,
            terms: self.indexed[number].own.clone(),
            phrases,
            denied,
            marks,
        })
    }

    fn denial(&self, a: &Said, b: &Said) -> Option<Denial> {
        let (said, denied) = match (a.denied.is_empty(), b.denied.is_empty()) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => return None,
        };
        let document = |of: &Said| self.statements[of.statement].document;
        if document(said) == document(denied)
            || self.are_two_occasions(document(said), document(denied))
        {
            return None;
        }
        let is_other_case = |a: &Said, b: &Said| {
            let absent = |mark: &Term| !self.is_near(b.statement, *mark);
            a.marks.iter().any(absent)
        };
        if is_other_case(said, denied) || is_other_case(denied, said) {
            return None;
        }
        let weight = |term: &Term| {
            inverse_document_frequency(self.spread[*term as usize].max(1), self.statements.len())
        };
        // What is denied must be what the other says.
        let core: Vec<&Term> = denied
            .denied
            .iter()
            .filter(|term| said.terms.contains(term))
            .collect();
        if core.is_empty() {
            return None;
        }
        let shared: f64 = said
            .terms
            .iter()
            .filter(|term| denied.terms.contains(term))
            .map(weight)
            .sum();
        let all: f64 = said
            .terms
            .iter()
            .chain(&denied.terms)
            .map(weight)
            .sum::<f64>();
        let likeness = 2.0 * shared / all;
        (likeness >= LIKENESS_MIN).then_some(Denial {
            said: said.statement,
            denied: denied.statement,
            likeness,
        })
    }

    /// Whether a statement has a word, in itself, in what it stands under or in its document's title.
    fn is_near(&self, statement: usize, term: Term) -> bool {
        let indexed = &self.indexed[statement];
        let title = &self.titles[self.statements[statement].document];
        let lists = [&indexed.own, &indexed.near, &indexed.far, title];
        lists.iter().any(|list| list.binary_search(&term).is_ok())
    }
}
