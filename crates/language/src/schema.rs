//! The JSON Schemas of requests and answers.

use serde_json::{Value, json};

use crate::request::TEXT_CHARACTERS_MAX;

/// The JSON Schema of a request: one alternative for each kind.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["process"],
        "oneOf": [
            branch("language", "Which language the text is in, paragraph by paragraph where there are several.", text()),
            branch("sentences", "The sentences of the text with their places in characters.", text()),
        ]
    })
}

fn text() -> Value {
    json!({ "text": text_field("the text to read") })
}

fn text_field(about: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": TEXT_CHARACTERS_MAX, "description": about })
}

/// One kind of request. Only texts are required.
fn branch(process: &str, about: &str, mut fields: Value) -> Value {
    let mut required = vec!["process"];
    for name in ["text", "other"] {
        if fields.get(name).is_some() {
            required.push(name);
        }
    }
    fields["process"] = json!({ "const": process });
    json!({
        "type": "object",
        "description": about,
        "additionalProperties": false,
        "required": required,
        "properties": fields
    })
}

/// The JSON Schema of an answer. What else it holds depends on `process`.
pub fn answer_schema() -> Value {
    json!({
        "type": "object",
        "required": ["process", "method", "notes"],
        "properties": {
            "process": { "type": "string" },
            "method": { "type": "string", "description": "What exactly was done." },
            "notes": {
                "type": "array",
                "items": { "type": "string" },
                "description": "What a careful reader would doubt."
            }
        }
    })
}
