//! The JSON Schemas of requests and answers.

use serde_json::{Value, json};

use crate::entities::Kind;
use crate::phrases::PHRASES_MAX;
use crate::request::TEXT_CHARACTERS_MAX;
use crate::words::Tongue;

/// The JSON Schema of a request: one alternative for each kind.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["process"],
        "oneOf": [
            branch("language", "Which language the text is in, paragraph by paragraph where there are several.", text()),
            branch("sentences", "The sentences of the text with their places in characters.", text()),
            branch(
                "entities",
                "Dates, figures, identifiers and names in the text, each with its place, its value and how sure it is.",
                with(text(), "kinds", json!({
                    "type": "array",
                    "uniqueItems": true,
                    "items": { "enum": Kind::NAMES },
                    "description": "only these kinds; all if left out"
                })),
            ),
            branch(
                "phrases",
                "The key phrases of the text with scores and places.",
                with(
                    with(text(), "language", language()),
                    "count",
                    json!({ "type": "integer", "minimum": 1, "maximum": PHRASES_MAX, "description": "how many at most; 20 if left out" }),
                ),
            ),
            branch(
                "sentiment",
                "How an English text feels (made for opinions), or what it says came of a treatment.",
                with(text(), "about", json!({
                    "enum": ["opinions", "clinical"],
                    "description": "opinions if left out; clinical judges statements of outcome: improved, worsened, no difference, harm"
                })),
            ),
            branch(
                "readability",
                "How hard the text is to read, in English or German.",
                with(text(), "language", language()),
            ),
            branch(
                "compare",
                "What two texts share and where they differ: terms, key phrases and numbers.",
                with(
                    with(text(), "other", text_field("the text to compare it with")),
                    "language",
                    language(),
                ),
            ),
        ]
    })
}

fn text() -> Value {
    json!({ "text": text_field("the text to read") })
}

fn with(mut fields: Value, name: &str, field: Value) -> Value {
    fields[name] = field;
    fields
}

fn language() -> Value {
    let codes: Vec<&str> = Tongue::ALL.iter().map(|tongue| tongue.code()).collect();
    json!({ "enum": codes, "description": "the language of the text; found out if left out" })
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
