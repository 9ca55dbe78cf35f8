//! What an answer must look like: the part of JSON Schema that is checked in time that grows with the answer and the schema
//! only, and that can be walked to see which fields an answer can have.
//!
//! Left out on purpose: references, patterns and conditions. A schema may come from a program, and an answer from an agent:
//! together they must not be able to keep a checker busy.

use std::fmt;

use adjutant_tools::{Finding, Schema};
use serde_json::{Map, Value};

const BYTES_MAX: usize = 64 * 1024;
const DEPTH_MAX: usize = 24;
const NODES_MAX: usize = 1_000;

/// Keywords that say something about a value and hold no schema.
const PLAIN: [&str; 23] = [
    "type",
    "enum",
    "const",
    "required",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "$schema",
    "$comment",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
];
/// Keywords that hold one schema.
const OF_ONE: [&str; 2] = ["items", "additionalProperties"];
/// Keywords that hold a list of schemas.
const OF_MANY: [&str; 3] = ["anyOf", "oneOf", "allOf"];
/// The keyword that holds schemas by the names of fields.
const BY_NAME: &str = "properties";

/// Why a schema cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}{why}")]
pub struct BadSchema {
    /// Dotted, with a colon behind it; empty for the whole.
    place: String,
    why: String,
}

/// A schema for an answer.
pub struct AnswerSchema {
    document: Value,
    compiled: Schema,
}

impl fmt::Debug for AnswerSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnswerSchema").field(&self.document).finish()
    }
}

impl AnswerSchema {
    pub fn compile(schema: &Value) -> Result<Self, BadSchema> {
        let bytes = schema.to_string().len();
        if bytes > BYTES_MAX {
            return Err(bad(
                "",
                format!("it has {bytes} bytes; the limit is {BYTES_MAX}"),
            ));
        }
        if !schema.is_object() {
            return Err(bad(
                "",
                "it must be an object, such as {\"type\": \"object\"}",
            ));
        }
        let mut nodes = 0;
        check(schema, "", DEPTH_MAX, &mut nodes)?;
        let compiled = Schema::compile(schema).map_err(|error| bad("", error.message))?;
        Ok(Self {
            document: schema.clone(),
            compiled,
        })
    }

    /// What in an answer does not fit.
    pub fn check(&self, answer: &Value) -> Vec<Finding> {
        self.compiled.check(answer)
    }

    /// The first part of a path into answers that none of them can have. Where alternatives decide, nothing is said.
    pub fn never_has<'p>(&self, path: &[&'p str]) -> Option<&'p str> {
        let mut here = &self.document;
        for &step in path {
            let fields = here.as_object()?;
            if OF_MANY.iter().any(|keyword| fields.contains_key(*keyword)) {
                return None;
            }
            here = match next(fields, step) {
                Next::Is(schema) => schema,
                Next::Unknown => return None,
                Next::Never => return Some(step),
            };
        }
        None
    }
}

enum Next<'a> {
    Is(&'a Value),
    /// The schema does not say.
    Unknown,
    Never,
}

fn next<'a>(fields: &'a Map<String, Value>, step: &str) -> Next<'a> {
    let named = fields.get(BY_NAME).and_then(|named| named.get(step));
    if let Some(schema) = named {
        return Next::Is(schema);
    }
    let kind = fields.get("type").and_then(Value::as_str);
    match kind {
        Some("array") => match (step.parse::<usize>(), fields.get("items")) {
            (Err(_), _) => Next::Never,
            (Ok(_), Some(items)) => Next::Is(items),
            (Ok(_), None) => Next::Unknown,
        },
        Some("object") => match fields.get("additionalProperties") {
            Some(Value::Bool(false)) => Next::Never,
            Some(schema) => Next::Is(schema),
            None => Next::Unknown,
        },
        Some("string" | "number" | "integer" | "boolean" | "null") => Next::Never,
        _ => Next::Unknown,
    }
}

fn check(schema: &Value, place: &str, depth: usize, nodes: &mut usize) -> Result<(), BadSchema> {
    *nodes += 1;
    if *nodes > NODES_MAX {
        return Err(bad("", format!("it has more than {NODES_MAX} parts")));
    }
    let Some(depth) = depth.checked_sub(1) else {
        return Err(bad(
            place,
            format!("it is nested deeper than {DEPTH_MAX} levels"),
        ));
    };
    let fields = match schema {
        Value::Bool(_) => return Ok(()),
        Value::Object(fields) => fields,
        _ => return Err(bad(place, "a schema is an object, `true` or `false`")),
    };
    for (keyword, value) in fields {
        let here = joined(place, keyword);
        if keyword == BY_NAME {
            let Value::Object(named) = value else {
                return Err(bad(&here, "it must be an object of schemas"));
            };
            for (name, schema) in named {
                check(schema, &joined(&here, name), depth, nodes)?;
            }
        } else if OF_ONE.contains(&keyword.as_str()) {
            check(value, &here, depth, nodes)?;
        } else if OF_MANY.contains(&keyword.as_str()) {
            let Value::Array(schemas) = value else {
                return Err(bad(&here, "it must be a list of schemas"));
            };
            for (at, schema) in schemas.iter().enumerate() {
                check(schema, &joined(&here, &at.to_string()), depth, nodes)?;
            }
        } else if !PLAIN.contains(&keyword.as_str()) {
            return Err(bad(
                place,
                format!("the keyword `{keyword:.60}` is not supported in schemas of answers"),
            ));
        }
    }
    Ok(())
}

fn joined(place: &str, part: &str) -> String {
    match place {
        "" => format!("{part:.60}"),
        place => format!("{place}.{part:.60}"),
    }
}

fn bad(place: &str, why: impl Into<String>) -> BadSchema {
    BadSchema {
        place: match place {
            "" => String::new(),
            place => format!("`{place}`: "),
        },
        why: why.into(),
    }
}

#[cfg(test)]
#[path = "answer_schema_tests.rs"]
mod tests;
