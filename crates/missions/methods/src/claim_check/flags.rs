//! Red flags: what reading the documents and verifying the claims brought up, the gravest first.

use adjutant_questions::Evidence;

use super::verify::{Checked, Verdict};
use crate::given::Reading;
use crate::words::short;

/// Of one kind.
const EACH_MAX: usize = 6;
const TEXT_CHARACTERS_MAX: usize = 120;
const OVERDUE: &str = "overdue";
const REQUIRED: &str = "required by a rule, and not among the documents";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    Grave,
    Serious,
    Minor,
}

impl Severity {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Grave => "grave",
            Self::Serious => "serious",
            Self::Minor => "minor",
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct RedFlag {
    pub(super) severity: Severity,
    pub(super) kind: &'static str,
    pub(super) text: String,
    pub(super) evidence: Vec<Evidence>,
}

impl RedFlag {
    /// Whether it is about a passage that a claim rests on.
    pub(super) fn touches(&self, evidence: &[Evidence]) -> bool {
        evidence.iter().any(|one| self.evidence.contains(one))
    }
}

pub(super) fn red_flags(reading: &[Reading], checked: &[Checked]) -> Vec<RedFlag> {
    let mut flags = contradicted(checked);
    for one in reading {
        flags.extend(wrong_sums(one));
        flags.extend(disagreements(one));
        flags.extend(overdue(one));
        flags.extend(missing(one));
    }
    flags.sort_by_key(|flag| flag.severity);
    flags
}

fn contradicted(checked: &[Checked]) -> Vec<RedFlag> {
    let found = checked
        .iter()
        .filter(|one| one.verdict == Verdict::Contradicted);
    found
        .take(EACH_MAX)
        .map(|one| RedFlag {
            severity: Severity::Grave,
            kind: "claim contradicted",
            text: quoted(&one.text),
            evidence: [&one.evidence[..], &one.against[..]].concat(),
        })
        .collect()
}

fn wrong_sums(reading: &Reading) -> impl Iterator<Item = RedFlag> {
    reading.wrong_sums.iter().take(EACH_MAX).map(|one| {
        let computed = format!("{} {}", rounded(one.computed), one.unit);
        RedFlag {
            severity: Severity::Grave,
            kind: "wrong sum",
            text: format!(
                "“{}” is stated, and its parts give {}",
                one.stated,
                computed.trim()
            ),
            evidence: vec![one.at.evidence()],
        }
    })
}

fn disagreements(reading: &Reading) -> impl Iterator<Item = RedFlag> {
    let pairs = reading.contradicting.iter().take(EACH_MAX);
    pairs.map(|[one, other]| RedFlag {
        severity: Severity::Serious,
        kind: "documents disagree",
        text: format!("{} against {}", quoted(one.shown()), quoted(other.shown())),
        evidence: vec![one.evidence(), other.evidence()],
    })
}

fn overdue(reading: &Reading) -> impl Iterator<Item = RedFlag> {
    let late = reading.owed.iter().filter(|one| one.status == OVERDUE);
    late.take(EACH_MAX).map(|one| {
        let due = one.due.as_deref().map(|due| format!(" was due {due}"));
        RedFlag {
            severity: Severity::Serious,
            kind: "overdue",
            text: format!("{}{}", quoted(&one.what), due.unwrap_or_default()),
            evidence: vec![one.at.evidence()],
        }
    })
}

fn missing(reading: &Reading) -> impl Iterator<Item = RedFlag> {
    reading.missing.iter().take(EACH_MAX).map(|one| {
        let is_required = one.kind == REQUIRED;
        let (severity, kind, text) = match is_required {
            true => (Severity::Serious, "required and missing", quoted(&one.what)),
            false => (
                Severity::Minor,
                "not in the documents",
                format!("{}: {}", quoted(&one.what), one.kind),
            ),
        };
        RedFlag {
            severity,
            kind,
            text,
            evidence: vec![one.at.evidence()],
        }
    })
}

fn quoted(text: &str) -> String {
    format!("“{}”", short(text, TEXT_CHARACTERS_MAX))
}

/// With two decimals, or as few as it has.
fn rounded(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
