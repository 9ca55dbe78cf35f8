//! How a mission is repeated: a rhythm in words or as a rule, to the schedule of a trigger that comes to an end.
//!
//! **Invariant:** Every repetition ends: it has an end date at most two years ahead and a number of runs.

use adjutant_mission::{Schedule, Timestamp};
use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::{ScheduleError, Timetable, Zone};

/// How far ahead a repetition may end.
pub const REPEAT_YEARS_MAX: i16 = 2;
/// How often a mission may be repeated.
pub const REPEAT_RUNS_MAX: u32 = 400;
/// At which hour of the day it is repeated, if the rhythm is one of the words.
const HOUR: i8 = 7;

/// Rhythms that have a word, with the frequency and interval of their rule.
const RHYTHMS: [(&str, &str, &str); 4] = [
    ("daily", "FREQ=DAILY", "every day"),
    ("weekly", "FREQ=WEEKLY", "every week"),
    ("monthly", "FREQ=MONTHLY", "every month"),
    ("quarterly", "FREQ=MONTHLY;INTERVAL=3", "every three months"),
];

/// What a repetition is asked for with.
#[derive(Debug, Clone, Copy)]
pub struct RepeatRequest<'a> {
    /// `daily`, `weekly`, `monthly`, `quarterly` or a recurrence rule.
    pub every: &'a str,
    /// The last day, such as 2027-03-31; a year from now if it is empty.
    pub until: &'a str,
    pub runs: u32,
    pub zone: &'a Zone,
    pub now: Timestamp,
}

/// A repetition that can be kept as a trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    pub schedule: Schedule,
    pub runs_max: u32,
    /// In words, with its limits.
    pub told: String,
    pub next: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RepeatError {
    #[error("`{0}` is not a rhythm")]
    Rhythm(String),
    #[error("the rule `{0}` has an end of its own")]
    OwnEnd(String),
    #[error(
        "`until` is `{0}`, which is not a day from tomorrow on and at most {REPEAT_YEARS_MAX} years ahead"
    )]
    Until(String),
    #[error("`runs` is {0}, which is not from 1 to {REPEAT_RUNS_MAX}")]
    Runs(u64),
    #[error("the rhythm has no time before {0}, on which it ends")]
    NoTime(String),
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}

impl RepeatError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Rhythm(_) | Self::OwnEnd(_) => "ADJ-6210",
            Self::Until(_) | Self::NoTime(_) => "ADJ-6211",
            Self::Runs(_) => "ADJ-6212",
            Self::Schedule(error) => error.code(),
        }
    }

    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Rhythm(_) => {
                "Write `every` as daily, weekly, monthly, quarterly, or as a rule such as FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0."
            }
            Self::OwnEnd(_) => "Leave COUNT and UNTIL out of `every`, and set `runs` and `until`.",
            Self::Until(_) => "Write `until` as a day such as 2027-03-31.",
            Self::NoTime(_) => "Set `until` to a later day, or choose a shorter rhythm.",
            Self::Runs(_) => "Set `runs` to a number such as 12.",
            Self::Schedule(error) => error.remedy(),
        }
    }
}

impl Repeat {
    pub fn read(request: RepeatRequest<'_>) -> Result<Self, RepeatError> {
        let RepeatRequest {
            every,
            until,
            runs,
            zone,
            now,
        } = request;
        if !(1..=REPEAT_RUNS_MAX).contains(&runs) {
            return Err(RepeatError::Runs(runs.into()));
        }
        let instant = jiff::Timestamp::from_millisecond(now.0).unwrap_or_default();
        let today = zone.0.to_datetime(instant).date();
        let last = last_day(until, today)?;
        let every = every.trim();
        let (rule, rhythm) = match RHYTHMS
            .iter()
            .find(|(word, ..)| every.eq_ignore_ascii_case(word))
        {
            Some((word, rule, rhythm)) => (
                format!("DTSTART:{} {rule}", first_time(word, today)),
                (*rhythm).to_owned(),
            ),
            None => (own_rule(every, now, zone)?, format!("by the rule {every}")),
        };
        let schedule = Schedule::Rrule(format!("{rule};UNTIL={}", last.strftime("%Y%m%d")));
        let next = Timetable::read(&schedule, zone)?.next_after(now);
        let next = next.ok_or_else(|| RepeatError::NoTime(last.to_string()))?;
        let times = if runs == 1 { "once" } else { "times" };
        let limit = if runs == 1 {
            times.to_owned()
        } else {
            format!("{runs} {times}")
        };
        Ok(Self {
            schedule,
            runs_max: runs,
            told: format!("{rhythm}, at most {limit}, until {last}"),
            next,
        })
    }
}

