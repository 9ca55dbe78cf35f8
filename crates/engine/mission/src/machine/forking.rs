//! What forking does to a mission's state, and what it makes a person decide.
//!
//! **Invariant:** In a fork, whatever may happen only once needs a person's approval each time. No waiver covers it
//! and an approval given in the origin does not count, because it may have happened there; an effect that was sent
//! without a result is asked about.
//!
//! **Invariant:** Who approved a plan, or waived questions in advance, did so for its inputs and its models. Where
//! somebody else changes them in a fork, the plan is asked about anew; of the waivers, only those of whoever forked it
//! count.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::decide::renumber_checkpoints;
use super::queues::Queues;
use super::{Closed, Mission, Revised, Stage, Step, TaskState, TaskStatus};
use crate::{
    Actor, Asks, CheckpointType, EffectClass, Event, ForkChange, ForkRefused, Forked, Json,
    MissionId, ModelId, ReplanTrigger, Task, Timestamp, ToolId, Usage, Verdict, WorkSpec,
};

const SENT_BEFORE: &str =
    "the mission it was forked from had sent it and did not have its result yet";

impl Mission {
    /// Where it was forked from, if it was; the last time, if it was more than once.
    pub fn forked(&self) -> Option<&Forked> {
        self.forked.as_ref()
    }

    /// Nothing but its end is left, or not even that.
    pub(crate) fn is_ending(&self) -> bool {
        self.is_winding_down() || matches!(self.stage, Stage::Ended(_))
    }

    /// Whether every task that waits for a person has its question open: between steps it has.
    pub(crate) fn asks_for_all(&self) -> bool {
        let asked = self.open_checkpoints().filter(|state| {
            let task = state.checkpoint.asks.task();
            let task = task.and_then(|key| self.task(key.as_str()));
            task.is_some_and(|(_, task)| {
                task.checkpoint == Some(state.checkpoint.number) && task.status.waits_for_person()
            })
        });
        asked.count() as u32 == self.queues.asking + self.queues.blocked
    }

    /// Whether the origin had sent it, and nobody has said what became of it: it is no effect of this mission's.
    pub(super) fn was_sent_before_fork(&self, state: &TaskState) -> bool {
        let asked = state
            .checkpoint
            .and_then(|number| self.checkpoints.get(number.index()));
        let asks = asked.map(|asked| &asked.checkpoint.asks);
        state.status == TaskStatus::Blocked && matches!(asks, Some(Asks::SettleInDoubt { .. }))
    }

    /// Goes its own way from here.
    pub(crate) fn decide_fork(
        &self,
        now: Timestamp,
        by: &Actor,
        of: MissionId,
        changes: &[ForkChange],
    ) -> Result<Step, ForkRefused> {
        let revised = self.changed_plan(changes)?;
        let mut events = vec![Event::MissionForked {
            of,
            at: self.seq,
            changes: changes.to_vec(),
        }];
        let sent = self
            .effects
            .iter()
            .filter(|(_, of)| of.is_sent_once() && !of.in_doubt);
        events.extend(sent.map(|(&number, effect)| {
            self.build_doubt_checkpoint(now, effect.task, number, SENT_BEFORE)
        }));
        let runs = self.stage == Stage::Executing && self.asks_plan.is_none();
        if revised.is_some() && runs && !self.agreed_to_plan(by) {
            let trigger = ReplanTrigger::HumanIntervention;
            let what = changed_in_words(changes);
            events.push(self.build_change_checkpoint(now, trigger, None, &what));
        }
        renumber_checkpoints(self.next_checkpoint(), &mut events);
        Ok(events.into())
    }

    /// Whether they approved the plan, or waived that they be asked, and may.
    fn agreed_to_plan(&self, by: &Actor) -> bool {
        let kind = CheckpointType::PlanApproval;
        let waived = self.waiver(kind);
        let mut asked = self.checkpoints.iter();
        let approved = asked.any(|asked| match &asked.closed {
            Some(Closed::Decided { by: who, decision }) => {
                asked.checkpoint.asks == Asks::ApprovePlan
                    && decision.verdict == Verdict::Approve
                    && who.id == by.id
            }
            _ => false,
        });
        waived.is_some_and(|waived| by.acts_for(&waived))
            || (approved
                && !self.needs_another(kind, &by.id)
                && self.may_change_approved_plan(by).is_ok())
    }

    /// The plan with what was changed; nothing if none of it was.
    fn changed_plan(&self, changes: &[ForkChange]) -> Result<Option<Revised>, ForkRefused> {
        let mut revised = None;
        for change in changes {
            let before = || Revised {
                plan: self.plan().clone(),
                tools: self.tools().clone(),
            };
            match change {
                ForkChange::Decision { .. } => {}
                ForkChange::Input { name, value } => {
                    change_input(revised.get_or_insert_with(before), name, value)?;
                }
                ForkChange::Model { model, tools } => {
                    let revised = revised.get_or_insert_with(before);
                    revised
                        .tools
                        .extend(tools.iter().map(|(id, facts)| (id.clone(), *facts)));
                    self.change_model(revised, model)?;
                }
            }
        }
        Ok(revised)
    }

    /// Lets every agent that has not answered ask this model.
    fn change_model(&self, revised: &mut Revised, model: &ModelId) -> Result<(), ForkRefused> {
        let mut asks = false;
        for (task, state) in revised.plan.tasks.iter_mut().zip(&self.tasks) {
            let WorkSpec::Agent(agent) = &mut task.work else {
                continue;
            };
            if state.status.is_ended() || state.output.is_some() {
                continue;
            }
            asks = true;
            agent.model = Some(model.clone());
            // Whoever took it over asks that model, too.
            let routes = [agent.route(), state.asked(agent).route()];
            if !routes.iter().all(|route| revised.tools.contains_key(route)) {
                let model = model.clone();
                return Err(ForkRefused::ModelUnknown { model });
            }
        }
        asks.then_some(()).ok_or(ForkRefused::NobodyAsks)
    }

