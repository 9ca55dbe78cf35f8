//! Which things of the coverage list an event, a refusal or a crash shows.

mod thinking;

use adjutant_mission::{
    Actor, ActorKind, AfterFailure, AfterVerdict, Asks, Command, Delivery, DependencyKind,
    EndingPhase, Event, GateVerdict, Plan, Recorded, Refused, ReplanTrigger, Stop, Strategy,
    Verdict,
};

use crate::coverage::{Coverage, Saw};
use crate::run::Boundary;
use crate::witness::{Before, Stage, Witness};

pub(crate) fn strategy(coverage: &mut Coverage, plan: &Plan) {
    coverage.saw(match plan.strategy {
        Strategy::Sequential => Saw::Sequential,
        Strategy::ContinueOnBlock => Saw::ContinueOnBlock,
        Strategy::ParallelSafe => Saw::ParallelSafe,
    });
}

pub(crate) fn crash(coverage: &mut Coverage, boundary: Boundary) {
    coverage.saw(match boundary {
        Boundary::BeforeAppend => Saw::CrashBeforeAppend,
        Boundary::AfterAppend => Saw::CrashAfterAppend,
        Boundary::AfterSaved => Saw::CrashAfterSaved,
        Boundary::BeforePerform => Saw::CrashBeforePerform,
        Boundary::AfterPerform => Saw::CrashAfterPerform,
        Boundary::BeforeOutcome => Saw::CrashBeforeOutcome,
        Boundary::BeforeCommand => Saw::CrashBeforeCommand,
        Boundary::BeforeWake => Saw::CrashBeforeWake,
        Boundary::BeforeTriggerKept => Saw::CrashBeforeTriggerKept,
        Boundary::AfterTriggerKept => Saw::CrashAfterTriggerKept,
        Boundary::BeforeNoticeKept => Saw::CrashBeforeNoticeKept,
        Boundary::AfterNoticeKept => Saw::CrashAfterNoticeKept,
    });
}

pub(crate) fn command(coverage: &mut Coverage, command: &Command) {
    let saw = match command {
        Command::Pause { .. } => Saw::Paused,
        Command::Resume => Saw::Resumed,
        Command::Continue => Saw::Continued,
        Command::Abort { .. } => Saw::Aborted,
        Command::Replan { .. } => Saw::ReplannedByCommand,
        Command::Inform { .. } => Saw::Informed,
        Command::Claim { .. } => Saw::CheckpointClaimed,
        Command::Release { .. } => Saw::CheckpointReleased,
        Command::Decide { .. } => return,
    };
    coverage.saw(saw);
}

pub(crate) fn refusal(coverage: &mut Coverage, refused: &Refused, by: &Actor) {
    let saw = match refused {
        Refused::MissionEnded { .. } => Saw::RefusedEnded,
        Refused::DoesNotFit { .. } => Saw::RefusedUnfit,
        Refused::CommandRepeated => Saw::RefusedRepeated,
        Refused::CheckpointUnknown { .. } => Saw::RefusedUnknownCheckpoint,
        Refused::CheckpointClosed { .. } => Saw::RefusedClosed,
        Refused::CheckpointClaimed { .. } => Saw::RefusedClaimed,
        Refused::NotAllowed { .. } if by.kind == ActorKind::Agent => Saw::RefusedAgent,
        Refused::NotAllowed { .. } => Saw::RefusedSystem,
        Refused::RoleMissing { .. } => Saw::RefusedRole,
        Refused::ActionNotOffered { .. } => Saw::RefusedAction,
        Refused::OptionNeeded { .. } => Saw::RefusedOptionNeeded,
        Refused::OptionUnknown { .. } => Saw::RefusedOptionUnknown,
        Refused::ChangeUnfit { .. } => Saw::RefusedChange,
        Refused::EffectNotOutstanding { .. } | Refused::OutcomeUnfit { .. } => Saw::RefusedOutcome,
        Refused::PlanInvalid(_) => Saw::RefusedPlan,
        Refused::MachineFault { .. } => return,
    };
    coverage.saw(saw);
}

