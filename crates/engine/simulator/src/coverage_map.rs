//! Which things of the coverage list an event, a refusal or a crash shows.

mod thinking;

use adjutant_mission::{
    Actor, ActorKind, AfterFailure, AfterVerdict, Asks, CheckpointNumber, Command, Delivery,
    DependencyKind, EndingPhase, Event, GateVerdict, Plan, Recorded, Refused, ReplanTrigger, Stop,
    Strategy, Verdict,
};

use crate::coverage::{Coverage, CoverageItem};
use crate::reference_model::{Before, ReferenceModel, Stage};
use crate::run::Boundary;

pub(crate) fn strategy(coverage: &mut Coverage, plan: &Plan) {
    coverage.mark(match plan.strategy {
        Strategy::Sequential => CoverageItem::Sequential,
        Strategy::ContinueOnBlock => CoverageItem::ContinueOnBlock,
        Strategy::ParallelSafe => CoverageItem::ParallelSafe,
    });
}

pub(crate) fn crash(coverage: &mut Coverage, boundary: Boundary) {
    coverage.mark(match boundary {
        Boundary::BeforeAppend => CoverageItem::CrashBeforeAppend,
        Boundary::AfterAppend => CoverageItem::CrashAfterAppend,
        Boundary::AfterSaved => CoverageItem::CrashAfterSaved,
        Boundary::BeforePerform => CoverageItem::CrashBeforePerform,
        Boundary::AfterPerform => CoverageItem::CrashAfterPerform,
        Boundary::BeforeOutcome => CoverageItem::CrashBeforeOutcome,
        Boundary::BeforeCommand => CoverageItem::CrashBeforeCommand,
        Boundary::BeforeWake => CoverageItem::CrashBeforeWake,
        Boundary::BeforeTriggerKept => CoverageItem::CrashBeforeTriggerKept,
        Boundary::AfterTriggerKept => CoverageItem::CrashAfterTriggerKept,
        Boundary::BeforeNoticeKept => CoverageItem::CrashBeforeNoticeKept,
        Boundary::AfterNoticeKept => CoverageItem::CrashAfterNoticeKept,
    });
}

pub(crate) fn command(coverage: &mut Coverage, command: &Command) {
    let item = match command {
        Command::Pause { .. } => CoverageItem::Paused,
        Command::Resume => CoverageItem::Resumed,
        Command::Continue => CoverageItem::Continued,
        Command::Abort { .. } => CoverageItem::Aborted,
        Command::Replan { .. } => CoverageItem::ReplannedByCommand,
        Command::Inform { .. } => CoverageItem::Informed,
        Command::Claim { .. } => CoverageItem::CheckpointClaimed,
        Command::Release { .. } => CoverageItem::CheckpointReleased,
        Command::Decide { .. } => return,
    };
    coverage.mark(item);
}

pub(crate) fn refusal(coverage: &mut Coverage, refused: &Refused, by: &Actor) {
    let item = match refused {
        Refused::MissionEnded { .. } => CoverageItem::RefusedEnded,
        Refused::DoesNotFit { .. } => CoverageItem::RefusedUnfit,
        Refused::CommandRepeated => CoverageItem::RefusedRepeated,
        Refused::CheckpointUnknown { .. } => CoverageItem::RefusedUnknownCheckpoint,
        Refused::CheckpointClosed { .. } => CoverageItem::RefusedClosed,
        Refused::CheckpointClaimed { .. } => CoverageItem::RefusedClaimed,
        Refused::NotAllowed { .. } if by.kind == ActorKind::Agent => CoverageItem::RefusedAgent,
        Refused::NotAllowed { .. } => CoverageItem::RefusedSystem,
        Refused::RoleMissing { .. } => CoverageItem::RefusedRole,
        Refused::ActionNotOffered { .. } => CoverageItem::RefusedAction,
        Refused::OptionNeeded { .. } => CoverageItem::RefusedOptionNeeded,
        Refused::OptionUnknown { .. } => CoverageItem::RefusedOptionUnknown,
        Refused::ChangeUnfit { .. } => CoverageItem::RefusedChange,
        Refused::EffectNotOutstanding { .. } | Refused::OutcomeUnfit { .. } => {
            CoverageItem::RefusedOutcome
        }
        Refused::PlanInvalid(_) => CoverageItem::RefusedPlan,
        Refused::MachineFault { .. } => return,
    };
    coverage.mark(item);
}

