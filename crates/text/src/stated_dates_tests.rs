use proptest::prelude::*;

use super::*;

fn stated(text: &str) -> Option<String> {
    parse_stated_date(text, YearDigits::TwoOrFour).map(Date::iso)
}

#[test]
fn the_ways_dates_are_written() {
    for (text, date) in [
        ("2026-06-18T09:15:00Z", "2026-06-18"),
        ("20110814", "2011-08-14"),
        ("2026/6/8", "2026-06-08"),
        ("Thu, 18 Jun 2026 09:15:00 +0200", "2026-06-18"),
        ("18 Jun 26 09:15 GMT", "2026-06-18"),
        ("June 18, 2026", "2026-06-18"),
        ("18th June 2026", "2026-06-18"),
        ("June 2026", "2026-06"),
        ("2026", "2026"),
    ] {
        assert_eq!(stated(text).as_deref(), Some(date), "{text}");
    }
}

#[test]
fn what_is_no_date_is_none() {
    for text in [
        "",
        "yesterday",
        "2026-02-30",
        "Thu, 31 Jun 2026",
        "12",
        "2026-13",
    ] {
        assert_eq!(stated(text), None, "{text}");
    }
}

#[test]
fn two_digits_are_a_year_only_where_they_are_allowed() {
    let text = "18 Jun 26 09:15 GMT";
    assert_eq!(stated(text).as_deref(), Some("2026-06-18"));
    assert_eq!(parse_stated_date(text, YearDigits::Four), None);
}

proptest! {
    #[test]
    fn any_text_is_a_date_or_none(text in "\\PC{0,40}") {
        if let Some(date) = stated(&text) {
            assert!(matches!(date.len(), 4 | 7 | 10));
        }
    }
}
