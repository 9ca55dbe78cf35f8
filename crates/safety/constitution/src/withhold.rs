//! Takes out of a value what the checks block, and leaves the rest as it is.

use serde_json::Value;

use crate::{Finding, Origin, Remembered, Text, check};

/// In the place of a text that the rules block.
pub const WITHHELD: &str = "[withheld by the constitutional checks]";
/// A shorter text says nothing that the rules could find.
const TEXT_BYTES_MIN: usize = 24;
const BLOCK: &str = "block";

/// Replaces every string of the value that the rules block or that says what an earlier check blocked, but for findings that
/// `may_leave`. The excerpts in the record of a check are short and may lack what makes them harmful, so they go by what they
/// block.
pub fn withhold(value: &mut Value, before: &Remembered, may_leave: &dyn Fn(&Finding) -> bool) {
    match value {
        Value::String(text) if is_blocked(text, before, may_leave) => *text = WITHHELD.to_owned(),
        Value::Array(items) => {
            for item in items {
                withhold(item, before, may_leave);
            }
        }
        Value::Object(fields) => {
            let blocks = fields.get("action").is_some_and(|action| action == BLOCK);
            for (name, field) in fields.iter_mut() {
                match name.as_str() {
                    "excerpt" if blocks => *field = Value::Null,
                    _ => withhold(field, before, may_leave),
                }
            }
        }
        _ => {}
    }
}

/// Whether the rules or what an earlier check found block a text.
pub fn is_blocked(text: &str, before: &Remembered, may_leave: &dyn Fn(&Finding) -> bool) -> bool {
    if text.len() < TEXT_BYTES_MIN {
        return false;
    }
    if before.said_by(text).any(|finding| !may_leave(finding)) {
        return true;
    }
    let checked = check(&[Text::new("", text, Origin::Quoted)]);
    checked.blocking().any(|finding| !may_leave(finding))
}
