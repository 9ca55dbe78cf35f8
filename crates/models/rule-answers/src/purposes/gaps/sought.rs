//! What kind of answer a point of a checklist wants: `how many` wants a number, `when` a date, whatever their words are.

use crate::text::{dates_in, words};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sought {
    Number,
    Frequency,
    Certainty,
    Time,
    Date,
    Money,
    /// What nobody knows.
    Unknown,
}

/// What asks for which kind.
const ASKED_BY: &[(&str, Sought)] = &[
    ("how many", Sought::Number),
    ("how large", Sought::Number),
    ("how often", Sought::Frequency),
    ("how certain", Sought::Certainty),
    ("how long", Sought::Time),
    ("when", Sought::Date),
    ("cost", Sought::Money),
    ("nothing is known", Sought::Unknown),
];
/// Words of these questions that a source need not have.
const CUES: &[&str] = &[
    "large", "often", "certain", "long", "seen", "nothing", "known", "next", "needed", "was",
];
const CERTAINTY: &[&str] = &[
    "confidence interval",
    "% ci",
    "p=",
    "p<",
    "p =",
    "p <",
    "significan",
    "standard error",
    "standard deviation",
    "margin of error",
    "uncertain",
    " to ",
];
const FREQUENCY: &[&str] = &[
    "%", "percent", " of ", "per ", "times", "cases", "events", "once", "never",
];
const MONEY: &[&str] = &["eur", "€", "$", "£", "dollar", "pounds", "usd"];
const TIME: &[&str] = &["year", "month", "week", "day", "until", "expire"];
const UNKNOWN: &[&str] = &[
    "no data",
    "no evidence",
    "no information",
    "no record",
    "unknown",
    "excluded",
];
/// What has not been done where something is not known, as beginnings of words.
const FOUND_OUT: &[&str] = &[
    "analys",
    "assess",
    "determin",
    "establish",
    "examin",
    "investigat",
    "known",
    "measur",
    "perform",
    "record",
    "research",
    "start",
    "studi",
    "test",
];
/// How many words may stand between `not` and what was not done: `not yet been studied`.
const UNKNOWN_REACH: usize = 3;

impl Sought {
    pub(super) fn in_question(wants: &str) -> Vec<Self> {
        let small = wants.to_lowercase();
        let asked = ASKED_BY.iter().filter(|(words, _)| small.contains(words));
        let mut kinds: Vec<Self> = Vec::new();
        for (_, kind) in asked {
            if !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        // `For how long nothing is known` asks for what is not known, not for a time.
        if kinds.contains(&Self::Unknown) {
            kinds.retain(|kind| *kind != Self::Time);
        }
        kinds
    }

    pub(super) fn is_in(self, text: &str) -> bool {
        let small = text.to_lowercase();
        let has = |list: &[&str]| list.iter().any(|word| small.contains(word));
        let digits = small.contains(|char: char| char.is_ascii_digit());
        match self {
            Self::Number => digits && words(text).len() > 3,
            Self::Frequency => digits && has(FREQUENCY),
            Self::Certainty => has(CERTAINTY) && digits,
            Self::Time => digits && has(TIME),
            Self::Date => !dates_in(text).is_empty(),
            Self::Money => digits && has(MONEY),
            Self::Unknown => has(UNKNOWN) || not_found_out(&small),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Frequency => "how often",
            Self::Certainty => "how certain it is",
            Self::Time => "for how long",
            Self::Date => "when",
            Self::Money => "an amount of money",
            Self::Unknown => "what is not known",
        }
    }
}

/// `was not examined`, `has not yet been established`.
fn not_found_out(small: &str) -> bool {
    let words: Vec<&str> = small
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let mut denials = (0..words.len()).filter(|at| words.get(*at) == Some(&"not"));
    denials.any(|at| {
        let mut next = words.iter().skip(at + 1).take(UNKNOWN_REACH);
        next.any(|word| FOUND_OUT.iter().any(|begin| word.starts_with(begin)))
    })
}

pub(super) fn is_cue(word: &str) -> bool {
    CUES.contains(&word.to_lowercase().as_str())
}
