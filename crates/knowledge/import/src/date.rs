//! The date a file states of itself.

use adjutant_text::dates::Date;
use adjutant_text::stated_dates::{YearDigits, parse_stated_date};

/// `2024-03-01`, `2024-03` or `2024` out of the ways files write a date; nothing if it is not clearly one.
pub(crate) fn stated(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['"', '\'']);
    // So PDF begins its dates.
    let text = text.strip_prefix("D:").unwrap_or(text);
    parse_stated_date(text, YearDigits::Four).map(Date::iso)
}
