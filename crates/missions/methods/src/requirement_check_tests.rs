use serde_json::{Value, json};

use crate::{Exhibit, InputRefused, method};

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("requirement_check").unwrap().apply)(input)
}

fn input(found: [&str; 2], owed: Value) -> Value {
    let point = |key: &str, found: &str| {
        let evidence = match found {
            "no" => json!([]),
            _ => json!([{"source": "kb:a/b.md#0-10", "quote": "The roof bears the load."}]),
        };
        json!({"key": key, "found": found, "evidence": evidence, "missing": "the proof"})
    };
    json!({
        "requirements": [{"key": "load", "wants": "load of the roof"}, {"key": "permit", "wants": "permit of the council"}],
        "met": [{"points": [point("load", found[0]), point("permit", found[1])]}],
        "reading": [{"today": "2026-03-01", "owed": owed}],
    })
}

fn owed(what: &str, due: &str, status: &str) -> Value {
    json!({"who": "Ann", "what": what, "due": due, "status": status,
        "at": {"sentence": format!("{what} by {due}."), "address": "kb:a/c.md#0-50"}})
}

fn verdict(input: Value) -> String {
    apply(input).unwrap().data["verdict"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn the_verdict_follows_from_the_worst() {
    let none = json!([]);
    assert_eq!(
        verdict(input(["yes", "yes"], none.clone())),
        "Feasible, as far as the evidence goes"
    );
    assert_eq!(
        verdict(input(["yes", "partly"], none.clone())),
        "Feasible on conditions"
    );
    assert_eq!(
        verdict(input(["yes", "no"], none.clone())),
        "Not shown to be feasible"
    );
    let open = json!([owed("Send the permit of the council", "2026-04-01", "open")]);
    assert_eq!(
        verdict(input(["yes", "yes"], open)),
        "Feasible on conditions"
    );
    let mut short = input(["yes", "yes"], none);
    short["limits"] =
        json!([{"name": "Budget", "needed": 120.0, "available": 100.0, "unit": "EUR"}]);
    assert_eq!(verdict(short), "Not feasible as it is planned");
}

#[test]
fn the_tightest_limit_and_what_would_change_it_are_named() {
    let mut input = input(["yes", "yes"], json!([]));
    input["limits"] = json!([
        {"name": "Staff", "needed": 4.0, "available": 5.0, "unit": "people"},
        {"name": "Budget", "needed": 120.0, "available": 100.0, "unit": "EUR"},
    ]);
    let exhibit = apply(input).unwrap();
    assert_eq!(
        exhibit.headlines[1].text,
        "The tightest limit is Budget: 20 EUR missing"
    );
    let changes = exhibit
        .tables
        .iter()
        .find(|it| it.caption == "What would make it feasible")
        .unwrap();
    assert_eq!(
        changes.rows[0][1].text,
        "20 EUR more, or a need that is so much smaller"
    );
    assert_eq!(changes.rows.len(), 1);
}

#[test]
fn conditions_come_by_date_with_the_time_that_is_left() {
    let all = json!([
        owed("Ask the neighbours", "next spring", "open"),
        owed("Order the steel", "2026-04-01", "open"),
        owed("Send the permit of the council", "2026-02-20", "overdue"),
        owed("Clean up", "2026-01-01", "fulfilled"),
    ]);
    let mut given = input(["yes", "partly"], all);
    given["by"] = json!("2026-04-11");
    let exhibit = apply(given.clone()).unwrap();
    let texts: Vec<&str> = exhibit
        .headlines
        .iter()
        .map(|one| one.text.as_str())
        .collect();
    assert_eq!(
        texts[1..],
        [
            "The bottleneck is permit of the council (in part; 1 condition still open)",
            "The last dated condition is due on 2026-04-01, 10 days before 2026-04-11, by which it must be done",
        ]
    );
    let table = exhibit.tables.last().unwrap();
    let days: Vec<&str> = table.rows.iter().map(|row| row[1].text.as_str()).collect();
    assert_eq!(days, ["-9", "31", "unknown"]);
    given["answers"] = json!([{"option": "overdue_is_done"}]);
    let exhibit = apply(given).unwrap();
    assert_eq!(exhibit.figures[2].value, "2");
    assert_eq!(
        exhibit.tables.last().unwrap().caption,
        "Past its date without a report, and done by the word of a person"
    );
}

#[test]
fn by_a_cautious_reading_part_is_nothing() {
    let mut given = input(["yes", "partly"], json!([]));
    given["answers"] = json!([{"option": "cautious"}]);
    assert_eq!(verdict(given), "Not shown to be feasible");
}

#[test]
fn no_requirements_are_refused() {
    let refused = apply(json!({"requirements": [], "met": []})).unwrap_err();
    assert_eq!(refused.to_string(), "give 1 to 24 requirements");
}
