use super::*;

#[test]
fn twenty_years_after_a_leap_day_is_a_day() {
    assert_eq!(years_after("2011-08-14", 20).as_deref(), Some("2031-08-14"));
    assert_eq!(years_after("2080-02-29", 20).as_deref(), Some("2100-02-28"));
    assert_eq!(years_after("2011-08", 20), None);
}

#[test]
fn months_are_numbers_or_names() {
    assert_eq!(month("Sept"), Some(9));
    assert_eq!(month("09"), Some(9));
    assert_eq!(month("may."), Some(5));
    assert_eq!(month("Spring"), None);
    assert_eq!(month("13"), None);
}

#[test]
fn a_date_in_csl_has_the_parts_that_are_known() {
    let csl = |text: &str| Date::from_iso(text).map(csl_date);
    assert_eq!(csl("2024-05"), Some(json!({ "date-parts": [[2024, 5]] })));
}
