//! Text whose letters were moved: shifted, turned round, written as Morse or in base32. Known by the small words that
//! appear once it is put right and are missing before.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::encoded::{Coat, Decoded};
use crate::finding::pattern;

/// Words no English sentence goes far without.
const SMALL_WORDS: &[&str] = &[
    "the", "a", "an", "of", "to", "and", "in", "is", "are", "that", "this", "it", "you", "your",
    "me", "my", "with", "for", "on", "about", "as", "at", "by", "from", "or", "all", "not", "be",
    "i", "what", "how", "do", "their", "has", "have", "will",
];
/// A piece with fewer words may lack small ones by chance.
const WORDS_MIN: usize = 5;
const WORDS_MAX: usize = 60;
/// Of the words put right, this share is small.
const SMALL_PERCENT_MIN: usize = 25;
const SMALL_MIN: usize = 2;

static BASE32: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"(?-u:\b)[A-Z2-7]{24,}={0,6}"));
static MORSE: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?:[.\-]{1,5}[ ]{0,3}(?:[/|][ ]?)?){16,}"));

/// Every piece that reads as English once its letters are put back.
pub(crate) fn decode(seen: &str) -> Vec<Decoded> {
    let mut decoded = Vec::new();
    let mut keep = |span: Range<usize>, says: Option<String>| {
        decoded.extend(says.map(|says| Decoded {
            span,
            coat: match is_surely_english(&says) {
                true => Coat::Letters,
                false => Coat::Other,
            },
            says,
        }));
    };
    for piece in pieces(seen) {
        keep(piece.clone(), seen.get(piece).and_then(put_right));
    }
    let find = |pattern: &'static LazyLock<Option<Regex>>| {
        pattern.as_ref().map(|pattern| pattern.find_iter(seen))
    };
    for run in find(&BASE32).into_iter().flatten() {
        keep(run.range(), from_base32(run.as_str()));
    }
    for run in find(&MORSE).into_iter().flatten() {
        keep(run.range(), from_morse(run.as_str()));
    }
    decoded
}

/// What stands between line breaks and signs that end something; a dot inside an address does not.
fn pieces(seen: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = seen.as_bytes();
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

fn put_right(piece: &str) -> Option<String> {
    let words = piece.split_whitespace().take(WORDS_MAX + 1).count();
    if !(WORDS_MIN..=WORDS_MAX).contains(&words) || small_words(piece).0 > 0 {
        return None;
    }
    let turned_words = || {
        let turn = |word: &str| word.chars().rev().collect::<String>();
        let words: Vec<String> = piece.split_whitespace().map(turn).collect();
        words.join(" ")
    };
    let turned = || piece.chars().rev().collect::<String>();
    let mut shifts = (1..26).map(|by| shifted(piece, by));
    // Turned as a whole, the words come out in the wrong order if each was turned by itself: a capital tells which.
    let turns = || {
        let (whole, words) = (turned(), turned_words());
        let capital = |text: &str| text.trim_start().starts_with(char::is_uppercase);
        match capital(&whole) || !capital(&words) {
            true => [whole, words],
            false => [words, whole],
        }
    };
    shifts
        .find(|says| reads_as_english(says))
        .or_else(|| turns().into_iter().find(|says| reads_as_english(says)))
}

/// How many, and how many different ones: a row of single letters has one again and again.
fn small_words(text: &str) -> (usize, usize) {
    let words = text.split(|letter: char| !letter.is_alphabetic());
    let mut uses = [0usize; SMALL_WORDS.len()];
    for word in words.filter(|word| !word.is_empty()) {
        let place = SMALL_WORDS
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

pub(crate) fn is_small_word(word: &str) -> bool {
    SMALL_WORDS.contains(&word)
}

pub(crate) fn reads_as_english(text: &str) -> bool {
    let (small, different) = small_words(text);
    // Single letters turn into "a" and "I" by any shift.
    let longer = || {
        text.split(|letter: char| !letter.is_alphabetic())
            .any(|word| word.len() > 2 && is_small_word(&word.to_ascii_lowercase()))
    };
    different >= SMALL_MIN
        && longer()
        && small * 100 >= text.split_whitespace().count() * SMALL_PERCENT_MIN
}

/// Small words of one or two letters come out of any table and of other languages by chance.
fn is_surely_english(text: &str) -> bool {
    let small = text
        .split(|letter: char| !letter.is_alphabetic())
        .filter(|word| word.len() > 1 && is_small_word(&word.to_ascii_lowercase()));
    let lengths: Vec<usize> = small.map(str::len).collect();
    lengths.len() > SMALL_MIN && lengths.iter().any(|length| *length > 2)
}

fn shifted(text: &str, by: u8) -> String {
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
    let says = String::from_utf8(bytes).ok()?;
    reads_as_english(&says).then_some(says)
}

/// The letters of Morse, from a to z.
const MORSE_LETTERS: [&str; 26] = [
    ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--",
    "-.", "---", ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
];

fn from_morse(run: &str) -> Option<String> {
    let mut says = String::new();
    for word in run.split(['/', '|']).flat_map(|part| part.split("   ")) {
        for sign in word.split_whitespace() {
            let place = MORSE_LETTERS.iter().position(|known| *known == sign)?;
            says.push(char::from(b'a' + u8::try_from(place).ok()?));
        }
        says.push(' ');
    }
    reads_as_english(&says).then_some(says)
}

#[cfg(test)]
#[path = "ciphers_tests.rs"]
mod tests;
