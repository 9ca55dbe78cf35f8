//! A date that stands alone in a field, in the ways databases, feeds, pages and files write it.

use crate::dates::{Date, month_by_prefix};

const YEAR_MIN: u16 = 1000;
const YEAR_MAX: u16 = 2999;

/// How many digits a year may have behind a day and the name of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum YearDigits {
    /// In files, where `1 March 24` may be anything.
    Four,
    /// In feeds and mail, which follow RFC 822.
    TwoOrFour,
}

/// Nothing if the text is not clearly a date that exists.
pub fn parse_stated_date(text: &str, years: YearDigits) -> Option<Date> {
    let text = text.trim();
    from_digits(text).or_else(|| from_month_name(text, years))
}

/// `2024-03-01T…`, `2024/3/1`, `20240301`, `20240301T101500`, `2024-03`, `2024`.
fn from_digits(text: &str) -> Option<Date> {
    let run = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(run..)?;
    if run >= 8 {
        let (year, month, day) = (text.get(..4)?, text.get(4..6)?, text.get(6..8)?);
        return date(
            year.parse().ok()?,
            month.parse().ok()?,
            Some(day.parse().ok()?),
        );
    }
    if run != 4 {
        return None;
    }
    let year: u16 = text.get(..run)?.parse().ok()?;
    if rest.is_empty() {
        return in_range(year)
            .then(|| Date::new(year, None, None))
            .flatten();
    }
    if !rest.starts_with(['-', '/', '.']) {
        return None;
    }
    let mut numbers = rest
        .split(|character: char| !character.is_ascii_digit())
        .filter(|number| !number.is_empty());
    let month: u8 = numbers.next()?.parse().ok()?;
    match numbers.next() {
        Some(day) => date(year, month, Some(day.parse().ok()?)),
        None => date(year, month, None),
    }
}

/// `Fri, 1 Mar 2024 10:00 GMT`, `1st March 2024`, `March 1, 2024`, `March 2024`.
fn from_month_name(text: &str, years: YearDigits) -> Option<Date> {
    let words: Vec<&str> = text
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let (at, month) = words
        .iter()
        .enumerate()
        .find_map(|(at, word)| Some((at, month_by_prefix(word)?)))?;
    let number = |at: usize| {
        let word = words.get(at)?;
        let digits = word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        digits.parse::<u16>().ok()
    };
    let day = |number: u16| {
        let day = u8::try_from(number).ok()?;
        (1..=31).contains(&day).then_some(day)
    };
    let before = at.checked_sub(1).and_then(number);
    let (next, third) = (number(at + 1), number(at + 2));
    if let (Some(day), Some(year)) = (before.and_then(day), next) {
        return date(whole_year(year, years), month, Some(day));
    }
    if let (Some(day), Some(year)) = (next.and_then(day), third.filter(|year| in_range(*year))) {
        return date(year, month, Some(day));
    }
    match before {
        Some(_) => None,
        None => date(next?, month, None),
    }
}

fn date(year: u16, month: u8, day: Option<u8>) -> Option<Date> {
    Date::new(year, Some(month), day).filter(|_| in_range(year))
}

fn in_range(year: u16) -> bool {
    (YEAR_MIN..=YEAR_MAX).contains(&year)
}

/// Two digits are split as RFC 2822 does it.
fn whole_year(year: u16, years: YearDigits) -> u16 {
    match (years, year) {
        (YearDigits::TwoOrFour, 0..=49) => 2000 + year,
        (YearDigits::TwoOrFour, 50..=99) => 1900 + year,
        _ => year,
    }
}

#[cfg(test)]
#[path = "stated_dates_tests.rs"]
mod tests;
