//! Changes to the criteria that a person wrote into a note: weights, thresholds, criteria to add, to drop, or that must be
//! met. Reads a few plain forms and says which parts of the note it could not read; it never guesses.

use serde::{Deserialize, Serialize};

use super::AskedCriterion;
use super::criteria::{Asked, CRITERIA_MAX};
use crate::text::plain;

/// The option that makes a note change the criteria.
const WITH_MY_NOTE: &str = "with_my_note";
const PARTS_MAX: usize = 40;

/// The answer at the checkpoint about the criteria.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Amendment {
    #[serde(default)]
    pub option: Option<String>,
    #[serde(default)]
    pub note: String,
}

/// What became of a note.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Amended {
    /// One sentence for each change.
    pub applied: Vec<String>,
    /// Parts of the note that were not read as a change.
    pub not_understood: Vec<String>,
}

/// Changes the criteria as the note says.
pub(super) fn amend(criteria: &mut Vec<Asked>, amendments: &[Amendment]) -> Amended {
    let mut amended = Amended::default();
    let mut chosen = amendments.iter();
    let chosen = chosen.find(|at| at.option.as_deref() == Some(WITH_MY_NOTE));
    let Some(amendment) = chosen else {
        return amended;
    };
    for part in amendment.note.split([';', '\n']).take(PARTS_MAX) {
        let part = plain(part);
        let part = part.trim_end_matches('.').trim();
        if part.is_empty() {
            continue;
        }
        match change(criteria, part) {
            Some(applied) => amended.applied.push(applied),
            None => amended.not_understood.push(part.to_owned()),
        }
    }
    amended
}

/// One part of a note. Nothing if it has none of the known forms.
fn change(criteria: &mut Vec<Asked>, part: &str) -> Option<String> {
    if let Some(name) = after_word(part, &["without", "drop", "remove", "leave out"]) {
        let at = position(criteria, name)?;
        let dropped = criteria.remove(at).criterion.name;
        return Some(format!("{dropped} was left out"));
    }
    if let Some(rest) = after_word(part, &["add"]) {
        return add(criteria, rest);
    }
    if let Some(rest) = after_word(part, &["weight of"]) {
        let (name, value) = rest.rsplit_once(' ')?;
        let name = name.trim_end_matches([':', '=']).trim();
        let name = ["to", "is"].iter().fold(name, |name, word| {
            name.strip_suffix(word).map_or(name, str::trim_end)
        });
        return set_weight(criteria, name, value);
    }
    let lower = part.to_lowercase();
    if let Some(end) = lower.find(" must be met") {
        let at = position(criteria, part.get(..end)?)?;
        let one = &mut criteria[at].criterion;
        one.must = true;
        return Some(format!("{} must be met", one.name));
    }
    let (name, what) = part.split_once(':')?;
    if let Some(value) = after_word(what.trim(), &["weight"]) {
        return set_weight(criteria, name, value);
    }
    let at = position(criteria, name)?;
    let one = &mut criteria[at];
    one.criterion.threshold = what.trim().to_owned();
    // The threshold is a person's now, not the source's.
    one.evidence.clear();
    Some(format!(
        "{}: the threshold is now {}",
        one.criterion.name, one.criterion.threshold
    ))
}

/// `NAME`, `NAME (weight 3)` or `NAME: threshold`.
fn add(criteria: &mut Vec<Asked>, rest: &str) -> Option<String> {
    if criteria.len() >= CRITERIA_MAX {
        return None;
    }
    let (rest, weight) = match rest.split_once('(') {
        Some((name, inner)) => {
            let value = after_word(inner.trim_end_matches(')').trim(), &["weight"])?;
            (name, number(value)?)
        }
        None => (rest, mean_weight(criteria)),
    };
    let (name, threshold) = rest.split_once(':').unwrap_or((rest, ""));
    let name = name.trim();
    if name.is_empty() || position(criteria, name).is_some() {
        return None;
    }
    criteria.push(Asked {
        criterion: AskedCriterion {
            name: name.to_owned(),
            weight,
            threshold: threshold.trim().to_owned(),
            must: false,
        },
        evidence: Vec::new(),
        words: String::new(),
    });
    Some(format!("{name} was added with weight {weight}"))
}

fn set_weight(criteria: &mut [Asked], name: &str, value: &str) -> Option<String> {
    let weight = number(value)?;
    let one = &mut criteria[position(criteria, name)?].criterion;
    one.weight = weight;
    Some(format!("{} has the weight {weight}", one.name))
}

fn mean_weight(criteria: &[Asked]) -> f64 {
    let all: f64 = criteria.iter().map(|at| at.criterion.weight).sum();
    match criteria.len() {
        0 => 1.0,
        count => (all / count as f64).round(),
    }
}

fn number(text: &str) -> Option<f64> {
    let value: f64 = text
        .trim()
        .trim_start_matches(['=', ':'])
        .trim()
        .parse()
        .ok()?;
    (value.is_finite() && (0.0..=1e6).contains(&value)).then_some(value)
}

/// What follows one of these words at the beginning.
fn after_word<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    words.iter().find_map(|word| {
        let (head, rest) = text.split_at_checked(word.len())?;
        (head.eq_ignore_ascii_case(word) && rest.starts_with(' ')).then(|| rest.trim())
    })
}

fn position(criteria: &[Asked], name: &str) -> Option<usize> {
    let name = name.trim().trim_start_matches("the ").to_lowercase();
    let mut all = criteria.iter();
    all.position(|at| at.criterion.name.to_lowercase() == name)
}

#[cfg(test)]
#[path = "amend_tests.rs"]
mod tests;
