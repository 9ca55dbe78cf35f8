//! Fast lookup in lists of words and phrases; almost every word of a text is looked up.

use std::sync::OnceLock;

use crate::text::is_same_word;

/// Words or phrases in lower case, with single spaces between words.
pub(crate) trait Phrases {
    /// Whether one of the phrases is this one word.
    fn has(&self, word: &str) -> bool;

    /// Calls `accept` for each phrase that ends with this word, until it returns true.
    fn any_ending_with(&self, word: &str, accept: impl FnMut(&str) -> bool) -> bool;
}

impl Phrases for [&str] {
    fn has(&self, word: &str) -> bool {
        self.iter().any(|phrase| is_same_word(word, phrase))
    }

    fn any_ending_with(&self, word: &str, mut accept: impl FnMut(&str) -> bool) -> bool {
        self.iter()
            .any(|phrase| is_same_word(word, last_word(phrase)) && accept(phrase))
    }
}

impl<const N: usize> Phrases for [&str; N] {
    fn has(&self, word: &str) -> bool {
        self[..].has(word)
    }

    fn any_ending_with(&self, word: &str, accept: impl FnMut(&str) -> bool) -> bool {
        self[..].any_ending_with(word, accept)
    }
}

/// A long list, sorted by last words on first use.
#[derive(Debug)]
pub(crate) struct List {
    phrases: &'static str,
    sorted: OnceLock<Sorted>,
}

#[derive(Debug)]
struct Sorted {
    /// Last word and whole phrase.
    phrases: Vec<(&'static str, &'static str)>,
    /// The lengths of the last words by their first byte, one bit each, to reject most words without a search.
    lengths: [u64; 256],
}

impl List {
    /// One phrase per line.
    pub(crate) const fn new(phrases: &'static str) -> Self {
        Self {
            phrases,
            sorted: OnceLock::new(),
        }
    }

    fn sorted(&self) -> &Sorted {
        self.sorted.get_or_init(|| {
            let mut phrases: Vec<_> = self
                .phrases
                .lines()
                .map(|phrase| (last_word(phrase), phrase))
                .collect();
            phrases.sort_unstable();
            phrases.dedup();
            let mut lengths = [0_u64; 256];
            // An upper-case letter outside ASCII may have any first byte in lower case.
            lengths[128..].fill(u64::MAX);
            for (last, _) in &phrases {
                if let Some(first) = last.bytes().next() {
                    lengths[usize::from(first)] |= length_bit(last);
                }
            }
            Sorted { phrases, lengths }
        })
    }

    fn ending_with(&self, word: &str) -> &[(&'static str, &'static str)] {
        let sorted = self.sorted();
        let Some(first) = word.bytes().next().filter(|first| {
            sorted.lengths[usize::from(first.to_ascii_lowercase())] & length_bit(word) != 0
        }) else {
            return &[];
        };
        let lower;
        let key = if word.is_ascii()
            && !word.bytes().any(|byte| byte.is_ascii_uppercase())
            && first < 128
        {
            word
        } else {
            lower = word.to_lowercase();
            lower.as_str()
        };
        let from = sorted.phrases.partition_point(|(last, _)| *last < key);
        let length = sorted.phrases[from..]
            .iter()
            .take_while(|(last, _)| *last == key)
            .count();
        &sorted.phrases[from..from + length]
    }
}

impl Phrases for List {
    fn has(&self, word: &str) -> bool {
        self.ending_with(word)
            .iter()
            .any(|(last, phrase)| last.len() == phrase.len())
    }

    fn any_ending_with(&self, word: &str, mut accept: impl FnMut(&str) -> bool) -> bool {
        self.ending_with(word)
            .iter()
            .any(|(_, phrase)| accept(phrase))
    }
}

fn last_word(phrase: &str) -> &str {
    phrase.rsplit(' ').next().unwrap_or(phrase)
}

/// The lower case of a word that is not ASCII may have another length, so such words have all bits.
fn length_bit(word: &str) -> u64 {
    if word.is_ascii() {
        1 << word.len().min(63)
    } else {
        u64::MAX
    }
}
