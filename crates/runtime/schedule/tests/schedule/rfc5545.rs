//! The examples of RFC 5545, section 3.8.5.3, as far as their parts are supported; and what is refused.

use adjutant_mission::Schedule;
use adjutant_schedule::{Timetable, rrule_with_start, zone_in_rrule};

use crate::support::*;

const NEW_YORK: &str = "America/New_York";

/// All times of a rule that begins on 2 September 1997 at nine, New York; at most `count`.
fn times(start: &str, rule: &str, count: usize) -> Vec<String> {
    let table = rrule(&format!("DTSTART:{start}\nRRULE:{rule}"), NEW_YORK);
    told(&table, NEW_YORK, "1990-01-01T00:00:00Z", count)
}

/// The days of it, all at nine.
fn days(rule: &str, count: usize) -> Vec<String> {
    let times = times("19970902T090000", rule, count);
    times
        .iter()
        .map(|line| {
            assert_eq!(&line[11..16], "09:00", "{line}");
            line[..10].to_owned()
        })
        .collect()
}

#[track_caller]
fn check(rule: &str, expected: &str) {
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!(
        days(rule, expected.len() + usize::from(is_finite(rule))),
        expected,
        "{rule}"
    );
}

fn is_finite(rule: &str) -> bool {
    rule.contains("COUNT") || rule.contains("UNTIL")
}

#[test]
fn daily() {
    check(
        "FREQ=DAILY;COUNT=10",
        "1997-09-02 1997-09-03 1997-09-04 1997-09-05 1997-09-06 1997-09-07 1997-09-08 1997-09-09
         1997-09-10 1997-09-11",
    );
    let until = days("FREQ=DAILY;UNTIL=19971224T000000Z", 200);
    assert_eq!((until.len(), until[112].as_str()), (113, "1997-12-23"));
    let clock = times("19970902T090000", "FREQ=DAILY;UNTIL=19971224T000000Z", 200);
    assert_eq!(
        &clock[53..55],
        ["1997-10-25 09:00 -04:00", "1997-10-26 09:00 -05:00"],
        "nine stays nine"
    );
    check(
        "FREQ=DAILY;INTERVAL=2",
        "1997-09-02 1997-09-04 1997-09-06 1997-09-08",
    );
    check(
        "FREQ=DAILY;INTERVAL=10;COUNT=5",
        "1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12",
    );
    let january = times(
        "19980101T090000",
        "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
        200,
    );
    assert_eq!(january.len(), 93);
    let same = times(
        "19980101T090000",
        "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
        200,
    );
    assert_eq!(january, same);
}

#[test]
fn weekly() {
    check(
        "FREQ=WEEKLY;COUNT=10",
        "1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-10-07 1997-10-14 1997-10-21
         1997-10-28 1997-11-04",
    );
    check(
        "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
        "1997-09-02 1997-09-16 1997-09-30 1997-10-14 1997-10-28 1997-11-11 1997-11-25",
    );
    check(
        "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
        "1997-09-02 1997-09-04 1997-09-09 1997-09-11 1997-09-16 1997-09-18 1997-09-23 1997-09-25
         1997-09-30 1997-10-02",
    );
    check(
        "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
        "1997-09-02 1997-09-04 1997-09-16 1997-09-18 1997-09-30 1997-10-02 1997-10-14 1997-10-16",
    );
}

