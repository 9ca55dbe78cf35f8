//! A schema as Anthropic and Azure take it: limits of numbers, texts and lists become words.

use serde_json::Value;

const LIMITS: [&str; 12] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

pub(super) fn without_limits(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut kept = serde_json::Map::new();
            let mut told = Vec::new();
            let is_schema = !fields.values().all(Value::is_object);
            for (name, value) in fields {
                if is_schema && LIMITS.contains(&name.as_str()) {
                    told.push(format!("{name} {value}"));
                } else {
                    kept.insert(name.clone(), without_limits(value));
                }
            }
            if !told.is_empty() {
                let before = fields.get("description").and_then(Value::as_str);
                let parts = before.into_iter().map(str::to_owned);
                let words = format!("({})", told.join(", "));
                let description = parts.chain([words]).collect::<Vec<_>>().join(" ");
                kept.insert("description".to_owned(), Value::String(description));
            }
            Value::Object(kept)
        }
        Value::Array(items) => items.iter().map(without_limits).collect(),
        other => other.clone(),
    }
}
