//! The templates that come with the crate: text, fields and a sample of each.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::Refusal;

macro_rules! ready {
    ($( $name:literal ),+ $(,)?) => {
        const NAMES: &[&str] = &[$($name),+];
        const SOURCES: &[(&str, &str, &str)] = &[$(
            ($name, include_str!(concat!("ready/", $name, ".md")), include_str!(concat!("ready/", $name, ".json")))
        ),+];
    };
}

ready!(
    "brief",
    "minutes",
    "email",
    "memo",
    "sae_narrative",
    "protocol_synopsis",
    "decision_record",
);

/// A template that comes with the crate.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadyTemplate {
    pub name: &'static str,
    pub about: String,
    /// The JSON Schema of the values.
    pub fields: Value,
    pub sample: Map<String, Value>,
    pub(super) text: String,
}

#[derive(Deserialize)]
struct Description {
    about: String,
    fields: Value,
    sample: Map<String, Value>,
}

pub(super) fn names() -> &'static [&'static str] {
    NAMES
}

/// All ready templates.
pub fn ready_templates() -> Vec<ReadyTemplate> {
    NAMES.iter().filter_map(|name| find(name).ok()).collect()
}

pub(super) fn find(name: &str) -> Result<ReadyTemplate, Refusal> {
    let unknown = || Refusal::unusable("name", name, format!("one of {}", NAMES.join(", ")));
    let (name, text, description) = SOURCES
        .iter()
        .find(|(known, ..)| *known == name)
        .ok_or_else(unknown)?;
    let description: Description = serde_json::from_str(description).map_err(|_| unknown())?;
    Ok(ReadyTemplate {
        name,
        about: description.about,
        fields: description.fields,
        sample: description.sample,
        text: (*text).to_owned(),
    })
}

impl ReadyTemplate {
    /// Refuses the first field that is missing, has another type or is unknown.
    pub(super) fn check(&self, values: &Map<String, Value>) -> Result<(), Refusal> {
        check_object(&self.fields, values, "values")
    }

    /// Adds empty values for fields that are left out, so that a template can test them.
    pub(super) fn fill(&self, values: &Map<String, Value>) -> Map<String, Value> {
        fill_object(&self.fields, values)
    }
}

fn fill_object(schema: &Value, values: &Map<String, Value>) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let value = values.get(name);
        let value = value.map_or(Value::Null, |value| fill_value(schema, value));
        object.insert(name.clone(), value);
    }
    object
}

fn fill_value(schema: &Value, value: &Value) -> Value {
    match value {
        Value::Object(values) if schema["properties"].is_object() => {
            Value::Object(fill_object(schema, values))
        }
        Value::Array(values) => values
            .iter()
            .map(|value| fill_value(&schema["items"], value))
            .collect(),
        other => other.clone(),
    }
}

fn check_object(schema: &Value, values: &Map<String, Value>, path: &str) -> Result<(), Refusal> {
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if values.get(name).is_none_or(Value::is_null) {
            let about = schema["properties"][name]["description"].as_str();
            let advice = about.unwrap_or("the template needs it");
            return Err(Refusal::missing(format!("{path}.{name}"), advice));
        }
    }
    for (name, value) in values {
        let field_path = format!("{path}.{name}");
        match schema["properties"].get(name) {
            Some(schema) => check_field(schema, value, &field_path)?,
            None => {
                return Err(Refusal::unusable(
                    field_path,
                    value,
                    "the template has no such field",
                ));
            }
        }
    }
    Ok(())
}

fn check_field(schema: &Value, value: &Value, path: &str) -> Result<(), Refusal> {
    let wanted = schema["type"].as_str().unwrap_or_default();
    match (wanted, value) {
        ("object", Value::Object(values)) if schema["properties"].is_object() => {
            check_object(schema, values, path)
        }
        ("array", Value::Array(values)) => {
            for (at, value) in values.iter().enumerate() {
                check_field(&schema["items"], value, &format!("{path}[{at}]"))?;
            }
            Ok(())
        }
        ("object", Value::Object(_))
        | ("string", Value::String(_))
        | ("number", Value::Number(_)) => Ok(()),
        (_, Value::Null) => Ok(()),
        _ => Err(Refusal::unusable(
            path,
            value,
            format!("give a value of type {wanted}"),
        )),
    }
}
