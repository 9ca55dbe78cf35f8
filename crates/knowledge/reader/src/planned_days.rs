//! Days set against each other: what a plan's day leaves of a time that has to pass before or after something else.

use adjutant_text::dates::Date;

use crate::document_facts::Standing;
use crate::reading::Reading;
use crate::tokens::{Token, tokens};
use crate::values::{Value, values, values_in_year};

/// What counting the days before an event comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct DayCount {
    pub needed: i64,
    /// How many there are.
    pub there: i64,
    /// The first and the last of these days.
    pub from: Date,
    pub to: Date,
    /// The statement that names the day of the event; none if it is the planned day itself.
    pub event: Option<usize>,
    pub is_enough: bool,
}

/// A time in which a planned day lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Within {
    pub statement: usize,
    pub from: Date,
    pub to: Date,
}

/// Words that say that the event is what is planned.
const PLANNED: &[&str] = &["planned", "proposed", "intended", "scheduled"];
/// Words around an event that do not name it.
const AROUND: &[&str] = &[
    "the",
    "a",
    "an",
    "of",
    "beginning",
    "begin",
    "start",
    "begins",
    "starts",
    "day",
    "date",
    "first",
    "its",
    "their",
    "this",
    "that",
    "planned",
    "proposed",
    "intended",
    "scheduled",
];
/// Words by which a day is said to be the first of something.
const BEGINS: &[&str] = &[
    "begin",
    "begins",
    "began",
    "start",
    "starts",
    "from",
    "opens",
    "commences",
    "on",
    "is",
];
/// An event has at most so many words.
const EVENT_WORDS_MAX: usize = 7;
/// A longer time is a whole season or a term, in which everything lies.
const TIME_DAYS_MAX: i64 = 200;
/// How much of the objective such a time must be about.
const ABOUT: f64 = 0.12;

impl Reading<'_> {
    /// The first day that an objective names for what is planned.
    pub fn planned_day(&self, objective: &str, today: Date) -> Option<Date> {
        let days = values(objective).into_iter();
        let mut days = days.filter_map(|at| match at.value {
            Value::Day(date) => Some(date),
            _ => None,
        });
        days.find(|date| date.day().is_some() && *date >= today)
    }

    /// `at least 14 days before the beginning of the season`: how many days there are.
    pub(crate) fn day_count(
        &self,
        text: &str,
        document: usize,
        planned: Date,
        today: Date,
    ) -> Option<DayCount> {
        let all = tokens(text);
        let (needed, behind) = lead_time(&all)?;
        let event: Vec<&Token> = event_words(text, &all[behind..]);
        let is_planned = event
            .iter()
            .any(|word| PLANNED.contains(&word.small.as_str()));
        if is_planned {
            let there = days_between(today, planned)?;
            return Some(DayCount {
                needed,
                there,
                from: today,
                to: planned,
                event: None,
                is_enough: there >= needed,
            });
        }
        let named: Vec<&str> = event
            .iter()
            .map(|word| word.small.as_str())
            .filter(|word| !AROUND.contains(word))
            .collect();
        let (at, day) = self.day_of(&named, document, planned)?;
        let there = days_between(planned, day)?;
        (there >= 0).then_some(DayCount {
            needed,
            there,
            from: planned,
            to: day,
            event: Some(at),
            is_enough: there >= needed,
        })
    }

    /// The statement that says when an event begins: that of the latest document in force.
    fn day_of(&self, named: &[&str], set_in: usize, planned: Date) -> Option<(usize, Date)> {
        let terms: Vec<_> = named
            .iter()
            .filter_map(|word| self.terms.of(word))
            .collect();
        if terms.is_empty() || terms.len() < named.len() {
            return None;
        }
        let mut best: Option<(Option<Date>, usize, Date)> = None;
        for (at, indexed) in self.indexed.iter().enumerate() {
            let statement = &self.statements[at];
            let facts = &self.facts[statement.document];
            let holds = facts.standing == Standing::Current && !facts.is_draft;
            let has_all = terms
                .iter()
                .all(|term| indexed.own.binary_search(term).is_ok());
            if !holds || !has_all || !statement.is_prose() {
                continue;
            }
            let Some(day) = first_day(self.text(at), planned) else {
                continue;
            };
            let is_later = best.as_ref().is_none_or(|(date, ..)| facts.date > *date);
            if is_later || statement.document == set_in && best.is_none() {
                best = Some((facts.date, at, day));
            }
        }
        best.map(|(_, at, day)| (at, day))
    }

    /// The times, named by their first and last day, in which a planned day lies.
    pub fn times_around(&self, objective: &str, planned: Date) -> Vec<Within> {
        let aim = self.aim(objective);
        let mut found: Vec<Within> = Vec::new();
        for at in 0..self.statements.len() {
            let statement = &self.statements[at];
            let facts = &self.facts[statement.document];
            let holds = facts.standing == Standing::Current && !facts.is_draft;
            if !holds || !statement.is_prose() || self.relevance(&aim, at) < ABOUT {
                continue;
            }
            let Some((from, to)) = time_in(self.text(at), planned) else {
                continue;
            };
            let known = found.iter().any(|one| (one.from, one.to) == (from, to));
            let is_short =
                days_between(from, to).is_some_and(|days| (1..=TIME_DAYS_MAX).contains(&days));
            if !known && is_short && from < planned && planned <= to {
                found.push(Within {
                    statement: at,
                    from,
                    to,
                });
            }
        }
        found
    }
}

