use serde_json::{Value, json};

use crate::{Exhibit, method};

fn apply(input: Value) -> Exhibit {
    (method("substitutes").unwrap().apply)(input).unwrap()
}

fn headlines(exhibit: &Exhibit) -> Vec<&str> {
    exhibit
        .headlines
        .iter()
        .map(|one| one.text.as_str())
        .collect()
}

fn cell(item: &str, text: Option<&str>) -> Value {
    let evidence: Vec<Value> = text
        .iter()
        .map(|text| json!({"source": "kb:1", "quote": text}))
        .collect();
    json!({"item": item, "text": text, "evidence": evidence})
}

fn glue() -> Value {
    json!({
        "requirements": ["It holds at least 20 kg", "Delivery within 3 weeks", "No smell"],
        "items": [{"name": "Wax"}, {"name": "Resin"}],
        "rows": [
            {"criterion": "It holds at least 20 kg", "differs": true, "cells": [cell("Wax", Some("Wax holds 12 kg.")), cell("Resin", Some("Resin holds 45 kg."))]},
            {"criterion": "Delivery within 3 weeks", "differs": true, "cells": [cell("Wax", Some("Wax comes in 1 week.")), cell("Resin", None)]},
            {"criterion": "No smell", "differs": true, "cells": [cell("Wax", Some("Wax smells of honey.")), cell("Resin", None)]},
        ],
    })
}

#[test]
fn substitutes_that_fail_nothing_come_first() {
    let exhibit = apply(glue());
    assert_eq!(
        headlines(&exhibit),
        [
            "Resin meets 1 of 3 requirements, fails 0 and leaves 2 not known or to be judged",
            "Wax meets 1 of 3 requirements, fails 1 and leaves 1 not known or to be judged",
        ]
    );
    let wax: Vec<&str> = exhibit.tables[2]
        .rows
        .iter()
        .map(|row| row[1].text.as_str())
        .collect();
    assert_eq!(wax, ["fails", "meets", "to be judged"]);
    assert_eq!(
        exhibit.tables[2].rows[0][2].evidence[0].quote,
        "Wax holds 12 kg."
    );
}

#[test]
fn a_person_may_leave_out_what_fails() {
    let mut input = glue();
    input["answers"] = json!([{"option": "only_without_failure"}]);
    let exhibit = apply(input);
    assert_eq!(exhibit.data["order"], json!(["Resin"]));
    assert!(exhibit.notes[0].text.ends_with("Wax"));
}

#[test]
fn a_requirement_that_nothing_meets_is_named_and_a_tables_figure_goes_first() {
    let exhibit = apply(json!({
        "requirements": ["Price at most 5"],
        "items": [{"name": "Wax", "values": {"Price": 9.0}}, {"name": "Resin", "values": {"Price": 7.5}}],
    }));
    assert!(headlines(&exhibit).contains(&"No substitute meets this: Price at most 5"));
}

#[test]
fn stated_requirements_are_gathered_and_a_note_changes_them() {
    let finding = |text: &str| json!({"text": text, "kind": "fact", "evidence": [{"source": "kb:1", "quote": text}], "confidence": 0.8});
    let stated = json!([
        finding("The glue must be clear."),
        finding("Glue is sold in tubes."),
        finding("It lasts at least 2 years.")
    ]);
    let answers = json!([{"option": "with_my_note", "note": "without 1; add no smell; be nice"}]);
    let exhibit = apply(json!({"requirements": [], "stated": stated, "answers": answers}));
    assert_eq!(
        exhibit.data["names"],
        json!(["It lasts at least 2 years", "no smell"])
    );
    assert_eq!(exhibit.tables[0].rows[0][1].evidence[0].source, "kb:1");
    assert_eq!(exhibit.notes[0].text, "“be nice”");
    let none = apply(json!({"requirements": []}));
    assert_eq!(
        headlines(&none),
        ["No requirement is given, and no document states one"]
    );
}
