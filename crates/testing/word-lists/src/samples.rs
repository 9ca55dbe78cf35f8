//! The vocabulary of a sample: how often each stem occurs, and which words are names.

use std::collections::{BTreeMap, BTreeSet};

use crate::english::{Band, English};
use crate::words::{is_code, is_telling, stem, words};

/// A word that is always written with a capital is a name if it is written this often.
const NAME_MIN: usize = 2;
/// Longer phrases are not looked for.
const PHRASE_WORDS_MAX: usize = 4;

/// Whether those who write rules may read a sample. What one may not read is not printed either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    Open,
    Unseen,
}

#[derive(Debug)]
pub struct Sample {
    pub name: String,
    pub visibility: Visibility,
    stems: BTreeMap<String, usize>,
    /// In lower case.
    names: BTreeSet<String>,
    /// How often words follow each other, in lower case with one space between.
    phrases: BTreeMap<String, usize>,
}

impl Sample {
    pub fn new(name: &str, visibility: Visibility, text: &str, english: &English) -> Self {
        let mut written: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let all = words(text);
        for word in &all {
            let (capital, other) = written.entry(word.to_lowercase()).or_default();
            match word.starts_with(char::is_uppercase) {
                true => *capital += 1,
                false => *other += 1,
            }
        }
        let mut stems: BTreeMap<String, usize> = BTreeMap::new();
        for (word, (capital, other)) in written.iter().filter(|(word, _)| is_telling(word)) {
            *stems.entry(stem(word)).or_default() += capital + other;
        }
        let is_name = |word: &str, capital: usize, other: usize| {
            let code = word.contains(|c: char| c.is_ascii_digit());
            let usual = !code && english.band(&stem(word)) != Band::Rare;
            capital >= NAME_MIN && other == 0 && !usual && (code || is_telling(word))
        };
        let codes: BTreeSet<String> = all
            .iter()
            .filter(|word| is_code(word))
            .map(|word| word.to_lowercase())
            .collect();
        let named = written
            .iter()
            .filter(|(word, (capital, other))| {
                let code = word.contains(|c: char| c.is_ascii_digit());
                (!code || codes.contains(*word)) && is_name(word, *capital, *other)
            })
            .map(|(word, _)| word.clone())
            .collect();
        Self {
            name: name.to_owned(),
            visibility,
            stems,
            names: named,
            phrases: phrases(&all),
        }
    }

    /// How often a stem occurs.
    pub(crate) fn count(&self, stem: &str) -> usize {
        self.stems.get(stem).copied().unwrap_or_default()
    }

    pub(crate) fn names(&self, word: &str) -> bool {
        self.names.contains(&word.to_lowercase())
    }

    /// How often these words follow each other.
    pub(crate) fn count_phrase(&self, phrase: &str) -> usize {
        self.phrases.get(phrase).copied().unwrap_or_default()
    }
}

fn phrases(words: &[&str]) -> BTreeMap<String, usize> {
    let small: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut found = BTreeMap::new();
    for length in 2..=PHRASE_WORDS_MAX {
        for phrase in small.windows(length) {
            *found.entry(phrase.join(" ")).or_default() += 1;
        }
    }
    found
}