/// `model` stands before the event.
pub(crate) fn event(coverage: &mut Coverage, model: &ReferenceModel, recorded: &Recorded) {
    thinking::event(coverage, model, recorded);
    if let Event::CheckpointDecided { decision, .. } = &recorded.event
        && decision.is_words()
    {
        coverage.mark(CoverageItem::AnsweredInWords);
    }
    let item = match &recorded.event {
        Event::MissionForked { .. } => {
            let mut sent = model.effects.iter();
            if sent.any(|effect| !effect.closed && effect.started && !effect.asks) {
                coverage.mark(CoverageItem::SentBeforeTheFork);
            }
            CoverageItem::Forked
        }
        Event::EffectStarted { .. } => CoverageItem::EffectStarted,
        Event::EffectDeferred { .. } => CoverageItem::EffectDeferred,
        Event::EffectInDoubt { .. } => {
            if model.before == Before::CapReached {
                coverage.mark(CoverageItem::DoubtByWallTime);
            }
            CoverageItem::EffectInDoubt
        }
        Event::EffectLost { .. } => CoverageItem::EffectLost,
        Event::EffectAbandoned { .. } => CoverageItem::EffectAbandoned,
        Event::AttemptFailed { then, .. } => match then {
            AfterFailure::Retry { .. } => CoverageItem::TaskRetried,
            AfterFailure::Alternative => CoverageItem::AlternativeTried,
            AfterFailure::Upward { .. } => CoverageItem::TaskHandedUp,
            AfterFailure::Escalate => CoverageItem::TaskEscalated,
            AfterFailure::GiveUp => CoverageItem::TaskGivenUp,
        },
        Event::TaskHeld { .. } => CoverageItem::TaskHeld,
        Event::TaskReleased { .. } => CoverageItem::TaskReleased,
        Event::TaskRequeued { .. } => CoverageItem::TaskRequeued,
        Event::TaskSkipped { .. } => match &model.before {
            Before::Decided(..) => CoverageItem::TaskSkippedByHuman,
            _ => CoverageItem::TaskSkippedForLackOfAnother,
        },
        Event::GateJudged { verdict, then, .. } => {
            if *verdict == GateVerdict::Repairable && *then != AfterVerdict::Return {
                coverage.mark(CoverageItem::GateReturnsUsedUp);
            }
            match then {
                AfterVerdict::Pass => CoverageItem::GatePassed,
                AfterVerdict::Return => CoverageItem::GateReturned,
                AfterVerdict::Escalate => CoverageItem::GateEscalated,
                AfterVerdict::GiveUp => CoverageItem::GateGivenUp,
            }
        }
        Event::TasksReturned { .. } if model.stage == Stage::Synthesizing => {
            CoverageItem::WorkSentBackAtReview
        }
        Event::ToolCallApproved { call: Some(_), .. } => CoverageItem::CallChanged,
        Event::ToolCallApproved { task, call: None } if sends_outside_text(model, task) => {
            CoverageItem::OutsideTextLetThrough
        }
        Event::CheckpointOpened(checkpoint) => match &checkpoint.asks {
            Asks::ApproveTool { task } if sends_outside_text(model, task) => {
                CoverageItem::OutsideTextAsked
            }
            _ => return,
        },
        Event::LayerPassed { .. } => CoverageItem::LayerPassed,
        Event::PlanChanged { trigger, .. } => match trigger {
            ReplanTrigger::HumanIntervention => return,
            ReplanTrigger::Failure => CoverageItem::ReplannedAfterFailure,
            ReplanTrigger::Checkpoint => CoverageItem::ReplannedBeforeStart,
            _ => CoverageItem::ReplannedOnOccasion,
        },
        Event::UndoBegan {} => CoverageItem::UndoBegan,
        Event::Undone { .. } => CoverageItem::Undone,
        Event::UndoFailed { then, .. } => match then {
            AfterFailure::Retry { .. } => CoverageItem::UndoRetried,
            _ => CoverageItem::UndoGivenUp,
        },
        Event::SoftCapPassed { .. } => CoverageItem::SoftCapPassed,
        Event::Degraded { .. } => CoverageItem::Degraded,
        Event::CheckpointWaived(_) => CoverageItem::CheckpointWaived,
        Event::CheckpointWithdrawn { .. } => CoverageItem::CheckpointWithdrawn,
        Event::TaskStarted { task, .. } | Event::TaskCompleted { task, .. } => {
            return dependencies(coverage, model, recorded, task);
        }
        Event::StopRequested { into, reason, .. } => {
            if *into == Stop::Fail && reason.starts_with("more than") {
                coverage.mark(CoverageItem::SkipsUsedUp);
            }
            return;
        }
        Event::CapReached { task, cap, .. } => cap_saw(task.is_some(), cap),
        Event::CheckpointExpired { checkpoint } => match asks_of(model, *checkpoint) {
            Some(asks) => expired(asks),
            None => return,
        },
        Event::CheckpointDecided {
            checkpoint,
            decision,
        } => match asks_of(model, *checkpoint) {
            Some(asks) if decision.verdict == Verdict::Reject => rejected(asks),
            Some(Asks::SettleInDoubt { .. }) => {
                match decision.option.as_ref().map(|option| option.as_str()) {
                    Some("retry") => CoverageItem::DoubtRetried,
                    Some("mark_done") => CoverageItem::DoubtMarkedDone,
                    _ => CoverageItem::DoubtAborted,
                }
            }
            _ => return,
        },
        Event::MissionEnded(ending) => match (ending.phase, ending.delivery) {
            (EndingPhase::Failed, _) => CoverageItem::EndedFailed,
            (EndingPhase::Cancelled, _) => CoverageItem::EndedCancelled,
            (EndingPhase::Completed, Delivery::Delivered) => CoverageItem::EndedDelivered,
            (EndingPhase::Completed, _) => CoverageItem::EndedDraft,
        },
        _ => return,
    };
    coverage.mark(item);
}

