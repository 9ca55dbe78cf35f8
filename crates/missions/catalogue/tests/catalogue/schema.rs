//! The published schema and the reader agree.

use adjutant_catalogue::{BUILT_IN, WithoutTools, read, schema};
use serde_json::Value;

use crate::support::{SEARCHES, small};

const PUBLISHED: &str = include_str!("../../schema/mission-template.json");

#[test]
fn the_published_schema_is_that_of_the_code() {
    let published: Value = serde_json::from_str(PUBLISHED).unwrap();
    assert_eq!(
        published,
        schema(),
        "run `cargo run -p adjutant-catalogue --example schema > crates/missions/catalogue/schema/mission-template.json`"
    );
}

/// What the schema says of a file, and what the reader says.
fn verdicts(text: &str) -> (bool, bool) {
    let published: Value = serde_json::from_str(PUBLISHED).unwrap();
    let validator = jsonschema::validator_for(&published).unwrap();
    let value: Value = serde_saphyr::from_str(text).unwrap();
    let fits = validator.is_valid(&value);
    (fits, read(text.as_bytes(), &WithoutTools).is_ok())
}

#[test]
fn good_files_pass_both() {
    for (file, text) in BUILT_IN {
        assert_eq!(verdicts(text), (true, true), "{file}");
    }
    let asked = "[{name: sure, type: critical_decision, after: sources, question: Is it?}]";
    assert_eq!(verdicts(&small(asked, SEARCHES)), (true, true));
}

#[test]
fn bad_files_fail_both() {
    for (from, to) in [
        ("id: small\n", ""),
        ("name: Small\n", ""),
        ("category: solve", "category: guess"),
        ("version: 1", "version: 0"),
        ("version: 1", "version: newest"),
        ("about: A small one", "about: [A small one]"),
        ("expert: L2-problem-solver\n", ""),
        ("expert: L2-problem-solver", "expert: a b"),
        ("reasoning: chain_of_thought", "reasoning: hope"),
        (
            "reasoning: chain_of_thought",
            "reasoning: {max_iterations: 3}",
        ),
        ("cost: {from: $0.01, to: $0.02}", "cost: {from: $0.01}"),
        ("to: $0.02", "to: plenty"),
        ("time: {from: 1m, to: 2m}", "time: {from: 1m, to: soon}"),
        ("deliverable: {kind: deep_dive}", "deliverable: {}"),
        ("about: What it is about, ", ""),
        ("only_with: kb", "only_with: network"),
        ("by: L4-EV", "by: [L4-EV]"),
        ("tool: L5-PS", "tool: L5-PS\n    agent: extract"),
        ("after: analysis", "aftr: analysis"),
        (
            "checkpoints: []",
            "checkpoints: [{name: sure, type: critical_decision, after: sources}]",
        ),
        (
            "checkpoints: []",
            "checkpoints: [{name: sure, type: guess, after: sources, question: Is it?}]",
        ),
    ] {
        let text = small("[]", SEARCHES);
        assert!(text.contains(from), "{from}");
        let text = text.replacen(from, to, 1);
        assert_eq!(verdicts(&text), (false, false), "{from} -> {to}");
    }
}
