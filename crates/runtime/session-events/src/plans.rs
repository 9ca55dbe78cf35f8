//! Plans, and how they change.

use adjutant_mission::{Event, Mission, PlanPatch, Task, TaskState, WorkSpec};
use serde_json::{Value, json};

use crate::event::{Told, stored, text_or_null};
use crate::{EventType, Through};

pub(crate) fn created(told: &mut Told<'_>) {
    let (mission, plan) = (told.mission, told.mission.plan());
    let agents = plan.agents.iter().map(|agent| {
        json!({
            "agent_id": agent.id,
            "level": agent.level.name(),
            "type": agent.id,
            "name": agent.name,
            "parent_agent_id": agent.started_by,
        })
    });
    let agents: Vec<Value> = agents.collect();
    let tasks: Vec<Value> = mission.tasks().map(task).collect();
    let data = json!({
        "title": plan.title,
        "objective": text_or_null(&plan.objective),
        "autonomy": stored(&plan.autonomy),
        "strategy": stored(&plan.strategy),
        "agents": agents,
        "tasks": tasks,
    });
    told.tell(EventType::PlanCreated, data);
}

/// Tells of a change of plan, or of a fork, which has its plan from another mission.
pub(crate) fn updated(told: &mut Told<'_>) {
    let by = told.recorded.actor.as_ref().map(|actor| &actor.id);
    let through = Through::of(told.recorded).map(|through| through.to_string());
    let total = told.mission.plan().tasks.len();
    let data = match &told.recorded.event {
        Event::PlanChanged {
            trigger,
            why,
            patch,
        } => json!({
            "trigger": trigger.name(),
            "why": text_or_null(why),
            "by": by,
            "through": through,
            "added": named(told.mission, patch, |patch| &patch.add),
            "changed": named(told.mission, patch, |patch| &patch.change),
            "dropped": patch.drop,
            "tasks_total": total,
        }),
        Event::MissionForked { of, at, .. } => json!({
            "trigger": "fork",
            "why": format!("forked from {of} after its event {at}"),
            "by": by,
            "through": through,
            "added": [],
            "changed": [],
            "dropped": [],
            "tasks_total": total,
        }),
        _ => return,
    };
    told.tell(EventType::PlanUpdated, data);
}

fn named(mission: &Mission, patch: &PlanPatch, which: fn(&PlanPatch) -> &Vec<Task>) -> Vec<Value> {
    let tasks = which(patch).iter();
    let tasks = tasks.filter_map(|spec| mission.task(spec.key.as_str()));
    tasks.map(task).collect()
}

fn task((spec, state): (&Task, &TaskState)) -> Value {
    let kind = match &spec.work {
        WorkSpec::Tool(_) => "tool",
        WorkSpec::Agent(_) => "agent",
        WorkSpec::Human(_) => "human",
        WorkSpec::Gate(_) => "gate",
        WorkSpec::Mission(_) => "mission",
    };
    let after: Vec<_> = spec.after.iter().map(|on| &on.task).collect();
    json!({
        "task_id": spec.key,
        "title": text_or_null(&spec.title),
        "kind": kind,
        "agent_id": spec.by,
        "after": after,
        "status": state.status.name(),
    })
}
