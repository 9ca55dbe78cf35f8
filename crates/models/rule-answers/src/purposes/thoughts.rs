//! What was thought before: what it cites, which of it still stands, and what its words are.

use std::collections::BTreeSet;

use adjutant_questions::{Evidence, Finding, FindingKind, Thought};

use crate::text::{Stems, is_stop_word, number, one_line, words};

/// Roles whose findings speak against those of other thoughts.
const CRITICS: &[&str] = &["critique", "attack", "against"];
/// Roles that say again what stands after criticism.
const MENDERS: &[&str] = &["revise", "rebut", "defend"];
/// How many words of two findings both must have to say the same, of all words of both.
const SAME_MIN: f64 = 0.75;
/// How many quotes one finding keeps.
pub(crate) const EVIDENCE_MAX: usize = 5;

pub(crate) fn is_critic(thought: &Thought) -> bool {
    CRITICS.contains(&thought.role.as_str())
}

pub(crate) fn findings(thoughts: &[Thought]) -> impl Iterator<Item = &Finding> {
    thoughts.iter().flat_map(|at| &at.findings)
}

/// What still stands: since the findings were last mended only those, before that all but the critics'.
pub(crate) fn standing(thoughts: &[Thought]) -> Vec<&Finding> {
    let mended = thoughts
        .iter()
        .rposition(|at| MENDERS.contains(&at.role.as_str()) && !at.findings.is_empty());
    let from = &thoughts[mended.unwrap_or(0)..];
    let own = from.iter().filter(|at| !is_critic(at));
    own.flat_map(|at| &at.findings).collect()
}

/// What critics found since the findings were last mended.
pub(crate) fn criticism(thoughts: &[Thought]) -> Vec<&Finding> {
    let critics = thoughts.iter().filter(|at| is_critic(at));
    critics.flat_map(|at| &at.findings).collect()
}

/// Every passage that was cited, in one line each.
pub(crate) fn used(thoughts: &[Thought]) -> BTreeSet<(String, String)> {
    let evidence = findings(thoughts).flat_map(|at| &at.evidence);
    evidence.map(passage).collect()
}

pub(crate) fn passage(evidence: &Evidence) -> (String, String) {
    (evidence.source.clone(), one_line(&evidence.quote))
}

pub(crate) fn cited(thoughts: &[Thought]) -> BTreeSet<&str> {
    let evidence = findings(thoughts).flat_map(|at| &at.evidence);
    evidence.map(|at| at.source.as_str()).collect()
}

/// A finding that can be said again: with the quotes that say something, a fact only with one.
pub(crate) fn founded(finding: &Finding) -> Option<Finding> {
    let mut kept = finding.clone();
    kept.text = one_line(&finding.text);
    kept.evidence.retain(|at| !at.quote.trim().is_empty());
    kept.evidence.truncate(EVIDENCE_MAX);
    kept.confidence = crate::text::confidence(finding.confidence);
    let bare = kept.kind == FindingKind::Fact && kept.evidence.is_empty();
    (!bare && !kept.text.is_empty()).then_some(kept)
}

/// The stems and numbers of a text, without words that say nothing.
pub(crate) fn stems_of(text: &str, stems: &mut Stems) -> BTreeSet<String> {
    let small = words(text).into_iter().map(|word| word.text.to_lowercase());
    small
        .filter(|word| !is_stop_word(word))
        .map(|word| match number(&word) {
            Some(value) => value.to_string(),
            None => stems.stem(&word).to_owned(),
        })
        .collect()
}

/// Which share of the first is in the second.
pub(crate) fn share(of: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    of.intersection(other).count() as f64 / (of.len() as f64).max(1.0)
}

/// Findings, each said once: what says the same is joined with all its quotes.
pub(crate) fn merged(findings: impl Iterator<Item = Finding>) -> Vec<Finding> {
    let mut stems = Stems::new();
    let mut kept: Vec<(Finding, BTreeSet<String>)> = Vec::new();
    for finding in findings {
        let own = stems_of(&finding.text, &mut stems);
        let same = kept.iter_mut().find(|(other, said)| {
            let both = own.intersection(said).count();
            let either = own.union(said).count();
            let numbers = |said: &BTreeSet<String>| -> BTreeSet<String> {
                let digits = |at: &&String| at.starts_with(|char: char| char.is_ascii_digit());
                said.iter().filter(digits).cloned().collect()
            };
            other.text == finding.text
                || (either > 0
                    && both as f64 / either as f64 >= SAME_MIN
                    && numbers(&own) == numbers(said))
        });
        let Some((other, _)) = same else {
            kept.push((finding, own));
            continue;
        };
        other.confidence = other.confidence.max(finding.confidence);
        for evidence in finding.evidence {
            let known = other
                .evidence
                .iter()
                .any(|at| passage(at) == passage(&evidence));
            if !known && other.evidence.len() < EVIDENCE_MAX {
                other.evidence.push(evidence);
            }
        }
    }
    kept.into_iter().map(|(finding, _)| finding).collect()
}
