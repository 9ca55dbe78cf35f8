//! Questions put to people, and their answers.

use adjutant_mission::{Checkpoint, CheckpointId, CheckpointNumber, CheckpointType, Decision};
use serde_json::json;

use crate::event::{Told, stored, text_or_null};
use crate::{EventType, Through, rfc3339};

pub(crate) fn asked(told: &mut Told<'_>, checkpoint: &Checkpoint) {
    let event_type = match checkpoint.checkpoint_type {
        CheckpointType::PlanApproval => EventType::CheckpointPlanApproval,
        CheckpointType::ToolApproval => EventType::CheckpointToolApproval,
        CheckpointType::SubagentApproval => EventType::CheckpointSubagentApproval,
        CheckpointType::CriticalDecision => EventType::CheckpointCriticalDecision,
        CheckpointType::FinalReview => EventType::CheckpointFinalReview,
    };
    let data = json!({
        "checkpoint_id": id(told, checkpoint.number),
        "number": checkpoint.number,
        "trigger": checkpoint.trigger,
        "task_id": checkpoint.asks.task(),
        "category": stored(&checkpoint.category),
        "severity": stored(&checkpoint.severity),
        "urgency": stored(&checkpoint.urgency),
        "question": checkpoint.question,
        "context": text_or_null(&checkpoint.context),
        "options": stored(&checkpoint.choices()),
        "call": stored(&checkpoint.call),
        "approvers": stored(&checkpoint.approvers),
        "recommendation": stored(&checkpoint.recommendation),
        "similar": stored(&checkpoint.similar),
        "actions": stored(&checkpoint.actions),
        "role": checkpoint.role,
        "deadline": rfc3339(checkpoint.deadline),
    });
    told.tell(event_type, data);
}

pub(crate) fn answered(
    told: &mut Told<'_>,
    number: CheckpointNumber,
    decision: &Decision,
    is_open: bool,
) {
    let data = json!({
        "checkpoint_id": id(told, number),
        "number": number,
        "checkpoint_type": kind(told, number).map(|kind| stored(&kind)),
        "answer": stored(&decision.verdict),
        "option": decision.option,
        "note": text_or_null(&decision.note),
        "by": told.recorded.actor.as_ref().map(|actor| &actor.id),
        "through": Through::of(told.recorded).map(|through| through.to_string()),
        "open": is_open,
    });
    told.tell(EventType::UserResponseReceived, data);
}

/// Guidance left its question open; journals of earlier versions have it.
pub(crate) fn guided(told: &mut Told<'_>, number: CheckpointNumber, note: &str) {
    let data = json!({
        "checkpoint_id": id(told, number),
        "number": number,
        "checkpoint_type": kind(told, number).map(|kind| stored(&kind)),
        "answer": "guidance",
        "option": null,
        "note": text_or_null(note),
        "by": told.recorded.actor.as_ref().map(|actor| &actor.id),
        "through": Through::of(told.recorded).map(|through| through.to_string()),
        "open": true,
    });
    told.tell(EventType::UserResponseReceived, data);
}

pub(crate) fn expired(told: &mut Told<'_>, number: CheckpointNumber) {
    let Some(asked) = told.mission.checkpoints().get(number.index()) else {
        return;
    };
    let checkpoint = &asked.checkpoint;
    let data = json!({
        "checkpoint_id": id(told, number),
        "number": number,
        "checkpoint_type": stored(&checkpoint.checkpoint_type),
        "task_id": checkpoint.asks.task(),
        "question": checkpoint.question,
        "deadline": rfc3339(checkpoint.deadline),
    });
    told.tell(EventType::CheckpointTimeout, data);
}

fn id(told: &Told<'_>, number: CheckpointNumber) -> CheckpointId {
    CheckpointId {
        mission: told.mission.id(),
        number,
    }
}

fn kind(told: &Told<'_>, number: CheckpointNumber) -> Option<CheckpointType> {
    let asked = told.mission.checkpoints().get(number.index())?;
    Some(asked.checkpoint.checkpoint_type)
}
