//! How a condition stands by what was read.

use std::cmp::Reverse;

use adjutant_questions::Evidence;
use adjutant_text::dates::Date;

use super::stated::{Condition, Limit, Side, sets_a_limit};
use super::written_exactly;
use crate::text::{Amount, amounts, with_unit};
use crate::watched::Read;
use crate::words::{covered, stems};

/// So much of the subject's words a sentence needs to be on it; of something that happens, more.
const SUBJECT_MIN: f64 = 0.5;
const HAPPENED_MIN: f64 = 0.75;
/// Words by which a sentence does not say that something has happened.
const NOT_HAPPENED: &[&str] = &[
    "not", "no", "never", "if", "when", "will", "would", "could", "might", "may", "plans",
    "planned", "expects", "expected", "intends", "unless", "until", "should", "must", "shall",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    Met,
    Near,
    NotMet,
    Unknown,
}

impl Status {
    pub(super) fn told(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Near => "near",
            Self::NotMet => "not met",
            Self::Unknown => "cannot be told",
        }
    }

    pub(super) fn capital(self) -> &'static str {
        match self {
            Self::Met => "Met",
            Self::Near => "Near",
            Self::NotMet => "Not met",
            Self::Unknown => "Cannot be told",
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Verdict {
    pub(super) status: Status,
    /// The value with its unit.
    pub(super) value: Option<String>,
    pub(super) date: Option<String>,
    /// Why it cannot be told.
    pub(super) why: String,
    pub(super) place: String,
    pub(super) evidence: Vec<Evidence>,
}

impl Verdict {
    fn unknown(why: &str) -> Self {
        Self {
            status: Status::Unknown,
            value: None,
            date: None,
            why: why.to_owned(),
            place: String::new(),
            evidence: Vec::new(),
        }
    }

    /// The status with the value: what may change while the condition stays.
    pub(super) fn told(&self) -> String {
        match &self.value {
            Some(value) => format!("{}: {value}", self.status.told()),
            None => self.status.told().to_owned(),
        }
    }
}

/// A sentence that may hold a value.
struct Said<'a> {
    place: &'a str,
    date: Option<Date>,
    share: f64,
    value: Option<Amount>,
    evidence: Evidence,
}

pub(super) fn verdict(condition: &Condition, read: &Read, near: f64) -> Verdict {
    let mut said = said(condition, read);
    // The latest first, then the one that is most on the subject.
    said.sort_by(|one, other| {
        (Reverse(one.date))
            .cmp(&Reverse(other.date))
            .then(other.share.total_cmp(&one.share))
    });
    match &condition.limit {
        Some(limit) => of_values(limit, &said, near),
        None => happened(&said),
    }
}

fn said<'a>(condition: &Condition, read: &'a Read) -> Vec<Said<'a>> {
    let own: Vec<&str> = condition
        .evidence
        .iter()
        .map(|one| one.quote.as_str())
        .collect();
    let mut found = Vec::new();
    for (place, source) in &read.sources {
        let date = source.published.as_deref().and_then(Date::from_iso);
        for range in adjutant_text::sentences::sentences(&source.text) {
            let text = &source.text[range];
            let share = covered(&condition.subject, &stems(text));
            let least = if condition.limit.is_some() {
                SUBJECT_MIN
            } else {
                HAPPENED_MIN
            };
            if share < least || own.contains(&text) || sets_a_limit(text) {
                continue;
            }
            let value = match &condition.limit {
                Some(limit) => match value(text, limit, &condition.others) {
                    Some(value) => Some(value),
                    None => continue,
                },
                None => None,
            };
            found.push(Said {
                place,
                date,
                share,
                value,
                evidence: Evidence {
                    source: source.id.clone(),
                    quote: text.to_owned(),
                },
            });
        }
    }
    found
}

/// The number in the unit of the limit, in a sentence that has all other numbers of the condition too.
fn value(text: &str, limit: &Limit, others: &[Amount]) -> Option<Amount> {
    let all = amounts(text);
    let is_like = |one: &Amount, other: &Amount| one.unit == other.unit && one.value == other.value;
    if !others
        .iter()
        .all(|other| all.iter().any(|one| is_like(one, other)))
    {
        return None;
    }
    all.into_iter().find(|one| {
        one.unit == limit.amount.unit && !others.iter().any(|other| is_like(one, other))
    })
}

fn of_values(limit: &Limit, said: &[Said<'_>], near: f64) -> Verdict {
    let Some(first) = said.first() else {
        return Verdict::unknown("no value found");
    };
    let status = |one: &Said<'_>| {
        one.value
            .as_ref()
            .map(|value| status_of(limit, value.value, near))
    };
    let same_day = said.iter().take_while(|one| one.date == first.date);
    let is_split = same_day
        .clone()
        .any(|one| status(one).map(is_met) != status(first).map(is_met));
    if is_split {
        let values = same_day.map(|one| one.evidence.clone());
        return Verdict {
            evidence: values.take(3).collect(),
            ..Verdict::unknown("values of the same day do not agree")
        };
    }
    let (Some(value), Some(status)) = (&first.value, status(first)) else {
        return Verdict::unknown("no value found");
    };
    Verdict {
        status,
        value: Some(with_unit(&written_exactly(value.value), &value.unit)),
        date: first.date.map(Date::iso),
        why: String::new(),
        place: first.place.to_owned(),
        evidence: vec![first.evidence.clone()],
    }
}

fn is_met(status: Status) -> bool {
    status == Status::Met
}

fn status_of(limit: &Limit, value: f64, near: f64) -> Status {
    if limit.is_met(value) {
        return Status::Met;
    }
    let away = match limit.side {
        Side::Over => limit.amount.value - value,
        Side::Under => value - limit.amount.value,
    };
    match away <= limit.amount.value.abs() * near / 100.0 {
        true => Status::Near,
        false => Status::NotMet,
    }
}

/// Something that happens or does not: met if a sentence says that it has.
fn happened(said: &[Said<'_>]) -> Verdict {
    let has_happened = |one: &&Said<'_>| {
        let small = one.evidence.quote.to_lowercase();
        let mut words = small.split(|char: char| !char.is_alphanumeric());
        !words.any(|word| NOT_HAPPENED.contains(&word))
    };
    match said.iter().find(has_happened) {
        Some(one) => Verdict {
            status: Status::Met,
            value: None,
            date: one.date.map(Date::iso),
            why: "a source says so".to_owned(),
            place: one.place.to_owned(),
            evidence: vec![one.evidence.clone()],
        },
        None => Verdict {
            evidence: said
                .first()
                .map(|one| one.evidence.clone())
                .into_iter()
                .collect(),
            ..Verdict::unknown("no source says that it has happened")
        },
    }
}
