//! What does not work, was missed or is not there, as documents in force say: the reasons of risks.

use crate::claims::{Force, force};
use crate::conditions::has_phrase;
use crate::document_facts::Standing;
use crate::fulfilment::is_data;
use crate::genre::{Genre, Strength};
use crate::main_statements::{is_clause, points_inside};
use crate::reading::Reading;
use crate::statement::StatementForm;
use crate::tokens::tokens;

/// A statement that something required is not so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shortfall {
    pub statement: usize,
    pub relevance: f64,
    pub score: f64,
}

/// What says so plainly.
const PLAIN: &[&str] = &[
    "not met",
    "not reached",
    "not fulfilled",
    "not passed",
    "not kept",
    "was missed",
    "were missed",
    "missed",
    "failed",
    "fails",
    "exceeded",
    "exceeds",
    "out of specification",
    "not in service",
    "not in place",
    "not effective",
    "not in force",
    "not working",
    "does not work",
    "did not work",
    "not tested",
    "never tested",
    "has not been",
    "have not been",
    "had not been",
    "was stopped",
    "overdue",
    "expired",
    "is missing",
    "are missing",
    "was missing",
    "is outstanding",
    "are outstanding",
    "insufficient",
    "not sufficient",
    "no longer",
    "above the limit",
    "below the limit",
    "not supported",
    "not established",
    "no measurement",
    "not measured",
    "not carried out",
    "not available",
    "not signed",
    "no contract",
    "no way",
    "not proved",
    "not shown",
    "breach",
    "breached",
];
/// What says that there is only one of something, or that a time ends.
const WEAK: &[&str] = &[
    "only one",
    "one supplier",
    "depends on",
    "expires on",
    "falls due",
];
const WORDS_MAX: usize = 45;
/// From here on a shortfall is told.
const RELEVANCE_MIN: f64 = 0.12;
const PER_DOCUMENT: usize = 3;

impl Reading<'_> {
    /// The shortfalls that concern an objective, the gravest first.
    pub fn shortfalls(&self, objective: &str, most: usize) -> Vec<Shortfall> {
        let aim = self.aim(objective);
        let mut all: Vec<Shortfall> = Vec::new();
        for at in 0..self.statements.len() {
            let Some(weight) = self.shortfall(at) else {
                continue;
            };
            let mut relevance = self.relevance(&aim, at);
            if let Some(before) = self.sentence_before(at) {
                relevance = relevance.max(self.relevance_of_two(&aim, at, before));
            }
            if relevance >= RELEVANCE_MIN {
                let newness = self.newness[self.statements[at].document];
                let score = weight * (0.3 + relevance) * (0.5 + 0.5 * newness);
                all.push(Shortfall {
                    statement: at,
                    relevance,
                    score,
                });
            }
        }
        all.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.statement.cmp(&b.statement))
        });
        let mut kept: Vec<Shortfall> = Vec::new();
        for one in all {
            let document = self.statements[one.statement].document;
            let own = kept
                .iter()
                .filter(|at| self.statements[at.statement].document == document)
                .count();
            let known = kept
                .iter()
                .any(|at| self.says_the_same(at.statement, one.statement));
            if own < PER_DOCUMENT && !known && kept.len() < most {
                kept.push(one);
            }
        }
        kept
    }

    /// How plainly a statement says that something is not as it has to be.
    pub(crate) fn shortfall(&self, at: usize) -> Option<f64> {
        let statement = &self.statements[at];
        let facts = &self.facts[statement.document];
        let holds = facts.standing == Standing::Current && !facts.is_draft;
        let text = self.text(at);
        let is_prose = matches!(
            statement.form,
            StatementForm::Sentence | StatementForm::Item
        );
        let tells = !matches!(
            facts.genre,
            Genre::Law
                | Genre::Contract
                | Genre::Policy
                | Genre::Specification
                | Genre::Protocol
                | Genre::Notice
        );
        let fits = holds
            && tells
            && is_prose
            && self.indexed[at].words <= WORDS_MAX
            && self.indexed[at].words >= 3
            && text.trim_end().ends_with('.')
            && !is_data(text)
            && is_clause(text)
            && !points_inside(&tokens(text))
            && force(text) == Force::Asserted;
        if !fits {
            return None;
        }
        let strength = match (facts.genre, facts.strength()) {
            (Genre::Mail | Genre::Proposal, _) => 0.55,
            (Genre::Register, _) => 1.0,
            (_, Strength::High) => 1.0,
            (_, Strength::Moderate) => 0.9,
            (_, Strength::Low) => 0.6,
            (_, Strength::VeryLow) => 0.3,
        };
        let cue = match () {
            () if has_phrase(text, PLAIN) => 1.0,
            () if has_phrase(text, WEAK) => 0.6,
            () => return None,
        };
        Some(cue * strength)
    }
}
