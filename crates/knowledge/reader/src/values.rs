//! Amounts, percentages, durations, dates and times of day in a text.

use std::ops::Range;

use adjutant_text::dates::{Date, english_month};
use adjutant_text::numbers::parse_number;

use crate::words::{is_stop_word, stemmed, words};

/// What a value is an amount of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    Percent,
    /// By its sign or code: `€`, `CHF`.
    Money(String),
    /// In the unit that is written, in the singular: `day`.
    Time(String),
    /// The stem of what is counted or of the unit: `patient`, `kg`.
    Of(String),
    None,
}

/// A value that a text gives.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Both ends are the same but for a range.
    Amount {
        low: f64,
        high: f64,
        unit: Unit,
    },
    Day(Date),
    /// Minutes after midnight.
    Clock(u32),
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub value: Value,
    pub span: Range<usize>,
}

const SCALES: &[(&str, f64)] = &[
    ("thousand", 1e3),
    ("million", 1e6),
    ("millions", 1e6),
    ("billion", 1e9),
    ("m", 1e6),
    ("bn", 1e9),
    ("k", 1e3),
    ("mio", 1e6),
];
const SIGNS: &[char] = &['$', '€', '£', '¥'];
const CURRENCIES: &[(&str, &str)] = &[
    ("eur", "€"),
    ("euro", "€"),
    ("euros", "€"),
    ("usd", "$"),
    ("dollar", "$"),
    ("dollars", "$"),
    ("gbp", "£"),
    ("pounds", "£"),
    ("chf", "CHF"),
    ("yen", "¥"),
    ("jpy", "¥"),
    ("sek", "SEK"),
    ("nok", "NOK"),
    ("dkk", "DKK"),
    ("crowns", "crown"),
    ("kr", "crown"),
];
const TIMES: &[(&str, &str)] = &[
    ("ms", "millisecond"),
    ("millisecond", "millisecond"),
    ("milliseconds", "millisecond"),
    ("s", "second"),
    ("sec", "second"),
    ("second", "second"),
    ("seconds", "second"),
    ("min", "minute"),
    ("mins", "minute"),
    ("minute", "minute"),
    ("minutes", "minute"),
    ("h", "hour"),
    ("hour", "hour"),
    ("hours", "hour"),
    ("day", "day"),
    ("days", "day"),
    ("week", "week"),
    ("weeks", "week"),
    ("month", "month"),
    ("months", "month"),
    ("quarter", "quarter"),
    ("quarters", "quarter"),
    ("year", "year"),
    ("years", "year"),
];
const NUMBER_WORDS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];
/// Words that stand between a number and what it counts.
const ADJECTIVES: &[&str] = &[
    "working",
    "calendar",
    "business",
    "full",
    "consecutive",
    "additional",
    "further",
    "more",
    "other",
];
const YEARS: std::ops::RangeInclusive<u16> = 1900..=2199;

/// The values of a text, in its order.
pub fn values(text: &str) -> Vec<Placed> {
    values_in_year(text, None)
}

/// The same, where a day and month without a year is one of this year.
pub(crate) fn values_in_year(text: &str, year: Option<u16>) -> Vec<Placed> {
    let all = words(text);
    let mut found: Vec<Placed> = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let taken = date_at(text, &all, at)
            .or_else(|| day_and_month_at(text, &all, at, year))
            .or_else(|| clock_at(text, &all, at))
            .or_else(|| amount_at(text, &all, at));
        match taken {
            Some((placed, count)) => {
                match found
                    .last()
                    .and_then(|last| hours_and_minutes(text, last, &placed))
                {
                    Some(both) => {
                        found.pop();
                        found.push(both);
                    }
                    None => found.push(placed),
                }
                at += count;
            }
            None => at += 1,
        }
    }
    found
}

/// `4 h 06 min` is one duration.
fn hours_and_minutes(text: &str, first: &Placed, second: &Placed) -> Option<Placed> {
    let in_unit = |of: &Placed, name: &str| match &of.value {
        Value::Amount {
            low,
            high,
            unit: Unit::Time(unit),
        } if low == high && unit == name => Some(*low),
        _ => None,
    };
    let gap = text[first.span.end..second.span.start].trim();
    let minutes = in_unit(second, "minute").filter(|minutes| *minutes < 60.0)?;
    let all = in_unit(first, "hour")? * 60.0 + minutes;
    matches!(gap, "" | "and").then(|| Placed {
        value: Value::Amount {
            low: all,
            high: all,
            unit: Unit::Time("minute".to_owned()),
        },
        span: first.span.start..second.span.end,
    })
}

fn small(text: &str, word: &Range<usize>) -> String {
    text[word.clone()].to_lowercase()
}

fn gap<'a>(text: &'a str, all: &[Range<usize>], at: usize) -> &'a str {
    match all.get(at + 1) {
        Some(next) => &text[all[at].end..next.start],
        None => &text[all[at].end..],
    }
}

fn year_of(word: &str) -> Option<u16> {
    let year = (word.len() == 4).then(|| word.parse().ok()).flatten()?;
    YEARS.contains(&year).then_some(year)
}

