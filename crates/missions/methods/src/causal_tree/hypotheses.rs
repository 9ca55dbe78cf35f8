//! Hypotheses about a cause, and four tests of each: is it stated as a cause, does the order in time fit, how many
//! documents support it, and what speaks against it.

use std::collections::BTreeSet;

use adjutant_questions::{Dated, Evidence, Objection, ObjectionKind};
use adjutant_text::causes::Certainty;

use super::links::Link;
use crate::words::{covered, documents, stems};

/// From here on a sentence is about the hypothesis.
const ABOUT_MIN: f64 = 0.5;
/// One word in common may be chance.
const SHARED_MIN: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Supported,
    Open,
    Contradicted,
}

impl Verdict {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Open => "open",
            Self::Contradicted => "contradicted",
        }
    }
}

/// A hypothesis before its tests.
#[derive(Debug, Clone)]
pub(super) struct Hypothesis {
    pub(super) text: String,
    pub(super) evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    CauseFirst,
    CauseLater,
    Unknown,
}

/// What the tests of a hypothesis came to.
#[derive(Debug, Clone)]
pub(super) struct Tested {
    pub(super) hypothesis: Hypothesis,
    /// How surely a document states it as a cause.
    pub(super) stated: Option<Certainty>,
    pub(super) order: Order,
    pub(super) documents: usize,
    pub(super) objections: Vec<Objection>,
    pub(super) verdict: Verdict,
    /// The passages that the tests rest on.
    pub(super) evidence: Vec<Evidence>,
}

pub(super) struct Material<'a> {
    pub(super) failure: &'a BTreeSet<String>,
    pub(super) links: &'a [Link],
    pub(super) events: &'a [&'a Dated],
    pub(super) objections: &'a [&'a Objection],
}

pub(super) fn test(hypothesis: Hypothesis, material: &Material<'_>) -> Tested {
    // What both the hypothesis and the failure speak of says nothing about the cause.
    let all = stems(&hypothesis.text);
    let own: BTreeSet<String> = all.difference(material.failure).cloned().collect();
    let own = if own.is_empty() { all } else { own };
    let is_about = |words: &BTreeSet<String>| {
        let shared = own.intersection(words).count();
        shared >= SHARED_MIN.min(own.len())
            && covered(words, &own).max(covered(&own, words)) >= ABOUT_MIN
    };
    let links: Vec<&Link> = material
        .links
        .iter()
        .filter(|link| is_about(&link.cause_stems()))
        .collect();
    let denied = links.iter().any(|link| link.certainty == Certainty::Denied);
    let stated = match denied {
        true => Some(Certainty::Denied),
        false => links.iter().map(|link| link.certainty).max(),
    };
    let order = order(material, &is_about);
    let objections: Vec<Objection> = material
        .objections
        .iter()
        .filter(|objection| objection.claim == hypothesis.text)
        .map(|objection| (*objection).clone())
        .collect();
    let mut evidence = hypothesis.evidence.clone();
    for one in links.iter().flat_map(|link| &link.evidence) {
        if !evidence.contains(one) {
            evidence.push(one.clone());
        }
    }
    let documents = documents(&evidence).len();
    let raised = |kind: ObjectionKind| objections.iter().any(|one| one.kind == kind);
    let against = denied || raised(ObjectionKind::Contradicted) || order == Order::CauseLater;
    let verdict = match (against, stated) {
        (true, _) => Verdict::Contradicted,
        (false, Some(Certainty::Stated)) if !raised(ObjectionKind::Weakened) => Verdict::Supported,
        (false, _) => Verdict::Open,
    };
    Tested {
        hypothesis,
        stated,
        order,
        documents,
        objections,
        verdict,
        evidence,
    }
}

/// A cause comes before its effect: the first dated event of each is compared.
fn order(material: &Material<'_>, is_about: &dyn Fn(&BTreeSet<String>) -> bool) -> Order {
    let mut cause: Option<&str> = None;
    let mut effect: Option<&str> = None;
    for event in material.events {
        let words = stems(&event.text);
        let earliest =
            |known: &mut Option<&str>| known.is_none_or(|date| event.date.as_str() < date);
        let is_cause = is_about(&words);
        if is_cause && earliest(&mut cause) {
            cause = Some(&event.date);
        }
        let failed = covered(material.failure, &words) >= ABOUT_MIN;
        if !is_cause && failed && earliest(&mut effect) {
            effect = Some(&event.date);
        }
    }
    let (Some(cause), Some(effect)) = (cause, effect) else {
        return Order::Unknown;
    };
    // `2024-03` and `2024-03-05` may be the same day.
    match (
        cause.starts_with(effect) || effect.starts_with(cause),
        cause < effect,
    ) {
        (true, _) => Order::Unknown,
        (false, true) => Order::CauseFirst,
        (false, false) => Order::CauseLater,
    }
}
