//! A new requirement for a workflow that runs: what to add to its graph, and what to change in tasks that have not started.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::arrange::text_part;
use crate::extract::is_content;
use crate::graph::{Graph, GraphTask};
use crate::suggester::{IntentRefused, Suggester};
use crate::suggestion::{Missing, Suggestion};
use crate::tool::{Argument, Kind, ToolEffect};
use crate::words::terms;

/// As many tasks of one tool for as many things to work on.
const ITEMS_MAX: usize = 10;

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// It may still be changed.
    NotStarted,
    Running,
    Done,
    /// It failed, was skipped or cancelled: nothing can come of it.
    Without,
}

/// How a graph is to change. Tasks that have started are in none of its lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Revision {
    pub add: Vec<GraphTask>,
    /// Complete tasks in the place of those with their ids.
    pub change: Vec<GraphTask>,
    /// Of the new tasks.
    pub missing: Vec<Missing>,
    /// What the new tasks come of: their confidence, and why each is there.
    pub suggestion: Suggestion,
}

impl Suggester {
    /// How a graph becomes one that meets a new requirement as well. `context` are values that were found while it ran, by name.
    pub fn replan(
        &self,
        graph: &Graph,
        states: &BTreeMap<String, TaskState>,
        requirement: &str,
        context: &Map<String, Value>,
    ) -> Result<Revision, IntentRefused> {
        let suggestion = self.suggest(requirement)?;
        let state = |id: &str| states.get(id).copied().unwrap_or(TaskState::NotStarted);
        let mut revision = Revision {
            add: renamed(&suggestion.graph, graph, states),
            change: Vec::new(),
            missing: Vec::new(),
            suggestion,
        };
        let context: Map<String, Value> = context
            .iter()
            .map(|(name, value)| (name.clone(), without_references(value)))
            .collect();
        let usable: Vec<&GraphTask> = graph
            .tasks
            .iter()
            .filter(|task| state(&task.id) != TaskState::Without)
            .collect();
        let mut added = Vec::new();
        for task in std::mem::take(&mut revision.add) {
            added.extend(self.completed(task, &usable, &context));
        }
        revision.add = added;
        revision.missing = revision
            .add
            .iter()
            .flat_map(|task| self.missing(task))
            .collect();
        let not_started = graph
            .tasks
            .iter()
            .filter(|task| state(&task.id) == TaskState::NotStarted);
        revision.change = self.changed(not_started, &revision.add);
        Ok(revision)
    }

    /// The task with what the context and earlier results give; several tasks for a list of things of which a call takes one.
    fn completed(
        &self,
        task: GraphTask,
        earlier: &[&GraphTask],
        context: &Map<String, Value>,
    ) -> Vec<GraphTask> {
        let mut tasks = vec![task];
        for argument in self.open(&tasks[0]).0 {
            let given = context
                .iter()
                .find(|(name, _)| **name == argument.name)
                .or_else(|| {
                    context
                        .iter()
                        .find(|(name, _)| is_alike(name, &argument.name))
                });
            match given.map(|(_, value)| value) {
                Some(Value::Array(items)) if argument.kind == Kind::Text && tasks.len() == 1 => {
                    let texts: Vec<&Value> = items
                        .iter()
                        .filter(|item| item.is_string())
                        .take(ITEMS_MAX)
                        .collect();
                    let first = tasks[0].clone();
                    tasks = texts
                        .iter()
                        .enumerate()
                        .map(|(at, text)| {
                            let mut task = first.clone();
                            if at > 0 {
                                task.id = format!("{}_{}", first.id, at + 1);
                            }
                            task.arguments
                                .insert(argument.name.clone(), (*text).clone());
                            task
                        })
                        .collect();
                    if tasks.is_empty() {
                        tasks.push(first);
                    }
                }
                Some(value) if kind_of(value).fits(argument.kind) => {
                    for task in &mut tasks {
                        task.arguments.insert(argument.name.clone(), value.clone());
                    }
                }
                _ => {
                    let found = earlier
                        .iter()
                        .rev()
                        .find(|from| self.gives(from, &argument));
                    if let Some(from) = found {
                        let reference =
                            json!(format!("{{{{{}.output.{}}}}}", from.id, argument.name));
                        for task in &mut tasks {
                            task.arguments
                                .insert(argument.name.clone(), reference.clone());
                            add_once(&mut task.depends_on, &from.id);
                        }
                    }
                }
            }
        }
        tasks
    }

