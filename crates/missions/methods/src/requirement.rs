//! What something must meet: a text, often with a number that must be reached or not be passed.

use std::collections::BTreeMap;

use adjutant_questions::{Evidence, Finding, Row};
use serde::Deserialize;

use crate::method::Answer;
use crate::text::{Amount, amounts, bare, coverage, likeness, plain, short, written};

const NAME_CHARS_MAX: usize = 120;
const REQUIREMENTS_MAX: usize = 10;
/// Above this two texts speak of the same thing.
const SAME_MIN: f64 = 0.6;
/// Words before a number that must be reached, and one that must not be passed.
const AT_LEAST: &[&str] = &[
    "at least",
    "no less than",
    "not less than",
    "minimum",
    "min.",
    "more than",
    "above",
    "over",
    "≥",
    ">=",
    ">",
];
const AT_MOST: &[&str] = &[
    "at most",
    "no more than",
    "not more than",
    "maximum",
    "max.",
    "up to",
    "within",
    "less than",
    "below",
    "under",
    "≤",
    "<=",
    "<",
];
const REQUIRING: &[&str] = &[
    "must", "required", "requires", "shall", "need to", "needs to", "has to", "have to",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    AtLeast,
    AtMost,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bound {
    pub(crate) side: Side,
    pub(crate) amount: Amount,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Requirement {
    pub(crate) text: String,
    pub(crate) bound: Option<Bound>,
    pub(crate) evidence: Vec<Evidence>,
}

/// What is known of one thing by one requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Meets,
    Fails,
    /// A passage speaks of it, without a number that could be held against the requirement.
    Mentioned,
    Unknown,
}

impl Verdict {
    pub(crate) fn told(self) -> &'static str {
        match self {
            Self::Meets => "meets",
            Self::Fails => "fails",
            Self::Mentioned => "to be judged",
            Self::Unknown => "not known",
        }
    }
}

impl Requirement {
    pub(crate) fn new(text: &str, evidence: Vec<Evidence>) -> Self {
        let text = short(&bare(text), NAME_CHARS_MAX);
        Self {
            bound: bound(&text),
            text,
            evidence,
        }
    }

    /// What a text, or a bare figure, says of the requirement.
    pub(crate) fn verdict(&self, said: Option<&str>) -> Verdict {
        let Some(said) = said.filter(|said| !said.trim().is_empty()) else {
            return Verdict::Unknown;
        };
        let Some(bound) = &self.bound else {
            return Verdict::Mentioned;
        };
        let fits = |amount: &Amount| amount.unit == bound.amount.unit;
        match amounts(said).into_iter().find(fits) {
            Some(amount) if bound.holds(amount.value) => Verdict::Meets,
            Some(_) => Verdict::Fails,
            None => Verdict::Mentioned,
        }
    }
}

impl Bound {
    pub(crate) fn holds(&self, value: f64) -> bool {
        match self.side {
            Side::AtLeast => value >= self.amount.value,
            Side::AtMost => value <= self.amount.value,
        }
    }

    pub(crate) fn told(&self) -> String {
        let side = match self.side {
            Side::AtLeast => "at least",
            Side::AtMost => "at most",
        };
        plain(&format!(
            "{side} {} {}",
            written(self.amount.value),
            self.amount.unit
        ))
    }
}

/// Something that is held against requirements, with figures of a table.
#[derive(Debug, Deserialize)]
pub(crate) struct Item {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) values: BTreeMap<String, f64>,
}

/// One thing by one requirement.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) verdict: Verdict,
    pub(crate) said: String,
    pub(crate) evidence: Vec<Evidence>,
}

impl Requirement {
    /// What is known of a thing: a figure of a table goes before what a passage says.
    pub(crate) fn held(&self, item: &Item, rows: &[Row]) -> Held {
        let value = item
            .values
            .iter()
            .find(|(name, _)| coverage(name, &self.text) >= SAME_MIN);
        let row = rows.iter().find(|row| row.criterion == self.text);
        let cell = row.and_then(|row| row.cells.iter().find(|cell| cell.item == item.name));
        // A figure without a unit decides nothing about a requirement that has one.
        let measured = value
            .zip(self.bound.as_ref())
            .filter(|((name, _), bound)| name.to_lowercase().contains(&bound.amount.unit));
        match (measured, cell) {
            (Some(((_, value), bound)), _) => Held {
                verdict: match bound.holds(*value) {
                    true => Verdict::Meets,
                    false => Verdict::Fails,
                },
                said: written(*value),
                evidence: Vec::new(),
            },
            (_, Some(cell)) => Held {
                verdict: self.verdict(cell.text.as_deref()),
                said: cell.text.clone().unwrap_or_default(),
                evidence: cell.evidence.clone(),
            },
            _ => Held {
                verdict: Verdict::Unknown,
                said: String::new(),
                evidence: Vec::new(),
            },
        }
    }
}

/// Requirements, where they came from, and what of a person's note was not read.
#[derive(Debug, Default)]
pub(crate) struct RequirementList {
    pub(crate) all: Vec<Requirement>,
    pub(crate) from: &'static str,
    pub(crate) not_understood: Vec<String>,
}