/// `at least N days before`: the days, and the place of the word behind.
pub(crate) fn lead_time(all: &[Token]) -> Option<(i64, usize)> {
    let at = (0..all.len()).find(|at| {
        all[*at].small == "before" && *at >= 2 && day_length(&all[*at - 1].small).is_some()
    })?;
    let count = number(&all[at - 2].small)?;
    let is_least = at >= 3 && matches!(all[at - 3].small.as_str(), "least" | "than");
    is_least.then(|| (count * day_length(&all[at - 1].small).unwrap_or(1), at + 1))
}

fn day_length(word: &str) -> Option<i64> {
    match word {
        "day" | "days" => Some(1),
        "week" | "weeks" => Some(7),
        _ => None,
    }
}

fn number(word: &str) -> Option<i64> {
    let names = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let named = names
        .iter()
        .position(|name| *name == word)
        .map(|at| at as i64);
    named.or_else(|| word.parse().ok())
}

/// The words of the event up to the end of its phrase.
fn event_words<'t>(text: &str, behind: &'t [Token]) -> Vec<&'t Token> {
    let mut found: Vec<&Token> = Vec::new();
    for word in behind.iter().take(EVENT_WORDS_MAX) {
        let gap = found
            .last()
            .map_or("", |last| &text[last.span.end..word.span.start]);
        let ends = gap.contains([',', ';', '.', ':'])
            || matches!(
                word.small.as_str(),
                "and" | "or" | "if" | "unless" | "which"
            );
        if ends {
            break;
        }
        found.push(word);
    }
    found
}

/// The day that stands behind a word of beginning, or before one.
fn first_day(text: &str, near: Date) -> Option<Date> {
    let all = tokens(text);
    let days = days_in(text, near);
    let begins = all
        .iter()
        .find(|word| BEGINS.contains(&word.small.as_str()))?;
    let behind = days.iter().find(|(at, _)| *at > begins.span.start);
    behind.or(days.first()).map(|(_, day)| *day)
}

/// `from 3 May to 9 June`, `begins on 3 May and ends on 9 June`.
fn time_in(text: &str, near: Date) -> Option<(Date, Date)> {
    let days = days_in(text, near);
    let [(at, from), (then, to)] = days.as_slice() else {
        return None;
    };
    let all = tokens(text);
    let has = |list: &[&str], before: usize| {
        let mut words = all
            .iter()
            .filter(|word| word.span.start < before)
            .rev()
            .take(4);
        words.any(|word| list.contains(&word.small.as_str()))
    };
    let opens = has(
        &["from", "begins", "begin", "starts", "between", "runs"],
        *at,
    );
    let closes = has(&["to", "until", "ends", "end", "and"], *then);
    (opens && closes).then_some((*from, *to))
}

/// The days that a text names; one without its year is of the year that the text names last, or of this one.
fn days_in(text: &str, near: Date) -> Vec<(usize, Date)> {
    let found = values_in_year(text, Some(near.year())).into_iter();
    let found = found.filter_map(|at| match at.value {
        Value::Day(date) if date.day().is_some() => Some((at.span.start, date)),
        _ => None,
    });
    found.collect()
}

/// How many days later the second is.
pub(crate) fn days_between(from: Date, to: Date) -> Option<i64> {
    Some(day_number(to)? - day_number(from)?)
}

/// Days since a fixed day, by the rules of the calendar.
fn day_number(date: Date) -> Option<i64> {
    let (year, month, day) = (
        i64::from(date.year()),
        i64::from(date.month()?),
        i64::from(date.day()?),
    );
    let shifted = (month + 9) % 12;
    let year = year - shifted / 10;
    Some(365 * year + year / 4 - year / 100 + year / 400 + (shifted * 306 + 5) / 10 + day - 1)
}
