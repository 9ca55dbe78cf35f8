//! Takes out of a value what the checks block, and leaves the rest as it is.

use serde_json::{Map, Value};

use crate::clean::is_clean;
use crate::{Action, Finding, Origin, Remembered, Text, check, rule};

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
            let accuses = names_blocking_rule(fields);
            for (name, field) in fields.iter_mut() {
                match name.as_str() {
                    "excerpt" if blocks => *field = Value::Null,
                    // What a model quotes is a part of the sentence that is blocked, perhaps a few words.
                    "evidence" | "why" if accuses => *field = Value::Null,
                    _ => withhold(field, before, may_leave),
                }
            }
        }
        _ => {}
    }
}

/// Whether it is what a model says of a passage: that it breaks a rule that blocks.
fn names_blocking_rule(fields: &Map<String, Value>) -> bool {
    let named = fields.get("rule").and_then(Value::as_str).and_then(rule);
    named.is_some_and(|rule| rule.area.action() == Action::Block)
}

/// What the rules block in the strings of a value, each finding with the name of its field as its place.
#[must_use]
pub fn blocking_in(value: &Value) -> Vec<Finding> {
    let mut found = Vec::new();
    gather("", value, &mut found);
    found
}

fn gather(name: &str, value: &Value, found: &mut Vec<Finding>) {
    match value {
        Value::String(text) if text.len() >= TEXT_BYTES_MIN => {
            found.extend(blocking(text).into_iter().map(|finding| Finding {
                place: name.to_owned(),
                ..finding
            }));
        }
        Value::Array(items) => items.iter().for_each(|item| gather(name, item, found)),
        Value::Object(fields) => {
            for (name, field) in fields {
                gather(name, field, found);
            }
        }
        _ => {}
    }
}

/// What the rules block in a text, whoever says it.
fn blocking(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    is_clean(text, |text| {
        found = check(&[Text::new("", text, Origin::Quoted)]).findings;
        found.retain(|finding| finding.action == Action::Block);
        found.is_empty()
    });
    found
}

/// Whether the rules or what an earlier check found block a text.
pub fn is_blocked(text: &str, before: &Remembered, may_leave: &dyn Fn(&Finding) -> bool) -> bool {
    if text.len() < TEXT_BYTES_MIN {
        return false;
    }
    if before.said_by(text).any(|finding| !may_leave(finding)) {
        return true;
    }
    blocking(text).iter().any(|finding| !may_leave(finding))
}
