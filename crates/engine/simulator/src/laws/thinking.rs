//! Agents at work: laws 3 to 6 where a task is thought through, and where one agent starts another.

use adjutant_mission::{
    AfterAssessment, AfterFailure, AgentLevel, Asks, Cause, CheckpointType, Event, Mission,
    Outcome, Payload, Ppm, Recorded, Remarks, Signs, StepKind, StepTaken,
};

use super::{Broken, Held, Law, holds};
use crate::reference_model::{Before, ReferenceModel, Stage};
use crate::world::World;

/// Where the design draws the line below which thinking again does not help, and how often it may.
const ASKED_BELOW: u64 = 400_000;
const ROUNDS_AGAIN_MAX: usize = 2;

/// What is recorded of an answer is what the answer said, but for a call that its agent may not make.
pub(super) fn is_step(
    model: &ReferenceModel,
    at: usize,
    given: &Outcome,
    taken: &StepTaken,
) -> bool {
    let Outcome::Done {
        output, remarks, ..
    } = given
    else {
        return false;
    };
    let mut signs = signs_of(remarks);
    if !may_call(model, at, &signs) {
        signs.call = None;
    }
    *output == taken.output && signs == taken.signs
}

fn signs_of(remarks: &Remarks) -> Signs {
    match &remarks.signs {
        Some(signs) => (**signs).clone(),
        None => Signs {
            sure: remarks.confidence,
            ..Signs::default()
        },
    }
}

/// Only a worker, and only what it was offered. Whoever chooses nothing may do so.
fn may_call(model: &ReferenceModel, at: usize, signs: &Signs) -> bool {
    let Some(call) = &signs.call else {
        return true;
    };
    let offered = model
        .reasons(at)
        .is_some_and(|reasoning| reasoning.tools.contains(&call.tool));
    offered && model.level(at) == Some(AgentLevel::L4)
}

/// Law 3: each step that is recorded is the one that followed from those before it.
pub(super) fn law_3_steps_follow(model: &ReferenceModel, event: &Recorded) -> Held {
    let Event::StepTaken { task, taken } = &event.event else {
        return Ok(());
    };
    let follows = model.task(task).and_then(|at| model.next_step(at));
    holds(
        Law::OneOutcome,
        follows.as_ref() == Some(&taken.step),
        || format!("`{task}` took {:?}, and {follows:?} follows", taken.step),
    )
}

/// Law 3: a task that is thought through is done when it is concluded, and not before.
pub(super) fn law_3_it_ends_with_a_conclusion(model: &ReferenceModel, event: &Recorded) -> Held {
    let (Event::TaskCompleted { task, .. } | Event::TaskHeld { task, .. }) = &event.event else {
        return Ok(());
    };
    let Some(at) = model.task(task).filter(|&at| model.reasons(at).is_some()) else {
        return Ok(());
    };
    let fine = match event.cause {
        Some(Cause::Effect(_)) => {
            let step = model.next_step(at);
            step.is_some_and(|step| step.kind == StepKind::Conclude)
        }
        _ => model.tasks[at].thoughts.unsure,
    };
    holds(Law::OneOutcome, fine, || {
        format!("`{task}` is done and was never concluded")
    })
}

