//! Numbers and what they count.

use adjutant_text::numbers::parse_number;

use super::{Stems, Word, is_stop_word, one_line, words};

/// A number with its unit: `%`, `mmhg`, the stem of the word it counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantity {
    pub(crate) value: f64,
    pub(crate) unit: String,
    /// As it is written: `65 million euros`.
    pub(crate) written: String,
    /// Which word of the text it is.
    pub(crate) at: usize,
}

const SCALES: &[(&str, f64)] = &[
    ("thousand", 1e3),
    ("million", 1e6),
    ("billion", 1e9),
    ("m", 1e6),
    ("bn", 1e9),
    ("k", 1e3),
];
const CURRENCIES: &[char] = &['$', '€', '£', '¥'];
/// Currencies in letters, before or behind the number, and their signs.
const CURRENCY_WORDS: &[(&str, &str)] = &[
    ("eur", "€"),
    ("euro", "€"),
    ("euros", "€"),
    ("usd", "$"),
    ("dollar", "$"),
    ("dollars", "$"),
    ("gbp", "£"),
    ("pounds", "£"),
    ("yen", "¥"),
];

/// Reads `412`, `1,204`, `0.5`.
pub(crate) fn number(word: &str) -> Option<f64> {
    let digits = word
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b',');
    match digits {
        true => parse_number(word).filter(|value| value.is_finite()),
        false => None,
    }
}

/// The numbers of a text that count or measure something. A bare year does not.
pub(crate) fn quantities(text: &str, stems: &mut Stems) -> Vec<Quantity> {
    let words = words(text);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(mut value) = number(word.text) else {
            continue;
        };
        let before = text[..word.start].chars().next_back();
        let currency = before.filter(|char| CURRENCIES.contains(char));
        let after = &text[word.end..];
        let mut next = words.get(at + 1).filter(|next| near(text, word, next));
        let scale = next.and_then(|next| {
            SCALES
                .iter()
                .find(|(name, _)| *name == next.text.to_lowercase())
        });
        if let Some((_, factor)) = scale {
            value *= factor;
            next = words
                .get(at + 2)
                .filter(|after| near(text, &words[at + 1], after));
        }
        let scaled = scale.and_then(|_| words.get(at + 1)).unwrap_or(word).end;
        let percent = ["%", " %"].iter().find(|sign| after.starts_with(**sign));
        let written_before = at
            .checked_sub(1)
            .and_then(|before| words.get(before))
            .filter(|before| near(text, before, word))
            .and_then(|before| Some((currency_of(before.text)?, before.start)));
        if let (None, None, Some((sign, start))) = (percent, currency, written_before) {
            found.push(Quantity {
                value,
                unit: sign.to_owned(),
                written: one_line(&text[start..scaled]),
                at,
            });
            continue;
        }
        let (unit, start, end) = match (percent, currency, next) {
            (Some(sign), _, _) => (Some("%".to_owned()), word.start, word.end + sign.len()),
            (None, Some(sign), _) => (Some(sign.to_string()), word.start - sign.len_utf8(), scaled),
            (None, None, Some(next)) => (unit(next.text, stems), word.start, next.end),
            (None, None, None) => (None, word.start, scaled),
        };
        if let Some(unit) = unit {
            found.push(Quantity {
                value,
                unit,
                written: one_line(&text[start..end]),
                at,
            });
        }
    }
    found
}

fn currency_of(word: &str) -> Option<&'static str> {
    let small = word.to_lowercase();
    let known = CURRENCY_WORDS.iter().find(|(name, _)| *name == small);
    known.map(|(_, sign)| *sign)
}

/// Only spaces, or a hyphen, between the two.
fn near(text: &str, first: &Word<'_>, second: &Word<'_>) -> bool {
    let between = &text[first.end..second.start];
    between.len() <= 2
        && between
            .chars()
            .all(|char| char == ' ' || char == '-' || char == '\u{a0}')
}

fn unit(word: &str, stems: &mut Stems) -> Option<String> {
    let small = word.to_lowercase();
    if matches!(small.as_str(), "percent" | "per") {
        return (small == "percent").then(|| "%".to_owned());
    }
    if let Some(sign) = currency_of(&small) {
        return Some(sign.to_owned());
    }
    let wordy = small.chars().all(char::is_alphabetic) && !is_stop_word(&small);
    wordy.then(|| stems.stem(&small).to_owned())
}
