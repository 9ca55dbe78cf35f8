//! Days, months and clock times by the Gregorian calendar and the IANA zone rules that are built in.

mod add;
mod calendar;
mod difference;
mod schedule;
mod zones;

pub(crate) use add::DateAdd;
pub(crate) use calendar::{DayFacts, read as read_date};
pub(crate) use difference::{Age, DateDifference, days_between};
pub(crate) use schedule::DateSchedule;
pub(crate) use zones::ZoneTime;

const GREGORIAN: &str = "Gregorian calendar, ISO 8601 (2019)";
