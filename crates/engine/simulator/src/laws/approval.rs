//! Law 5: nothing happens that needs a yes and has none.

use adjutant_mission::{
    ActorKind, Approval, ApprovalSource, Asks, Autonomy, Barrier, CheckpointType, Decision,
    Delivery, EffectClass, EndingPhase, Event, Millis, Recorded, Stop, TaskKey, Verdict, WorkSpec,
};

use super::{Broken, Held, Law, holds};
use crate::reference_model::{Before, ReferenceModel, Stage};

/// How long the design says a claim keeps others out.
const CLAIM_LASTS: Millis = Millis::hours(1);

/// A decision counts only from a human with the right role, in time, and not over another's claim.
pub(super) fn law_5_only_who_may_decides(model: &ReferenceModel, event: &Recorded) -> Held {
    let (number, expires) = match &event.event {
        Event::CheckpointDecided { checkpoint, .. }
        | Event::CheckpointGuided { checkpoint, .. }
        | Event::CheckpointEndorsed { checkpoint, .. }
        | Event::CheckpointClaimed { checkpoint }
        | Event::CheckpointReleased { checkpoint } => (*checkpoint, false),
        Event::CheckpointExpired { checkpoint } => (*checkpoint, true),
        _ => return Ok(()),
    };
    let broken = |what: &str| {
        let what = format!("checkpoint {number}: {what}: {:?}", event.actor);
        Err(Broken::new(Law::NoUnlessYes, what))
    };
    let Some(seen) = model
        .checkpoints
        .get(number.index())
        .filter(|seen| seen.open)
    else {
        return broken("it is not open");
    };
    let checkpoint = &seen.checkpoint;
    if expires {
        return holds(Law::NoUnlessYes, event.at >= checkpoint.deadline, || {
            format!("checkpoint {number} expires before its deadline")
        });
    }
    let Some(actor) = &event.actor else {
        return broken("nobody answered it");
    };
    if actor.kind != ActorKind::Human && !checkpoint.deciding_agents.contains(&actor.id) {
        return broken("answered by someone who is not a human");
    }
    if checkpoint.role.is_some() && actor.role != checkpoint.role {
        return broken("answered without the role");
    }
    if event.at >= checkpoint.deadline {
        return broken("answered after its deadline");
    }
    match &seen.claim {
        Some((by, at)) if *by != actor.id && event.at < at.plus(CLAIM_LASTS) => {
            broken("answered over another's claim")
        }
        _ => Ok(()),
    }
}

fn approved(model: &ReferenceModel) -> Option<(&Asks, &Decision)> {
    match &model.before {
        Before::Decided(asks, decision) if decision.verdict != Verdict::Reject => {
            Some((&**asks, &**decision))
        }
        _ => None,
    }
}