/// `witness` stands before the event.
pub(crate) fn event(coverage: &mut Coverage, witness: &Witness, recorded: &Recorded) {
    thinking::event(coverage, witness, recorded);
    let saw = match &recorded.event {
        Event::MissionForked { .. } => {
            let mut sent = witness.effects.iter();
            if sent.any(|effect| !effect.closed && effect.started && !effect.asks) {
                coverage.saw(Saw::SentBeforeTheFork);
            }
            Saw::Forked
        }
        Event::EffectStarted { .. } => Saw::EffectStarted,
        Event::EffectDeferred { .. } => Saw::EffectDeferred,
        Event::EffectInDoubt { .. } => {
            if witness.before == Before::CapReached {
                coverage.saw(Saw::DoubtByWallTime);
            }
            Saw::EffectInDoubt
        }
        Event::EffectLost { .. } => Saw::EffectLost,
        Event::EffectAbandoned { .. } => Saw::EffectAbandoned,
        Event::AttemptFailed { then, .. } => match then {
            AfterFailure::Retry { .. } => Saw::TaskRetried,
            AfterFailure::Alternative => Saw::AlternativeTried,
            AfterFailure::Upward { .. } => Saw::TaskHandedUp,
            AfterFailure::Escalate => Saw::TaskEscalated,
            AfterFailure::GiveUp => Saw::TaskGivenUp,
        },
        Event::TaskHeld { .. } => Saw::TaskHeld,
        Event::TaskReleased { .. } => Saw::TaskReleased,
        Event::TaskRequeued { .. } => Saw::TaskRequeued,
        Event::TaskSkipped { .. } => match &witness.before {
            Before::Decided(..) => Saw::TaskSkippedByHuman,
            _ => Saw::TaskSkippedForLackOfAnother,
        },
        Event::GateJudged { verdict, then, .. } => {
            if *verdict == GateVerdict::Repairable && *then != AfterVerdict::Return {
                coverage.saw(Saw::GateReturnsUsedUp);
            }
            match then {
                AfterVerdict::Pass => Saw::GatePassed,
                AfterVerdict::Return => Saw::GateReturned,
                AfterVerdict::Escalate => Saw::GateEscalated,
                AfterVerdict::GiveUp => Saw::GateGivenUp,
            }
        }
        Event::TasksReturned { .. } if witness.stage == Stage::Synthesizing => {
            Saw::WorkSentBackAtReview
        }
        Event::ToolCallApproved { call: Some(_), .. } => Saw::CallChanged,
        Event::ToolCallApproved { task, call: None } if sends_outside_text(witness, task) => {
            Saw::OutsideTextLetThrough
        }
        Event::CheckpointOpened(checkpoint) => match &checkpoint.asks {
            Asks::ApproveTool { task } if sends_outside_text(witness, task) => {
                Saw::OutsideTextAsked
            }
            _ => return,
        },
        Event::LayerPassed { .. } => Saw::LayerPassed,
        Event::PlanChanged { trigger, .. } => match trigger {
            ReplanTrigger::HumanIntervention => return,
            ReplanTrigger::Failure => Saw::ReplannedAfterFailure,
            ReplanTrigger::Checkpoint => Saw::ReplannedBeforeStart,
            _ => Saw::ReplannedOnOccasion,
        },
        Event::UndoBegan {} => Saw::UndoBegan,
        Event::Undone { .. } => Saw::Undone,
        Event::UndoFailed { then, .. } => match then {
            AfterFailure::Retry { .. } => Saw::UndoRetried,
            _ => Saw::UndoGivenUp,
        },
        Event::SoftCapPassed { .. } => Saw::SoftCapPassed,
        Event::Degraded { .. } => Saw::Degraded,
        Event::CheckpointWaived(_) => Saw::CheckpointWaived,
        Event::CheckpointGuided { .. } => Saw::CheckpointGuided,
        Event::CheckpointWithdrawn { .. } => Saw::CheckpointWithdrawn,
        Event::TaskStarted { task, .. } | Event::TaskCompleted { task, .. } => {
            return dependencies(coverage, witness, recorded, task);
        }
        Event::StopRequested { into, reason, .. } => {
            if *into == Stop::Fail && reason.starts_with("more than") {
                coverage.saw(Saw::SkipsUsedUp);
            }
            return;
        }
        Event::CapReached { task, cap, .. } => cap_saw(task.is_some(), cap),
        Event::CheckpointExpired { checkpoint } => match asks_of(witness, *checkpoint) {
            Some(asks) => expired(asks),
            None => return,
        },
        Event::CheckpointDecided {
            checkpoint,
            decision,
        } => match asks_of(witness, *checkpoint) {
            Some(asks) if decision.verdict == Verdict::Reject => rejected(asks),
            Some(Asks::SettleInDoubt { .. }) => {
                match decision.option.as_ref().map(|option| option.as_str()) {
                    Some("retry") => Saw::DoubtRetried,
                    Some("mark_done") => Saw::DoubtMarkedDone,
                    _ => Saw::DoubtAborted,
                }
            }
            _ => return,
        },
        Event::MissionEnded(ending) => match (ending.phase, ending.delivery) {
            (EndingPhase::Failed, _) => Saw::EndedFailed,
            (EndingPhase::Cancelled, _) => Saw::EndedCancelled,
            (EndingPhase::Completed, Delivery::Delivered) => Saw::EndedDelivered,
            (EndingPhase::Completed, _) => Saw::EndedDraft,
        },
        _ => return,
    };
    coverage.saw(saw);
}

