use proptest::prelude::*;

use super::*;

#[test]
fn dates_are_read_as_far_as_they_go() {
    let iso = |text: &str| Date::from_iso(text).map(Date::iso);
    assert_eq!(iso("2024").as_deref(), Some("2024"));
    assert_eq!(iso("2024-05").as_deref(), Some("2024-05"));
    assert_eq!(iso("2024-02-29T10:00:00Z").as_deref(), Some("2024-02-29"));
    for wrong in [
        "",
        "24",
        "2024-5",
        "2023-02-29",
        "2024-13",
        "2024-05-17-1",
        "x",
    ] {
        assert_eq!(iso(wrong), None, "{wrong}");
    }
    assert_eq!(
        Date::from_compact("20240517").map(Date::iso).as_deref(),
        Some("2024-05-17")
    );
    assert_eq!(
        Date::from_day_first("08/02/2018 10:11")
            .map(Date::iso)
            .as_deref(),
        Some("2018-02-08")
    );
}

#[test]
fn a_range_reaches_to_the_ends_of_what_is_named() {
    let year = Date::from_iso("2023").unwrap();
    assert_eq!(year.first_day().join(""), "20230101");
    assert_eq!(year.last_day().join(""), "20231231");
    let month = Date::from_iso("2023-02").unwrap();
    assert_eq!(month.last_day().join("/"), "2023/02/28");
}

#[test]
fn a_later_year_may_lack_the_day() {
    let later = |text: &str, years| {
        let date = Date::from_iso(text).unwrap();
        date.years_later(years).map(Date::iso)
    };
    assert_eq!(later("2011-08-14", 20).as_deref(), Some("2031-08-14"));
    assert_eq!(later("2080-02-29", 20).as_deref(), Some("2100-02-28"));
    assert_eq!(later("2011-08", 20).as_deref(), Some("2031-08"));
    assert_eq!(later("2011", u16::MAX), None);
}

#[test]
fn an_exact_date_lies_within_a_less_exact_one() {
    let within = |date: &str, other: &str| {
        let read = |text: &str| Date::from_iso(text).unwrap();
        read(date).is_within(read(other))
    };
    assert!(within("2024-05-17", "2024"));
    assert!(within("2024-05-17", "2024-05"));
    assert!(within("2024-05", "2024-05"));
    assert!(!within("2024", "2024-05"));
    assert!(!within("2024-05-17", "2024-06"));
    assert!(!within("2024-05", "2024-05-17"));
}

#[test]
fn months_have_many_spellings() {
    for (word, by_prefix, english, any) in [
        ("sept", Some(9), Some(9), Some(9)),
        ("september", Some(9), Some(9), Some(9)),
        ("may.", Some(5), None, None),
        ("mayor", Some(5), None, None),
        ("märz", None, None, Some(3)),
        ("dez", None, None, Some(12)),
        ("spring", None, None, None),
        ("ma", None, None, None),
    ] {
        assert_eq!(month_by_prefix(word), by_prefix, "{word}");
        assert_eq!(english_month(word), english, "{word}");
        assert_eq!(month_in_any_language(word), any, "{word}");
    }
    assert!(month_names().contains(&"janvier"));
}

proptest! {
    #[test]
    fn any_text_may_be_tried(text in ".*") {
        let _ = Date::from_iso(&text);
        let _ = Date::from_compact(&text);
        let _ = Date::from_day_first(&text);
        let _ = month_by_prefix(&text);
        let _ = english_month(&text);
    }
}
