//! A new requirement for a running mission, as a patch of its plan. Nothing is sent: the patch goes the way of every other.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_mission::{
    Dependency, DependencyKind, Json, Millis, Mission, Plan, PlanPatch, Task, TaskKey, TaskStatus,
    ToolCall, ToolId, WorkSpec,
};
use adjutant_plans::{Checker as _, Unfit};
use adjutant_suggestion::{GraphTask, Revision, Suggester, TaskState};
use serde_json::{Map, Value};

use super::{refused, template_graphs::plan_graph};
use crate::error::{AppError, ErrorKind};
use crate::plan_checker::PlanChecker;

/// How the plan of a mission is to change, and what that comes of.
#[derive(Debug)]
pub struct Replanned {
    pub patch: PlanPatch,
    pub revision: Revision,
}

/// Adds what a new requirement needs, and changes tasks that have not started so that they take up what is new. `context`
/// holds values that were found meanwhile, by name; they are data, whatever they say.
pub fn replan(
    suggester: &Suggester,
    checker: &PlanChecker,
    mission: &Mission,
    requirement: &str,
    context: &Map<String, Value>,
) -> Result<Replanned, AppError> {
    let plan = mission.plan();
    let graph = plan_graph(plan);
    let states: BTreeMap<String, TaskState> = mission
        .tasks()
        .map(|(task, state)| (task.key.to_string(), state_of(state.status)))
        .collect();
    let revision = suggester
        .replan(&graph, &states, requirement, context)
        .map_err(refused)?;
    if revision.add.is_empty() {
        return Err(AppError::new(
            ErrorKind::NotGood,
            "ADJ-6253",
            "no tool serves this requirement, so there is nothing to add to the plan",
            "Say it in other words, or write a patch file; see docs/changing-plans.md.",
        ));
    }
    if let Some(missing) = revision.missing.first() {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6254",
            format!(
                "task `{}` would need a value for `{}` ({})",
                missing.task, missing.argument, missing.kind
            ),
            format!(
                "Give it as `--context '{{\"{}\": …}}'`, or write a patch file.",
                missing.argument
            ),
        ));
    }
    let mut patch = PlanPatch::default();
    for task in &revision.add {
        patch.add.push(new_task(task)?);
    }
    for task in &revision.change {
        let before = graph.tasks.iter().find(|old| old.id == task.id);
        let old = plan.tasks.iter().find(|old| old.key.as_str() == task.id);
        if let (Some(before), Some(old)) = (before, old) {
            patch.change.push(changed_task(old, before, task)?);
        }
    }
    check(checker, plan, &mut patch)?;
    Ok(Replanned { patch, revision })
}

fn state_of(status: TaskStatus) -> TaskState {
    match status {
        TaskStatus::Waiting
        | TaskStatus::Ready
        | TaskStatus::Delayed
        | TaskStatus::AwaitingApproval => TaskState::NotStarted,
        TaskStatus::Running
        | TaskStatus::AwaitingHuman
        | TaskStatus::Held
        | TaskStatus::Blocked => TaskState::Running,
        TaskStatus::Completed => TaskState::Done,
        TaskStatus::Failed | TaskStatus::Skipped | TaskStatus::Stopped => TaskState::Without,
    }
}

fn new_task(task: &GraphTask) -> Result<Task, AppError> {
    let tool = ToolId::new(&task.tool).map_err(|error| defect(&error))?;
    let call = ToolCall {
        tool,
        with: arguments(task)?,
    };
    let mut made = Task::new(key(&task.id)?, WorkSpec::Tool(call));
    for before in &task.depends_on {
        made.after.push(after(before)?);
    }
    Ok(made)
}

/// The task as it is, with its new arguments and with what it waits for besides.
fn changed_task(old: &Task, before: &GraphTask, task: &GraphTask) -> Result<Task, AppError> {
    let mut changed = old.clone();
    if let WorkSpec::Tool(call) = &mut changed.work {
        call.with = arguments(task)?;
    }
    for new in task
        .depends_on
        .iter()
        .filter(|id| !before.depends_on.contains(id))
    {
        changed.after.push(after(new)?);
    }
    Ok(changed)
}

/// The new calls are checked here, the changed plan as a whole by the mission that the patch is sent to.
fn check(checker: &PlanChecker, plan: &Plan, patch: &mut PlanPatch) -> Result<(), AppError> {
    let unfit = |message: String| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6255",
            message,
            "Give other values as context, or write a patch file; see docs/changing-plans.md.",
        )
    };
    for task in patch.add.iter().chain(&patch.change) {
        let WorkSpec::Tool(call) = &task.work else {
            continue;
        };
        let with = serde_json::from_str(call.with.text()).unwrap_or(Value::Null);
        if let Some(Unfit { path, message, .. }) = checker.arguments(&call.tool, &with).first() {
            let place = match path.as_str() {
                "" => String::new(),
                path => format!(", `{path}`"),
            };
            return Err(unfit(format!("task `{}`{place}: {message}", task.key)));
        }
    }
    let known: BTreeSet<&TaskKey> = plan
        .tasks
        .iter()
        .chain(&patch.add)
        .map(|task| &task.key)
        .collect();
    if let Some(task) = patch
        .add
        .iter()
        .find(|task| !task.after.iter().all(|after| known.contains(&after.task)))
    {
        return Err(unfit(format!(
            "task `{}` would wait for a task that there is not",
            task.key
        )));
    }
    let changed = patch
        .applied_to(plan)
        .map_err(|why| unfit(format!("the plan cannot be changed so: {why}")))?;
    let mut tools = checker.tools(&changed);
    tools.retain(|id, _| changed.uses_tool(id));
    patch.tools = tools;
    Ok(())
}

fn arguments(task: &GraphTask) -> Result<Json, AppError> {
    Json::encode(&task.arguments).map_err(|error| defect(&error))
}

fn key(id: &str) -> Result<TaskKey, AppError> {
    TaskKey::new(id).map_err(|error| defect(&error))
}

fn after(id: &str) -> Result<Dependency, AppError> {
    Ok(Dependency {
        task: key(id)?,
        kind: DependencyKind::default(),
        lag: Millis::default(),
    })
}

fn defect(error: &dyn std::fmt::Display) -> AppError {
    AppError::new(
        ErrorKind::Internal,
        "ADJ-6083",
        error.to_string(),
        "This is a defect of Adjutant; please report it.",
    )
}
