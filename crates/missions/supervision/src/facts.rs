//! What supervisors know of a mission: its state, and what its events add up to.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_mission::{Asks, Event, Mission, Payload, Plan, Recorded, TaskKey, TaskStatus};
use serde_json::{Map, Value, json};

use crate::files::{self, Files};

/// A field of `mission` in conditions. The documentation has the same table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fact {
    pub name: &'static str,
    pub of_type: &'static str,
    pub meaning: &'static str,
}

const fn fact(name: &'static str, of_type: &'static str, meaning: &'static str) -> Fact {
    Fact {
        name,
        of_type,
        meaning,
    }
}

pub const FACTS: [Fact; 17] = [
    fact(
        "errors",
        "whole number",
        "Attempts that failed, including those that were retried.",
    ),
    fact(
        "layers",
        "whole number",
        "Layers of the plan in which every task has ended.",
    ),
    fact("tasks", "whole number", "Tasks of the plan."),
    fact("completed", "whole number", "Tasks that are completed."),
    fact("failed", "whole number", "Tasks that failed for good."),
    fact("skipped", "whole number", "Tasks that were skipped."),
    fact(
        "blocked",
        "whole number",
        "Tasks that cannot continue and wait for a person.",
    ),
    fact(
        "calls",
        "whole number",
        "Attempts so far: calls of tools and questions to models.",
    ),
    fact("replans", "whole number", "Changes of the plan so far."),
    fact(
        "breaches",
        "whole number",
        "Times that an agent wanted what its level or its task does not allow.",
    ),
    fact(
        "open_questions",
        "whole number",
        "Questions to people that are open.",
    ),
    fact("cost", "number", "What it has cost so far, in dollars."),
    fact(
        "budget",
        "number",
        "The hard cap in dollars. Absent if there is none: test it with `has(mission.budget)`.",
    ),
    fact(
        "minutes",
        "whole number",
        "Minutes from the start to the last event.",
    ),
    fact(
        "file_types",
        "list of texts",
        "The endings of the files that results name in a field `files`, in lower case without the dot.",
    ),
    fact(
        "unread_file_types",
        "list of texts",
        "Those of them that no task of the plan reads.",
    ),
    fact(
        "waits_between_layers",
        "true or false",
        "Whether the mission waits at the end of a layer.",
    ),
];

/// Of a mission in which nothing has happened.
pub(crate) fn empty_sample() -> Value {
    json!({
        "errors": 0, "layers": 0, "tasks": 1, "completed": 0, "failed": 0, "skipped": 0, "blocked": 0,
        "calls": 0, "replans": 0, "breaches": 0, "open_questions": 0, "cost": 0.0, "minutes": 0,
        "file_types": [], "unread_file_types": [], "waits_between_layers": false,
    })
}

/// Of a mission in which everything has happened.
pub(crate) fn full_sample() -> Value {
    json!({
        "errors": 1000, "layers": 1000, "tasks": 1000, "completed": 1000, "failed": 1000, "skipped": 1000,
        "blocked": 1000, "calls": 1000, "replans": 100, "breaches": 1000, "open_questions": 1000,
        "cost": 1000.5, "budget": 1000.5, "minutes": 1_000_000, "file_types": ["xml"],
        "unread_file_types": ["xml"], "waits_between_layers": true,
    })
}

/// What happened, as far as the mission's own state does not say it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    errors: u64,
    breaches: u64,
    /// By the task whose result names them.
    found: BTreeMap<TaskKey, Files>,
    unread: BTreeSet<String>,
    layers: Layers,
}

impl Counts {
    /// Counts an event. Says whether the facts may be others after it.
    pub(crate) fn count(&mut self, recorded: &Recorded, mission: &Mission) -> bool {
        match &recorded.event {
            Event::AttemptFailed { .. } => self.errors += 1,
            Event::BreachRefused { .. } => self.breaches += 1,
            Event::TaskCompleted { task, output, .. } | Event::TaskHeld { task, output, .. } => {
                let found = match output {
                    Payload::Inline(output) => files::files_in(output),
                    Payload::Blob { .. } => Files::new(),
                };
                let before = self.found.remove(task);
                if !found.is_empty() {
                    self.found.insert(task.clone(), found);
                }
                if before.as_ref() != self.found.get(task) {
                    self.unread = files::unread(&self.found, mission.plan());
                }
            }
            Event::MissionOpened(_) | Event::MissionForked { .. } | Event::PlanChanged { .. } => {
                self.layers = Layers::of(mission.plan());
                self.unread = files::unread(&self.found, mission.plan());
            }
            Event::EffectStarted { .. }
            | Event::EffectDeferred { .. }
            | Event::StepTaken { .. }
            | Event::AgentStarted { .. }
            | Event::CheckpointClaimed { .. }
            | Event::CheckpointReleased { .. }
            | Event::Informed { .. } => return false,
            _ => {}
        }
        true
    }

