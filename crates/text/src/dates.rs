//! Calendar dates that are known to the year, the month or the day, and the names of months.
//!
//! Finding dates in prose is left to whoever reads the prose: what counts as a year there depends on the purpose.

use std::sync::LazyLock;

/// Month names and short forms in seven languages, one line per month.
const MONTHS: &str = include_str!("../data/months.txt");
const ENGLISH_MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// What a short form of an English month has at least.
const SHORT_MONTH_LETTERS: usize = 3;
/// No source dates anything earlier, and three digits are another number.
const YEAR_MIN: u16 = 1000;

/// Year, month and day, as far as they are known. Ordered by time; the less exact date comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

impl Date {
    /// Nothing for a month or day that does not exist, or a day without its month.
    pub fn new(year: u16, month: Option<u8>, day: Option<u8>) -> Option<Self> {
        let exists = match (month, day) {
            (None, Some(_)) => false,
            (None, None) => true,
            (Some(month), None) => (1..=12).contains(&month),
            (Some(month), Some(day)) => {
                (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day)
            }
        };
        (exists && year >= YEAR_MIN).then_some(Self { year, month, day })
    }

    /// `2024`, `2024-05`, `2024-05-17`; a time of day after it is left out.
    pub fn from_iso(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.split('T').next().unwrap_or(text);
        let mut parts = text.split('-');
        let year = digits(parts.next()?, 4)?;
        let month = optional_part(parts.next())?;
        let day = optional_part(parts.next())?;
        match parts.next() {
            Some(_) => None,
            None => Self::new(year, month, day),
        }
    }

    /// `20240517`.
    pub fn from_compact(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() != 8 || !text.is_ascii() {
            return None;
        }
        let iso = format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]);
        Self::from_iso(&iso)
    }

    /// `17/05/2024`, with or without a time of day.
    pub fn from_day_first(text: &str) -> Option<Self> {
        let text = text.split_whitespace().next()?;
        let mut parts = text.split('/');
        let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
        Self::from_iso(&format!("{year}-{month:0>2}-{day:0>2}"))
    }

    pub fn year(self) -> u16 {
        self.year
    }

    pub fn month(self) -> Option<u8> {
        self.month
    }

    pub fn day(self) -> Option<u8> {
        self.day
    }

    /// The first day of the year or month.
    pub fn first_day(self) -> Self {
        Self {
            month: self.month.or(Some(1)),
            day: self.day.or(Some(1)),
            ..self
        }
    }

    /// The last day of the year or month.
    pub fn last_day(self) -> Self {
        let month = self.month.unwrap_or(12);
        let day = self.day.unwrap_or_else(|| days_in_month(self.year, month));
        Self {
            month: Some(month),
            day: Some(day),
            ..self
        }
    }

    /// The same date so many years later; the 28th of February where there is no 29th.
    pub fn years_later(self, years: u16) -> Option<Self> {
        let year = self.year.checked_add(years)?;
        let last = self.month.map(|month| days_in_month(year, month));
        Self::new(year, self.month, self.day.min(last.or(self.day)))
    }

    /// Whether it is the other date or, being more exact, lies in it.
    pub fn is_within(self, other: Self) -> bool {
        self.year == other.year
            && other.month.is_none_or(|month| self.month == Some(month))
            && other.day.is_none_or(|day| self.day == Some(day))
    }

    /// Its parts with a separator between them.
    pub fn join(self, separator: &str) -> String {
        let mut text = format!("{:04}", self.year);
        for part in [self.month, self.day].into_iter().flatten() {
            text.push_str(separator);
            text.push_str(&format!("{part:02}"));
        }
        text
    }

    /// `2024`, `2024-05` or `2024-05-17`.
    pub fn iso(self) -> String {
        self.join("-")
    }
}

/// The month that a word names in English: `May`, `may.`, `Sept`, or any longer word with the same first three letters,
/// as other languages have them. For fields that hold a date; in prose it would take `mayor` for May.
pub fn month_by_prefix(word: &str) -> Option<u8> {
    let start = word.get(..SHORT_MONTH_LETTERS)?.to_ascii_lowercase();
    month_number(|name| name.starts_with(&start))
}

/// The month that a word in lower case names in English, whole or in three or four letters.
pub fn english_month(word: &str) -> Option<u8> {
    let is_short = (SHORT_MONTH_LETTERS..=SHORT_MONTH_LETTERS + 1).contains(&word.len());
    month_number(|name| name == word || (is_short && name.starts_with(word)))
}

fn month_number(is_it: impl Fn(&str) -> bool) -> Option<u8> {
    let index = ENGLISH_MONTHS.iter().position(|name| is_it(name))?;
    u8::try_from(index + 1).ok()
}

/// The month that a word in lower case names in one of seven languages.
pub fn month_in_any_language(word: &str) -> Option<u8> {
    let index = month_lines().position(|line| line.split_whitespace().any(|name| name == word))?;
    u8::try_from(index + 1).ok()
}

/// All names and short forms of months in seven languages, in lower case.
pub fn month_names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| month_lines().flat_map(str::split_whitespace).collect());
    &NAMES
}

fn month_lines() -> impl Iterator<Item = &'static str> {
    MONTHS.lines().filter(|line| !line.starts_with('#'))
}

fn days_in_month(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 31,
    }
}

fn digits(text: &str, count: usize) -> Option<u16> {
    let plain = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// The outer option is whether the part can be read, the inner whether it is there.
fn optional_part(text: Option<&str>) -> Option<Option<u8>> {
    match text {
        None => Some(None),
        Some(text) => {
            let part = digits(text, 2)?;
            u8::try_from(part).ok().map(Some)
        }
    }
}

#[cfg(test)]
#[path = "dates_tests.rs"]
mod tests;
