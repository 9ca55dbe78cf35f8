//! Clocks that are put forward and back, by an hour, half an hour, a day; and zones that never are.

use adjutant_mission::Schedule;
use adjutant_schedule::{Timetable, Zone};

use crate::support::*;

const BERLIN: &str = "Europe/Berlin";

#[track_caller]
fn check_cron(text: &str, name: &str, after: &str, expected: &[&str]) {
    let times = told(&cron(text, name), name, after, expected.len());
    assert_eq!(times, expected, "{text} in {name}");
}

#[test]
fn a_time_that_is_left_out_fires_once_when_the_clock_was_put_forward() {
    // Berlin, 28 March 2027: 02:00 is 03:00.
    let after = "2027-03-27T00:00:00Z";
    let made_up = [
        "2027-03-27 02:30 +01:00",
        "2027-03-28 03:00 +02:00",
        "2027-03-29 02:30 +02:00",
    ];
    check_cron("30 2 * * *", BERLIN, after, &made_up);
    // Three that are left out are made up for by one, and it is the one that was to come anyway.
    let once = [
        "2027-03-28 01:00 +01:00",
        "2027-03-28 03:00 +02:00",
        "2027-03-28 04:00 +02:00",
    ];
    check_cron(
        "0,20,40 1-4 * * *",
        BERLIN,
        "2027-03-28T00:50:00Z",
        &once[1..2],
    );
    check_cron("0 1-4 * * *", BERLIN, "2027-03-27T23:00:00Z", &once);
}

#[test]
fn a_time_that_comes_twice_fires_the_first_time_only() {
    // Berlin, 31 October 2027: 03:00 is 02:00.
    let first = [
        "2027-10-30 02:30 +02:00",
        "2027-10-31 02:30 +02:00",
        "2027-11-01 02:30 +01:00",
    ];
    check_cron("30 2 * * *", BERLIN, "2027-10-30T00:00:00Z", &first);
    let table = cron("30 2 * * *", BERLIN);
    let between = at("2027-10-31T00:45:00Z");
    assert_eq!(
        table.next_after(between),
        Some(at("2027-11-01T01:30:00Z")),
        "also when asked between the two"
    );
}

#[test]
fn what_fires_in_every_hour_goes_by_the_passing_of_time() {
    let put_back = [
        "2027-10-31 01:30 +02:00",
        "2027-10-31 02:30 +02:00",
        "2027-10-31 02:30 +01:00",
        "2027-10-31 03:30 +01:00",
    ];
    check_cron("30 * * * *", BERLIN, "2027-10-30T23:00:00Z", &put_back);
    let put_forward = ["2027-03-28 01:30 +01:00", "2027-03-28 03:30 +02:00"];
    check_cron("30 * * * *", BERLIN, "2027-03-28T00:00:00Z", &put_forward);
    for text in ["*/10 * * * *", "*/10 0-23 * * *"] {
        let table = cron(text, BERLIN);
        for day in ["2027-03-28T00:00:00Z", "2027-10-31T00:00:00Z"] {
            let times: Vec<i64> = table
                .times_after(at(day))
                .take(24)
                .map(|time| time.0)
                .collect();
            let steady = times.windows(2).all(|pair| pair[1] - pair[0] == 600_000);
            assert!(steady, "{text} on {day}");
        }
    }
}

#[test]
fn every_other_hour_is_a_time_on_the_clock() {
    let put_forward = [
        "2027-03-28 00:00 +01:00",
        "2027-03-28 03:00 +02:00",
        "2027-03-28 04:00 +02:00",
    ];
    check_cron("0 */2 * * *", BERLIN, "2027-03-27T22:30:00Z", &put_forward);
    let put_back = [
        "2027-10-31 00:00 +02:00",
        "2027-10-31 02:00 +02:00",
        "2027-10-31 04:00 +01:00",
    ];
    check_cron("0 */2 * * *", BERLIN, "2027-10-30T21:30:00Z", &put_back);
}

