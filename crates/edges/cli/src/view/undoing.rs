//! How far a mission is with undoing what it did.

use adjutant_mission::{Mission, TaskState, TaskStatus, ToolId};

/// A mission that was aborted with the wish to undo, and has not ended yet.
#[derive(Debug)]
pub(crate) struct Undoing<'a> {
    /// Undone, or given up.
    pub(crate) settled: usize,
    pub(crate) total: usize,
    /// What the call that is due needs.
    tool: Option<&'a ToolId>,
}

impl<'a> Undoing<'a> {
    pub(crate) fn of(mission: &'a Mission) -> Option<Self> {
        if mission.ending().is_some() {
            return None;
        }
        let (mut settled, mut total, mut tool) = (0, 0, None);
        for (key, _) in mission.undo_report() {
            let Some((task, state)) = mission.task(key.as_str()) else {
                continue;
            };
            let Some(undo) = task.undo.as_ref().filter(|_| is_to_undo(state)) else {
                continue;
            };
            total += 1;
            if is_settled(state) {
                settled += 1;
            } else if is_under_way(state) {
                tool = Some(&undo.tool);
            }
        }
        (total > 0).then_some(Self {
            settled,
            total,
            tool,
        })
    }

    pub(crate) fn words(&self) -> String {
        format!("undoing {} of {}", self.settled, self.total)
    }

    pub(crate) fn needs(&self, tool: &ToolId) -> bool {
        self.tool == Some(tool)
    }
}

/// What the mission that this one was forked from did is not its own to undo.
fn is_to_undo(state: &TaskState) -> bool {
    let done = matches!(state.status, TaskStatus::Completed | TaskStatus::Held);
    state.undo.is_some() || (done && !state.is_inherited())
}

fn is_settled(state: &TaskState) -> bool {
    state.undo.as_ref().is_some_and(|undo| undo.settled)
}

fn is_under_way(state: &TaskState) -> bool {
    state.undo.is_some() && state.effect.is_some()
}

/// What became of a task's deed when its mission was undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Deed {
    Stands,
    BeingUndone,
    Undone,
    NotUndone { why: String },
}

impl Deed {
    pub(crate) fn of(state: &TaskState) -> Self {
        match &state.undo {
            None => Self::Stands,
            Some(undo) if !undo.settled => Self::BeingUndone,
            Some(undo) => match &undo.failure {
                None => Self::Undone,
                Some(failure) => Self::NotUndone {
                    why: failure.message.clone(),
                },
            },
        }
    }
}
