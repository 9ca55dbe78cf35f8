//! The stem of a word: what its forms have in common, by the rules of its language.
//!
//! Splitting text into words, lower case and stop words belong to the caller. Stems are stored in indexes: whoever
//! updates the stemmer also raises the version of what was stored with it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use frostem::Stemmer;

use crate::stop_words::StopWordLanguage;

/// The languages that have rules for stems.
pub use frostem::Algorithm as StemLanguage;

/// A longer word is data, not language, and stays as it is.
const STEMMED_BYTES_MAX: usize = 48;

/// The stem of a word in lower case. A word of which nothing would remain stays as it is.
pub fn stem(language: StemLanguage, word: &str) -> Cow<'_, str> {
    if word.len() > STEMMED_BYTES_MAX {
        return Cow::Borrowed(word);
    }
    match Stemmer::new(language).stem(word) {
        stem if stem.is_empty() => Cow::Borrowed(word),
        stem => stem,
    }
}

/// The stems of the words that say what an English text is about.
pub fn content_stems(text: &str) -> BTreeSet<String> {
    let stop_words = StopWordLanguage::English.stop_words();
    text.split(|char: char| !char.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 1 || word.chars().all(|char| char.is_ascii_digit()))
        .filter(|word| !word.is_empty() && !stop_words.contains(word.as_str()))
        .map(|word| stem(StemLanguage::English, &word).into_owned())
        .collect()
}

#[cfg(test)]
#[path = "stems_tests.rs"]
mod tests;
