//! Numbers as people write them: `1,234.5`, `1.234,5`, `0·72`.

use serde_json::{Number, Value};

/// A number without sign, as a pattern.
pub(crate) const NUMBER: &str = r"(?:[0-9]{1,3}(?:[,\u{202F}\u{2009}'][0-9]{3}){1,5}(?:\.[0-9]{1,9})?|[0-9]{1,3}(?:\.[0-9]{3}){2,5}(?:,[0-9]{1,9})?|[0-9]{1,15}(?:[.,·][0-9]{1,12})?)";

/// The number that is written, if it is one.
pub(crate) fn parse(written: &str) -> Option<f64> {
    let (negative, digits) = match written.strip_prefix(['-', '−', '–']) {
        Some(rest) => (true, rest),
        None => (false, written),
    };
    let plain: String = digits
        .chars()
        .filter(|c| !matches!(c, '\u{202F}' | '\u{2009}' | '\'' | ' '))
        .map(|c| if c == '·' { '.' } else { c })
        .collect();
    let commas = plain.matches(',').count();
    let points = plain.matches('.').count();
    let plain = match (commas, points) {
        (0, 0 | 1) => plain,
        (0, _) => plain.replace('.', ""),
        (1, 0) if groups_thousands(&plain) => plain.replace(',', ""),
        (1, 0) => plain.replace(',', "."),
        (_, 0) => plain.replace(',', ""),
        _ if plain.rfind(',') > plain.rfind('.') => plain.replace('.', "").replace(',', "."),
        _ => plain.replace(',', ""),
    };
    let value: f64 = plain.parse().ok()?;
    Some(if negative { -value } else { value })
}

/// `12,345` and not `0,345` or `12,34`.
fn groups_thousands(plain: &str) -> bool {
    plain.split_once(',').is_some_and(|(whole, rest)| {
        rest.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0')
    })
}

/// As JSON, whole numbers without a fraction.
pub(crate) fn json(value: f64) -> Value {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    if libm::trunc(value) == value && value.abs() < EXACT_MAX {
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// A number from words up to twelve, or from digits.
pub(crate) fn counted(written: &str) -> Option<f64> {
    const SMALL: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let small = written.to_lowercase();
    if let Some(at) = SMALL.iter().position(|word| *word == small) {
        return Some(at as f64);
    }
    parse(written)
}
