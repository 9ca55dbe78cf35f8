//! What events show of agents and their reasonings.

use adjutant_mission::{
    AfterAssessment, AfterFailure, Asks, Event, Recorded, StepKind, TaskKey, Verdict,
};

use crate::coverage::{Coverage, CoverageItem};
use crate::reference_model::{Before, ReferenceModel};

/// `model` stands before the event.
pub(super) fn event(coverage: &mut Coverage, model: &ReferenceModel, recorded: &Recorded) {
    let chose = |task: &TaskKey| {
        let at = model.task(task);
        at.and_then(|at| model.chosen(at))
    };
    let item = match &recorded.event {
        Event::AgentStarted { .. } => CoverageItem::AgentStarted,
        Event::StepTaken { taken, .. } if taken.step.kind == StepKind::Call => {
            CoverageItem::ThinkerCalled
        }
        Event::StepTaken { .. } => CoverageItem::StepTaken,
        Event::BreachRefused { .. } => CoverageItem::BreachRefused,
        Event::ConfidenceAssessed {
            assessment, then, ..
        } => match then {
            AfterAssessment::Again => CoverageItem::ThoughtAgain,
            AfterAssessment::Ask => CoverageItem::ConclusionAsked,
            AfterAssessment::GoOn if assessment.is_enough() => return,
            AfterAssessment::GoOn if model.before == Before::Waived => {
                CoverageItem::ConclusionWaived
            }
            AfterAssessment::GoOn => CoverageItem::UnsureAndNobodyAsked,
        },
        Event::CheckpointOpened(checkpoint) => match &checkpoint.asks {
            Asks::ApproveTool { task } => match chose(task) {
                Some(call) if model.is_once(&call.tool) => CoverageItem::ThinkerAskedToCallOnce,
                _ => return,
            },
            Asks::SettleInDoubt { task, .. } if chose(task).is_some() => {
                CoverageItem::ThinkerCallInDoubt
            }
            _ => return,
        },
        Event::CheckpointDecided {
            checkpoint,
            decision,
        } if decision.verdict != Verdict::Reject => {
            let seen = model.checkpoints.get(checkpoint.index());
            match seen.map(|seen| &seen.checkpoint.asks) {
                Some(Asks::AcceptConclusion { .. }) => {}
                _ => return,
            }
            match decision.option.as_ref().map(|option| option.as_str()) {
                Some("skip") => CoverageItem::ConclusionLeftOut,
                Some("accept") if decision.change.is_none() => CoverageItem::ConclusionAccepted,
                _ => CoverageItem::ConclusionSentBack,
            }
        }
        Event::AttemptFailed {
            task,
            then: AfterFailure::Upward { .. },
            ..
        } => match model.task(task) {
            Some(at) if !model.tasks[at].thoughts.steps.is_empty() => CoverageItem::ThoughtHandedUp,
            _ => return,
        },
        Event::CapReached {
            task: Some(task),
            cap,
            ..
        } => match lifetime(model, task) {
            Some(lifetime) if cap.tokens == Some(lifetime) => CoverageItem::LifetimeCap,
            _ => return,
        },
        _ => return,
    };
    coverage.mark(item);
}

/// What the task's agent may use in all, if that is not what the task itself may.
fn lifetime(model: &ReferenceModel, task: &TaskKey) -> Option<u64> {
    let at = model.task(task)?;
    let lifetime = model.agent(model.doer(at)?)?.tokens_lifetime?;
    (model.scene.spec(at).caps.tokens != Some(lifetime)).then_some(lifetime)
}
