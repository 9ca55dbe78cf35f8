//! How many tasks came to what. Only what is completed counts as done: everything else that ended is named.

use adjutant_mission::{Mission, TaskState, TaskStatus};

use super::count;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TaskCounts {
    pub(crate) total: usize,
    pub(crate) completed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
    /// Ended from outside before they were done.
    pub(crate) stopped: usize,
    pub(crate) running: usize,
    /// They wait for a person.
    pub(crate) asking: usize,
}

impl TaskCounts {
    pub(crate) fn of(mission: &Mission) -> Self {
        let states = mission.tasks().map(|(_, state)| state);
        let counts = Self::of_states(states);
        match mission.ending() {
            // Nobody is asked any more, and nothing runs.
            Some(_) => Self {
                running: 0,
                asking: 0,
                ..counts
            },
            None => counts,
        }
    }

    fn of_states<'a>(states: impl Iterator<Item = &'a TaskState>) -> Self {
        let mut counts = Self::default();
        for state in states {
            counts.add(state.status);
        }
        counts
    }

    fn add(&mut self, status: TaskStatus) {
        self.total += 1;
        match status {
            TaskStatus::Completed => self.completed += 1,
            TaskStatus::Failed => self.failed += 1,
            TaskStatus::Skipped => self.skipped += 1,
            TaskStatus::Stopped => self.stopped += 1,
            TaskStatus::Running => self.running += 1,
            TaskStatus::AwaitingHuman | TaskStatus::AwaitingApproval | TaskStatus::Blocked => {
                self.asking += 1;
            }
            TaskStatus::Waiting | TaskStatus::Ready | TaskStatus::Delayed | TaskStatus::Held => {}
        }
    }

    /// `2 of 3 tasks · 1 failed`.
    pub(crate) fn words(self) -> String {
        let done = format!("{} of {}", self.completed, count(self.total, "task"));
        let others = self.others().map(|(n, word)| format!("{n} {word}"));
        std::iter::once(done)
            .chain(others)
            .collect::<Vec<_>>()
            .join(" · ")
    }

    /// What a mission that completed did not complete: `1 of 3 tasks failed, 1 skipped`.
    pub(crate) fn not_completed(self) -> Option<String> {
        let mut others = self.others();
        let (n, word) = others.next()?;
        let first = format!("{n} of {} {word}", count(self.total, "task"));
        let rest = others.map(|(n, word)| format!("{n} {word}"));
        let all = std::iter::once(first).chain(rest);
        Some(all.collect::<Vec<_>>().join(", "))
    }

    fn others(self) -> impl Iterator<Item = (usize, &'static str)> {
        let others = [
            (self.failed, "failed"),
            (self.stopped, "stopped"),
            (self.skipped, "skipped"),
        ];
        others.into_iter().filter(|(n, _)| *n > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(statuses: &[TaskStatus]) -> TaskCounts {
        let mut counts = TaskCounts::default();
        for status in statuses {
            counts.add(*status);
        }
        counts
    }

    #[test]
    fn only_what_is_completed_is_done_and_the_rest_is_named() {
        use TaskStatus::{Completed, Failed, Skipped, Stopped, Waiting};
        for (statuses, words, not_completed) in [
            (&[Completed, Completed][..], "2 of 2 tasks", None),
            (&[Completed, Waiting], "1 of 2 tasks", None),
            (
                &[Completed, Failed, Failed],
                "1 of 3 tasks · 2 failed",
                Some("2 of 3 tasks failed"),
            ),
            (
                &[Completed, Failed, Skipped, Stopped],
                "1 of 4 tasks · 1 failed · 1 stopped · 1 skipped",
                Some("1 of 4 tasks failed, 1 stopped, 1 skipped"),
            ),
            (
                &[Completed, Skipped],
                "1 of 2 tasks · 1 skipped",
                Some("1 of 2 tasks skipped"),
            ),
        ] {
            let counts = counts(statuses);
            assert_eq!(counts.words(), words);
            assert_eq!(counts.not_completed().as_deref(), not_completed);
        }
    }

    #[test]
    fn what_waits_for_a_person_is_not_counted_as_failed() {
        use TaskStatus::{AwaitingApproval, AwaitingHuman, Blocked};
        let counts = counts(&[Blocked, AwaitingHuman, AwaitingApproval]);
        assert_eq!((counts.asking, counts.failed), (3, 0));
        assert_eq!(counts.words(), "0 of 3 tasks");
    }
}
