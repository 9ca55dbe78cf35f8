//! The words of the Mode 3 API for what missions are and ask.

mod events;
mod tasks;

use adjutant_mission::{
    Asks, Checkpoint, CheckpointId, CheckpointState, Closed, EndingPhase, Mission, MissionId,
    Phase, Verdict,
};
use adjutant_session_events::rfc3339;
use serde_json::{Value, json};

use crate::identity::uuid_of_checkpoint;

pub(crate) use events::{cite, speak};

/// The API's own words for where a mission stands; what failed or was cancelled is an error there. A plan that was not
/// approved is no error: the session is complete, with nothing done.
pub(crate) fn status_word(mission: &Mission) -> (&'static str, bool) {
    match mission.ending().map(|ending| ending.phase) {
        Some(EndingPhase::Completed) => ("complete", false),
        Some(EndingPhase::Cancelled) if plan_was_rejected(mission) => ("complete", false),
        Some(EndingPhase::Failed | EndingPhase::Cancelled) => ("error", true),
        None => match mission.phase() {
            Phase::Planning => ("planning", false),
            Phase::AwaitingHuman => ("awaiting_hitl", false),
            Phase::Synthesizing => ("synthesizing", false),
            _ => ("executing", false),
        },
    }
}

/// Whether the last thing that people said, or were silent about, was the plan.
fn plan_was_rejected(mission: &Mission) -> bool {
    let last = mission.checkpoints().last();
    last.is_some_and(|asked| {
        asked.checkpoint.asks == Asks::ApprovePlan
            && match &asked.closed {
                Some(Closed::Decided { decision, .. }) => decision.verdict == Verdict::Reject,
                Some(Closed::Expired) => true,
                Some(Closed::Withdrawn { .. }) | None => false,
            }
    })
}

/// A question as that API shows it.
pub(crate) fn checkpoint(mission: MissionId, asked: &CheckpointState) -> Value {
    let of = &asked.checkpoint;
    let seconds = of.deadline.since(asked.opened_at).0 / 1_000;
    json!({
        "id": uuid_of_checkpoint(id_of(mission, asked)),
        "checkpoint_type": of.checkpoint_type,
        "title": of.question,
        "description": description(of),
        "context": {
            "task": of.asks.task(),
            "recommendation": of.recommendation,
            "call": of.call,
            "approvers": of.approvers,
            "similar": of.similar,
            "actions": of.actions,
            "role": of.role,
            "deadline": rfc3339(of.deadline),
            "report": (of.asks == Asks::ReviewResult).then(|| format!("/api/missions/{mission}/report")),
        },
        "options": of.choices(),
        "timeout_seconds": seconds,
        "auto_action_on_timeout": "reject",
        "created_at": rfc3339(asked.opened_at),
        "decided_at": null,
        "decision": null,
    })
}

/// What helps to answer: where the question says it all, what is recommended or what can be chosen.
fn description(of: &Checkpoint) -> String {
    if !of.context.is_empty() {
        return of.context.clone();
    }
    if let Some(recommended) = &of.recommendation {
        return format!(
            "Recommended: {}. {}",
            recommended.option, recommended.reason
        );
    }
    let options: Vec<&str> = of.options.iter().map(|at| at.label.as_str()).collect();
    match options.is_empty() {
        true => of.question.clone(),
        false => format!("To choose from: {}.", options.join("; ")),
    }
}

pub(crate) fn id_of(mission: MissionId, asked: &CheckpointState) -> CheckpointId {
    CheckpointId {
        mission,
        number: asked.checkpoint.number,
    }
}
