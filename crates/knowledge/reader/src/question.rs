//! What a question asks for.

use adjutant_text::sentences::sentences;

use crate::irregular::usual_form;
use crate::words::{is_stop_word, stemmed, words};

/// What kind of answer a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    Amount,
    Money,
    Duration,
    Share,
    Date,
    Who,
    Where,
    Whether,
    Why,
    Which,
}

/// A question as it was asked.
#[derive(Debug, Clone)]
pub struct Question {
    pub text: String,
    pub asked: Asked,
    /// The stem of what is counted: `patient` of "How many patients …".
    pub counted: Option<String>,
    /// What the answer is one of, or a value of: `fee` of "What was the fee of …", `lot` of "Which lot failed …".
    pub head: Option<String>,
    /// Whether one or some of several are to be named: "Which lot failed …".
    pub wants_name: bool,
}

const AUXILIARIES: &[&str] = &[
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "may",
    "must", "should", "shall", "will", "would", "am", "isn't", "aren't", "wasn't", "didn't",
    "doesn't",
];
const MONEY: &[&str] = &[
    "cost",
    "costs",
    "price",
    "prices",
    "fee",
    "fees",
    "budget",
    "pay",
    "paid",
    "worth",
    "spend",
    "spent",
    "money",
    "charge",
    "amount",
    "fine",
    "penalty",
    "credit",
    "invoice",
    "revenue",
    "value",
    "sum",
    "expensive",
    "quote",
    "salary",
    "premium",
    "compensation",
];
/// Verbs of paying.
const PAYING: &[&str] = &[
    "cost", "costs", "pay", "pays", "paid", "spend", "spent", "charge", "charged", "earn", "owe",
];
const SHARES: &[&str] = &[
    "percentage",
    "percent",
    "share",
    "proportion",
    "rate",
    "fraction",
    "weight",
    "weighting",
];
const AMOUNTS: &[&str] = &[
    "number",
    "count",
    "size",
    "capacity",
    "length",
    "limit",
    "level",
    "score",
    "total",
    "figure",
    "height",
    "width",
    "speed",
    "dose",
    "threshold",
    "maximum",
    "minimum",
    "most",
    "least",
    "highest",
    "lowest",
    "largest",
    "biggest",
    "smallest",
    "longest",
    "shortest",
    "distance",
];
const DATES: &[&str] = &["date", "day", "deadline", "month", "year", "time"];
const DURATIONS: &[&str] = &[
    "period", "duration", "term", "interval", "shelf", "lifetime",
];
const PEOPLE: &[&str] = &[
    "who",
    "whom",
    "whose",
    "company",
    "firm",
    "person",
    "supplier",
    "vendor",
    "bidder",
    "author",
    "team",
    "name",
    "organisation",
    "organization",
    "body",
    "authority",
    "agency",
];

/// What asks for advice and not for a fact begins with these.
const ADVICE: &[&str] = &["should", "shall", "ought"];

impl Question {
    /// Whether documents can answer it with a statement: a question, and not one for advice.
    pub fn is_factual(&self) -> bool {
        let small = self.text.to_lowercase();
        let all = words(&small);
        let advice = all
            .iter()
            .take(3)
            .any(|word| ADVICE.contains(&&small[word.clone()]));
        small.ends_with('?') && !advice
    }

    /// Whether it asks for an amount, a time, a place or a name.
    pub fn wants_value(&self) -> bool {
        !matches!(self.asked, Asked::Whether | Asked::Why | Asked::Which)
    }

    pub fn new(text: &str) -> Self {
        let asking = asking(text);
        Self {
            text: text.trim().to_owned(),
            asked: asked(asking),
            counted: counted(asking),
            head: head(asking).map(|(head, _)| head),
            wants_name: head(asking).is_some_and(|(_, which)| which),
        }
    }
}

/// Words that begin a clause that only says when a question arises, unless an auxiliary verb follows: "When it rains, who …".
const CONDITIONS: &[&str] = &[
    "if", "when", "once", "after", "before", "while", "as", "since", "although", "though",
    "because", "unless", "where",
];
/// Words that a question begins with, besides auxiliary verbs.
const OPENINGS: &[&str] = &[
    "how", "what", "when", "where", "which", "who", "whom", "whose", "why", "by", "on", "in", "at",
    "for", "to", "from", "under", "with",
];

/// The part of a text that asks: its last question, without a clause before it that only says when the question arises.
fn asking(text: &str) -> &str {
    let mut all = sentences(text).into_iter().map(|range| text[range].trim());
    let last = all.rfind(|sentence| sentence.ends_with('?'));
    let question = last.unwrap_or(text);
    let first = first_words(question);
    let has = |list: &[&str], word: &String| list.contains(&word.as_str());
    let is_condition = matches!(first.as_slice(), [first, second, ..]
        if has(CONDITIONS, first) && !has(AUXILIARIES, second));
    if !is_condition {
        return question;
    }
    let mut clauses = question
        .match_indices(',')
        .map(|(at, _)| &question[at + 1..]);
    let opens = |clause: &&str| {
        let first = first_words(clause);
        let opens = |word: &String| has(OPENINGS, word) || has(AUXILIARIES, word);
        first.first().is_some_and(opens)
    };
    clauses.find(opens).unwrap_or(question)
}