#[test]
fn where_the_week_starts_matters() {
    let days = |rule: &str| {
        let times = times("19970805T090000", rule, 9);
        times
            .iter()
            .map(|line| line[5..10].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        days("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO"),
        ["08-05", "08-10", "08-19", "08-24"]
    );
    assert_eq!(
        days("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU"),
        ["08-05", "08-17", "08-19", "08-31"]
    );
}

#[test]
fn monthly() {
    let from = |start: &str, rule: &str, count| {
        let times = times(start, rule, count);
        times
            .iter()
            .map(|line| line[..10].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        from("19970905T090000", "FREQ=MONTHLY;COUNT=4;BYDAY=1FR", 9),
        ["1997-09-05", "1997-10-03", "1997-11-07", "1997-12-05"]
    );
    assert_eq!(
        from(
            "19970907T090000",
            "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
            11
        ),
        [
            "1997-09-07",
            "1997-09-28",
            "1997-11-02",
            "1997-11-30",
            "1998-01-04",
            "1998-01-25",
            "1998-03-01",
            "1998-03-29",
            "1998-05-03",
            "1998-05-31"
        ]
    );
    assert_eq!(
        from("19970922T090000", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", 9),
        [
            "1997-09-22",
            "1997-10-20",
            "1997-11-17",
            "1997-12-22",
            "1998-01-19",
            "1998-02-16"
        ]
    );
    assert_eq!(
        from("19970928T090000", "FREQ=MONTHLY;BYMONTHDAY=-3", 6),
        [
            "1997-09-28",
            "1997-10-29",
            "1997-11-28",
            "1997-12-29",
            "1998-01-29",
            "1998-02-26"
        ]
    );
    check(
        "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
        "1997-09-02 1997-09-15 1997-10-02 1997-10-15 1997-11-02 1997-11-15 1997-12-02 1997-12-15
         1998-01-02 1998-01-15",
    );
    assert_eq!(
        from(
            "19970930T090000",
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
            11
        ),
        [
            "1997-09-30",
            "1997-10-01",
            "1997-10-31",
            "1997-11-01",
            "1997-11-30",
            "1997-12-01",
            "1997-12-31",
            "1998-01-01",
            "1998-01-31",
            "1998-02-01"
        ]
    );
    assert_eq!(
        from(
            "19970910T090000",
            "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
            11
        )[6..],
        ["1999-03-10", "1999-03-11", "1999-03-12", "1999-03-13"]
    );
    check(
        "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
        "1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-11-04",
    );
    // Friday the 13th; the start itself is none and does not count.
    check(
        "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
        "1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13",
    );
    check(
        "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
        "1997-09-13 1997-10-11 1997-11-08 1997-12-13 1998-01-10",
    );
}

#[test]
fn a_month_without_the_day_is_left_out() {
    let times = times(
        "20070115T090000",
        "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
        9,
    );
    let days: Vec<&str> = times.iter().map(|line| &line[..10]).collect();
    assert_eq!(
        days,
        [
            "2007-01-15",
            "2007-01-30",
            "2007-02-15",
            "2007-03-15",
            "2007-03-30"
        ]
    );
}

#[test]
fn yearly() {
    let from = |start: &str, rule: &str, count| {
        let times = times(start, rule, count);
        times
            .iter()
            .map(|line| line[..10].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        from("19970610T090000", "FREQ=YEARLY;COUNT=4;BYMONTH=6,7", 9),
        ["1997-06-10", "1997-07-10", "1998-06-10", "1998-07-10"]
    );
    assert_eq!(
        from(
            "19970310T090000",
            "FREQ=YEARLY;INTERVAL=2;COUNT=4;BYMONTH=1,2,3",
            9
        ),
        ["1997-03-10", "1999-01-10", "1999-02-10", "1999-03-10"]
    );
    assert_eq!(
        from("19970519T090000", "FREQ=YEARLY;BYDAY=20MO", 3),
        ["1997-05-19", "1998-05-18", "1999-05-17"]
    );
    assert_eq!(
        from("19970313T090000", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", 4),
        ["1997-03-13", "1997-03-20", "1997-03-27", "1998-03-05"]
    );
    // Election day.
    assert_eq!(
        from(
            "19961105T090000",
            "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
            3
        ),
        ["1996-11-05", "2000-11-07", "2004-11-02"]
    );
    assert_eq!(
        from("20240229T090000", "FREQ=YEARLY", 2),
        ["2024-02-29", "2028-02-29"]
    );
}

#[test]
fn positions_in_the_set() {
    let from = |start: &str, rule: &str, count| {
        let times = times(start, rule, count);
        times
            .iter()
            .map(|line| line[..10].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        from(
            "19970904T090000",
            "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
            9
        ),
        ["1997-09-04", "1997-10-07", "1997-11-06"]
    );
    assert_eq!(
        from(
            "19970929T090000",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
            7
        ),
        [
            "1997-09-29",
            "1997-10-30",
            "1997-11-27",
            "1997-12-30",
            "1998-01-29",
            "1998-02-26",
            "1998-03-30"
        ]
    );
    let last = times(
        "20270101T090000",
        "FREQ=YEARLY;BYMONTH=1,6;BYDAY=MO,FR;BYSETPOS=1,-1",
        4,
    );
    let last: Vec<&str> = last.iter().map(|line| &line[..10]).collect();
    assert_eq!(
        last,
        ["2027-01-01", "2027-06-28", "2028-01-03", "2028-06-30"]
    );
    let hours = times(
        "20270101T090000",
        "FREQ=DAILY;BYHOUR=9,12,15;BYSETPOS=-1",
        2,
    );
    assert_eq!(
        hours,
        ["2027-01-01 15:00 -05:00", "2027-01-02 15:00 -05:00"]
    );
}

#[test]
fn hours_and_minutes() {
    let clock = |rule: &str, count| {
        let times = times("19970902T090000", rule, count);
        times
            .iter()
            .map(|line| line[8..16].to_owned())
            .collect::<Vec<_>>()
    };
    // The RFC says 170000Z and means five in New York.
    assert_eq!(
        clock("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z", 9),
        ["02 09:00", "02 12:00", "02 15:00"]
    );
    assert_eq!(
        clock("FREQ=MINUTELY;INTERVAL=15;COUNT=6", 9),
        [
            "02 09:00", "02 09:15", "02 09:30", "02 09:45", "02 10:00", "02 10:15"
        ]
    );
    assert_eq!(
        clock("FREQ=MINUTELY;INTERVAL=90;COUNT=4", 9),
        ["02 09:00", "02 10:30", "02 12:00", "02 13:30"]
    );
    let every_twenty = "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40";
    let minutely = "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16";
    let expected = times("19970902T090000", every_twenty, 100);
    assert_eq!(expected, times("19970902T090000", minutely, 100));
    assert_eq!(&expected[23][8..16], "02 16:40");
    assert_eq!(&expected[24][8..16], "03 09:00");
}

#[test]
fn an_end_is_a_day_a_reading_or_an_instant() {
    let days =
        |until: &str| times("20270601T090000", &format!("FREQ=DAILY;UNTIL={until}"), 50).len();
    assert_eq!(days("20270603"), 3);
    assert_eq!(days("20270603T090000"), 3);
    assert_eq!(days("20270603T085959"), 2);
    assert_eq!(days("20270603T130000Z"), 3);
    assert_eq!(days("20270603T125959Z"), 2);
    assert_eq!(days("20270531"), 0);
}

#[test]
fn a_count_is_of_times_and_from_the_start() {
    let table = rrule("DTSTART:20270101T120000 RRULE:FREQ=DAILY;COUNT=3", "UTC");
    assert_eq!(
        table.next_after(at("2027-01-02T12:00:00Z")),
        Some(at("2027-01-03T12:00:00Z"))
    );
    assert_eq!(table.next_after(at("2027-01-03T12:00:00Z")), None);
}

#[test]
fn rules_that_never_come_round_end() {
    for rule in [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1",
        "FREQ=HOURLY;INTERVAL=24;BYHOUR=3",
        "FREQ=MONTHLY;BYDAY=5FR;BYMONTHDAY=1",
    ] {
        let table = rrule(&format!("DTSTART:20270101T120000 {rule}"), "UTC");
        assert_eq!(table.next_after(at("2027-01-01T00:00:00Z")), None, "{rule}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_column() {
    for (text, said) in [
        ("FREQ=SECONDLY", "column 30: SECONDLY is not supported"),
        (
            "FREQ=DAILY;BYSECOND=1",
            "column 36: BYSECOND is not supported",
        ),
        (
            "FREQ=YEARLY;BYWEEKNO=20",
            "column 37: BYWEEKNO is not supported",
        ),
        (
            "FREQ=YEARLY;BYYEARDAY=1",
            "column 37: BYYEARDAY is not supported",
        ),
        ("FREQ=DAILY;FOO=1", "column 36: unknown part FOO"),
        ("FREQ=DAILY;FREQ=DAILY", "column 36: FREQ is given twice"),
        ("INTERVAL=2", "column 25: FREQ is missing"),
        (
            "FREQ=DAILY;INTERVAL=0",
            "column 45: INTERVAL is 1 to 1000, not `0`",
        ),
        ("FREQ=DAILY;COUNT=10001", "column 42: COUNT is 1 to 10000"),
        (
            "FREQ=DAILY;COUNT=1;UNTIL=20270101",
            "COUNT and UNTIL cannot be combined",
        ),
        ("FREQ=DAILY;UNTIL=soon", "column 42: `soon` is not an UNTIL"),
        (
            "FREQ=WEEKLY;BYDAY=1MO",
            "column 37: a numbered weekday needs FREQ=MONTHLY",
        ),
        (
            "FREQ=WEEKLY;BYMONTHDAY=1",
            "column 37: BYMONTHDAY cannot be combined with FREQ=WEEKLY",
        ),
        (
            "FREQ=MONTHLY;BYDAY=MO,XX",
            "column 47: `XX` is not a weekday",
        ),
        (
            "FREQ=MONTHLY;BYDAY=54MO",
            "column 44: the number of a weekday is 1 to 53",
        ),
        (
            "FREQ=MONTHLY;BYMONTHDAY=0",
            "column 49: BYMONTHDAY is 1 to 31",
        ),
        (
            "FREQ=MONTHLY;BYSETPOS=1",
            "column 38: BYSETPOS needs another part",
        ),
        ("FREQ=DAILY;BYHOUR=24", "column 43: `24` is not 0 to 23"),
        ("FREQ=DAILY;BYMONTH=13", "column 44: `13` is not 1 to 12"),
        ("FREQ=DAILY;INTERVAL", "column 36: `INTERVAL` has no `=`"),
        ("FREQ=DAILY RRULE:FREQ=DAILY", "rule is given twice"),
        (
            "FREQ=DAILY EXDATE:20270101T000000",
            "EXDATE is not supported",
        ),
        ("FREQ=ä", "column 30: unknown FREQ `ä`"),
    ] {
        let text = format!("DTSTART:20270101T120000 {text}");
        let read = Timetable::read(&Schedule::Rrule(text.clone()), &zone("UTC"));
        let error = read.unwrap_err();
        assert_eq!(error.code(), "ADJ-7003");
        assert!(
            error.to_string().contains(said),
            "{text}: {error}\n  not: {said}"
        );
    }
}

#[test]
fn starts_and_their_zones() {
    let read = |text: &str, name: &str| Timetable::read(&Schedule::Rrule(text.into()), &zone(name));
    assert!(
        read(
            "DTSTART;TZID=Europe/Berlin:20270101T120000 RRULE:FREQ=DAILY",
            "Europe/Berlin"
        )
        .is_ok()
    );
    assert!(read("DTSTART:20270101T120000Z RRULE:FREQ=DAILY", "UTC").is_ok());
    for (text, said) in [
        (
            "DTSTART;TZID=Europe/Paris:20270101T120000 FREQ=DAILY",
            "in Europe/Paris, but the schedule in Europe/Berlin",
        ),
        (
            "DTSTART:20270101T120000Z FREQ=DAILY",
            "in UTC, but the schedule in Europe/Berlin",
        ),
        (
            "DTSTART;VALUE=DATE:20270101 FREQ=DAILY",
            "`VALUE=DATE` is not supported",
        ),
        ("DTSTART:20270101 FREQ=DAILY", "not a date and time like"),
        ("DTSTART:20270101T120000", "there is no rule"),
        ("FREQ=DAILY", "DTSTART is missing"),
    ] {
        let error = read(text, "Europe/Berlin").unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
    }
    assert_eq!(
        zone_in_rrule("DTSTART;TZID=Asia/Tokyo:20270101T120000 FREQ=DAILY"),
        Some("Asia/Tokyo")
    );
    assert_eq!(
        zone_in_rrule("DTSTART:20270101T120000Z FREQ=DAILY"),
        Some("UTC")
    );
    assert_eq!(zone_in_rrule("FREQ=DAILY"), None);
    let berlin = zone("Europe/Berlin");
    let given = rrule_with_start("FREQ=DAILY", at("2027-01-01T11:59:00.001Z"), &berlin);
    assert_eq!(
        given, "DTSTART:20270101T130000 FREQ=DAILY",
        "the next full minute"
    );
    assert_eq!(
        rrule_with_start(&given, at("2028-01-01T00:00:00Z"), &berlin),
        given
    );
}
