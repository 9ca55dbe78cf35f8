//! What is wrong with a task before it runs: when its plan is checked, and again when its references are resolved.
//!
//! Decides by the arguments alone. Whether the delegate can be used on this machine is not looked at here.

use std::iter::once;

use adjutant_mission::references;
use adjutant_sandbox::check_file_names;
use adjutant_tools::{Finding, References};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value};

use crate::brief::TASK_FILE;
use crate::{AnswerFrom, AnswerSchema};

/// A file of a task cannot have its name, or has no content.
const BAD_FILE: &str = "ADJ-6312";
const BAD_SCHEMA: &str = "ADJ-6303";
/// A field does not fit who does the task.
const NOT_FOR_IT: &str = "ADJ-6310";

/// What a delegate takes besides words.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Takes<'a> {
    /// Files, in a folder where it leaves its answer, too.
    Files(&'a AnswerFrom),
    /// Nothing: it is told the task as one text.
    Words,
}

pub(crate) fn problems(
    arguments: &Value,
    references: References,
    takes: Takes<'_>,
) -> Vec<Finding> {
    let check = Check { references };
    let mut found = Vec::new();
    if let Some(schema) = arguments.get("output_schema")
        && !check.may_change(schema)
        && let Err(error) = AnswerSchema::compile(schema)
    {
        let message = format!("`output_schema` cannot be used: {error}");
        found.push(finding("output_schema".into(), message, BAD_SCHEMA));
    }
    match takes {
        Takes::Files(answer) => {
            check.given(arguments, answer, &mut found);
            check.wanted(arguments, answer, &mut found);
        }
        Takes::Words => {
            for field in ["files", "output_files"] {
                let value = arguments.get(field);
                if value.is_some_and(|value| value.as_array().is_none_or(|all| !all.is_empty())) {
                    let message =
                        "this delegate is a tool of an MCP server, which takes and gives no files";
                    found.push(finding(field.into(), message.into(), NOT_FOR_IT));
                }
            }
        }
    }
    found
}

/// A problem that no field has by itself.
pub(crate) fn whole(message: String) -> Finding {
    finding(String::new(), message, BAD_FILE)
}

fn finding(path: String, message: String, code: &'static str) -> Finding {
    Finding {
        path,
        message,
        code: Some(code),
    }
}

struct Check {
    references: References,
}

impl Check {
    /// Whether references in a value can still make another one of it.
    fn may_change(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => {
                self.references == References::Open && !references(text).is_empty()
            }
            Value::Array(items) => items.iter().any(|item| self.may_change(item)),
            Value::Object(fields) => fields.values().any(|field| self.may_change(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    fn given(&self, arguments: &Value, answer: &AnswerFrom, found: &mut Vec<Finding>) {
        let mut names = Names::new(answer);
        for (at, file) in items(arguments, "files") {
            let Some(file) = file.as_object() else {
                continue;
            };
            if let Some(name) = file.get("name").filter(|name| !self.may_change(name)) {
                found.extend(names.problem(name, format!("files[{at}].name")));
            }
            let content = content_problem(file).filter(|(field, _)| {
                file.get(*field)
                    .is_none_or(|content| !self.may_change(content))
            });
            if let Some((field, message)) = content {
                found.push(finding(format!("files[{at}].{field}"), message, BAD_FILE));
            }
        }
    }

    fn wanted(&self, arguments: &Value, answer: &AnswerFrom, found: &mut Vec<Finding>) {
        let mut names = Names::new(answer);
        for (at, name) in items(arguments, "output_files") {
            if !self.may_change(name) {
                found.extend(names.problem(name, format!("output_files[{at}]")));
            }
        }
    }
}

fn items<'a>(arguments: &'a Value, field: &str) -> impl Iterator<Item = (usize, &'a Value)> {
    let items = arguments.get(field).and_then(Value::as_array);
    items.into_iter().flatten().enumerate()
}

/// The names of one list, which all lead to different files in the folder.
struct Names<'a> {
    answer: &'a AnswerFrom,
    seen: Vec<String>,
}

impl<'a> Names<'a> {
    fn new(answer: &'a AnswerFrom) -> Self {
        Self {
            answer,
            seen: Vec::new(),
        }
    }

    fn problem(&mut self, name: &Value, path: String) -> Option<Finding> {
        // Anything but a text is refused by the schema.
        let name = name.as_str()?;
        let is_answer = matches!(self.answer, AnswerFrom::File(file) if file == name);
        // A file cannot be the folder of another one.
        let is_folder = |folder: &str, file: &str| {
            file.strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        let clash = self
            .seen
            .iter()
            .find(|seen| *seen == name || is_folder(seen, name) || is_folder(name, seen));
        let message = if let Err(error) = check_file_names(once(name)) {
            Some(error.to_string())
        } else if name == TASK_FILE || is_answer {
            Some(format!(
                "`{name:.80}` is the name of a file that holds the task or the answer: use another name"
            ))
        } else {
            clash.map(|other| match other == name {
                true => format!("`{name:.80}` is given twice"),
                false => format!("`{name:.80}` and `{other:.80}` cannot both be files"),
            })
        };
        self.seen.push(name.to_owned());
        message.map(|message| finding(path, message, BAD_FILE))
    }
}

/// What is wrong with what a file holds, and in which field.
fn content_problem(file: &Map<String, Value>) -> Option<(&'static str, String)> {
    match (file.get("text"), file.get("base64")) {
        (Some(_), None) => None,
        (None, Some(base64)) => {
            let error = BASE64_STANDARD.decode(base64.as_str()?).err()?;
            Some(("base64", format!("this is no base64: {error}")))
        }
        (Some(_), Some(_)) => Some(("text", "a file has either `text` or `base64`".into())),
        (None, None) => Some(("text", "a file needs `text` or `base64`".into())),
    }
}

#[cfg(test)]
#[path = "task_check_tests.rs"]
mod tests;
