//! What is answered without a model fits the schema that a model would be held to for the same question.

use adjutant_questions::{Input, Purpose, narrowed};
use serde_json::{Value, json};

use crate::dossiers::{answered, harbour, velostat};
use crate::properties::question;

#[test]
fn every_answer_fits_the_schema_of_its_question() {
    for sources in [velostat(), harbour(), Vec::new()] {
        let sources = serde_json::to_value(sources).unwrap();
        for &purpose in Purpose::ALL {
            let question = question(
                purpose,
                "Velostat lowers blood pressure",
                "dredging cost",
                &sources,
            );
            let input = Input::read(purpose, question).unwrap();
            let schema = serde_json::to_value(narrowed(&input)).unwrap();
            let mut answer = answered(&input).value();
            round(&mut answer);
            let validator = jsonschema::validator_for(&schema).unwrap();
            let wrong: Vec<String> = validator
                .iter_errors(&answer)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert_eq!(wrong, Vec::<String>::new(), "{}", purpose.name());
        }
    }
}

/// Numbers as a narrowed schema has them: confidence in tenths, scores whole.
fn round(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match (name.as_str(), field.as_f64()) {
                    ("confidence", Some(given)) => *field = json!((given * 10.0).round() / 10.0),
                    ("score", Some(given)) => *field = json!(given.round()),
                    _ => round(field),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(round),
        _ => {}
    }
}
