//! What a change of plan does to the state: tasks keep what became of them, wherever they stand now.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

use super::Applied;
use crate::machine::queues::Queues;
use crate::machine::{Mission, Revised, Stage, TaskState, TaskStatus};
use crate::plan::Graph;
use crate::{PlanPatch, TaskIndex, Timestamp};

impl Mission {
    pub(super) fn change_plan(&mut self, at: Timestamp, patch: &PlanPatch) -> Applied {
        self.expect_stage(matches!(self.stage, Stage::Planning | Stage::Executing))?;
        for key in patch.touches() {
            let task = self.find(key)?;
            if self.tasks[task.index()].effect.is_some() {
                return Err(format!("task `{key}` is running"));
            }
        }
        let plan = patch.applied_to(self.plan())?;
        let mut tools = self.tools().clone();
        tools.extend(patch.tools.iter().map(|(id, facts)| (id.clone(), *facts)));

        let old = core::mem::take(&mut self.tasks);
        let old_graph = core::mem::replace(&mut self.graph, Graph::of(&plan));
        let (mut moved, mut anew) = (BTreeMap::new(), BTreeSet::new());
        let mut tasks = Vec::with_capacity(plan.tasks.len());
        for (now_at, task) in TaskIndex::all(plan.tasks.len()).zip(&plan.tasks) {
            let was_at = old_graph.find(task.key.as_str());
            let before = was_at.and_then(|at| old.get(at.index()));
            if let Some(was_at) = was_at {
                moved.insert(was_at, now_at);
            }
            let changed = patch.change.iter().any(|other| other.key == task.key);
            tasks.push(match before {
                Some(before) if !changed => before.clone(),
                before => {
                    anew.insert(now_at);
                    begin_again(TaskState::new(task), before)
                }
            });
        }
        self.tasks = tasks;
        for effect in self.effects.values_mut() {
            if let Some(&task) = moved.get(&effect.task) {
                effect.task = task;
            }
        }
        for (task, _) in self.charges.iter_mut().flatten() {
            *task = moved.get(task).copied().unwrap_or(*task);
        }
        self.revised = Some(Box::new(Revised { plan, tools }));
        self.replans = self.replans.saturating_add(1);
        self.recount_dependencies(at, &anew);
        let left = TaskIndex::all(self.tasks.len())
            .filter(|&task| !self.tasks[task.index()].status.is_ended())
            .map(|task| self.graph.layer(task))
            .min();
        self.layers_passed = left.map_or(self.layers_passed, |layer| layer.min(self.layers_passed));
        self.queues = Queues::of(self);
        Ok(())
    }
}

/// A task that was changed starts over. What it has cost stays on its account, and that it once began stays so for
/// those that waited for it.
fn begin_again(fresh: TaskState, before: Option<&TaskState>) -> TaskState {
    let Some(before) = before else {
        return TaskState {
            status: TaskStatus::Waiting,
            ..fresh
        };
    };
    TaskState {
        status: TaskStatus::Waiting,
        attempt: before.attempt,
        used: before.used,
        turns: before.turns,
        begun_at: before.begun_at,
        soft_cap_passed: before.soft_cap_passed,
        // Each holds for exactly the call it was given for: what was changed is asked about again, the rest is not.
        approved: before.approved.clone(),
        ..fresh
    }
}
