//! Dates as databases write them.

use adjutant_text::dates::month_by_prefix;
use adjutant_text::stated_dates::{YearDigits, parse_stated_date};
use serde_json::{Value, json};

pub(crate) use adjutant_text::dates::Date;

/// As a CSL-JSON date.
pub(crate) fn csl_date(date: Date) -> Value {
    let mut parts = vec![date.year()];
    let rest = [date.month(), date.day()];
    parts.extend(rest.into_iter().flatten().map(u16::from));
    json!({ "date-parts": [parts] })
}

/// `5`, `05`, `May` or `may.`.
pub(crate) fn month(text: &str) -> Option<u8> {
    let text = text.trim();
    match text.parse() {
        Ok(number) => (1..=12).contains(&number).then_some(number),
        Err(_) => month_by_prefix(text),
    }
}

/// `2024-03-01`, `2024-03` or `2024`; nothing if the text is not clearly a date that exists.
pub(crate) fn stated_date(text: &str) -> Option<String> {
    parse_stated_date(text, YearDigits::TwoOrFour).map(Date::iso)
}

/// Whether the text is a whole day as a search takes it.
pub(crate) fn is_day(text: &str) -> bool {
    text.len() == 10 && stated_date(text).as_deref() == Some(text)
}

/// The same day so many years later; the 28th of February where there is no 29th.
pub(crate) fn years_after(day: &str, years: u16) -> Option<String> {
    let later = Date::from_iso(day)?.years_later(years)?;
    later.day().is_some().then(|| later.iso())
}

#[cfg(test)]
#[path = "dates_tests.rs"]
mod tests;
