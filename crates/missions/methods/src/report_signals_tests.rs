use serde_json::{Value, json};

use crate::{Exhibit, InputRefused, method};

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("report_signals").unwrap().apply)(input)
}

fn reports() -> Value {
    json!({"sources": [{
        "id": "FDA:reactions:x", "title": "Reactions",
        "text": "Reports with x: 170\nTotal reports: 1884\nHYPERKALAEMIA: 61 (all drugs: 258)\nHEADACHE: 5 (all drugs: 106)",
        "details": {"reports": 170, "all_reports": 1884, "reactions": [
            {"reaction": "HEADACHE", "reports": 5, "all_reports": 106},
            {"reaction": "HYPERKALAEMIA", "reports": 61, "all_reports": 258},
            {"reaction": "IMPOSSIBLE", "reports": 61, "all_reports": 8},
        ]},
    }], "total": 3})
}

fn row(exhibit: &Exhibit, table: usize, row: usize) -> Vec<&str> {
    let cells = exhibit.tables[table].rows[row].iter();
    cells.map(|cell| cell.text.as_str()).collect()
}

/// PRR, ROR and their intervals by hand in Python, from a=61, b=109, c=197, d=1517; EBGM by SciPy (see `shrinkage_tests`).
#[test]
fn ratios_of_reports_are_computed_with_their_intervals() {
    let exhibit = apply(json!({"counts": [reports()]})).unwrap();
    assert_eq!(
        row(&exhibit, 0, 0),
        [
            "HYPERKALAEMIA",
            "3.12 (2.46 to 3.97)",
            "4.31 (3.05 to 6.10)",
            "2.57 (2.06 to 3.18)",
            "3 of 3",
            "signal"
        ]
    );
    assert_eq!(
        row(&exhibit, 1, 0),
        ["HYPERKALAEMIA", "61", "170", "197", "1714", "23.28"]
    );
    assert_eq!(row(&exhibit, 0, 1)[5], "no signal");
    assert_eq!(
        exhibit.headlines[0].text,
        "1 of 2 events are signals by all criteria"
    );
    assert_eq!(exhibit.headlines[1].evidence.len(), 3);
    assert_eq!(exhibit.charts.len(), 1);
    assert!(crate::is_drawable(&exhibit));
    let left_out = exhibit
        .notes
        .iter()
        .find(|note| note.title == "Left out")
        .unwrap();
    assert!(left_out.text.starts_with("1 events"));
}

/// Evans, Waller and Davis (2001): uveitis with rifabutin, 41 of 55 reports against 754 of 592712 give a PRR of 586.
#[test]
fn the_published_example_of_the_proportional_reporting_ratio_is_reproduced() {
    let counts = json!({"sources": [{"details": {"reports": 55, "all_reports": 592_767, "reactions": [
        {"reaction": "UVEITIS", "reports": 41, "all_reports": 795},
    ]}}]});
    let exhibit = apply(json!({"counts": [counts]})).unwrap();
    assert_eq!(row(&exhibit, 0, 0)[1], "586 (494 to 695)");
    assert_eq!(row(&exhibit, 0, 0)[5], "signal");
}

#[test]
fn tables_with_sizes_of_groups_are_compared_too() {
    let text = "| Event | New pump (n=120) | Old pump (n = 118) |\n|---|---|---|\n| Leak | 24 (20%) | 6 (5%) |\n\
                | Noise | 5 | 5 |\n| Smoke | 0 | 2 |\n| Share | 10% | 4% |";
    // The document is given whole, and its passage besides.
    let exhibit = apply(json!({"sources": [
        {"id": "kb:t", "title": "T", "text": text}, {"id": "kb:t#0-1", "title": "T", "text": text},
    ]}))
    .unwrap();
    // (24/120)/(6/118) = 3.9333; (24*112)/(96*6) = 4.6667.
    let leak = row(&exhibit, 0, 0);
    assert_eq!(
        (leak[0], &leak[1][..4], &leak[2][..4]),
        ("Leak", "3.93", "4.67")
    );
    assert_eq!(
        (leak[3], leak[4], leak[5]),
        ("not defined", "2 of 2", "signal")
    );
    let events: Vec<&str> = exhibit.tables[0]
        .rows
        .iter()
        .map(|row| row[0].text.as_str())
        .collect();
    assert_eq!(events, ["Leak", "Noise", "Smoke"]);
    let smoke = row(&exhibit, 0, 2);
    assert_eq!((smoke[1], smoke[4]), ("not defined", "0 of 0"));
    assert_eq!(
        exhibit.tables[1].rows[0][0].evidence[0].quote,
        "| Leak | 24 (20%) | 6 (5%) |"
    );
}

#[test]
fn one_criterion_is_enough_if_people_say_so() {
    let counts = json!({"sources": [{"details": {"reports": 100, "all_reports": 10_000, "reactions": [
        {"reaction": "RASH", "reports": 9, "all_reports": 400},
    ]}}]});
    let result = |option: &str| {
        let input =
            json!({"counts": [counts.clone()], "choices": [{"option": option, "note": ""}]});
        let exhibit = apply(input).unwrap();
        let next = exhibit
            .headlines
            .iter()
            .any(|one| one.text.starts_with("Next"));
        (exhibit.tables[0].rows[0][5].text.clone(), next)
    };
    assert_eq!(result("all_criteria"), ("no signal".to_owned(), false));
    assert_eq!(result("any_criterion"), ("signal".to_owned(), true));
}

#[test]
fn without_counts_nothing_is_computed() {
    let exhibit = apply(json!({"counts": [{"sources": [], "total": 0}]})).unwrap();
    assert!(exhibit.headlines.is_empty() && exhibit.tables.is_empty());
    assert_eq!(exhibit.notes[0].title, "No counts");
}
