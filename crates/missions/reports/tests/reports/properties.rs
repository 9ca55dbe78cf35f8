//! What holds for any pieces and any sources.

use adjutant_questions::Source;
use adjutant_reports::{
    Compose, Decide, Fmea, Kind, Simulate, decision, document, fmea, judge, simulation,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const NAMES: &[&str] = &[
    "analysis",
    "extracts",
    "timeline",
    "gaps",
    "objections",
    "grade",
    "comparison",
    "clusters",
    "scores",
    "scenarios",
    "causes",
    "mitigations",
    "fmea",
    "simulation",
    "decision",
    "draft",
    "looked_up",
    "flags",
    "something",
];
const FIELDS: &[&str] = &[
    "findings",
    "text",
    "kind",
    "evidence",
    "source",
    "quote",
    "confidence",
    "summary",
    "contradictions",
    "about",
    "sides",
    "not_found",
    "events",
    "date",
    "precision",
    "points",
    "found",
    "missing",
    "key",
    "rows",
    "cells",
    "item",
    "criterion",
    "label",
    "sources",
    "where",
    "looked_for",
    "total",
    "claim",
    "objections",
    "ranking",
    "citations",
    "flags",
    "what",
    "because",
    "causes",
    "cause",
    "effect",
    "scenarios",
    "conditions",
    "hypotheses",
    "statement",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("fact".to_owned()),
        Just("a".to_owned()),
        Just("day".to_owned()),
        Just("no".to_owned()),
        Just("2024-02-30".to_owned()),
        Just("The valve failed 4 of 106 times.".to_owned()),
        "[ -~äß€\n|]{0,24}",
    ]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(
                prop::sample::select(FIELDS).prop_map(str::to_owned),
                inner,
                0..6
            )
            .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn finding() -> impl Strategy<Value = Value> {
    (word(), word(), 0.0..2.0f64).prop_map(|(text, quote, confidence)| {
        json!({"text": text, "kind": "fact", "evidence": [{"source": "a", "quote": quote}], "confidence": confidence})
    })
}

fn pieces() -> impl Strategy<Value = Map<String, Value>> {
    let named = prop::collection::btree_map(
        prop::sample::select(NAMES).prop_map(str::to_owned),
        any_json(),
        0..8,
    );
    let sound = prop::collection::vec(finding(), 0..5);
    (named, sound).prop_map(|(named, findings)| {
        let mut all: Map<String, Value> = named.into_iter().collect();
        all.entry("extracts")
            .or_insert_with(|| json!([{"findings": findings, "not_found": [], "confidence": 0.5}]));
        all
    })
}

fn some_sources() -> impl Strategy<Value = Vec<Source>> {
    let text = prop_oneof![
        Just("The valve failed 4 of 106 times.".to_owned()),
        Just("| Id | Risk | Severity |\n|---|---|---|\n| R-1 | Fire | 9 |\n".to_owned()),
        Just("Quantity | Low | Most likely | High\nDelay, months | 1 | 2 | 9\n".to_owned()),
        Just("Criterion | Threshold | Weight\nCost | at most 3 % | 10\nTime | at least 2 months | 0\n".to_owned()),
        "[ -~äß\n|]{0,120}",
    ];
    prop::collection::vec(text, 0..4).prop_map(|texts| {
        let source = |(nth, text): (usize, String)| Source {
            id: ["a", "b", "c", "d"][nth].to_owned(),
            title: String::new(),
            text,
            published: (nth > 0).then(|| format!("202{nth}")),
        };
        texts.into_iter().enumerate().map(source).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_pieces_give_a_sound_document(pieces in pieces(), sources in some_sources(), title in word()) {
        for kind in [Kind::DeepDive, Kind::RiskAssessment, Kind::GoNoGo] {
            let made = document(kind, Compose {
                outline: None,
                title: title.clone(),
                objective: "Are the valves sound?".to_owned(),
                pieces: pieces.clone(),
                offline: true,
                sources: sources.clone(),
            });
            let judged = judge(&made, &sources);
            for check in &judged.checks {
                // How many sources there are is not the builder's doing, and sums may be wrong in pieces from outside.
                let given = ["distinct sources", "sums"].contains(&check.name.as_str());
                prop_assert!(check.passed || given, "{}: {:#?}", check.name, judged.feedback);
            }
        }
    }

    #[test]
    fn any_sources_give_tables_that_hold(sources in some_sources(), objective in word()) {
        let mut pieces = Map::new();
        let risks = fmea(Fmea { sources: sources.clone(), objective: objective.clone(), ..Fmea::default() });
        let simulated = simulation(Simulate { sources: sources.clone(), draws: 200, ..Simulate::default() });
        let decided = decision(Decide { sources: sources.clone(), objective: objective.clone(), ..Decide::default() });
        pieces.insert("fmea".to_owned(), json!(risks));
        pieces.insert("simulation".to_owned(), json!(simulated));
        pieces.insert("decision".to_owned(), json!(decided));
        for kind in [Kind::RiskAssessment, Kind::GoNoGo] {
            let made = document(kind, Compose {
                outline: None,
                objective: objective.clone(),
                pieces: pieces.clone(),
                sources: sources.clone(),
                ..Compose::default()
            });
            let judged = judge(&made, &sources);
            for check in &judged.checks {
                prop_assert!(check.passed || check.name == "distinct sources", "{}: {:#?}", check.name, judged.feedback);
            }
        }
    }
}
