//! Similar cases: the same asked of something else, what corresponds, and what may be carried over.

use adjutant_questions::{Finding, FindingKind, Think};

use super::{Line, NEW_MAX};
use crate::corpus::{Corpus, QueryTerm};
use crate::purposes::contradictions::shared_words;
use crate::purposes::extract::extracted;
use crate::purposes::plan::listed;
use crate::purposes::thoughts::{EVIDENCE_MAX, findings, founded, passage, used};
use crate::text::{clipped, confidence, words};

/// Which share of what is asked, without the names, a similar case must have.
const ALIKE_MIN: f64 = 0.3;
const WORDS_MIN: usize = 4;
/// A likeness proves nothing.
const BY_LIKENESS: f64 = 0.6;
const CARRIED_OVER: f64 = 0.7;
/// One word in common makes no case similar.
const SHARED_WORDS_MIN: usize = 2;
const SHARED_WORDS_MAX: usize = 5;
const TEXT_CHARS_MAX: usize = 400;

/// Sentences that have what is asked, of things that the question does not name.
pub(super) fn analogue(corpus: &mut Corpus<'_>, input: &Think) -> Line {
    let whole = corpus.query(&input.question);
    let opens = |term: &QueryTerm| input.question.trim_start().starts_with(&term.word);
    let is_name = |term: &QueryTerm| {
        let first = term.word.chars().next();
        let named = first.is_some_and(|char| char.is_uppercase() || char.is_ascii_digit());
        named && !opens(term)
    };
    let (names, rest): (Vec<QueryTerm>, Vec<QueryTerm>) =
        whole.terms.into_iter().partition(is_name);
    let predicate = crate::corpus::Query { terms: rest };
    let used = used(&input.thoughts);
    let found = corpus.search(&predicate).into_iter().filter(|(at, _)| {
        let source = corpus.sentences[*at].source;
        let of_other = names
            .iter()
            .all(|name| !corpus.has(name, *at) && !corpus.title_has(name, source));
        of_other
            && words(corpus.text(*at)).len() >= WORDS_MIN
            && corpus.coverage(&predicate, *at) >= ALIKE_MIN
            && !used.contains(&passage(&corpus.evidence(*at)))
    });
    let found: Vec<Finding> = found
        .take(NEW_MAX)
        .map(|(at, _)| Finding {
            text: corpus.line(at),
            kind: FindingKind::Fact,
            evidence: vec![corpus.evidence(at)],
            confidence: confidence(corpus.coverage(&predicate, at).sqrt() * BY_LIKENESS),
        })
        .collect();
    let nothing = match names.is_empty() {
        true => {
            "The question names nothing that another case could be told apart from, and nothing new was found."
        }
        false => "The sources have no similar case.",
    };
    Line::new("A similar case:", nothing, found)
}

/// What corresponds between each similar case and the sentence on this one that shares most words with it.
pub(super) fn map(corpus: &mut Corpus<'_>, input: &Think) -> Line {
    let found = lined_up(corpus, input).into_iter().map(|pair| Finding {
        text: format!(
            "The similar case and this one have in common: {}.",
            pair.shared
        ),
        kind: FindingKind::Interpretation,
        confidence: confidence(pair.analogue.confidence.min(pair.own.confidence) * BY_LIKENESS),
        evidence: both(&pair.analogue, &pair.own),
    });
    Line::new(
        "What corresponds:",
        "Nothing in the similar cases corresponds to anything that is told of this one.",
        found.collect(),
    )
}

/// What the similar cases say, as far as it may hold here.
pub(super) fn transfer(corpus: &mut Corpus<'_>, input: &Think) -> Line {
    let found = lined_up(corpus, input).into_iter().map(|pair| {
        let said = clipped(&pair.analogue.text, TEXT_CHARS_MAX);
        let said = said.trim_end_matches('.');
        Finding {
            text: format!(
                "As in the similar case, where “{said}”, it may be here as to {}.",
                pair.shared
            ),
            kind: FindingKind::Interpretation,
            confidence: confidence(pair.analogue.confidence * CARRIED_OVER),
            evidence: both(&pair.analogue, &pair.own),
        }
    });
    Line::new(
        "What may be carried over, as far as the cases are alike:",
        "Nothing can be carried over from the similar cases.",
        found.collect(),
    )
}

struct Pair {
    analogue: Finding,
    own: Finding,
    shared: String,
}

fn lined_up(corpus: &mut Corpus<'_>, input: &Think) -> Vec<Pair> {
    let similar = input.thoughts.iter().filter(|at| at.role == "analogue");
    let mut similar: Vec<&Finding> = similar.flat_map(|at| &at.findings).collect();
    if similar.is_empty() {
        similar = findings(&input.thoughts).collect();
    }
    let own = extracted(&input.question, corpus, NEW_MAX * 4).findings;
    let own: Vec<Finding> = own.iter().filter_map(founded).collect();
    let mut pairs: Vec<Pair> = Vec::new();
    for analogue in similar.into_iter().filter_map(founded) {
        let candidates = own.iter().filter(|at| at.text != analogue.text);
        let shared = candidates.map(|at| {
            let shared = shared_words(&analogue.text, &at.text, &mut corpus.stems);
            (at, shared)
        });
        let best = shared.reduce(|best, next| match next.1.len() > best.1.len() {
            true => next,
            false => best,
        });
        let Some((own, shared)) = best.filter(|(_, shared)| shared.len() >= SHARED_WORDS_MIN)
        else {
            continue;
        };
        let shared: Vec<&str> = shared
            .iter()
            .take(SHARED_WORDS_MAX)
            .map(String::as_str)
            .collect();
        let shared = clipped(&listed(&shared, "and"), TEXT_CHARS_MAX / 4);
        if pairs.iter().all(|pair| pair.shared != shared) {
            pairs.push(Pair {
                own: own.clone(),
                shared,
                analogue,
            });
        }
    }
    pairs.truncate(NEW_MAX);
    pairs
}

fn both(one: &Finding, other: &Finding) -> Vec<adjutant_questions::Evidence> {
    let mut evidence: Vec<adjutant_questions::Evidence> = Vec::new();
    for at in one.evidence.iter().take(2).chain(&other.evidence) {
        let known = evidence.iter().any(|known| passage(known) == passage(at));
        if !known && evidence.len() < EVIDENCE_MAX {
            evidence.push(at.clone());
        }
    }
    evidence
}
