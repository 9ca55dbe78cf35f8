//! Laws 2 and 3: the identity of effects, and their one outcome each.

use adjutant_mission::{
    AfterFailure, Asks, Cause, Event, GateVerdict, Outcome, Payload, Recorded, Usage, Verdict,
    WorkSpec,
};

use super::thinking::{is_last_conclusion, is_step};
use super::{Broken, Held, Law, holds};
use crate::reference_model::{Before, ReferenceModel, Stage};
use crate::world::World;

/// Whether an outcome the world gave is the one that was recorded.
type Fits<'a> = Box<dyn Fn(&Outcome) -> bool + 'a>;

/// Law 2: a new attempt is a new effect with the next unused number.
pub(super) fn law_2_ids_are_never_reused(model: &ReferenceModel, event: &Recorded) -> Held {
    let (task, effect, attempt) = match &event.event {
        Event::TaskStarted {
            task,
            effect,
            attempt,
            ..
        } => (task, effect, attempt),
        Event::UndoStarted { effect, .. } => {
            let next = model.effects.len();
            return holds(Law::StableIds, effect.index() == next, || {
                format!("undoing is effect {effect}; {next} is the next free number")
            });
        }
        _ => return Ok(()),
    };
    let Some(at) = model.task(task) else {
        return Err(Broken::new(Law::StableIds, format!("no task `{task}`")));
    };
    let is_question = matches!(model.scene.spec(at).work, WorkSpec::Human(_));
    let numbered = match effect {
        None => is_question,
        Some(number) => !is_question && number.index() == model.effects.len(),
    };
    holds(Law::StableIds, numbered, || {
        let next = model.effects.len();
        format!("task `{task}` starts effect {effect:?}; {next} is the next free number")
    })?;
    holds(
        Law::StableIds,
        *attempt == model.tasks[at].attempt + 1,
        || format!("attempt {attempt} of `{task}` does not follow the one before"),
    )
}

/// Law 3: what closes an effect is an outcome the world gave for it, or a human's word on a doubt.
pub(super) fn law_3_one_outcome_each(
    model: &ReferenceModel,
    event: &Recorded,
    world: &World,
) -> Held {
    // More than was reserved is never booked.
    let booked = |given: &Outcome, task: &adjutant_mission::TaskKey| {
        let at = model.task(task).and_then(|at| model.tasks[at].effect);
        let held = at.and_then(|number| model.effects.get(number.index()));
        usage_of(given).at_most(held.map_or(Usage::NONE, |effect| effect.reserved))
    };
    let (task, fits): (_, Fits<'_>) = match &event.event {
        Event::TaskCompleted {
            task,
            output,
            usage,
        }
        | Event::TaskHeld {
            task,
            output,
            usage,
        } => (
            task,
            Box::new(move |given| is_done(given, output) && booked(given, task) == *usage),
        ),
        Event::GateJudged {
            task,
            verdict,
            usage,
            ..
        } => (
            task,
            Box::new(move |given| is_verdict(given, *verdict) && booked(given, task) == *usage),
        ),
        Event::StepTaken { task, taken } => (
            task,
            Box::new(move |given| {
                let at = model.task(task);
                at.is_some_and(|at| is_step(model, at, given, taken))
                    && booked(given, task) == taken.usage
            }),
        ),
        Event::AttemptFailed { task, .. } => (task, Box::new(is_failure)),
        Event::Undone { task, usage } => (
            task,
            Box::new(move |given| {
                matches!(given, Outcome::Done { .. }) && booked(given, task) == *usage
            }),
        ),
        // Otherwise a cap or a crash came before any outcome.
        Event::UndoFailed { task, .. } if event.cause.is_some() => (task, Box::new(is_failure)),
        _ => return Ok(()),
    };
    let broken = |what: String| Err(Broken::new(Law::OneOutcome, what));
    let Some(at) = model.task(task) else {
        return broken(format!("no task `{task}`"));
    };
    let current = model.tasks[at].effect;
    let effect = current.and_then(|number| model.effects.get(number.index()));
    match event.cause {
        Some(Cause::Effect(number)) => {
            if current != Some(number) || effect.is_none_or(|effect| effect.closed) {
                return broken(format!(
                    "effect {number} of `{task}` has its outcome already"
                ));
            }
            if effect.is_some_and(|effect| effect.in_doubt) {
                return broken(format!(
                    "effect {number} is in doubt; only a human settles it"
                ));
            }
            holds(
                Law::OneOutcome,
                world.given(number).iter().any(fits),
                || format!("what is recorded for effect {number} is none of what was reported"),
            )
        }
        _ if matches!(event.event, Event::AttemptFailed { .. }) => holds(
            Law::OneOutcome,
            model.before == Before::CapReached
                || (model.degraded && effect.is_none() && takes_alternative(&event.event)),
            || format!("a try of `{task}` failed and nothing says why"),
        ),
        _ => settled_by_a_human(model, at, effect.is_some(), &event.event),
    }
}

fn takes_alternative(event: &Event) -> bool {
    let Event::AttemptFailed { then, .. } = event else {
        return false;
    };
    *then == AfterFailure::Alternative
}

