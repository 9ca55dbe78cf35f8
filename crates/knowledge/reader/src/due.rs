//! By when something has to be done: a date, or words that only a reader can turn into one.

use std::ops::Range;

use adjutant_text::dates::{Date, english_month};

use crate::tokens::{Token, tokens};
use crate::values::{Value, values};

/// When something is due. The range is of the text that was searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DueIn {
    pub(crate) span: Range<usize>,
    pub(crate) date: Option<Date>,
    /// Set as a limit (`by`, `until`, `before`, `due`), not only as a time (`on`, `in`).
    pub(crate) is_limit: bool,
    /// `until`: how long something lasts, as often as by when it is done.
    pub(crate) is_until: bool,
}

/// Words before a time that make it a limit.
const LIMITS: &[&str] = &[
    "by", "until", "till", "before", "due", "than", "latest", "deadline", "within",
];
/// Words before a time that say when something happens.
const TIMES: &[&str] = &["on", "in", "for", "at", "from", "during"];
/// Words between those and the time.
const FILLERS: &[&str] = &[
    "the",
    "end",
    "of",
    "close",
    "middle",
    "beginning",
    "start",
    "week",
    "next",
    "early",
    "mid",
    "late",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "noon",
    "latest",
    "on",
    "in",
    "at",
    "is",
    "later",
    "month",
    "date",
    "day",
    "evening",
    "morning",
    "and",
    "year",
    "business",
];
const ORDINALS: &[&str] = &["first", "second", "third", "fourth"];
const PERIODS: &[&str] = &[
    "day", "days", "week", "weeks", "month", "months", "hour", "hours", "year", "years",
];
/// Ends of times that are counted from today.
const SOON: &[&str] = &[
    "week",
    "month",
    "quarter",
    "year",
    "tomorrow",
    "tonight",
    "today",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "meeting",
    "noon",
];
/// How many words a limit in words may have.
const LIMIT_WORDS: usize = 9;

/// The limit or time that a text sets, a limit before a time and a date before words. Dates without a year are the next ones
/// after the text was written.
pub(crate) fn due_in(text: &str, written: Option<Date>) -> Option<DueIn> {
    let all = tokens(text);
    let mut found: Vec<DueIn> = Vec::new();
    for (span, date) in dates_in(text, &all, written) {
        let first = all.iter().position(|word| word.span.end > span.start)?;
        let is_next = all[0].small == "next";
        let (is_limit, start) = match lead(&all[..first]) {
            Some(word) if is_limit_word(word) => (true, word.span.start),
            Some(word) => (false, word.span.start),
            None if is_next => (false, span.start),
            // The date of something else: `the letter of 4 May`.
            None => continue,
        };
        let is_until = text[start..].starts_with("until") || text[start..].starts_with("till");
        found.push(DueIn {
            span: start..span.end,
            date: Some(date),
            is_limit,
            is_until,
        });
    }
    if let Some(limit) = found.iter().position(|due| due.is_limit) {
        return Some(found.swap_remove(limit));
    }
    let relative = relative(text, &all, written);
    let later = |due: &DueIn| {
        written.is_none_or(|written| due.date.is_some_and(|date| date.last_day() > written))
    };
    relative.or_else(|| found.into_iter().find(later))
}

/// The word that says how a time is meant: the limit or preposition before it, with nothing but fillers between.
fn lead(before: &[Token]) -> Option<&Token> {
    let is_time = |word: &Token| TIMES.contains(&word.small.as_str());
    for (back, word) in before.iter().rev().take(6).enumerate() {
        if is_limit_word(word)
            || is_time(word)
                && !before[..before.len() - back - 1]
                    .last()
                    .is_some_and(is_limit_word)
        {
            return Some(word);
        }
        if !is_filler(word) && !is_time(word) {
            return None;
        }
        // `the letter of 4 May`, but `the end of May`.
        let of_what = before
            .iter()
            .rev()
            .nth(back + 1)
            .map_or("", |word| word.small.as_str());
        if word.small == "of"
            && !FILLERS.contains(&of_what)
            && !matches!(of_what, "quarter" | "half")
        {
            return None;
        }
    }
    None
}