/// Plans, tools, layers, results and second tries: each only at somebody's word.
pub(super) fn law_5_nothing_runs_unapproved(model: &ReferenceModel, event: &Recorded) -> Held {
    let waived = model.before == Before::Waived;
    let yes = approved(model);
    let option = yes.and_then(|(_, decision)| decision.option.as_ref().map(|o| o.as_str()));
    let (fine, what) = match &event.event {
        Event::ExecutionStarted {} => {
            let approved = matches!(yes, Some((Asks::ApprovePlan, _)));
            (approved || waived, "the plan runs unapproved".into())
        }
        Event::LayerPassed { layer } if model.scene.plan().barrier == Barrier::Ask => {
            let approved =
                matches!(yes, Some((Asks::PassLayer { layer: asked }, _)) if asked == layer);
            (
                approved || waived,
                format!("layer {layer} is passed unasked"),
            )
        }
        Event::MissionEnded(ending) if ending.delivery == Delivery::Delivered => {
            let approved = matches!(yes, Some((Asks::ReviewResult, _)));
            (
                approved || waived,
                "the result is delivered unreviewed".into(),
            )
        }
        Event::ToolCallApproved { task, .. } => {
            let approved = matches!(yes, Some((
                Asks::ApproveTool { task: asked }
                | Asks::RecoverTask { task: asked }
                | Asks::AcceptConclusion { task: asked },
                _,
            )) if asked == task);
            (
                approved,
                format!("the call of `{task}` is approved by nobody"),
            )
        }
        Event::TaskRequeued { task } => {
            let changed =
                model.before == model.task(task).map_or(Before::Nothing, Before::Approved);
            let approved = match yes {
                Some((Asks::RecoverTask { task: asked }, _)) => asked == task,
                Some((Asks::AcceptConclusion { task: asked }, _)) => {
                    asked == task && option != Some("accept")
                }
                Some((Asks::SettleInDoubt { task: asked, .. }, _)) => {
                    asked == task && option == Some("retry")
                }
                _ => changed,
            };
            (approved, format!("`{task}` goes again and nobody said so"))
        }
        Event::TaskSkipped { task, .. } => {
            let asked = matches!(yes, Some((
                Asks::RecoverTask { task: asked } | Asks::AcceptConclusion { task: asked },
                _,
            )) if asked == task && option == Some("skip"));
            let for_want = model.task(task).is_some_and(|at| wants_another(model, at));
            (
                asked || for_want,
                format!("`{task}` is left out for no reason"),
            )
        }
        Event::TaskStarted { task, .. } => {
            let fine = model.task(task).is_some_and(|at| may_call(model, at));
            (
                fine,
                format!("`{task}` calls its tool without the leave it needs"),
            )
        }
        _ => return Ok(()),
    };
    holds(Law::NoUnlessYes, fine, || what)
}

/// Something this task had to start after will never happen.
fn wants_another(model: &ReferenceModel, at: usize) -> bool {
    use adjutant_mission::DependencyKind::{FinishToStart, StartToStart};
    model.scene.on[at].iter().any(|&(on, kind, _)| {
        let other = &model.tasks[on];
        other.lost
            && match kind {
                FinishToStart => true,
                StartToStart => other.started.is_none(),
                _ => false,
            }
    })
}

fn may_call(model: &ReferenceModel, at: usize) -> bool {
    let spec = model.scene.spec(at);
    let facts = model
        .tool(at)
        .and_then(|tool| model.scene.start.tools.get(&tool));
    let Some(facts) = facts else {
        return !matches!(spec.work, WorkSpec::Tool(_));
    };
    let again = in_a_fork_once(model, at);
    let always = spec.approval == Approval::Always || again || model.sends_outside_text(at);
    if let Some(call) = model.chosen(at) {
        // A model chose it, out of whatever it had read.
        let once = model.is_once(&call.tool);
        let asks = once || model.scene.plan().autonomy == Autonomy::Strict;
        let thoughts = &model.tasks[at].thoughts;
        let allowed = thoughts.allowed == Some(thoughts.steps.len());
        return !asks || allowed || (model.before == Before::Waived && !once);
    }
    if model.asks_model(at) {
        let asks = (model.scene.plan().autonomy).asks_for(CheckpointType::SubagentApproval);
        return !asks || model.is_approved(at) || model.before == Before::Waived;
    }
    let strict = model.scene.plan().autonomy == Autonomy::Strict;
    let asks = always || (strict && facts.class != EffectClass::Pure);
    !asks || model.is_approved(at) || (model.before == Before::Waived && !always)
}

/// What a fork would do for the second time, for all it knows.
fn in_a_fork_once(model: &ReferenceModel, at: usize) -> bool {
    let tool = model.tool(at);
    model.forked.is_some() && tool.is_some_and(|tool| model.is_once(&tool))
}

/// The run of the task's agent has not begun.
fn starts_agents(model: &ReferenceModel, at: usize) -> bool {
    let doer = model.doer(at);
    doer.is_some_and(|doer| !model.agents.contains_key(doer))
}

