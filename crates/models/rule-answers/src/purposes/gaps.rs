//! What a checklist asks for and the sources do not tell: by how many of the wanted words stand close together.

mod sought;

use adjutant_questions::{ChecklistPoint, Found, GapPoint, Gaps, GapsFound};

use crate::corpus::{Corpus, Query, QueryTerm};
use crate::text::confidence;
use sought::{Sought, is_cue};

/// How many sentences in a row are read together.
const SENTENCES_TOGETHER: usize = 3;
/// How many places are looked at for one point, best first.
const PLACES_MAX: usize = 300;
const TOLD_MIN: f64 = 0.75;
const PARTLY_TOLD_MIN: f64 = 0.4;
/// With fewer sources, that all have a word does not yet make it their subject.
const SUBJECT_SOURCES_MIN: usize = 3;
/// Sentences that say that something is not told do not tell it.
const NOT_TOLD: &[&str] = &[
    "not reported",
    "not stated",
    "not given",
    "not recorded",
    "not measured",
    "not known",
    "not available",
    "not disclosed",
    "no data",
    "no information",
    "is unknown",
    "are unknown",
];

pub(crate) fn gaps(input: &Gaps) -> GapsFound {
    let mut corpus = Corpus::read(&input.sources);
    let mut sure = 0.0;
    let mut points = Vec::new();
    let queries: Vec<Query> = input
        .checklist
        .iter()
        .map(|point| corpus.query(&point.wants))
        .collect();
    for (point, query) in input.checklist.iter().zip(&queries) {
        let own = own_terms(&corpus, query, &queries);
        let (found, share) = found_for(&corpus, query, &own, point);
        // What is near a threshold is less certain than what is far from both.
        let near = (share - TOLD_MIN)
            .abs()
            .min((share - PARTLY_TOLD_MIN).abs());
        sure += 0.55 + near.min(0.35);
        points.push(found);
    }
    GapsFound {
        confidence: confidence(sure / (points.len() as f64).max(1.0)),
        points,
    }
}

/// What only this point wants: not the subject that all points, or all sources, speak of. All, if nothing is left.
fn own_terms<'a>(corpus: &Corpus<'_>, query: &'a Query, all: &[Query]) -> Vec<&'a QueryTerm> {
    let of_all_points = |term: &QueryTerm| all.len() > 1 && all.iter().all(|other| other.has(term));
    let of_all_sources = |term: &QueryTerm| {
        corpus.sources.len() >= SUBJECT_SOURCES_MIN && corpus.every_source_has(term)
    };
    let own: Vec<&QueryTerm> = query
        .terms
        .iter()
        .filter(|term| !of_all_points(term) && !of_all_sources(term))
        .collect();
    if own.is_empty() {
        query.terms.iter().collect()
    } else {
        own
    }
}

fn found_for(
    corpus: &Corpus<'_>,
    query: &Query,
    own: &[&QueryTerm],
    point: &ChecklistPoint,
) -> (GapPoint, f64) {
    let sought = Sought::in_question(&point.wants);
    let (together, denied) = best_together(corpus, query, &sought);
    let mut missing: Vec<&str> = query.missing(corpus, &together);
    missing.retain(|word| !is_cue(word));
    let terms = query
        .terms
        .iter()
        .filter(|term| !is_cue(&term.word))
        .count();
    let unmet: Vec<&str> = sought
        .iter()
        .filter(|kind| !together.iter().any(|at| kind.is_in(corpus.text(*at))))
        .map(|kind| kind.name())
        .collect();
    let all = terms + sought.len();
    let share = match all {
        0 => 0.0,
        all => 1.0 - (missing.len() + unmet.len()) as f64 / all as f64,
    };
    let own: Vec<&&QueryTerm> = own.iter().filter(|term| !is_cue(&term.word)).collect();
    let told = own
        .iter()
        .filter(|term| together.iter().any(|at| corpus.has(term, *at)));
    let own_share = match own.len() {
        0 if all > 0 => share,
        count => told.count() as f64 / (count as f64).max(1.0),
    };
    let found = match share.min(own_share) {
        least if least >= TOLD_MIN => Found::Yes,
        least if least > 0.0 && share >= PARTLY_TOLD_MIN => Found::Partly,
        _ => Found::No,
    };
    missing.extend(unmet);
    let missing = match found {
        Found::Yes => String::new(),
        Found::Partly => missing.join(", "),
        Found::No => crate::text::one_line(&point.wants),
    };
    let missing = match denied {
        Some(at) if found != Found::Yes => {
            format!("{missing} (a source says itself: “{}”)", corpus.line(at))
        }
        _ => missing,
    };
    let kept = if found == Found::No {
        &[][..]
    } else {
        &together[..]
    };
    let evidence = kept.iter().map(|at| corpus.evidence(*at)).collect();
    let point = GapPoint {
        key: point.key.clone(),
        found,
        evidence,
        missing,
    };
    (point, share)
}

/// The sentences, close together, that have most of what is wanted; and one that says itself that it is not told.
fn best_together(
    corpus: &Corpus<'_>,
    query: &Query,
    sought: &[Sought],
) -> (Vec<usize>, Option<usize>) {
    let mut best: (usize, Vec<usize>) = (0, Vec::new());
    let mut denied = None;
    let asks_for_limits = sought.contains(&Sought::Unknown);
    let places: Vec<usize> = match asks_for_limits {
        // What is not known is said in any words.
        true => (0..corpus.sentences.len())
            .filter(|at| Sought::Unknown.is_in(corpus.text(*at)))
            .collect(),
        false => corpus.search(query).into_iter().map(|(at, _)| at).collect(),
    };
    for first in places.into_iter().take(PLACES_MAX) {
        let source = corpus.sentences[first].source;
        let row = (first..corpus.sentences.len()).take(SENTENCES_TOGETHER);
        let mut told: Vec<usize> = Vec::new();
        let mut has = vec![false; query.terms.len()];
        let mut met = vec![false; sought.len()];
        for at in row.take_while(|at| corpus.sentences[*at].source == source) {
            let line = corpus.line(at).to_lowercase();
            if !asks_for_limits && NOT_TOLD.iter().any(|phrase| line.contains(phrase)) {
                if at == first && denied.is_none() && corpus.coverage(query, at) >= PARTLY_TOLD_MIN
                {
                    denied = Some(at);
                }
                continue;
            }
            let mut adds = false;
            for (has, term) in has.iter_mut().zip(&query.terms) {
                if !*has && !is_cue(&term.word) && corpus.has(term, at) {
                    *has = true;
                    adds = true;
                }
            }
            // A number counts only beside what it is a number of.
            let about = asks_for_limits || has.iter().any(|has| *has);
            for (met, kind) in met.iter_mut().zip(sought) {
                if !*met && about && kind.is_in(corpus.text(at)) {
                    *met = true;
                    adds = true;
                }
            }
            if adds {
                told.push(at);
            }
        }
        let count = has.iter().chain(&met).filter(|has| **has).count();
        if count > best.0 {
            best = (count, told);
        }
    }
    (best.1, denied)
}