/// Law 5: a conclusion that is not sure enough ends nothing but at somebody's word.
pub(super) fn law_5_unsure_means_no(
    model: &ReferenceModel,
    event: &Recorded,
    world: &World,
) -> Held {
    match &event.event {
        Event::ConfidenceAssessed { task, then, .. } => {
            let Some(at) = model.task(task) else {
                return Ok(());
            };
            let Some(reasoning) = model.reasons(at) else {
                let what = format!("`{task}` concludes nothing and is assessed");
                return Err(Broken::new(Law::NoUnlessYes, what));
            };
            let threshold = u64::from(reasoning.confidence_threshold.0);
            let given = match event.cause {
                Some(Cause::Effect(number)) => world.given(number),
                _ => &[],
            };
            let mut sure = given.iter().filter_map(|given| match given {
                Outcome::Done { remarks, .. } => Some(sureness(&signs_of(remarks))),
                _ => None,
            });
            let fine = sure.any(|sure| fits(model, at, *then, sure, threshold));
            holds(Law::NoUnlessYes, fine, || {
                format!("`{task}` concludes, and what follows is {then:?}: {given:?}")
            })
        }
        Event::TaskCompleted { task, .. } | Event::TaskHeld { task, .. } => {
            let by_itself = matches!(event.cause, Some(Cause::Effect(_)));
            let thought = |at: &usize| by_itself && model.reasons(*at).is_some();
            let Some(at) = model.task(task).filter(thought) else {
                return Ok(());
            };
            let fine = model.before == Before::GoesOn(at);
            holds(Law::NoUnlessYes, fine, || {
                format!("`{task}` is done and nobody looked how sure it is")
            })
        }
        Event::TaskStarted { task, .. } => {
            let unsure = |at: usize| model.tasks[at].thoughts.unsure;
            let unsure = model.task(task).is_some_and(unsure);
            holds(Law::NoUnlessYes, !unsure, || {
                format!("`{task}` goes on while somebody is asked about its conclusion")
            })
        }
        _ => Ok(()),
    }
}

/// Half what the answerer thinks, three tenths the rules of evidence, two tenths what supports it.
fn sureness(signs: &Signs) -> u64 {
    let part = |part: Option<Ppm>| part.map_or(0, |part| u64::from(part.0));
    (part(signs.sure) * 5 + part(signs.rules) * 3 + part(signs.support) * 2) / 10
}

fn fits(
    model: &ReferenceModel,
    at: usize,
    then: AfterAssessment,
    sure: u64,
    threshold: u64,
) -> bool {
    let steps = model.tasks[at].thoughts.steps.iter();
    let conclusions = steps.filter(|taken| taken.step.kind == StepKind::Conclude);
    let conclusions = conclusions.count();
    let autonomy = model.scene.plan().autonomy;
    let asks = autonomy.asks_for(CheckpointType::CriticalDecision);
    let waived = model.before == Before::Waived;
    match then {
        AfterAssessment::GoOn => sure >= threshold || !asks || waived,
        // It is recorded by now.
        AfterAssessment::Again => {
            (ASKED_BELOW..threshold).contains(&sure) && conclusions <= ROUNDS_AGAIN_MAX
        }
        AfterAssessment::Ask => sure < threshold && asks,
    }
}

/// Law 5: while the mission goes on, somebody is asked about each conclusion that is not sure enough.
pub(super) fn law_5_every_unsure_conclusion_is_asked_about(model: &ReferenceModel) -> Held {
    if model.stage != Stage::Executing {
        return Ok(());
    }
    let tasks = model.scene.plan().tasks.iter().zip(&model.tasks);
    let unasked = tasks
        .filter(|(_, seen)| seen.thoughts.unsure)
        .find(|(spec, _)| {
            let asks_it =
                |asks: &Asks| matches!(asks, Asks::AcceptConclusion { task } if *task == spec.key);
            !model.open().any(|seen| asks_it(&seen.checkpoint.asks))
        });
    holds(Law::NoUnlessYes, unasked.is_none(), || {
        let key = unasked.map(|(spec, _)| &spec.key);
        format!("the conclusion of {key:?} is not sure enough and nobody is asked")
    })
}

/// Law 3: what a human accepts is the conclusion that was drawn.
pub(super) fn is_last_conclusion(model: &ReferenceModel, at: usize, output: &Payload) -> bool {
    let last = model.tasks[at].thoughts.steps.last();
    last.is_some_and(|last| last.step.kind == StepKind::Conclude && last.output == *output)
}

