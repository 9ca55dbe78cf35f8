//! What events do to effects, and the accounts that open and close with them.

use alloc::format;
use alloc::vec::Vec;

use super::Applied;
use crate::machine::{Mission, Stage, TaskStatus};
use crate::{Amounts, Charge, Event, TaskIndex, Timestamp, Usage};

impl Mission {
    pub(super) fn apply_to_effect(&mut self, at: Timestamp, event: &Event) -> Applied {
        let number = match event {
            Event::EffectStarted { effect }
            | Event::EffectDeferred { effect, .. }
            | Event::EffectInDoubt { effect, .. }
            | Event::EffectLost { effect }
            | Event::EffectAbandoned { effect, .. } => *effect,
            _ => return Err("not an event of an effect".into()),
        };
        let effect = self
            .effects
            .get_mut(&number)
            .filter(|effect| !effect.in_doubt)
            .ok_or_else(|| format!("effect {number} is not outstanding"))?;
        let task = effect.task;
        match event {
            Event::EffectStarted { .. } if effect.started => {
                return Err(format!("effect {number} was already started"));
            }
            Event::EffectStarted { .. } => effect.started = true,
            Event::EffectDeferred { until, .. } => {
                (effect.started, effect.not_before) = (false, Some(*until));
            }
            Event::EffectInDoubt { .. } => {
                effect.in_doubt = true;
                self.queues.performing -= 1;
                self.move_task(task, TaskStatus::Blocked);
            }
            Event::EffectLost { .. } if !effect.is_sent_paid() => {
                return Err(format!("effect {number} cannot be lost"));
            }
            Event::EffectLost { .. } => {
                self.settle_in_full(at, task);
                self.update(task, |state| {
                    // Nothing was tried in vain but the host.
                    state.tries = state.tries.saturating_sub(1);
                    state.status = TaskStatus::Ready;
                });
            }
            _ => {
                match effect.is_unsent_question() {
                    true => self.settle(at, task, Usage::NONE),
                    false => self.settle_in_full(at, task),
                }
                self.end_task(at, task, TaskStatus::Stopped);
            }
        }
        Ok(())
    }

    /// Closes the task's effect: gives its reservation back and books what was really used.
    pub(super) fn settle(&mut self, at: Timestamp, task: TaskIndex, usage: Usage) {
        let undoes = self.stage == Stage::Undoing;
        if !undoes
            && usage.tokens > 0
            && let Some(agent) = self.doer(task).cloned()
        {
            let run = self.agents.entry(agent).or_default();
            run.tokens = run.tokens.saturating_add(usage.tokens);
        }
        let state = &mut self.tasks[task.index()];
        if !undoes {
            // What a task costs to undo is the mission's affair: its own cap was for doing it.
            state.used = state.used.plus(usage);
        }
        self.used = self.used.plus(usage);
        if let Some(effect) = state
            .effect
            .take()
            .and_then(|number| self.effects.remove(&number))
        {
            self.reserved = self.reserved.minus(effect.reserved);
            let took = at.since(effect.reserved_at).min(effect.time_limit);
            self.charge(
                task,
                Charge {
                    release: Amounts::of_call(effect.reserved, effect.time_limit),
                    spend: Amounts::of_call(usage, took),
                    ..Charge::at(effect.reserved_at)
                },
            );
            if !effect.in_doubt {
                self.queues.performing -= 1;
            }
        }
    }

    /// Closes an effect whose cost is not known, if there is one: at all that was reserved for it.
    pub(super) fn settle_in_full(&mut self, at: Timestamp, task: TaskIndex) {
        let number = self.tasks[task.index()].effect;
        if let Some(effect) = number.and_then(|number| self.effects.get(&number)) {
            let reserved = effect.reserved;
            self.settle(at, task, reserved);
        }
    }

    /// The mission ends, and what became of these will not be known: they count as done.
    pub(super) fn settle_doubts(&mut self, at: Timestamp) {
        let open: Vec<TaskIndex> = self.effects.values().map(|effect| effect.task).collect();
        for task in open {
            self.settle_in_full(at, task);
            if self.undo {
                self.change_undo(task, |undo| undo.settled = true);
            }
        }
    }

    pub(super) fn charge(&mut self, task: TaskIndex, charge: Charge) {
        let charge = self.own_charge(charge);
        if let Some(charges) = &mut self.charges {
            charges.push((task, charge));
        }
    }
}
