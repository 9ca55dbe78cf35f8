//! Reading dates, and which of them are business days.

use std::collections::BTreeSet;

use jiff::civil::{self, Date};

use super::GREGORIAN;
use crate::answer::Sheet;
use crate::describe::{Calculation, choice, described};
use crate::{Answer, Refusal};

choice! {
    /// A day of the week.
    Weekday {
        Monday = "monday",
        Tuesday = "tuesday",
        Wednesday = "wednesday",
        Thursday = "thursday",
        Friday = "friday",
        Saturday = "saturday",
        Sunday = "sunday",
    }
}

described! {
    /// What day a date is: day of the week, ISO week, day of the year, leap year.
    DayFacts {
        /// The date, as 2026-03-31.
        date: String,
    }
}

impl Calculation for DayFacts {
    fn answer(&self) -> Result<Answer, Refusal> {
        let date = read("date", &self.date)?;
        let mut sheet = Sheet::new(GREGORIAN);
        let week = date.iso_week_date();
        let iso = format!(
            "{:04}-W{:02}-{}",
            week.year(),
            week.week(),
            week.weekday().to_monday_one_offset()
        );
        sheet.step(format!(
            "{date} is a {}, day {} of {}",
            name(date.weekday()),
            date.day_of_year(),
            date.year()
        ));
        sheet.step(format!(
            "week 1 is the one with the first Thursday, so {date} lies in {iso}"
        ));
        if i32::from(week.year()) != i32::from(date.year()) {
            sheet.note(format!(
                "The ISO week belongs to {}, the date to {}.",
                week.year(),
                date.year()
            ));
        }
        sheet.part_in_words("weekday", name(date.weekday()));
        sheet.part("iso_year", i32::from(week.year()).into(), "")?;
        sheet.part("iso_week", i32::from(week.week()).into(), "")?;
        sheet.part("day_of_year", i32::from(date.day_of_year()).into(), "")?;
        sheet.part("days_in_year", i32::from(date.days_in_year()).into(), "")?;
        Ok(sheet.words(iso))
    }
}

/// Which days are worked.
pub(super) struct Calendar {
    weekend: Vec<civil::Weekday>,
    holidays: BTreeSet<Date>,
}

impl Calendar {
    pub(super) fn new(
        holidays: Option<&[String]>,
        weekend: Option<&[Weekday]>,
    ) -> Result<Self, Refusal> {
        let weekend: Vec<_> = match weekend {
            None => vec![civil::Weekday::Saturday, civil::Weekday::Sunday],
            Some(days) => days.iter().map(|day| day.civil()).collect(),
        };
        let all = weekend.iter().map(|day| day.to_monday_one_offset());
        if all.collect::<BTreeSet<_>>().len() == 7 {
            return Err(Refusal::unusable(
                "weekend",
                "all seven days",
                "leave at least one working day",
            ));
        }
        let holidays = holidays
            .unwrap_or_default()
            .iter()
            .map(|holiday| read("holidays", holiday))
            .collect::<Result<_, _>>()?;
        Ok(Self { weekend, holidays })
    }

    pub(super) fn is_worked(&self, date: Date) -> bool {
        !self.weekend.contains(&date.weekday()) && !self.holidays.contains(&date)
    }

    pub(super) fn describe(&self) -> String {
        let weekend: Vec<_> = self.weekend.iter().map(|&day| name(day)).collect();
        let weekend = match weekend.as_slice() {
            [] => "none".to_owned(),
            days => days.join(" and "),
        };
        format!(
            "Days off: {weekend}, and the {} holidays given; local holidays are not known.",
            self.holidays.len()
        )
    }
}

impl Weekday {
    fn civil(self) -> civil::Weekday {
        match self {
            Self::Monday => civil::Weekday::Monday,
            Self::Tuesday => civil::Weekday::Tuesday,
            Self::Wednesday => civil::Weekday::Wednesday,
            Self::Thursday => civil::Weekday::Thursday,
            Self::Friday => civil::Weekday::Friday,
            Self::Saturday => civil::Weekday::Saturday,
            Self::Sunday => civil::Weekday::Sunday,
        }
    }
}

pub(super) fn name(day: civil::Weekday) -> &'static str {
    match day {
        civil::Weekday::Monday => "Monday",
        civil::Weekday::Tuesday => "Tuesday",
        civil::Weekday::Wednesday => "Wednesday",
        civil::Weekday::Thursday => "Thursday",
        civil::Weekday::Friday => "Friday",
        civil::Weekday::Saturday => "Saturday",
        civil::Weekday::Sunday => "Sunday",
    }
}

/// Only the form that cannot be misread: 03/04/2026 is two different days.
pub(crate) fn read(field: &str, text: &str) -> Result<Date, Refusal> {
    let plain = text.len() == 10
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
    let date = if plain { text.parse().ok() } else { None };
    date.ok_or_else(|| {
        Refusal::unusable(
            field,
            text,
            "give a date that exists, as year-month-day, for example 2026-03-31",
        )
    })
}

pub(super) fn beyond(field: &str, value: impl ToString) -> Refusal {
    Refusal::unusable(
        field,
        value,
        "the result lies outside the years -9999 to 9999",
    )
}