    /// Folds a fork. Time has stood still between the last inherited event and now, and what was under way is
    /// nobody's here: what was not sent, or may be sent again, is as if it had not been begun, what was sent and may happen only once waits
    /// for a person. Nothing is charged to the accounts for what the origin spent or holds.
    pub(super) fn fork(
        &mut self,
        now: Timestamp,
        of: MissionId,
        at: u64,
        changes: &[ForkChange],
    ) -> Result<(), String> {
        if at != self.seq {
            return Err(format!("a fork at event {} was expected", self.seq));
        }
        self.expect_stage(!self.is_ending())?;
        let (left_at, gap) = (self.updated_at, now.since(self.updated_at));
        let revised = self
            .changed_plan(changes)
            .map_err(|error| error.to_string())?;
        self.changed_by_fork |= revised.is_some();
        if let Some(revised) = revised {
            let before = self.routes();
            self.revised = Some(Box::new(revised));
            // A question that a person changed goes where its agent asks now.
            let routes = before.into_iter().zip(self.routes());
            for (task, route) in self.tasks.iter_mut().zip(routes) {
                if let (Some(call), (Some(before), Some(now))) = (&mut task.changed_call, route)
                    && call.tool == before
                {
                    call.tool = now;
                }
            }
        }
        self.pause = None;
        self.executing_since = self.executing_since.map(|since| since.plus(gap));
        for number in &self.queues.open {
            let state = &mut self.checkpoints[number.index()];
            state.claim = None;
            state.checkpoint.deadline = state.checkpoint.deadline.plus(gap);
        }
        for effect in core::mem::take(&mut self.effects).into_values() {
            let task = &mut self.tasks[effect.task.index()];
            task.effect = None;
            if effect.is_sent_once() || effect.in_doubt {
                task.status = TaskStatus::Blocked;
                task.inherited = true;
                continue;
            }
            task.status = TaskStatus::Ready;
            task.attempt = task.attempt.saturating_sub(1);
            task.tries = task.tries.saturating_sub(1);
            task.turns = task.turns.saturating_sub(1);
            self.turns = self.turns.saturating_sub(1);
        }
        self.reserved = Usage::NONE;
        let once: Vec<(bool, bool)> = self
            .tasks()
            .map(|(spec, task)| (self.may_call_once(spec), self.chose_once(task)))
            .collect();
        for (task, (once, chose_once)) in self.tasks.iter_mut().zip(once) {
            task.inherited |= matches!(task.status, TaskStatus::Completed | TaskStatus::Held);
            if task.status.is_ended() {
                continue;
            }
            if once {
                task.approved.clear();
            }
            task.call_allowed = task.call_allowed.take().filter(|_| !chose_once);
            task.started_at = task.started_at.map(|started| started.plus(gap));
            for not_before in [&mut task.start_not_before, &mut task.finish_not_before] {
                if *not_before > left_at {
                    *not_before = not_before.plus(gap);
                }
            }
        }
        self.forked = Some(Forked {
            of,
            at,
            left_at,
            since: now,
            used: self.used,
            turns: self.turns,
        });
        self.queues = Queues::of(self);
        Ok(())
    }

    /// For each task the way its question to a model takes, if it asks one.
    fn routes(&self) -> Vec<Option<ToolId>> {
        let route = |(spec, task): (&Task, &TaskState)| match &spec.work {
            WorkSpec::Agent(agent) => Some(task.asked(agent).route()),
            _ => None,
        };
        self.tasks().map(route).collect()
    }

    /// Whether one of its ways may happen only once.
    fn may_call_once(&self, spec: &Task) -> bool {
        let first = match &spec.work {
            WorkSpec::Tool(call) => Some(call),
            _ => None,
        };
        let mut ways = first.into_iter().chain(&spec.alternative);
        ways.any(|call| self.is_once(&call.tool))
    }

    /// Whether the call that its agent chose, and that a person allowed the origin, may happen only once.
    fn chose_once(&self, task: &TaskState) -> bool {
        let allowed = task.call_allowed.as_ref();
        allowed.is_some_and(|(_, call)| self.is_once(&call.tool))
    }

    fn is_once(&self, tool: &ToolId) -> bool {
        let class = self.tools().get(tool).map(|facts| facts.class);
        !matches!(
            class,
            Some(EffectClass::Pure | EffectClass::Idempotent | EffectClass::Paid)
        )
    }
}

/// What a fork makes different, for whoever is asked about the plan.
fn changed_in_words(changes: &[ForkChange]) -> String {
    let told: Vec<String> = changes
        .iter()
        .filter_map(|change| match change {
            ForkChange::Decision { .. } => None,
            ForkChange::Input { name, value } => {
                Some(format!("input `{name}` is now {}", value.text()))
            }
            ForkChange::Model { model, .. } => Some(format!("agents now ask `{model}`")),
        })
        .collect();
    format!(
        "The plan was approved before this fork changed it: {}.",
        told.join("; ")
    )
}

fn change_input(revised: &mut Revised, name: &str, value: &Json) -> Result<(), ForkRefused> {
    let before = revised.plan.inputs.take().unwrap_or_else(Json::null);
    let Some(changed) = before.with_field(name, value) else {
        let known = before.fields().join(", ");
        let known = match known.as_str() {
            "" => "it has none".to_string(),
            known => format!("it has {known}"),
        };
        let name = name.to_string();
        return Err(ForkRefused::InputUnknown { name, known });
    };
    revised.plan.inputs = Some(changed);
    Ok(())
}
