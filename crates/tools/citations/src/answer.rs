//! The result of a request.

use serde::Serialize;
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The whole text, ready to be pasted.
    pub text: String,
    /// Each reference, in the order of the list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<Entry>,
    /// The records that were read, as CSL-JSON.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Value>,
    /// The lines that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
    /// The rules that were followed.
    pub method: String,
    /// Fields that are missing, and records that were merged or changed.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    pub id: String,
    /// The number in the list, in numbered styles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// The key that other programs cite it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub text: String,
    /// How it is cited in the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cited: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// Counted from 1.
    pub line: usize,
    pub text: String,
    pub why: String,
}

/// The JSON Schema of an answer.
pub fn answer_schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["text", "method", "notes"],
        "properties": {
            "text": { "type": "string", "description": "The whole text, ready to be pasted." },
            "entries": {
                "type": "array",
                "description": "Each reference, in the order of the list.",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["id", "text"],
                    "properties": {
                        "id": { "type": "string" },
                        "number": { "type": "integer", "minimum": 1 },
                        "key": { "type": "string" },
                        "text": { "type": "string" },
                        "cited": { "type": "string", "description": "How it is cited in the text." }
                    }
                }
            },
            "items": { "type": "array", "items": { "type": "object" }, "description": "The records that were read, as CSL-JSON." },
            "unread": {
                "type": "array",
                "description": "The lines that could not be read.",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["line", "text", "why"],
                    "properties": {
                        "line": { "type": "integer", "minimum": 1 },
                        "text": { "type": "string" },
                        "why": { "type": "string" }
                    }
                }
            },
            "method": { "type": "string", "description": "The rules that were followed." },
            "notes": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Fields that are missing, and records that were merged or changed."
            }
        }
    })
}
