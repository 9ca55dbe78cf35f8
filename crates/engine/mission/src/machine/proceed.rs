//! What follows by itself: deadlines that passed, tasks that may start, stages that are over.
//! One thing at a time; the caller applies it and asks again until nothing follows.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::checkpoint_answers::stop;
use super::queues::Due;
use super::{Mission, Stage, Step};
use crate::plan::{Lineage, OutsideText};
use crate::{
    Approval, Barrier, Caps, CheckpointType, Decision, Delivery, EffectClass, Ending, EndingPhase,
    Event, Failure, FailureKind, Human, Provenance, Stop, Strategy, Task, TaskIndex, Timestamp,
    ToolCall, ToolFacts, Usage, Verdict, Waived, WorkSpec,
};

/// What somebody must allow before a task is begun.
pub(super) struct RequiredApproval<'a> {
    pub(super) kind: CheckpointType,
    /// No waiver gives it.
    by_person: bool,
    /// What may happen only once, or goes to any host, would be done with this.
    pub(super) outside_text: Option<OutsideText<'a>>,
}

impl Mission {
    pub(super) fn decide_proceed(&self, now: Timestamp) -> Step {
        if let Some(&(at, due)) = self.queues.due.first()
            && at <= now
            && !matches!(self.stage, Stage::Ended(_))
        {
            return self.overdue(now, due).into();
        }
        let events = match &self.stage {
            Stage::Planning if self.is_paused() => Vec::new(),
            Stage::Planning => self.proceed_planning(now),
            Stage::Executing => self.proceed_executing(now),
            Stage::Stopping(into) => self.proceed_stopping(*into),
            Stage::Undoing => self.proceed_undoing(now),
            Stage::Synthesizing if self.is_paused() => Vec::new(),
            Stage::Synthesizing => self.proceed_synthesizing(now),
            Stage::Ended(_) => Vec::new(),
        };
        events.into()
    }

    fn overdue(&self, now: Timestamp, due: Due) -> Vec<Event> {
        match due {
            Due::CheckpointDeadline(number) => {
                let Some(state) = self.checkpoints.get(number.index()) else {
                    return Vec::new();
                };
                let mut events = vec![Event::CheckpointExpired { checkpoint: number }];
                if !matches!(self.stage, Stage::Stopping(_)) {
                    events.extend(self.refusal(&state.checkpoint, "not answered in time", ""));
                }
                events
            }
            Due::MissionWallTime => {
                let cap = Caps {
                    wall_time: self.plan().caps.wall_time,
                    ..Caps::default()
                };
                let reason = String::from("the mission's wall time is used up");
                let reached = Event::CapReached {
                    task: None,
                    cap,
                    reason: reason.clone(),
                };
                vec![reached, stop(Stop::Fail, reason)]
            }
            Due::TaskWallTime(task) => self.task_time_up(now, task),
        }
    }

    fn task_time_up(&self, now: Timestamp, task: TaskIndex) -> Vec<Event> {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let cap = Caps {
            wall_time: spec.caps.wall_time,
            ..Caps::default()
        };
        let reason = format!("task `{}` has used up its wall time", spec.key);
        let mut events = vec![Event::CapReached {
            task: Some(spec.key.clone()),
            cap,
            reason: reason.clone(),
        }];
        let sent = state
            .effect
            .and_then(|number| self.effects.get(&number).map(|effect| (number, effect)))
            .filter(|(_, effect)| effect.started);
        match sent {
            Some((number, effect)) if effect.is_sent_once() => {
                events.extend(self.doubt(
                    now,
                    number,
                    effect,
                    "its time ran out before its result arrived",
                ));
            }
            sent => {
                let failure = Failure {
                    kind: FailureKind::CapReached,
                    message: reason,
                };
                let spent = sent.map_or(Usage::NONE, |(_, effect)| effect.reserved);
                events.extend(self.failed(now, task, failure, spent));
            }
        }
        events
    }

    fn proceed_planning(&self, now: Timestamp) -> Vec<Event> {
        if !self.queues.open.is_empty() {
            return Vec::new();
        }
        if self.is_light() {
            // It was approved with the plan that it is part of.
            return vec![Event::ExecutionStarted {}];
        }
        match self.waive(CheckpointType::PlanApproval, None) {
            Some(waived) => vec![waived, Event::ExecutionStarted {}],
            None => vec![self.build_plan_checkpoint(now)],
        }
    }

