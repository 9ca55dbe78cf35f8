//! Tasks in the words of the Mode 3 API.

use adjutant_mission::{AgentLevel, AgentSpec, Mission, Task, TaskState, TaskStatus, WorkSpec};
use adjutant_session_events::tool_name;
use serde_json::{Value, json};

/// The five states that a task has there. What can never run, and what waits for a person, is blocked.
pub(super) fn status_word(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::Waiting
        | TaskStatus::Ready
        | TaskStatus::Delayed
        | TaskStatus::AwaitingApproval => "pending",
        TaskStatus::Running | TaskStatus::Held => "in_progress",
        TaskStatus::AwaitingHuman | TaskStatus::Blocked | TaskStatus::Skipped => "blocked",
        TaskStatus::Completed => "completed",
        TaskStatus::Failed | TaskStatus::Stopped => "failed",
    }
}

/// The state by its name in our own events.
pub(super) fn word_of(name: &str) -> Option<&'static str> {
    let status = serde_json::from_value(json!(name)).ok()?;
    Some(status_word(status))
}

/// All tasks of the plan.
pub(super) fn tasks(mission: &Mission) -> Vec<Value> {
    mission.tasks().map(|task| told(mission, task)).collect()
}

fn told(mission: &Mission, (spec, state): (&Task, &TaskState)) -> Value {
    let agent = doer(mission, spec, state);
    let dependencies: Vec<_> = spec.after.iter().map(|on| &on.task).collect();
    let estimated = spec.estimate.as_ref().and_then(|of| of.duration);
    let took = state.started_at.zip(state.ended_at);
    json!({
        "id": spec.key,
        "title": spec.name(),
        "description": description(mission, (spec, state), agent),
        "status": status_word(state.status),
        "assigned_agent_level": agent.map(|agent| agent.level.name()),
        "assigned_agent_type": agent.map(|agent| &agent.id),
        "estimated_duration_ms": estimated,
        "actual_duration_ms": took.map(|(began, ended)| ended.since(began)),
        "dependencies": dependencies,
    })
}

/// Who does a task. What no agent does is the lead's: the expert leads the mission and hands it over.
fn doer<'a>(mission: &'a Mission, spec: &Task, state: &TaskState) -> Option<&'a AgentSpec> {
    let agents = &mission.plan().agents;
    let named = state.doer(spec);
    let named = named.and_then(|id| agents.iter().find(|agent| agent.id == *id));
    let lead = || agents.iter().find(|agent| agent.level == AgentLevel::L2);
    named.or_else(lead)
}

fn description(
    mission: &Mission,
    (spec, state): (&Task, &TaskState),
    agent: Option<&AgentSpec>,
) -> String {
    match &spec.work {
        WorkSpec::Tool(call) => format!("Calls {} ({}).", tool_name(&call.tool), call.tool),
        WorkSpec::Agent(work) => {
            let who = agent.map_or("An agent", |agent| agent.name.as_str());
            let does = format!("{who} answers a question of the kind `{}`.", work.purpose);
            // What people wrote about the plan or the task reaches whoever answers.
            let asked = mission.plan().constraints.iter().chain(&state.guidance);
            asked.fold(does, |text, asked| format!("{text} {asked}"))
        }
        WorkSpec::Human(human) => human.question.clone(),
        WorkSpec::Gate(gate) => match &gate.return_to {
            Some(task) => format!("Checks the work, and sends it back to `{task}` if need be."),
            None => "Checks the work.".to_owned(),
        },
        WorkSpec::Mission(_) => "Runs a mission of its own.".to_owned(),
    }
}
