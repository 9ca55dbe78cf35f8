//! Puts values in the place of `{{…}}` references. A string that is one reference takes the value with its
//! type; inside a longer string it is written out, strings as they are and everything else as JSON.

use std::collections::BTreeMap;

use adjutant_mission::{Json, Reference, references};
use serde_json::Value;

/// How much all resolved references of one effect may bring in together.
pub const RESOLVED_BYTES_MAX: usize = 8 * 1024 * 1024;
/// How many keys a message about a missing one lists at most.
const KEYS_LISTED_MAX: usize = 12;

/// Whether arguments can hold a reference at all, judged by their JSON text alone.
pub(crate) fn may_refer(text: &str) -> bool {
    text.contains("{{") || text.contains("\\u007")
}

/// The tasks that references in `value` point at, each once, in order of appearance.
pub(crate) fn tasks(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            for reference in references(text) {
                if let Some(task) = reference.task()
                    && !found.iter().any(|known| known == task)
                {
                    found.push(task.to_owned());
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| tasks(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| tasks(field, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What references may resolve to; each document is parsed when the first reference reaches into it.
pub(crate) struct Resolver<'a> {
    inputs: Option<&'a Json>,
    outputs: &'a BTreeMap<String, Json>,
    parsed: BTreeMap<String, Value>,
    bytes: usize,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(inputs: Option<&'a Json>, outputs: &'a BTreeMap<String, Json>) -> Self {
        Self {
            inputs,
            outputs,
            parsed: BTreeMap::new(),
            bytes: 0,
        }
    }

    /// Replaces every reference in `value`, or says which one cannot be.
    pub(crate) fn resolve(&mut self, value: &mut Value) -> Result<(), String> {
        match value {
            Value::String(text) if text.contains("{{") => {
                *value = self.text(text)?;
                Ok(())
            }
            Value::Array(items) => items.iter_mut().try_for_each(|item| self.resolve(item)),
            Value::Object(fields) => fields
                .values_mut()
                .try_for_each(|field| self.resolve(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        }
    }

    fn text(&mut self, text: &str) -> Result<Value, String> {
        let mut written = String::new();
        let mut rest = text;
        while let Some((before, inside, after)) = next(rest) {
            let Some(reference) = references(inside).into_iter().next() else {
                break;
            };
            let value = self.find(&reference)?.clone();
            let is_whole = inside.len() == text.len();
            let (brought, whole) = match value {
                whole if is_whole => (weight(&whole), Some(whole)),
                Value::String(value) => {
                    written.push_str(before);
                    written.push_str(&value);
                    (value.len(), None)
                }
                other => {
                    let value = other.to_string();
                    written.push_str(before);
                    written.push_str(&value);
                    (value.len(), None)
                }
            };
            self.bytes += brought;
            if self.bytes > RESOLVED_BYTES_MAX {
                return Err(format!(
                    "with `{{{{{}}}}}` the references insert more than {RESOLVED_BYTES_MAX} bytes: refer to a part of \
                     it",
                    reference.text
                ));
            }
            if let Some(whole) = whole {
                return Ok(whole);
            }
            rest = after;
        }
        written.push_str(rest);
        Ok(Value::String(written))
    }

    fn find(&mut self, reference: &Reference) -> Result<&Value, String> {
        let text = &reference.text;
        let (document, json, path_at) = match (reference.task(), self.inputs) {
            (Some(task), _) => {
                let json = self.outputs.get(task).ok_or_else(|| {
                    format!(
                        "`{{{{{text}}}}}`: task `{task}` has no output; it was skipped, or does not run before this one"
                    )
                })?;
                (task, json, 2)
            }
            (None, Some(json)) if reference.is_input() => ("inputs", json, 1),
            (None, None) if reference.is_input() => {
                return Err(format!("`{{{{{text}}}}}`: the mission has no inputs"));
            }
            (None, _) => {
                return Err(format!(
                    "`{{{{{text}}}}}` is not a reference: write `{{{{task.output.path}}}}` or `{{{{inputs.path}}}}`"
                ));
            }
        };
        if !self.parsed.contains_key(document) {
            let value = serde_json::from_str(json.text()).map_err(|error| {
                format!("`{{{{{text}}}}}`: `{document}` cannot be read: {error}")
            })?;
            self.parsed.insert(document.to_owned(), value);
        }
        let mut here = &self.parsed[document];
        let mut walked = reference.parts[..path_at].join(".");
        for step in reference.parts[path_at..]
            .iter()
            .flat_map(|part| steps(part))
        {
            here = match here {
                Value::Object(fields) => fields.get(step),
                Value::Array(items) => step.parse::<usize>().ok().and_then(|at| items.get(at)),
                _ => None,
            }
            .ok_or_else(|| missing(reference, step, &walked, here))?;
            walked.push('.');
            walked.push_str(step);
        }
        Ok(here)
    }
}

/// Splits at the first reference: the text before it, it with its braces, and the text after.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find("{{")?;
    let end = start + 2 + text[start + 2..].find("}}")? + 2;
    Some((&text[..start], &text[start..end], &text[end..]))
}

/// The steps of one dotted part: `rows[0][1]` is `rows`, `0`, `1`. Anything less regular is one step.
fn steps(part: &str) -> Vec<&str> {
    let regular = part.ends_with(']')
        && part.find('[').is_some_and(|open| {
            part[open + 1..part.len() - 1]
                .split("][")
                .all(|index| !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit()))
        });
    if regular {
        part.split(['[', ']'])
            .filter(|step| !step.is_empty())
            .collect()
    } else {
        vec![part]
    }
}

fn missing(reference: &Reference, step: &str, walked: &str, here: &Value) -> String {
    let there = match here {
        Value::Object(fields) if fields.is_empty() => "is empty".to_owned(),
        Value::Object(fields) => {
            let more = fields.len().saturating_sub(KEYS_LISTED_MAX);
            let mut keys: Vec<_> = fields
                .keys()
                .take(KEYS_LISTED_MAX)
                .map(|key| format!("`{key:.60}`"))
                .collect();
            if more > 0 {
                keys.push(format!("{more} more"));
            }
            format!("has {}", keys.join(", "))
        }
        Value::Array(items) => format!("is a list of {}, counted from 0", items.len()),
        Value::String(_) => "is a text".to_owned(),
        Value::Number(_) => "is a number".to_owned(),
        Value::Bool(_) => "is true or false".to_owned(),
        Value::Null => "is null".to_owned(),
    };
    format!(
        "`{{{{{}}}}}`: there is no `{step}`; `{walked}` {there}",
        reference.text
    )
}

/// About how many bytes a value takes as text.
fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => 2 + items.iter().map(|item| weight(item) + 1).sum::<usize>(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| name.len() + weight(field) + 4)
            .sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