fn day_of(word: &str) -> Option<u8> {
    let bare = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| word.strip_suffix(end));
    let day: u8 = bare.unwrap_or(word).parse().ok()?;
    (1..=31).contains(&day).then_some(day)
}

fn month_of(text: &str, word: &Range<usize>) -> Option<u8> {
    let written = &text[word.clone()];
    if !written.starts_with(char::is_uppercase) {
        return None;
    }
    english_month(&written.to_lowercase())
}

/// `2024-03-01`, `1 March 2024`, `March 1, 2024`, `March 2024`, `Q1 2024`, `12 March`.
fn date_at(text: &str, all: &[Range<usize>], at: usize) -> Option<(Placed, usize)> {
    let word = |ahead: usize| all.get(at + ahead).map(|word| &text[word.clone()]);
    let close = |ahead: usize| {
        let gap = gap(text, all, at + ahead);
        gap.len() <= 2
            && gap
                .chars()
                .all(|char| char == ' ' || char == ',' || char == '.')
    };
    let placed = |date: Option<Date>, count: usize| {
        let span = all[at].start..all[at + count - 1].end;
        date.map(|date| {
            (
                Placed {
                    value: Value::Day(date),
                    span,
                },
                count,
            )
        })
    };
    let first = word(0)?;
    if let (Some(year), Some(second), Some(third)) = (year_of(first), word(1), word(2))
        && gap(text, all, at) == "-"
        && gap(text, all, at + 1) == "-"
        && let (Ok(month), Some(day)) = (second.parse(), day_of(third.get(..2).unwrap_or(third)))
        && (third.len() == 2 || third.as_bytes().get(2) == Some(&b'T'))
    {
        let date = Date::new(year, Some(month), Some(day));
        let span = all[at].start..all[at + 2].start + 2;
        return date.map(|date| {
            let value = Value::Day(date);
            (Placed { value, span }, 3)
        });
    }
    if let (Some(day), Some(month)) = (
        day_of(first),
        all.get(at + 1).and_then(|word| month_of(text, word)),
    ) && close(0)
        && let Some(year) = word(2).and_then(year_of)
        && close(1)
    {
        return placed(Date::new(year, Some(month), Some(day)), 3);
    }
    if let Some(month) = month_of(text, &all[at]) {
        if let (Some(day), Some(year)) = (word(1).and_then(day_of), word(2).and_then(year_of))
            && close(0)
            && close(1)
        {
            return placed(Date::new(year, Some(month), Some(day)), 3);
        }
        if let Some(year) = word(1).and_then(year_of)
            && close(0)
        {
            return placed(Date::new(year, Some(month), None), 2);
        }
    }
    if let (Some(year), Some(second)) = (year_of(first), word(1))
        && gap(text, all, at) == "-"
        && second.len() == 2
        && let Ok(month) = second.parse()
        && gap(text, all, at + 1) != "-"
    {
        return placed(Date::new(year, Some(month), None), 2);
    }
    None
}

/// `12 March`, `March 12`.
fn day_and_month_at(
    text: &str,
    all: &[Range<usize>],
    at: usize,
    year: Option<u16>,
) -> Option<(Placed, usize)> {
    let (year, second) = (year?, all.get(at + 1)?);
    let (first, next) = (&text[all[at].clone()], &text[second.clone()]);
    if gap(text, all, at) != " " {
        return None;
    }
    let (day, month) = match (day_of(first), month_of(text, second)) {
        (Some(day), Some(month)) => (day, month),
        _ => (day_of(next)?, month_of(text, &all[at])?),
    };
    let value = Value::Day(Date::new(year, Some(month), Some(day))?);
    let span = all[at].start..second.end;
    Some((Placed { value, span }, 2))
}

/// `14:05`, `14:05:30`.
fn clock_at(text: &str, all: &[Range<usize>], at: usize) -> Option<(Placed, usize)> {
    let written = &text[all[at].clone()];
    let mut parts = written.split(':');
    let (hour, minute) = (parts.next()?, parts.next()?);
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    let is_time = hour < 24 && minute < 60 && written.len() >= 4;
    is_time.then(|| {
        let value = Value::Clock(hour * 60 + minute);
        let span = all[at].clone();
        (Placed { value, span }, 1)
    })
}

fn number_of(word: &str) -> Option<f64> {
    let is_written = word.starts_with(|char: char| char.is_ascii_digit())
        && word
            .chars()
            .all(|char| char.is_ascii_digit() || char == '.' || char == ',');
    if is_written {
        return parse_number(word).filter(|value| value.is_finite());
    }
    let place = NUMBER_WORDS.iter().position(|name| *name == word)?;
    u32::try_from(place).ok().map(f64::from)
}