fn asks_of(witness: &Witness, number: u32) -> Option<&Asks> {
    let seen = witness.checkpoints.get(number as usize)?;
    Some(&seen.checkpoint.asks)
}

fn sends_outside_text(witness: &Witness, task: &adjutant_mission::TaskKey) -> bool {
    let at = witness.task(task);
    at.is_some_and(|at| witness.sends_outside_text(at))
}

fn dependencies(
    coverage: &mut Coverage,
    witness: &Witness,
    recorded: &Recorded,
    task: &adjutant_mission::TaskKey,
) {
    let starts = matches!(recorded.event, Event::TaskStarted { .. });
    let edges = witness.task(task).map(|at| &witness.scene.on[at]);
    for (_, kind, _) in edges.into_iter().flatten() {
        match (kind, starts) {
            (DependencyKind::FinishToStart, true) => coverage.saw(Saw::StartedFinishToStart),
            (DependencyKind::StartToStart, true) => coverage.saw(Saw::StartedStartToStart),
            (DependencyKind::FinishToFinish, false) => coverage.saw(Saw::FinishedFinishToFinish),
            (DependencyKind::StartToFinish, false) => coverage.saw(Saw::FinishedStartToFinish),
            _ => {}
        }
    }
}

fn cap_saw(of_task: bool, cap: &adjutant_mission::Caps) -> Saw {
    match (of_task, cap.money, cap.tokens, cap.turns) {
        (false, Some(_), ..) => Saw::MissionMoneyCap,
        (false, _, Some(_), _) => Saw::MissionTokenCap,
        (false, _, _, Some(_)) => Saw::MissionTurnCap,
        (false, ..) => Saw::MissionWallTimeCap,
        (true, Some(_), ..) => Saw::TaskMoneyCap,
        (true, _, Some(_), _) => Saw::TaskTokenCap,
        (true, _, _, Some(_)) => Saw::TaskTurnCap,
        (true, ..) => Saw::TaskWallTimeCap,
    }
}

fn expired(asks: &Asks) -> Saw {
    match asks {
        Asks::ApprovePlan => Saw::PlanExpired,
        Asks::ApproveTool { .. } => Saw::ToolExpired,
        Asks::DoHumanTask { .. } => Saw::QuestionExpired,
        Asks::RecoverTask { .. } => Saw::RecoveryExpired,
        Asks::SettleInDoubt { .. } => Saw::DoubtExpired,
        Asks::AcceptConclusion { .. } => Saw::ConclusionExpired,
        Asks::PassLayer { .. } => Saw::LayerExpired,
        Asks::PassSoftCap { .. } => Saw::SoftCapExpired,
        Asks::ChangePlan { .. } => Saw::ChangeExpired,
        Asks::ReviewResult => Saw::ReviewExpired,
    }
}

fn rejected(asks: &Asks) -> Saw {
    match asks {
        Asks::ApprovePlan => Saw::PlanRejected,
        Asks::ApproveTool { .. } => Saw::ToolRejected,
        Asks::DoHumanTask { .. } => Saw::QuestionRejected,
        Asks::RecoverTask { .. } => Saw::RecoveryRejected,
        Asks::SettleInDoubt { .. } => Saw::DoubtRejected,
        Asks::AcceptConclusion { .. } => Saw::ConclusionRejected,
        Asks::PassLayer { .. } => Saw::LayerRejected,
        Asks::PassSoftCap { .. } => Saw::SoftCapRejected,
        Asks::ChangePlan { .. } => Saw::ChangeRejected,
        Asks::ReviewResult => Saw::ReviewRejected,
    }
}
