//! How long between two dates.

use jiff::civil::Date;
use jiff::{Span, Unit};

use super::GREGORIAN;
use super::calendar::{Calendar, Weekday, beyond, read};
use crate::answer::Sheet;
use crate::describe::{Calculation, described};
use crate::{Answer, Refusal};

/// Four centuries: more than any plan, and quick to walk through.
const WALKED_DAYS_MAX: i32 = 146_097;

described! {
    /// The time between two dates: days, business days, weeks, and calendar years, months and days.
    DateDifference {
        /// The first date, as 2026-03-31.
        from: String,
        /// The second date; before the first gives a negative difference.
        to: String,
        /// Dates that are not worked although they are no weekend.
        holidays: Option<Vec<String>>,
        /// Days of the week that are not worked; Saturday and Sunday unless given.
        weekend: Option<Vec<Weekday>>,
    }
}

described! {
    /// Age in completed years on a date, with months and days.
    Age {
        /// Date of birth, as 1958-02-28.
        born: String,
        /// The date on which the age is wanted.
        on: String,
    }
}

impl Calculation for DateDifference {
    fn answer(&self) -> Result<Answer, Refusal> {
        let from = read("from", &self.from)?;
        let to = read("to", &self.to)?;
        let calendar = Calendar::new(self.holidays.as_deref(), self.weekend.as_deref())?;
        let mut sheet = Sheet::new(GREGORIAN);
        let days = days_between(from, to)?;
        let span = years_months_days(from, to)?;
        sheet.step(format!(
            "{from} to {to}: {days} days, the first day not counted"
        ));
        sheet.step(format!("calendar: {}", in_words(&span)));
        sheet.part("weeks", i64::from(days / 7).into(), "")?;
        sheet.part("days_beyond_weeks", i64::from(days % 7).into(), "")?;
        sheet.part("years", i64::from(span.get_years()).into(), "")?;
        sheet.part("months", span.get_months().into(), "")?;
        sheet.part("days_beyond_months", span.get_days().into(), "")?;
        if days.abs() <= WALKED_DAYS_MAX {
            let (early, late) = if from <= to { (from, to) } else { (to, from) };
            let worked = worked_days(&calendar, early, late);
            let both = worked + i64::from(calendar.is_worked(early));
            let sign = i64::from(days.signum());
            sheet.part("business_days", (worked * sign).into(), "")?;
            sheet.part(
                "business_days_both_ends",
                (both * if sign == 0 { 1 } else { sign }).into(),
                "",
            )?;
            sheet.note("business_days leaves out the earlier date and counts the later one; business_days_both_ends counts both.");
            sheet.note(calendar.describe());
        } else {
            sheet.note(format!(
                "Business days are counted over at most {WALKED_DAYS_MAX} days."
            ));
        }
        sheet.number(i64::from(days).into(), "days", 0)
    }
}

impl Calculation for Age {
    fn answer(&self) -> Result<Answer, Refusal> {
        let born = read("born", &self.born)?;
        let on = read("on", &self.on)?;
        if on < born {
            return Err(Refusal::unusable(
                "on",
                on,
                format!("give a date that is not before the birth on {born}"),
            ));
        }
        let mut sheet = Sheet::new(GREGORIAN);
        let span = years_months_days(born, on)?;
        let days = days_between(born, on)?;
        sheet.step(format!("{born} to {on}: {}", in_words(&span)));
        if born.month() == 2 && born.day() == 29 {
            sheet.note("Born on 29 February: outside leap years the birthday is counted on 1 March; some laws say 28 February.");
        }
        if span.get_years() > 120 {
            sheet.note("An age above 120 years is most likely a mistake in a date.");
        }
        sheet.part("months", span.get_months().into(), "")?;
        sheet.part("days_beyond_months", span.get_days().into(), "")?;
        sheet.part("days_in_all", i64::from(days).into(), "")?;
        sheet.number(i64::from(span.get_years()).into(), "years", 0)
    }
}

fn years_months_days(from: Date, to: Date) -> Result<Span, Refusal> {
    from.until((Unit::Year, to)).map_err(|_| beyond("to", to))
}

pub(crate) fn days_between(from: Date, to: Date) -> Result<i32, Refusal> {
    let span = from.until((Unit::Day, to)).map_err(|_| beyond("to", to))?;
    Ok(span.get_days())
}

/// Business days after `early`, up to and with `late`.
fn worked_days(calendar: &Calendar, early: Date, late: Date) -> i64 {
    let mut count = 0;
    let mut day = early;
    while day < late {
        let Ok(next) = day.tomorrow() else { break };
        day = next;
        count += i64::from(calendar.is_worked(day));
    }
    count
}

fn in_words(span: &Span) -> String {
    format!(
        "{} years, {} months, {} days",
        span.get_years(),
        span.get_months(),
        span.get_days()
    )
}