/// `5`, `5 %`, `€ 5 million`, `EUR 5m`, `9-12 months`, `three working days`, `450ms`.
fn amount_at(text: &str, all: &[Range<usize>], at: usize) -> Option<(Placed, usize)> {
    let written = small(text, &all[at]);
    let digits = written.len()
        - written
            .trim_start_matches(|char: char| char.is_ascii_digit() || char == '.' || char == ',')
            .len();
    let (number, glued) = written.split_at(digits);
    let glued = glued.to_owned();
    let low = match number.is_empty() {
        true => number_of(&written).filter(|_| true)?,
        false if glued.is_empty() || is_unit(&glued) => parse_number(number)?,
        false => return None,
    };
    let spelled = number.is_empty();
    let mut last = at;
    let mut high = low;
    if !spelled && glued.is_empty() && is_range(text, all, at) {
        let end = number_of(&small(text, &all[at + 1]))?;
        if end > low {
            high = end;
            last = at + 1;
        } else {
            return None;
        }
    }
    let mut factor = 1.0;
    let near = |last: usize| {
        let gap = gap(text, all, last);
        gap.chars()
            .all(|char| matches!(char, ' ' | '-' | '\u{a0}' | '\u{202f}'))
            && gap.len() <= 2
    };
    let next = |last: usize| {
        (near(last))
            .then(|| all.get(last + 1).map(|word| small(text, word)))
            .flatten()
    };
    let scale_of = |name: &str| {
        SCALES
            .iter()
            .find(|(scale, _)| *scale == name)
            .map(|(_, factor)| *factor)
    };
    if let Some(scale) = scale_of(&glued) {
        factor = scale;
    } else if glued.is_empty()
        && let Some(scale) = next(last).and_then(|name| {
            scale_of(&name).filter(|_| name.len() > 1 || money_before(text, all, at).is_some())
        })
    {
        factor = scale;
        last += 1;
    }
    let mut end = all[last].end;
    let unit = if let Some((sign, _)) = money_before(text, all, at) {
        Unit::Money(sign)
    } else if text[end..].trim_start().starts_with('%')
        && text[end..].len() - text[end..].trim_start().len() <= 3
    {
        end = text.len() - text[end..].trim_start().len() + 1;
        Unit::Percent
    } else if text[end..].starts_with(" per cent") {
        end += " per cent".len();
        last += 2;
        Unit::Percent
    } else if let Some(time) = time_of(&glued) {
        Unit::Time(time)
    } else if let Some(sign) = text[end..]
        .trim_start()
        .chars()
        .next()
        .filter(|char| SIGNS.contains(char))
    {
        end = text.len() - text[end..].trim_start().len() + sign.len_utf8();
        Unit::Money(sign.to_string())
    } else {
        let mut word = next(last);
        if word
            .as_deref()
            .is_some_and(|word| ADJECTIVES.contains(&word))
        {
            last += 1;
            word = next(last);
        }
        match word {
            Some(word) => {
                let unit = unit_of(&word);
                if unit != Unit::None {
                    last += 1;
                    end = all[last].end;
                }
                unit
            }
            None => Unit::None,
        }
    };
    // `one` and `two` alone are hardly amounts.
    if spelled && unit == Unit::None {
        return None;
    }
    let start = money_before(text, all, at).map_or(all[at].start, |(_, start)| start);
    let value = Value::Amount {
        low: low * factor,
        high: high * factor,
        unit,
    };
    let span = start..end;
    Some((Placed { value, span }, last - at + 1))
}

fn is_unit(glued: &str) -> bool {
    time_of(glued).is_some() || SCALES.iter().any(|(name, _)| *name == glued) || glued == "x"
}

fn time_of(name: &str) -> Option<String> {
    let known = TIMES.iter().find(|(written, _)| *written == name)?;
    Some(known.1.to_owned())
}

/// `9-12`, `9–12`, `9 to 12`.
fn is_range(text: &str, all: &[Range<usize>], at: usize) -> bool {
    matches!(gap(text, all, at), "-" | "–" | " – ")
        && all
            .get(at + 1)
            .is_some_and(|word| number_of(&small(text, word)).is_some())
}

/// A sign or code before a number, and where it begins.
fn money_before(text: &str, all: &[Range<usize>], at: usize) -> Option<(String, usize)> {
    let before = text[..all[at].start].trim_end_matches([' ', '\u{a0}']);
    if let Some(sign) = before
        .chars()
        .next_back()
        .filter(|char| SIGNS.contains(char))
    {
        return Some((sign.to_string(), before.len() - sign.len_utf8()));
    }
    let previous = all.get(at.checked_sub(1)?)?;
    let written = small(text, previous);
    let (_, sign) = CURRENCIES
        .iter()
        .find(|(name, _)| *name == written && name.len() == 3)?;
    (before.len() == previous.end).then(|| ((*sign).to_owned(), previous.start))
}

fn unit_of(word: &str) -> Unit {
    if let Some((_, sign)) = CURRENCIES.iter().find(|(name, _)| *name == word) {
        return Unit::Money((*sign).to_owned());
    }
    // `s` and `m` behind a number can be anything; `h` is hours.
    if let Some(time) = time_of(word).filter(|_| word.len() > 1 || word == "h") {
        return Unit::Time(time);
    }
    match word {
        "percent" => Unit::Percent,
        _ if word.starts_with(|char: char| char.is_alphabetic()) && !is_stop_word(word) => {
            Unit::Of(stemmed(word))
        }
        _ => Unit::None,
    }
}
