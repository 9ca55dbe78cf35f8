//! What tasks use of the outputs of delegates: a part that such an output never has is known before anything runs.

use std::collections::BTreeMap;

use adjutant_delegates::{AnswerSchema, TOOL_PREFIX};
use adjutant_mission::{Json, Plan, Task, WorkSpec, references};
use adjutant_plans::Unfit;
use serde_json::Value;

const CODE: &str = "ADJ-6310";

/// References to parts that those outputs never have.
pub(crate) fn never_there(plan: &Plan) -> Vec<Unfit> {
    let tasks = plan.tasks.iter();
    let outputs: BTreeMap<&str, Output> = tasks
        .filter_map(|task| Some((task.key.as_str(), Output::of(task)?)))
        .collect();
    if outputs.is_empty() {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for (at, task) in plan.tasks.iter().enumerate() {
        for (place, text) in texts(task) {
            for reference in references(&text) {
                let output = reference.task().and_then(|task| outputs.get(task));
                let Some(part) = output.and_then(|output| output.lacks(&reference.parts[2..]))
                else {
                    continue;
                };
                let message = format!(
                    "`{{{{{}}}}}` refers to `{part:.60}`, which an output of that task never has",
                    reference.text
                );
                wrong.push(Unfit {
                    code: Some(CODE),
                    remedy: Some(
                        "Use a part that its `output_schema` or `output_files` name, or change these.".into(),
                    ),
                    ..Unfit::new(format!("tasks[{at}].{place}"), message)
                });
            }
        }
    }
    wrong
}

/// What the output of a delegate's task can hold.
struct Output {
    /// Without one the answer is text. Nothing, if it cannot be read yet.
    answer: Option<AnswerSchema>,
    has_text: bool,
    /// Nothing, if only the run shows how many there are.
    files: Option<usize>,
}

impl Output {
    fn of(task: &Task) -> Option<Self> {
        let WorkSpec::Tool(call) = &task.work else {
            return None;
        };
        // Another tool may do it in the end.
        if task.alternative.is_some() || !call.tool.as_str().starts_with(TOOL_PREFIX) {
            return None;
        }
        let with: Value = serde_json::from_str(call.with.text()).ok()?;
        let schema = with.get("output_schema");
        Some(Self {
            answer: schema.and_then(|schema| AnswerSchema::compile(schema).ok()),
            has_text: schema.is_none(),
            files: match with.get("output_files") {
                None => Some(0),
                Some(files) => files.as_array().map(Vec::len),
            },
        })
    }

    /// The first part of a path that it never has.
    fn lacks(&self, path: &[String]) -> Option<String> {
        let path = steps(path);
        let never = match path.as_slice() {
            ["answer", rest @ ..] => match &self.answer {
                Some(schema) => schema.never_has(rest),
                None if self.has_text => rest.first().copied(),
                None => None,
            },
            ["files"] => None,
            ["files", at, rest @ ..] => match (at.parse::<usize>(), self.files) {
                (Err(_), _) => Some(*at),
                (Ok(number), Some(count)) if number >= count => Some(*at),
                (Ok(_), _) => match rest {
                    ["name" | "text" | "base64", deeper @ ..] => deeper.first().copied(),
                    rest => rest.first().copied(),
                },
            },
            ["delegate" | "log", rest @ ..] => rest.first().copied(),
            [other, ..] => Some(*other),
            [] => None,
        };
        never.map(str::to_owned)
    }
}

/// The steps of a path, as they are taken when it is resolved: `rows[0]` is two. A part that is written otherwise ends them.
fn steps(parts: &[String]) -> Vec<&str> {
    let mut steps = Vec::new();
    for part in parts {
        let Some((name, indexes)) = part.split_once('[') else {
            steps.push(part.as_str());
            continue;
        };
        let is_index = |index: &str| !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit());
        let indexes: Option<Vec<&str>> = indexes
            .strip_suffix(']')
            .map(|indexes| indexes.split("][").collect());
        match indexes.filter(|indexes| indexes.iter().all(|index| is_index(index))) {
            Some(indexes) => {
                steps.extend(Some(name).filter(|name| !name.is_empty()));
                steps.extend(indexes);
            }
            None => break,
        }
    }
    steps
}

