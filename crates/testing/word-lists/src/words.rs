//! Text as words, and words as stems.

use frostem::{Algorithm, Stemmer};

/// Shorter words are in every text.
const CHARACTERS_MIN: usize = 3;

/// The words of a text as they are written. `CAIRN-3` and `R-07` are one word each: codes keep their number.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for run in text.split(|c: char| !(c.is_alphanumeric() || c == '-')) {
        let run = run.trim_matches('-');
        if is_code(run) {
            found.push(run);
        } else {
            found.extend(run.split('-').filter(|word| !word.is_empty()));
        }
    }
    found
}

/// Letters and digits in one word, which begins with a capital.
pub(crate) fn is_code(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
        && word.contains(|c: char| c.is_ascii_digit())
        && word.len() >= CHARACTERS_MIN
}

/// Whether a word can belong to a subject at all.
pub(crate) fn is_telling(word: &str) -> bool {
    word.chars().count() >= CHARACTERS_MIN && word.chars().all(char::is_alphabetic)
}

/// What the forms of a word have in common. Lists often hold stems, which stay as they are.
pub(crate) fn stem(word: &str) -> String {
    let small = word.to_lowercase();
    Stemmer::new(Algorithm::English).stem(&small).into_owned()
}
