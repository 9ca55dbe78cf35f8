//! A task that is handed to an agent of others: a call of the tool that stands for it. Its answer is typed by the schema that
//! the task gives, so what other tasks use of it is checked before anything runs.

use std::collections::BTreeMap;

use adjutant_delegates::{AnswerSchema, TOOL_PREFIX};
use adjutant_mission::references;
use adjutant_plans::reading::nearest;
use serde_json::{Map, Value, json};

use super::delegation::{goal, most_money};
use super::graph::{TaskForm, dollars};
use super::unfit;
use crate::error::AppError;
use crate::plan_checker::PlanChecker;

/// The task as that of a plan file. A run changes nothing outside its folder, so nobody is asked about it by itself.
pub(super) fn handed_over(
    task: &TaskForm,
    delegate: &str,
    checker: &PlanChecker,
) -> Result<Value, AppError> {
    let goal = goal(task)?;
    let of_ours = [
        ("agent_model", task.agent_model.is_some()),
        ("agent_tools", !task.agent_tools.is_empty()),
        ("max_iterations", task.max_iterations.is_some()),
    ];
    if let Some((field, _)) = of_ours.iter().find(|(_, given)| *given) {
        return Err(unfit(
            "ADJ-6310",
            format!("`{field}` does not apply to a delegate, which decides that itself"),
            "Leave it out, or leave `delegate` out for an agent of Adjutant.",
        ));
    }
    let tool = format!("{TOOL_PREFIX}{delegate}");
    let Some(known) = checker.registry().get(&tool) else {
        return Err(unknown(delegate, checker));
    };
    let most = &known.manifest().input["properties"]["timeout_ms"]["maximum"];
    let most = most.as_u64().unwrap_or(u64::MAX);
    if let Some(time) = task.timeout
        && !(1..=most).contains(&time)
    {
        return Err(unfit(
            "ADJ-6310",
            format!("`timeout` of this delegate is 1 to {most} milliseconds, not {time}"),
            "Ask for less, or have `timeout_seconds` of the delegate raised in the settings.",
        ));
    }
    if let Some(schema) = &task.output_schema {
        AnswerSchema::compile(schema).map_err(|error| {
            unfit(
                "ADJ-6303",
                format!("`output_schema` cannot be used: {error}"),
                "Use `type`, `properties`, `required`, `items`, `enum`, limits, and `anyOf`; see docs/delegation.md.",
            )
        })?;
    }
    let inputs: Map<String, Value> = task
        .depends_on
        .iter()
        .map(|on| (on.clone(), format!("{{{{{on}.output}}}}").into()))
        .collect();
    let mut with = json!({ "goal": goal });
    let role = task.agent_role.as_deref().unwrap_or_default().trim();
    for (field, value) in [
        ("role", (!role.is_empty()).then(|| json!(role))),
        ("inputs", (!inputs.is_empty()).then(|| inputs.into())),
        ("files", (!task.files.is_empty()).then(|| json!(task.files))),
        (
            "output_files",
            (!task.output_files.is_empty()).then(|| json!(task.output_files)),
        ),
        ("output_schema", task.output_schema.clone()),
        ("timeout_ms", task.timeout.map(Value::from)),
    ] {
        if let Some(value) = value {
            with[field] = value;
        }
    }
    let title = match role {
        "" => goal,
        role => role,
    };
    let mut written = json!({
        "id": task.id,
        "title": title.chars().take(80).collect::<String>(),
        "tool": tool,
        "with": with,
        "after": task.depends_on,
    });
    if let Some(money) = most_money(task)? {
        written["caps"]["money"] = dollars(money).into();
    }
    Ok(written)
}

fn unknown(delegate: &str, checker: &PlanChecker) -> AppError {
    let known = checker.registry().manifests();
    let known = known.filter_map(|manifest| manifest.id.as_str().strip_prefix(TOOL_PREFIX));
    let known: Vec<&str> = known.collect();
    let help = match nearest(delegate, known.iter().copied()) {
        Some(near) => format!("Did you mean `{near}`?"),
        None if known.is_empty() => {
            "There are none. A person names them in the settings; see docs/delegation.md."
                .to_owned()
        }
        None => format!("There are: {}.", known.join(", ")),
    };
    unfit(
        "ADJ-6302",
        format!("there is no delegate `{delegate:.60}`"),
        help,
    )
}

