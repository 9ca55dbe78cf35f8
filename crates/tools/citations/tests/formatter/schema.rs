//! The schema takes what the formatter takes, and every answer fits its own.

use adjutant_citations::{Request, answer_schema, schema};
use serde_json::{Value, json};

use super::format_json;

fn samples() -> Vec<Value> {
    vec![
        json!({ "format": "citations", "style": "apa", "items": [{ "id": "a", "type": "book", "title": "T" }], "cited": ["a"], "markup": "html" }),
        json!({ "format": "references", "from": "bibtex", "text": "@book{a, title={T}}\nstray", "to": "ris" }),
        json!({ "format": "styles" }),
        json!({ "format": "table", "to": "csv", "columns": [{ "title": "A", "number": { "style": "percent" } }], "rows": [{ "A": 1 }] }),
        json!({ "format": "template", "template": "[[ a ]]", "values": { "a": 1 } }),
    ]
}

#[test]
fn samples_fit_the_schema_and_answers_theirs() {
    let requests = jsonschema::validator_for(&schema()).expect("a schema");
    let answers = jsonschema::validator_for(&answer_schema()).expect("a schema");
    let samples = samples();
    let kinds: Vec<&str> = samples
        .iter()
        .filter_map(|sample| sample["format"].as_str())
        .collect();
    assert_eq!(kinds, Request::KINDS);
    for sample in samples {
        assert!(requests.is_valid(&sample), "{sample}");
        let answer = serde_json::to_value(format_json(sample).expect("an answer")).expect("JSON");
        assert!(answers.is_valid(&answer), "{answer}");
    }
}

#[test]
fn what_is_unknown_fits_neither() {
    let requests = jsonschema::validator_for(&schema()).expect("a schema");
    let mut sample = samples().remove(0);
    sample["colour"] = json!("red");
    assert!(!requests.is_valid(&sample));
    assert!(serde_json::from_value::<Request>(sample).is_err());
}
