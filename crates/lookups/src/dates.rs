//! Dates as databases write them, and as `2024`, `2024-05` or `2024-05-17`.

use serde_json::{Value, json};

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Year, month and day, as far as they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date {
    pub(crate) year: u16,
    pub(crate) month: Option<u8>,
    pub(crate) day: Option<u8>,
}

impl Date {
    /// Nothing for a month or day that does not exist.
    pub(crate) fn new(year: u16, month: Option<u8>, day: Option<u8>) -> Option<Self> {
        let date = Self { year, month, day };
        let known = match (month, day) {
            (None, Some(_)) => false,
            (None, None) => true,
            (Some(month), day) => {
                (1..=12).contains(&month)
                    && day.is_none_or(|day| day >= 1 && day <= days_in(year, month))
            }
        };
        (known && year >= 1000).then_some(date)
    }

    /// `2024`, `2024-05`, `2024-05-17`; a time of day after it is left out.
    pub(crate) fn from_iso(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.split('T').next().unwrap_or(text);
        let mut parts = text.split('-');
        let year = number(parts.next()?, 4)?;
        let month = optional(parts.next(), 2)?;
        let day = optional(parts.next(), 2)?;
        if parts.next().is_some() {
            return None;
        }
        Self::new(year, narrow(month)?, narrow(day)?)
    }

    /// `20240517`.
    pub(crate) fn from_compact(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() != 8 || !text.is_ascii() {
            return None;
        }
        let iso = format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]);
        Self::from_iso(&iso)
    }

    /// `17/05/2024`, with or without a time of day.
    pub(crate) fn from_day_first(text: &str) -> Option<Self> {
        let text = text.split_whitespace().next()?;
        let mut parts = text.split('/');
        let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
        Self::from_iso(&format!("{year}-{month:0>2}-{day:0>2}"))
    }

    pub(crate) fn first_day(self) -> Self {
        Self {
            month: self.month.or(Some(1)),
            day: self.day.or(Some(1)),
            ..self
        }
    }

    pub(crate) fn last_day(self) -> Self {
        let month = self.month.unwrap_or(12);
        let day = self.day.unwrap_or_else(|| days_in(self.year, month));
        Self {
            month: Some(month),
            day: Some(day),
            ..self
        }
    }

    /// Its parts with something between them.
    pub(crate) fn joined(self, between: &str) -> String {
        let mut text = format!("{:04}", self.year);
        for part in [self.month, self.day].into_iter().flatten() {
            text.push_str(between);
            text.push_str(&format!("{part:02}"));
        }
        text
    }

    pub(crate) fn iso(self) -> String {
        self.joined("-")
    }

    /// As a CSL-JSON date.
    pub(crate) fn csl(self) -> Value {
        let mut parts = vec![self.year];
        parts.extend([self.month, self.day].into_iter().flatten().map(u16::from));
        json!({ "date-parts": [parts] })
    }
}

/// `5`, `05`, `May` or `may.`.
pub(crate) fn month(text: &str) -> Option<u8> {
    let text = text.trim();
    if let Ok(number) = text.parse() {
        return (1..=12).contains(&number).then_some(number);
    }
    let start: String = text.chars().take(3).collect::<String>().to_lowercase();
    let at = MONTHS.iter().position(|known| *known == start)?;
    u8::try_from(at + 1).ok()
}

fn days_in(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    }
}

fn number(text: &str, digits: usize) -> Option<u16> {
    let proper = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    if proper { text.parse().ok() } else { None }
}

/// The outer option is whether it can be read, the inner whether it is there.
fn optional(text: Option<&str>, digits: usize) -> Option<Option<u16>> {
    match text {
        None => Some(None),
        Some(text) => number(text, digits).map(Some),
    }
}

fn narrow(part: Option<u16>) -> Option<Option<u8>> {
    match part {
        None => Some(None),
        Some(part) => u8::try_from(part).ok().map(Some),
    }
}

#[cfg(test)]
#[path = "dates_tests.rs"]
mod tests;
