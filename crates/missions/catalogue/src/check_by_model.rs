//! Where a model is asked, it reads what is about to be handed over against the constitution as well: the check by rules gets
//! questions in front of it, in every template that has one.

use adjutant_mission::{
    AgentWork, Complexity, Dependency, DependencyKind, Json, Millis, PurposeId, Task, TaskKey,
    ToolCall, ToolId, WorkSpec,
};
use serde_json::{Value, json};

use crate::roster;
use crate::start::StartWith;
use crate::template::Template;

/// The tool that checks by rules, and adds what a model found.
const CHECK: &str = "constitution";
/// The tool that cuts the text into what one question carries.
pub const CHECKED_PIECES: &str = "constitution_pieces";
const PURPOSE: &str = "constitution";
pub(crate) const NOTHING: &str = "noop";

/// Puts the questions in front of every check, as many as the start says. Nothing changes where no model is asked or a tool
/// may not be called: then the rules check alone.
pub(crate) fn add_questions(tasks: &mut Vec<Task>, template: &Template, start: &StartWith) {
    let count = start.lists.get(CHECKED_PIECES).copied().unwrap_or_default();
    let may_call = [CHECKED_PIECES, NOTHING]
        .iter()
        .all(|tool| start.may_call(tool));
    if count == 0 || !may_call {
        return;
    }
    let checks = tasks.iter().enumerate().filter(|(_, task)| checks(task));
    let places: Vec<usize> = checks.map(|(at, _)| at).collect();
    for at in places.into_iter().rev() {
        let questions = questions(&tasks[at], template, count);
        let Some((added, check)) = questions else {
            continue;
        };
        tasks[at] = check;
        tasks.splice(at..at, added);
    }
}

/// Whether a task is a question that is put in front of a check.
pub(crate) fn asks(task: &Task) -> bool {
    matches!(&task.work, WorkSpec::Agent(work) if work.purpose.as_str() == PURPOSE)
}

fn checks(task: &Task) -> bool {
    matches!(&task.work, WorkSpec::Tool(call) if call.tool.as_str() == CHECK)
}

/// The tasks in front of a check, and the check that waits for them.
fn questions(check: &Task, template: &Template, count: usize) -> Option<(Vec<Task>, Task)> {
    let WorkSpec::Tool(call) = &check.work else {
        return None;
    };
    let mut with: Value = serde_json::from_str(call.with.text()).ok()?;
    let mut pieces_with = with.clone();
    pieces_with
        .as_object_mut()?
        .insert("count".to_owned(), count.into());
    let pieces_key = TaskKey::new(format!("{}_pieces", check.key)).ok()?;
    let pieces = Task {
        title: "The text in pieces that a model can check".to_owned(),
        after: check.after.clone(),
        ..Task::new(pieces_key.clone(), tool(CHECKED_PIECES, &pieces_with)?)
    };
    let mut added = vec![pieces];
    for number in 0..count {
        added.push(question(check, template, &pieces_key, number, count)?);
    }
    let keys: Vec<&TaskKey> = added[1..].iter().map(|task| &task.key).collect();
    let answers: Vec<String> = keys
        .iter()
        .map(|key| format!("{{{{{key}.output}}}}"))
        .collect();
    with.as_object_mut()?
        .insert("answers".to_owned(), json!(answers));
    let mut checked = check.clone();
    checked.work = tool(CHECK, &with)?;
    checked.after.extend(keys.into_iter().map(waits_for));
    Some((added, checked))
}

fn question(
    check: &Task,
    template: &Template,
    pieces: &TaskKey,
    number: usize,
    count: usize,
) -> Option<Task> {
    let item = |field: &str| format!("{{{{{pieces}.output.items.{number}.{field}}}}}");
    let with =
        json!({ "rules": item("rules"), "sources": item("sources"), "quoted": item("quoted") });
    let work = AgentWork {
        level: roster::agent(template.expert.as_str())?.level,
        purpose: PurposeId::new(PURPOSE).ok()?,
        with: Json::encode(&with).ok()?,
        domain: None,
        complexity: Complexity::default(),
        model: None,
        reasoning: None,
    };
    let key = TaskKey::new(format!("{}_model_{}", check.key, number + 1)).ok()?;
    Some(Task {
        title: format!(
            "The text against the constitution, by a model ({} of {count})",
            number + 1
        ),
        by: Some(template.expert.clone()),
        after: vec![waits_for(pieces)],
        alternative: Some(ToolCall {
            tool: ToolId::new(NOTHING).ok()?,
            with: Json::encode(&json!({ "value": "not checked by a model" })).ok()?,
        }),
        ..Task::new(key, WorkSpec::Agent(Box::new(work)))
    })
}

fn tool(id: &str, with: &Value) -> Option<WorkSpec> {
    Some(WorkSpec::Tool(ToolCall {
        tool: ToolId::new(id).ok()?,
        with: Json::encode(with).ok()?,
    }))
}

fn waits_for(task: &TaskKey) -> Dependency {
    Dependency {
        task: task.clone(),
        kind: DependencyKind::default(),
        lag: Millis::ZERO,
    }
}
