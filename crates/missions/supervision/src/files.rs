//! Files that results name, and which of their types the tasks of a plan read.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_mission::{Json, Plan, Task, TaskKey, ToolCall, WorkSpec};
use serde_json::Value;

/// Fields whose texts are names of files.
const FILE_LISTS: [&str; 2] = ["files", "paths"];
/// Fields of an entry of such a list that hold its name.
const FILE_NAMES: [&str; 3] = ["path", "name", "file"];
/// Longest ending that is a type and not the end of a sentence.
const TYPE_CHARS_MAX: usize = 8;
const DEPTH_MAX: usize = 8;
/// Types remembered of one result, and names of each type.
const TYPES_MAX: usize = 50;
const NAMES_MAX: usize = 50;
const NAME_BYTES_MAX: usize = 500;

/// Names of files, by their types.
pub(crate) type Files = BTreeMap<String, BTreeSet<String>>;

/// The files that a result names.
pub(crate) fn files_in(output: &Json) -> Files {
    let mut found = Files::new();
    if let Ok(value) = serde_json::from_str::<Value>(output.text()) {
        gather(&value, 0, &mut found);
    }
    found
}

fn gather(value: &Value, depth: usize, found: &mut Files) {
    if depth > DEPTH_MAX {
        return;
    }
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                match inner {
                    Value::Array(items) if FILE_LISTS.contains(&name.as_str()) => {
                        for item in items {
                            add(file_name(item), found);
                        }
                    }
                    inner => gather(inner, depth + 1, found),
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                gather(item, depth + 1, found);
            }
        }
        _ => {}
    }
}

fn file_name(item: &Value) -> Option<&str> {
    match item {
        Value::String(name) => Some(name),
        Value::Object(fields) => FILE_NAMES
            .iter()
            .find_map(|field| fields.get(*field).and_then(Value::as_str)),
        _ => None,
    }
}

fn add(name: Option<&str>, found: &mut Files) {
    let last = name.and_then(|name| name.rsplit(['/', '\\']).next());
    let Some((stem, ending)) = last.and_then(|last| last.rsplit_once('.')) else {
        return;
    };
    let fits = !ending.is_empty()
        && ending.len() <= TYPE_CHARS_MAX
        && ending.chars().all(|c| c.is_ascii_alphanumeric());
    let of_type = ending.to_ascii_lowercase();
    if stem.is_empty() || !fits || (found.len() >= TYPES_MAX && !found.contains_key(&of_type)) {
        return;
    }
    let names = found.entry(of_type).or_default();
    if let Some(name) = name.filter(|name| name.len() <= NAME_BYTES_MAX)
        && names.len() < NAMES_MAX
    {
        names.insert(name.to_owned());
    }
}

/// The types of files that no task reads. A task reads a type if it names it: in its own name, its tool's, its arguments or the
/// goal of its agent. Naming the files that one gives oneself is not reading them.
pub(crate) fn unread(found: &BTreeMap<TaskKey, Files>, plan: &Plan) -> BTreeSet<String> {
    let mut unread: BTreeSet<String> = found.values().flat_map(Files::keys).cloned().collect();
    for task in &plan.tasks {
        if unread.is_empty() {
            break;
        }
        let mut words = BTreeSet::new();
        add_words(task, &mut words);
        let given = found.get(&task.key);
        unread.retain(|of_type| {
            let gives = given.is_some_and(|given| given.contains_key(of_type));
            gives || !words.contains(of_type)
        });
    }
    unread
}

fn add_words(task: &Task, words: &mut BTreeSet<String>) {
    split(task.key.as_str(), words);
    split(&task.title, words);
    match &task.work {
        WorkSpec::Tool(call) => add_call(call, words),
        WorkSpec::Agent(agent) => {
            split(agent.with.text(), words);
            for tool in agent.reasoning.iter().flat_map(|by| &by.tools) {
                split(tool.as_str(), words);
            }
        }
        WorkSpec::Mission(sub) => {
            for task in &sub.plan.tasks {
                add_words(task, words);
            }
        }
        WorkSpec::Human(_) | WorkSpec::Gate(_) => {}
    }
    if let Some(other) = &task.alternative {
        add_call(other, words);
    }
}

fn add_call(call: &ToolCall, words: &mut BTreeSet<String>) {
    split(call.tool.as_str(), words);
    split(call.with.text(), words);
}

fn split(text: &str, words: &mut BTreeSet<String>) {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    let short = parts.filter(|part| !part.is_empty() && part.len() <= TYPE_CHARS_MAX);
    words.extend(short.map(str::to_ascii_lowercase));
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
