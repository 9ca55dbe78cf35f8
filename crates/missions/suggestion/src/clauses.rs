//! An intent in parts: what is wanted first, and then, and besides.

use crate::words::{is_action, terms};

/// More parts than this are read as one with the last.
const CLAUSES_MAX: usize = 16;
/// Words that join two parts, if a verb follows.
const JOINING: [&str; 8] = [
    "and",
    "then",
    "also",
    "finally",
    "plus",
    "afterwards",
    "next",
    "&",
];
/// Words that may stand between the joining word and the verb.
const BETWEEN: [&str; 10] = [
    "then",
    "also",
    "finally",
    "please",
    "to",
    "and",
    "afterwards",
    "next",
    "lastly",
    "i",
];

/// Words after which comes what something is about; but not after these verbs.
const ABOUT: [&str; 6] = [
    "about",
    "on",
    "regarding",
    "concerning",
    "for",
    "mentioning",
];
const SEEKING: [&str; 10] = [
    "look",
    "search",
    "wait",
    "pause",
    "ask",
    "check",
    "looking",
    "searching",
    "arguments",
    "run",
];

/// A part of an intent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clause {
    pub(crate) text: String,
    /// What it asks for, then what that is about: words that no tool is chosen by easily.
    pub(crate) terms: Vec<String>,
    pub(crate) topic: Vec<String>,
}

/// The parts of an intent, in its order.
pub(crate) fn clauses(intent: &str) -> Vec<Clause> {
    let words: Vec<&str> = intent.split_whitespace().collect();
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    let mut is_quoted = false;
    for (at, word) in words.iter().enumerate() {
        let begins = !is_quoted
            && parts.last().is_some_and(|part| !part.is_empty())
            && begins_part(&words, at);
        if begins && parts.len() < CLAUSES_MAX {
            parts.push(Vec::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push(word);
        }
        if word.matches(['"', '“', '”']).count() % 2 == 1 {
            is_quoted = !is_quoted;
        }
    }
    let read = |part: Vec<&str>| {
        let text = part.join(" ");
        let (wanted, topic) = part.split_at(topic_at(&part));
        Clause {
            terms: terms(&without_addresses(wanted)),
            topic: terms(&without_addresses(topic)),
            text,
        }
    };
    let read = parts.into_iter().map(read);
    read.filter(|clause| {
        !clause.terms.is_empty()
            || !clause.topic.is_empty()
            || clause.text.contains(|char: char| char.is_ascii_digit())
    })
    .collect()
}

/// Where it begins what a part is about.
fn topic_at(part: &[&str]) -> usize {
    let is_topic = |at: &usize| {
        let before = part.get(at.wrapping_sub(1)).map(|word| bare(word));
        ABOUT.contains(&bare(part[*at]).as_str())
            && before.is_some_and(|before| !SEEKING.contains(&before.as_str()))
    };
    let at = (1..part.len()).find(is_topic);
    at.unwrap_or(part.len())
}

/// An address is data; that there is one says what is wanted.
fn without_addresses(part: &[&str]) -> String {
    let said = part.iter().map(|word| match word.contains("://") {
        true if word.contains("api") || word.contains(".json") => "url api",
        true => "url",
        false => word,
    });
    said.collect::<Vec<_>>().join(" ")
}

/// Whether a new part begins with this word.
fn begins_part(words: &[&str], at: usize) -> bool {
    let before = words[at - 1];
    if before.ends_with(['.', ';', '!', '?', ':']) && !is_abbreviation(before) {
        return true;
    }
    let word = bare(words[at]);
    let is_joining = is_joining(&word);
    if is_joining || before.ends_with(',') {
        let mut next = at + usize::from(is_joining);
        while next < words.len() && BETWEEN.contains(&bare(words[next]).as_str()) {
            next += 1;
        }
        let verb = words.get(next).map(|word| bare(word));
        return verb.is_some_and(|verb| is_action(&verb));
    }
    false
}

/// Whether a word in lower case joins two parts.
pub(crate) fn is_joining(word: &str) -> bool {
    JOINING.contains(&word)
}

/// Whether a word in lower case may stand before the verb with which a part begins.
pub(crate) fn may_come_before_verb(word: &str) -> bool {
    JOINING.contains(&word) || BETWEEN.contains(&word)
}

/// A single letter or a short word with a stop inside, such as `e.g.`.
fn is_abbreviation(word: &str) -> bool {
    let stem = word.trim_end_matches('.');
    word.ends_with('.') && (stem.chars().count() < 2 || stem.contains('.'))
}

pub(crate) fn bare(word: &str) -> String {
    word.trim_matches(|char: char| !char.is_alphanumeric() && char != '&')
        .to_lowercase()
}

#[cfg(test)]
#[path = "clauses_tests.rs"]
mod tests;
