//! Which statements bear on a question, best first.

use adjutant_text::bm25::inverse_document_frequency;

use crate::reading::Reading;
use crate::terms::Term;
use crate::words::{is_stop_word, stemmed, words};

/// What a word counts where it does not stand in the statement itself.
const NEAR: f64 = 0.75;
const NEIGHBOUR: f64 = 0.55;
const FAR: f64 = 0.5;
const TITLE: f64 = 0.6;
/// How much a long statement counts less.
const LENGTH: f64 = 0.12;
const USUAL_WORDS: f64 = 14.0;

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
    /// None if no statement has it.
    pub(crate) term: Option<Term>,
    pub(crate) weight: f64,
    /// Written as a name, or a number.
    pub(crate) is_name: bool,
}

/// A statement that bears on a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hit {
    pub(crate) statement: usize,
    pub(crate) score: f64,
    /// Which share of what is looked for it has, with what it stands under.
    pub(crate) coverage: f64,
    /// The same of the statement alone.
    pub(crate) own: f64,
}

impl Reading<'_> {
    pub(crate) fn sought(&self, question: &str) -> Vec<Sought> {
        let mut found: Vec<Sought> = Vec::new();
        let mut seen = Vec::new();
        for (place, word) in words(question).into_iter().enumerate() {
            let written = &question[word];
            let small = written.to_lowercase();
            if is_stop_word(&small) || ASKING.contains(&small.as_str()) {
                continue;
            }
            let stem = stemmed(&small);
            if seen.contains(&stem) {
                continue;
            }
            let term = self.terms.find(&stem);
            // What nobody has tells as much as what few have.
            let with = term.map_or(1, |term| self.spread[term as usize]);
            let weight = inverse_document_frequency(with, self.statements.len());
            let is_name = place > 0 && written.starts_with(|char: char| char.is_uppercase())
                || written.contains(|char: char| char.is_ascii_digit());
            seen.push(stem);
            found.push(Sought {
                word: written.to_owned(),
                term,
                weight,
                is_name,
            });
        }
        found
    }

    /// How well a statement has a word: 1 in itself, less in what it stands under or beside.
    pub(crate) fn holds(&self, statement: usize, sought: &Sought) -> f64 {
        let Some(term) = sought.term else {
            return 0.0;
        };
        let document = self.statements[statement].document;
        let own = &self.indexed[statement];
        let has = |list: &[Term]| list.binary_search(&term).is_ok();
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
                let has = word
                    .term
                    .is_some_and(|term| own.binary_search(&term).is_ok());
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
                coverage: held / total,
                own: own / total,
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
