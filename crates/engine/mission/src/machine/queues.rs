//! Indexes over the state, so that each step costs what it changes and not what the plan holds.
//! Kept up by `apply`, computable afresh from state, never stored.
//!
//! **Invariant:** The indexes are a cache: `Mission::indexes_hold` recomputes them from the state. The simulator and
//! the tests compare after every step.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{Mission, Stage, TaskStatus};
use crate::{Barrier, CheckpointNumber, LayerNumber, ResourceKey, TaskIndex, Timestamp};

/// Layer (only where a barrier makes it matter), then priority, then plan order.
pub(super) type ReadyKey = (LayerNumber, Reverse<i16>, TaskIndex);

/// Something that happens by itself at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Due {
    CheckpointDeadline(CheckpointNumber),
    TaskWallTime(TaskIndex),
    MissionWallTime,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Queues {
    pub(super) ready: BTreeSet<ReadyKey>,
    pub(super) delayed: BTreeSet<(Timestamp, TaskIndex)>,
    pub(super) releasable: BTreeSet<(Timestamp, TaskIndex)>,
    pub(super) doomed: BTreeSet<TaskIndex>,
    pub(super) due: BTreeSet<(Timestamp, Due)>,
    pub(super) open: BTreeSet<CheckpointNumber>,
    pub(super) resources: BTreeMap<ResourceKey, TaskIndex>,
    /// Effects somebody must perform: outstanding and not in doubt.
    pub(super) performing: u32,
    /// Tasks under way with a person: questions and approvals.
    pub(super) asking: u32,
    pub(super) blocked: u32,
    /// Tasks that ended, and of those the ones left out.
    pub(super) ended: u32,
    pub(super) lost: u32,
    pub(super) completed: u32,
    pub(super) layer_left: Vec<u32>,
}

impl Queues {
    pub(super) fn of(mission: &Mission) -> Self {
        let mut queues = Self {
            layer_left: mission.graph.layer_sizes().to_vec(),
            ..Self::default()
        };
        for at in TaskIndex::all(mission.tasks.len()) {
            queues.enter(mission, at);
        }
        for (number, state) in
            CheckpointNumber::all(mission.checkpoints.len()).zip(&mission.checkpoints)
        {
            if state.closed.is_none() {
                queues.open.insert(number);
                queues
                    .due
                    .insert((state.checkpoint.deadline, Due::CheckpointDeadline(number)));
            }
        }
        queues.performing = mission
            .effects
            .values()
            .filter(|effect| !effect.in_doubt)
            .count() as u32;
        queues.due.extend(mission.wall_time_due());
        queues
    }

    /// Files a task under its present status.
    pub(super) fn enter(&mut self, mission: &Mission, at: TaskIndex) {
        let task = &mission.tasks[at.index()];
        match task.status {
            TaskStatus::Waiting => {
                if task.doomed {
                    self.doomed.insert(at);
                }
            }
            TaskStatus::Ready => {
                self.ready.insert(ready_key(mission, at));
            }
            TaskStatus::Delayed => {
                self.delayed.insert((task.start_not_before, at));
            }
            TaskStatus::AwaitingApproval | TaskStatus::AwaitingHuman => self.asking += 1,
            TaskStatus::Running => {
                for resource in &mission.spec(at).resources {
                    self.resources.insert(resource.clone(), at);
                }
            }
            TaskStatus::Held => {
                if task.finish_unmet == 0 {
                    self.releasable.insert((task.finish_not_before, at));
                }
            }
            TaskStatus::Blocked => self.blocked += 1,
            TaskStatus::Completed
            | TaskStatus::Failed
            | TaskStatus::Skipped
            | TaskStatus::Stopped => {
                self.count_ended(mission, at, |n| n + 1, |n| n.saturating_sub(1));
            }
        }
        self.due.extend(mission.task_wall_due(at));
    }

    /// Takes a task out from where its present status put it.
    pub(super) fn leave(&mut self, mission: &Mission, at: TaskIndex) {
        let task = &mission.tasks[at.index()];
        match task.status {
            TaskStatus::Waiting => {
                self.doomed.remove(&at);
            }
            TaskStatus::Ready => {
                self.ready.remove(&ready_key(mission, at));
            }
            TaskStatus::Delayed => {
                self.delayed.remove(&(task.start_not_before, at));
            }
            TaskStatus::AwaitingApproval | TaskStatus::AwaitingHuman => self.asking -= 1,
            TaskStatus::Running => {
                for resource in &mission.spec(at).resources {
                    self.resources.remove(resource);
                }
            }
            TaskStatus::Held => {
                self.releasable.remove(&(task.finish_not_before, at));
            }
            TaskStatus::Blocked => self.blocked -= 1,
            TaskStatus::Completed
            | TaskStatus::Failed
            | TaskStatus::Skipped
            | TaskStatus::Stopped => {
                self.count_ended(mission, at, |n| n.saturating_sub(1), |n| n + 1);
            }
        }
        if let Some(due) = mission.task_wall_due(at) {
            self.due.remove(&due);
        }
    }

    fn count_ended(
        &mut self,
        mission: &Mission,
        at: TaskIndex,
        one: fn(u32) -> u32,
        left: fn(u32) -> u32,
    ) {
        self.ended = one(self.ended);
        match mission.tasks[at.index()].status {
            TaskStatus::Completed => self.completed = one(self.completed),
            _ if !mission.tasks[at.index()].doomed => self.lost = one(self.lost),
            _ => {}
        }
        if let Some(count) = self.layer_left.get_mut(mission.graph.layer(at).index()) {
            *count = left(*count);
        }
    }
}

fn ready_key(mission: &Mission, at: TaskIndex) -> ReadyKey {
    let layer = match mission.plan().barrier {
        Barrier::None => LayerNumber::FIRST,
        Barrier::Wait | Barrier::Ask => mission.graph.layer(at),
    };
    (layer, Reverse(mission.spec(at).priority), at)
}

impl Mission {
    /// When the mission's own time is up.
    pub(super) fn wall_time_due(&self) -> Option<(Timestamp, Due)> {
        let cap = self.plan().caps.wall_time?;
        let since = self
            .executing_since
            .filter(|_| self.stage == Stage::Executing)?;
        Some((since.plus(cap), Due::MissionWallTime))
    }

    /// When a task's time is up: counted from its first start, while it works or waits to work again.
    pub(super) fn task_wall_due(&self, at: TaskIndex) -> Option<(Timestamp, Due)> {
        let task = &self.tasks[at.index()];
        // A sub-mission carries its task's time itself, and ends by it.
        let cap = self
            .spec(at)
            .caps
            .wall_time
            .filter(|_| !self.is_mission(at))?;
        let counts = matches!(
            task.status,
            TaskStatus::Running | TaskStatus::Delayed | TaskStatus::Ready
        );
        let since = task
            .started_at
            .filter(|_| counts && self.stage == Stage::Executing)?;
        Some((since.plus(cap), Due::TaskWallTime(at)))
    }
}
