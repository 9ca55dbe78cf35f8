//! What an effect is given besides its arguments: where texts come from, and what people said to it before.

use std::collections::BTreeMap;

use adjutant_effects::{Asker, INPUTS, Origin, origin_of};
use adjutant_mission::{Asks, Closed, Effect, Mission, Payload, Verdict};

/// Where the outputs that an effect refers to come from.
pub(crate) fn origins(mission: &Mission, known: &[(String, Payload)]) -> BTreeMap<String, Origin> {
    let is_child = mission.opened().parent.is_some();
    let of = |name: &String| match mission.task(name) {
        Some((task, _)) => Some((name.clone(), origin_of(&task.work))),
        // What another mission gave may have come from anywhere.
        None if is_child && name == INPUTS => Some((name.clone(), Origin::ToolResult)),
        None => None,
    };
    known.iter().filter_map(|(name, _)| of(name)).collect()
}

/// The agent that does the effect's task, as the plan describes it.
pub(crate) fn asker(mission: &Mission, effect: &Effect) -> Option<Asker> {
    let (task, state) = mission.task(effect.task.as_str())?;
    let id = state.doer(task)?;
    let mut agents = mission.plan().agents.iter();
    let spec = agents.find(|agent| agent.id == *id)?;
    Some(Asker {
        id: spec.id.clone(),
        level: spec.level,
        name: spec.name.clone(),
    })
}

/// What people were told when the effect's task came to a stand, where they had it tried again.
pub(crate) fn acknowledged_warnings(mission: &Mission, effect: &Effect) -> Vec<String> {
    let gone_on = mission.checkpoints().iter().filter(|state| {
        matches!(&state.checkpoint.asks, Asks::RecoverTask { task } if *task == effect.task)
            && matches!(&state.closed, Some(Closed::Decided { decision, .. })
                if decision.verdict != Verdict::Reject)
    });
    gone_on
        .map(|state| state.checkpoint.context.clone())
        .collect()
}
