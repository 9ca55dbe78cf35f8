//! Whose text the parts of a mission are: the words of its authors, which may say what is to be done, or text from outside.
//!
//! Follows from the plan and the facts of its tools, never from what a text says, by the rule that the mission machine approves
//! calls by: whatever is derived from outside text is outside text.

use std::collections::BTreeSet;

use adjutant_mission::{
    Json, Mission, Provenance, Task, TaskKey, TaskState, ToolCall, WorkSpec, references_in_json,
};

/// Whose words a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// Of whoever planned the mission or answered its questions.
    Authors,
    /// Ours, with results of tasks in them at most.
    Ours,
    Outside,
}

/// Whose words the output of a task is.
pub(super) fn of_output(mission: &Mission, task: &TaskKey) -> Whose {
    follow(mission, vec![task.clone()])
}

/// Whose words the arguments of a task's call are.
pub(super) fn of_arguments(mission: &Mission, task: &TaskKey) -> Whose {
    let Some((task, state)) = mission.task(task.as_str()) else {
        return Whose::Outside;
    };
    let calls = calls(task, state).into_iter();
    let referred: Option<Vec<Vec<TaskKey>>> =
        calls.map(|call| referred(mission, &call.with)).collect();
    match (&task.work, referred) {
        (WorkSpec::Tool(_), Some(tasks)) => follow(mission, tasks.concat()),
        // A model chose what an agent calls.
        _ => Whose::Outside,
    }
}

/// The one tool whose output the task has, if no other may have given it.
pub(super) fn tool_of<'m>(mission: &'m Mission, task: &TaskKey) -> Option<&'m str> {
    let (task, state) = mission.task(task.as_str())?;
    let mut calls = calls(task, state).into_iter();
    let first = calls.next()?.tool.as_str();
    calls
        .all(|call| call.tool.as_str() == first)
        .then_some(first)
}

fn follow(mission: &Mission, mut todo: Vec<TaskKey>) -> Whose {
    let mut seen = BTreeSet::new();
    while let Some(key) = todo.pop() {
        if !seen.insert(key.clone()) {
            continue;
        }
        let Some((task, state)) = mission.task(key.as_str()) else {
            return Whose::Outside;
        };
        match &task.work {
            // An answer is the person's own text, even if the question showed outside text.
            WorkSpec::Human(_) | WorkSpec::Gate(_) => continue,
            WorkSpec::Agent(_) | WorkSpec::Mission(_) => return Whose::Outside,
            WorkSpec::Tool(_) => {}
        }
        for call in calls(task, state) {
            let facts = mission.tools().get(&call.tool);
            let made_of_arguments =
                facts.is_some_and(|facts| facts.provenance == Some(Provenance::Own));
            match referred(mission, &call.with).filter(|_| made_of_arguments) {
                Some(more) => todo.extend(more),
                None => return Whose::Outside,
            }
        }
    }
    Whose::Authors
}

/// Every call that may have given the output.
fn calls<'m>(task: &'m Task, state: &'m TaskState) -> Vec<&'m ToolCall> {
    let first = match &task.work {
        WorkSpec::Tool(call) => Some(call),
        _ => None,
    };
    let others = task.alternative.iter().chain(&state.changed_call);
    first.into_iter().chain(others).collect()
}

/// The tasks that arguments refer to; nothing if they refer to inputs that another mission gave.
fn referred(mission: &Mission, with: &Json) -> Option<Vec<TaskKey>> {
    let mut tasks = Vec::new();
    for reference in references_in_json(with.text()) {
        if reference.is_input() && mission.opened().parent.is_some() {
            return None;
        }
        if let Some(task) = reference.task() {
            tasks.push(TaskKey::new(task).ok()?);
        }
    }
    Some(tasks)
}

#[cfg(test)]
#[path = "sources_tests.rs"]
mod tests;
