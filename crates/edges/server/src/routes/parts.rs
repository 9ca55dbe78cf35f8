//! Parts of a mission by themselves, for those who do not want its whole passport.

use std::sync::Arc;

use adjutant_mission::{
    AgentId, AgentSpec, Failure, Mission, MissionId, Task, TaskKey, TaskState, TaskStatus, Usage,
};
use adjutant_session_events::rfc3339;
use adjutant_store::Store;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use serde_json::{Value, json};

use super::{json as answer, mission_id};
use crate::access::Authority;
use crate::content::content;
use crate::identity::uuid_of_agent;
use crate::mission_cache::folded;
use crate::outgoing::redact_for;
use crate::{App, Problem};

pub(super) async fn plan<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let folded = folded(&app, mission).await?;
    let told = json!({ "mission": mission, "plan": folded.plan(), "replans": folded.replans() });
    Ok(answer(StatusCode::OK, &told))
}

pub(super) async fn tasks<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let folded = folded(&app, mission).await?;
    let tasks = folded.tasks();
    let tasks = Tasks {
        mission,
        tasks: tasks.map(|(task, state)| told(task, state)).collect(),
    };
    // Read often, and long: written without a tree of values in between.
    let body = serde_json::to_vec(&tasks).map_err(adjutant_journal::JournalError::Encode)?;
    let kind = [(header::CONTENT_TYPE, "application/json")];
    Ok((StatusCode::OK, kind, body).into_response())
}

#[derive(Serialize)]
struct Tasks<'a> {
    mission: MissionId,
    tasks: Vec<Told<'a>>,
}

#[derive(Serialize)]
struct Told<'a> {
    key: &'a str,
    title: &'a str,
    status: TaskStatus,
    by: Option<&'a AgentId>,
    attempt: u16,
    used: &'a Usage,
    /// How many there were.
    steps: usize,
    failure: Option<&'a Failure>,
    dependencies: Vec<&'a TaskKey>,
    estimated_duration_ms: Option<u64>,
    actual_duration_ms: Option<u64>,
    started_at: Option<String>,
    completed_at: Option<String>,
}

fn told<'a>(task: &'a Task, state: &'a TaskState) -> Told<'a> {
    let took = state.started_at.zip(state.ended_at);
    Told {
        key: task.key.as_str(),
        title: task.name(),
        status: state.status,
        by: state.doer(task),
        attempt: state.attempt,
        used: &state.used,
        steps: state.steps.len(),
        failure: state.failure.as_ref(),
        dependencies: task.after.iter().map(|on| &on.task).collect(),
        estimated_duration_ms: task
            .estimate
            .as_ref()
            .and_then(|of| of.duration)
            .map(|duration| duration.0),
        actual_duration_ms: took.map(|(began, ended)| ended.since(began).0),
        started_at: state.started_at.map(rfc3339),
        completed_at: state.ended_at.map(rfc3339),
    }
}

/// One task with what it gave, and the steps of its reasoning with what each came to.
pub(super) async fn task<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path((mission, key)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let journal = app.host.journal(&app.tenant);
    let (folded, standing) = journal.load(mission).await?;
    let (task, state) = folded.task(&key).ok_or_else(|| {
        Problem::new(
            StatusCode::NOT_FOUND,
            "ADJ-9017",
            format!("this mission has no task `{key:.60}`"),
            "List the tasks with GET /api/missions/{mission}/tasks.",
        )
    })?;
    let mut body = json!(told(task, state));
    body["mission"] = json!(mission);
    body["assessed"] = json!(state.assessed);
    let seal = &standing.seal;
    body["output"] = json!(content(&journal, seal, mission, state.output.as_ref()).await?);
    let mut steps = Vec::new();
    for taken in &state.steps {
        let mut step = json!(taken);
        step["output"] = json!(content(&journal, seal, mission, Some(&taken.output)).await?);
        steps.push(step);
    }
    body["steps"] = steps.into();
    app.use_cases.may_leave(&folded, &body)?;
    redact_for(&app, &authority, mission, &mut body).await?;
    Ok(answer(StatusCode::OK, &body))
}

pub(super) async fn agents<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let folded = folded(&app, mission).await?;
    let agents = folded.plan().agents.iter();
    let agents: Vec<Value> = agents.map(|agent| agent_record(&folded, agent)).collect();
    Ok(answer(
        StatusCode::OK,
        &json!({ "mission": mission, "agents": agents }),
    ))
}

/// An agent of the plan, whether it has begun or not.
fn agent_record(mission: &Mission, agent: &AgentSpec) -> Value {
    let run = mission.agents().find(|(id, _)| **id == agent.id);
    let own: Vec<(&Task, &TaskState)> = mission
        .tasks()
        .filter(|(task, state)| state.doer(task) == Some(&agent.id))
        .collect();
    let keys: Vec<_> = own.iter().map(|(task, _)| &task.key).collect();
    let tokens = run.map_or(0, |(_, run)| run.tokens);
    let has = |status: TaskStatus| own.iter().any(|(_, state)| state.status == status);
    let is_done = own.iter().all(|(_, state)| state.status.is_ended());
    let status = match (run, mission.ending()) {
        (None, _) => "pending",
        (Some(_), None) if !is_done => "active",
        _ if has(TaskStatus::Failed) => "failed",
        _ => "completed",
    };
    let started = own.iter().filter_map(|(_, state)| state.started_at).min();
    let ended = own.iter().filter_map(|(_, state)| state.ended_at).max();
    json!({
        "id": agent.id,
        "uuid": uuid_of_agent(agent.id.as_str()),
        "level": agent.level.name(),
        "type": agent.id,
        "name": agent.name,
        // The way its questions take; the settings say which model serves it.
        "model": format!("ask:{}", agent.level.name()),
        "status": status,
        "parent_agent_id": agent.started_by,
        "token_budget": agent.tokens_lifetime,
        "tokens": tokens,
        "tokens_used": tokens,
        "started_at": started.map(rfc3339),
        "completed_at": ended.filter(|_| is_done).map(rfc3339),
        "tasks": keys,
    })
}

/// What a mission has used and holds in reserve, and what each task has used.
pub(super) async fn ledger<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let folded = folded(&app, mission).await?;
    let tasks = folded
        .tasks()
        .map(|(task, state)| json!({ "key": task.key, "used": state.used, "turns": state.turns }));
    let tasks: Vec<Value> = tasks.collect();
    let told = json!({
        "mission": mission,
        "used": folded.used(),
        "reserved": folded.reserved(),
        "turns": folded.turns(),
        "tasks": tasks,
    });
    Ok(answer(StatusCode::OK, &told))
}
