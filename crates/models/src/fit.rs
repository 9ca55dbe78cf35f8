//! Whether what a model wrote is an answer: JSON, of the purpose's schema, that cites only what it was given.

use std::collections::BTreeMap;

use adjutant_ask::{Input, Output, Purpose, unfounded};
use jsonschema::Validator;
use serde_json::Value;

use crate::wire::Ordered;

const TOLD_MAX: usize = 5;
const TOLD_CHARS_MAX: usize = 200;

#[derive(Debug)]
pub(crate) struct Schemas {
    by_purpose: BTreeMap<Purpose, (Ordered, Validator)>,
}

impl Schemas {
    pub(crate) fn new() -> Result<Self, String> {
        let mut by_purpose = BTreeMap::new();
        for &purpose in Purpose::ALL {
            let schema = purpose.output_schema();
            let validator = jsonschema::validator_for(&schema)
                .map_err(|error| format!("the schema of `{}`: {error}", purpose.name()))?;
            let schema = serde_json::from_str(purpose.output_schema_text())
                .map_err(|error| format!("the schema of `{}`: {error}", purpose.name()))?;
            by_purpose.insert(purpose, (schema, validator));
        }
        Ok(Self { by_purpose })
    }

    pub(crate) fn schema(&self, purpose: Purpose) -> &Ordered {
        self.by_purpose
            .get(&purpose)
            .map_or(&Ordered::Plain(Value::Null), |(schema, _)| schema)
    }

    /// The answer, or what is wrong with it, in words that its writer can act on.
    pub(crate) fn fit(&self, input: &Input, text: &str) -> Result<Output, String> {
        let purpose = input.purpose();
        let value = json_in(text)?;
        if let Some((_, validator)) = self.by_purpose.get(&purpose) {
            let wrong: Vec<String> = validator
                .iter_errors(&value)
                .take(TOLD_MAX)
                .map(|error| match error.instance_path().as_str() {
                    "" => short(&error.to_string()),
                    path => short(&format!("at {path}: {error}")),
                })
                .collect();
            if !wrong.is_empty() {
                return Err(wrong.join("; "));
            }
        }
        let output = Output::read(purpose, value).map_err(|error| short(&error.to_string()))?;
        match unfounded(input, &output) {
            wrong if wrong.is_empty() => Ok(output),
            wrong => Err(wrong.join("; ")),
        }
    }
}

/// The JSON object in a text: the whole of it, what stands in a fence, or from the first brace to the last.
fn json_in(text: &str) -> Result<Value, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    let error = match serde_json::from_str::<Value>(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let fenced = text.split_once("```").and_then(|(_, rest)| {
        let rest = rest.strip_prefix("json").unwrap_or(rest);
        Some(rest.rsplit_once("```")?.0)
    });
    let braced = text.find('{').zip(text.rfind('}'));
    let braced = braced.and_then(|(from, to)| text.get(from..=to));
    for part in [fenced, braced].into_iter().flatten() {
        if let Ok(value @ Value::Object(_)) = serde_json::from_str(part.trim()) {
            return Ok(value);
        }
    }
    Err(format!("it is not JSON: {error}"))
}

fn short(text: &str) -> String {
    text.chars().take(TOLD_CHARS_MAX).collect()
}

#[cfg(test)]
#[path = "fit_tests.rs"]
mod tests;
