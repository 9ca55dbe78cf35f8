//! The schema that a model is given and the type its answer is read into say the same.

use adjutant_questions::{Input, Output, Purpose};
use serde_json::{Value, json};

use crate::samples;

#[test]
fn an_answer_that_fits_its_schema_is_read_and_written_back_unchanged() {
    for &purpose in Purpose::ALL {
        let schema = purpose.output_schema();
        let answer = samples::answer(purpose);
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&answer), "{}", purpose.name());
        let mut written = Output::read(purpose, answer.clone()).unwrap().value();
        let mut wanted = answer;
        as_floats(&mut written);
        as_floats(&mut wanted);
        assert_eq!(written, wanted, "{}", purpose.name());
    }
}

/// Taking a field away, adding one or changing its kind is refused by the schema, and by the type too, which only takes
/// a field that may be `null` for one that is missing.
#[test]
fn an_answer_with_anything_else_in_it_is_refused() {
    for &purpose in Purpose::ALL {
        let validator = jsonschema::validator_for(&purpose.output_schema()).unwrap();
        for changed in changes(&samples::answer(purpose)) {
            assert!(
                !validator.is_valid(&changed),
                "{}: {changed}",
                purpose.name()
            );
            if let Ok(read) = Output::read(purpose, changed.clone()) {
                let nulls = read.value().to_string().matches("null").count();
                assert!(
                    nulls > changed.to_string().matches("null").count(),
                    "{changed}"
                );
            }
        }
    }
}

/// Providers that hold a model to a schema demand closed objects with every field required.
#[test]
fn schemas_are_closed() {
    for &purpose in Purpose::ALL {
        closed(&purpose.output_schema(), purpose.name());
    }
}

#[test]
fn an_input_with_something_else_in_it_is_refused_and_names_it() {
    for &purpose in Purpose::ALL {
        let mut question = samples::question(purpose);
        question["colour"] = json!("red");
        let error = Input::read(purpose, question).unwrap_err().to_string();
        assert!(
            error.contains("`colour`") && error.contains(purpose.name()),
            "{error}"
        );
    }
}

#[test]
fn the_fields_of_an_input_are_those_it_is_read_with() {
    for &purpose in Purpose::ALL {
        let question = samples::question(purpose);
        assert_eq!(
            purpose.check_unresolved(&question),
            [],
            "{}",
            purpose.name()
        );
        let (needed, more) = purpose.fields();
        for name in [needed, more].concat() {
            let mut less = question.clone();
            less.as_object_mut().unwrap().remove(name);
            let reads = Input::read(purpose, less.clone()).is_ok();
            assert_eq!(reads, more.contains(&name), "{}: {name}", purpose.name());
            assert_eq!(purpose.check_unresolved(&less).is_empty(), reads);
            let mut later = question.clone();
            later[name] = json!("{{read.output}}");
            assert_eq!(
                purpose.check_unresolved(&later),
                [],
                "{}: {name}",
                purpose.name()
            );
        }
    }
}

fn closed(schema: &Value, name: &str) {
    match schema {
        Value::Object(fields) => {
            if fields.get("type") == Some(&json!("object")) {
                assert_eq!(fields["additionalProperties"], json!(false), "{name}");
                let properties = fields["properties"].as_object().unwrap();
                let required = fields["required"].as_array().unwrap();
                assert_eq!(properties.len(), required.len(), "{name}: {schema}");
            }
            fields.values().for_each(|field| closed(field, name));
        }
        Value::Array(items) => items.iter().for_each(|item| closed(item, name)),
        _ => {}
    }
}

/// Each object of the answer once without each of its fields, once with one more, once with a field of another kind.
fn changes(value: &Value) -> Vec<Value> {
    let mut changed = Vec::new();
    match value {
        Value::Object(fields) => {
            for name in fields.keys() {
                let mut less = fields.clone();
                less.remove(name);
                changed.push(Value::Object(less));
                let mut other = fields.clone();
                other.insert(name.clone(), json!({ "not": "this" }));
                changed.push(Value::Object(other));
            }
            let mut more = fields.clone();
            more.insert("colour".to_owned(), json!("red"));
            changed.push(Value::Object(more));
            for (name, field) in fields {
                for inner in changes(field) {
                    let mut outer = fields.clone();
                    outer.insert(name.clone(), inner);
                    changed.push(Value::Object(outer));
                }
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                for inner in changes(item) {
                    let mut outer = items.clone();
                    outer[at] = inner;
                    changed.push(Value::Array(outer));
                }
            }
        }
        _ => {}
    }
    changed
}

fn as_floats(value: &mut Value) {
    match value {
        Value::Number(number) => *value = json!(number.as_f64()),
        Value::Array(items) => items.iter_mut().for_each(as_floats),
        Value::Object(fields) => fields.values_mut().for_each(as_floats),
        _ => {}
    }
}
