//! `{{fetch.output.title}}`: where a task's arguments point at what other tasks produced.

use alloc::string::String;
use alloc::vec::Vec;

/// One reference as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The text between the braces, trimmed.
    pub text: String,
    /// Its dotted parts: first a task's key or `inputs`, then for a task `output`, then a path.
    pub parts: Vec<String>,
}

impl Reference {
    /// The task it points at, unless it points at the mission's inputs or at nothing well-formed.
    pub fn task(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [task, output, ..] if output == "output" && task != "inputs" => Some(task),
            _ => None,
        }
    }

    pub fn is_input(&self) -> bool {
        self.parts.len() >= 2 && self.parts[0] == "inputs"
    }
}

/// Every `{{…}}` in a text, in order. Unclosed braces are plain text.
pub fn references(text: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        let Some(length) = rest[start + 2..].find("}}") else {
            break;
        };
        let inner = rest[start + 2..start + 2 + length].trim();
        found.push(Reference {
            text: String::from(inner),
            parts: inner
                .split('.')
                .map(|part| String::from(part.trim()))
                .collect(),
        });
        rest = &rest[start + 2 + length + 2..];
    }
    found
}

/// The text with what `value` gives in the place of its references; one for which it gives nothing stays. In one pass:
/// what is put in is data, and whatever looks like a reference in it is none.
pub fn fill_references(text: &str, mut value: impl FnMut(&Reference) -> Option<String>) -> String {
    let mut filled = String::new();
    let mut rest = text;
    for reference in references(text) {
        let Some(start) = rest.find("{{") else { break };
        let Some(length) = rest[start + 2..].find("}}") else {
            break;
        };
        let end = start + 2 + length + 2;
        match value(&reference) {
            Some(value) => {
                filled.push_str(&rest[..start]);
                filled.push_str(&value);
            }
            None => filled.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    filled.push_str(rest);
    filled
}

/// Every reference in the strings of a JSON document. The document's own braces are not taken for a
/// reference's.
pub fn references_in_json(json: &str) -> Vec<Reference> {
    if !json.contains("{{") && !json.contains("\\u") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut rest = json;
    while let Some(open) = rest.find('"') {
        let inside = &rest[open + 1..];
        let mut escaped = false;
        let close = inside.bytes().position(|byte| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        let Some(close) = close else { break };
        let text = &inside[..close];
        // Braces can be written as escapes, and whoever resolves references reads those.
        let read = match text.contains('\\') {
            true => serde_json::from_str::<String>(&rest[open..open + close + 2]).ok(),
            false => None,
        };
        found.extend(references(read.as_deref().unwrap_or(text)));
        rest = &inside[close + 1..];
    }
    found
}
