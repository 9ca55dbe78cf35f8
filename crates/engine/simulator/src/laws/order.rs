//! Scheduling: order, limits, resources, layers, bounded returns, retries and losses.

use adjutant_mission::{
    ActorKind, Asks, Barrier, Event, Mission, Recorded, ResourceKey, Strategy, TaskStatus, WorkSpec,
};

use super::{Broken, Held, Law, holds};
use crate::reference_model::{ReferenceModel, Stage};

/// Each kind of dependency, with its lag.
pub(super) fn dependencies_are_respected(model: &ReferenceModel, event: &Recorded) -> Held {
    use adjutant_mission::DependencyKind::{
        FinishToFinish, FinishToStart, StartToFinish, StartToStart,
    };
    let (task, starts) = match &event.event {
        Event::TaskStarted { task, .. } => (task, true),
        Event::TaskCompleted { task, .. } | Event::TaskReleased { task }
            if model.stage == Stage::Executing =>
        {
            (task, false)
        }
        _ => return Ok(()),
    };
    let Some(at) = model.task(task) else {
        return Err(Broken::new(Law::Schedule, format!("no task `{task}`")));
    };
    for &(on, kind, lag) in &model.scene.on[at] {
        let other = &model.tasks[on];
        let passed = |moment: Option<adjutant_mission::Timestamp>| {
            moment.is_some_and(|moment| moment.plus(lag) <= event.at)
        };
        let fine = match (kind, starts) {
            (FinishToStart, true) => passed(other.finished),
            (StartToStart, true) => passed(other.started),
            (FinishToFinish, false) => other.lost || passed(other.finished),
            (StartToFinish, false) => {
                passed(other.started) || (other.lost && other.started.is_none())
            }
            _ => true,
        };
        holds(Law::Schedule, fine, || {
            let (verb, on) = (
                if starts { "starts" } else { "finishes" },
                model.scene.spec(on),
            );
            format!(
                "`{task}` {verb} at {} against {kind:?} +{lag} on `{}`: {other:?}",
                event.at.0, on.key
            )
        })?;
    }
    let retry = model.tasks[at].retry_at.filter(|_| starts);
    holds(
        Law::Schedule,
        retry.is_none_or(|retry| retry <= event.at),
        || format!("`{task}` is tried again before its pause is over"),
    )
}

/// Behind a barrier nothing begins before all earlier layers have ended. What has begun may go on, though a change
/// of plan put something new before it.
pub(super) fn layers_are_respected(model: &ReferenceModel, event: &Recorded) -> Held {
    let task = match &event.event {
        Event::TaskStarted { task, .. } if model.scene.plan().barrier != Barrier::None => task,
        _ => return Ok(()),
    };
    let layers = &model.scene.layer;
    let Some(layer) = model.task(task).map(|at| layers[at]) else {
        return Ok(());
    };
    let begun = |at: usize| model.tasks[at].started.is_some();
    if model.task(task).is_some_and(begun) {
        return Ok(());
    }
    let ahead = model
        .tasks
        .iter()
        .zip(layers)
        .any(|(other, at)| *at < layer && other.finished.is_none() && !other.lost);
    holds(Law::Schedule, !ahead, || {
        format!("`{task}` of layer {layer} starts while an earlier layer is not done")
    })
}

/// Retries, returns and revisions have their limits.
pub(super) fn returns_and_retries_are_bounded(model: &ReferenceModel, event: &Recorded) -> Held {
    match &event.event {
        Event::TaskStarted {
            task,
            effect: Some(_),
            ..
        } => {
            let Some(at) = model.task(task) else {
                return Ok(());
            };
            let (tries, most) = (model.tasks[at].tries, model.scene.spec(at).retry.attempts);
            holds(Law::Schedule, tries < most, || {
                format!("`{task}` is tried more than {most} times")
            })
        }
        Event::GateJudged {
            task,
            then: adjutant_mission::AfterVerdict::Return,
            ..
        } => {
            let Some(at) = model.task(task) else {
                return Ok(());
            };
            let most = match &model.scene.spec(at).work {
                WorkSpec::Gate(gate) => gate.returns_max,
                _ => 0,
            };
            holds(Law::Schedule, model.tasks[at].returns < most, || {
                format!("gate `{task}` sends work back more than {most} times")
            })
        }
        _ => Ok(()),
    }
}

/// Only what has not begun, or came to a stand with nothing in doubt, is changed or dropped, and only by a person.
pub(super) fn plans_change_only_ahead(model: &ReferenceModel, event: &Recorded) -> Held {
    let Event::PlanChanged { patch, .. } = &event.event else {
        return Ok(());
    };
    let human = event
        .actor
        .as_ref()
        .is_some_and(|by| by.kind == ActorKind::Human);
    holds(Law::NoUnlessYes, human, || {
        "the plan was changed by nobody who may".to_owned()
    })?;
    let changed = patch.change.iter().map(|task| &task.key);
    for key in changed.chain(&patch.drop) {
        let seen = model.task(key).map(|at| &model.tasks[at]);
        let fine = seen.is_some_and(|seen| {
            let at_a_stand = seen.escalated && seen.effect.is_none() && seen.doubt.is_none();
            let ended = seen.finished.is_some() || seen.lost;
            !ended && (seen.clock.is_none() || at_a_stand)
        });
        holds(Law::Schedule, fine, || {
            format!("`{key}` is changed, and it was {seen:?}")
        })?;
    }
    Ok(())
}