/// A waiver that is used was given for that type, and answers nothing that is reserved for a human.
pub(super) fn law_5_waivers_were_given(model: &ReferenceModel, event: &Recorded) -> Held {
    let Event::CheckpointWaived(waived) = &event.event else {
        return Ok(());
    };
    let kind = waived.checkpoint_type;
    let given = model.scene.start.approvals.iter().any(|source| {
        matches!(source, ApprovalSource::Waiver { by, types }
            if *by == waived.by && types.0.contains(&kind))
    });
    let of = waived.task.as_ref().and_then(|key| model.task(key));
    let allowed = match of.map(|at| (at, model.scene.spec(at))) {
        None => true,
        // That agents start, with whatever the task calls.
        Some((at, _)) if kind == CheckpointType::SubagentApproval && starts_agents(model, at) => {
            true
        }
        Some((at, _)) if in_a_fork_once(model, at) => false,
        Some((at, _)) if model.sends_outside_text(at) => false,
        Some((at, spec)) => match &spec.work {
            WorkSpec::Tool(_) => {
                spec.approval != Approval::Always && kind == CheckpointType::ToolApproval
            }
            WorkSpec::Human(human) => {
                let advised = human.options.is_empty() || waived.option.is_some();
                human.role.is_none() && waived.option == human.recommend && advised
            }
            WorkSpec::Gate(_) => false,
            WorkSpec::Mission(_) => kind == CheckpointType::SubagentApproval,
            WorkSpec::Agent(_) => match kind {
                CheckpointType::SubagentApproval => true,
                CheckpointType::CriticalDecision => model.reasons(at).is_some(),
                CheckpointType::ToolApproval if let Some(call) = model.chosen(at) => {
                    !model.is_once(&call.tool)
                }
                // Its alternative is a tool.
                kind => spec.alternative.is_some() && kind == CheckpointType::ToolApproval,
            },
        },
    };
    holds(Law::NoUnlessYes, given && allowed, || {
        format!("{kind:?} is waived without the right to: {waived:?}")
    })
}

/// A no, spoken or silent, is followed at once by what it means.
pub(super) fn law_5_a_no_has_its_consequence(model: &ReferenceModel, event: &Recorded) -> Held {
    let Some(asks) = refused(model) else {
        return Ok(());
    };
    let fine = match (asks, &event.event) {
        (Asks::ApprovePlan, Event::StopRequested { into, .. }) => *into == Stop::Cancel,
        (Asks::ReviewResult, Event::MissionEnded(ending)) => {
            ending.phase == EndingPhase::Completed && ending.delivery == Delivery::Draft
        }
        (Asks::ApprovePlan | Asks::ReviewResult, _) => false,
        // What an agent chose is not done, the agent learns it, and the mission goes on.
        (Asks::ApproveTool { task }, event) if is_choice(model, task) => {
            matches!(event, Event::StepTaken { task: told, taken }
                if told == task && taken.step.call.is_some())
        }
        (_, Event::StopRequested { into, .. }) => *into == Stop::Synthesize,
        _ => false,
    };
    holds(Law::NoUnlessYes, fine, || {
        format!("{asks:?} got a no, and what followed was {:?}", event.event)
    })
}

/// Somebody said no to a call that the task's agent chose.
fn is_choice(model: &ReferenceModel, task: &TaskKey) -> bool {
    let said = matches!(model.before, Before::Decided(..));
    let at = model.task(task);
    said && at.is_some_and(|at| model.asked_about_choice(at))
}

fn refused(model: &ReferenceModel) -> Option<&Asks> {
    if matches!(model.stage, Stage::Stopping(_)) {
        return None;
    }
    match &model.before {
        Before::Expired(asks) => Some(&**asks),
        Before::Decided(asks, decision) if decision.verdict == Verdict::Reject => Some(&**asks),
        _ => None,
    }
}

/// No step ends between a no and its consequence.
pub(super) fn law_5_no_answer_is_left_hanging(model: &ReferenceModel) -> Held {
    let hanging = refused(model);
    holds(Law::NoUnlessYes, hanging.is_none(), || {
        format!("{hanging:?} got a no, and nothing followed")
    })
}
