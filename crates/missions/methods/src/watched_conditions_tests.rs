use serde_json::{Value, json};

use super::*;

fn source(id: &str, published: &str, text: &str) -> Value {
    json!({"id": id, "title": id, "text": text, "published": published})
}

fn apply(mut input: Value) -> Exhibit {
    input["objective"] = json!("Tell me when the reservoir needs attention");
    (WATCHED_CONDITIONS.apply)(input).unwrap()
}

fn statuses(exhibit: &Exhibit) -> Vec<&str> {
    let conditions = exhibit.data["conditions"].as_array().unwrap();
    conditions
        .iter()
        .map(|one| one["status"].as_str().unwrap())
        .collect()
}

fn with(conditions: Value, all: &[Value]) -> Exhibit {
    apply(json!({"conditions": conditions, "documents": [{"sources": all, "complete": true}]}))
}

fn levels() -> Vec<Value> {
    vec![
        source(
            "kb:r/may.md",
            "2026-05-01",
            "The reservoir water level stood at 61 % of the full mark. Lead in 4 % of samples above 10 µg.",
        ),
        source(
            "kb:r/june.md",
            "2026-06-01",
            "The reservoir water level fell to 38 % of the full mark. The pump house burned down.",
        ),
    ]
}

#[test]
fn a_condition_is_met_near_not_met_or_cannot_be_told() {
    let conditions = json!([
        "if the reservoir water level falls below 40 %, call the mayor",
        "reservoir water level under 35 %",
        {"when": "Reservoir water level above 60 %", "then": "open the gate"},
        "Chlorine above 3 mg",
        "Lead above 10 µg in more than 5 % of samples",
        "The pump house burned down",
        "The dam will be sold",
    ]);
    let exhibit = with(conditions, &levels());
    assert_eq!(
        statuses(&exhibit),
        [
            "met",
            "near",
            "not met",
            "cannot be told",
            "not met",
            "met",
            "cannot be told"
        ],
        "the latest value counts, in its unit and on its subject"
    );
    assert_eq!(exhibit.data["conditions"][0]["then"], "call the mayor");
    assert_eq!(exhibit.data["conditions"][2]["then"], "open the gate");
}

#[test]
fn what_documents_demand_is_met_when_it_is_broken() {
    let mut all = levels();
    all.push(source(
        "kb:r/rules.md",
        "2020-01-01",
        "The reservoir water level must stay above 40 % at all times. The reservoir is blue.",
    ));
    let exhibit = apply(json!({"documents": [{"sources": all, "complete": true}]}));
    assert_eq!(statuses(&exhibit), ["met"]);
    let none = apply(json!({"documents": [{"sources": levels(), "complete": true}]}));
    assert!(
        none.headlines[0].text.contains("Name them"),
        "{:?}",
        none.headlines
    );
}

#[test]
fn values_of_one_day_that_disagree_decide_nothing() {
    let mut all = levels();
    all.push(source(
        "kb:r/june-2.md",
        "2026-06-01",
        "The reservoir water level was 45 % of the full mark.",
    ));
    let exhibit = with(json!(["reservoir water level below 40 %"]), &all);
    assert_eq!(statuses(&exhibit), ["cannot be told"]);
}

#[test]
fn a_repetition_tells_what_changed_and_a_failed_source_tells_nothing() {
    let conditions = json!(["reservoir water level below 40 %", "Chlorine above 3 mg"]);
    let before = with(conditions.clone(), &levels()[..1]);
    let earlier = json!([{"known": true, "reported": "2026-05-02", "seen": before.data["seen"]}]);
    let again = |documents: Value| {
        apply(json!({"conditions": conditions, "documents": documents, "earlier": earlier.clone()}))
    };
    let after = again(json!([{"sources": levels(), "complete": true}]));
    assert_eq!(
        (&after.data["changed"], &after.data["new"]),
        (&json!(1), &json!(0))
    );
    assert!(
        after.headlines[1]
            .text
            .starts_with("Met: reservoir water level below 40 %"),
        "{:?}",
        after.headlines
    );
    let failed = again(json!([{"sources": [], "total": null}]));
    assert_eq!(failed.data["nothing_new"], true, "{:?}", failed.data);
    assert!(
        failed
            .headlines
            .iter()
            .any(|one| one.text.contains("did not answer")),
        "{:?}",
        failed.headlines
    );
    // Once the documents can be read again, nothing is new for that.
    let earlier = json!([{"known": true, "reported": "2026-05-03", "seen": failed.data["seen"]}]);
    let back = apply(json!({
        "conditions": ["reservoir water level below 40 %", "Chlorine above 3 mg"],
        "documents": [{"sources": &levels()[..1], "complete": true}], "earlier": earlier,
    }));
    assert_eq!(back.data["nothing_new"], true, "{:?}", back.data);
}

#[test]
fn near_is_a_number_of_percent() {
    let refused =
        (WATCHED_CONDITIONS.apply)(json!({"objective": "x", "near": "often"})).unwrap_err();
    assert!(refused.to_string().contains("0 to 100"));
}

#[test]
fn values_are_told_with_their_units() {
    for (value, unit, told) in [
        ("15", "day", "15 days"),
        ("1", "day", "1 day"),
        ("98.5", "%", "98.5 %"),
        ("40", "mg", "40 mg"),
        ("7", "", "7"),
    ] {
        assert_eq!(crate::text::with_unit(value, unit), told);
    }
}
