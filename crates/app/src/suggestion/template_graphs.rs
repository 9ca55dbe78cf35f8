//! Plans as graphs of tools: a tool follows another if only agents, people and gates lie between them.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_catalogue::Catalogue;
use adjutant_mission::{Plan, Task, WorkSpec};
use adjutant_suggestion::{Graph, GraphTask};
use serde_json::{Map, Value};

/// The graphs of all templates of the catalogue.
pub(super) fn template_graphs(catalogue: &Catalogue) -> Vec<Graph> {
    let templates = catalogue
        .entries
        .iter()
        .filter_map(|entry| entry.template());
    templates
        .map(|template| tool_graph(template.tasks.iter().map(|at| &at.task)))
        .collect()
}

/// The calls of a plan in its order, each with the calls before it whose results can reach it.
pub(super) fn plan_graph(plan: &Plan) -> Graph {
    tool_graph(plan.tasks.iter())
}

fn tool_graph<'a>(tasks: impl Iterator<Item = &'a Task>) -> Graph {
    let in_order: Vec<&Task> = tasks.collect();
    let keyed = in_order.iter().map(|task| (task.key.as_str(), *task));
    let tasks: BTreeMap<&str, &Task> = keyed.collect();
    let calls = in_order.iter().filter_map(|task| {
        let WorkSpec::Tool(call) = &task.work else {
            return None;
        };
        Some(GraphTask {
            id: task.key.to_string(),
            tool: call.tool.to_string(),
            arguments: arguments(call.with.text()),
            depends_on: calls_before(task, &tasks),
        })
    });
    Graph {
        tasks: calls.collect(),
    }
}

fn arguments(json: &str) -> Map<String, Value> {
    match serde_json::from_str(json) {
        Ok(Value::Object(arguments)) => arguments,
        _ => Map::new(),
    }
}

/// The nearest calls before a task, through everything that is none.
fn calls_before(task: &Task, tasks: &BTreeMap<&str, &Task>) -> Vec<String> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<&str> = task
        .after
        .iter()
        .map(|before| before.task.as_str())
        .collect();
    while let Some(key) = waiting.pop() {
        let Some(before) = tasks.get(key).filter(|_| seen.insert(key)) else {
            continue;
        };
        match &before.work {
            WorkSpec::Tool(_) => {
                found.insert(key.to_owned());
            }
            _ => waiting.extend(before.after.iter().map(|before| before.task.as_str())),
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
#[path = "template_graphs_tests.rs"]
mod tests;
