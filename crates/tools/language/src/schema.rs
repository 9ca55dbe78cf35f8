//! The JSON Schemas of requests and answers.

use serde_json::{Value, json};

use crate::entities::Kind;
use crate::phrases::PHRASES_MAX;
use crate::request::TEXT_CHARACTERS_MAX;
use crate::words::SupportedLanguage;

/// The JSON Schema of a request: one alternative for each kind.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["process"],
        "oneOf": [
            branch("language", "The language of the text, by paragraph if there are several.", text()),
            branch("sentences", "The sentences of the text with their character offsets.", text()),
            branch(
                "entities",
                "Dates, figures, identifiers and names in the text, each with its offset, its value and its certainty.",
                with(text(), "kinds", json!({
                    "type": "array",
                    "uniqueItems": true,
                    "items": { "enum": Kind::NAMES },
                    "description": "only these kinds; all if omitted"
                })),
            ),
            branch(
                "phrases",
                "The key phrases of the text with scores and offsets.",
                with(
                    with(text(), "language", language()),
                    "count",
                    json!({ "type": "integer", "minimum": 1, "maximum": PHRASES_MAX, "description": "the maximum number; 20 if omitted" }),
                ),
            ),
            branch(
                "sentiment",
                "The sentiment of an English text (made for opinions), or the treatment outcomes that it states.",
                with(text(), "about", json!({
                    "enum": ["opinions", "clinical"],
                    "description": "opinions if omitted; clinical judges statements of outcome: improved, worsened, \
                     no difference, harm"
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
    let codes: Vec<&str> = SupportedLanguage::ALL
        .iter()
        .map(|language| language.code())
        .collect();
    json!({ "enum": codes, "description": "the language of the text; detected if omitted" })
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
                "description": "Limitations that a careful reader should know."
            }
        }
    })
}
