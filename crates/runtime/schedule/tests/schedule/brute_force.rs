//! Schedules of all kinds against a scan of every minute of some months, in zones whose clocks move in every way.

use std::collections::BTreeSet;

use adjutant_mission::{Schedule, Timestamp};
use adjutant_schedule::Timetable;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use proptest::prelude::*;

use crate::support::*;

const ZONES: [&str; 7] = [
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Asia/Beirut",
    "America/Santiago",
    "UTC",
];

const MINUTE: i64 = 60_000;

/// What a cron asks of a reading, written down a second time and differently.
#[derive(Debug, Clone)]
struct Asks {
    minutes: Vec<i8>,
    hours: Vec<i8>,
    days: Option<Vec<i8>>,
    months: Vec<i8>,
    weekdays: Option<Vec<i8>>,
}

impl Asks {
    fn text(&self) -> String {
        let list = |numbers: &[i8]| {
            numbers
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(",")
        };
        let or_star =
            |some: &Option<Vec<i8>>| some.as_ref().map_or("*".into(), |numbers| list(numbers));
        format!(
            "{} {} {} {} {}",
            list(&self.minutes),
            list(&self.hours),
            or_star(&self.days),
            list(&self.months),
            or_star(&self.weekdays)
        )
    }

    fn fits(&self, reading: DateTime) -> bool {
        let day = self.days.as_ref().map(|days| days.contains(&reading.day()));
        let weekday = reading.weekday().to_sunday_zero_offset();
        let weekday = self
            .weekdays
            .as_ref()
            .map(|weekdays| weekdays.contains(&weekday));
        let on_day = match (day, weekday) {
            (None, None) => true,
            (Some(is), None) | (None, Some(is)) => is,
            (Some(day), Some(weekday)) => day || weekday,
        };
        on_day
            && self.minutes.contains(&reading.minute())
            && self.hours.contains(&reading.hour())
            && self.months.contains(&reading.month())
    }
}

/// Every minute between, with what the clock shows.
fn minutes(
    zone: &TimeZone,
    from: Timestamp,
    to: Timestamp,
) -> impl Iterator<Item = (i64, DateTime)> {
    let shows = move |at: i64| zone.to_datetime(jiff::Timestamp::from_millisecond(at).unwrap());
    (from.0 / MINUTE..=to.0 / MINUTE).map(move |minute| (minute * MINUTE, shows(minute * MINUTE)))
}

/// Goes through real minutes; between two of them the clock may jump. Readings that were seen before are of a clock
/// that was put back; readings between are of one that was put forward.
fn scan(zone: &TimeZone, from: Timestamp, to: Timestamp, asks: &Asks) -> BTreeSet<i64> {
    let every_hour = (0..24).all(|hour| asks.hours.contains(&hour));
    let (mut found, mut furthest) = (BTreeSet::new(), None::<DateTime>);
    for (at, reading) in minutes(zone, from, to) {
        let is_new = furthest.is_none_or(|furthest| reading > furthest);
        if asks.fits(reading) && (is_new || every_hour) {
            found.insert(at);
        }
        if let Some(last) = furthest.filter(|_| !every_hour) {
            let mut left_out = last.checked_add(jiff::Span::new().minutes(1)).unwrap();
            while left_out < reading {
                if asks.fits(left_out) {
                    found.insert(at);
                }
                left_out = left_out.checked_add(jiff::Span::new().minutes(1)).unwrap();
            }
        }
        furthest = furthest.max(Some(reading));
    }
    found
}

fn some_of(range: std::ops::RangeInclusive<i8>, most: usize) -> impl Strategy<Value = Vec<i8>> {
    let all: Vec<i8> = range.collect();
    let most = most.min(all.len());
    proptest::sample::subsequence(all, 1..=most)
}

