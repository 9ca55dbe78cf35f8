//! The stem of a word: what its forms have in common, by the rules of its language.
//!
//! Splitting text into words, lower case and stop words belong to the caller. Stems are stored in indexes: whoever
//! updates the stemmer also raises the version of what was stored with it.

use std::borrow::Cow;

use frostem::Stemmer;

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

#[cfg(test)]
#[path = "stems_tests.rs"]
mod tests;
