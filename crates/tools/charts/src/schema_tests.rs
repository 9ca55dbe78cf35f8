use serde_json::{Value, json};

use crate::{Chart, samples, schema};

fn validator() -> jsonschema::Validator {
    jsonschema::validator_for(&schema()).unwrap()
}

#[test]
fn every_sample_fits_the_schema_as_written_and_as_we_write_it() {
    let validator = validator();
    for (name, value) in samples::files() {
        assert!(validator.is_valid(&value), "{name}");
        let chart: Chart = serde_json::from_value(value).unwrap();
        let again = serde_json::to_value(&chart).unwrap();
        assert!(validator.is_valid(&again), "{name} written again");
        assert_eq!(serde_json::from_value::<Chart>(again).unwrap(), chart);
    }
}

#[test]
fn there_is_a_sample_of_every_kind() {
    let schema = schema();
    let kinds = schema["oneOf"].as_array().unwrap();
    assert_eq!(kinds.len(), 11);
    for kind in kinds {
        let name = &kind["properties"]["chart"]["const"];
        let shown = samples::files().iter().any(|(_, v)| v["chart"] == *name);
        assert!(shown, "{name}");
    }
}

/// Every change of a sample that the schema refuses is refused by reading or drawing too, and the other way round.
#[test]
fn the_schema_and_the_reader_agree_on_what_is_missing_or_unknown() {
    let validator = validator();
    for (name, value) in samples::files() {
        let fields: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        for field in fields {
            let mut less = value.clone();
            less.as_object_mut().unwrap().remove(&field);
            agree(&validator, &less, &format!("{name} without {field}"));
        }
        let mut more = value.clone();
        more["colour"] = json!("red");
        agree(&validator, &more, &format!("{name} with an unknown field"));
    }
}

fn agree(validator: &jsonschema::Validator, value: &Value, what: &str) {
    let read = serde_json::from_value::<Chart>(value.clone()).is_ok();
    assert_eq!(validator.is_valid(value), read, "{what}");
}

#[test]
fn every_field_is_explained() {
    fn explained(value: &Value, path: &str) {
        if let Some(Value::Object(fields)) = value.get("properties") {
            for (name, field) in fields {
                let known = field.get("const").is_some()
                    || field.get("$ref").is_some()
                    || field.get("properties").is_some()
                    || field.get("items").is_some();
                assert!(known || field.get("description").is_some(), "{path}.{name}");
                explained(field, &format!("{path}.{name}"));
            }
        }
        if let Some(items) = value.get("items") {
            explained(items, path);
        }
    }
    for kind in schema()["oneOf"].as_array().unwrap() {
        explained(kind, kind["properties"]["chart"]["const"].as_str().unwrap());
    }
}