    /// Tasks that were to write down or merge what was made before, with what is new.
    fn changed<'a>(
        &self,
        not_started: impl Iterator<Item = &'a GraphTask>,
        added: &[GraphTask],
    ) -> Vec<GraphTask> {
        let effect = |task: &GraphTask| {
            self.number(&task.tool)
                .map(|tool| self.tools[tool].tool.effect)
        };
        let waited_for: BTreeSet<&String> =
            added.iter().flat_map(|task| &task.depends_on).collect();
        let last: Vec<&GraphTask> = added
            .iter()
            .filter(|task| {
                effect(task) != Some(ToolEffect::Changes) && !waited_for.contains(&task.id)
            })
            .collect();
        let writes_itself = added
            .iter()
            .any(|task| effect(task) == Some(ToolEffect::Changes));
        if last.is_empty() || writes_itself {
            return Vec::new();
        }
        not_started
            .filter(|task| !waited_for.contains(&task.id))
            .filter_map(|task| {
                let mut task = task.clone();
                let takes = task
                    .arguments
                    .iter_mut()
                    .find(|(name, value)| takes_more(name, value));
                let (_, value) = takes?;
                for new in &last {
                    self.append(value, new);
                    add_once(&mut task.depends_on, &new.id);
                }
                Some(task)
            })
            .collect()
    }

    fn append(&self, value: &mut Value, new: &GraphTask) {
        let tool = self.number(&new.tool);
        let text = tool.map_or_else(
            || format!("{{{{{}.output}}}}", new.id),
            |tool| text_part(self, tool, &new.id),
        );
        match value {
            Value::Array(items) => items.push(json!(format!("{{{{{}.output}}}}", new.id))),
            Value::String(written) => *written = format!("{}\n\n{text}\n", written.trim_end()),
            _ => {}
        }
    }

    /// Arguments that a task needs and that have no value, and of which of them one will do.
    fn open(&self, task: &GraphTask) -> (Vec<Argument>, &[String]) {
        let tool = self.number(&task.tool);
        let way = tool.and_then(|tool| self.tools[tool].signature.way_of(&task.arguments));
        match way {
            Some(way) => (way.open(&task.arguments).cloned().collect(), &way.one_of),
            None => (Vec::new(), &[]),
        }
    }

    fn missing(&self, task: &GraphTask) -> Vec<Missing> {
        let (open, one_of) = self.open(task);
        let open = open.iter();
        open.map(|argument| Missing::new(&task.id, argument, one_of))
            .collect()
    }

    fn gives(&self, task: &GraphTask, argument: &Argument) -> bool {
        let Some(tool) = self.number(&task.tool) else {
            return false;
        };
        let mut gives = self.tools[tool].signature.gives.iter();
        gives.any(|part| part.name == argument.name && part.kind.fits(argument.kind))
    }
}

/// The new tasks under ids that nobody has: there may be more tasks than those of the graph.
fn renamed(new: &Graph, graph: &Graph, states: &BTreeMap<String, TaskState>) -> Vec<GraphTask> {
    let ids = graph.tasks.iter().map(|task| &task.id);
    let mut taken: BTreeSet<String> = ids.chain(states.keys()).cloned().collect();
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    for task in &new.tasks {
        let mut id = task.id.clone();
        let mut number = 1;
        while !taken.insert(id.clone()) {
            number += 1;
            id = format!("{}_{number}", task.id);
        }
        names.insert(&task.id, id);
    }
    let rename = |task: &GraphTask| {
        let mut task = task.clone();
        for value in task.arguments.values_mut() {
            rename_references(value, &names);
        }
        if let Some(id) = names.get(task.id.as_str()) {
            task.id.clone_from(id);
        }
        for before in &mut task.depends_on {
            if let Some(id) = names.get(before.as_str()) {
                before.clone_from(id);
            }
        }
        task
    };
    new.tasks.iter().map(rename).collect()
}

fn rename_references(value: &mut Value, names: &BTreeMap<&str, String>) {
    match value {
        Value::String(text) => {
            for (old, new) in names.iter().filter(|(old, new)| **old != new.as_str()) {
                *text = text.replace(&format!("{{{{{old}.output"), &format!("{{{{{new}.output"));
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| rename_references(item, names)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| rename_references(field, names)),
        _ => {}
    }
}

/// What was found is data: nothing in it may become a reference.
fn without_references(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(text.replace("{{", "{ {").replace("}}", "} }")),
        Value::Array(items) => Value::Array(items.iter().map(without_references).collect()),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, field)| (name.clone(), without_references(field)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// Whether a name says what the other does, and more: `xml_files` and `files`.
fn is_alike(context: &str, argument: &str) -> bool {
    let said = terms(&context.replace('_', " "));
    let wanted = terms(&argument.replace('_', " "));
    let is_file = |term: &String| term == "file" || term == "path";
    !wanted.is_empty()
        && wanted
            .iter()
            .all(|term| said.contains(term) || is_file(term) && said.iter().any(is_file))
}

fn kind_of(value: &Value) -> Kind {
    match value {
        Value::String(_) => Kind::Text,
        Value::Number(_) => Kind::Number,
        Value::Bool(_) => Kind::Truth,
        Value::Array(_) => Kind::List,
        Value::Object(_) => Kind::Object,
        Value::Null => Kind::Any,
    }
}

/// Whether an argument collects the results of others.
fn takes_more(name: &str, value: &Value) -> bool {
    let refers = |text: &str| text.contains("{{") && text.contains(".output");
    match value {
        Value::Array(items) => items.iter().any(|item| item.as_str().is_some_and(refers)),
        Value::String(text) => is_content(name) && refers(text),
        _ => false,
    }
}

fn add_once(list: &mut Vec<String>, id: &str) {
    if !list.iter().any(|other| other == id) {
        list.push(id.to_owned());
    }
}
