//! Law 4: what a try may cost is reserved before it starts, or it does not start.
//!
//! **Invariant:** Money, tokens and turns are reserved in the event that starts an effect. If the reservation does not
//! fit a hard cap, the effect does not start.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{CallPath, Mission};
use crate::{
    AccountRefusal, AfterFailure, CapKind, Caps, Event, Failure, FailureKind, MicroUsd, Millis,
    OnSoftCap, Resource, SoftCaps, TaskIndex, TaskKey, Timestamp, Usage,
};

impl Mission {
    pub(super) fn begin_effect(
        &self,
        now: Timestamp,
        task: TaskIndex,
        reserve: Usage,
    ) -> Vec<Event> {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        if let Some((cap, owner, reason)) = self.over_hard(task, reserve) {
            let failure = Failure {
                kind: FailureKind::CapReached,
                message: reason.clone(),
            };
            let mut events = vec![Event::CapReached {
                task: owner,
                cap,
                reason,
            }];
            events.extend(self.failed(now, task, failure, Usage::NONE));
            return events;
        }
        if let Some((whose, why)) = self.over_soft(now, task, reserve) {
            return match self.plan().on_soft_cap {
                OnSoftCap::Ask => vec![self.build_soft_cap_checkpoint(now, whose, &why)],
                OnSoftCap::Degrade => vec![Event::Degraded { reason: why }],
            };
        }
        let mut events = self.agents_to_start(task);
        events.push(Event::TaskStarted {
            task: spec.key.clone(),
            effect: Some(self.effects_issued),
            attempt: state.attempt.saturating_add(1),
            reserved: reserve,
        });
        events
    }

    /// The hard cap that one more try would pass, and whose it is: the task's, the mission's or an account's.
    fn over_hard(
        &self,
        task: TaskIndex,
        reserve: Usage,
    ) -> Option<(Caps, Option<TaskKey>, String)> {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let key = &spec.key;
        let in_all = self.used.plus(self.reserved).plus(reserve);
        if let Some((cap, what)) = exceeded(&self.plan().caps, in_all, self.turns + 1) {
            let reason = format!("task `{key}` would exceed the mission's limit on {what}");
            return Some((cap, None, reason));
        }
        if let Some((cap, what)) = exceeded(&spec.caps, state.used.plus(reserve), state.turns + 1) {
            let reason = format!("task `{key}` would exceed its own limit on {what}");
            return Some((cap, Some(key.clone()), reason));
        }
        if let Some((agent, cap)) = self.lifetime_over(task, reserve) {
            let reason = format!("task `{key}` would exceed the total limit of agent `{agent}`");
            let cap = Caps {
                tokens: Some(cap),
                ..Caps::default()
            };
            return Some((cap, Some(key.clone()), reason));
        }
        let refusal = self.refusal_of(task)?;
        (refusal.kind == CapKind::Hard).then(|| {
            let reason = format!("task `{key}` would cost more than is left: {refusal}");
            (refused_cap(refusal), None, reason)
        })
    }

    /// Why a person should agree before one more try is begun, and to what: the task's spending or the mission's.
    fn over_soft(
        &self,
        now: Timestamp,
        task: TaskIndex,
        reserve: Usage,
    ) -> Option<(Option<TaskKey>, String)> {
        if self.degraded {
            return None;
        }
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let (plan, key) = (&self.plan().soft_caps, &spec.key);
        if !state.soft_cap_passed {
            let whose = || Some(key.clone());
            let per_turn = |caps: &SoftCaps| over_per_turn(caps, reserve);
            if let Some(mark) = per_turn(&spec.soft_caps).or_else(|| per_turn(plan)) {
                return Some((whose(), format!("One attempt may cost more than {mark}")));
            }
            let took = state
                .started_at
                .map_or(Millis::ZERO, |from| now.since(from));
            let used = state.used.plus(reserve);
            if let Some(mark) = over_mark(&spec.soft_caps, used, state.turns + 1, took) {
                return Some((whose(), format!("It reaches its soft limit of {mark}")));
            }
        }
        if self.soft_cap_passed {
            return None;
        }
        let took = self
            .executing_since
            .map_or(Millis::ZERO, |from| now.since(from));
        let in_all = self.used.plus(self.reserved).plus(reserve);
        if let Some(mark) = over_mark(plan, in_all, self.turns + 1, took) {
            return Some((
                None,
                format!("The mission reaches its soft limit of {mark}"),
            ));
        }
        let refusal = self.refusal_of(task)?;
        (refusal.kind == CapKind::Soft).then(|| (None, format!("{refusal}")))
    }

    /// Past a soft cap, a task that declares an alternative does not try its first way.
    pub(super) fn takes_cheaper_way(&self, task: TaskIndex) -> bool {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        self.degraded
            && state.way == CallPath::First
            && state.tries == 0
            && spec.alternative.is_some()
    }

    pub(super) fn take_cheaper_way(&self, task: TaskIndex) -> Vec<Event> {
        let message =
            String::from("the soft limit is reached, so the alternative is used directly");
        vec![Event::AttemptFailed {
            task: self.spec(task).key.clone(),
            failure: Failure {
                kind: FailureKind::CapReached,
                message,
            },
            usage: Usage::NONE,
            then: AfterFailure::Alternative,
        }]
    }
}

/// The cap that `usage` and `turns` would pass, if any, and what it is on.
pub(super) fn exceeded(caps: &Caps, usage: Usage, turns: u64) -> Option<(Caps, &'static str)> {
    let none = Caps::default();
    if let Some(cap) = caps.money.filter(|cap| usage.money > *cap) {
        let money = Some(cap);
        return Some((Caps { money, ..none }, "money"));
    }
    if let Some(cap) = caps.tokens.filter(|cap| usage.tokens > *cap) {
        let tokens = Some(cap);
        return Some((Caps { tokens, ..none }, "tokens"));
    }
    let turns = Some(caps.turns.filter(|cap| turns > *cap)?);
    Some((Caps { turns, ..none }, "turns"))
}

fn refused_cap(refusal: &AccountRefusal) -> Caps {
    let none = Caps::default();
    match refusal.resource {
        Resource::Money => Caps {
            money: Some(MicroUsd(refusal.cap)),
            ..none
        },
        Resource::Tokens => Caps {
            tokens: Some(refusal.cap),
            ..none
        },
        Resource::Calls => Caps {
            turns: Some(refusal.cap),
            ..none
        },
        Resource::WallTime => Caps {
            wall_time: Some(Millis(refusal.cap)),
            ..none
        },
    }
}

fn over_per_turn(caps: &SoftCaps, reserve: Usage) -> Option<String> {
    if let Some(mark) = caps.money_per_turn.filter(|mark| reserve.money > *mark) {
        return Some(Resource::Money.tell(mark.0));
    }
    let mark = caps.tokens_per_turn.filter(|mark| reserve.tokens > *mark)?;
    Some(Resource::Tokens.tell(mark))
}

fn over_mark(caps: &SoftCaps, usage: Usage, turns: u64, took: Millis) -> Option<String> {
    if let Some(mark) = caps.money.filter(|mark| usage.money > *mark) {
        return Some(Resource::Money.tell(mark.0));
    }
    if let Some(mark) = caps.tokens.filter(|mark| usage.tokens > *mark) {
        return Some(Resource::Tokens.tell(mark));
    }
    if let Some(mark) = caps.turns.filter(|mark| turns > *mark) {
        return Some(Resource::Calls.tell(mark));
    }
    let mark = caps.wall_time.filter(|mark| took > *mark)?;
    Some(Resource::WallTime.tell(mark.0))
}
