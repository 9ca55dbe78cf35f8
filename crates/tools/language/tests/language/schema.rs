//! The schema takes what the crate takes, and the crate what the schema takes.

use adjutant_language::{Kind, answer_schema, schema};

use super::*;

const TEXT: &str = "The new drug reduced mortality. Patients who took the new drug were happy, but some had severe headache. The old \
                    drug did not improve survival, and serious adverse events were rare.";

fn samples() -> Vec<Value> {
    vec![
        json!({ "process": "language", "text": TEXT }),
        json!({ "process": "sentences", "text": TEXT }),
        json!({ "process": "entities", "text": TEXT }),
        json!({ "process": "entities", "text": TEXT, "kinds": Kind::NAMES }),
        json!({ "process": "phrases", "text": TEXT }),
        json!({ "process": "phrases", "text": TEXT, "language": "en", "count": 3 }),
        json!({ "process": "sentiment", "text": TEXT }),
        json!({ "process": "sentiment", "text": TEXT, "about": "clinical" }),
        json!({ "process": "readability", "text": TEXT, "language": "en" }),
        json!({ "process": "compare", "text": TEXT, "other": "The new drug was withdrawn in 2019." }),
    ]
}

#[test]
fn every_sample_is_valid_and_answered() {
    let schema = schema();
    jsonschema::meta::validate(&schema).unwrap();
    let requests = jsonschema::validator_for(&schema).unwrap();
    let answers = jsonschema::validator_for(&answer_schema()).unwrap();
    for sample in samples() {
        assert!(requests.is_valid(&sample), "{sample}");
        let answer = ask_json(sample.clone());
        assert!(answers.is_valid(&answer), "{answer}");
        assert_eq!(answer["process"], sample["process"]);
    }
    let kinds: std::collections::BTreeSet<String> = samples()
        .iter()
        .map(|sample| sample["process"].to_string())
        .collect();
    assert_eq!(kinds.len(), schema["oneOf"].as_array().unwrap().len());
}

#[test]
fn what_is_unknown_is_not_valid() {
    let requests = jsonschema::validator_for(&schema()).unwrap();
    for wrong in [
        json!({}),
        json!({ "process": "poetry", "text": "a" }),
        json!({ "process": "sentences" }),
        json!({ "process": "sentences", "text": "a", "kinds": [] }),
        json!({ "process": "entities", "text": "a", "kinds": ["spaceship"] }),
        json!({ "process": "phrases", "text": "a", "language": "xx" }),
        json!({ "process": "sentiment", "text": "a", "about": "love" }),
        json!({ "process": "compare", "text": "a" }),
    ] {
        assert!(!requests.is_valid(&wrong), "{wrong}");
        assert!(
            serde_json::from_value::<Request>(wrong.clone()).is_err(),
            "{wrong}"
        );
    }
}
