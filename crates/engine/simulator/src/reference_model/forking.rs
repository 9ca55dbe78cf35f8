//! What a fork takes over from the mission it was forked from, and what not.

use std::rc::Rc;

use adjutant_mission::{EffectClass, EffectNumber, ForkChange, Timestamp, ToolId, Usage, WorkSpec};

use super::{ReferenceModel, Scene};

/// What the origin had used when it was forked: no account of the fork's is charged with it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ForkSeen {
    pub(crate) used: Usage,
    pub(crate) turns: u64,
}

impl ReferenceModel {
    /// Time stood still between the last inherited event and the fork. What was under way is nobody's here: sent and
    /// to happen only once, it is in doubt; anything else was never begun.
    pub(super) fn fold_fork(&mut self, left_at: Timestamp, now: Timestamp, changes: &[ForkChange]) {
        let gap = now.since(left_at);
        self.paused = false;
        self.executing_since = self.executing_since.map(|since| since.plus(gap));
        for seen in self.checkpoints.iter_mut().filter(|seen| seen.open) {
            seen.claim = None;
            let checkpoint = Rc::make_mut(&mut seen.checkpoint);
            checkpoint.deadline = checkpoint.deadline.plus(gap);
        }
        let numbers = EffectNumber::all(self.effects.len());
        for (number, effect) in numbers.zip(&mut self.effects) {
            if std::mem::replace(&mut effect.closed, true) {
                continue;
            }
            let task = &mut self.tasks[effect.task];
            task.effect = None;
            if (effect.started && !effect.asks) || effect.in_doubt {
                task.doubt = Some(number);
                continue;
            }
            task.attempt -= 1;
            task.tries -= 1;
            task.turns -= 1;
            self.turns -= 1;
        }
        self.reserved = Usage::NONE;
        let once: Vec<bool> = (0..self.tasks.len())
            .map(|at| self.may_be_once(at))
            .collect();
        let chosen_once: Vec<bool> = (0..self.tasks.len())
            .map(|at| self.chosen(at).is_some_and(|call| self.is_once(&call.tool)))
            .collect();
        let once = once.into_iter().zip(chosen_once);
        for (task, (once, chosen_once)) in self.tasks.iter_mut().zip(once) {
            task.inherited |= task.finished.or(task.held).is_some() || task.doubt.is_some();
            if task.finished.is_some() || task.lost {
                continue;
            }
            if once {
                task.approved.clear();
            }
            if chosen_once {
                task.thoughts.allowed = None;
            }
            task.clock = task.clock.map(|clock| clock.plus(gap));
            task.retry_at = task
                .retry_at
                .filter(|at| *at > left_at)
                .map(|at| at.plus(gap));
        }
        self.forked = Some(ForkSeen {
            used: self.used,
            turns: self.turns,
        });
        for change in changes {
            self.fold_change(change);
        }
    }

    fn fold_change(&mut self, change: &ForkChange) {
        let ForkChange::Model { model, tools } = change else {
            return;
        };
        let mut start = self.scene.start.clone();
        let known = tools.iter().map(|(id, facts)| (id.clone(), *facts));
        start.tools.extend(known);
        for (task, seen) in start.plan.tasks.iter_mut().zip(&self.tasks) {
            let over = seen.finished.is_some() || seen.held.is_some() || seen.lost;
            if let WorkSpec::Agent(agent) = &mut task.work
                && !over
            {
                agent.model = Some(model.clone());
            }
        }
        let routes = |model: &Self| -> Vec<Option<ToolId>> {
            let tasks = 0..model.tasks.len();
            tasks.map(|at| model.route(at)).collect()
        };
        let before = routes(self);
        self.scene = Rc::new(Scene::new(start));
        let now = routes(self);
        for ((seen, before), now) in self.tasks.iter_mut().zip(before).zip(now) {
            if seen.changed.is_some() && seen.changed == before {
                seen.changed = now;
            }
        }
    }

    fn may_be_once(&self, at: usize) -> bool {
        let spec = self.scene.spec(at);
        let first = match &spec.work {
            WorkSpec::Tool(call) => Some(&call.tool),
            _ => None,
        };
        let second = spec.alternative.as_ref().map(|call| &call.tool);
        first
            .into_iter()
            .chain(second)
            .any(|tool| self.is_once(tool))
    }

    pub(crate) fn is_once(&self, tool: &ToolId) -> bool {
        let facts = self.scene.start.tools.get(tool);
        facts.is_none_or(|facts| facts.class == EffectClass::Once)
    }
}
