//! Fields that several analyses share.

use serde_json::{Map, Value, json};

use crate::checks::{COUNT_MAX, GROUPS_MAX, VALUES_MAX};
use crate::resample::RESAMPLES_MAX;

/// One analysis: its name, what it answers, its fields; a name with `?` may be left out.
pub(super) fn branch(name: &str, description: &str, fields: &[(&str, Value)]) -> Value {
    let mut properties = Map::new();
    properties.insert("analysis".to_owned(), json!({ "const": name }));
    let mut required = vec!["analysis"];
    for (field, schema) in fields {
        let bare = field.trim_end_matches('?');
        if bare == *field {
            required.push(bare);
        }
        properties.insert(bare.to_owned(), schema.clone());
    }
    json!({
        "title": name,
        "description": description,
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": properties
    })
}

pub(super) fn numbers(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "number" }, "minItems": 1, "maxItems": VALUES_MAX,
            "description": description })
}

pub(super) fn number(description: &str) -> Value {
    json!({ "type": "number", "description": description })
}

pub(super) fn share(description: &str) -> Value {
    json!({ "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "description": description })
}

pub(super) fn positive(description: &str) -> Value {
    json!({ "type": "number", "exclusiveMinimum": 0, "description": description })
}

pub(super) fn count(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": COUNT_MAX, "description": description })
}

pub(super) fn choice(names: &[&str], description: &str) -> Value {
    json!({ "enum": names, "description": description })
}

pub(super) fn level() -> (&'static str, Value) {
    (
        "level?",
        json!({ "type": "number", "minimum": 0.5, "maximum": 0.9999,
                "description": "confidence of the interval as a share; 0.95 if omitted" }),
    )
}

pub(super) fn alternative() -> (&'static str, Value) {
    let names = ["two_sided", "less", "greater"];
    (
        "alternative?",
        choice(
            &names,
            "two_sided if omitted; less and greater refer to a against b, or to the value",
        ),
    )
}

pub(super) fn groups() -> (&'static str, Value) {
    (
        "groups",
        json!({ "type": "array", "items": numbers("one group's values"), "minItems": 2, "maxItems": GROUPS_MAX,
                "description": "two or more groups of values" }),
    )
}

pub(super) fn table() -> (&'static str, Value) {
    let row =
        json!({ "type": "array", "items": count("a cell"), "minItems": 2, "maxItems": GROUPS_MAX });
    (
        "table",
        json!({ "type": "array", "items": row, "minItems": 2, "maxItems": GROUPS_MAX,
                "description": "rows of counts, all of the same length" }),
    )
}

pub(super) fn seed() -> (&'static str, Value) {
    let maximum = u64::MAX;
    (
        "seed",
        json!({ "type": "integer", "minimum": 0, "maximum": maximum, "description": "the same seed gives the same answer" }),
    )
}

pub(super) fn resamples() -> (&'static str, Value) {
    (
        "resamples?",
        json!({ "type": "integer", "minimum": 100, "maximum": RESAMPLES_MAX, "description": "10000 if omitted" }),
    )
}
