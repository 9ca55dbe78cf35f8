//! Text to words. Languages come later: a word here is what stands between spaces and marks, in small letters.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark, is_nfkc};

/// A longer word is cut: it is data, not language.
const WORD_BYTES_MAX: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordKind {
    Letters,
    /// With a digit in it: never stemmed.
    Figures,
    /// Two neighbouring signs of a script without spaces.
    Pair,
}

/// Calls `each` for every word, in the text's order.
pub(crate) fn for_each_word(text: &str, mut each: impl FnMut(&str, WordKind)) {
    if text.is_ascii() || is_nfkc(text) {
        scan(text, &mut each);
    } else {
        let composed: String = text.nfkc().collect();
        scan(&composed, &mut each);
    }
}

fn scan(text: &str, each: &mut impl FnMut(&str, WordKind)) {
    let mut word = Word::default();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if is_unspaced(letter) {
            word.finish(each);
            word.pair(letter, letters.peek().copied(), each);
            continue;
        }
        word.before = None;
        let in_number = matches!(letter, '.' | ',')
            && word.ends_in_digit
            && letters.peek().is_some_and(char::is_ascii_digit);
        let in_word = word.has_letters() && is_combining_mark(letter);
        if letter.is_alphanumeric() || in_number || in_word {
            word.push(letter);
        } else {
            word.finish(each);
        }
    }
    word.finish(each);
}

#[derive(Default)]
struct Word {
    small: String,
    has_figures: bool,
    ends_in_digit: bool,
    /// The sign before, where the script has no spaces.
    before: Option<char>,
}

impl Word {
    fn has_letters(&self) -> bool {
        !self.small.is_empty()
    }

    fn push(&mut self, letter: char) {
        let figure = letter.is_numeric();
        self.has_figures |= figure;
        self.ends_in_digit = letter.is_ascii_digit();
        if self.small.len() < WORD_BYTES_MAX {
            self.small.extend(letter.to_lowercase());
        }
    }

    fn finish(&mut self, each: &mut impl FnMut(&str, WordKind)) {
        if !self.small.is_empty() {
            let kind = if self.has_figures {
                WordKind::Figures
            } else {
                WordKind::Letters
            };
            each(&self.small, kind);
        }
        self.small.clear();
        self.has_figures = false;
        self.ends_in_digit = false;
    }

    fn pair(&mut self, letter: char, next: Option<char>, each: &mut impl FnMut(&str, WordKind)) {
        let alone = self.before.is_none() && !next.is_some_and(is_unspaced);
        if let Some(before) = self.before.replace(letter) {
            let pair: String = [before, letter].iter().collect();
            each(&pair, WordKind::Pair);
        } else if alone {
            each(letter.encode_utf8(&mut [0; 4]), WordKind::Pair);
        }
    }
}

/// Scripts that put no spaces between words, and Korean, whose words carry their grammar with them.
pub(crate) fn is_unspaced(letter: char) -> bool {
    matches!(u32::from(letter),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF
        | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3134F)
}

/// Without accents, so that "Zürich" is found by "zurich".
pub(crate) fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_owned();
    }
    word.nfd()
        .filter(|letter| !('\u{300}'..='\u{36f}').contains(letter))
        .nfc()
        .collect()
}

/// How long a text is to read; where there are no spaces, two signs count as a word.
pub(crate) fn word_count(text: &str) -> usize {
    let spaced = text.split_whitespace().filter(|word| {
        word.chars()
            .any(|letter| letter.is_alphanumeric() && !is_unspaced(letter))
    });
    let signs = if text.is_ascii() {
        0
    } else {
        text.chars().filter(|letter| is_unspaced(*letter)).count()
    };
    spaced.count() + signs.div_ceil(2)
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
