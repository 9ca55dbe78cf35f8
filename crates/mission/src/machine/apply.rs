//! Folding: what each event does to the state. An event that cannot follow is refused, so that a
//! journal someone altered, or a machine that misbehaved, is noticed and not built upon.

use alloc::format;
use alloc::string::String;

use super::queues::{Due, Queues};
use super::{
    CheckpointState, Closed, CorruptJournal, EffectState, Information, Mission, Stage, TaskStatus,
    Way,
};
use crate::{
    Actor, AfterFailure, AfterVerdict, Asks, Cause, Checkpoint, Claim, DependencyKind, EffectClass,
    Event, Payload, Recorded, TaskKey, Timestamp, Usage, WorkSpec,
};

type Applied = Result<(), String>;

impl Mission {
    /// Folds one event into the state. On error the state is unusable and must be dropped.
    pub fn apply(&mut self, recorded: &Recorded) -> Result<(), CorruptJournal> {
        let corrupt = |why| CorruptJournal {
            seq: recorded.seq,
            why,
        };
        if recorded.seq != self.seq + 1 {
            return Err(corrupt(format!("event {} was expected", self.seq + 1)));
        }
        if matches!(self.stage, Stage::Ended(_)) {
            return Err(corrupt("the mission had ended".into()));
        }
        self.apply_event(recorded).map_err(corrupt)?;
        self.seq = recorded.seq;
        self.updated_at = recorded.at;
        if let Some(Cause::Command(id)) = recorded.cause {
            self.commands.insert(id);
        }
        Ok(())
    }

    fn apply_event(&mut self, recorded: &Recorded) -> Applied {
        let at = recorded.at;
        match &recorded.event {
            Event::MissionOpened(_) => Err("a mission opens once".into()),
            Event::ExecutionStarted {} => {
                self.executing_since = Some(at);
                self.enter_stage(Stage::Executing)
            }
            Event::MissionPaused { .. } => {
                self.paused = true;
                Ok(())
            }
            Event::MissionResumed {} => {
                self.paused = false;
                Ok(())
            }
            Event::LayerPassed { layer } => {
                self.layers_passed = layer + 1;
                Ok(())
            }
            Event::StopRequested { into, reason } => {
                self.stop_reason = Some(reason.clone());
                self.enter_stage(Stage::Stopping(*into))
            }
            Event::SynthesisStarted {} => self.enter_stage(Stage::Synthesizing),
            Event::MissionEnded(ending) => self.enter_stage(Stage::Ended(ending.clone())),
            Event::Informed { topic, trust, body } => {
                let (topic, trust, body) = (topic.clone(), *trust, body.clone());
                self.information.push(Information { topic, trust, body });
                Ok(())
            }
            Event::CapReached { .. } | Event::CheckpointWaived(_) => Ok(()),
            Event::TaskStarted { .. }
            | Event::TaskCompleted { .. }
            | Event::TaskHeld { .. }
            | Event::TaskReleased { .. }
            | Event::AttemptFailed { .. }
            | Event::TaskRequeued { .. }
            | Event::TaskSkipped { .. }
            | Event::GateJudged { .. }
            | Event::TasksReturned { .. }
            | Event::ToolCallApproved { .. } => self.apply_to_task(at, &recorded.event),
            Event::EffectStarted { .. }
            | Event::EffectDeferred { .. }
            | Event::EffectInDoubt { .. }
            | Event::EffectAbandoned { .. } => self.apply_to_effect(at, &recorded.event),
            Event::CheckpointOpened(checkpoint) => self.open_checkpoint(at, checkpoint),
            Event::CheckpointClaimed { .. }
            | Event::CheckpointReleased { .. }
            | Event::CheckpointGuided { .. }
            | Event::CheckpointDecided { .. }
            | Event::CheckpointExpired { .. }
            | Event::CheckpointWithdrawn { .. } => {
                self.apply_to_checkpoint(at, recorded.actor.as_ref(), &recorded.event)
            }
        }
    }

    /// A stage changes a handful of times in a mission's life, so its indexes are simply made anew.
    fn enter_stage(&mut self, stage: Stage) -> Applied {
        self.stage = stage;
        self.queues = Queues::of(self);
        Ok(())
    }

