//! The texts of an input as JSON, each with its place.

use serde_json::Value;

/// Gives every text to `change`, with its JSON pointer; what comes back takes its place. Names of fields are no
/// texts, except those of an item's values: a task may have written them.
pub(crate) fn each(value: &mut Value, change: &mut dyn FnMut(&str, &str) -> Option<String>) {
    walk(value, &mut String::new(), change);
}

fn walk(
    value: &mut Value,
    pointer: &mut String,
    change: &mut dyn FnMut(&str, &str) -> Option<String>,
) {
    let length = pointer.len();
    match value {
        Value::String(text) => {
            if let Some(changed) = change(pointer, text) {
                *text = changed;
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter_mut().enumerate() {
                pointer.push_str(&format!("/{at}"));
                walk(item, pointer, change);
                pointer.truncate(length);
            }
        }
        Value::Object(fields) => {
            if pointer.starts_with("/items/") && pointer.ends_with("/values") {
                let named = std::mem::take(fields).into_iter();
                *fields = named
                    .map(|(name, value)| (change(pointer, &name).unwrap_or(name), value))
                    .collect();
                return;
            }
            for (name, field) in fields.iter_mut() {
                pointer.push('/');
                pointer.push_str(name);
                walk(field, pointer, change);
                pointer.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
