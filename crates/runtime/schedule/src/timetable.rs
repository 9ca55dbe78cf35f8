//! From readings of the clock to instants: what a schedule means in a zone whose clock is put forward and back.
//!
//! A schedule with a time in every hour of the clock goes by the passing of time: it fires whenever the clock shows
//! one of its readings, twice in an hour that comes twice, not at all in one that is left out. Any other schedule
//! means times on the clock. Of a reading that comes twice the first counts. A reading that is left out is made
//! up for once: by cron as soon as the clock has been put forward, and by an rrule or a local time as RFC 5545
//! (3.3.5) says, as if the clock had not been.

use std::collections::BTreeSet;

use adjutant_mission::{Schedule, Timestamp};
use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};

use crate::cron::Cron;
use crate::error::{Of, Wrong};
use crate::recurrence::{Frequency, Parts};
use crate::rrule::{self, End, Rule};
use crate::{ScheduleError, Zone};

/// How far ahead a next time is searched. After 400 years the calendar repeats itself.
const SEARCH_YEARS_MAX: i16 = 400;
/// The same for schedules whose every minute must be looked at: 29 February is a Monday once in 40 years at least.
const SEARCH_YEARS_SHORT: i16 = 40;
/// No clock was ever put forward or back by more than a day.
const CLOCK_MOVES_HOURS_MAX: i64 = 25;

/// A schedule in its zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timetable {
    zone: TimeZone,
    rule: Which,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Which {
    At(jiff::Timestamp),
    Cron(Cron),
    Recurrence {
        parts: Parts,
        last: Option<jiff::Timestamp>,
    },
}

/// What becomes of a reading of the clock that is left out or comes twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shift {
    /// Left out, or twice: as it is.
    AsItIs,
    /// Made up for as soon as the clock was put forward; the first of two.
    AfterGap,
    /// Made up for as if the clock had not been put forward; the first of two.
    AsBefore,
}

impl Timetable {
    pub fn read(schedule: &Schedule, zone: &Zone) -> Result<Self, ScheduleError> {
        let zone = zone.0.clone();
        let rule = match schedule {
            Schedule::At(text) => {
                let at = read_at(text, &zone).map_err(|wrong| wrong.in_text(Of::At, text))?;
                Which::At(at)
            }
            Schedule::Cron(text) => {
                let cron = Cron::parse(text).map_err(|wrong| wrong.in_text(Of::Cron, text))?;
                Which::Cron(cron)
            }
            Schedule::Rrule(text) => {
                let rule = Rule::parse(text, &zone);
                return Ok(Self::recurring(
                    rule.map_err(|wrong| wrong.in_text(Of::Rrule, text))?,
                    zone,
                ));
            }
        };
        Ok(Self { zone, rule })
    }

    fn recurring(rule: Rule, zone: TimeZone) -> Self {
        let Rule { parts, end } = rule;
        let start = parts.start;
        let mut table = Self {
            zone,
            rule: Which::Recurrence { parts, last: None },
        };
        let end = match end {
            End::Never => None,
            End::UntilInstant(last) => Some(last),
            End::Until(local) => table.zone.to_ambiguous_timestamp(local).later().ok(),
            End::Count(count) => {
                // One before the start, wherever a clock moves there.
                let from = table.zone.to_ambiguous_timestamp(start).earlier().ok();
                from.and_then(|from| from.checked_sub(1.hour()).ok())
                    .and_then(|from| table.stream(from).nth(count as usize - 1))
            }
        };
        if let Which::Recurrence { last, .. } = &mut table.rule {
            *last = end;
        }
        table
    }

    /// The first time after this one.
    pub fn next_after(&self, after: Timestamp) -> Option<Timestamp> {
        self.times_after(after).next()
    }

    /// Every time after this one, in order.
    pub fn times_after(&self, after: Timestamp) -> impl Iterator<Item = Timestamp> + '_ {
        let from = jiff::Timestamp::from_millisecond(after.0).ok();
        let times = from.into_iter().flat_map(|from| self.stream(from));
        times.map(|time| Timestamp(time.as_millisecond()))
    }

    fn stream(&self, after: jiff::Timestamp) -> Stream<'_> {
        Stream::new(self, after)
    }

    fn shift(&self) -> Shift {
        match &self.rule {
            Which::Cron(cron) if cron.is_in_every_hour() => Shift::AsItIs,
            Which::Cron(_) => Shift::AfterGap,
            Which::Recurrence { parts, .. } if parts.is_in_every_hour() => Shift::AsItIs,
            Which::Recurrence { .. } | Which::At(_) => Shift::AsBefore,
        }
    }

    fn instants(&self, reading: DateTime, shift: Shift) -> [Option<jiff::Timestamp>; 2] {
        let ambiguous = self.zone.to_ambiguous_timestamp(reading);
        match (ambiguous.offset(), shift) {
            (AmbiguousOffset::Unambiguous { offset }, _)
            | (AmbiguousOffset::Fold { before: offset, .. }, Shift::AfterGap | Shift::AsBefore)
            | (AmbiguousOffset::Gap { before: offset, .. }, Shift::AsBefore) => {
                [offset.to_timestamp(reading).ok(), None]
            }
            (AmbiguousOffset::Fold { before, after }, Shift::AsItIs) => [
                before.to_timestamp(reading).ok(),
                after.to_timestamp(reading).ok(),
            ],
            (AmbiguousOffset::Gap { .. }, Shift::AsItIs) => [None, None],
            (AmbiguousOffset::Gap { after, .. }, Shift::AfterGap) => {
                // Read with the offset of after the gap, the reading lies before it.
                let before_gap = after.to_timestamp(reading).ok();
                let put_forward =
                    before_gap.and_then(|at| self.zone.following(at).next().map(|t| t.timestamp()));
                [put_forward, None]
            }
        }
    }
}

