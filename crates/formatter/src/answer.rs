//! What formatting gives back.

use serde::Serialize;
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The whole, ready to be pasted.
    pub text: String,
    /// Each reference apart, in the order of the list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<Entry>,
    /// What was read, as CSL-JSON.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Value>,
    /// What could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
    /// By which rules it was made.
    pub method: String,
    /// What is missing, was merged or was changed.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    pub id: String,
    /// The place in the list, in styles that count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// The key under which another program finds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub text: String,
    /// How it is mentioned in a text.
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
            "text": { "type": "string", "description": "The whole, ready to be pasted." },
            "entries": {
                "type": "array",
                "description": "Each reference apart, in the order of the list.",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["id", "text"],
                    "properties": {
                        "id": { "type": "string" },
                        "number": { "type": "integer", "minimum": 1 },
                        "key": { "type": "string" },
                        "text": { "type": "string" },
                        "cited": { "type": "string", "description": "How it is mentioned in a text." }
                    }
                }
            },
            "items": { "type": "array", "items": { "type": "object" }, "description": "What was read, as CSL-JSON." },
            "unread": {
                "type": "array",
                "description": "What could not be read, by line.",
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
            "method": { "type": "string", "description": "By which rules it was made." },
            "notes": {
                "type": "array",
                "items": { "type": "string" },
                "description": "What is missing, was merged or was changed."
            }
        }
    })
}
