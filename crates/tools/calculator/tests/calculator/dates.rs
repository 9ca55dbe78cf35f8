use super::*;

#[test]
fn differences_count_days_and_business_days() {
    let answer = ask(json!({
        "calculate": "date_difference", "from": "2026-12-23", "to": "2027-01-04",
        "holidays": ["2026-12-25", "2027-01-01"],
    }))
    .expect("an answer");
    assert_eq!(answer.text, "12");
    assert_eq!(part(&answer, "business_days"), "6");
    assert_eq!(part(&answer, "business_days_both_ends"), "7");
    let back = json!({ "calculate": "date_difference", "from": "2024-03-01", "to": "2024-02-28" });
    assert_eq!(text(back), "-2");
}

#[test]
fn ages_are_completed_years() {
    let age = |born: &str, on: &str| text(json!({ "calculate": "age", "born": born, "on": on }));
    assert_eq!(age("1958-06-15", "2026-06-14"), "67");
    assert_eq!(age("1958-06-15", "2026-06-15"), "68");
    assert_eq!(age("2000-02-29", "2001-02-28"), "0");
    assert_eq!(age("2000-02-29", "2001-03-01"), "1");
}

#[test]
fn months_end_where_months_end() {
    let add = |date: &str, months: i32, month_end: &str| {
        text(
            json!({ "calculate": "date_add", "date": date, "months": months, "month_end": month_end }),
        )
    };
    assert_eq!(add("2026-01-31", 1, "shorten"), "2026-02-28");
    assert_eq!(add("2024-01-31", 1, "shorten"), "2024-02-29");
    assert_eq!(add("2026-02-28", 1, "shorten"), "2026-03-28");
    assert_eq!(add("2026-02-28", 1, "keep_last"), "2026-03-31");
    assert_eq!(add("2026-03-31", -1, "shorten"), "2026-02-28");
}

#[test]
fn business_days_step_over_weekends_and_holidays() {
    let add = |date: &str, days: i32| {
        text(json!({
            "calculate": "date_add", "date": date, "business_days": days, "holidays": ["2026-05-01"],
        }))
    };
    assert_eq!(add("2026-04-30", 1), "2026-05-04");
    assert_eq!(add("2026-05-04", -1), "2026-04-30");
    assert_eq!(add("2026-05-02", 0), "2026-05-02");
}

#[test]
fn iso_weeks_follow_the_thursday() {
    let week = |date: &str| text(json!({ "calculate": "day_facts", "date": date }));
    assert_eq!(week("2027-01-01"), "2026-W53-5");
    assert_eq!(week("2024-12-30"), "2025-W01-1");
    assert_eq!(week("2026-11-16"), "2026-W47-1");
}

#[test]
fn schedules_list_their_dates() {
    let answer = ask(json!({
        "calculate": "date_schedule", "start": "2026-01-30", "every": 3, "unit": "weeks", "count": 4,
    }))
    .expect("an answer");
    assert_eq!(answer.text, "2026-04-03");
    assert_eq!(answer.table.expect("a table").rows.len(), 4);
}

#[test]
fn zones_are_crossed_by_instants() {
    let there = |time: &str| {
        json!({
            "calculate": "zone_time", "time": time, "from_zone": "Europe/Berlin", "to_zones": ["America/New_York"],
        })
    };
    assert_eq!(text(there("2026-07-01T15:00")), "2026-07-01T09:00:00-04:00");
    assert_eq!(text(there("2026-03-20T15:00")), "2026-03-20T10:00:00-04:00");
    assert_eq!(
        text(there("2026-10-25T02:30+01:00")),
        "2026-10-24T21:30:00-04:00"
    );
    assert_eq!(
        refusal(there("2026-10-25T02:30")),
        "2026-10-25T02:30:00 happens twice in Europe/Berlin, as 2026-10-25T02:30:00+02:00 and as \
         2026-10-25T02:30:00+01:00: give `time` as one of the two"
    );
    assert_eq!(
        refusal(there("2026-03-29T02:30")),
        "2026-03-29T02:30:00 does not happen in Europe/Berlin, the clock jumps: give `time` as \
         2026-03-29T01:30:00+01:00 or as 2026-03-29T03:30:00+02:00"
    );
}

#[test]
fn dates_that_do_not_exist_are_refused() {
    let age = |born: &str| refusal(json!({ "calculate": "age", "born": born, "on": "2026-01-01" }));
    assert!(age("2025-02-29").contains("a date that exists"));
    assert!(age("03/04/2020").contains("year-month-day"));
    assert!(age("2027-01-01").contains("not before the birth"));
}

#[test]
fn dates_beyond_the_calendar_are_refused() {
    let schedule = |unit: &str| {
        refusal(json!({
            "calculate": "date_schedule", "start": "2026-01-30", "every": 2_000_000_000, "unit": unit, "count": 2,
        }))
    };
    for unit in ["days", "weeks", "months"] {
        assert!(schedule(unit).contains("outside the years"), "{unit}");
    }
    assert!(schedule("business_days").contains("give at most 50000"));
    let far = json!({ "calculate": "date_add", "date": "2026-01-30", "years": i32::MAX });
    assert!(refusal(far).contains("outside the years"));
    let far = json!({ "calculate": "date_add", "date": "2026-01-30", "days": i32::MIN });
    assert!(refusal(far).contains("outside the years"));
    let never = json!({
        "calculate": "date_add", "date": "2026-01-30", "business_days": 1,
        "weekend": ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    });
    assert!(refusal(never).contains("at least one working day"));
}