fn last_day(until: &str, today: Date) -> Result<Date, RepeatError> {
    let until = until.trim();
    let wrong = || RepeatError::Until(until.chars().take(40).collect());
    let last = match until {
        "" => today.checked_add(1.year()).map_err(|_| wrong())?,
        day => day.parse::<Date>().map_err(|_| wrong())?,
    };
    let latest = today
        .checked_add(i64::from(REPEAT_YEARS_MAX).years())
        .map_err(|_| wrong())?;
    if last <= today || last > latest {
        return Err(wrong());
    }
    Ok(last)
}

/// The first time of a rhythm that has a word: one period from today.
fn first_time(word: &str, today: Date) -> String {
    let after = match word {
        "daily" => today.checked_add(1.day()),
        "weekly" => today.checked_add(1.week()),
        "monthly" => today.checked_add(1.month()),
        _ => today.checked_add(3.months()),
    };
    let mut first = after.unwrap_or(today);
    if word != "daily" && word != "weekly" && first.day() > 28 {
        // A rule skips months that have no such day.
        first = Date::new(first.year(), first.month(), 28).unwrap_or(first);
    }
    first
        .at(HOUR, 0, 0, 0)
        .strftime("%Y%m%dT%H%M%S")
        .to_string()
}

fn own_rule(every: &str, now: Timestamp, zone: &Zone) -> Result<String, RepeatError> {
    let shown = || every.chars().take(80).collect();
    let large = every.to_ascii_uppercase();
    if !large.contains("FREQ=") {
        return Err(RepeatError::Rhythm(shown()));
    }
    if large.contains("UNTIL=") || large.contains("COUNT=") {
        return Err(RepeatError::OwnEnd(shown()));
    }
    Timetable::read(
        &Schedule::Rrule(crate::rrule_with_start(every, now, zone)),
        zone,
    )?;
    Ok(crate::rrule_with_start(every, now, zone)
        .trim_end_matches([';', ' '])
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thursday 19 November 2026, 01:00 UTC.
    const NOW: Timestamp = Timestamp(1_795_050_000_000);

    fn read(every: &str, until: &str, runs: u32) -> Result<Repeat, RepeatError> {
        let zone = Zone::utc();
        Repeat::read(RepeatRequest {
            every,
            until,
            runs,
            zone: &zone,
            now: NOW,
        })
    }

    fn first(every: &str) -> String {
        Zone::utc().tell(read(every, "", 12).unwrap().next)
    }

    #[test]
    fn a_rhythm_begins_one_period_from_now_and_ends() {
        assert_eq!(first("daily"), "Fri 2026-11-20 07:00:00 +00:00");
        assert_eq!(first("Weekly"), "Thu 2026-11-26 07:00:00 +00:00");
        assert_eq!(first("monthly"), "Sat 2026-12-19 07:00:00 +00:00");
        assert_eq!(first("quarterly"), "Fri 2027-02-19 07:00:00 +00:00");
        assert_eq!(
            first("FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"),
            "Mon 2026-11-23 09:00:00 +00:00"
        );
        let repeat = read("weekly", "2026-12-31", 12).unwrap();
        assert_eq!(
            repeat.told,
            "every week, at most 12 times, until 2026-12-31"
        );
        let table = Timetable::read(&repeat.schedule, &Zone::utc()).unwrap();
        assert_eq!(
            table.times_after(NOW).count(),
            6,
            "it has an end of its own"
        );
        let table =
            Timetable::read(&read("daily", "", 400).unwrap().schedule, &Zone::utc()).unwrap();
        assert_eq!(
            table.times_after(NOW).count(),
            365,
            "a year, where nobody says until when"
        );
    }

    #[test]
    fn what_would_not_end_or_never_begin_is_refused() {
        let code =
            |every: &str, until: &str, runs: u32| read(every, until, runs).unwrap_err().code();
        assert_eq!(code("sometimes", "", 1), "ADJ-6210");
        assert_eq!(code("", "", 1), "ADJ-6210");
        assert_eq!(code("FREQ=DAILY;COUNT=9", "", 1), "ADJ-6210");
        assert_eq!(code("FREQ=DAILY;UNTIL=20991231", "", 1), "ADJ-6210");
        assert_eq!(code("FREQ=HARDLY", "", 1), "ADJ-7003");
        for until in ["2026-11-19", "2020-01-01", "2099-01-01", "soon"] {
            assert_eq!(code("daily", until, 1), "ADJ-6211", "{until}");
        }
        assert_eq!(
            code("monthly", "2026-12-01", 1),
            "ADJ-6211",
            "no time before its end"
        );
        for runs in [0, 401, u32::MAX] {
            assert_eq!(code("daily", "", runs), "ADJ-6212");
        }
    }
}
