//! What cron expressions mean, and which are refused.

use crate::support::*;

fn days(text: &str, after: &str, count: usize) -> Vec<String> {
    let told = told(&cron(text, "UTC"), "UTC", after, count);
    told.iter().map(|line| line[..16].to_owned()).collect()
}

#[test]
fn fields_lists_ranges_steps_and_names() {
    let from = "2027-01-01T00:00:00Z";
    assert_eq!(
        days("*/20 9-10 * * *", from, 7),
        [
            "2027-01-01 09:00",
            "2027-01-01 09:20",
            "2027-01-01 09:40",
            "2027-01-01 10:00",
            "2027-01-01 10:20",
            "2027-01-01 10:40",
            "2027-01-02 09:00",
        ]
    );
    assert_eq!(
        days("5,35 8-20/6 1 feb,MAR *", from, 4),
        [
            "2027-02-01 08:05",
            "2027-02-01 08:35",
            "2027-02-01 14:05",
            "2027-02-01 14:35"
        ]
    );
    // 1 January 2027 is a Friday.
    assert_eq!(
        days("0 0 * * sat-SUN", from, 3),
        ["2027-01-02 00:00", "2027-01-03 00:00", "2027-01-09 00:00"]
    );
    assert_eq!(days("0 0 * * 7", from, 1), days("0 0 * * 0", from, 1));
    assert_eq!(
        days("0 0 * * 5-7", from, 3),
        ["2027-01-02 00:00", "2027-01-03 00:00", "2027-01-08 00:00"]
    );
}

#[test]
fn day_and_weekday_add_up_unless_one_is_open() {
    let from = "2027-01-01T00:00:00Z";
    // Vixie cron: the 13th, and every Friday.
    assert_eq!(
        days("0 0 13 * FRI", from, 4),
        [
            "2027-01-08 00:00",
            "2027-01-13 00:00",
            "2027-01-15 00:00",
            "2027-01-22 00:00"
        ]
    );
    // A field that begins with a star only narrows: Fridays on odd days.
    assert_eq!(
        days("0 0 */2 * FRI", from, 3),
        ["2027-01-15 00:00", "2027-01-29 00:00", "2027-02-05 00:00"]
    );
}

#[test]
fn shorthands() {
    let from = "2027-01-30T10:30:00Z";
    for (short, first) in [
        ("@hourly", "2027-01-30 11:00"),
        ("@daily", "2027-01-31 00:00"),
        ("@midnight", "2027-01-31 00:00"),
        ("@weekly", "2027-01-31 00:00"),
        ("@monthly", "2027-02-01 00:00"),
        ("@yearly", "2028-01-01 00:00"),
        ("@ANNUALLY", "2028-01-01 00:00"),
    ] {
        assert_eq!(days(short, from, 1), [first], "{short}");
    }
}

#[test]
fn rare_days_are_found_and_impossible_ones_are_not() {
    let from = "2027-01-01T00:00:00Z";
    assert_eq!(
        days("0 0 29 2 *", from, 2),
        ["2028-02-29 00:00", "2032-02-29 00:00"]
    );
    assert_eq!(
        days("0 0 29 2 *", "2096-03-01T00:00:00Z", 1),
        ["2104-02-29 00:00"],
        "2100 is no leap year"
    );
    assert!(days("0 0 30 2 *", from, 1).is_empty());
    assert!(days("0 0 31 4,6,9,11 *", from, 1).is_empty());
}

#[test]
fn a_time_is_not_after_itself() {
    let table = cron("0 9 * * *", "UTC");
    let nine = at("2027-01-01T09:00:00Z");
    assert_eq!(table.next_after(nine), Some(at("2027-01-02T09:00:00Z")));
    let before = adjutant_mission::Timestamp(nine.0 - 1);
    assert_eq!(table.next_after(before), Some(nine));
}

#[test]
fn what_is_wrong_is_said_with_its_column() {
    for (text, said) in [
        ("61 * * * *", "column 1: the minute is 0 to 59, not 61"),
        ("0 24 * * *", "column 3: the hour is 0 to 23, not 24"),
        (
            "0 0 0 * *",
            "column 5: the day of the month is 1 to 31, not 0",
        ),
        ("0 0 1 13 *", "column 7: the month is 1 to 12, not 13"),
        ("0 0 * * 8", "column 9: the weekday is 0 to 7, not 8"),
        (
            "0 9 * * MON,XYZ",
            "column 13: `XYZ` is not valid for the weekday",
        ),
        ("0 9 * *", "column 8: it has 4 fields instead of five"),
        ("0 0 9 * * *", "column 11: it has 6 fields instead of five"),
        ("", "column 1: it has 0 fields instead of five"),
        (
            "0 9 L * *",
            "column 5: `L` is not supported in the day of the month",
        ),
        (
            "0 9 15W * *",
            "column 5: `W` is not supported in the day of the month",
        ),
        (
            "0 9 ? * *",
            "column 5: `?` is not supported in the day of the month",
        ),
        (
            "0 9 * * 5#2",
            "column 9: `#` is not supported in the weekday",
        ),
        (
            "*/0 * * * *",
            "column 3: `0` is not a valid step for the minute",
        ),
        ("5/10 * * * *", "column 2: a step follows `*` or a range"),
        (
            "30-10 * * * *",
            "column 1: the range `30-10` ends before it begins",
        ),
        ("1,,2 * * * *", "column 3: the minute is missing"),
        ("1- * * * *", "column 3: the minute is missing"),
        ("-1 * * * *", "column 1: the minute is missing"),
        ("@reboot", "column 1: `@reboot` is not supported; @hourly"),
        ("999999999999 * * * *", "column 1: the minute is 0 to 59"),
        ("ä * * * *", "column 1: `ä` is not valid for the minute"),
        ("* ä/b * * *", "column 3: `ä` is not valid for the hour"),
    ] {
        let error = read_cron(text).unwrap_err();
        assert_eq!(error.code(), "ADJ-7002");
        assert!(error.to_string().contains(said), "{text}: {error}");
    }
    let long = "1,".repeat(600) + " * * * *";
    assert!(
        read_cron(&long)
            .unwrap_err()
            .to_string()
            .contains("more than 1000")
    );
}
