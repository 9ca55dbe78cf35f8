//! The scales by which scores follow from words and frequencies.

use super::read::{Entry, Which};
use super::{Basis, Score};
use crate::cited_text::CitedText;
use crate::decision::readings;
use crate::text::written;

/// A frequency of at least the first is scored with the second.
pub const OCCURRENCE_SCALE: [(f64, u8); 9] = [
    (1.0 / 2.0, 10),
    (1.0 / 5.0, 9),
    (1.0 / 10.0, 8),
    (1.0 / 20.0, 7),
    (1.0 / 50.0, 6),
    (1.0 / 100.0, 5),
    (1.0 / 500.0, 4),
    (1.0 / 2_000.0, 3),
    (1.0 / 10_000.0, 2),
];
/// Rarer than everything on the scale.
const RAREST: u8 = 1;

/// Words of an effect and what they weigh; the heaviest counts.
pub const SEVERITY_SCALE: [(&[&str], u8); 7] = [
    (&["death", "fatal", "die"], 10),
    (
        &[
            "life-threatening",
            "permanent",
            "irreversible",
            "catastroph",
            "cannot be repaired",
        ],
        9,
    ),
    (
        &[
            "serious",
            "severe",
            "hospital",
            "injur",
            "insolven",
            "bankrupt",
            "shut down",
            "shutdown",
        ],
        8,
    ),
    (
        &[
            "loss of", "refus", "recall", "withdraw", "cancel", "suspend",
        ],
        7,
    ),
    (&["delay", "months", "postpone", "interrupt", "repeat"], 6),
    (&["cost", "price", "expens", "penalt", "share", "budget"], 5),
    (&["mild", "minor", "inconvenien"], 3),
];

/// How something would be noticed; the hardest counts.
const DETECTION_SCALE: [(&[&str], u8); 4] = [
    (
        &[
            "nobody would",
            "cannot be",
            "unnoticed",
            "too late",
            "only after",
            "complaint",
        ],
        8,
    ),
    (&["news", "watch", "sample", "random"], 6),
    (
        &[
            "monthly",
            "quarterly",
            "weekly",
            "scheduled",
            "report",
            "check",
            "monitor",
            "analysis",
            "audit",
            "inspect",
            "review",
            "test",
        ],
        4,
    ),
    (
        &[
            "at once",
            "already",
            "alarm",
            "automatic",
            "continuous",
            "daily",
        ],
        2,
    ),
];

pub(super) fn severity(entry: &Entry) -> Option<Score> {
    let said = entry.effect.as_ref().unwrap_or(&entry.risk);
    by_words(said, &SEVERITY_SCALE, "effect")
}

pub(super) fn detection(entry: &Entry) -> Option<Score> {
    by_words(
        entry.controls.as_ref()?,
        &DETECTION_SCALE,
        "how it would be noticed",
    )
}

fn by_words(said: &CitedText, scale: &[(&[&str], u8)], what: &str) -> Option<Score> {
    let small = said.text.to_lowercase();
    let (word, value) = scale.iter().find_map(|(words, value)| {
        let word = words.iter().find(|word| small.contains(**word))?;
        Some((*word, *value))
    })?;
    Some(Score {
        value: Some(value),
        basis: Basis::Derived,
        because: format!("{what} says “{word}”"),
        evidence: said.evidence.clone(),
    })
}

pub(super) fn occurrence(entry: &Entry) -> Option<Score> {
    let said = entry.frequency.as_ref()?;
    let reading = readings(&said.text, "%").into_iter().next()?;
    let frequency = reading.value / 100.0;
    let step = OCCURRENCE_SCALE.iter().find(|(from, _)| frequency >= *from);
    let value = step.map_or(RAREST, |(_, value)| *value);
    let told = match reading.share {
        Some((part, whole)) => format!(
            "{} / {} = {} %",
            written(part, 0),
            written(whole, 0),
            written(reading.value, 1)
        ),
        None => format!("{} %", written(reading.value, 1)),
    };
    Some(Score {
        value: Some(value),
        basis: Basis::Derived,
        because: format!("frequency {told}"),
        evidence: said.evidence.clone(),
    })
}

/// What nobody tells has no score: a middle one would rank a risk by what is not known of it.
pub(super) fn not_scored(which: Which) -> Score {
    let because = match which {
        Which::Severity => "no effect is stated",
        Which::Occurrence => "no frequency is stated",
        Which::Detection => "no source states how it would be noticed",
    };
    Score {
        value: None,
        basis: Basis::NotScored,
        because: because.to_owned(),
        evidence: Vec::new(),
    }
}

/// A rating in words as a score.
pub(super) fn level(word: &str) -> Option<u8> {
    let small = word.trim().to_lowercase();
    let known: [(&[&str], u8); 5] = [
        (&["very high", "critical", "extreme"], 9),
        (&["high", "major", "severe"], 8),
        (&["medium", "moderate"], 5),
        (&["low", "minor"], 3),
        (&["very low", "negligible", "remote"], 2),
    ];
    known
        .iter()
        .find(|(words, _)| words.contains(&small.as_str()))
        .map(|(_, value)| *value)
}