    /// The files that no task reads, by the name under which whoever changes the plan is given them: `xml_files`.
    pub(crate) fn unread_files(&self) -> Map<String, Value> {
        let files = self.unread.iter().map(|of_type| {
            let of_tasks = self.found.values().filter_map(|files| files.get(of_type));
            let names: BTreeSet<&str> = of_tasks.flatten().map(String::as_str).collect();
            (format!("{of_type}_files"), json!(names))
        });
        files.collect()
    }

    /// The tasks of layers in which every task has ended, by their place in the plan.
    pub(crate) fn in_ended_layers(&self, mission: &Mission) -> BTreeSet<usize> {
        self.layers.ended(mission).flatten().copied().collect()
    }

    pub(crate) fn facts(&self, mission: &Mission) -> Value {
        let (mut completed, mut failed, mut skipped, mut blocked) = (0u64, 0u64, 0u64, 0u64);
        let mut all = 0u64;
        for (_, state) in mission.tasks() {
            all += 1;
            match state.status {
                TaskStatus::Completed => completed += 1,
                TaskStatus::Failed => failed += 1,
                TaskStatus::Skipped => skipped += 1,
                TaskStatus::Blocked => blocked += 1,
                _ => {}
            }
        }
        let types: BTreeSet<&str> = self
            .found
            .values()
            .flat_map(Files::keys)
            .map(String::as_str)
            .collect();
        let open = mission.open_checkpoints().count() as u64;
        let waits = mission
            .open_checkpoints()
            .any(|asked| matches!(asked.checkpoint.asks, Asks::PassLayer { .. }));
        let minutes = mission.updated_at().since(mission.opened_at()).0 / 60_000;
        let mut facts = json!({
            "errors": self.errors, "layers": self.layers.ended(mission).count(), "tasks": all,
            "completed": completed, "failed": failed, "skipped": skipped, "blocked": blocked,
            "calls": mission.turns(), "replans": mission.replans(), "breaches": self.breaches,
            "open_questions": open, "cost": dollars(mission.used().money.0), "minutes": minutes,
            "file_types": types, "unread_file_types": self.unread, "waits_between_layers": waits,
        });
        if let Some(cap) = mission.plan().caps.money {
            facts["budget"] = dollars(cap.0).into();
        }
        facts
    }
}

fn dollars(micro: u64) -> f64 {
    micro as f64 / 1e6
}

/// The tasks of each layer, by their place in the plan. A task's layer is one more than the highest of those it waits for.
#[derive(Debug, Clone, Default)]
struct Layers(Vec<Vec<usize>>);

impl Layers {
    fn of(plan: &Plan) -> Self {
        let places: BTreeMap<&TaskKey, usize> = plan
            .tasks
            .iter()
            .enumerate()
            .map(|(at, task)| (&task.key, at))
            .collect();
        let count = plan.tasks.len();
        let mut waiting = vec![0usize; count];
        let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (at, task) in plan.tasks.iter().enumerate() {
            let on = task.after.iter().filter_map(|on| places.get(&on.task));
            for &on in on {
                waiting[at] += 1;
                dependents[on].push(at);
            }
        }
        let mut layers = Vec::new();
        let mut now: Vec<usize> = (0..count).filter(|&at| waiting[at] == 0).collect();
        let mut placed = 0;
        while !now.is_empty() {
            placed += now.len();
            let mut next = Vec::new();
            for &at in &now {
                for &to in &dependents[at] {
                    waiting[to] -= 1;
                    if waiting[to] == 0 {
                        next.push(to);
                    }
                }
            }
            layers.push(std::mem::replace(&mut now, next));
        }
        if placed < count {
            // Tasks that are bound to each other, and what follows them: they count as one layer.
            layers.push((0..count).filter(|&at| waiting[at] > 0).collect());
        }
        Self(layers)
    }

    fn ended(&self, mission: &Mission) -> impl Iterator<Item = &Vec<usize>> {
        let ended: Vec<bool> = mission
            .tasks()
            .map(|(_, state)| state.status.is_ended())
            .collect();
        self.0.iter().filter(move |layer| {
            layer
                .iter()
                .all(|&at| ended.get(at).copied().unwrap_or(false))
        })
    }
}

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
