//! Sources that say different things of the same: opposite sides, or other numbers.

use std::collections::BTreeSet;

use adjutant_questions::{Contradiction, Finding, Side, numbers_at_odds};

use super::thoughts::{EVIDENCE_MAX, passage};
use crate::stance::{Reading, Relation};
use crate::text::{Stems, clipped, is_stop_word, number, one_line, words};

/// How many findings are held against each other, and how many contradictions are told.
const COMPARED_MAX: usize = 60;
const TOLD_MAX: usize = 10;
const ABOUT_WORDS_MAX: usize = 6;
const ABOUT_CHARS_MAX: usize = 200;

/// Whether two findings of the same cannot both hold as they are said.
pub(crate) fn at_odds(one: &Finding, other: &Finding, stems: &mut Stems) -> bool {
    let (a, b) = (
        Reading::new(&one.text, stems),
        Reading::new(&other.text, stems),
    );
    against(&a, &b) || numbers_at_odds(&one.text, &other.text).is_some()
}

fn against(one: &Reading, other: &Reading) -> bool {
    matches!(one.relation(other), Relation::Contradicts(_))
        || matches!(other.relation(one), Relation::Contradicts(_))
}

/// What findings contradict each other, each pair once. Those without a quote have no side to show.
pub(crate) fn contradictions(findings: &[&Finding]) -> Vec<Contradiction> {
    let mut stems = Stems::new();
    // A finding of an earlier step may carry an empty quote, which shows nothing.
    let quoted = |at: &&&Finding| {
        let first = at.evidence.first();
        first.is_some_and(|evidence| !evidence.quote.trim().is_empty())
    };
    let shown = findings.iter().filter(quoted);
    let shown: Vec<&Finding> = shown.take(COMPARED_MAX).copied().collect();
    let readings: Vec<Reading> = shown
        .iter()
        .map(|at| Reading::new(&at.text, &mut stems))
        .collect();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for a in 0..shown.len() {
        for b in a + 1..shown.len() {
            if found.len() >= TOLD_MAX {
                return found;
            }
            let (one, other) = (shown[a], shown[b]);
            let sources = |at: &Finding| -> BTreeSet<String> {
                at.evidence.iter().map(|at| at.source.clone()).collect()
            };
            // A source may tell of two groups in two sentences; it rarely contradicts itself.
            let apart = sources(one).is_disjoint(&sources(other));
            let numbers = numbers_at_odds(&one.text, &other.text).is_some();
            let contradict = numbers || (apart && against(&readings[a], &readings[b]));
            if contradict && seen.insert((passage(&one.evidence[0]), passage(&other.evidence[0]))) {
                found.push(Contradiction {
                    about: about(&one.text, &other.text, &mut stems),
                    sides: vec![side(one), side(other)],
                });
            }
        }
    }
    found
}

fn side(finding: &Finding) -> Side {
    Side {
        text: one_line(&finding.text),
        evidence: finding
            .evidence
            .iter()
            .filter(|evidence| !evidence.quote.trim().is_empty())
            .take(EVIDENCE_MAX)
            .cloned()
            .collect(),
    }
}

/// The words that both have, as the first writes them.
fn about(one: &str, other: &str, stems: &mut Stems) -> String {
    let shared = shared_words(one, other, stems);
    let shared: Vec<&str> = shared
        .iter()
        .take(ABOUT_WORDS_MAX)
        .map(String::as_str)
        .collect();
    if shared.is_empty() {
        return clipped(one, ABOUT_CHARS_MAX);
    }
    clipped(&shared.join(" "), ABOUT_CHARS_MAX)
}

/// The words of the first text that say something and that the second has too, each once.
pub(crate) fn shared_words(one: &str, other: &str, stems: &mut Stems) -> Vec<String> {
    let said: BTreeSet<String> = words(other)
        .iter()
        .map(|word| stems.stem(&word.text.to_lowercase()).to_owned())
        .collect();
    let mut seen = BTreeSet::new();
    let mut shared = Vec::new();
    for word in words(one) {
        let small = word.text.to_lowercase();
        if is_stop_word(&small) || number(&small).is_some() {
            continue;
        }
        let stem = stems.stem(&small).to_owned();
        if said.contains(&stem) && seen.insert(stem) {
            shared.push(word.text.to_owned());
        }
    }
    shared
}
