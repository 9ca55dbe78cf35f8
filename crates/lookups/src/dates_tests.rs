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
    assert_eq!(year.first_day().joined(""), "20230101");
    assert_eq!(year.last_day().joined(""), "20231231");
    let month = Date::from_iso("2023-02").unwrap();
    assert_eq!(month.last_day().joined("/"), "2023/02/28");
}

#[test]
fn months_have_many_spellings() {
    assert_eq!(month("Sept"), Some(9));
    assert_eq!(month("09"), Some(9));
    assert_eq!(month("Spring"), None);
    assert_eq!(month("13"), None);
}

proptest! {
    #[test]
    fn any_text_may_be_tried(text in ".*") {
        let _ = Date::from_iso(&text);
        let _ = Date::from_compact(&text);
        let _ = Date::from_day_first(&text);
        let _ = month(&text);
    }
}
