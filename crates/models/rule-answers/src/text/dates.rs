//! Dates in prose: `2024-03-01`, `1 March 2024`, `March 1, 2024`, `March 2024`, `in 2024`, `Q1 2024`.
//!
//! A quarter is told by its year: a month would be more exact than the text. Seasons are not dates.

use std::ops::Range;

use adjutant_questions::DatePrecision;
use adjutant_text::dates::{Date, english_month};

use super::{Word, words};

const YEAR_MIN: u16 = 1500;
const YEAR_MAX: u16 = 2199;
/// Words before a number that make it a year.
const BEFORE_YEAR: &[&str] = &[
    "after", "and", "before", "between", "by", "during", "early", "fiscal", "from", "in", "late",
    "mid", "of", "since", "through", "to", "until", "winter", "year",
];
/// Seasons say no date, but the year beside them is one.
const SEASONS: &[&str] = &["spring", "summer", "autumn", "fall", "winter"];

/// Words before the number of something.
const NUMBERED: &[&str] = &[
    "no",
    "nr",
    "number",
    "ref",
    "reference",
    "id",
    "order",
    "invoice",
    "file",
];

pub(crate) fn precision(date: Date) -> DatePrecision {
    match (date.month(), date.day()) {
        (None, _) => DatePrecision::Year,
        (Some(_), None) => DatePrecision::Month,
        (Some(_), Some(_)) => DatePrecision::Day,
    }
}

/// Reads `2024-03-01`, `2024-3-1`, `2024-03` and `2024`.
pub(crate) fn parse_date(text: &str) -> Option<Date> {
    let mut parts = text.trim().splitn(3, '-');
    let year = year(parts.next()?)?;
    let month = optional_in_range(parts.next(), 12)?;
    let day = optional_in_range(parts.next(), 31)?;
    Date::new(year, month, day)
}

/// The dates of a sentence, in its order, each with the words it is made of.
pub(crate) fn dates_in(text: &str) -> Vec<(Date, Range<usize>)> {
    let words = words(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match date_at(text, &words, at) {
            Some((date, taken)) => {
                found.extend(date.map(|date| (date, at..at + taken)));
                at += taken;
            }
            None => at += 1,
        }
    }
    found
}

/// What looks like a date and begins with this word, and how many words it takes. No date if there is no such day, or
/// if it is the number of something.
fn date_at(text: &str, words: &[Word<'_>], at: usize) -> Option<(Option<Date>, usize)> {
    let word = |ahead: usize| words.get(at + ahead);
    let first = word(0)?;
    let row = hyphenated(text, &words[at..]);
    if row >= 3 && first.text.len() == 4 {
        let numbered = at
            .checked_sub(1)
            .is_some_and(|before| NUMBERED.contains(&words[before].text.to_lowercase().as_str()));
        let whole = &text[first.start..words[at + row - 1].end];
        let date = parse_date(whole).filter(|_| row == 3 && !numbered);
        return Some((date, row));
    }
    if row > 3 {
        return Some((None, row));
    }
    if let (Some(second), Some(third)) = (word(1), word(2))
        && let (Some(day), Some(month), Some(year)) =
            (day(first.text), month(second.text), year(third.text))
        && spaced(text, first, second)
        && spaced(text, second, third)
    {
        return Some((Date::new(year, Some(month), Some(day)), 3));
    }
    if let (Some(month), Some(second)) = (month(first.text), word(1))
        && spaced(text, first, second)
    {
        if let (Some(day), Some(third)) = (day(second.text), word(2))
            && let Some(year) = year(third.text)
        {
            return Some((Date::new(year, Some(month), Some(day)), 3));
        }
        if let Some(year) = year(second.text) {
            return Some((Date::new(year, Some(month), None), 2));
        }
    }
    let year = year(first.text)?;
    is_year_here(text, words, at).then_some((Date::new(year, None, None), 1))
}

/// How many numbers stand here with only hyphens between them.
fn hyphenated(text: &str, words: &[Word<'_>]) -> usize {
    let digits = |word: &Word<'_>| word.text.bytes().all(|byte| byte.is_ascii_digit());
    if !words.first().is_some_and(digits) {
        return 0;
    }
    let pairs = words.windows(2);
    let more = pairs.take_while(|pair| digits(&pair[1]) && joined(text, &pair[0], &pair[1], "-"));
    more.count() + 1
}

/// Whether a number that could be a year is one, and not an amount or a version.
fn is_year_here(text: &str, words: &[Word<'_>], at: usize) -> bool {
    let word = &words[at];
    let glued = |char: char| matches!(char, '$' | '€' | '£' | '.' | '#' | '/' | '_');
    if text[..word.start].chars().next_back().is_some_and(glued)
        || text[word.end..].starts_with('%')
    {
        return false;
    }
    let after = &text[word.end..];
    let next = words.get(at + 1).filter(|_| after.starts_with(' '));
    let next = next
        .map(|next| next.text.to_lowercase())
        .unwrap_or_default();
    let verbs = ["was", "is", "has", "this", "its", "as"];
    let counted = next.ends_with('s') && !verbs.contains(&next.as_str())
        || next == "people"
        || next == "percent";
    let previous = at.checked_sub(1).and_then(|before| words.get(before));
    let Some(previous) = previous else {
        return !counted;
    };
    let small = previous.text.to_lowercase();
    let opens = at == 1 && previous.start == 0 && BEFORE_YEAR.contains(&small.as_str());
    let quarter = matches!(small.as_str(), "q1" | "q2" | "q3" | "q4");
    let bracketed = text[..word.start].ends_with('(') && after.starts_with(')');
    let prepared = BEFORE_YEAR.contains(&small.as_str()) || SEASONS.contains(&small.as_str());
    let ranged = joined(text, previous, word, "-") || joined(text, previous, word, "–");
    opens
        || quarter
        || bracketed
        || (!counted && (prepared || (ranged && year(previous.text).is_some())))
}

fn joined(text: &str, first: &Word<'_>, second: &Word<'_>, by: &str) -> bool {
    &text[first.end..second.start] == by
}

fn spaced(text: &str, first: &Word<'_>, second: &Word<'_>) -> bool {
    let between = &text[first.end..second.start];
    between
        .chars()
        .all(|char| char.is_whitespace() || char == '.' || char == ',')
        && !between.is_empty()
}

fn year(text: &str) -> Option<u16> {
    let digits = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let year = digits.then(|| text.parse().ok()).flatten()?;
    (YEAR_MIN..=YEAR_MAX).contains(&year).then_some(year)
}

fn in_range(text: &str, max: u8) -> Option<u8> {
    let number = text.parse().ok().filter(|_| text.len() <= 2)?;
    (1..=max).contains(&number).then_some(number)
}

/// The outer option is whether the part can be read, the inner whether it is there.
fn optional_in_range(text: Option<&str>, max: u8) -> Option<Option<u8>> {
    match text {
        None => Some(None),
        Some(text) => in_range(text, max).map(Some),
    }
}

/// `1`, `1st`, `22nd`.
fn day(text: &str) -> Option<u8> {
    let plain = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| text.strip_suffix(end));
    in_range(plain.unwrap_or(text), 31)
}

fn month(text: &str) -> Option<u8> {
    // `may` and `march` are words too: months have a capital.
    if !text.starts_with(char::is_uppercase) {
        return None;
    }
    english_month(&text.to_lowercase())
}