/// Every text of a task in which references count, with its place.
fn texts(task: &Task) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    let mut add = |place: &str, json: &Json| {
        let value = serde_json::from_str(json.text()).unwrap_or_default();
        collect_texts(&value, place.to_owned(), &mut texts);
    };
    match &task.work {
        WorkSpec::Tool(call) => add("with", &call.with),
        WorkSpec::Agent(agent) => add("with", &agent.with),
        WorkSpec::Mission(sub) => {
            if let Some(with) = &sub.with {
                add("mission.with", with);
            }
        }
        WorkSpec::Human(_) | WorkSpec::Gate(_) => {}
    }
    if let Some(call) = &task.alternative {
        add("otherwise.with", &call.with);
    }
    if let Some(undo) = &task.undo {
        add("undo.with", &undo.with);
    }
    if let WorkSpec::Human(human) = &task.work {
        texts.push(("human.question".into(), human.question.clone()));
    }
    texts
}

/// Every text in a value, with its place.
pub(crate) fn collect_texts(value: &Value, place: String, texts: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => texts.push((place, text.clone())),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                collect_texts(item, format!("{place}[{at}]"), texts);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                collect_texts(field, format!("{place}.{name}"), texts);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use adjutant_mission::{TaskKey, ToolCall, ToolId};
    use serde_json::json;

    use super::*;

    fn task(key: &str, tool: &str, with: Value) -> Task {
        let call = ToolCall {
            tool: ToolId::new(tool).unwrap(),
            with: Json::encode(&with).unwrap(),
        };
        Task::new(TaskKey::new(key).unwrap(), WorkSpec::Tool(call))
    }

    /// Where a reference is wrong, and its wrong part, if a task of this kind is referred to.
    fn wrong(with: Value, refers: Value) -> Vec<(String, String)> {
        let tasks = vec![
            task("count", "delegate.coder", with),
            task("use", "noop", json!({ "value": refers })),
        ];
        let plan = Plan::new("t", tasks);
        let told = never_there(&plan).into_iter();
        told.map(|unfit| {
            assert_eq!(unfit.code, Some("ADJ-6310"));
            let part = unfit.message.split('`').nth(3).unwrap().to_owned();
            (unfit.path, part)
        })
        .collect()
    }

    fn typed() -> Value {
        json!({
            "goal": "x",
            "output_files": ["a.md"],
            "output_schema": {
                "type": "object", "additionalProperties": false,
                "properties": {
                    "rows": { "type": "integer" },
                    "cells": { "type": "array", "items": { "type": "array" } },
                },
            },
        })
    }

    #[test]
    fn a_part_that_no_output_has_is_known_before_anything_runs() {
        for right in [
            "{{count.output}}",
            "{{count.output.answer}} {{count.output.answer.rows}}",
            "{{count.output.answer.cells[0][1]}} {{count.output.answer.odd[x]}}",
            "{{count.output.files.0.text}} {{count.output.files[0].name}}",
            "{{count.output.log}} {{count.output.delegate}}",
            // Another check finds tasks and inputs that do not exist.
            "{{gone.output.anser}} {{inputs.answer.x}}",
        ] {
            assert_eq!(wrong(typed(), json!(right)), [], "{right}");
        }
        for (reference, part) in [
            ("answer.columns", "columns"),
            ("answer.rows.first", "first"),
            ("anser", "anser"),
            ("files.1", "1"),
            ("files[7].text", "7"),
            ("files.a", "a"),
            ("files.0.content", "content"),
            ("log.first", "first"),
        ] {
            let refers =
                json!({ "a": ["ok", format!("It has {{{{count.output.{reference}}}}}.")] });
            let found = wrong(typed(), refers);
            assert_eq!(
                found,
                [("tasks[1].with.value.a[1]".to_owned(), part.to_owned())],
                "{reference}"
            );
        }
    }

    #[test]
    fn what_only_the_run_shows_is_left_to_it() {
        let open = json!({ "goal": "x", "output_files": "{{a.output.names}}", "output_schema": { "enum": "{{a.output.e}}" } });
        for reference in [
            "{{count.output.files.9.text}}",
            "{{count.output.answer.any.thing}}",
        ] {
            assert_eq!(wrong(open.clone(), json!(reference)), [], "{reference}");
        }
        let text = json!({ "goal": "x" });
        assert_eq!(wrong(text.clone(), json!("{{count.output.answer}}")), []);
        assert_eq!(
            wrong(text.clone(), json!("{{count.output.answer.a}}")).len(),
            1
        );
        assert_eq!(wrong(text, json!("{{count.output.files.0}}")).len(), 1);
        // Another tool may give the output in the end.
        let mut either = task("count", "delegate.coder", typed());
        either.alternative = Some(ToolCall {
            tool: ToolId::new("noop").unwrap(),
            with: Json::encode(&json!({})).unwrap(),
        });
        let plan = Plan::new(
            "t",
            vec![
                either,
                task("use", "noop", json!({ "value": "{{count.output.x}}" })),
            ],
        );
        assert_eq!(never_there(&plan), []);
    }
}