/// A result without a performer: an answered question, a conclusion that was taken as it is, or a doubt marked as
/// done.
fn settled_by_a_human(model: &ReferenceModel, at: usize, had_effect: bool, event: &Event) -> Held {
    let key = &model.scene.spec(at).key;
    let said = match &model.before {
        Before::Decided(asks, decision) => match &**asks {
            Asks::DoHumanTask { task } => task == key && !had_effect,
            // A no to what an agent chose is what it learns of its step.
            Asks::ApproveTool { task } => {
                let is_step = matches!(event, Event::StepTaken { taken, .. }
                    if taken.step.call.is_some());
                task == key && !had_effect && is_step && decision.verdict == Verdict::Reject
            }
            Asks::SettleInDoubt { task, .. } => {
                let option = decision.option.as_ref().map(|option| option.as_str());
                task == key && option == Some("mark_done")
            }
            Asks::AcceptConclusion { task } => {
                let option = decision.option.as_ref().map(|option| option.as_str());
                let (Event::TaskCompleted { output, .. } | Event::TaskHeld { output, .. }) = event
                else {
                    return Err(Broken::new(
                        Law::OneOutcome,
                        format!("`{key}` takes a step"),
                    ));
                };
                task == key && option == Some("accept") && is_last_conclusion(model, at, output)
            }
            _ => false,
        },
        Before::Waived => matches!(model.scene.spec(at).work, WorkSpec::Human(_)),
        _ => false,
    };
    holds(Law::OneOutcome, said, || {
        format!("`{key}` has a result that nobody and nothing gave")
    })
}

/// Law 3: what was sent and may happen once is repeated only at a human's word.
pub(super) fn law_3_in_doubt_asks_a_human(model: &ReferenceModel, event: &Recorded) -> Held {
    match &event.event {
        Event::TaskStarted { task, .. } => {
            let doubt = model.task(task).and_then(|at| model.tasks[at].doubt);
            holds(Law::OneOutcome, doubt.is_none(), || {
                format!("`{task}` starts again while its effect {doubt:?} is in doubt")
            })
        }
        Event::TasksReturned { tasks, .. } => {
            let in_doubt = tasks
                .iter()
                .filter_map(|key| model.task(key))
                .find(|&at| model.tasks[at].doubt.is_some());
            holds(Law::OneOutcome, in_doubt.is_none(), || {
                format!("a task in doubt is sent back: {tasks:?}")
            })
        }
        Event::EffectStarted { effect } => {
            let known = model.effects.get(effect.index());
            let fine = known.is_some_and(|e| !e.closed && !e.in_doubt && !e.started);
            holds(Law::OneOutcome, fine, || {
                format!("effect {effect} is announced again: {known:?}")
            })
        }
        Event::EffectInDoubt { effect, .. } => {
            let known = model.effects.get(effect.index());
            let fine = known.is_some_and(|e| !e.closed && !e.in_doubt && e.started && !e.asks);
            holds(Law::OneOutcome, fine, || {
                format!("effect {effect} cannot be in doubt: {known:?}")
            })
        }
        Event::EffectLost { effect } => {
            let known = model.effects.get(effect.index());
            let fine = known.is_some_and(|e| !e.closed && !e.in_doubt && e.started && e.asks);
            holds(Law::OneOutcome, fine && event.cause.is_none(), || {
                format!("effect {effect} cannot be lost: {known:?}")
            })
        }
        Event::EffectAbandoned { effect, .. } => {
            let known = model.effects.get(effect.index());
            let fine = known.is_some_and(|e| !e.closed && !e.in_doubt && (!e.started || e.asks));
            holds(Law::OneOutcome, fine, || {
                format!("effect {effect} was sent and cannot be dropped: {known:?}")
            })
        }
        _ => Ok(()),
    }
}

/// Law 3: while the mission goes on, every doubt has its open question.
pub(super) fn law_3_every_doubt_is_asked_about(model: &ReferenceModel) -> Held {
    if model.stage != Stage::Executing {
        return Ok(());
    }
    let unasked = model
        .tasks
        .iter()
        .filter_map(|task| task.doubt)
        .find(|doubt| {
            let asks_it =
                |asks: &Asks| matches!(asks, Asks::SettleInDoubt { effect, .. } if effect == doubt);
            !model.open().any(|seen| asks_it(&seen.checkpoint.asks))
        });
    holds(Law::OneOutcome, unasked.is_none(), || {
        format!("effect {unasked:?} is in doubt and nobody is asked")
    })
}

fn usage_of(given: &Outcome) -> Usage {
    match given {
        Outcome::Done { usage, .. } | Outcome::Judged { usage, .. } => *usage,
        _ => Usage::NONE,
    }
}

fn is_done(given: &Outcome, recorded: &Payload) -> bool {
    matches!(given, Outcome::Done { output, .. } if output == recorded)
}

fn is_verdict(given: &Outcome, recorded: GateVerdict) -> bool {
    matches!(given, Outcome::Judged { verdict, .. } if *verdict == recorded)
}

fn is_failure(given: &Outcome) -> bool {
    matches!(
        given,
        Outcome::Failed { .. } | Outcome::Denied { .. } | Outcome::NeedsHuman { .. }
    )
}
