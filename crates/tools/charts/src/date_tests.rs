use super::*;

#[test]
fn dates_are_read_whole_or_by_month_or_year() {
    assert_eq!(parse("1970-01-02"), Some(1.0));
    assert_eq!(parse("1970-02"), Some(31.0));
    assert_eq!(parse("1971"), Some(365.0));
    for no in [
        "",
        "24",
        "2024-13",
        "2023-02-29",
        "2024-1-1",
        "2024-01-01-01",
        "soon",
        "+024",
    ] {
        assert_eq!(parse(no), None, "{no}");
    }
}

#[test]
fn the_year_is_written_where_it_changes() {
    let low = parse("2023-10-01").unwrap();
    let high = parse("2024-06-01").unwrap();
    let labels: Vec<String> = ticks(low, high, 8.0).into_iter().map(|t| t.label).collect();
    assert_eq!(labels[0], "Oct 2023");
    assert_eq!(labels[1], "Nov");
    assert_eq!(labels[3], "Jan 2024");
}

#[test]
fn every_span_has_ticks() {
    for (low, high) in [
        ("0001", "9000"),
        ("2024-01-01", "2024-01-02"),
        ("1990", "2024"),
    ] {
        let (low, high) = (parse(low).unwrap(), parse(high).unwrap());
        let count = ticks(low, high, 8.0).len();
        assert!((1..200).contains(&count), "{count}");
    }
}
