//! Words as methods compare and write them: which words a text is about, whether another text is about the same, short forms.

use std::collections::BTreeSet;

use adjutant_text::stems::{StemLanguage, stem};
use adjutant_text::stop_words::StopWordLanguage;

/// So much of what is wanted a text must have to be about it.
const ABOUT_MIN: f64 = 0.5;
/// And so many words of it, unless fewer are wanted.
const ABOUT_WORDS_MIN: usize = 2;
const WORD_CHARS_MIN: usize = 3;

/// The stems of the words that say what a text is about.
pub(crate) fn content(text: &str) -> BTreeSet<String> {
    let stop_words = StopWordLanguage::English.stop_words();
    text.to_lowercase()
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| word.chars().count() >= WORD_CHARS_MIN && !stop_words.contains(word))
        .map(|word| stem(StemLanguage::English, word).into_owned())
        .collect()
}

/// Whether a text has at least half of the wanted words, and at least two of them if there are two.
pub(crate) fn is_about(wanted: &BTreeSet<String>, text: &str) -> bool {
    let common = content(text).intersection(wanted).count();
    common >= ABOUT_WORDS_MIN.min(wanted.len())
        && common > 0
        && common as f64 / wanted.len() as f64 >= ABOUT_MIN
}

/// A text in one line, cut at a word after so many characters.
pub(crate) fn short(text: &str, chars_max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= chars_max {
        return line;
    }
    let head: String = line.chars().take(chars_max.saturating_sub(1)).collect();
    let cut = head.rfind(' ').filter(|at| *at > 0).unwrap_or(head.len());
    format!(
        "{}…",
        head[..cut].trim_end_matches([',', ';', ':', '.', ' '])
    )
}

/// `1 source`, `2 sources`.
pub(crate) fn counted(count: usize, name: &str) -> String {
    match count {
        1 => format!("1 {name}"),
        _ => format!("{count} {name}s"),
    }
}

/// With a capital at its beginning.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|char| char.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// With one decimal, or none if it is whole.
pub(crate) fn written(value: f64) -> String {
    match value.fract().abs() < 0.05 || value.fract().abs() > 0.95 {
        true => format!("{value:.0}"),
        false => format!("{value:.1}"),
    }
}
