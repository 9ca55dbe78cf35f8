//! Polite words around a request. Whoever says "please" asks for the same, so they are not read.

use std::ops::Range;

use crate::document::usual_spelling;

/// Words that say nothing but "please", folded.
const POLITE: &[&str] = &[
    "please",
    "kindly",
    "bitte",
    "alstublieft",
    "alsjeblieft",
    "пожалуйста",
    "prosze",
    "prosim",
    "lutfen",
    "snalla",
    "vennligst",
    "venligst",
];
/// The same in several words, at the start of a sentence; with a request in the form of a question.
const POLITE_LEADS: &[&[&str]] = &[
    &["could", "you"],
    &["can", "you"],
    &["would", "you"],
    &["will", "you"],
    &["s'il", "vous", "plait"],
    &["s'il", "te", "plait"],
    &["por", "favor"],
    &["per", "favore"],
    &["per", "cortesia"],
];

/// Longer words are not polite ones; signs in front of a word count too.
const WORD_BYTES_MAX: usize = 64;

pub(crate) fn is_polite(word: &str) -> bool {
    POLITE.contains(&usual_spelling(word))
}

/// The bytes of a folded text before what it says; none if it does not begin politely, or says nothing else.
pub(crate) fn count_polite_bytes(sentence: &str) -> usize {
    let mut at = 0;
    while let Some(first) = next_word(sentence, at) {
        if is_polite(&sentence[first.clone()]) {
            at = first.end;
            continue;
        }
        let lead = POLITE_LEADS
            .iter()
            .find_map(|lead| skip_lead(sentence, at, lead));
        match lead {
            Some(end) => at = end,
            None if at == 0 => return 0,
            None => return first.start,
        }
    }
    0
}

fn skip_lead(sentence: &str, mut at: usize, lead: &[&str]) -> Option<usize> {
    for wanted in lead {
        let word = next_word(sentence, at)?;
        if usual_spelling(&sentence[word.clone()]) != *wanted {
            return None;
        }
        at = word.end;
    }
    Some(at)
}

/// The next word, if it is near; an apostrophe is part of it.
fn next_word(sentence: &str, from: usize) -> Option<Range<usize>> {
    let rest = sentence.get(from..)?;
    let rest = &rest[..rest.floor_char_boundary(WORD_BYTES_MAX)];
    let start = rest.find(char::is_alphanumeric)?;
    let word = &rest[start..];
    let end = word.find(|letter: char| !letter.is_alphanumeric() && letter != '\'');
    let end = end.unwrap_or(word.len());
    Some(from + start..from + start + end)
}
