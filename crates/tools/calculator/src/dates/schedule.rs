//! A series of dates.

use super::GREGORIAN;
use super::add::{MonthEnd, add_business_days, add_days, add_months};
use super::calendar::{Calendar, Weekday, beyond, name, read};
use crate::answer::Sheet;
use crate::describe::{Calculation, choice, described};
use crate::{Answer, Refusal};

const DATES_MAX: u32 = 1_000;

choice! {
    /// What the dates of a series are apart.
    Apart {
        Days = "days",
        Weeks = "weeks",
        Months = "months",
        BusinessDays = "business_days",
    }
}

described! {
    /// A series of dates: every so many days, weeks, months or business days.
    DateSchedule {
        /// The first date, as 2026-03-31.
        start: String,
        /// How many units the dates are apart.
        every: u32,
        /// The unit.
        unit: Apart,
        /// How many dates, the first one included.
        count: u32,
        /// Dates that are not worked although they are no weekend.
        holidays: Option<Vec<String>>,
        /// Days of the week that are not worked; Saturday and Sunday unless given.
        weekend: Option<Vec<Weekday>>,
    }
}

impl Calculation for DateSchedule {
    fn answer(&self) -> Result<Answer, Refusal> {
        let start = read("start", &self.start)?;
        if self.count == 0 || self.count > DATES_MAX {
            return Err(Refusal::unusable(
                "count",
                self.count,
                format!("give 1 to {DATES_MAX}"),
            ));
        }
        if self.every == 0 {
            return Err(Refusal::unusable("every", self.every, "give at least 1"));
        }
        let calendar = Calendar::new(self.holidays.as_deref(), self.weekend.as_deref())?;
        let mut sheet = Sheet::new(GREGORIAN);
        let mut rows = Vec::new();
        let mut last = start;
        let mut off = 0;
        for index in 0..self.count {
            let away = index
                .checked_mul(self.every)
                .and_then(|away| i32::try_from(away).ok())
                .ok_or_else(|| beyond("every", self.every))?;
            last = match self.unit {
                Apart::Days => add_days(start, away)?,
                Apart::Weeks => add_days(
                    start,
                    away.checked_mul(7)
                        .ok_or_else(|| beyond("every", self.every))?,
                )?,
                Apart::Months => add_months(start, away, MonthEnd::Shorten)?,
                Apart::BusinessDays => add_business_days(&calendar, start, away)?,
            };
            off += u32::from(!calendar.is_worked(last));
            rows.push(vec![
                (index + 1).to_string(),
                last.to_string(),
                name(last.weekday()).to_owned(),
            ]);
        }
        sheet.step(format!(
            "date n = {start} + (n − 1) × {} {}; date {} = {last}",
            self.every,
            self.unit.word(),
            self.count
        ));
        if off > 0 {
            sheet.note(format!("{off} of {} dates fall on days off.", self.count));
        }
        sheet.table(&["number", "date", "weekday"], rows);
        Ok(sheet.words(last.to_string()))
    }
}

impl Apart {
    fn word(self) -> &'static str {
        match self {
            Self::Days => "days",
            Self::Weeks => "weeks",
            Self::Months => "months",
            Self::BusinessDays => "business days",
        }
    }
}