fn asks_of(model: &ReferenceModel, number: CheckpointNumber) -> Option<&Asks> {
    let seen = model.checkpoints.get(number.index())?;
    Some(&seen.checkpoint.asks)
}

fn sends_outside_text(model: &ReferenceModel, task: &adjutant_mission::TaskKey) -> bool {
    let at = model.task(task);
    at.is_some_and(|at| model.sends_outside_text(at))
}

fn dependencies(
    coverage: &mut Coverage,
    model: &ReferenceModel,
    recorded: &Recorded,
    task: &adjutant_mission::TaskKey,
) {
    let starts = matches!(recorded.event, Event::TaskStarted { .. });
    let edges = model.task(task).map(|at| &model.scene.on[at]);
    for (_, kind, _) in edges.into_iter().flatten() {
        match (kind, starts) {
            (DependencyKind::FinishToStart, true) => {
                coverage.mark(CoverageItem::StartedFinishToStart)
            }
            (DependencyKind::StartToStart, true) => {
                coverage.mark(CoverageItem::StartedStartToStart)
            }
            (DependencyKind::FinishToFinish, false) => {
                coverage.mark(CoverageItem::FinishedFinishToFinish)
            }
            (DependencyKind::StartToFinish, false) => {
                coverage.mark(CoverageItem::FinishedStartToFinish)
            }
            _ => {}
        }
    }
}

fn cap_saw(of_task: bool, cap: &adjutant_mission::Caps) -> CoverageItem {
    match (of_task, cap.money, cap.tokens, cap.turns) {
        (false, Some(_), ..) => CoverageItem::MissionMoneyCap,
        (false, _, Some(_), _) => CoverageItem::MissionTokenCap,
        (false, _, _, Some(_)) => CoverageItem::MissionTurnCap,
        (false, ..) => CoverageItem::MissionWallTimeCap,
        (true, Some(_), ..) => CoverageItem::TaskMoneyCap,
        (true, _, Some(_), _) => CoverageItem::TaskTokenCap,
        (true, _, _, Some(_)) => CoverageItem::TaskTurnCap,
        (true, ..) => CoverageItem::TaskWallTimeCap,
    }
}

fn expired(asks: &Asks) -> CoverageItem {
    match asks {
        Asks::ApprovePlan => CoverageItem::PlanExpired,
        Asks::ApproveTool { .. } => CoverageItem::ToolExpired,
        Asks::DoHumanTask { .. } => CoverageItem::QuestionExpired,
        Asks::RecoverTask { .. } => CoverageItem::RecoveryExpired,
        Asks::SettleInDoubt { .. } => CoverageItem::DoubtExpired,
        Asks::AcceptConclusion { .. } => CoverageItem::ConclusionExpired,
        Asks::PassLayer { .. } => CoverageItem::LayerExpired,
        Asks::PassSoftCap { .. } => CoverageItem::SoftCapExpired,
        Asks::ChangePlan { .. } => CoverageItem::ChangeExpired,
        Asks::ReviewResult => CoverageItem::ReviewExpired,
    }
}

fn rejected(asks: &Asks) -> CoverageItem {
    match asks {
        Asks::ApprovePlan => CoverageItem::PlanRejected,
        Asks::ApproveTool { .. } => CoverageItem::ToolRejected,
        Asks::DoHumanTask { .. } => CoverageItem::QuestionRejected,
        Asks::RecoverTask { .. } => CoverageItem::RecoveryRejected,
        Asks::SettleInDoubt { .. } => CoverageItem::DoubtRejected,
        Asks::AcceptConclusion { .. } => CoverageItem::ConclusionRejected,
        Asks::PassLayer { .. } => CoverageItem::LayerRejected,
        Asks::PassSoftCap { .. } => CoverageItem::SoftCapRejected,
        Asks::ChangePlan { .. } => CoverageItem::ChangeRejected,
        Asks::ReviewResult => CoverageItem::ReviewRejected,
    }
}