    fn apply_to_task(&mut self, at: Timestamp, event: &Event) -> Applied {
        match event {
            Event::TaskStarted {
                task,
                effect,
                attempt,
                reserved,
            } => self.start_task(at, task, *effect, *attempt, *reserved),
            Event::TaskCompleted {
                task,
                output,
                usage,
            } => {
                let task = self.find(task)?;
                self.finish_work(task, output, *usage)?;
                self.complete(at, task)
            }
            Event::TaskHeld {
                task,
                output,
                usage,
            } => {
                let task = self.find(task)?;
                self.finish_work(task, output, *usage)?;
                self.move_task(task, TaskStatus::Held);
                Ok(())
            }
            Event::TaskReleased { task } => {
                let task = self.find(task)?;
                self.expect(task, &[TaskStatus::Held])?;
                self.complete(at, task)
            }
            Event::AttemptFailed {
                task,
                failure,
                usage,
                then,
            } => {
                let task = self.find(task)?;
                self.settle(task, *usage);
                self.tasks[task as usize].failure = Some(failure.clone());
                self.after_failure(at, task, then)
            }
            Event::TaskRequeued { task } => {
                let task = self.find(task)?;
                self.expect(task, &[TaskStatus::Blocked])?;
                self.settle_in_full(task);
                self.update(task, |state| {
                    (state.tries, state.way, state.started_at) = (0, Way::First, None);
                    (state.failure, state.status) = (None, TaskStatus::Ready);
                });
                Ok(())
            }
            Event::TaskSkipped { task, .. } => {
                let task = self.find(task)?;
                self.settle_in_full(task);
                self.end_task(at, task, TaskStatus::Skipped);
                Ok(())
            }
            Event::GateJudged {
                task, usage, then, ..
            } => {
                let task = self.find(task)?;
                self.expect(task, &[TaskStatus::Running])?;
                self.settle(task, *usage);
                self.after_verdict(at, task, *then)
            }
            Event::TasksReturned { tasks, .. } => self.return_tasks(at, tasks),
            Event::ToolCallApproved { task, call } => {
                let task = self.find(task)?;
                self.expect(task, &[TaskStatus::AwaitingApproval, TaskStatus::Blocked])?;
                let call = call.clone();
                self.update(task, |state| {
                    state.approved = true;
                    if call.is_some() {
                        state.changed_call = call;
                    }
                    if state.status == TaskStatus::AwaitingApproval {
                        state.status = TaskStatus::Ready;
                    }
                });
                Ok(())
            }
            _ => Err("not an event of a task".into()),
        }
    }

    fn start_task(
        &mut self,
        at: Timestamp,
        key: &TaskKey,
        effect: Option<u32>,
        attempt: u16,
        reserved: Usage,
    ) -> Applied {
        let task = self.find(key)?;
        self.expect(task, &[TaskStatus::Ready, TaskStatus::Delayed])?;
        let class = match &self.spec(task).work {
            WorkSpec::Human(_) => None,
            WorkSpec::Gate(_) => Some(EffectClass::Pure),
            WorkSpec::Tool(call) => {
                let tool = &self.tasks[task as usize].call(self.spec(task), call).tool;
                let facts = self
                    .opened
                    .tools
                    .get(tool)
                    .ok_or_else(|| format!("no tool `{tool}`"))?;
                Some(facts.class)
            }
        };
        let status = match (class, effect) {
            (None, None) => TaskStatus::AwaitingHuman,
            (Some(class), Some(number)) if number == self.effects_issued => {
                let state = EffectState {
                    task,
                    class,
                    reserved,
                    started: false,
                    in_doubt: false,
                    not_before: None,
                };
                self.effects.insert(number, state);
                self.effects_issued += 1;
                self.queues.performing += 1;
                self.reserved = self.reserved.plus(reserved);
                self.turns += 1;
                TaskStatus::Running
            }
            _ => return Err(format!("task `{key}` does not fit its effect")),
        };
        let first_start = self.tasks[task as usize].begun_at.is_none();
        self.update(task, |state| {
            state.status = status;
            state.attempt = attempt;
            state.tries += 1;
            state.turns += u64::from(effect.is_some());
            state.effect = effect;
            state.started_at.get_or_insert(at);
            state.begun_at.get_or_insert(at);
        });
        if first_start {
            self.meet_dependents(at, task, Moment::Start);
        }
        Ok(())
    }

