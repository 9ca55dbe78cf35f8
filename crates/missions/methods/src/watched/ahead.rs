//! Dates in prose, and how far off they are: `18 June 2026`, `June 2026`, `Q3 2027`, `the second half of 2028`, `2030`.

use adjutant_text::dates::{Date, english_month};

const YEAR_FROM: u16 = 1990;
const YEAR_TO: u16 = 2099;

/// How far off something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Distance {
    /// Within three months.
    Near,
    Year,
    ThreeYears,
    Later,
    /// Its date has passed.
    Passed,
    /// No date is stated.
    Open,
}

impl Distance {
    pub(crate) const ALL: [Self; 6] = [
        Self::Near,
        Self::Year,
        Self::ThreeYears,
        Self::Later,
        Self::Passed,
        Self::Open,
    ];

    pub(crate) fn told(self) -> &'static str {
        match self {
            Self::Near => "within 3 months",
            Self::Year => "within a year",
            Self::ThreeYears => "in 1 to 3 years",
            Self::Later => "later",
            Self::Passed => "its date has passed",
            Self::Open => "no date",
        }
    }

    /// From a day to a date that is known to the year, the month or the day.
    pub(crate) fn between(today: Date, date: Option<Date>) -> Self {
        let Some(date) = date else { return Self::Open };
        let last = date.last_day();
        if last < today {
            return Self::Passed;
        }
        let months =
            |date: Date| i32::from(date.year()) * 12 + i32::from(date.month().unwrap_or(1));
        match months(last) - months(today) {
            ..=3 => Self::Near,
            4..=12 => Self::Year,
            13..=36 => Self::ThreeYears,
            _ => Self::Later,
        }
    }
}

/// The first date in a text that is not over yet, else the last of those that are.
pub(crate) fn date_of(text: &str, today: Date) -> Option<Date> {
    let all = dates(text);
    let ahead = all
        .iter()
        .copied()
        .filter(|date| date.last_day() >= today)
        .min();
    ahead.or_else(|| all.into_iter().max())
}

/// The dates of a text, in their order.
pub(crate) fn dates(text: &str) -> Vec<Date> {
    let clean = |word: &'_ str| {
        word.trim_matches(|char: char| !char.is_alphanumeric())
            .trim_end_matches("'s")
            .to_lowercase()
    };
    let words: Vec<String> = text.split_whitespace().map(clean).collect();
    let word = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let read = exact(word(at))
            .map(|date| (date, 1))
            .or_else(|| by_month(&words, at))
            .or_else(|| by_part_of_year(&words, at))
            .or_else(|| year(word(at)).and_then(|year| Some((Date::new(year, None, None)?, 1))));
        match read {
            Some((date, used)) => {
                found.push(date);
                at += used;
            }
            None => at += 1,
        }
    }
    found
}

fn exact(word: &str) -> Option<Date> {
    let date = word.contains('-').then(|| Date::from_iso(word)).flatten()?;
    (YEAR_FROM..=YEAR_TO).contains(&date.year()).then_some(date)
}

fn year(word: &str) -> Option<u16> {
    let year: u16 = (word.len() == 4).then(|| word.parse().ok()).flatten()?;
    (YEAR_FROM..=YEAR_TO).contains(&year).then_some(year)
}

fn day(word: &str) -> Option<u8> {
    let digits = word.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let day: u8 = digits.parse().ok()?;
    (1..=31).contains(&day).then_some(day)
}

fn month(word: &str) -> Option<u8> {
    english_month(word)
}

/// `18 June 2026`, `June 18 2026`, `June 2026`: the date, and how many words it has.
fn by_month(words: &[String], at: usize) -> Option<(Date, usize)> {
    let word = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
    if let (Some(day), Some(month), Some(year)) =
        (day(word(at)), month(word(at + 1)), year(word(at + 2)))
    {
        return Some((Date::new(year, Some(month), Some(day))?, 3));
    }
    let month = month(word(at))?;
    if let (Some(day), Some(year)) = (day(word(at + 1)), year(word(at + 2))) {
        return Some((Date::new(year, Some(month), Some(day))?, 3));
    }
    Some((Date::new(year(word(at + 1))?, Some(month), None)?, 2))
}

/// `Q3 2027`, `the third quarter of 2027`, `the second half of 2028`: the last month of it.
fn by_part_of_year(words: &[String], at: usize) -> Option<(Date, usize)> {
    let word = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
    let number = |word: &str| match word {
        "first" => Some(1),
        "second" => Some(2),
        "third" => Some(3),
        "fourth" | "last" => Some(4),
        _ => None,
    };
    let quarter = word(at)
        .strip_prefix('q')
        .and_then(|digit| digit.parse::<u8>().ok());
    if let (Some(quarter @ 1..=4), Some(year)) = (quarter, year(word(at + 1))) {
        return Some((Date::new(year, Some(quarter * 3), None)?, 2));
    }
    let number = number(word(at))?;
    let months = match word(at + 1) {
        "quarter" => number * 3,
        "half" if number <= 2 => number * 6,
        _ => return None,
    };
    let of = usize::from(word(at + 2) == "of");
    let year = year(word(at + 2 + of))?;
    Some((Date::new(year, Some(months), None)?, 3 + of))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(u16, Option<u8>, Option<u8>)> {
        let parts = |date: Date| (date.year(), date.month(), date.day());
        dates(text).into_iter().map(parts).collect()
    }

    #[test]
    fn dates_are_found_as_people_write_them() {
        assert_eq!(
            told("On 18 June 2026 it was filed."),
            [(2026, Some(6), Some(18))]
        );
        assert_eq!(
            told("by June 2026, or 2027-03-01"),
            [(2026, Some(6), None), (2027, Some(3), Some(1))]
        );
        assert_eq!(
            told("in the third quarter of 2027"),
            [(2027, Some(9), None)]
        );
        assert_eq!(
            told("Q1 2028 and the second half of 2028"),
            [(2028, Some(3), None), (2028, Some(12), None)]
        );
        assert_eq!(
            told("It may open in 2030; 1,904 people came, 7000 left"),
            [(2030, None, None)]
        );
        assert_eq!(told("It may rise by 12 mm"), []);
    }

    #[test]
    fn distance_is_counted_from_the_day() {
        let today = Date::from_iso("2026-11-19").unwrap();
        let far = |text: &str| Distance::between(today, Date::from_iso(text));
        assert_eq!(far("2026-11-18"), Distance::Passed);
        assert_eq!(far("2026"), Distance::Near, "the year is not over");
        assert_eq!(far("2027-06"), Distance::Year);
        assert_eq!(far("2028"), Distance::ThreeYears);
        assert_eq!(far("2031"), Distance::Later);
        assert_eq!(Distance::between(today, None), Distance::Open);
        assert_eq!(
            date_of(
                "Filed in June 2026, decided by May 2027, sold from 2028",
                today
            ),
            Date::from_iso("2027-05")
        );
    }
}
