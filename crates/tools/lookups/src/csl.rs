//! The parts of a CSL-JSON item.

use serde_json::{Value, json};

/// `2024`, `2024-05` or `2024-05-17` as CSL wants it.
pub(crate) fn date(text: &str) -> Option<Value> {
    let parts: Result<Vec<u16>, _> = text.split('-').map(str::parse).collect();
    Some(json!({ "date-parts": [parts.ok()?] }))
}

/// `Halbertsma, Wietse` as a name in two parts, anything else as it stands.
pub(crate) fn name(text: &str) -> Value {
    match text.split_once(',') {
        Some((family, given)) if !family.trim().is_empty() && !given.trim().is_empty() => {
            json!({ "family": family.trim(), "given": given.trim() })
        }
        _ => json!({ "literal": text.trim() }),
    }
}

/// An object of the fields that have a value.
pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let kept = fields.into_iter().filter(|(_, value)| !is_empty(value));
    Value::Object(kept.map(|(name, value)| (name.to_owned(), value)).collect())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}