#[test]
fn new_york_over_the_years() {
    let table = cron("30 2 * * SUN", "America/New_York");
    let times = told(&table, "America/New_York", "2026-01-01T00:00:00Z", 53 * 6);
    let put_forward: Vec<&str> = times
        .iter()
        .filter(|line| line.contains(" 03:00 "))
        .map(|line| &line[..10])
        .collect();
    assert_eq!(
        put_forward,
        [
            "2026-03-08",
            "2027-03-14",
            "2028-03-12",
            "2029-03-11",
            "2030-03-10",
            "2031-03-09"
        ]
    );
    assert!(
        times
            .iter()
            .filter(|line| !line.contains(" 03:00 "))
            .all(|line| line.contains(" 02:30 "))
    );
}

#[test]
fn lord_howe_moves_by_half_an_hour() {
    const HOWE: &str = "Australia/Lord_Howe";
    // 3 October 2027: 02:00 is 02:30. 4 April 2027: 02:00 is 01:30.
    check_cron(
        "10 2 * * *",
        HOWE,
        "2027-10-02T10:00:00Z",
        &["2027-10-03 02:30 +11:00", "2027-10-04 02:10 +11:00"],
    );
    check_cron(
        "40 2 * * *",
        HOWE,
        "2027-10-02T10:00:00Z",
        &["2027-10-03 02:40 +11:00"],
    );
    check_cron(
        "45 1 * * *",
        HOWE,
        "2027-04-03T10:00:00Z",
        &["2027-04-04 01:45 +11:00", "2027-04-05 01:45 +10:30"],
    );
    check_cron(
        "45 * * * *",
        HOWE,
        "2027-04-03T14:00:00Z",
        &[
            "2027-04-04 01:45 +11:00",
            "2027-04-04 01:45 +10:30",
            "2027-04-04 02:45 +10:30",
        ],
    );
}

#[test]
fn kathmandu_never_moves() {
    check_cron(
        "0 9 * * *",
        "Asia/Kathmandu",
        "2027-03-27T12:00:00Z",
        &["2027-03-28 09:00 +05:45", "2027-03-29 09:00 +05:45"],
    );
    let table = cron("0 9 * * *", "Asia/Kathmandu");
    assert_eq!(
        table.next_after(at("2027-03-28T00:00:00Z")),
        Some(at("2027-03-28T03:15:00Z"))
    );
}

#[test]
fn a_whole_day_may_be_left_out() {
    // Samoa had no 30 December 2011.
    check_cron(
        "0 9 * * *",
        "Pacific/Apia",
        "2011-12-28T22:00:00Z",
        &[
            "2011-12-29 09:00 -10:00",
            "2011-12-31 00:00 +14:00",
            "2011-12-31 09:00 +14:00",
        ],
    );
    let table = rrule("DTSTART:20111228T090000 FREQ=DAILY", "Pacific/Apia");
    assert_eq!(
        told(&table, "Pacific/Apia", "2011-12-28T22:00:00Z", 3),
        [
            "2011-12-29 09:00 -10:00",
            "2011-12-31 09:00 +14:00",
            "2012-01-01 09:00 +14:00"
        ],
        "two fall on one instant"
    );
}

#[test]
fn midnight_may_be_left_out_or_come_twice() {
    // Beirut puts its clock forward at midnight, and back from midnight to eleven.
    check_cron(
        "0 0 * * *",
        "Asia/Beirut",
        "2027-03-26T23:00:00Z",
        &["2027-03-28 01:00 +03:00", "2027-03-29 00:00 +03:00"],
    );
    check_cron(
        "30 23 * * *",
        "Asia/Beirut",
        "2027-10-29T21:00:00Z",
        &["2027-10-30 23:30 +03:00", "2027-10-31 23:30 +02:00"],
    );
    check_cron(
        "0 0 * * *",
        "Asia/Beirut",
        "2027-10-29T22:00:00Z",
        &["2027-10-31 00:00 +02:00", "2027-11-01 00:00 +02:00"],
    );
}

