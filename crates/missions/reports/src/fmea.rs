//! Failure modes and effects: risks out of registers and sentences, scored from 1 to 10 for severity, occurrence and
//! detection. A score that a source states is taken over; others follow from fixed scales, and say so. What is told by nothing
//! is not scored.

pub(crate) mod read;
mod scales;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use adjutant_questions::{Evidence, Finding, Source};
use serde::{Deserialize, Serialize};

use crate::cited_text::{CitedText, Contradiction};
use crate::passages::keep_to_the_subject;
use crate::text::{content, share, short};
use read::{Entry, Level, Stated, Which};

pub use scales::{OCCURRENCE_SCALE, SEVERITY_SCALE};

/// How alike two risks are for one to be the other, told again.
const SAME_RISK_MIN: f64 = 0.6;
/// A word's rating and a score that are at least so far apart contradict each other.
const RATING_APART: u8 = 3;
/// Risks that are named without being scored.
const UNSCORED_MAX: usize = 6;

/// What risks are looked for, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fmea {
    #[serde(default)]
    pub sources: Vec<Source>,
    #[serde(default)]
    pub findings: Vec<Finding>,
    #[serde(default)]
    pub objective: String,
    /// How many rows at most.
    #[serde(default = "most")]
    pub most: usize,
}

fn most() -> usize {
    10
}