fn is_filler(word: &Token) -> bool {
    FILLERS.contains(&word.small.as_str())
}

fn is_limit_word(word: &Token) -> bool {
    LIMITS.contains(&word.small.as_str())
}

/// `within 10 working days of the request`, `by the end of the week`, `before enrolment begins`.
fn relative(text: &str, all: &[Token], written: Option<Date>) -> Option<DueIn> {
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    for (at, word) in all.iter().enumerate() {
        let is_relative = match word.small.as_str() {
            "within" => (1..=4).any(|ahead| PERIODS.contains(&small(at + ahead))),
            "by" | "until" | "at" => {
                (1..=5).any(|ahead| SOON.contains(&small(at + ahead)))
                    && matches!(
                        small(at + 1),
                        "the" | "tomorrow" | "noon" | "next" | "tonight" | "end"
                    )
                    || SOON[3..13].contains(&small(at + 1))
            }
            "before" => at > 2 && at + 1 < all.len(),
            "without" => matches!(small(at + 1), "delay" | "undue"),
            _ => false,
        };
        if is_relative {
            let cut = text[word.span.start..].find([',', ';', '.', '(', ':']);
            let end = cut.map_or(text.len(), |cut| word.span.start + cut);
            let last = all
                .iter()
                .skip(at)
                .take(LIMIT_WORDS)
                .take_while(|word| word.span.end <= end)
                .last()?;
            let span = word.span.start..last.span.end;
            let date = written.and_then(|written| counted(text, all, at, written));
            return Some(DueIn {
                span,
                date,
                is_limit: true,
                is_until: word.small == "until",
            });
        }
    }
    None
}

/// `within 30 days of the date of this letter`: the one relative time that a document itself dates.
fn counted(text: &str, all: &[Token], within: usize, written: Date) -> Option<Date> {
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    let unit = (within + 1..within + 4)
        .find(|at| matches!(small(*at), "days" | "day" | "weeks" | "week"))?;
    let is_own = matches!(small(unit + 1), "of" | "from" | "after")
        && (within..all.len()).any(|at| {
            small(at) == "this"
                && matches!(
                    small(at + 1),
                    "letter"
                        | "report"
                        | "memo"
                        | "document"
                        | "message"
                        | "notice"
                        | "mail"
                        | "statement"
                )
        });
    let is_plain = unit == within + 2;
    let amount = values(&text[all[within].span.end..])
        .into_iter()
        .find_map(|at| match at.value {
            Value::Amount { low, high, .. } if low == high && (1.0..400.0).contains(&low) => {
                Some(low)
            }
            _ => None,
        })?;
    let days = if small(unit).starts_with("week") {
        amount * 7.0
    } else {
        amount
    };
    (is_own && is_plain && written.day().is_some())
        .then(|| days_later(written, days))
        .flatten()
}

fn days_later(from: Date, days: f64) -> Option<Date> {
    let mut date = from;
    let mut left = days;
    while left >= 1.0 {
        let (year, month, day) = (date.year(), date.month()?, date.day()?);
        let next_month = if month == 12 {
            (year + 1, 1)
        } else {
            (year, month + 1)
        };
        date = Date::new(year, Some(month), Some(day + 1))
            .or_else(|| Date::new(next_month.0, Some(next_month.1), Some(1)))?;
        left -= 1.0;
    }
    Some(date)
}

