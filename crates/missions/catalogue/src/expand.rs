//! Tasks that are done once for each item of a list, and tasks that take the place of another.
//!
//! A plan is fixed before it runs, so there must be a number before there is a list: that of tools whose caller knows how
//! many items their result will have. The task that makes the list is told the number as `count`.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_mission::{Dependency, Json, Task, TaskKey, WorkSpec};
use serde_json::Value;

use crate::start::StartWith;
use crate::template::{Template, TemplateTask};

/// The field of a result that holds the list.
const ITEMS: &str = "items";
/// What stands for one item in the arguments of a task that is done for each.
const EACH: &str = "{{each";
const TASKS_EACH_MAX: usize = 200;

/// How many items the list has that a task is done for each of; nothing if nobody knows.
pub(crate) fn count_of(template: &Template, each: &TaskKey, start: &StartWith) -> Option<usize> {
    let mut tasks = template.tasks.iter();
    let list = tasks.find(|at| at.task.key == *each)?;
    let WorkSpec::Tool(call) = &list.task.work else {
        return None;
    };
    let count = start.lists.get(call.tool.as_str()).copied();
    count
        .map(|count| count.min(TASKS_EACH_MAX))
        .filter(|count| *count > 0)
}

/// The keys under which a task of the template is in a plan.
pub(crate) fn is_of(at: &TemplateTask, key: &TaskKey) -> bool {
    if at.each.is_none() {
        return at.task.key == *key;
    }
    let rest = key.as_str().strip_prefix(at.task.key.as_str());
    let number = rest.and_then(|rest| rest.strip_prefix('_'));
    number.is_some_and(|number| number.parse::<usize>().is_ok())
}

/// The tasks of a plan, with those that are done for each item as many times, and with what takes another's place.
pub(crate) fn expand(template: &Template, tasks: Vec<Task>, start: &StartWith) -> Vec<Task> {
    let entry = |key: &TaskKey| template.tasks.iter().find(|at| at.task.key == *key);
    let mut numbers: BTreeMap<TaskKey, usize> = BTreeMap::new();
    let mut lists: BTreeMap<TaskKey, usize> = BTreeMap::new();
    for task in &tasks {
        let each = entry(&task.key).and_then(|at| at.each.as_ref());
        let Some(each) = each else { continue };
        let Some(count) = count_of(template, each, start) else {
            continue;
        };
        numbers.insert(task.key.clone(), count);
        lists.insert(each.clone(), count);
    }
    let mut expanded = Vec::new();
    for mut task in tasks {
        if let Some(count) = lists.get(&task.key) {
            set_count(&mut task, *count);
        }
        let each = entry(&task.key).and_then(|at| at.each.as_ref());
        let copies = match (numbers.get(&task.key), each) {
            (Some(count), Some(list)) => copies(&task, list, *count),
            _ => vec![task],
        };
        expanded.extend(copies);
    }
    for task in &mut expanded {
        gather(task, &numbers);
    }
    for at in &template.tasks {
        if let Some(replaced) = &at.replaces {
            replace(&mut expanded, replaced, &at.task.key);
        }
    }
    expanded
}

fn set_count(task: &mut Task, count: usize) {
    let WorkSpec::Tool(call) = &mut task.work else {
        return;
    };
    change(&mut call.with, |with| {
        if let Value::Object(fields) = with {
            fields.insert("count".to_owned(), count.into());
        }
    });
}

fn copies(task: &Task, list: &TaskKey, count: usize) -> Vec<Task> {
    let numbered = (0..count).filter_map(|at| {
        let mut copy = task.clone();
        copy.key = key_of(&task.key, at)?;
        copy.title = format!("{} ({} of {count})", task.name(), at + 1);
        let item = format!("{{{{{list}.output.{ITEMS}.{at}");
        each_json(&mut copy, |with| {
            change(with, |value| {
                in_texts(value, &|text| text.replace(EACH, &item));
            });
        });
        Some(copy)
    });
    numbered.collect()
}

