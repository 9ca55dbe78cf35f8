//! What a task's start and end mean for the tasks that depend on it.

use alloc::collections::BTreeSet;

use crate::machine::{Mission, TaskStatus};
use crate::{DependencyKind, TaskIndex, Timestamp};

impl Mission {
    pub(super) fn meet_dependents(&mut self, at: Timestamp, task: TaskIndex, moment: Moment) {
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
    pub(super) fn doom_dependents(&mut self, task: TaskIndex) {
        let begun = self.tasks[task.index()].begun_at.is_some();
        for n in 0..self.graph.dependents(task).len() {
            let dependent = self.graph.dependents(task)[n];
            match dependent.kind {
                DependencyKind::StartToStart | DependencyKind::StartToFinish if begun => {}
                DependencyKind::FinishToStart | DependencyKind::StartToStart => {
                    if self.tasks[dependent.task.index()].status == TaskStatus::Waiting {
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

    /// Brings unmet counts and lags in line with what has happened, for the returned tasks and what
    /// follows them.
    pub(super) fn recount_dependencies(&mut self, at: Timestamp, again: &BTreeSet<TaskIndex>) {
        for task in TaskIndex::all(self.tasks.len()) {
            let state = &self.tasks[task.index()];
            let yet_to_run = matches!(
                state.status,
                TaskStatus::Waiting | TaskStatus::Ready | TaskStatus::Delayed
            );
            let held = state.status == TaskStatus::Held;
            if !again.contains(&task) && !yet_to_run && !held {
                continue;
            }
            let (mut start_unmet, mut finish_unmet, mut doomed) = (0, 0, false);
            let mut start_not_before = state.start_not_before;
            let mut finish_not_before = state.finish_not_before;
            for dependency in &self.spec(task).after {
                let Some(on) = self.graph.find(dependency.task.as_str()) else {
                    continue;
                };
                let on = &self.tasks[on.index()];
                let done = on.status == TaskStatus::Completed;
                let lost = on.status.is_ended() && !done;
                let finish = on.ended_at.filter(|_| done);
                let (starts, moment) = match dependency.kind {
                    DependencyKind::FinishToStart => (true, finish),
                    DependencyKind::StartToStart => (true, on.begun_at),
                    DependencyKind::FinishToFinish => (false, finish),
                    DependencyKind::StartToFinish => (false, on.begun_at),
                };
                let then = moment.map(|moment| moment.plus(dependency.lag));
                match (starts, then) {
                    (true, Some(then)) => start_not_before = start_not_before.max(then),
                    (true, None) => (start_unmet, doomed) = (start_unmet + 1, doomed || lost),
                    (false, Some(then)) => finish_not_before = finish_not_before.max(then),
                    (false, None) => finish_unmet += u32::from(!lost),
                }
            }
            let state = &mut self.tasks[task.index()];
            (state.start_unmet, state.finish_unmet) = (start_unmet, finish_unmet);
            (state.start_not_before, state.finish_not_before) =
                (start_not_before, finish_not_before);
            state.doomed = doomed;
            if start_unmet > 0 && !held {
                state.status = TaskStatus::Waiting;
            } else if again.contains(&task) {
                let waits = start_not_before > at;
                state.status = if waits {
                    TaskStatus::Delayed
                } else {
                    TaskStatus::Ready
                };
            }
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Moment {
    Start,
    Finish,
}
