//! Dates as days since 1970, and the ticks of a date axis.

use jiff::civil::Date;
use jiff::{ToSpan, Unit};

use crate::Refusal;
use crate::scale::Tick;

const EPOCH: Date = jiff::civil::date(1970, 1, 1);
const YEAR_MIN: i16 = 1;
const YEAR_MAX: i16 = 9000;

/// `2024-05-17`, `2024-05` or `2024`.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let mut parts = text.trim().split('-');
    let year = parts.next()?;
    let year: i16 = digits(year, 4)?;
    let mut next = || parts.next().map_or(Some(1i8), |part| digits(part, 2));
    let (month, day) = (next()?, next()?);
    if parts.next().is_some() || !(YEAR_MIN..=YEAR_MAX).contains(&year) {
        return None;
    }
    let date = Date::new(year, month, day).ok()?;
    let days = date.since((Unit::Day, EPOCH)).ok()?.get_days();
    Some(f64::from(days))
}

/// Exactly so many; a sign is none.
fn digits<T: std::str::FromStr>(text: &str, count: usize) -> Option<T> {
    let all = text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    if all { text.parse().ok() } else { None }
}

pub(crate) fn required(text: &str, field: impl FnOnce() -> String) -> Result<f64, Refusal> {
    parse(text).ok_or_else(|| Refusal::NotADate { field: field() })
}

fn date_of(day: f64) -> Date {
    EPOCH
        .checked_add((day.floor() as i32).days())
        .unwrap_or(EPOCH)
}

fn day_of(date: Date) -> f64 {
    date.since((Unit::Day, EPOCH))
        .map_or(0.0, |span| f64::from(span.get_days()))
}

pub(crate) fn long(day: f64) -> String {
    date_of(day).strftime("%-d %b %Y").to_string()
}

enum Step {
    Days(i32),
    Months(i32),
}

const STEPS: [(f64, Step); 14] = [
    (1.0, Step::Days(1)),
    (2.0, Step::Days(2)),
    (7.0, Step::Days(7)),
    (14.0, Step::Days(14)),
    (30.4, Step::Months(1)),
    (61.0, Step::Months(2)),
    (91.0, Step::Months(3)),
    (182.0, Step::Months(6)),
    (365.0, Step::Months(12)),
    (730.0, Step::Months(24)),
    (1826.0, Step::Months(60)),
    (3652.0, Step::Months(120)),
    (18262.0, Step::Months(600)),
    (36524.0, Step::Months(1200)),
];

/// At calendar boundaries; the year is written where it changes.
pub(crate) fn ticks(low: f64, high: f64, wanted: f64) -> Vec<Tick> {
    let ideal = (high - low) / wanted;
    let last = STEPS.len() - 1;
    let index = STEPS
        .iter()
        .position(|s| s.0 * 1.2 >= ideal)
        .unwrap_or(last);
    let mut days: Vec<f64> = Vec::new();
    match STEPS[index].1 {
        Step::Days(step) => {
            let mut day = low.ceil();
            while day <= high {
                days.push(day);
                day += f64::from(step);
            }
        }
        Step::Months(step) => {
            let start = date_of(low);
            let mut month = i32::from(start.year()) * 12 + i32::from(start.month()) - 1;
            month = month.div_euclid(step) * step;
            loop {
                let (year, of_year) = (month.div_euclid(12), month.rem_euclid(12));
                let Ok(date) = Date::new(year as i16, of_year as i8 + 1, 1) else {
                    if year < 1 {
                        month += step;
                        continue;
                    }
                    break;
                };
                let day = day_of(date);
                if day > high {
                    break;
                }
                if day >= low {
                    days.push(day);
                }
                month += step;
            }
        }
    }
    let mut year_before = None;
    days.into_iter()
        .map(|day| {
            let date = date_of(day);
            let new_year = year_before != Some(date.year());
            year_before = Some(date.year());
            let pattern = match (&STEPS[index].1, new_year) {
                (Step::Days(_), true) => "%-d %b %Y",
                (Step::Days(_), false) => "%-d %b",
                (Step::Months(12..), _) => "%Y",
                (Step::Months(_), true) => "%b %Y",
                (Step::Months(_), false) => "%b",
            };
            Tick {
                at: day,
                label: date.strftime(pattern).to_string(),
            }
        })
        .collect()
}

#[cfg(test)]
#[path = "date_tests.rs"]
mod tests;