fn key_of(key: &TaskKey, at: usize) -> Option<TaskKey> {
    TaskKey::new(format!("{key}_{}", at + 1)).ok()
}

/// What waits for a task that is done several times waits for all of them, and its output is the list of theirs.
fn gather(task: &mut Task, numbers: &BTreeMap<TaskKey, usize>) {
    let mut after: Vec<Dependency> = Vec::new();
    for dependency in &task.after {
        match numbers.get(&dependency.task) {
            Some(count) => after.extend((0..*count).filter_map(|at| {
                Some(Dependency {
                    task: key_of(&dependency.task, at)?,
                    ..dependency.clone()
                })
            })),
            None => after.push(dependency.clone()),
        }
    }
    task.after = after;
    each_json(task, |with| change(with, |value| lists_in(value, numbers)));
}

fn lists_in(value: &mut Value, numbers: &BTreeMap<TaskKey, usize>) {
    match value {
        Value::String(text) => {
            let whole = |key: &TaskKey| *text == format!("{{{{{key}.output}}}}");
            let found = numbers.iter().find(|(key, _)| whole(key));
            if let Some((key, count)) = found {
                let outputs = (0..*count).filter_map(|at| key_of(key, at));
                *value = outputs
                    .map(|key| Value::from(format!("{{{{{key}.output}}}}")))
                    .collect();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| lists_in(item, numbers)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| lists_in(field, numbers)),
        _ => {}
    }
}

/// Where a task is in the plan that takes another's place, what comes after it refers to it. What it needs itself does not.
fn replace(tasks: &mut [Task], replaced: &TaskKey, by: &TaskKey) {
    let waits: BTreeMap<TaskKey, Vec<TaskKey>> = tasks
        .iter()
        .map(|task| {
            let after = task.after.iter().map(|on| on.task.clone());
            (task.key.clone(), after.collect())
        })
        .collect();
    if !waits.contains_key(by) {
        return;
    }
    let mut before: BTreeSet<TaskKey> = BTreeSet::new();
    let mut todo = vec![by.clone()];
    while let Some(key) = todo.pop() {
        if before.insert(key.clone()) {
            todo.extend(waits.get(&key).into_iter().flatten().cloned());
        }
    }
    let (old, new) = (format!("{{{{{replaced}."), format!("{{{{{by}."));
    for task in tasks.iter_mut().filter(|task| !before.contains(&task.key)) {
        if task.after.iter().any(|on| on.task == *by) {
            task.after.retain(|on| on.task != *replaced);
        }
        for on in &mut task.after {
            if on.task == *replaced {
                on.task = by.clone();
            }
        }
        each_json(task, |with| {
            change(with, |value| {
                in_texts(value, &|text| text.replace(&old, &new));
            });
        });
        if let WorkSpec::Human(human) = &mut task.work {
            human.question = human.question.replace(&old, &new);
        }
    }
}

/// Everything that a task is called with, in any of its ways.
fn each_json(task: &mut Task, mut at: impl FnMut(&mut Json)) {
    match &mut task.work {
        WorkSpec::Tool(call) => at(&mut call.with),
        WorkSpec::Agent(agent) => at(&mut agent.with),
        WorkSpec::Mission(sub) => sub.with.iter_mut().for_each(&mut at),
        WorkSpec::Human(_) | WorkSpec::Gate(_) => {}
    }
    if let Some(alternative) = &mut task.alternative {
        at(&mut alternative.with);
    }
}

fn change(json: &mut Json, how: impl FnOnce(&mut Value)) {
    let Ok(before) = serde_json::from_str::<Value>(json.text()) else {
        return;
    };
    let mut value = before.clone();
    how(&mut value);
    if value != before
        && let Ok(changed) = Json::encode(&value)
    {
        *json = changed;
    }
}

fn in_texts(value: &mut Value, change: &impl Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| in_texts(item, change)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| in_texts(field, change)),
        _ => {}
    }
}
