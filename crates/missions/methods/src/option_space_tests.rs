use serde_json::{Value, json};

use crate::{Exhibit, method};

fn apply(input: Value) -> Exhibit {
    (method("option_space").unwrap().apply)(input).unwrap()
}

fn headlines(exhibit: &Exhibit) -> Vec<&str> {
    exhibit
        .headlines
        .iter()
        .map(|one| one.text.as_str())
        .collect()
}

fn row(criterion: &str, cells: &[(&str, Option<&str>)]) -> Value {
    let cells: Vec<Value> = cells
        .iter()
        .map(|(item, text)| {
            let evidence: Vec<Value> = text
                .iter()
                .map(|text| json!({"source": "kb:1", "quote": text}))
                .collect();
            json!({"item": item, "text": text, "evidence": evidence})
        })
        .collect();
    json!({"criterion": criterion, "differs": true, "cells": cells})
}

fn ferry() -> Value {
    json!({
        "items": [{"name": "Bridge"}, {"name": "Ferry", "values": {"Cost": 3.0}}, {"name": "Boat", "values": {"Cost": 3.0}}],
        "rows": [
            row("Cost", &[("Bridge", Some("The Bridge costs EUR 90 million.")), ("Ferry", Some("The Ferry costs EUR 3 million.")), ("Boat", None)]),
            row("Noise", &[("Bridge", Some("Bridge is loud.")), ("Ferry", Some("Ferry is quiet at night.")), ("Boat", Some("Boat is quiet at night."))]),
        ],
        "limits": ["Cost at most 50 million"],
        "checks": [row("Cost at most 50 million", &[("Bridge", Some("It costs 90 million.")), ("Ferry", Some("It costs 3 million."))])],
        "ideas": [{"text": "A cable car was drawn in 1990.", "kind": "fact", "evidence": [{"source": "kb:2", "quote": "A cable car was drawn in 1990."}], "confidence": 0.7},
                  {"text": "The ferry could sail at night.", "kind": "fact", "evidence": [{"source": "kb:2", "quote": "The ferry could sail at night."}], "confidence": 0.7}],
    })
}

#[test]
fn what_separates_two_options_is_shown_and_a_limit_rules_out() {
    let exhibit = apply(ferry());
    assert_eq!(
        headlines(&exhibit),
        [
            "3 options are open: Bridge, Ferry and Boat",
            "Bridge fails a limit: Cost at most 50 million",
            "What separates them most is Noise: it differs in 2 of 3 pairs",
            "Ferry and Boat are alike in all that is known of both",
            "Ideas in the documents that belong to none of the options: 1",
        ]
    );
    let pairs = &exhibit.tables[1];
    let first: Vec<&str> = pairs.rows[0]
        .iter()
        .map(|cell| cell.text.as_str())
        .collect();
    assert_eq!(first, ["Ferry / Boat", "nothing", "Cost, Noise", "0"]);
    assert_eq!(
        exhibit.tables[3].rows[0][0].text,
        "A cable car was drawn in 1990"
    );
}

#[test]
fn a_person_may_merge_what_is_alike_and_leave_out_what_is_ruled_out() {
    let mut input = ferry();
    input["answers"] = json!([{"option": "merge_alike"}]);
    assert_eq!(
        apply(input.clone()).data["names"],
        json!(["Bridge", "Ferry"])
    );
    input["answers"] = json!([{"option": "only_possible"}]);
    assert_eq!(apply(input).data["names"], json!(["Ferry", "Boat"]));
}

#[test]
fn nothing_is_padded() {
    let exhibit = apply(json!({"items": []}));
    assert_eq!(
        headlines(&exhibit),
        ["No option is named in the objective or in a table of the documents"]
    );
    assert!(exhibit.tables.is_empty());
}