/// Law 6: what an agent may not call is refused, in the journal too, and never recorded as chosen.
pub(super) fn law_6_breaches_are_refused(
    model: &ReferenceModel,
    event: &Recorded,
    world: &World,
) -> Held {
    let Event::StepTaken { task, taken } = &event.event else {
        return Ok(());
    };
    let Some(at) = model.task(task) else {
        return Ok(());
    };
    holds(Law::Levels, may_call(model, at, &taken.signs), || {
        format!(
            "`{task}` chose {:?}, which it may not call",
            taken.signs.call
        )
    })?;
    let Some(Cause::Effect(number)) = event.cause else {
        return Ok(());
    };
    let breach = |given: &Outcome| match given {
        Outcome::Done { remarks, .. } => !may_call(model, at, &signs_of(remarks)),
        _ => false,
    };
    let mut given = world.given(number).iter();
    let told = model.before == Before::Breached(at);
    let fine = given.any(|given| is_step(model, at, given, taken) && breach(given) == told);
    holds(Law::Levels, fine, || {
        format!("`{task}` wanted what it may not, or did not, and the journal says otherwise")
    })
}

/// Law 6: an agent is started once, by whom the plan says, after that one and before its first task.
pub(super) fn law_6_agents_start_in_order(model: &ReferenceModel, event: &Recorded) -> Held {
    match &event.event {
        Event::AgentStarted {
            agent,
            level,
            started_by,
        } => {
            let fine = model.agent(agent).is_some_and(|spec| {
                let above = spec.started_by.as_ref();
                let above_level = above.and_then(|by| Some(model.agent(by)?.level));
                let starts = match (above, above_level) {
                    (None, _) => matches!(spec.level, AgentLevel::L1 | AgentLevel::L2),
                    (Some(by), Some(of)) => {
                        model.agents.contains_key(by) && of.may_start(spec.level)
                    }
                    (Some(_), None) => false,
                };
                starts && *level == spec.level && *started_by == spec.started_by
            });
            let first = !model.agents.contains_key(agent);
            holds(Law::Levels, fine && first, || {
                format!("`{agent}` is started by {started_by:?} as {level:?}, against the plan")
            })
        }
        Event::TaskStarted {
            task,
            effect: Some(_),
            ..
        } => {
            let doer = model.task(task).and_then(|at| model.doer(at));
            let fine = doer.is_none_or(|doer| model.agents.contains_key(doer));
            holds(Law::Levels, fine, || {
                format!("`{task}` starts before its agent {doer:?}")
            })
        }
        Event::AttemptFailed {
            task,
            then: AfterFailure::Upward { to },
            ..
        } => {
            let doer = model.task(task).and_then(|at| model.doer(at));
            let above = doer.and_then(|doer| model.agent(doer)?.started_by.as_ref());
            holds(Law::Levels, above == Some(to), || {
                format!("`{task}` of {doer:?} is handed to `{to}`, not to {above:?}")
            })
        }
        _ => Ok(()),
    }
}

/// Law 4: no agent uses more in all than it may, and the machine counts what the journal does.
pub(super) fn law_4_lifetimes_hold(model: &ReferenceModel, mission: &Mission) -> Held {
    if model.agents.is_empty() {
        return Ok(());
    }
    let counted = mission
        .agents()
        .map(|(agent, state)| (agent, &state.tokens));
    holds(Law::Caps, counted.eq(&model.agents), || {
        let counted: Vec<_> = mission.agents().collect();
        format!(
            "the machine counts {counted:?}, the journal {:?}",
            model.agents
        )
    })?;
    for (agent, used) in &model.agents {
        let cap = model.agent(agent).and_then(|spec| spec.tokens_lifetime);
        let Some(cap) = cap else { continue };
        let held = model.tokens_held(agent);
        holds(Law::Caps, used + held <= cap, || {
            format!("`{agent}` has used {used} tokens and holds {held}, over its {cap}")
        })?;
    }
    Ok(())
}
