//! The schema takes what the crate takes, and the crate what the schema takes.

use std::collections::BTreeSet;

use adjutant_calculator::{answer_schema, schema};

use super::*;

fn samples() -> Vec<Value> {
    let files = [
        include_str!("../reference/computed.json"),
        include_str!("../reference/published.json"),
        include_str!("../reference/samples.json"),
    ];
    let cases = files
        .iter()
        .flat_map(|file| serde_json::from_str::<Vec<Value>>(file).expect("cases"));
    cases.map(|case| case["request"].clone()).collect()
}

#[test]
fn every_sample_is_valid_and_answered() {
    let schema = schema();
    jsonschema::meta::validate(&schema).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let answers = jsonschema::validator_for(&answer_schema()).expect("a schema");
    for sample in samples() {
        assert!(validator.is_valid(&sample), "{sample}");
        let answer = ask(sample.clone()).unwrap_or_else(|refusal| panic!("{sample}: {refusal}"));
        let answer = serde_json::to_value(&answer).expect("JSON");
        assert!(answers.is_valid(&answer), "{answer}");
    }
}

#[test]
fn every_kind_has_a_sample() {
    let sampled: BTreeSet<_> = samples()
        .iter()
        .map(|sample| sample["calculate"].to_string())
        .collect();
    let missing: Vec<_> = Request::KINDS
        .iter()
        .filter(|kind| !sampled.contains(&format!("\"{kind}\"")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn what_is_unknown_is_not_valid() {
    let schema = schema();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let wrong = [
        json!({}),
        json!({ "calculate": "astrology" }),
        json!({ "calculate": "age", "born": "2000-01-01" }),
        json!({ "calculate": "age", "born": "2000-01-01", "on": "2020-01-01", "in": "Rome" }),
        json!({ "calculate": "round", "value": true, "rounding": "down" }),
        json!({ "calculate": "round", "value": 1, "rounding": "sideways" }),
    ];
    for request in wrong {
        assert!(!validator.is_valid(&request), "{request}");
        assert!(
            serde_json::from_value::<Request>(request.clone()).is_err(),
            "{request}"
        );
    }
}

#[test]
fn every_field_says_what_it_is() {
    for kind in schema()["oneOf"].as_array().expect("kinds") {
        assert!(
            kind["description"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{kind}"
        );
        for (name, field) in kind["properties"].as_object().expect("fields") {
            assert!(
                name == "calculate" || field["description"].is_string(),
                "{name} of {kind}"
            );
        }
    }
}
