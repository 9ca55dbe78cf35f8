//! What events do when a mission is undone.

use alloc::format;

use super::Applied;
use crate::machine::undo::UndoState;
use crate::machine::{EffectState, Mission, Stage};
use crate::{
    AfterFailure, Amounts, Charge, EffectNumber, Event, TaskIndex, TaskKey, Timestamp, Usage,
};

impl Mission {
    pub(super) fn apply_undo(&mut self, at: Timestamp, event: &Event) -> Applied {
        self.expect_stage(self.stage == Stage::Undoing)?;
        match event {
            Event::UndoStarted {
                task,
                effect,
                attempt,
                reserved,
            } => self.start_undo(at, task, *effect, *attempt, *reserved),
            Event::Undone { task, usage } => {
                let task = self.find(task)?;
                self.settle(at, task, *usage);
                self.change_undo(task, |undo| undo.settled = true);
                Ok(())
            }
            Event::UndoFailed {
                task,
                failure,
                usage,
                then,
            } => {
                let task = self.find(task)?;
                self.settle(at, task, *usage);
                let failure = failure.clone();
                self.change_undo(task, |undo| {
                    undo.failure = Some(failure);
                    match then {
                        AfterFailure::Retry { at } => undo.not_before = *at,
                        _ => undo.settled = true,
                    }
                });
                Ok(())
            }
            _ => Err("not an event of undoing".into()),
        }
    }

    fn start_undo(
        &mut self,
        at: Timestamp,
        key: &TaskKey,
        number: EffectNumber,
        attempt: u16,
        reserved: Usage,
    ) -> Applied {
        let task = self.find(key)?;
        let unfit = || format!("undoing `{key}` does not match the state of the task");
        if self.next_to_undo() != Some(task) || number != self.effects_issued {
            return Err(unfit());
        }
        let tool = &self.spec(task).undo.as_ref().ok_or_else(unfit)?.tool;
        let facts = self.tools().get(tool).ok_or_else(unfit)?;
        let (class, time_limit) = (facts.class, facts.time_limit);
        let state = EffectState {
            task,
            class,
            reserved,
            reserved_at: at,
            time_limit,
            started: false,
            in_doubt: false,
            not_before: None,
            undoes: true,
        };
        self.effects.insert(number, state);
        self.effects_issued = self.effects_issued.next();
        self.queues.performing += 1;
        self.reserved = self.reserved.plus(reserved);
        self.turns += 1;
        self.charge(
            task,
            Charge {
                reserve: Amounts::of_call(reserved, time_limit),
                past_soft: true,
                ..Charge::at(at)
            },
        );
        self.tasks[task.index()].effect = Some(number);
        self.change_undo(task, |undo| {
            (undo.tries, undo.failure) = (attempt, None);
        });
        Ok(())
    }

    pub(super) fn change_undo(&mut self, task: TaskIndex, change: impl FnOnce(&mut UndoState)) {
        let at = self.updated_at;
        let state = &mut self.tasks[task.index()];
        change(state.undo.get_or_insert(UndoState {
            tries: 0,
            settled: false,
            not_before: at,
            failure: None,
        }));
    }
}
