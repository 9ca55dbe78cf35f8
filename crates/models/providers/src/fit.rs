//! Whether what a model wrote is an answer: JSON, of the purpose's schema, that cites only what it was given.

use std::borrow::Cow;
use std::collections::BTreeMap;

use adjutant_questions::{
    Ask, Input, Ordered, Output, Purpose, narrowed, pruned, token_bound, unfounded,
};
use jsonschema::Validator;
use serde_json::Value;

use crate::settings::Structured;

/// What a schema may grow by when it is narrowed to a question. One that would grow more is sent as it is.
const NARROWING_TOKENS_MAX: u64 = 1_000;
const TOLD_MAX: usize = 5;
const TOLD_CHARS_MAX: usize = 200;

#[derive(Debug)]
pub(crate) struct Schemas {
    by_purpose: BTreeMap<Purpose, (Ordered, Validator)>,
    /// Of the longest of them.
    tokens_max: u64,
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
        let longest = by_purpose
            .values()
            .map(|(schema, _): &(Ordered, _)| token_bound(&schema.to_string()));
        Ok(Self {
            tokens_max: longest.max().unwrap_or(0),
            by_purpose,
        })
    }

    fn schema(&self, purpose: Purpose) -> &Ordered {
        self.by_purpose
            .get(&purpose)
            .map_or(&Ordered::Plain(Value::Null), |(schema, _)| schema)
    }

    /// The schema to send with a question.
    pub(crate) fn sent(&self, input: &Input, structured: Structured) -> Cow<'_, Ordered> {
        if structured == Structured::Narrowed {
            let narrowed = narrowed(input);
            if token_bound(&narrowed.to_string()) <= self.tokens_max(structured) {
                return Cow::Owned(narrowed);
            }
        }
        Cow::Borrowed(self.schema(input.purpose()))
    }

    /// How many tokens a schema that is sent has at most, whatever the question.
    pub(crate) fn tokens_max(&self, structured: Structured) -> u64 {
        match structured {
            Structured::Narrowed => self.tokens_max + NARROWING_TOKENS_MAX,
            Structured::Schema | Structured::Json | Structured::Prompt => self.tokens_max,
        }
    }

    /// The answer, or what is wrong with it, in words that its writer can act on.
    pub(crate) fn fit(&self, ask: &Ask, text: &str) -> Result<Output, String> {
        let purpose = ask.purpose();
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
        let wrong = unfounded(&ask.input, &output);
        // A model may leave out the marks of what it quotes.
        let unmarked = ask.unmarked.as_deref();
        if wrong.is_empty() || unmarked.is_some_and(|read| unfounded(read, &output).is_empty()) {
            return Ok(output);
        }
        let inputs: Vec<&Input> = std::iter::once(&ask.input).chain(unmarked).collect();
        // Of a long answer the few entries that are not in their sources go, and the rest is checked again.
        if let Some(output) = pruned(&inputs, &output)
            && inputs
                .iter()
                .any(|input| unfounded(input, &output).is_empty())
        {
            return Ok(output);
        }
        Err(wrong.join("; "))
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