/// The first two words of a text in lower case.
fn first_words(text: &str) -> Vec<String> {
    let first = words(text).into_iter().take(2);
    first.map(|word| text[word].to_lowercase()).collect()
}

/// The last of the words between "how many" and the verb.
fn counted(text: &str) -> Option<String> {
    let small = text.to_lowercase();
    let all: Vec<&str> = words(&small).into_iter().map(|word| &small[word]).collect();
    let many = all.iter().position(|word| *word == "many")?;
    let behind = all[many + 1..]
        .iter()
        .skip_while(|word| ["of", "the", "these", "those", "our", "their"].contains(word))
        .take_while(|word| !is_stop_word(word) && !AUXILIARIES.contains(word));
    // A verb in the past may follow: what is counted comes first or second.
    let is_past = |word: &str| word.ends_with("ed") || usual_form(word) != word;
    let places = behind.take(2).enumerate();
    let (_, last) = places
        .filter(|(place, word)| *place == 0 || !is_past(word))
        .last()?;
    Some(stemmed(last))
}

/// The noun behind "what" or "which", or behind "what is the", and whether it was "which". Of several words the last is the
/// noun, if an auxiliary verb follows; otherwise the verb is among them.
fn head(text: &str) -> Option<(String, bool)> {
    let small = text.to_lowercase();
    let all: Vec<&str> = words(&small).into_iter().map(|word| &small[word]).collect();
    let place = all
        .iter()
        .position(|word| ["what", "which"].contains(word))?;
    let is_small = |word: &str| is_stop_word(word) || AUXILIARIES.contains(&word);
    let rest = &all[place + 1..];
    let direct = rest.first().is_some_and(|word| !is_small(word));
    let skipped = match (direct, rest) {
        (true, _) => 0,
        (false, [verb, "the" | "our" | "their" | "its", ..])
            if ["is", "are", "was", "were"].contains(verb) =>
        {
            2
        }
        _ => return None,
    };
    let run: Vec<&str> = rest[skipped..]
        .iter()
        .copied()
        .take_while(|word| !is_small(word))
        .collect();
    // "Which waiting time did …", but "Which lot failed the …".
    let next = rest.get(skipped + run.len());
    let is_verb_next = next.is_some_and(|word| AUXILIARIES.contains(word));
    let noun = match direct && !is_verb_next {
        true => run.first(),
        false => run.last(),
    };
    noun.map(|noun| ((*noun).to_owned(), direct && all[place] == "which"))
}

fn asked(text: &str) -> Asked {
    let small = text.to_lowercase();
    let all: Vec<&str> = words(&small).into_iter().map(|word| &small[word]).collect();
    let has =
        |list: &[&str], within: usize| all.iter().take(within).any(|word| list.contains(word));
    let at = |word: &str| all.iter().position(|own| *own == word);
    // The question word may come late: "By when must …", "On which day …".
    for (place, word) in all.iter().enumerate().take(6) {
        let next = all.get(place + 1).copied().unwrap_or_default();
        match *word {
            "how" => match next {
                "many" => return Asked::Amount,
                "much" => {
                    let more: Vec<&str> = all.iter().skip(place + 2).take(3).copied().collect();
                    let time = more
                        .iter()
                        .any(|word| ["time", "notice", "longer"].contains(word));
                    let money = has(MONEY, usize::MAX);
                    return match (time, money) {
                        (true, _) => Asked::Duration,
                        (_, true) => Asked::Money,
                        _ => Asked::Amount,
                    };
                }
                "long" | "often" | "soon" | "quickly" | "fast" => return Asked::Duration,
                "old" | "large" | "big" | "high" | "far" | "tall" | "heavy" | "wide" | "low" => {
                    return Asked::Amount;
                }
                _ => return Asked::Why,
            },
            "when" => return Asked::Date,
            "who" | "whom" | "whose" => return Asked::Who,
            "where" => return Asked::Where,
            "why" => return Asked::Why,
            "what" | "which" => {
                let near = place + 4;
                let behind = |list: &[&str]| {
                    all.iter()
                        .take(near + 1)
                        .skip(place + 1)
                        .any(|word| list.contains(word))
                };
                if behind(DATES) && at("time").is_none_or(|time| time > place) {
                    return Asked::Date;
                }
                if behind(SHARES) {
                    return Asked::Share;
                }
                if behind(DURATIONS) {
                    return Asked::Duration;
                }
                if behind(MONEY) {
                    return Asked::Money;
                }
                // "What did the repair of the roof cost?"
                if AUXILIARIES.contains(&next) && has(PAYING, usize::MAX) {
                    return Asked::Money;
                }
                if behind(AMOUNTS) {
                    return Asked::Amount;
                }
                if behind(PEOPLE) {
                    return Asked::Who;
                }
                return Asked::Which;
            }
            word if place == 0 && AUXILIARIES.contains(&word) => return Asked::Whether,
            _ => {}
        }
    }
    Asked::Which
}
