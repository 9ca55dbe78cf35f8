use adjutant_questions::{DatePrecision, Input, Output, Source, Timeline, TimelineOf};

use crate::dossiers::{answered, changed, harbour, velostat, without};

fn ordered(about: &str, sources: Vec<Source>) -> TimelineOf {
    let input = Input::Timeline(Timeline {
        about: about.to_owned(),
        sources,
        guidance: Vec::new(),
    });
    match answered(&input) {
        Output::Timeline(output) => output,
        other => panic!("{other:?}"),
    }
}

fn dates(timeline: &TimelineOf) -> Vec<&str> {
    timeline
        .events
        .iter()
        .map(|event| event.date.as_str())
        .collect()
}

fn said(text: &str) -> Vec<String> {
    let source = Source {
        id: "s".to_owned(),
        text: text.to_owned(),
        ..Source::default()
    };
    let ordered = ordered("", vec![source]);
    ordered.events.into_iter().map(|event| event.date).collect()
}

#[test]
fn events_are_in_order_and_amounts_are_not_years() {
    let harbour = ordered("", harbour());
    assert_eq!(
        dates(&harbour),
        ["1961", "1998", "2015", "2021", "2023-02-20"]
    );
    let velostat = ordered("", velostat());
    assert_eq!(
        dates(&velostat),
        ["2019-02-03", "2020-11", "2021", "2023", "2023-03"]
    );
    assert_eq!(velostat.events[0].precision, DatePrecision::Day);
    assert_eq!(velostat.events[1].precision, DatePrecision::Month);
}

#[test]
fn a_changed_date_moves_and_a_removed_source_takes_it_away() {
    let moved = changed(
        &harbour(),
        "council",
        "20 February 2023",
        "February 21, 1970",
    );
    assert_eq!(dates(&ordered("", moved))[1], "1970-02-21");
    assert!(!dates(&ordered("", without(&harbour(), "council"))).contains(&"2023-02-20"));
    assert!(ordered("", Vec::new()).events.is_empty());
}

#[test]
fn only_what_it_is_about() {
    assert_eq!(dates(&ordered("quay wall", harbour())), ["1961", "1998"]);
    assert!(ordered("airport", harbour()).events.is_empty());
}

#[test]
fn dates_are_read_as_they_are_written() {
    for (text, wanted) in [
        ("It opened on 2024-03-01.", &["2024-03-01"][..]),
        ("It opened on 1 March 2024.", &["2024-03-01"]),
        ("It opened on Mar 1, 2024.", &["2024-03-01"]),
        ("It opened on the 2nd March 2024.", &["2024-03-02"]),
        ("It opened in March 2024.", &["2024-03"]),
        ("It opened in Q1 2024.", &["2024"]),
        ("It may 2024 times march.", &[]),
        ("We saw 2000 patients.", &[]),
        ("A cohort of 2000 patients was seen.", &[]),
        ("Version 3.2019 cost $2019.", &[]),
        ("In 2019 sales rose.", &["2019"]),
        ("The study (2019) ended.", &["2019"]),
        ("It opened on 2021-02-31.", &[]),
        ("It opened in 2021-13-01.", &[]),
        ("It opened on 31 April 2021 or February 30, 2021.", &[]),
        (
            "It opened on 2024-02-29, not in 2023-02-29.",
            &["2024-02-29"],
        ),
        ("Order no. 2015-03-04-77 was paid.", &[]),
        ("Order no. 2015-03-04 was paid.", &[]),
        ("It was not built in 1950.", &[]),
        ("It was not built in 1950 but in 1952.", &["1952"]),
        ("It was not built until 1950.", &["1950"]),
    ] {
        assert_eq!(said(text), wanted, "{text}");
    }
}