#[test]
fn an_rrule_reads_a_time_left_out_as_if_the_clock_had_not_moved() {
    // RFC 5545, 3.3.5: 02:30 on that day in New York means 03:30.
    let table = rrule("DTSTART:20070310T023000 FREQ=DAILY", "America/New_York");
    assert_eq!(
        told(&table, "America/New_York", "2007-03-10T00:00:00Z", 3),
        [
            "2007-03-10 02:30 -05:00",
            "2007-03-11 03:30 -04:00",
            "2007-03-12 02:30 -04:00"
        ]
    );
    // And 01:30 on the day it comes twice, the first.
    let table = rrule("DTSTART:20071103T013000 FREQ=DAILY", "America/New_York");
    assert_eq!(
        told(&table, "America/New_York", "2007-11-03T12:00:00Z", 2),
        ["2007-11-04 01:30 -04:00", "2007-11-05 01:30 -05:00"]
    );
    // So a later time of the clock may come earlier; the order is that of instants, and two on one are one.
    let table = rrule(
        "DTSTART:20070311T000000 FREQ=DAILY;BYHOUR=2,3;BYMINUTE=15,30",
        "America/New_York",
    );
    assert_eq!(
        told(&table, "America/New_York", "2007-03-11T00:00:00Z", 3),
        [
            "2007-03-11 03:15 -04:00",
            "2007-03-11 03:30 -04:00",
            "2007-03-12 02:15 -04:00"
        ]
    );
    let hourly = rrule(
        "DTSTART:20071104T003000 FREQ=HOURLY;COUNT=4",
        "America/New_York",
    );
    assert_eq!(
        told(&hourly, "America/New_York", "2007-11-04T00:00:00Z", 9),
        [
            "2007-11-04 00:30 -04:00",
            "2007-11-04 01:30 -04:00",
            "2007-11-04 01:30 -05:00",
            "2007-11-04 02:30 -05:00"
        ]
    );
}

#[test]
fn an_instant_or_a_time_on_the_clock() {
    let read = |text: &str| {
        let table = Timetable::read(&Schedule::At(text.into()), &zone(BERLIN));
        table.map(|table| table.next_after(at("2000-01-01T00:00:00Z")).unwrap())
    };
    assert_eq!(
        read("2027-07-01T09:00").unwrap(),
        at("2027-07-01T07:00:00Z")
    );
    assert_eq!(
        read(" 2027-01-01 09:00:30 ").unwrap(),
        at("2027-01-01T08:00:30Z")
    );
    assert_eq!(
        read("2027-07-01T09:00:00-03:00").unwrap(),
        at("2027-07-01T12:00:00Z")
    );
    assert_eq!(
        read("2027-07-01T09:00:00.250Z").unwrap(),
        at("2027-07-01T09:00:00.250Z")
    );
    assert_eq!(
        read("2027-03-28T02:30").unwrap(),
        at("2027-03-28T01:30:00Z"),
        "left out: 03:30"
    );
    assert_eq!(
        read("2027-10-31T02:30").unwrap(),
        at("2027-10-31T00:30:00Z"),
        "twice: the first"
    );
    for text in [
        "2027-07-01",
        "tomorrow",
        "",
        "2027-02-30T09:00",
        "25:00",
        "2027-07-01T09:00[Asia/Tokyo]",
    ] {
        assert_eq!(read(text).unwrap_err().code(), "ADJ-7001", "{text}");
    }
    let past = Timetable::read(&Schedule::At("2027-07-01T09:00Z".into()), &zone(BERLIN)).unwrap();
    assert_eq!(past.next_after(at("2027-07-01T09:00:00Z")), None);
}

#[test]
fn zones_are_found_by_name_even_where_the_machine_has_none() {
    for name in [BERLIN, "UTC", "Australia/Lord_Howe"] {
        assert_eq!(Zone::named(name).unwrap().name(), name);
        assert!(jiff::tz::TimeZoneDatabase::bundled().get(name).is_ok());
    }
    for name in [
        "Europe/Atlantis",
        "",
        "+01:00",
        "../../etc/passwd",
        "Etc/Unknown",
    ] {
        let error = Zone::named(name).unwrap_err();
        assert_eq!(error.code(), "ADJ-7004", "{name}");
    }
}
