//! What events show of agents and their reasonings.

use adjutant_mission::{
    AfterAssessment, AfterFailure, Asks, Event, Recorded, StepKind, TaskKey, Verdict,
};

use crate::coverage::{Coverage, Saw};
use crate::witness::{Before, Witness};

/// `witness` stands before the event.
pub(super) fn event(coverage: &mut Coverage, witness: &Witness, recorded: &Recorded) {
    let chose = |task: &TaskKey| {
        let at = witness.task(task);
        at.and_then(|at| witness.chosen(at))
    };
    let saw = match &recorded.event {
        Event::AgentStarted { .. } => Saw::AgentStarted,
        Event::StepTaken { taken, .. } if taken.step.kind == StepKind::Call => Saw::ThinkerCalled,
        Event::StepTaken { .. } => Saw::StepTaken,
        Event::BreachRefused { .. } => Saw::BreachRefused,
        Event::ConfidenceAssessed {
            assessment, then, ..
        } => match then {
            AfterAssessment::Again => Saw::ThoughtAgain,
            AfterAssessment::Ask => Saw::ConclusionAsked,
            AfterAssessment::GoOn if assessment.is_enough() => return,
            AfterAssessment::GoOn if witness.before == Before::Waived => Saw::ConclusionWaived,
            AfterAssessment::GoOn => Saw::UnsureAndNobodyAsked,
        },
        Event::CheckpointOpened(checkpoint) => match &checkpoint.asks {
            Asks::ApproveTool { task } => match chose(task) {
                Some(call) if witness.is_once(&call.tool) => Saw::ThinkerAskedToCallOnce,
                _ => return,
            },
            Asks::SettleInDoubt { task, .. } if chose(task).is_some() => Saw::ThinkerCallInDoubt,
            _ => return,
        },
        Event::CheckpointDecided {
            checkpoint,
            decision,
        } if decision.verdict != Verdict::Reject => {
            let seen = witness.checkpoints.get(*checkpoint as usize);
            match seen.map(|seen| &seen.checkpoint.asks) {
                Some(Asks::AcceptConclusion { .. }) => {}
                _ => return,
            }
            match decision.option.as_ref().map(|option| option.as_str()) {
                Some("skip") => Saw::ConclusionLeftOut,
                Some("accept") if decision.change.is_none() => Saw::ConclusionAccepted,
                _ => Saw::ConclusionSentBack,
            }
        }
        Event::AttemptFailed {
            task,
            then: AfterFailure::Upward { .. },
            ..
        } => match witness.task(task) {
            Some(at) if !witness.tasks[at].thoughts.steps.is_empty() => Saw::ThoughtHandedUp,
            _ => return,
        },
        Event::CapReached {
            task: Some(task),
            cap,
            ..
        } => match lifetime(witness, task) {
            Some(lifetime) if cap.tokens == Some(lifetime) => Saw::LifetimeCap,
            _ => return,
        },
        _ => return,
    };
    coverage.saw(saw);
}

/// What the task's agent may use in all, if that is not what the task itself may.
fn lifetime(witness: &Witness, task: &TaskKey) -> Option<u64> {
    let at = witness.task(task)?;
    let lifetime = witness.agent(witness.doer(at)?)?.tokens_lifetime?;
    (witness.scene.spec(at).caps.tokens != Some(lifetime)).then_some(lifetime)
}
