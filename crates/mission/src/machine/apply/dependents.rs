//! What a task's start and end mean for the tasks that depend on it.

use alloc::collections::BTreeSet;

use crate::machine::{Mission, TaskStatus};
use crate::{DependencyKind, Timestamp};

impl Mission {
    pub(super) fn meet_dependents(&mut self, at: Timestamp, task: u32, moment: Moment) {
        for n in 0..self.graph.dependents(task).len() {
            let dependent = self.graph.dependents(task)[n];
            let then = at.plus(dependent.lag);
            match (moment, dependent.kind) {
                (Moment::Finish, DependencyKind::FinishToStart)
                | (Moment::Start, DependencyKind::StartToStart) => {
                    self.update(dependent.task, |state| {
                        state.start_unmet = state.start_unmet.saturating_sub(1);
                        state.start_not_before = state.start_not_before.max(then);
                        if state.start_unmet == 0
                            && state.status == TaskStatus::Waiting
                            && !state.doomed
                        {
                            state.status = if state.start_not_before > at {
                                TaskStatus::Delayed
                            } else {
                                TaskStatus::Ready
                            };
                        }
                    });
                }
                (Moment::Finish, DependencyKind::FinishToFinish)
                | (Moment::Start, DependencyKind::StartToFinish) => {
                    self.update(dependent.task, |state| {
                        state.finish_unmet = state.finish_unmet.saturating_sub(1);
                        state.finish_not_before = state.finish_not_before.max(then);
                    });
                }
                _ => {}
            }
        }
    }

    /// What must start after a task that will not finish will not start. What only must finish after it
    /// is let go: there is nothing left to wait for.
    pub(super) fn doom_dependents(&mut self, task: u32) {
        let begun = self.tasks[task as usize].begun;
        for n in 0..self.graph.dependents(task).len() {
            let dependent = self.graph.dependents(task)[n];
            match dependent.kind {
                DependencyKind::StartToStart | DependencyKind::StartToFinish if begun => {}
                DependencyKind::FinishToStart | DependencyKind::StartToStart => {
                    if self.tasks[dependent.task as usize].status == TaskStatus::Waiting {
                        self.update(dependent.task, |state| state.doomed = true);
                    }
                }
                DependencyKind::FinishToFinish | DependencyKind::StartToFinish => {
                    self.update(dependent.task, |state| {
                        state.finish_unmet = state.finish_unmet.saturating_sub(1);
                    });
                }
            }
        }
    }

    /// Brings unmet counts in line with what has happened, for the returned tasks and what follows them.
    pub(super) fn recount_dependencies(&mut self, again: &BTreeSet<u32>) {
        for at in 0..self.tasks.len() as u32 {
            let untouched =
                !again.contains(&at) && self.tasks[at as usize].status != TaskStatus::Waiting;
            if untouched {
                continue;
            }
            let (mut start_unmet, mut finish_unmet, mut doomed) = (0, 0, false);
            for dependency in &self.spec(at).after {
                let Some(on) = self.graph.find(dependency.task.as_str()) else {
                    continue;
                };
                let on = &self.tasks[on as usize];
                let (started, finished) = (on.begun, on.status == TaskStatus::Completed);
                let ended = on.status.is_ended();
                match dependency.kind {
                    DependencyKind::FinishToStart => {
                        start_unmet += u32::from(!finished);
                        doomed |= ended && !finished;
                    }
                    DependencyKind::StartToStart => {
                        start_unmet += u32::from(!started);
                        doomed |= ended && !started;
                    }
                    DependencyKind::FinishToFinish => finish_unmet += u32::from(!ended),
                    DependencyKind::StartToFinish => {
                        finish_unmet += u32::from(!started && !ended);
                    }
                }
            }
            let task = &mut self.tasks[at as usize];
            (task.start_unmet, task.finish_unmet) = (start_unmet, finish_unmet);
            task.doomed = doomed;
            if again.contains(&at) && start_unmet == 0 {
                task.status = TaskStatus::Ready;
            }
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Moment {
    Start,
    Finish,
}
