//! One claim held against all documents that are not its own.

use std::collections::BTreeSet;

use adjutant_questions::{Evidence, Objection, ObjectionKind, Source};

use crate::given::Reading;
use crate::words::{covered, document_of, documents, sentences, stems};

const SENTENCES_MAX: usize = 20_000;
/// The share of a claim's words that a sentence must have to confirm it.
const CONFIRMS_MIN: f64 = 0.7;
const CONFIRMED_BY_MAX: usize = 3;
const STRONG: &str = "high";
const DENIES: &[&str] = &[
    "cannot", "neither", "never", "no", "none", "nor", "not", "without",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Contradicted,
    Confirmed,
    Recorded,
    Claimed,
    NotVerified,
}

impl Verdict {
    pub(super) const ALL: [Self; 5] = [
        Self::Confirmed,
        Self::Recorded,
        Self::Contradicted,
        Self::Claimed,
        Self::NotVerified,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Contradicted => "contradicted",
            Self::Confirmed => "confirmed",
            Self::Recorded => "recorded",
            Self::Claimed => "only claimed",
            Self::NotVerified => "not verified",
        }
    }

    /// Whether documents decide it one way or the other.
    pub(super) fn is_verified(self) -> bool {
        matches!(self, Self::Contradicted | Self::Confirmed | Self::Recorded)
    }
}

#[derive(Debug, Clone)]
pub(super) struct Checked {
    pub(super) text: String,
    pub(super) evidence: Vec<Evidence>,
    pub(super) verdict: Verdict,
    pub(super) confirmed_by: Vec<Evidence>,
    pub(super) against: Vec<Evidence>,
    pub(super) reason: String,
}

pub(super) fn verify(
    text: &str,
    evidence: &[Evidence],
    sources: &[Source],
    objections: &[&Objection],
    reading: &[Reading],
) -> Checked {
    let own = documents(evidence);
    let confirmed_by = confirmations(text, &own, sources);
    let against = against(text, evidence, objections, reading);
    let record = reading
        .iter()
        .flat_map(|one| own.iter().filter_map(|document| one.document(document)))
        .find(|document| document.strength == STRONG);
    // A claim of several documents is confirmed by one of them for the others.
    let agreed = own.len() > 1;
    let (verdict, reason) = if !against.is_empty() {
        (
            Verdict::Contradicted,
            "a document says otherwise".to_owned(),
        )
    } else if agreed || !confirmed_by.is_empty() {
        (Verdict::Confirmed, "several documents say so".to_owned())
    } else if let Some(document) = record {
        let genre = if document.genre.is_empty() {
            "document"
        } else {
            &document.genre
        };
        (Verdict::Recorded, format!("only its own {genre} has it"))
    } else if own.is_empty() {
        (Verdict::NotVerified, "no document has it".to_owned())
    } else {
        (Verdict::Claimed, "only its own document says so".to_owned())
    };
    Checked {
        text: text.to_owned(),
        evidence: evidence.to_vec(),
        verdict,
        confirmed_by,
        against,
        reason,
    }
}

/// Sentences of other documents that say the same: one of each document.
fn confirmations(text: &str, own: &BTreeSet<&str>, sources: &[Source]) -> Vec<Evidence> {
    let (words, numbers, denied) = (stems(text), numbers(text), denies(text));
    let mut found: Vec<Evidence> = Vec::new();
    for sentence in sentences(sources, SENTENCES_MAX) {
        let document = document_of(&sentence.source.id);
        let is_known = found.iter().any(|one| document_of(&one.source) == document);
        if is_known || own.contains(document) || found.len() == CONFIRMED_BY_MAX {
            continue;
        }
        let says_so = covered(&words, &stems(sentence.text)) >= CONFIRMS_MIN
            && numbers.is_subset(&self::numbers(sentence.text))
            && denies(sentence.text) == denied
            && !sentence.text.trim_end().ends_with('?');
        if says_so {
            found.push(sentence.evidence());
        }
    }
    found
}

/// What contradicts a claim: objections to it, and what reading the documents found about the passages it rests on.
fn against(
    text: &str,
    evidence: &[Evidence],
    objections: &[&Objection],
    reading: &[Reading],
) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = objections
        .iter()
        .filter(|one| one.claim == text)
        .filter(|one| {
            matches!(
                one.kind,
                ObjectionKind::Contradicted | ObjectionKind::Outdated
            )
        })
        .flat_map(|one| one.evidence.clone())
        .collect();
    let rests_on = |sentence: &str| {
        let sentence = sentence.trim();
        !sentence.is_empty() && evidence.iter().any(|one| one.quote.trim() == sentence)
    };
    for pair in reading.iter().flat_map(|one| &one.contradicting) {
        for (own, other) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
            if rests_on(&own.sentence) {
                found.push(other.evidence());
            }
        }
    }
    for group in reading.iter().flat_map(|one| &one.differing) {
        if group.iter().any(|one| rests_on(&one.sentence)) {
            let others = group.iter().filter(|one| !rests_on(&one.sentence));
            found.extend(others.map(crate::given::Stated::evidence));
        }
    }
    found.dedup();
    found
}

/// The numbers of a text as they are compared: `1,204` is `1204`.
fn numbers(text: &str) -> BTreeSet<String> {
    text.split(|char: char| !(char.is_ascii_digit() || char == '.' || char == ','))
        .map(|part| {
            part.trim_matches(|char| char == '.' || char == ',')
                .replace(',', "")
        })
        .filter(|part| part.starts_with(|char: char| char.is_ascii_digit()))
        .collect()
}

fn denies(text: &str) -> bool {
    text.to_lowercase()
        .split(|char: char| !char.is_alphanumeric())
        .any(|word| DENIES.contains(&word))
}
