//! The schema takes what the crate reads, and says where something does not fit.

use adjutant_statistics::{Request, schema};
use jsonschema::Validator;
use serde_json::{Value, json};

fn validator() -> Validator {
    jsonschema::validator_for(&schema()).expect("a usable schema")
}

fn requests() -> Vec<Value> {
    let whole: Value = serde_json::from_str(include_str!("../reference/reference.json"))
        .expect("reference.json is JSON");
    let cases = whole["cases"].as_array().expect("cases").clone();
    cases
        .into_iter()
        .map(|case| case["request"].clone())
        .collect()
}

#[test]
fn every_reference_request_fits_and_every_analysis_has_one() {
    let validator = validator();
    let requests = requests();
    for request in &requests {
        let problems: Vec<String> = validator
            .iter_errors(request)
            .map(|error| error.to_string())
            .collect();
        assert!(problems.is_empty(), "{}: {problems:?}", request["analysis"]);
    }
    let schema = schema();
    let names = schema["properties"]["analysis"]["enum"]
        .as_array()
        .expect("names");
    for name in names {
        assert!(
            requests.iter().any(|request| request["analysis"] == *name),
            "{name} has no reference"
        );
    }
}

/// What the schema leaves out, the crate does without; what it adds, the crate refuses.
#[test]
fn the_schema_and_the_reader_agree_on_fields() {
    let validator = validator();
    let mut seen = Vec::new();
    for request in requests() {
        let name = request["analysis"].as_str().expect("a name").to_owned();
        if seen.contains(&name) {
            continue;
        }
        let fields: Vec<String> = request
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect();
        for field in fields.iter().filter(|field| *field != "analysis") {
            let mut less = request.clone();
            less.as_object_mut().expect("an object").remove(field);
            assert_eq!(
                validator.is_valid(&less),
                serde_json::from_value::<Request>(less).is_ok(),
                "{name} without {field}"
            );
        }
        let mut more = request.clone();
        more["surprise"] = json!(1);
        assert!(!validator.is_valid(&more), "{name}");
        assert!(serde_json::from_value::<Request>(more).is_err(), "{name}");
        seen.push(name);
    }
}

#[test]
fn what_does_not_fit_is_reported_where_it_stands() {
    let validator = validator();
    let request = json!({"analysis": "welch_t", "a": [1, "two"], "b": [1, 2]});
    let paths: Vec<String> = validator
        .iter_errors(&request)
        .map(|error| error.instance_path().as_str().to_owned())
        .collect();
    assert_eq!(paths, ["/a/1"]);
    let unknown: Vec<String> = validator
        .iter_errors(&json!({"analysis": "guess"}))
        .map(|error| error.instance_path().as_str().to_owned())
        .collect();
    assert_eq!(unknown, ["/analysis"]);
}
