//! Reading text as far as reports need it: one-line forms, content words, numbers, short forms.

use std::collections::BTreeSet;

use regex::Regex;

use crate::pattern::Pattern;

/// Words that say nothing of a subject.
const EMPTY_WORDS: &[&str] = &[
    "about", "after", "also", "and", "any", "are", "before", "been", "but", "can", "each", "for",
    "from", "had", "has", "have", "how", "into", "its", "least", "more", "most", "not", "only",
    "other", "our", "over", "should", "such", "than", "that", "the", "their", "them", "then",
    "there", "they", "this", "those", "under", "was", "were", "what", "when", "where", "whether",
    "which", "who", "will", "with", "would",
];
const STEM_CHARS: usize = 6;
const WORD_CHARS_MIN: usize = 3;

/// A text in one line.
pub(crate) fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most so many characters, cut at a word.
pub(crate) fn short(text: &str, chars_max: usize) -> String {
    let text = plain(text);
    if text.chars().count() <= chars_max {
        return text;
    }
    let head: String = text.chars().take(chars_max.saturating_sub(1)).collect();
    let cut = head.rfind(' ').filter(|at| *at > 0).unwrap_or(head.len());
    let kept = head[..cut].trim_end_matches([',', ';', ':', '.', ' ']);
    format!("{kept}…")
}

/// Beginnings of the words that say what a text is about. Crude, and the same for `patients` and `patient`.
pub(crate) fn content(text: &str) -> BTreeSet<String> {
    let words = text.split(|char: char| !char.is_alphanumeric());
    let small = words.map(str::to_lowercase);
    let kept = small.filter(|word| {
        word.chars().count() >= WORD_CHARS_MIN
            && !word.starts_with(|char: char| char.is_ascii_digit())
            && !EMPTY_WORDS.contains(&word.as_str())
    });
    kept.map(|word| stem(&word)).collect()
}

fn stem(word: &str) -> String {
    let bare = word.strip_suffix('s').unwrap_or(word);
    bare.chars().take(STEM_CHARS).collect()
}

/// Which share of the first set the second has, from 0 to 1.
pub(crate) fn share(of: &BTreeSet<String>, within: &BTreeSet<String>) -> f64 {
    if of.is_empty() {
        return 0.0;
    }
    of.intersection(within).count() as f64 / of.len() as f64
}

static NUMBER: Pattern = Pattern::new(|| Regex::new(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"));

#[cfg(test)]
pub(crate) const PATTERNS: &[&Pattern] = &[&NUMBER];

/// Numbers in words that count as numbers.
const COUNTS: &[(&str, f64)] = &[
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("ninety", 90.0),
];

/// Reads `412`, `1,204`, `0.5`, `eight`.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let small = text.to_lowercase();
    if let Some((_, value)) = COUNTS.iter().find(|(name, _)| *name == small) {
        return Some(*value);
    }
    let value: f64 = text.replace(',', "").replace('−', "-").parse().ok()?;
    value.is_finite().then_some(value)
}

/// The numbers of a text without their sign, as they are written.
pub(crate) fn numbers(text: &str) -> Vec<String> {
    let found = NUMBER.find_all(text).into_iter();
    found.map(|at| at.as_str().to_owned()).collect()
}

/// Numbers of a text that another does not have, however they are grouped: `1,204` is `1204`, `four` is `4`.
pub(crate) fn numbers_missing(text: &str, within: &str) -> Vec<String> {
    let mut known: Vec<f64> = numbers(within).iter().filter_map(|at| number(at)).collect();
    let words = within.split(|char: char| !char.is_alphanumeric());
    known.extend(words.filter_map(number));
    let missing = |written: &String| {
        number(written).is_some_and(|value| !known.iter().any(|known| same(*known, value)))
    };
    numbers(text).into_iter().filter(missing).collect()
}

/// Numbers in words that another text does not have, neither in words nor in figures. `One` says too little to count.
pub(crate) fn counts_missing(text: &str, within: &str) -> Vec<String> {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|char: char| !char.is_alphanumeric());
        words.map(str::to_lowercase).collect()
    };
    let count = |word: &str| COUNTS.iter().find(|(name, _)| *name == word).map(|at| at.1);
    let known: Vec<f64> = words(within)
        .iter()
        .filter_map(|word| number(word))
        .collect();
    let counts = words(text).into_iter().filter(|word| {
        count(word).is_some_and(|value| value > 1.0 && !known.iter().any(|at| same(*at, value)))
    });
    counts.collect()
}

pub(crate) fn same(first: f64, second: f64) -> bool {
    (first - second).abs() <= 1e-9 * first.abs().max(second.abs()).max(1.0)
}

/// A number as people write it: no more decimals than it needs, thousands apart.
pub(crate) fn written(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "unknown".to_owned();
    }
    let fixed = format!("{:.decimals$}", value.abs());
    let (whole, rest) = fixed.split_once('.').unwrap_or((&fixed, ""));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    let zero = grouped == "0" && rest.is_empty();
    let sign = if value < 0.0 && !zero { "-" } else { "" };
    format!("{sign}{grouped}{point}{rest}")
}

/// Boxes of lists to tick.
const BOXES: &[&str] = &["[ ] ", "[x] ", "[X] ", "☐ ", "☑ "];

/// Without the number of its clause or the box before it: `2.1 The fee …` and `[ ] The fee …` are `The fee …`.
pub(crate) fn unnumbered(text: &str) -> &str {
    let text = BOXES
        .iter()
        .find_map(|sign| text.strip_prefix(sign))
        .unwrap_or(text);
    let number = |char: char| char.is_ascii_digit() || char == '.';
    let Some((first, rest)) = text.split_once(' ') else {
        return text;
    };
    let is_number = first.contains('.')
        && first.starts_with(|char: char| char.is_ascii_digit())
        && first.chars().all(number);
    // Not of `2.5 mg twice daily`.
    match is_number && rest.trim_start().starts_with(char::is_uppercase) {
        true => rest.trim_start(),
        false => text,
    }
}

/// `1 source`, `2 sources`.
pub(crate) fn counted(count: usize, name: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {name}{ending}")
}

/// With a capital at its beginning.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|char| char.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// With a full stop at its end, unless it ends otherwise.
pub(crate) fn sentence(text: &str) -> String {
    let text = plain(text);
    let ended = text.ends_with(['.', '!', '?', ':', '…', '"', '”']);
    if ended || text.is_empty() {
        text
    } else {
        format!("{text}.")
    }
}

#[cfg(test)]
mod tests {
    use super::unnumbered;

    #[test]
    fn the_number_of_a_clause_goes_and_an_amount_stays() {
        assert_eq!(unnumbered("2.1 The fee is due."), "The fee is due.");
        assert_eq!(unnumbered("2.5 mg twice daily"), "2.5 mg twice daily");
        assert_eq!(unnumbered("2026 Budget"), "2026 Budget");
        assert_eq!(unnumbered("..."), "...");
    }
}