impl RequirementList {
    /// Those that are given, else those among the findings that demand something, else the usual ones.
    pub(crate) fn gather(
        given: &[String],
        stated: &[Finding],
        usual: &[String],
        answers: &[Answer],
    ) -> Self {
        let mut list = Self {
            from: "given at the start",
            ..Self::default()
        };
        for text in given {
            list.add(Requirement::new(text, Vec::new()));
        }
        if list.all.is_empty() {
            list.from = "stated in a document";
            for finding in stated.iter().filter(|finding| demands(&finding.text)) {
                list.add(Requirement::new(&finding.text, finding.evidence.clone()));
            }
        }
        if list.all.is_empty() {
            list.from = "assumed: no document states any";
            for text in usual {
                list.add(Requirement::new(text, Vec::new()));
            }
        }
        for answer in answers.iter().filter(|answer| answer.chose("with_my_note")) {
            for part in answer
                .note()
                .split([';', '\n'])
                .map(plain)
                .filter(|part| !part.is_empty())
            {
                if !list.change(&part) {
                    list.not_understood.push(format!("“{part}”"));
                }
            }
        }
        list
    }

    fn add(&mut self, requirement: Requirement) -> bool {
        let is_known = |known: &Requirement| {
            likeness(&known.text, &requirement.text) >= SAME_MIN && known.bound == requirement.bound
        };
        let is_new = !requirement.text.is_empty()
            && self.all.len() < REQUIREMENTS_MAX
            && !self.all.iter().any(is_known);
        if is_new {
            self.all.push(requirement);
        }
        is_new
    }

    /// `add TEXT` or `limit: TEXT`, `without NUMBER` or `without limit NUMBER`. What concerns options is for others to read.
    fn change(&mut self, part: &str) -> bool {
        if part.starts_with("add option") {
            return true;
        }
        let added = part
            .strip_prefix("add ")
            .or_else(|| part.strip_prefix("limit:"));
        if let Some(text) = added {
            return self.add(Requirement::new(text, Vec::new()));
        }
        let left_out = part
            .strip_prefix("without ")
            .map(|name| name.trim_start_matches("limit "));
        let number = left_out.and_then(|number| number.trim().parse::<usize>().ok());
        let at = number.and_then(|number| number.checked_sub(1));
        let Some(at) = at.filter(|at| *at < self.all.len()) else {
            return false;
        };
        self.all.remove(at);
        true
    }

    pub(crate) fn texts(&self) -> Vec<&str> {
        self.all.iter().map(|one| one.text.as_str()).collect()
    }
}

/// The first number of a text that follows `at least`, `at most` or the like.
pub(crate) fn bound(text: &str) -> Option<Bound> {
    let small = plain(text).to_lowercase();
    let mut best: Option<(usize, usize, Side)> = None;
    for (words, side) in [(AT_LEAST, Side::AtLeast), (AT_MOST, Side::AtMost)] {
        for word in words {
            let Some(at) = find_word(&small, word) else {
                continue;
            };
            // The longest of those that overlap: `no more than` holds `more than`.
            let is_better = best.is_none_or(|(start, length, _)| {
                let overlaps = at < start + length && start < at + word.len();
                if overlaps {
                    word.len() > length
                } else {
                    at < start
                }
            });
            if is_better {
                best = Some((at, word.len(), side));
            }
        }
    }
    let (at, length, side) = best?;
    let amount = amounts(small.get(at + length..)?).into_iter().next()?;
    Some(Bound { side, amount })
}

/// Where a word stands by itself: `over` is not in `covers`.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_letter = |char: Option<char>| char.is_some_and(char::is_alphabetic);
    let all = text.match_indices(word).map(|(at, _)| at);
    let mut whole = all.filter(|at| {
        let (before, rest) = (&text[..*at], &text[at + word.len()..]);
        !is_letter(before.chars().next_back()) && !is_letter(rest.chars().next())
    });
    whole.next()
}

/// Whether a text demands something.
pub(crate) fn demands(text: &str) -> bool {
    let small = text.to_lowercase();
    let words: Vec<&str> = small.split(|char: char| !char.is_alphanumeric()).collect();
    let joined = format!(" {} ", words.join(" "));
    REQUIRING
        .iter()
        .any(|word| joined.contains(&format!(" {word} ")))
        || bound(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_and_held_against_what_is_said() {
        let needed = Requirement::new(
            "The pump must move at least 30 litres a minute.",
            Vec::new(),
        );
        assert_eq!(needed.bound.as_ref().unwrap().told(), "at least 30 litre");
        for (said, expected) in [
            (Some("It moves 32 litres a minute"), Verdict::Meets),
            (Some("29 litres"), Verdict::Fails),
            (Some("It weighs 40 kg and is loud"), Verdict::Mentioned),
            (Some("A quiet pump"), Verdict::Mentioned),
            (Some("35"), Verdict::Mentioned),
            (None, Verdict::Unknown),
        ] {
            assert_eq!(needed.verdict(said), expected, "{said:?}");
        }
    }

    #[test]
    fn a_tables_figure_decides_only_in_the_unit_of_the_requirement() {
        let item = |heading: &str| Item {
            name: "Wax".to_owned(),
            values: [(heading.to_owned(), 9.0)].into(),
        };
        let needed = Requirement::new("Price at most EUR 5", Vec::new());
        assert_eq!(
            needed.held(&item("Price (EUR)"), &[]).verdict,
            Verdict::Fails
        );
        assert_eq!(needed.held(&item("Price"), &[]).verdict, Verdict::Unknown);
    }

    #[test]
    fn the_longer_words_decide_the_side() {
        let side = |text: &str| bound(text).map(|bound| bound.side);
        assert_eq!(side("no more than 4 weeks"), Some(Side::AtMost));
        assert_eq!(side("not less than 4 %"), Some(Side::AtLeast));
        assert_eq!(side("delivered in 4 weeks"), None);
        assert_eq!(side("it covers 5 km"), None);
        assert!(demands("The case must be blue") && !demands("The case is blue"));
    }
}
