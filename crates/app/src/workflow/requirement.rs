//! Changes of a running workflow that are asked for in words: what is added, and which tasks that have not started take it
//! up. Pure: the change goes the way of every other.

use std::collections::BTreeSet;

use adjutant_mission::{
    Approval, Asks, Dependency, DependencyKind, Millis, Mission, PlanPatch, Task, TaskKey,
    TaskStatus, WorkSpec,
};
use adjutant_suggestion::{SURE_ENOUGH, Suggester};
use serde_json::{Value, json};

use super::graph::{PlanIs, only_reads};
use super::layers::layers;
use super::offer::how_sure;
use super::steer::{Replan, ask_about_what_follows, check_size, plan_is};
use super::toolbox;
use crate::error::AppError;
use crate::plan_checker::PlanChecker;
use crate::suggestion::{Replanned, replan};

/// What a requirement in words comes to.
pub(super) enum InWords {
    Change {
        patch: Box<PlanPatch>,
        /// What is changed, for whoever asked.
        told: Value,
    },
    /// Nothing is changed: what was found is not sure enough for tasks that would run before anybody looks at them.
    Unsure(Value),
}

pub(super) fn change(
    suggester: &Suggester,
    checker: &PlanChecker,
    mission: &Mission,
    wanted: &Replan,
) -> Result<InWords, AppError> {
    let (words, context) = (&wanted.new_requirement, &wanted.available_context);
    let mut replanned = replan(suggester, checker, mission, words, context)?;
    check_size(mission.plan(), replanned.patch.add.len())?;
    let plan_is = plan_is(mission);
    let confidence = &replanned.revision.suggestion.confidence;
    let is_sure = confidence.value >= SURE_ENOUGH;
    // Whoever asked sees the next layer before it runs, or a person sees the plan.
    let is_in_next_layer = put_into_next_layer(mission, &mut replanned.patch);
    let is_looked_at = plan_is == PlanIs::ShownFirst || is_in_next_layer;
    if !is_sure && !is_looked_at {
        return Ok(InWords::Unsure(unsure(mission, &replanned)));
    }
    let patch = &mut replanned.patch;
    if plan_is == PlanIs::Unseen {
        ask_about_changes(checker, patch);
        ask_about_what_follows(mission, checker, patch)?;
    }
    let mut told = how_sure(&replanned.revision.suggestion);
    put_in(&mut told, what_changed(&replanned.patch));
    Ok(InWords::Change {
        patch: Box::new(replanned.patch),
        told,
    })
}

/// While a layer waits for its validation, a task that waits for nothing would run at once: it is put after a task of that
/// layer, so that it is seen with the next. Says whether there is such a layer, and a task in it to put others after.
fn put_into_next_layer(mission: &Mission, patch: &mut PlanPatch) -> bool {
    let mut open = mission.open_checkpoints();
    let validated = open.find_map(|state| match state.checkpoint.asks {
        Asks::PassLayer { layer } => Some(layer.index()),
        _ => None,
    });
    let layers = layers(mission.plan());
    let Some(validated) = validated.and_then(|at| layers.get(at)) else {
        return false;
    };
    let is_completed = |key: &&TaskKey| {
        let task = mission.task(key.as_str());
        task.is_some_and(|(_, state)| state.status == TaskStatus::Completed)
    };
    let Some(ended) = validated.iter().find(is_completed) else {
        return false;
    };
    let added: BTreeSet<TaskKey> = patch.add.iter().map(|task| task.key.clone()).collect();
    for task in &mut patch.add {
        let mut after = task.after.iter().map(|on| &on.task);
        if !after.any(|key| added.contains(key) || validated.contains(key)) {
            task.after.push(Dependency {
                task: ended.clone(),
                kind: DependencyKind::default(),
                lag: Millis::default(),
            });
        }
    }
    true
}

/// No person has seen what is added or changed: a call that changes anything outside is asked about by itself.
fn ask_about_changes(checker: &PlanChecker, patch: &mut PlanPatch) {
    for task in patch.add.iter_mut().chain(&mut patch.change) {
        let WorkSpec::Tool(call) = &task.work else {
            continue;
        };
        let known = checker.registry().get(call.tool.as_str());
        if !known.is_some_and(|known| only_reads(known.manifest().class)) {
            task.approval = Approval::Always;
        }
    }
}

/// What a requirement changed, told alike by the first answer and by those to the same request again.
pub(super) fn what_changed(patch: &PlanPatch) -> Value {
    let added: Vec<Value> = patch.add.iter().filter_map(as_requested).collect();
    let changed: Vec<&TaskKey> = patch.change.iter().map(|task| &task.key).collect();
    json!({ "added": added, "changed": changed })
}

fn put_in(told: &mut Value, more: Value) {
    if let (Some(told), Value::Object(more)) = (told.as_object_mut(), more) {
        told.extend(more);
    }
}

fn unsure(mission: &Mission, replanned: &Replanned) -> Value {
    let patch = &replanned.patch;
    let tasks = patch.add.iter().chain(&patch.change);
    let tasks: Vec<Value> = tasks.filter_map(as_requested).collect();
    let id = mission.id();
    let mut answer = json!({
        "status": "ail_required",
        "workflow_id": id,
        "reason": "low_confidence",
        "message": "The confidence is below 60 %, and the new tasks would run before anybody looks at them. Nothing was changed: choose how to go on.",
        "suggested_dag": { "tasks": tasks },
        "options": [
            {
                "value": "execute_suggested",
                "label": "Change the workflow so",
                "description": "Adds the suggested tasks.",
                "tool": toolbox::REPLAN,
                "arguments": { "workflow_id": id, "tasks": tasks },
            },
            {
                "value": "manual_dag",
                "label": "Write the tasks yourself",
                "description": "Adds or changes the tasks that you send.",
                "tool": toolbox::REPLAN,
                "arguments": { "workflow_id": id },
                "requires_input": { "tasks": "array: new tasks, and changed ones under their ids" },
            },
            {
                "value": "abort",
                "label": "Abort the workflow",
                "description": "Nothing more runs. What tasks have already done stays done.",
                "tool": toolbox::ABORT,
                "arguments": { "workflow_id": id },
            },
        ],
        "next": "The workflow goes on as it was until you choose.",
    });
    let changed: Vec<&TaskKey> = patch.change.iter().map(|task| &task.key).collect();
    put_in(&mut answer, how_sure(&replanned.revision.suggestion));
    answer["changed"] = json!(changed);
    answer
}

/// A call as programs write it.
fn as_requested(task: &Task) -> Option<Value> {
    let WorkSpec::Tool(call) = &task.work else {
        return None;
    };
    let arguments: Value = serde_json::from_str(call.with.text()).unwrap_or_default();
    let after: Vec<&TaskKey> = task.after.iter().map(|on| &on.task).collect();
    Some(json!({ "id": task.key, "tool": call.tool, "arguments": arguments, "depends_on": after }))
}
