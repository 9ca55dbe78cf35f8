//! Conditions as people and documents state them: a subject, a limit and on which side of it they are met, what happens then.

use std::collections::BTreeSet;

use adjutant_questions::Evidence;

use super::Given;
use crate::given::Choice;
use crate::text::{Amount, amounts, bare, plain};
use crate::watched::Read;
use crate::words::{covered, short, stems};

const CONDITIONS_MAX: usize = 20;
const FOUND_MAX: usize = 12;
const WORDS_MAX: usize = 60;
const TEXT_CHARS_MAX: usize = 300;
/// Words between a comparison and its number.
const BETWEEN_MAX: usize = 3;

/// On which side of its limit a condition is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Over,
    Under,
}

impl Side {
    pub(super) fn told(self) -> &'static str {
        match self {
            Self::Over => "above",
            Self::Under => "below",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Limit {
    pub(super) side: Side,
    pub(super) amount: Amount,
    /// The limit itself counts as met.
    pub(super) is_inclusive: bool,
    /// Somebody demands it: the condition is met when the demand is broken.
    pub(super) is_demand: bool,
}

impl Limit {
    pub(super) fn is_met(&self, value: f64) -> bool {
        let limit = self.amount.value;
        match (self.side, self.is_inclusive) {
            (Side::Over, true) => value >= limit,
            (Side::Over, false) => value > limit,
            (Side::Under, true) => value <= limit,
            (Side::Under, false) => value < limit,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condition {
    pub(super) text: String,
    pub(super) then: String,
    /// Nothing for something that happens or does not.
    pub(super) limit: Option<Limit>,
    /// Other numbers, which say of what the limit is.
    pub(super) others: Vec<Amount>,
    pub(super) subject: BTreeSet<String>,
    pub(super) evidence: Vec<Evidence>,
    pub(super) place: String,
}

const OVER: &[&str] = &[
    "more than",
    "greater than",
    "higher than",
    "above",
    "over",
    "exceeds",
    "exceed",
    "exceeded",
    "rises to",
    "reaches",
    ">",
    "≥",
    "at least",
];
const UNDER: &[&str] = &[
    "less than",
    "fewer than",
    "lower than",
    "below",
    "under",
    "falls to",
    "drops to",
    "<",
    "≤",
];
/// What must not be passed, and what must be reached: such a condition is met when the demand is not.
const AT_MOST: &[&str] = &[
    "at most",
    "no more than",
    "not more than",
    "no higher than",
    "up to",
    "a maximum of",
    "within",
];
const AT_LEAST: &[&str] = &[
    "no less than",
    "not less than",
    "no fewer than",
    "a minimum of",
    "no lower than",
];
const INCLUSIVE: &[&str] = &[
    "at least", "reaches", "rises to", "falls to", "drops to", "≥", "≤",
];
const DEMANDING: &[&str] = &[
    "must", "shall", "required", "requires", "should", "has to", "have to", "need to", "needs to",
    "allows", "accepts",
];
const OPENING: &[&str] = &["if", "when", "whenever", "as soon as", "in case", "unless"];

impl Condition {
    pub(super) fn new(when: &str, then: &str, place: &str, evidence: Vec<Evidence>) -> Self {
        let text = short(&bare(when), TEXT_CHARS_MAX);
        let limits = limits(&text);
        let limit = limits.last().cloned();
        let is_limit =
            |amount: &Amount| limit.as_ref().is_some_and(|limit| limit.amount == *amount);
        let others = amounts(&text)
            .into_iter()
            .filter(|amount| !is_limit(amount))
            .collect();
        let is_word = |stem: &String| !stem.starts_with(|char: char| char.is_ascii_digit());
        let said: BTreeSet<String> = [OVER, UNDER, AT_MOST, AT_LEAST, DEMANDING]
            .iter()
            .flat_map(|list| list.iter().flat_map(|words| stems(words)))
            .chain(limit.iter().flat_map(|limit| stems(&limit.amount.unit)))
            .collect();
        let subject = stems(&text)
            .into_iter()
            .filter(|stem| is_word(stem) && !said.contains(stem));
        Self {
            subject: subject.collect(),
            then: short(&bare(then), TEXT_CHARS_MAX),
            limit,
            others,
            evidence,
            place: place.to_owned(),
            text,
        }
    }
}

/// Every comparison with a number, in order.
fn limits(text: &str) -> Vec<Limit> {
    let small = format!(" {} ", plain(text).to_lowercase());
    let demands = DEMANDING
        .iter()
        .any(|word| small.contains(&format!(" {word} ")));
    let mut found: Vec<(usize, usize, Limit)> = Vec::new();
    let lists: [(&[&str], bool, bool); 4] = [
        (AT_MOST, true, true),
        (AT_LEAST, false, true),
        (OVER, true, false),
        (UNDER, false, false),
    ];
    for (list, is_over, is_demand) in lists {
        for word in list {
            for (at, _) in small.match_indices(word) {
                let end = at + word.len();
                let is_letter = |char: Option<char>| char.is_some_and(char::is_alphabetic);
                let is_inside = is_letter(small[..at].chars().next_back())
                    || is_letter(small[end..].chars().next());
                let overlaps = found.iter().any(|(from, to, _)| at < *to && *from < end);
                let next: String = small[end..]
                    .split_whitespace()
                    .take(BETWEEN_MAX + 3)
                    .collect::<Vec<_>>()
                    .join(" ");
                let Some(amount) = amounts(&next).into_iter().next() else {
                    continue;
                };
                if is_inside || overlaps {
                    continue;
                }
                // A demand is broken on the other side of what it asks for: `must exceed`, and not `must not exceed`.
                let is_denied = small[..at].trim_end().ends_with(" not");
                let side = match (is_over, is_demand || is_denied || !demands) {
                    (true, true) | (false, false) => Side::Over,
                    (false, true) | (true, false) => Side::Under,
                };
                let is_inclusive = INCLUSIVE.contains(word) && !demands;
                found.push((
                    at,
                    end,
                    Limit {
                        side,
                        amount,
                        is_inclusive,
                        is_demand: is_demand || demands,
                    },
                ));
            }
        }
    }
    found.sort_by_key(|(at, ..)| *at);
    found.into_iter().map(|(.., limit)| limit).collect()
}

/// What is watched: what was given, what the note adds, and what documents state unless that is not wanted.
pub(super) fn conditions(
    objective: &str,
    given: &[Given],
    choices: &[Choice],
    read: &Read,
) -> Vec<Condition> {
    let mut all: Vec<Condition> = Vec::new();
    let mut add = |condition: Condition| {
        let is_known = all
            .iter()
            .any(|known| known.text.to_lowercase() == condition.text.to_lowercase());
        if !is_known && !condition.text.is_empty() && all.len() < CONDITIONS_MAX {
            all.push(condition);
        }
    };
    for one in given {
        let (when, then) = match one {
            Given::Text(text) => split(text),
            Given::Parts { when, then } => (when.clone(), then.clone()),
        };
        add(Condition::new(&when, &then, "given", Vec::new()));
    }
    if Choice::chose(choices, "with_my_note") {
        for line in Choice::lines(choices) {
            let (when, then) = split(&line);
            add(Condition::new(&when, &then, "given", Vec::new()));
        }
    }
    let wants_found = given.is_empty() || Choice::chose(choices, "all_conditions");
    if wants_found && !Choice::chose(choices, "given_only") {
        for condition in stated_in(objective, read) {
            add(condition);
        }
    }
    all
}

/// The condition of a sentence, and what happens then: `If X, Y`, `Y if X`, `X, then Y`.
fn split(text: &str) -> (String, String) {
    let text = plain(text);
    let small = text.to_lowercase();
    if let Some(at) = small.find(" then ").or_else(|| small.find(" → ")) {
        let (when, then) = (&text[..at], text[at..].trim_start_matches([' ', '→']));
        let then = then.strip_prefix("then ").unwrap_or(then);
        return (without_opening(when), then.to_owned());
    }
    for opening in OPENING {
        if small.starts_with(&format!("{opening} "))
            && let Some((when, then)) = text.split_once(", ")
        {
            return (without_opening(when), then.to_owned());
        }
        if let Some(at) = small
            .find(&format!(" {opening} "))
            .filter(|_| small.len() == text.len())
        {
            return (without_opening(&text[at..]), text[..at].to_owned());
        }
    }
    (without_opening(&text), String::new())
}

fn without_opening(text: &str) -> String {
    let text = text.trim().trim_end_matches(',');
    let small = text.to_lowercase();
    let opening = OPENING
        .iter()
        .find(|opening| small.starts_with(&format!("{opening} ")));
    let cut = opening.and_then(|opening| text.get(opening.len()..));
    cut.unwrap_or(text).trim().to_owned()
}

/// Sentences of documents with a limit that somebody set, those that concern it most first.
fn stated_in(objective: &str, read: &Read) -> Vec<Condition> {
    let wanted = stems(objective);
    let mut found: Vec<(f64, Condition)> = Vec::new();
    for (place, source) in &read.sources {
        for range in adjutant_text::sentences::sentences(&source.text) {
            let text = &source.text[range];
            let is_row = text.matches('|').count() > 1 || text.starts_with('#');
            if is_row || text.split_whitespace().count() > WORDS_MAX || !is_agreed(text) {
                continue;
            }
            let share = covered(&wanted, &stems(text));
            let evidence = Evidence {
                source: source.id.clone(),
                quote: text.to_owned(),
            };
            let (when, then) = split(text);
            // A limit in what happens then belongs to no condition.
            let (when, then) = match limits(&when).is_empty() {
                true => (plain(text), String::new()),
                false => (when, then),
            };
            found.push((share, Condition::new(&when, &then, place, vec![evidence])));
        }
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    // Limits on other subjects are not watched where there are some on that of the objective.
    if found.first().is_some_and(|(share, _)| *share > 0.0) {
        found.retain(|(share, _)| *share > 0.0);
    }
    found.truncate(FOUND_MAX);
    found.into_iter().map(|(_, condition)| condition).collect()
}

/// Whether somebody set a limit in a sentence of a document. “Over 12 weeks” and “above 65 years” tell of whom and how long
/// something was done: they count only where the sentence demands it, and an age or a bare number never does.
fn is_agreed(text: &str) -> bool {
    if !sets_a_limit(text) {
        return false;
    }
    let small = format!(" {} ", plain(text).to_lowercase());
    let is_loose = [" over ", " under "]
        .iter()
        .any(|word| small.contains(word));
    let firm = [AT_MOST, AT_LEAST].concat();
    let is_firm = firm.iter().any(|word| small.contains(&format!(" {word} ")));
    let has_unit = |limit: &Limit| !["", "year", "patient"].contains(&limit.amount.unit.as_str());
    limits(text).last().is_some_and(has_unit) && (is_firm || !is_loose)
}

/// Whether a sentence demands something with a number, or says what happens beyond one.
pub(super) fn sets_a_limit(text: &str) -> bool {
    let small = format!(" {} ", plain(text).to_lowercase());
    let says = |list: &[&str]| list.iter().any(|word| small.contains(&format!(" {word} ")));
    (says(DEMANDING) || says(OPENING) || says(AT_MOST) || says(AT_LEAST))
        && !limits(text).is_empty()
}
