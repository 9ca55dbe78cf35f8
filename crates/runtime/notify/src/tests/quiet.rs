use jiff::civil::{Time, time};
use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::*;

/// Central Europe, spelled out so that no time zone database is needed.
fn berlin() -> TimeZone {
    TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap()
}

fn quiet(from: Time, until: Time) -> Channel {
    let hours = QuietHours::new(from, until, berlin(), Urgent::Passes).unwrap();
    Channel {
        quiet: Some(hours),
        ..channel(Carrier::Terminal)
    }
}

fn at(text: &str) -> Timestamp {
    let instant: jiff::Timestamp = text.parse().unwrap();
    Timestamp(instant.as_millisecond())
}

#[track_caller]
fn check(channel: &Channel, now: &str, goes_out: &str) {
    let medium = about(Severity::Medium, None);
    let not_before = channel.not_before(at(now), &medium);
    assert_eq!(not_before, at(goes_out), "at {now}");
}

#[test]
fn the_night_is_over_in_the_morning() {
    let night = quiet(time(22, 0, 0, 0), time(7, 0, 0, 0));
    // Winter: an hour ahead of UTC.
    check(&night, "2026-01-10T20:59:59Z", "2026-01-10T20:59:59Z");
    check(&night, "2026-01-10T21:00:00Z", "2026-01-11T06:00:00Z");
    check(&night, "2026-01-11T05:59:59Z", "2026-01-11T06:00:00Z");
    check(&night, "2026-01-11T06:00:00Z", "2026-01-11T06:00:00Z");
    // Summer: two hours.
    check(&night, "2026-07-10T20:00:00Z", "2026-07-11T05:00:00Z");
}

#[test]
fn a_lunch_break_ends_the_same_day() {
    let lunch = quiet(time(12, 0, 0, 0), time(13, 0, 0, 0));
    check(&lunch, "2026-01-10T11:30:00Z", "2026-01-10T12:00:00Z");
    check(&lunch, "2026-01-10T12:00:00Z", "2026-01-10T12:00:00Z");
    check(&lunch, "2026-01-10T10:59:00Z", "2026-01-10T10:59:00Z");
}

#[test]
fn a_night_with_a_change_of_the_clock_ends_by_the_clock() {
    let night = quiet(time(22, 0, 0, 0), time(7, 0, 0, 0));
    check(&night, "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z");
    check(&night, "2026-10-24T22:00:00Z", "2026-10-25T06:00:00Z");
}

#[test]
fn an_end_that_the_clock_skips_is_when_it_skips_it() {
    let night = quiet(time(22, 0, 0, 0), time(2, 30, 0, 0));
    check(&night, "2026-03-28T23:00:00Z", "2026-03-29T01:00:00Z");
    check(&night, "2026-03-29T00:45:00Z", "2026-03-29T01:00:00Z");
}

#[test]
fn an_end_that_comes_twice_holds_each_time() {
    let night = quiet(time(22, 0, 0, 0), time(2, 30, 0, 0));
    check(&night, "2026-10-25T00:15:00Z", "2026-10-25T00:30:00Z");
    check(&night, "2026-10-25T00:45:00Z", "2026-10-25T00:45:00Z");
    // The clock went back, and the night is here again.
    check(&night, "2026-10-25T01:15:00Z", "2026-10-25T01:30:00Z");
}

#[test]
fn what_is_urgent_passes_where_it_may() {
    let now = at("2026-01-10T23:00:00Z");
    let night = quiet(time(22, 0, 0, 0), time(7, 0, 0, 0));
    for severity in [Severity::High, Severity::Critical] {
        assert_eq!(night.not_before(now, &about(severity, None)), now);
    }
    assert!(night.not_before(now, &About::ending(mission(), now)) > now);
    let hours = QuietHours::new(time(22, 0, 0, 0), time(7, 0, 0, 0), berlin(), Urgent::Waits);
    let strict = Channel {
        quiet: Some(hours.unwrap()),
        ..night
    };
    assert!(strict.not_before(now, &about(Severity::Critical, None)) > now);
}

#[test]
fn mistakes_are_told_apart() {
    let parse = |from, until, zone| {
        let zone = QuietHours::zone(zone)?;
        QuietHours::parse(from, until, zone, Urgent::Passes)
    };
    assert!(parse("22:00", "07:00", "UTC").is_ok());
    assert!(matches!(
        parse("22", "07:00", "UTC"),
        Err(QuietError::Time { .. })
    ));
    assert!(matches!(
        parse("24:00", "07:00", "UTC"),
        Err(QuietError::Time { .. })
    ));
    assert!(matches!(
        parse("+1:00", "07:00", "UTC"),
        Err(QuietError::Time { .. })
    ));
    assert!(matches!(
        parse("07:00", "07:00", "UTC"),
        Err(QuietError::Empty { .. })
    ));
    assert!(matches!(
        parse("22:00", "07:00", "Mars/North"),
        Err(QuietError::Zone { .. })
    ));
}

proptest! {
    /// The first instant at which the clock on the wall says that it is not quiet, and no other.
    #[test]
    fn a_notice_waits_exactly_until_it_is_not_quiet(
        minutes in 0i64..(3 * 366 * 24 * 60),
        from in 0i8..24, from_minute in 0i8..60,
        until in 0i8..24, until_minute in 0i8..60,
    ) {
        let (from, until) = (time(from, from_minute, 0, 0), time(until, until_minute, 0, 0));
        prop_assume!(from != until);
        let channel = quiet(from, until);
        let now = Timestamp(at("2026-01-01T00:00:00Z").0 + minutes * 60_000);
        let medium = about(Severity::Medium, None);
        let is_quiet = |at: Timestamp| {
            let local = berlin().to_datetime(jiff::Timestamp::from_millisecond(at.0).unwrap()).time();
            if from < until { from <= local && local < until } else { from <= local || local < until }
        };
        let goes_out = channel.not_before(now, &medium);
        let mut expected = now;
        while is_quiet(expected) {
            expected = expected.plus(Millis::seconds(60));
        }
        prop_assert_eq!(goes_out, expected);
    }
}