/// The times of a schedule in order. Days are taken in turn; a time is given out once no later day can have one
/// before it.
struct Stream<'a> {
    table: &'a Timetable,
    shift: Shift,
    after: jiff::Timestamp,
    /// The next day to take in; none when there are no more.
    day: Option<Date>,
    end: Date,
    waiting: BTreeSet<jiff::Timestamp>,
    /// What is not later than this is sure.
    sure: Option<jiff::Timestamp>,
    readings: Vec<DateTime>,
}

impl<'a> Stream<'a> {
    fn new(table: &'a Timetable, after: jiff::Timestamp) -> Self {
        let here = table.zone.to_datetime(after).date();
        let first = here.saturating_sub(2.days());
        let years = match &table.rule {
            Which::Recurrence { parts, .. } if parts.frequency < Frequency::Daily => {
                SEARCH_YEARS_SHORT
            }
            _ => SEARCH_YEARS_MAX,
        };
        let (first, last) = match &table.rule {
            Which::Recurrence { parts, last } => (first.max(parts.start.date()), *last),
            Which::At(_) | Which::Cron(_) => (first, None),
        };
        let end = here.max(first).saturating_add(years.years());
        let last_day = last.map(|last| {
            let day = table.zone.to_datetime(last).date();
            day.saturating_add(2.days())
        });
        let mut stream = Self {
            table,
            shift: table.shift(),
            after,
            day: Some(first),
            end: last_day.map_or(end, |day| day.min(end)),
            waiting: BTreeSet::new(),
            sure: None,
            readings: Vec::new(),
        };
        if let Which::At(at) = &table.rule {
            stream.day = None;
            stream.waiting.extend(Some(*at).filter(|at| *at > after));
        }
        stream
    }

    fn take_in(&mut self, day: Date) {
        self.readings.clear();
        let (next, last) = match &self.table.rule {
            Which::Cron(cron) => (cron.lot(day, &mut self.readings), None),
            Which::Recurrence { parts, last } => (parts.lot(day, &mut self.readings), *last),
            Which::At(_) => (None, None),
        };
        for reading in &self.readings {
            let instants = self.table.instants(*reading, self.shift);
            let wanted =
                |at: &jiff::Timestamp| *at > self.after && last.is_none_or(|last| *at <= last);
            self.waiting
                .extend(instants.into_iter().flatten().filter(wanted));
        }
        self.day = next.filter(|next| *next <= self.end);
        self.sure = self.day.and_then(|day| {
            let midnight = day.to_datetime(jiff::civil::Time::MIN);
            let midnight = self.table.zone.to_ambiguous_timestamp(midnight);
            let margin = CLOCK_MOVES_HOURS_MAX.hours();
            midnight.earlier().ok()?.checked_sub(margin).ok()
        });
    }
}

impl Iterator for Stream<'_> {
    type Item = jiff::Timestamp;

    fn next(&mut self) -> Option<jiff::Timestamp> {
        loop {
            let first = self.waiting.first().copied();
            let Some(day) = self.day else {
                return self.waiting.pop_first();
            };
            if first.is_some_and(|first| self.sure.is_some_and(|sure| first <= sure)) {
                return self.waiting.pop_first();
            }
            self.take_in(day);
        }
    }
}

/// An instant with its offset, or a time on the zone's clock.
fn read_at(text: &str, zone: &TimeZone) -> Result<jiff::Timestamp, Wrong> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<jiff::Timestamp>() {
        return Ok(instant);
    }
    if text.contains('[') {
        return Err(Wrong::at(0, "a zone in brackets is not supported"));
    }
    let reading: DateTime = text
        .parse()
        .map_err(|_| Wrong::at(0, "it is not a date and time"))?;
    if !text.contains(':') && !text.contains(['T', 't']) {
        return Err(Wrong::at(0, "it has no time of day"));
    }
    let instant = zone.to_ambiguous_timestamp(reading).compatible();
    instant.map_err(|_| Wrong::at(0, "it is out of range"))
}

/// An rrule with a DTSTART: the next full minute, if it has none of its own.
pub fn rrule_with_start(text: &str, now: Timestamp, zone: &Zone) -> String {
    if rrule::has_start(text) {
        return text.to_owned();
    }
    let minute = now.0.div_euclid(60_000) + i64::from(now.0.rem_euclid(60_000) > 0);
    let now = jiff::Timestamp::from_second(minute.saturating_mul(60)).unwrap_or_default();
    let start = zone.0.to_datetime(now).strftime("%Y%m%dT%H%M%S");
    format!("DTSTART:{start} {}", text.trim())
}

/// The zone that an rrule's DTSTART names, if it does.
pub fn zone_in_rrule(text: &str) -> Option<&str> {
    rrule::zone_named_in(text)
}