    fn proceed_executing(&self, now: Timestamp) -> Vec<Event> {
        if let Some(&task) = self.queues.doomed.first() {
            let reason = String::from("a task it depends on was not done");
            return vec![Event::TaskSkipped {
                task: self.spec(task).key.clone(),
                reason,
            }];
        }
        if let Some(&(at, task)) = self.queues.releasable.first()
            && at <= now
        {
            return vec![Event::TaskReleased {
                task: self.spec(task).key.clone(),
            }];
        }
        if self.queues.ended == self.tasks.len() as u32 {
            return match self.queues.completed {
                _ if self.is_paused() => Vec::new(),
                0 => vec![stop(Stop::Fail, "no task was completed".into())],
                _ => vec![Event::SynthesisStarted {}],
            };
        }
        if !self.may_start() {
            return Vec::new();
        }
        if let Some(task) = self.next_to_start(now) {
            return self.begin_task(now, task);
        }
        self.pass_layer(now)
    }

    /// The first task that may start now: within the concurrency limit, its resources free, its layer open.
    fn next_to_start(&self, now: Timestamp) -> Option<TaskIndex> {
        if !self.has_slot() {
            return None;
        }
        if let Some((at, task)) = self.next_in_sequence() {
            return (at <= now).then_some(task);
        }
        if let Some((at, task)) = self.next_delayed()
            && at <= now
        {
            return Some(task);
        }
        self.queues
            .ready
            .iter()
            .map(|&(_, _, task)| task)
            .take_while(|&task| self.layer_open(task))
            .find(|&task| self.resources_free(task))
    }

    /// When the first delayed task may start that nothing but time holds back.
    pub(super) fn next_timed_start(&self) -> Option<Timestamp> {
        let may_start = self.may_start() && self.has_slot();
        let next = || self.next_in_sequence().or_else(|| self.next_delayed());
        may_start.then(next)?.map(|(at, _)| at)
    }

    /// In a sequence, a task that will be tried again keeps its place.
    fn next_in_sequence(&self) -> Option<(Timestamp, TaskIndex)> {
        let retrying = |task: TaskIndex| self.tasks[task.index()].tries > 0;
        let mut delayed = self.queues.delayed.iter().copied();
        match self.plan().strategy {
            Strategy::Sequential => delayed.find(|&(_, task)| retrying(task)),
            Strategy::ContinueOnBlock | Strategy::ParallelSafe => None,
        }
    }

    fn next_delayed(&self) -> Option<(Timestamp, TaskIndex)> {
        let free = |task| self.layer_open(task) && self.resources_free(task);
        let mut delayed = self.queues.delayed.iter().copied();
        delayed.find(|&(_, task)| free(task))
    }

    fn has_slot(&self) -> bool {
        let plan = self.plan();
        match plan.strategy {
            Strategy::Sequential => self.queues.performing + self.queues.asking == 0,
            Strategy::ContinueOnBlock | Strategy::ParallelSafe => {
                self.queues.performing < u32::from(plan.concurrency)
            }
        }
    }

    fn resources_free(&self, task: TaskIndex) -> bool {
        let mut resources = self.spec(task).resources.iter();
        resources.all(|resource| !self.queues.resources.contains_key(resource))
    }

    fn layer_open(&self, task: TaskIndex) -> bool {
        self.plan().barrier == Barrier::None || self.graph.layer(task) <= self.layers_passed
    }

    fn begin_task(&self, now: Timestamp, task: TaskIndex) -> Vec<Event> {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        match &spec.work {
            WorkSpec::Human(human) => self.begin_question(now, task, human),
            WorkSpec::Gate(_) => self.begin_effect(now, task, Usage::NONE),
            WorkSpec::Mission(sub) => {
                let due = spec.caps.wall_time.zip(state.started_at);
                if due.is_some_and(|(cap, since)| since.plus(cap) <= now) {
                    return self.task_time_up(now, task);
                }
                self.begin_if_allowed(now, task, sub.allowance(&spec.caps))
            }
            WorkSpec::Tool(_) | WorkSpec::Agent(_) if self.takes_cheaper_way(task) => {
                self.take_cheaper_way(task)
            }
            WorkSpec::Tool(_) | WorkSpec::Agent(_) => {
                let callee = state.callee(spec);
                let facts = callee.and_then(|callee| self.tools().get(&callee));
                let price = facts.map_or(Usage::NONE, |facts| Usage {
                    money: facts.price,
                    tokens: facts.tokens,
                });
                self.begin_if_allowed(now, task, price)
            }
        }
    }