/// All times of a text that are known to the day, the month, the quarter or the year's end.
pub(crate) fn dates_in(
    text: &str,
    all: &[Token],
    written: Option<Date>,
) -> Vec<(Range<usize>, Date)> {
    let full: Vec<(Range<usize>, Date)> = values(text)
        .into_iter()
        .filter_map(|at| match at.value {
            Value::Day(date) => Some((at.span, date)),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    let mut next = 0;
    for at in 0..all.len() {
        if at < next {
            continue;
        }
        let start = all[at].span.start;
        if let Some((span, date)) = full.iter().find(|(span, _)| span.contains(&start)) {
            next = all
                .iter()
                .position(|word| word.span.start >= span.end)
                .unwrap_or(all.len());
            let ends = at >= 2 && all[at - 2].small == "end";
            found.push((span.clone(), if ends { date.last_day() } else { *date }));
        } else if let Some((date, count)) = loose_date(all, at, written) {
            next = at + count;
            found.push((start..all[next - 1].span.end, date));
        }
    }
    found
}

/// `Q4 2026`, `2026 Q4`, `fourth quarter of 2026`, `end of 2024`, `22 August`, `August 22`, `end of April`, `in May`.
fn loose_date(all: &[Token], at: usize, written: Option<Date>) -> Option<(Date, usize)> {
    let small = |ahead: usize| all.get(at + ahead).map_or("", |word| word.small.as_str());
    let before = |back: usize| at.checked_sub(back).map_or("", |at| all[at].small.as_str());
    let year = |word: &str| {
        (word.len() == 4)
            .then(|| word.parse::<u16>().ok())
            .flatten()
            .filter(|year| (1900..2200).contains(year))
    };
    let quarter = |word: &str| {
        word.strip_prefix('q')
            .and_then(|rest| rest.parse::<u8>().ok())
            .filter(|one| (1..=4).contains(one))
    };
    let month_end = |year: u16, month: u8| Date::new(year, Some(month), None).map(Date::last_day);
    if let (Some(quarter), Some(year)) = (quarter(small(0)), year(small(1))) {
        return month_end(year, quarter * 3).map(|date| (date, 2));
    }
    if let (Some(year), Some(quarter)) = (year(small(0)), quarter(small(1))) {
        return month_end(year, quarter * 3).map(|date| (date, 2));
    }
    if let Some(place) = ORDINALS.iter().position(|word| *word == small(0)) {
        let skip = usize::from(small(2) == "of");
        let place = u8::try_from(place).ok()? + 1;
        if let Some(year) = year(small(2 + skip)) {
            return match small(1) {
                "quarter" => month_end(year, place * 3).map(|date| (date, 3 + skip)),
                "half" if place <= 2 => month_end(year, place * 6).map(|date| (date, 3 + skip)),
                _ => None,
            };
        }
    }
    if let Some(year) = year(small(0))
        && before(1) == "of"
        && before(2) == "end"
    {
        return month_end(year, 12).map(|date| (date, 1));
    }
    let month = |ahead: usize| {
        let word = all.get(at + ahead).filter(|word| word.is_capital)?;
        english_month(&word.small)
    };
    let day = |word: &str| {
        word.trim_end_matches(['s', 't', 'n', 'd', 'r', 'h'])
            .parse::<u8>()
            .ok()
            .filter(|day| (1..=31).contains(day))
    };
    let written = written?;
    if let (Some(day), Some(month)) = (day(small(0)), month(1)) {
        return next_such(written, month, Some(day)).map(|date| (date, 2));
    }
    let month = month(0)?;
    if let Some(day) = day(small(1)) {
        return next_such(written, month, Some(day)).map(|date| (date, 2));
    }
    let is_time = matches!(
        before(1),
        "in" | "by" | "until" | "before" | "for" | "of" | "mid" | "early" | "late"
    );
    is_time
        .then(|| next_such(written, month, None))
        .flatten()
        .map(|date| (date.last_day(), 1))
}

fn next_such(written: Date, month: u8, day: Option<u8>) -> Option<Date> {
    let this = Date::new(written.year(), Some(month), day)?;
    if this.last_day() >= written {
        Some(this)
    } else {
        Date::new(written.year() + 1, Some(month), day)
    }
}
