//! Decodes letter ciphers (shifted, reversed), Morse and base32. A decoding is accepted if function words appear that
//! were missing before. Judging the decoded text is not done here.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::encoded::{Decoded, Encoding};
use crate::finding::compile_pattern;

/// Words that almost every English sentence contains.
const FUNCTION_WORDS: &[&str] = &[
    "the", "a", "an", "of", "to", "and", "in", "is", "are", "that", "this", "it", "you", "your",
    "me", "my", "with", "for", "on", "about", "as", "at", "by", "from", "or", "all", "not", "be",
    "i", "what", "how", "do", "their", "has", "have", "will",
];
/// Shorter clauses may lack function words by chance.
const WORDS_MIN: usize = 5;
const WORDS_MAX: usize = 60;
/// Share of function words in decoded English.
const FUNCTION_WORDS_PERCENT_MIN: usize = 25;
const FUNCTION_WORDS_MIN: usize = 2;

static BASE32: LazyLock<Option<Regex>> =
    LazyLock::new(|| compile_pattern(r"(?-u:\b)[A-Z2-7]{24,}={0,6}"));
static MORSE: LazyLock<Option<Regex>> =
    LazyLock::new(|| compile_pattern(r"(?:[.\-]{1,5}[ ]{0,3}(?:[/|][ ]?)?){16,}"));

/// Every clause that reads as English after decoding.
pub(crate) fn decode(visible: &str) -> Vec<Decoded> {
    let mut decoded = Vec::new();
    let mut keep = |span: Range<usize>, plain: Option<String>| {
        decoded.extend(plain.map(|plain| Decoded {
            span,
            encoding: match is_surely_english(&plain) {
                true => Encoding::LetterCipher,
                false => Encoding::Other,
            },
            text: plain,
        }));
    };
    for piece in split_clauses(visible) {
        keep(piece.clone(), visible.get(piece).and_then(undo_cipher));
    }
    let find = |pattern: &'static LazyLock<Option<Regex>>| {
        pattern.as_ref().map(|pattern| pattern.find_iter(visible))
    };
    for run in find(&BASE32).into_iter().flatten() {
        keep(run.range(), from_base32(run.as_str()));
    }
    for run in find(&MORSE).into_iter().flatten() {
        keep(run.range(), from_morse(run.as_str()));
    }
    decoded
}

/// Splits at line breaks and closing punctuation; a dot inside an address does not count.
fn split_clauses(visible: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = visible.as_bytes();
    let mut start = 0;
    let ends = (0..=bytes.len()).filter(|at| match bytes.get(*at) {
        Some(b'.' | b'!' | b'?' | b':' | b';') => {
            bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace)
        }
        Some(byte) => *byte == b'\n',
        None => true,
    });
    ends.map(move |end| std::mem::replace(&mut start, end + 1)..end)
}

fn undo_cipher(piece: &str) -> Option<String> {
    let words = piece.split_whitespace().take(WORDS_MAX + 1).count();
    if !(WORDS_MIN..=WORDS_MAX).contains(&words) || count_function_words(piece).0 > 0 {
        return None;
    }
    let turned_words = || {
        let turn = |word: &str| word.chars().rev().collect::<String>();
        let words: Vec<String> = piece.split_whitespace().map(turn).collect();
        words.join(" ")
    };
    let turned = || piece.chars().rev().collect::<String>();
    let mut shifts = (1..26).map(|by| shift_letters(piece, by));
    // Text can be reversed as a whole or word by word; the capital of the first word tells which.
    let turns = || {
        let (whole, words) = (turned(), turned_words());
        let capital = |text: &str| text.trim_start().starts_with(char::is_uppercase);
        match capital(&whole) || !capital(&words) {
            true => [whole, words],
            false => [words, whole],
        }
    };
    shifts
        .find(|plain| reads_as_english(plain))
        .or_else(|| turns().into_iter().find(|plain| reads_as_english(plain)))
}

/// The number of function words, and of different ones: a row of single letters repeats the same one.
fn count_function_words(text: &str) -> (usize, usize) {
    let words = text.split(|letter: char| !letter.is_alphabetic());
    let mut uses = [0usize; FUNCTION_WORDS.len()];
    for word in words.filter(|word| !word.is_empty()) {
        let place = FUNCTION_WORDS
            .iter()
            .position(|small| small.eq_ignore_ascii_case(word));
        if let Some(count) = place.and_then(|place| uses.get_mut(place)) {
            *count += 1;
        }
    }
    (
        uses.iter().sum(),
        uses.iter().filter(|count| **count > 0).count(),
    )
}

pub(crate) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.contains(&word)
}

pub(crate) fn reads_as_english(text: &str) -> bool {
    let (small, different) = count_function_words(text);
    // Any shift turns some single letters into "a" and "I".
    let longer = || {
        text.split(|letter: char| !letter.is_alphabetic())
            .any(|word| word.len() > 2 && is_function_word(&word.to_ascii_lowercase()))
    };
    different >= FUNCTION_WORDS_MIN
        && longer()
        && small * 100 >= text.split_whitespace().count() * FUNCTION_WORDS_PERCENT_MIN
}

/// Stricter, because tables and other languages yield function words of one or two letters by chance.
fn is_surely_english(text: &str) -> bool {
    let small = text
        .split(|letter: char| !letter.is_alphabetic())
        .filter(|word| word.len() > 1 && is_function_word(&word.to_ascii_lowercase()));
    let lengths: Vec<usize> = small.map(str::len).collect();
    lengths.len() > FUNCTION_WORDS_MIN && lengths.iter().any(|length| *length > 2)
}

fn shift_letters(text: &str, by: u8) -> String {
    let shift = |letter: char| {
        let first = match letter {
            'a'..='z' => b'a',
            'A'..='Z' => b'A',
            other => return other,
        };
        let place = u8::try_from(letter).unwrap_or(first) - first;
        char::from((place + by) % 26 + first)
    };
    text.chars().map(shift).collect()
}

fn from_base32(run: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(run.len() * 5 / 8);
    let (mut bits, mut held) = (0u32, 0u32);
    for letter in run.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            _ => letter - b'2' + 26,
        };
        bits = (bits << 5 | u32::from(value)) & 0xFFFF;
        held += 5;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xFF).ok()?);
        }
    }
    let plain = String::from_utf8(bytes).ok()?;
    reads_as_english(&plain).then_some(plain)
}

/// Morse code from a to z.
const MORSE_LETTERS: [&str; 26] = [
    ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--",
    "-.", "---", ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
];

fn from_morse(run: &str) -> Option<String> {
    let mut plain = String::new();
    for word in run.split(['/', '|']).flat_map(|part| part.split("   ")) {
        for sign in word.split_whitespace() {
            let place = MORSE_LETTERS.iter().position(|known| *known == sign)?;
            plain.push(char::from(b'a' + u8::try_from(place).ok()?));
        }
        plain.push(' ');
    }
    reads_as_english(&plain).then_some(plain)
}

#[cfg(test)]
#[path = "ciphers_tests.rs"]
mod tests;