/// What was done is undone only at somebody's word, when nothing runs any more, newest first, each at most once.
pub(super) fn undoing_goes_backwards(model: &ReferenceModel, event: &Recorded) -> Held {
    let (task, attempt) = match &event.event {
        Event::UndoBegan {} => {
            let quiet = model.performing().next().is_none() && model.open().next().is_none();
            return holds(Law::NoUnlessYes, model.undo && quiet, || {
                "undoing began though nobody asked, or too early".to_owned()
            });
        }
        Event::UndoStarted { task, attempt, .. } => (task, *attempt),
        _ => return Ok(()),
    };
    let done = |at: usize| model.tasks[at].finished.or(model.tasks[at].held);
    let Some(at) = model.task(task) else {
        return Err(Broken::new(Law::Schedule, format!("no task `{task}`")));
    };
    let seen = &model.tasks[at];
    let spec = model.scene.spec(at);
    let bounded = spec
        .undo
        .as_ref()
        .is_some_and(|undo| attempt == seen.undo_tries + 1 && attempt <= undo.retry.attempts);
    let fine = model.stage == Stage::Undoing
        && done(at).is_some()
        && !seen.undo_settled
        && !seen.inherited
        && seen.undo_at.is_none_or(|from| from <= event.at)
        && bounded;
    holds(Law::Schedule, fine, || {
        format!("`{task}` is undone, and it was {seen:?}")
    })?;
    let newer = (0..model.tasks.len()).find(|&other| {
        let of = &model.tasks[other];
        let left = model.scene.spec(other).undo.is_some() && !of.undo_settled && !of.inherited;
        left && seen.finished.is_some() && model.tasks[other].finished > seen.finished
    });
    holds(Law::Schedule, newer.is_none(), || {
        format!("`{task}` is undone before something newer")
    })
}

/// Work begins only while the mission executes, is not paused, and nothing holds it.
pub(super) fn nothing_starts_outside_its_stage(model: &ReferenceModel, event: &Recorded) -> Held {
    match &event.event {
        Event::TaskStarted { task, .. } => {
            let asked = |asks: &Asks| matches!(asks, Asks::ChangePlan { .. });
            let in_question = model.open().any(|seen| asked(&seen.checkpoint.asks));
            holds(
                Law::Schedule,
                model.stage == Stage::Executing && !model.paused && !in_question,
                || format!("`{task}` starts while the mission is {:?}", model.stage),
            )
        }
        _ => Ok(()),
    }
}

/// How much runs at once, and that no two running tasks share a resource.
pub(super) fn limits_and_resources_hold(model: &ReferenceModel, mission: &Mission) -> Held {
    let plan = model.scene.plan();
    let mut taken: Vec<&ResourceKey> = Vec::new();
    let (mut running, mut asking) = (0, 0);
    for (task, state) in mission.tasks() {
        match state.status {
            TaskStatus::Running => running += 1,
            TaskStatus::AwaitingHuman | TaskStatus::AwaitingApproval => asking += 1,
            _ => {}
        }
        if state.status == TaskStatus::Running {
            let shared = task
                .resources
                .iter()
                .find(|resource| taken.contains(resource));
            holds(Law::Schedule, shared.is_none(), || {
                format!("two running tasks use {shared:?}, one is `{}`", task.key)
            })?;
            taken.extend(&task.resources);
        }
    }
    holds(
        Law::Schedule,
        running == model.performing().count() || model.stage == Stage::Undoing,
        || format!("{running} tasks run, and the journal says otherwise"),
    )?;
    let fine = match plan.strategy {
        Strategy::Sequential if model.stage == Stage::Executing => running + asking <= 1,
        _ => running <= usize::from(plan.concurrency),
    };
    holds(Law::Schedule, fine, || {
        format!("{running} tasks run and {asking} ask at once")
    })
}

/// A task that is not done stops the mission, or counts against the skips it may have.
pub(super) fn losses_are_bounded(model: &ReferenceModel) -> Held {
    if model.stage != Stage::Executing {
        return Ok(());
    }
    let plan = model.scene.plan();
    let lost = model.lost();
    let most = match plan.strategy {
        Strategy::ContinueOnBlock => usize::from(plan.skips_max),
        Strategy::Sequential | Strategy::ParallelSafe => usize::MAX,
    };
    holds(Law::Schedule, lost <= most, || {
        format!("{lost} tasks were not done, {most} may be, and the mission goes on")
    })
}

/// Nothing is open, owed or to be waited for once a mission has ended.
pub(super) fn an_ended_mission_owes_nothing(model: &ReferenceModel, mission: &Mission) -> Held {
    let Stage::Ended(_) = &model.stage else {
        return Ok(());
    };
    let owes = model.open().count() + model.performing().count() + mission.outstanding().count();
    holds(Law::Schedule, owes == 0, || {
        format!("the mission has ended and {owes} things are still open")
    })
}