/// An agent of ours has a form of answer of its own.
pub(super) fn needs_no_delegate(task: &TaskForm) -> Result<(), AppError> {
    let of_delegates = [
        ("files", !task.files.is_empty()),
        ("output_files", !task.output_files.is_empty()),
        ("output_schema", task.output_schema.is_some()),
    ];
    match of_delegates.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((field, _)) => Err(unfit(
            "ADJ-6310",
            format!(
                "`{field}` needs a `delegate`: an agent of Adjutant gives its conclusion with findings"
            ),
            "Name a delegate, or leave the field out.",
        )),
    }
}

/// References to parts of answers that those answers can never have: which task refers, and what it wants.
pub(super) fn never_there(tasks: &[TaskForm]) -> Vec<(usize, String)> {
    let schemas: BTreeMap<&str, AnswerSchema> = tasks
        .iter()
        .filter_map(|task| {
            let schema = AnswerSchema::compile(schema_of(task)?).ok()?;
            Some((task.id.as_str(), schema))
        })
        .collect();
    if schemas.is_empty() {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let mut texts = Vec::new();
        let arguments = task.arguments.iter().flat_map(Map::values);
        arguments
            .chain(&task.files)
            .for_each(|value| collect_texts(value, &mut texts));
        texts.extend(task.agent_goal.as_deref());
        for reference in texts.into_iter().flat_map(references) {
            let schema = reference.task().and_then(|task| schemas.get(task));
            let path = steps(&reference.parts);
            let (Some(schema), [_, _, "answer", path @ ..]) = (schema, path.as_slice()) else {
                continue;
            };
            if let Some(part) = schema.never_has(path) {
                wrong.push((
                    at,
                    format!(
                        "`{{{{{}}}}}` refers to `{part:.60}`, which an answer of that task never has",
                        reference.text
                    ),
                ));
            }
        }
    }
    wrong
}

/// What the answer of a task must look like, if it is a delegate's, however the task is written.
fn schema_of(task: &TaskForm) -> Option<&Value> {
    let called = task
        .tool
        .as_deref()
        .is_some_and(|tool| tool.starts_with(TOOL_PREFIX));
    match called {
        true => task.arguments.as_ref()?.get("output_schema"),
        false => task.output_schema.as_ref(),
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

fn collect_texts<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        Value::Object(fields) => fields
            .values()
            .for_each(|field| collect_texts(field, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::read_tasks;
    use super::*;

    #[test]
    fn a_call_of_the_tool_is_held_to_its_schema_too() {
        let schema = json!({ "type": "object", "additionalProperties": false, "properties": {} });
        for (tool, count) in [("delegate.coder", 1), ("noop", 0)] {
            let tasks = json!([
                { "id": "a", "tool": tool, "arguments": { "goal": "x", "output_schema": schema } },
                { "id": "b", "tool": "noop", "arguments": { "value": "{{a.output.answer.rows}}" } },
            ]);
            let wrong = never_there(&read_tasks(&tasks).unwrap());
            assert_eq!(wrong.len(), count, "{tool}");
        }
    }

    #[test]
    fn a_field_that_no_answer_has_is_known_before_anything_runs() {
        let tasks = json!([
            {
                "id": "count", "type": "agent_delegation", "agent_goal": "Count.", "delegate": "coder",
                "output_schema": {
                    "type": "object", "additionalProperties": false,
                    "properties": {
                        "rows": { "type": "integer" },
                        "cells": { "type": "array", "items": { "type": "array" } },
                    },
                },
            },
            { "id": "good", "tool": "noop", "arguments": { "value": "{{count.output.answer.rows}}" } },
            { "id": "all", "tool": "noop", "arguments": { "value": ["{{count.output}}", "{{count.output.answer}}"] } },
            { "id": "row", "tool": "noop", "arguments": { "value": "{{count.output.answer.cells[0][1]}} {{count.output.answer.odd[x]}}" } },
            { "id": "bad", "tool": "noop", "arguments": { "value": { "a": "It has {{count.output.answer.columns}}." } } },
        ]);
        let wrong = never_there(&read_tasks(&tasks).unwrap());
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert_eq!(wrong[0].0, 4);
        assert!(wrong[0].1.contains("`columns`"), "{}", wrong[0].1);
    }
}
