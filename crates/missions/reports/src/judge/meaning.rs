//! Whether statements mean what their passages mean: nothing denied that they assert, nothing asserted that they deny,
//! nothing certain that they call possible. Only statements in words near to those of their passage can be compared.

use std::collections::{BTreeMap, BTreeSet};

use super::walk::{Place, Statement};
use crate::text::{plain, share, short};
use adjutant_text::stems::{StemLanguage, stem};
use adjutant_text::stop_words::StopWordLanguage;

/// So much of a statement's words must be in a clause of the passage, and so much of the clause's words in the statement.
const SAME_SHARE_MIN: f64 = 0.75;
/// Shorter statements say too little to be compared.
const WORDS_MIN: usize = 3;

const DENYING: &[&str] = &[
    "cannot", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "without",
];
const UNSURE: &[&str] = &[
    "allegedly",
    "apparently",
    "could",
    "likely",
    "may",
    "might",
    "perhaps",
    "possible",
    "possibly",
    "potential",
    "potentially",
    "probably",
    "suspected",
    "unconfirmed",
];

/// Statements that turn around what their passage says, or leave out that it is unsure.
pub(super) fn changed(all: &[Statement<'_>], passages: &BTreeMap<u32, &str>) -> Vec<String> {
    let comparable =
        |at: &&Statement<'_>| at.place == Place::Prose && at.mark.is_none() && !at.cites.is_empty();
    let mut faults = Vec::new();
    for at in all.iter().filter(comparable) {
        let cited: Vec<&str> = at
            .cites
            .iter()
            .filter_map(|number| passages.get(number).copied())
            .collect();
        for range in adjutant_rule_answers::sentences(at.text) {
            let said = plain(&at.text[range]);
            if let Some(how) = how_changed(&said, &cited) {
                faults.push(format!(
                    "“{}” in {} {how}: say it as the passage does, or mark it as interpretation.",
                    short(&said, 80),
                    at.place()
                ));
            }
        }
    }
    faults
}

/// In what way a sentence differs from the clause of its passages that is nearest to it in words. A sentence that
/// some clause says in the same way is fine, whatever the others say.
fn how_changed(said: &str, cited: &[&str]) -> Option<&'static str> {
    // In parentheses stand names of documents and asides.
    let said = &without_parentheses(said);
    let words = subject(said);
    if words.len() < WORDS_MIN {
        return None;
    }
    // A quote says what its source says.
    let is_quote = |passage: &&str| letters(&without_parentheses(passage)).contains(&letters(said));
    if cited.iter().any(is_quote) {
        return None;
    }
    let mut found = None;
    for clause in cited.iter().flat_map(|passage| clauses(passage)) {
        let there = subject(&clause);
        let is_near =
            share(&words, &there) >= SAME_SHARE_MIN && share(&there, &words) >= SAME_SHARE_MIN;
        if !is_near {
            continue;
        }
        let turned = has(said, DENYING) != has(&clause, DENYING);
        let made_sure = has(&clause, UNSURE) && !has(said, UNSURE);
        match (turned, made_sure) {
            (false, false) => return None,
            (true, _) => found = Some("says the opposite of its passage"),
            (false, true) => {
                found = found.or(Some("is certain of what its passage calls possible"))
            }
        }
    }
    found
}

/// What a clause is about, whether it is so or not: the stems of its words.
fn subject(text: &str) -> BTreeSet<String> {
    let empty = StopWordLanguage::English.stop_words();
    let small = text.to_lowercase();
    let words = small.split(|char: char| !char.is_alphanumeric());
    let kept = words.filter(|word| {
        !word.is_empty()
            && !word.starts_with(|char: char| char.is_ascii_digit())
            && !empty.contains(word)
            && !DENYING.contains(word)
            && !UNSURE.contains(word)
    });
    kept.map(|word| stem(StemLanguage::English, word).into_owned())
        .collect()
}

/// The clauses of a passage, and its whole sentences.
fn clauses(passage: &str) -> Vec<String> {
    let mut all = Vec::new();
    for range in adjutant_rule_answers::sentences(passage) {
        let sentence = plain(&without_parentheses(&passage[range]));
        let parts = sentence.split([',', ';', ':']);
        let parts: Vec<String> = parts.map(|part| part.trim().to_owned()).collect();
        if parts.len() > 1 {
            all.extend(parts);
        }
        all.push(sentence);
    }
    all
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    let kept = text.chars().filter(|char| {
        match char {
            '(' => depth += 1,
            ')' if depth > 0 => {
                depth -= 1;
                return false;
            }
            _ => {}
        }
        depth == 0
    });
    kept.collect()
}

/// What stays the same however a text is set.
fn letters(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).collect()
}

fn has(text: &str, words: &[&str]) -> bool {
    let small = text.to_lowercase().replace('’', "'");
    let mut all = small.split(|char: char| !char.is_alphanumeric() && char != '\'');
    all.any(|word| words.contains(&word) || (words == DENYING && word.ends_with("n't")))
}

#[cfg(test)]
#[path = "meaning_tests.rs"]
mod tests;
