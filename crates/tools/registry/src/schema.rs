//! JSON Schemas, compiled once. Nothing outside the schema is ever fetched: a remote or file `$ref` is refused.

use std::fmt;

use adjutant_mission::references;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

/// How many findings one check reports at most.
const FINDINGS_MAX: usize = 20;
/// How long one finding's message may be, in characters: it quotes values, and values can be long.
const MESSAGE_CHARS_MAX: usize = 300;

/// What does not fit, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Dotted, as references are: `headers.accept`, `rows.0.price`; empty for the whole document.
    pub path: String,
    pub message: String,
    /// Where it has a code of its own among the errors of a plan.
    pub code: Option<&'static str>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)?;
        } else {
            write!(f, "`{}`: {}", self.path, self.message)?;
        }
        match self.code {
            Some(code) => write!(f, " [{code}]"),
            None => Ok(()),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SchemaError {
    pub message: String,
}

#[derive(Debug)]
pub struct Schema(Validator);

impl Schema {
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        jsonschema::options()
            .offline()
            .build(schema)
            .map(Self)
            .map_err(|error| SchemaError {
                message: shorten(error.to_string()),
            })
    }

    /// What in `value` does not fit. Empty means all of it does.
    pub fn check(&self, value: &Value) -> Vec<Finding> {
        if self.0.is_valid(value) {
            return Vec::new();
        }
        self.findings(value, |_| true)
    }

    /// As `check`, but what a `{{…}}` reference may still become is given the benefit of the doubt.
    pub fn check_unresolved(&self, value: &Value) -> Vec<Finding> {
        self.findings(value, |error| !may_resolve(error))
    }

    fn findings(
        &self,
        value: &Value,
        counts: impl Fn(&ValidationError<'_>) -> bool,
    ) -> Vec<Finding> {
        self.0
            .iter_errors(value)
            .filter(counts)
            .take(FINDINGS_MAX)
            .map(|error| Finding {
                path: dotted(error.instance_path().as_str()),
                message: shorten(error.to_string()),
                code: None,
            })
            .collect()
    }
}

/// Whether resolving references could make this error go away.
fn may_resolve(error: &ValidationError<'_>) -> bool {
    let keyword = error.kind().keyword();
    match error.instance().as_ref() {
        // A reference inside a longer text stays text, so only its type is certain.
        Value::String(text) => match references(text).as_slice() {
            [] => false,
            [one] if is_whole(text, &one.text) => true,
            _ => keyword != "type",
        },
        container => {
            let by_content = [
                "anyOf",
                "oneOf",
                "not",
                "if",
                "const",
                "enum",
                "contains",
                "uniqueItems",
            ];
            by_content.contains(&keyword) && mentions_any(container)
        }
    }
}

fn is_whole(text: &str, inner: &str) -> bool {
    text.strip_prefix("{{")
        .and_then(|rest| rest.strip_suffix("}}"))
        .is_some_and(|rest| rest.trim() == inner)
}

fn mentions_any(value: &Value) -> bool {
    match value {
        Value::String(text) => !references(text).is_empty(),
        Value::Array(items) => items.iter().any(mentions_any),
        Value::Object(fields) => fields.values().any(mentions_any),
        _ => false,
    }
}

fn dotted(pointer: &str) -> String {
    pointer
        .trim_start_matches('/')
        .split('/')
        .map(|part| part.replace("~1", "/").replace("~0", "~"))
        .collect::<Vec<_>>()
        .join(".")
}

fn shorten(message: String) -> String {
    match message.char_indices().nth(MESSAGE_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}
