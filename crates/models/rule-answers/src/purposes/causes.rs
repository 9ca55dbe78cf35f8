//! What is said to cause what: sentences with a connective, by how surely they say it and how much they bear on the question.

use std::collections::BTreeSet;

use adjutant_questions::{CauseDirection, CausePair, CauseStrength, CausesFound, WorkerQuestion};
use adjutant_text::causes::{self, Certainty, stated_cause};
use adjutant_text::stems::content_stems;

use crate::bearing::{Bearing, sure_of};
use crate::corpus::Corpus;
use crate::text::{clipped, clipped_statement};

const SIDE_CHARS_MAX: usize = 230;
const SUMMARY_CHARS_MAX: usize = 560;
/// From here on two sides name the same thing: of the stems of both together, so many are in both.
const SAME_SIDE_MIN: f64 = 0.6;
/// How much it counts that a cause is stated without reserve, and that another document states it too.
const OF_STATED: f64 = 0.2;
const OF_ANOTHER: f64 = 0.1;

/// A pair while it is collected.
pub(super) struct Found {
    pub(super) pair: CausePair,
    pub(super) relevance: f64,
    causes: BTreeSet<String>,
    effects: BTreeSet<String>,
}

impl Found {
    fn is_same(&self, other: &Self) -> bool {
        self.pair.strength == other.pair.strength
            && self.pair.direction == other.pair.direction
            && alike(&self.causes, &other.causes)
            && alike(&self.effects, &other.effects)
    }

    fn worth(&self) -> f64 {
        let stated = match self.pair.strength {
            CauseStrength::Stated => OF_STATED,
            CauseStrength::Suspected | CauseStrength::Denied => 0.0,
        };
        let others = self.pair.evidence.len().saturating_sub(1) as f64;
        self.relevance + stated + OF_ANOTHER * others
    }
}

pub(crate) fn causes(input: &WorkerQuestion) -> CausesFound {
    let mut corpus = Corpus::read(&input.sources);
    let mut found = pairs(&mut corpus, input);
    found.truncate(usize::from(input.most));
    let relevances: Vec<f64> = found.iter().map(|one| one.relevance).collect();
    // What is surest comes first; the order of worth stays within.
    found.sort_by_key(|one| std::cmp::Reverse(one.pair.strength));
    let causes: Vec<CausePair> = found.into_iter().map(|one| one.pair).collect();
    CausesFound {
        summary: summary(&causes),
        not_found: super::nothing_on(&input.question, causes.is_empty()),
        confidence: sure_of(&relevances),
        causes,
    }
}

/// The pairs that the sources state, best first.
pub(super) fn pairs(corpus: &mut Corpus<'_>, input: &WorkerQuestion) -> Vec<Found> {
    let mut bearing = Bearing::new(corpus, &input.question, &input.guidance);
    let mut found: Vec<Found> = Vec::new();
    for at in 0..corpus.sentences.len() {
        let before = at
            .checked_sub(1)
            .filter(|before| corpus.sentences[*before].source == corpus.sentences[at].source);
        let Some(said) = stated_cause(corpus.text(at), before.map(|at| corpus.text(at))) else {
            continue;
        };
        let Some(relevance) = bearing.relevance(corpus, at) else {
            continue;
        };
        let before = before.filter(|_| said.needs_sentence_before);
        let evidence = before.into_iter().chain([at]);
        let one = Found {
            causes: content_stems(&said.cause),
            effects: content_stems(&said.effect),
            pair: CausePair {
                cause: clipped_statement(&said.cause, SIDE_CHARS_MAX),
                effect: clipped_statement(&said.effect, SIDE_CHARS_MAX),
                direction: direction(said.direction),
                strength: strength(said.certainty),
                evidence: evidence.map(|at| corpus.evidence(at)).collect(),
            },
            relevance,
        };
        match found.iter_mut().find(|known| known.is_same(&one)) {
            Some(known) => {
                known.relevance = known.relevance.max(one.relevance);
                super::join(&mut known.pair.evidence, one.pair.evidence);
            }
            None => found.push(one),
        }
    }
    found.sort_by(|a, b| b.worth().total_cmp(&a.worth()));
    found
}

fn alike(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let both = one.intersection(other).count();
    let either = one.union(other).count();
    both > 0 && both as f64 / either as f64 >= SAME_SIDE_MIN
}

fn strength(certainty: Certainty) -> CauseStrength {
    match certainty {
        Certainty::Denied => CauseStrength::Denied,
        Certainty::Suspected => CauseStrength::Suspected,
        Certainty::Stated => CauseStrength::Stated,
    }
}

fn direction(said: causes::CauseDirection) -> CauseDirection {
    match said {
        causes::CauseDirection::BringsAbout => CauseDirection::BringsAbout,
        causes::CauseDirection::Raises => CauseDirection::Raises,
        causes::CauseDirection::Lowers => CauseDirection::Lowers,
        causes::CauseDirection::Prevents => CauseDirection::Prevents,
    }
}

fn summary(causes: &[CausePair]) -> String {
    let Some(first) = causes.first() else {
        return "No source states what causes what.".to_owned();
    };
    let of = |strength: CauseStrength| causes.iter().filter(|at| at.strength == strength).count();
    let counts = format!(
        "The sources state {} as causes, suspect {} and rule out {}.",
        of(CauseStrength::Stated),
        of(CauseStrength::Suspected),
        of(CauseStrength::Denied)
    );
    clipped(
        &format!("{counts} {}.", first.in_words()),
        SUMMARY_CHARS_MAX,
    )
}