    /// Records a result and settles what it cost.
    fn finish_work(&mut self, task: u32, output: &Payload, usage: Usage) -> Applied {
        use TaskStatus::{AwaitingHuman, Blocked, Running};
        self.expect(task, &[Running, AwaitingHuman, Blocked])?;
        self.settle(task, usage);
        self.tasks[task as usize].output = Some(output.clone());
        Ok(())
    }

    fn complete(&mut self, at: Timestamp, task: u32) -> Applied {
        self.end_task(at, task, TaskStatus::Completed);
        Ok(())
    }

    fn end_task(&mut self, at: Timestamp, task: u32, status: TaskStatus) {
        self.update(task, |state| {
            state.status = status;
            state.ended_at = Some(at);
            state.checkpoint = None;
        });
        match status {
            TaskStatus::Completed => self.meet_dependents(at, task, Moment::Finish),
            _ => self.doom_dependents(task),
        }
    }

    fn after_failure(&mut self, at: Timestamp, task: u32, then: &AfterFailure) -> Applied {
        use TaskStatus::{Delayed, Ready, Running};
        self.expect(task, &[Running, Ready, Delayed])?;
        match then {
            AfterFailure::Retry { at } => self.update(task, |state| {
                state.start_not_before = *at;
                state.status = Delayed;
            }),
            AfterFailure::Alternative => self.update(task, |state| {
                (state.way, state.tries) = (Way::Alternative, 0);
                (state.approved, state.changed_call) = (false, None);
                state.status = Ready;
            }),
            AfterFailure::Escalate => self.move_task(task, TaskStatus::Blocked),
            AfterFailure::GiveUp => self.end_task(at, task, TaskStatus::Failed),
        }
        Ok(())
    }

    fn after_verdict(&mut self, at: Timestamp, task: u32, then: AfterVerdict) -> Applied {
        match then {
            AfterVerdict::Pass => self.end_task(at, task, TaskStatus::Completed),
            AfterVerdict::Return => {
                self.update(task, |state| {
                    state.returns += 1;
                    state.status = TaskStatus::Ready;
                });
            }
            AfterVerdict::Escalate => self.move_task(task, TaskStatus::Blocked),
            AfterVerdict::GiveUp => self.end_task(at, task, TaskStatus::Failed),
        }
        Ok(())
    }

    /// Puts tasks back as if they had not run. What depends on them waits again.
    fn return_tasks(&mut self, at: Timestamp, keys: &[TaskKey]) -> Applied {
        let mut again = alloc::collections::BTreeSet::new();
        for key in keys {
            again.insert(self.find(key)?);
        }
        for &task in &again {
            let old = &self.tasks[task as usize];
            if old.effect.is_some() {
                return Err(format!("task `{}` is under way", self.spec(task).key));
            }
            let fresh = super::TaskState {
                status: TaskStatus::Waiting,
                ..super::TaskState::new(self.spec(task))
            };
            let (attempt, used, turns, returns) = (old.attempt, old.used, old.turns, old.returns);
            self.tasks[task as usize] = super::TaskState {
                attempt,
                used,
                turns,
                returns,
                ..fresh
            };
        }
        if self.stage == Stage::Synthesizing {
            self.take_up_stranded();
        }
        self.recount_dependencies(at, &again);
        self.layers_passed = again
            .iter()
            .map(|&task| self.graph.layer(task))
            .min()
            .map_or(self.layers_passed, |layer| layer.min(self.layers_passed));
        if self.stage == Stage::Synthesizing {
            self.revisions += 1;
            self.stop_reason = None;
            self.stage = Stage::Executing;
        }
        self.queues = Queues::of(self);
        Ok(())
    }

