//! A date so many days, months or business days away.

use jiff::Span;
use jiff::civil::Date;

use super::GREGORIAN;
use super::calendar::{Calendar, Weekday, beyond, name, read};
use crate::answer::Sheet;
use crate::describe::{Calculation, choice, described};
use crate::{Answer, Refusal};

const BUSINESS_DAYS_MAX: u32 = 50_000;

choice! {
    /// What the last days of a month lead to.
    MonthEnd {
        Shorten = "shorten",
        KeepLast = "keep_last",
    }
}

described! {
    /// Add to a date (negative: subtract). Years and months come first, then weeks and days, then business days.
    DateAdd {
        /// The date to begin with, as 2026-03-31.
        date: String,
        /// Years to add.
        years: Option<i32>,
        /// Months to add.
        months: Option<i32>,
        /// Weeks to add.
        weeks: Option<i32>,
        /// Days to add.
        days: Option<i32>,
        /// Business days to add; the first one counted is the next business day.
        business_days: Option<i32>,
        /// shorten: 31 January plus a month is 28 or 29 February (default). keep_last: the last day of a month leads to
        /// the last day of a month.
        month_end: Option<MonthEnd>,
        /// Dates that are not worked although they are no weekend.
        holidays: Option<Vec<String>>,
        /// Days of the week that are not worked; Saturday and Sunday unless given.
        weekend: Option<Vec<Weekday>>,
    }
}

impl Calculation for DateAdd {
    fn answer(&self) -> Result<Answer, Refusal> {
        let start = read("date", &self.date)?;
        let mut sheet = Sheet::new(GREGORIAN);
        let mut date = start;
        let months = self.total_months()?;
        if months != 0 {
            date = add_months(start, months, self.month_end.unwrap_or(MonthEnd::Shorten))?;
            sheet.step(format!("{start} + {months} months = {date}"));
            if date.day() < start.day() {
                sheet.note(format!(
                    "{}-{:02} has no day {}: the last day of that month is used.",
                    date.year(),
                    date.month(),
                    start.day()
                ));
            }
        }
        let days = self.total_days()?;
        if days != 0 {
            let before = date;
            date = add_days(date, days)?;
            sheet.step(format!("{before} + {days} days = {date}"));
        }
        if let Some(business_days) = self.business_days {
            let calendar = Calendar::new(self.holidays.as_deref(), self.weekend.as_deref())?;
            let before = date;
            date = add_business_days(&calendar, date, business_days)?;
            sheet.step(format!("{before} + {business_days} business days = {date}"));
            sheet.note(calendar.describe());
        }
        sheet.part_in_words("weekday", name(date.weekday()));
        Ok(sheet.words(date.to_string()))
    }
}

impl DateAdd {
    fn total_months(&self) -> Result<i32, Refusal> {
        let years = self.years.unwrap_or(0);
        years
            .checked_mul(12)
            .and_then(|months| months.checked_add(self.months.unwrap_or(0)))
            .ok_or_else(|| beyond("years", years))
    }

    fn total_days(&self) -> Result<i32, Refusal> {
        let weeks = self.weeks.unwrap_or(0);
        weeks
            .checked_mul(7)
            .and_then(|days| days.checked_add(self.days.unwrap_or(0)))
            .ok_or_else(|| beyond("days", self.days.unwrap_or(weeks)))
    }
}

pub(super) fn add_days(date: Date, days: i32) -> Result<Date, Refusal> {
    let span = Span::new().try_days(days);
    let moved = span.and_then(|span| date.checked_add(span));
    moved.map_err(|_| beyond("days", days))
}

pub(super) fn add_months(date: Date, months: i32, month_end: MonthEnd) -> Result<Date, Refusal> {
    let span = Span::new().try_months(months);
    let moved = span.and_then(|span| date.checked_add(span));
    let moved = moved.map_err(|_| beyond("months", months))?;
    let keeps = month_end == MonthEnd::KeepLast && date == date.last_of_month();
    Ok(if keeps { moved.last_of_month() } else { moved })
}

pub(super) fn add_business_days(
    calendar: &Calendar,
    start: Date,
    business_days: i32,
) -> Result<Date, Refusal> {
    let count = business_days.unsigned_abs();
    if count > BUSINESS_DAYS_MAX {
        return Err(Refusal::unusable(
            "business_days",
            business_days,
            format!("give at most {BUSINESS_DAYS_MAX}"),
        ));
    }
    let mut date = start;
    for _ in 0..count {
        loop {
            let next = if business_days > 0 {
                date.tomorrow()
            } else {
                date.yesterday()
            };
            date = next.map_err(|_| beyond("date", start))?;
            if calendar.is_worked(date) {
                break;
            }
        }
    }
    Ok(date)
}
