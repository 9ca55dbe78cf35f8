//! Numbers as people write them: `1,234.5`, `1.234,5`, `0·72`.

use adjutant_text::numbers::parse_number;
use serde_json::{Number, Value};

/// A number without sign, as a pattern.
pub(crate) const NUMBER: &str = r"(?:[0-9]{1,3}(?:[,\u{202F}\u{2009}'][0-9]{3}){1,5}(?:\.[0-9]{1,9})?|[0-9]{1,3}(?:\.[0-9]{3}){2,5}(?:,[0-9]{1,9})?|[0-9]{1,15}(?:[.,·][0-9]{1,12})?)";

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
    parse_number(written)
}
