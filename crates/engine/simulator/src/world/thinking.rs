//! Answers to the steps of a reasoning, and the ground truth about them: which step was asked when.

use adjutant_mission::{
    AgentLevel, Effect, Json, Ppm, Signs, StepKind, Thought, ToolCall, ToolId, Work,
};

use super::World;
use crate::laws::{Held, Law, holds};
use crate::random::Random;
use crate::reference_model::ReferenceModel;

/// What an answer to a step says of itself. Now and then it wants to call what it may not.
pub(super) fn signs(random: &mut Random, thought: &Thought, known: &[ToolId]) -> Signs {
    let base = match thought.step.kind {
        // Most of what follows from a conclusion follows from one that is not sure enough.
        StepKind::Conclude if random.percent(40) => Ppm(random.below(400_000) as u32),
        _ => share(random),
    };
    let part = |random: &mut Random| match random.below(10) {
        0 => None,
        1..4 => Some(share(random)),
        _ => Some(base),
    };
    let sure = part(random);
    let mut signs = Signs {
        sure,
        settled: random.percent(25),
        ..Signs::default()
    };
    match thought.step.kind {
        StepKind::Think | StepKind::Call => {}
        StepKind::Weigh => {
            let missing = usize::from(random.percent(10));
            let weighed = thought.step.uses.len().saturating_sub(missing);
            signs.scores = (0..weighed).map(|_| share(random)).collect();
        }
        StepKind::Split => signs.parts = random.below(4) as u16,
        StepKind::Act if random.percent(75) => {
            let from: &[ToolId] = match random.percent(80) {
                true => &thought.tools,
                false => known,
            };
            signs.call = random.pick(from).map(call);
        }
        StepKind::Act => {}
        StepKind::Conclude => (signs.rules, signs.support) = (part(random), part(random)),
    }
    if thought.step.kind != StepKind::Act && random.percent(3) {
        signs.call = random.pick(known).map(call);
    }
    signs
}

fn call(tool: &ToolId) -> ToolCall {
    ToolCall {
        tool: tool.clone(),
        with: Json::parse(r#"{"chosen":true}"#).unwrap_or_else(|_| Json::null()),
    }
}

/// Low, middling or high: what follows differs.
fn share(random: &mut Random) -> Ppm {
    let (least, most) = match random.below(4) {
        0 => (0, 399_999),
        1 => (400_000, 699_999),
        _ => (700_000, 1_000_000),
    };
    Ppm(random.between(least, most) as u32)
}

impl World {
    /// Law 3: a reasoning goes on from what is recorded of it: each step that is asked is the one that follows, and
    /// is asked in the same way however often the host died before its answer was recorded.
    pub(crate) fn law_3_a_thought_goes_on(
        &mut self,
        effect: &Effect,
        model: &ReferenceModel,
    ) -> Held {
        let Some(at) = model.task(&effect.task) else {
            return Ok(());
        };
        let key = &effect.task;
        let reasons = model.reasons(at).is_some();
        let Some(thought) = &effect.thought else {
            return holds(Law::OneOutcome, !reasons, || {
                format!("`{key}` is to be thought through and is asked at once")
            });
        };
        let thoughts = &model.tasks[at].thoughts;
        let follows = model.next_step(at);
        let fine = reasons
            && usize::from(thought.number) == thoughts.steps.len()
            && follows.as_ref() == Some(&thought.step);
        holds(Law::OneOutcome, fine, || {
            format!(
                "`{key}` is at step {} and asks for {thought:?}; {follows:?} follows",
                thoughts.steps.len()
            )
        })?;
        let remembers = thought.earlier.iter().all(|earlier| {
            let taken = thoughts.steps.get(usize::from(earlier.number));
            taken.is_some_and(|taken| taken.step == earlier.step && taken.output == earlier.output)
        });
        holds(Law::OneOutcome, remembers, || {
            format!("`{key}` goes on from what was never recorded: {thought:?}")
        })?;
        let place = (key.clone(), thoughts.since, thought.number);
        let asked = self
            .asked
            .entry(place)
            .or_insert_with(|| thought.step.clone());
        holds(Law::OneOutcome, *asked == thought.step, || {
            format!("`{key}` asked for {asked:?} and now for {:?}", thought.step)
        })
    }
}

/// Law 6: only a worker calls anything while it thinks, and only what it was offered and chose.
pub(super) fn law_6_only_what_was_offered(effect: &Effect, model: &ReferenceModel) -> Held {
    let (Work::CallTool(call), Some(_)) = (&effect.work, &effect.thought) else {
        return Ok(());
    };
    let Some(at) = model.task(&effect.task) else {
        return Ok(());
    };
    let offered = model
        .reasons(at)
        .is_some_and(|reasoning| reasoning.tools.contains(&call.tool));
    let chosen = model
        .chosen(at)
        .is_some_and(|chosen| chosen.tool == call.tool);
    let worker = model.level(at) == Some(AgentLevel::L4);
    holds(Law::Levels, offered && chosen && worker, || {
        format!("`{}` calls `{}`, which it may not", effect.task, call.tool)
    })
}