impl Default for Fmea {
    fn default() -> Self {
        Self {
            sources: Vec::new(),
            findings: Vec::new(),
            objective: String::new(),
            most: most(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FmeaTable {
    pub objective: String,
    /// The highest product first.
    pub rows: Vec<FailureMode>,
    /// Risks that sources name without a score, a frequency or a rating: a product of guesses would rank nothing.
    #[serde(default)]
    pub unscored: Vec<CitedText>,
    /// Rows beyond those asked for.
    pub left_out: usize,
    pub contradictions: Vec<Contradiction>,
    pub not_found: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailureMode {
    /// As the register calls it.
    pub id: Option<String>,
    pub risk: CitedText,
    pub effect: Option<CitedText>,
    pub cause: Option<CitedText>,
    pub controls: Option<CitedText>,
    pub severity: Score,
    pub occurrence: Score,
    pub detection: Score,
    /// Severity times occurrence times detection, if all three are known.
    pub rpn: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// From 1 to 10; a high detection score means hard to detect. Nothing if it is not scored.
    pub value: Option<u8>,
    pub basis: Basis,
    /// Why, in a few words.
    pub because: String,
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// A source gives the score.
    Stated,
    /// It follows from what a source says, by a fixed scale.
    Derived,
    /// Nothing is told, so there is no score. Older tables have the middle of the scale here.
    #[serde(alias = "assumed")]
    NotScored,
}

/// Makes the table.
impl FailureMode {
    /// What registers rank by that do not rate detection.
    pub(crate) fn severity_by_occurrence(&self) -> Option<u16> {
        let [s, o] = [self.severity.value?, self.occurrence.value?].map(u16::from);
        Some(s * o)
    }
}

pub fn fmea(mut request: Fmea) -> FmeaTable {
    keep_to_the_subject(&request.objective, &mut request.sources);
    let read = read::read(&request);
    let mut contradictions = Vec::new();
    let mut rows: Vec<FailureMode> = read
        .entries
        .iter()
        .map(|entry| row(entry, &read.stated, &read.levels, &mut contradictions))
        .collect();
    // Those without a product last, by severity and occurrence, then the gravest of them first.
    rows.sort_by(|a, b| {
        let both = |row: &FailureMode| row.severity_by_occurrence();
        let graver = both(b)
            .cmp(&both(a))
            .then(b.severity.value.cmp(&a.severity.value));
        let unscored = if a.rpn.is_none() {
            graver
        } else {
            Ordering::Equal
        };
        b.rpn.cmp(&a.rpn).then(unscored).then(a.id.cmp(&b.id))
    });
    rows = apart(rows);
    let (rows_scored, guessed): (Vec<FailureMode>, Vec<FailureMode>) =
        rows.into_iter().partition(is_scored);
    let mut rows = rows_scored;
    let unscored = guessed.into_iter().map(|row| row.risk);
    let unscored: Vec<CitedText> = unscored.take(UNSCORED_MAX).collect();
    let left_out = rows.len().saturating_sub(request.most);
    rows.truncate(request.most);
    let mut not_found = Vec::new();
    if rows.is_empty() && unscored.is_empty() {
        not_found.push("risks: no register and no sentence that names one".to_owned());
    }
    let unknown: Vec<&str> = rows
        .iter()
        .filter(|row| row.occurrence.basis == Basis::NotScored)
        .map(|row| row.id.as_deref().unwrap_or(&row.risk.text))
        .collect();
    if !unknown.is_empty() {
        not_found.push(format!(
            "how often it happens: {}",
            short(&unknown.join(", "), 160)
        ));
    }
    FmeaTable {
        objective: request.objective,
        rows,
        unscored,
        left_out,
        contradictions,
        not_found,
    }
}

/// Whether anything but guesses stands behind its occurrence, or a source gives a score.
fn is_scored(row: &FailureMode) -> bool {
    let stated = [&row.severity, &row.occurrence, &row.detection]
        .iter()
        .any(|score| score.basis == Basis::Stated);
    stated || row.occurrence.basis != Basis::NotScored || row.id.is_some()
}

/// Drops what only tells again what a row above it tells.
fn apart(rows: Vec<FailureMode>) -> Vec<FailureMode> {
    let mut kept: Vec<FailureMode> = Vec::new();
    let mut known: Vec<BTreeSet<String>> = Vec::new();
    for row in rows {
        let words = content(&row.risk.text);
        let again = row.id.is_none()
            && known
                .iter()
                .any(|other| share(&words, other) >= SAME_RISK_MIN);
        if !again {
            known.push(words);
            kept.push(row);
        }
    }
    kept
}

fn row(
    entry: &Entry,
    stated: &[Stated],
    levels: &[Level],
    contradictions: &mut Vec<Contradiction>,
) -> FailureMode {
    let mut score = |which: Which| {
        let derived = match which {
            Which::Severity => scales::severity(entry),
            Which::Occurrence => scales::occurrence(entry),
            Which::Detection => scales::detection(entry),
        };
        scored(entry, which, derived, stated, levels, contradictions)
    };
    let (severity, occurrence, detection) = (
        score(Which::Severity),
        score(Which::Occurrence),
        score(Which::Detection),
    );
    FailureMode {
        id: entry.id.clone(),
        risk: entry.risk.clone(),
        effect: entry.effect.clone(),
        cause: entry.cause.clone(),
        controls: entry.controls.clone(),
        rpn: product([&severity, &occurrence, &detection]),
        severity,
        occurrence,
        detection,
    }
}

fn product(scores: [&Score; 3]) -> Option<u16> {
    let values = scores.into_iter().map(|score| score.value.map(u16::from));
    values.product()
}

/// The newest stated score, else what the words say, else a rating in words, else none.
fn scored(
    entry: &Entry,
    which: Which,
    derived: Option<Score>,
    stated: &[Stated],
    levels: &[Level],
    contradictions: &mut Vec<Contradiction>,
) -> Score {
    let mut own: Vec<&Stated> = stated
        .iter()
        .filter(|at| at.which == which && entry.is(&at.of))
        .collect();
    // The newest first; a table goes before a sentence of the same day.
    own.sort_by(|a, b| {
        b.published
            .cmp(&a.published)
            .then(a.in_prose.cmp(&b.in_prose))
    });
    let rating = levels
        .iter()
        .rfind(|at| at.which == which && entry.is(&at.of));
    let Some(holding) = own.first() else {
        let rated = rating.map(|at| Score {
            value: Some(at.value),
            basis: Basis::Derived,
            because: format!("rated “{}” in the register", at.word),
            evidence: at.evidence.clone(),
        });
        return derived
            .or(rated)
            .unwrap_or_else(|| scales::not_scored(which));
    };
    let mut sides: Vec<CitedText> = own
        .iter()
        .filter(|at| at.value != holding.value)
        .map(|at| side(which, &at.value.to_string(), &at.evidence))
        .collect();
    if let Some(rating) = rating
        && rating.value.abs_diff(holding.value) >= RATING_APART
    {
        sides.push(side(which, &format!("“{}”", rating.word), &rating.evidence));
    }
    if !sides.is_empty() {
        sides.insert(
            0,
            side(which, &holding.value.to_string(), &holding.evidence),
        );
        let name = entry
            .id
            .clone()
            .unwrap_or_else(|| short(&entry.risk.text, 60));
        contradictions.push(Contradiction {
            about: format!("{} of {name}", which.name()),
            sides,
            held: format!(
                "For {} of {name} the score {} was used: the latest one in a table or statement",
                which.name(),
                holding.value
            ),
        });
    }
    Score {
        value: Some(holding.value),
        basis: Basis::Stated,
        because: "stated in the source".to_owned(),
        evidence: holding.evidence.clone(),
    }
}

fn side(which: Which, told: &str, evidence: &[Evidence]) -> CitedText {
    CitedText {
        text: format!("{} {told}", which.name()),
        evidence: evidence.to_vec(),
    }
}
