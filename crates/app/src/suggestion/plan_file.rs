//! A suggestion as a plan file, so that a person can complete it and run it.

use std::collections::BTreeSet;

use adjutant_suggestion::Suggestion;
use serde_json::{Map, Value, json};

use crate::error::{AppError, ErrorKind};

const TITLE_CHARS_MAX: usize = 80;

/// The suggested graph as a plan file. What is missing becomes an input of the plan that has to be given.
pub fn plan_file(suggested: &Suggestion) -> Result<String, AppError> {
    if suggested.graph.tasks.is_empty() {
        return Err(AppError::new(
            ErrorKind::NotGood,
            "ADJ-6252",
            "no tool serves this intent, so there is no plan",
            "Say it in other words, or look for a tool with `adjutant tools list`.",
        ));
    }
    let mut inputs = Map::new();
    let mut tasks = Vec::new();
    let mut taken = BTreeSet::new();
    for task in &suggested.graph.tasks {
        let mut with = task.arguments.clone();
        for missing in suggested
            .missing
            .iter()
            .filter(|missing| missing.task == task.id)
        {
            let mut name = missing.argument.clone();
            if !taken.insert(name.clone()) {
                name = format!("{}_{}", task.id, missing.argument);
                taken.insert(name.clone());
            }
            with.insert(
                missing.argument.clone(),
                json!(format!("{{{{inputs.{name}}}}}")),
            );
            inputs.insert(name, Value::Null);
        }
        let mut written = json!({ "id": task.id, "tool": task.tool, "with": with });
        if !task.depends_on.is_empty() {
            written["after"] = json!(task.depends_on);
        }
        tasks.push(written);
    }
    let title: String = suggested.intent.chars().take(TITLE_CHARS_MAX).collect();
    let mut plan = json!({ "title": title, "objective": suggested.intent, "tasks": tasks });
    if !inputs.is_empty() {
        plan["inputs"] = Value::Object(inputs);
    }
    serde_json::to_string_pretty(&plan).map_err(|error| {
        AppError::new(
            ErrorKind::Internal,
            "ADJ-6083",
            error.to_string(),
            "This is a defect of Adjutant; please report it.",
        )
    })
}