    /// Starts a task that a person may have to allow first.
    fn begin_if_allowed(&self, now: Timestamp, task: TaskIndex, reserve: Usage) -> Vec<Event> {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let is_allowed = match state.next_call(spec) {
            Some(_) => state.is_call_allowed(),
            None => state.approved,
        };
        if is_allowed {
            return self.begin_effect(now, task, reserve);
        }
        let Some(approval) = self.required_approval(task) else {
            return self.begin_effect(now, task, reserve);
        };
        let waiver = self
            .waive(approval.kind, Some(spec))
            .filter(|_| !approval.by_person);
        let Some(waived) = waiver else {
            return vec![self.build_tool_checkpoint(now, task, &approval)];
        };
        let mut events = vec![waived];
        events.extend(self.begin_effect(now, task, reserve));
        events
    }

    /// The approval that the present call path of a task needs, if it needs any.
    fn required_approval(&self, task: TaskIndex) -> Option<RequiredApproval<'_>> {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let starts_agent = match &spec.work {
            WorkSpec::Mission(_) => true,
            WorkSpec::Agent(_) => state.instead_of_asking(spec).is_none(),
            WorkSpec::Tool(_) | WorkSpec::Human(_) | WorkSpec::Gate(_) => false,
        };
        if let Some(call) = state.next_call(spec) {
            // A model chose it, out of texts from outside.
            let facts = self.tools().get(&call.tool);
            let once = facts.is_none_or(|facts| facts.class == EffectClass::Once);
            let tells = facts.is_some_and(|facts| facts.goes_anywhere(&call.with))
                && !self.lineage().says_own_words(&call.with);
            let kind = CheckpointType::ToolApproval;
            let by_person = once || tells;
            let needed = by_person || self.plan().autonomy.asks_for(kind);
            return needed.then_some(RequiredApproval {
                kind,
                by_person,
                outside_text: None,
            });
        }
        if starts_agent {
            let kind = CheckpointType::SubagentApproval;
            let asks = self.plan().autonomy.asks_for(kind);
            return asks.then_some(RequiredApproval {
                kind,
                by_person: false,
                outside_text: None,
            });
        }
        let callee = state.callee(spec)?;
        let facts = self.tools().get(&callee);
        let class = facts.map_or(EffectClass::Once, |facts| facts.class);
        let once = class == EffectClass::Once;
        // What a fork does may have been done by the mission it comes from.
        let again = self.forked().is_some() && once;
        // Whoever wrote the text must not be able to bring about what cannot be taken back, or to be told anything.
        let outside_text = self.outside_text_behind(task, facts);
        let by_person = again || outside_text.is_some();
        let needed = by_person || self.plan().needs_approval(spec, class);
        needed.then_some(RequiredApproval {
            kind: CheckpointType::ToolApproval,
            by_person: by_person || spec.approval == Approval::Always,
            outside_text,
        })
    }

    /// The text from outside that the arguments of a task's present call derive from, if that call is closed to it.
    fn outside_text_behind(
        &self,
        task: TaskIndex,
        facts: Option<&ToolFacts>,
    ) -> Option<OutsideText<'_>> {
        let call = self.tasks[task.index()].tool_call(self.spec(task))?;
        let is_closed = facts.is_none_or(|facts| facts.is_closed_to_outside_text(&call.with));
        let lineage = is_closed.then(|| self.lineage())?;
        lineage.outside_text_in(&call.with)
    }

    fn lineage<'a>(&'a self) -> Lineage<'a, impl Fn(TaskIndex) -> Option<&'a ToolCall>> {
        Lineage {
            plan: self.plan(),
            tools: self.tools(),
            graph: &self.graph,
            inputs: match self.opened.parent {
                Some(_) => Provenance::Outside,
                None => Provenance::Own,
            },
            changed: |task: TaskIndex| self.tasks[task.index()].changed_call.as_ref(),
        }
    }

    fn begin_question(&self, now: Timestamp, task: TaskIndex, human: &Human) -> Vec<Event> {
        let spec = self.spec(task);
        let attempt = self.tasks[task.index()].attempt.saturating_add(1);
        let key = spec.key.clone();
        let started = Event::TaskStarted {
            task: key,
            effect: None,
            attempt,
            reserved: Usage::NONE,
        };
        let waiver = self.waiver(human.kind).filter(|_| human.can_be_waived());
        let Some(by) = waiver else {
            return vec![started, self.build_task_checkpoint(now, task, human)];
        };
        let (option, task) = (human.recommend.clone(), Some(spec.key.clone()));
        let waived = Waived {
            checkpoint_type: human.kind,
            by: by.clone(),
            task,
            option: option.clone(),
        };
        let answer = Decision {
            option,
            ..Decision::new(Verdict::Approve)
        };
        let output = answer.output(&crate::Actor::human(by));
        let done = self.done(&spec.key, output, Usage::NONE);
        vec![started, Event::CheckpointWaived(waived), done]
    }

    fn pass_layer(&self, now: Timestamp) -> Vec<Event> {
        let layer = self.layers_passed;
        let left = self
            .queues
            .layer_left
            .get(layer.index())
            .copied()
            .unwrap_or(0);
        let is_last = layer.index() + 1 >= self.queues.layer_left.len();
        if left > 0 || is_last {
            return Vec::new();
        }
        match self.plan().barrier {
            Barrier::None => Vec::new(),
            Barrier::Wait => vec![Event::LayerPassed { layer }],
            Barrier::Ask if !self.queues.open.is_empty() => Vec::new(),
            Barrier::Ask => match self.waive(CheckpointType::CriticalDecision, None) {
                Some(waived) => vec![waived, Event::LayerPassed { layer }],
                None => vec![self.build_layer_checkpoint(now, layer)],
            },
        }
    }

    /// Winds down: open questions are withdrawn, what is safe to drop is dropped, and what was sent and
    /// may happen only once is waited for.
    fn proceed_stopping(&self, into: Stop) -> Vec<Event> {
        if let Some(&checkpoint) = self.queues.open.first() {
            let reason = String::from("the mission is stopping");
            return vec![Event::CheckpointWithdrawn { checkpoint, reason }];
        }
        let droppable = self.effects.iter().find(|(_, effect)| {
            let waited_for = effect.is_sent_once() || self.is_mission(effect.task);
            !waited_for && !effect.in_doubt
        });
        if let Some((&effect, _)) = droppable {
            let reason = String::from("the mission is stopping");
            return vec![Event::EffectAbandoned { effect, reason }];
        }
        if self.queues.performing > 0 {
            return Vec::new();
        }
        if self.undo && into == Stop::Cancel {
            return vec![Event::UndoBegan {}];
        }
        let reason = self.stop_reason.clone().unwrap_or_default();
        let delivery = if self.queues.completed > 0 {
            Delivery::Draft
        } else {
            Delivery::Nothing
        };
        let ending = match into {
            Stop::Synthesize if self.queues.completed > 0 => {
                return vec![Event::SynthesisStarted {}];
            }
            Stop::Fail => Ending {
                phase: EndingPhase::Failed,
                delivery,
                reason,
            },
            Stop::Synthesize | Stop::Cancel => Ending {
                phase: EndingPhase::Cancelled,
                delivery: Delivery::Nothing,
                reason,
            },
        };
        vec![Event::MissionEnded(ending)]
    }

    fn proceed_synthesizing(&self, now: Timestamp) -> Vec<Event> {
        if !self.queues.open.is_empty() {
            return Vec::new();
        }
        // A waiver was given for the whole result, not for what is left of one.
        let whole = self.stop_reason.is_none();
        if self.is_light() {
            let delivery = if whole {
                Delivery::Delivered
            } else {
                Delivery::Draft
            };
            return vec![Event::MissionEnded(Ending {
                phase: EndingPhase::Completed,
                delivery,
                reason: self.stop_reason.clone().unwrap_or_default(),
            })];
        }
        match self
            .waive(CheckpointType::FinalReview, None)
            .filter(|_| whole)
        {
            Some(waived) => {
                let (reason, delivery) = (String::new(), Delivery::Delivered);
                vec![
                    waived,
                    Event::MissionEnded(Ending {
                        phase: EndingPhase::Completed,
                        delivery,
                        reason,
                    }),
                ]
            }
            None => vec![self.build_review_checkpoint(now)],
        }
    }

    pub(super) fn waive(
        &self,
        checkpoint_type: CheckpointType,
        spec: Option<&Task>,
    ) -> Option<Event> {
        let by = self.waiver(checkpoint_type)?;
        let task = spec.map(|spec| spec.key.clone());
        Some(Event::CheckpointWaived(Waived {
            checkpoint_type,
            by,
            task,
            option: None,
        }))
    }
}