    /// Tasks that were dropped, or whose question was withdrawn, when the mission stopped are to be started,
    /// and asked about, anew.
    fn take_up_stranded(&mut self) {
        use TaskStatus::{AwaitingApproval, AwaitingHuman, Blocked, Stopped};
        for state in &mut self.tasks {
            if matches!(state.status, Blocked | Stopped) {
                (state.tries, state.way, state.started_at) = (0, Way::First, None);
                (state.failure, state.ended_at) = (None, None);
            }
            if matches!(
                state.status,
                AwaitingApproval | AwaitingHuman | Blocked | Stopped
            ) {
                (state.status, state.checkpoint) = (TaskStatus::Ready, None);
            }
        }
    }

    /// Brings unmet counts in line with what has happened, for the returned tasks and what follows them.
    fn recount_dependencies(&mut self, at: Timestamp, again: &alloc::collections::BTreeSet<u32>) {
        for task in 0..self.tasks.len() as u32 {
            let state = &self.tasks[task as usize];
            let may_differ = state.status == TaskStatus::Waiting
                || (self.stage == Stage::Synthesizing && !state.status.is_ended());
            if !again.contains(&task) && !may_differ {
                continue;
            }
            let (mut start_unmet, mut finish_unmet, mut doomed) = (0, 0, false);
            let mut start_not_before = state.start_not_before;
            let mut finish_not_before = state.finish_not_before;
            for dependency in &self.spec(task).after {
                let Some(on) = self.graph.find(dependency.task.as_str()) else {
                    continue;
                };
                let on = &self.tasks[on as usize];
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
            let state = &mut self.tasks[task as usize];
            (state.start_unmet, state.finish_unmet) = (start_unmet, finish_unmet);
            (state.start_not_before, state.finish_not_before) =
                (start_not_before, finish_not_before);
            state.doomed = doomed;
            if again.contains(&task) && start_unmet == 0 {
                state.status = if start_not_before > at {
                    TaskStatus::Delayed
                } else {
                    TaskStatus::Ready
                };
            }
        }
    }

    fn apply_to_effect(&mut self, at: Timestamp, event: &Event) -> Applied {
        let number = match event {
            Event::EffectStarted { effect }
            | Event::EffectDeferred { effect, .. }
            | Event::EffectInDoubt { effect, .. }
            | Event::EffectAbandoned { effect, .. } => *effect,
            _ => return Err("not an event of an effect".into()),
        };
        let missing = || format!("effect {number} is not outstanding");
        let effect = self.effects.get_mut(&number).ok_or_else(missing)?;
        let task = effect.task;
        match event {
            Event::EffectStarted { .. } => effect.started = true,
            Event::EffectDeferred { until, .. } => {
                (effect.started, effect.not_before) = (false, Some(*until));
            }
            Event::EffectInDoubt { .. } => {
                effect.in_doubt = true;
                self.queues.performing -= 1;
                self.move_task(task, TaskStatus::Blocked);
            }
            _ => {
                self.settle(task, Usage::NONE);
                self.end_task(at, task, TaskStatus::Stopped);
            }
        }
        Ok(())
    }

    fn open_checkpoint(&mut self, at: Timestamp, checkpoint: &Checkpoint) -> Applied {
        if checkpoint.number as usize != self.checkpoints.len() {
            return Err(format!(
                "checkpoint {} was expected",
                self.checkpoints.len()
            ));
        }
        if let Some(key) = checkpoint.asks.task() {
            let task = self.find(key)?;
            self.tasks[task as usize].checkpoint = Some(checkpoint.number);
            if matches!(checkpoint.asks, Asks::ApproveTool { .. }) {
                self.expect(task, &[TaskStatus::Ready, TaskStatus::Delayed])?;
                self.move_task(task, TaskStatus::AwaitingApproval);
            }
        }
        self.checkpoints.push(CheckpointState {
            checkpoint: checkpoint.clone().into(),
            opened_at: at,
            claim: None,
            guidance: alloc::vec::Vec::new(),
            closed: None,
        });
        self.queues.open.insert(checkpoint.number);
        self.queues.due.insert((
            checkpoint.deadline,
            Due::CheckpointDeadline(checkpoint.number),
        ));
        Ok(())
    }

    fn apply_to_checkpoint(
        &mut self,
        at: Timestamp,
        actor: Option<&Actor>,
        event: &Event,
    ) -> Applied {
        let (number, closed) = match event {
            Event::CheckpointClaimed { checkpoint }
            | Event::CheckpointReleased { checkpoint }
            | Event::CheckpointGuided { checkpoint, .. } => (*checkpoint, None),
            Event::CheckpointDecided {
                checkpoint,
                decision,
            } => {
                let by = actor
                    .cloned()
                    .ok_or("a decision needs someone who decided")?;
                (
                    *checkpoint,
                    Some(Closed::Decided {
                        by,
                        decision: decision.clone(),
                    }),
                )
            }
            Event::CheckpointExpired { checkpoint } => (*checkpoint, Some(Closed::Expired)),
            Event::CheckpointWithdrawn { checkpoint, reason } => (
                *checkpoint,
                Some(Closed::Withdrawn {
                    reason: reason.clone(),
                }),
            ),
            _ => return Err("not an event of a checkpoint".into()),
        };
        if !self.queues.open.contains(&number) {
            return Err(format!("checkpoint {number} is not open"));
        }
        let state = &mut self.checkpoints[number as usize];
        match event {
            Event::CheckpointClaimed { .. } => {
                let by = actor.cloned().ok_or("a claim needs someone who claims")?;
                state.claim = Some(Claim { by, at });
            }
            Event::CheckpointReleased { .. } => state.claim = None,
            Event::CheckpointGuided { note, .. } => state.guidance.push(note.clone()),
            _ => {
                state.closed = closed;
                let deadline = state.checkpoint.deadline;
                self.queues.open.remove(&number);
                self.queues
                    .due
                    .remove(&(deadline, Due::CheckpointDeadline(number)));
            }
        }
        Ok(())
    }

    fn find(&self, key: &TaskKey) -> Result<u32, String> {
        self.graph
            .find(key.as_str())
            .ok_or_else(|| format!("there is no task `{key}`"))
    }

    fn expect(&self, task: u32, allowed: &[TaskStatus]) -> Applied {
        let status = self.tasks[task as usize].status;
        if allowed.contains(&status) {
            return Ok(());
        }
        Err(format!(
            "task `{}` was {}",
            self.spec(task).key,
            status.name()
        ))
    }

    /// Changes a task and keeps the indexes in step.
    fn update(&mut self, task: u32, change: impl FnOnce(&mut super::TaskState)) {
        let mut queues = core::mem::take(&mut self.queues);
        queues.leave(self, task);
        change(&mut self.tasks[task as usize]);
        queues.enter(self, task);
        self.queues = queues;
    }

    fn move_task(&mut self, task: u32, status: TaskStatus) {
        self.update(task, |state| state.status = status);
    }

    /// Closes the task's effect: gives its reservation back and books what was really used.
    fn settle(&mut self, task: u32, usage: Usage) {
        let state = &mut self.tasks[task as usize];
        state.used = state.used.plus(usage);
        self.used = self.used.plus(usage);
        if let Some(effect) = state
            .effect
            .take()
            .and_then(|number| self.effects.remove(&number))
        {
            self.reserved = self.reserved.minus(effect.reserved);
            if !effect.in_doubt {
                self.queues.performing -= 1;
            }
        }
    }

    /// Closes an effect whose cost is not known, if there is one: at all that was reserved for it.
    fn settle_in_full(&mut self, task: u32) {
        let number = self.tasks[task as usize].effect;
        if let Some(effect) = number.and_then(|number| self.effects.get(&number)) {
            let reserved = effect.reserved;
            self.settle(task, reserved);
        }
    }

    fn meet_dependents(&mut self, at: Timestamp, task: u32, moment: Moment) {
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
    fn doom_dependents(&mut self, task: u32) {
        let never_started = self.tasks[task as usize].begun_at.is_none();
        for n in 0..self.graph.dependents(task).len() {
            let dependent = self.graph.dependents(task)[n];
            match dependent.kind {
                DependencyKind::StartToStart | DependencyKind::StartToFinish if !never_started => {}
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
}

#[derive(Clone, Copy)]
enum Moment {
    Start,
    Finish,
}
