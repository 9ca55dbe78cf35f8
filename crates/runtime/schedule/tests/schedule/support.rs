//! Timetables in a line.

use adjutant_mission::{Schedule, Timestamp};
use adjutant_schedule::{ScheduleError, Timetable, Zone};

pub(crate) fn zone(name: &str) -> Zone {
    Zone::named(name).unwrap()
}

pub(crate) fn at(text: &str) -> Timestamp {
    Timestamp(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
}

pub(crate) fn read_cron(text: &str) -> Result<Timetable, ScheduleError> {
    Timetable::read(&Schedule::Cron(text.into()), &zone("UTC"))
}

pub(crate) fn cron(text: &str, name: &str) -> Timetable {
    Timetable::read(&Schedule::Cron(text.into()), &zone(name)).unwrap()
}

pub(crate) fn rrule(text: &str, name: &str) -> Timetable {
    Timetable::read(&Schedule::Rrule(text.into()), &zone(name))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The first `count` times after `after`, as the clock there shows them: `09-02 09:00 -04`.
pub(crate) fn told(table: &Timetable, name: &str, after: &str, count: usize) -> Vec<String> {
    let times = table.times_after(at(after)).take(count);
    times
        .map(|time| {
            let instant = jiff::Timestamp::from_millisecond(time.0).unwrap();
            let there = instant.in_tz(name).unwrap();
            there.strftime("%Y-%m-%d %H:%M %:z").to_string()
        })
        .collect()
}