fn asks() -> impl Strategy<Value = Asks> {
    let hours = prop_oneof![
        3 => some_of(0..=23, 4),
        1 => Just((0..24).collect()),
        1 => Just(vec![0, 1, 2, 3]),
    ];
    let days = proptest::option::of(some_of(1..=31, 8));
    let weekdays = proptest::option::of(some_of(0..=6, 4));
    (
        some_of(0..=59, 3),
        hours,
        days,
        some_of(1..=12, 12),
        weekdays,
    )
        .prop_map(|(minutes, hours, days, months, weekdays)| Asks {
            minutes,
            hours,
            days,
            months,
            weekdays,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn cron_is_what_a_scan_of_every_minute_finds(
        asks in asks(), name in proptest::sample::select(&ZONES[..]), month in 0..36i64,
    ) {
        let from = Timestamp(at("2026-01-01T00:00:00Z").0 + month * 30 * 86_400_000 - 1);
        let to = Timestamp(from.0 + 75 * 86_400_000);
        let zone = TimeZone::get(name).unwrap();
        let table = cron(&asks.text(), name);
        let times: Vec<i64> = table.times_after(from).map(|time| time.0).take_while(|time| *time <= to.0).collect();
        // The scan starts two days earlier, so that it has seen what a clock that is put back shows again.
        let before = Timestamp(from.0 - 2 * 86_400_000);
        let expected: Vec<i64> = scan(&zone, before, to, &asks).into_iter().filter(|time| *time > from.0).collect();
        prop_assert_eq!(&times, &expected, "{} in {}", asks.text(), name);
        prop_assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        // One at a time it is the same.
        let mut after = from;
        for time in times.iter().take(40) {
            after = table.next_after(after).unwrap();
            prop_assert_eq!(after.0, *time);
        }
    }

    #[test]
    fn an_rrule_of_times_on_the_clock_is_what_a_scan_finds(
        asks in asks(), name in proptest::sample::select(&ZONES[..]), month in 0..36i64,
    ) {
        let list = |numbers: &[i8]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let from = Timestamp(at("2026-01-01T00:00:00Z").0 + month * 30 * 86_400_000 - 1);
        let to = Timestamp(from.0 + 75 * 86_400_000);
        let mut rule = format!(
            "DTSTART:20250101T000000 FREQ=DAILY;BYMINUTE={};BYHOUR={};BYMONTH={}",
            list(&asks.minutes), list(&asks.hours), list(&asks.months),
        );
        let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
        if let Some(days) = &asks.days {
            rule.push_str(&format!(";BYMONTHDAY={}", list(days)));
        }
        if let Some(weekdays) = &asks.weekdays {
            let named: Vec<&str> = weekdays.iter().map(|day| names[*day as usize]).collect();
            rule.push_str(&format!(";BYDAY={}", named.join(",")));
        }
        let zone = TimeZone::get(name).unwrap();
        let table = Timetable::read(&Schedule::Rrule(rule.clone()), &crate::support::zone(name)).unwrap();
        let times: Vec<i64> = table.times_after(from).map(|time| time.0).take_while(|time| *time <= to.0).collect();
        // Every reading of those days, made up for as RFC 5545 says.
        let narrow = |reading: DateTime| {
            let both = Asks { days: None, weekdays: None, ..asks.clone() }.fits(reading);
            let weekday = reading.weekday().to_sunday_zero_offset();
            both && asks.days.as_ref().is_none_or(|days| days.contains(&reading.day()))
                && asks.weekdays.as_ref().is_none_or(|days| days.contains(&weekday))
        };
        let mut expected = BTreeSet::new();
        let mut reading = zone.to_datetime(jiff::Timestamp::from_millisecond(from.0 - 3 * 86_400_000).unwrap());
        reading = reading.date().at(0, 0, 0, 0);
        let last = zone.to_datetime(jiff::Timestamp::from_millisecond(to.0 + 3 * 86_400_000).unwrap());
        while reading < last {
            if narrow(reading) {
                let at = zone.to_ambiguous_timestamp(reading).compatible().unwrap().as_millisecond();
                if at > from.0 && at <= to.0 {
                    expected.insert(at);
                }
            }
            reading = reading.checked_add(jiff::Span::new().minutes(1)).unwrap();
        }
        let expected: Vec<i64> = expected.into_iter().collect();
        prop_assert_eq!(times, expected, "{} in {}", rule, name);
    }

    /// Whatever is read, times come in order and do not depend on where one begins to ask.
    #[test]
    fn times_of_any_rule_come_in_order(
        frequency in proptest::sample::select(&["MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"][..]),
        interval in 1..50u32, set_pos in proptest::option::of(-5..=5i16),
        hours in proptest::option::of(some_of(0..=23, 3)), weekdays in proptest::option::of(some_of(0..=6, 3)),
        name in proptest::sample::select(&ZONES[..]), skip in 0..40usize,
    ) {
        let list = |numbers: &[i8]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
        let mut rule = format!("DTSTART:20260115T021500 FREQ={frequency};INTERVAL={interval}");
        if let Some(hours) = &hours {
            rule.push_str(&format!(";BYHOUR={}", list(hours)));
        }
        if let Some(weekdays) = &weekdays {
            let named: Vec<&str> = weekdays.iter().map(|day| names[*day as usize]).collect();
            rule.push_str(&format!(";BYDAY={}", named.join(",")));
        }
        if let Some(pos) = set_pos.filter(|pos| *pos != 0 && (hours.is_some() || weekdays.is_some())) {
            rule.push_str(&format!(";BYSETPOS={pos}"));
        }
        let table = rrule(&rule, name);
        let from = at("2026-01-01T00:00:00Z");
        let times: Vec<Timestamp> = table.times_after(from).take(60).collect();
        prop_assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{}", rule);
        if let Some(begin) = times.get(skip) {
            let rest: Vec<Timestamp> = table.times_after(*begin).take(10).collect();
            let expected: Vec<Timestamp> = times[skip + 1..].iter().take(10).copied().collect();
            prop_assert_eq!(&rest[..expected.len()], &expected[..], "{}", rule);
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "[-0-9*/,@A-Z;=: ä]{0,40}") {
        let _ = read_cron(&text);
        let utc = zone("UTC");
        let _ = Timetable::read(&Schedule::Rrule(text.clone()), &utc);
        let _ = Timetable::read(&Schedule::Rrule(format!("DTSTART:20270101T120000 {text}")), &utc);
        let _ = Timetable::read(&Schedule::At(text), &utc);
    }
}
