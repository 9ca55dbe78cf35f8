//! What events do to tasks: tries, results, failures, verdicts, returns.

use alloc::collections::BTreeSet;
use alloc::format;

use super::Applied;
use super::dependents::Moment;
use crate::machine::approval::Subject;
use crate::machine::queues::Queues;
use crate::machine::{CallPath, EffectState, Mission, Stage, TakenOver, TaskState, TaskStatus};
use crate::{
    AfterAssessment, AfterFailure, AfterVerdict, Amounts, Charge, EffectClass, EffectNumber, Event,
    Millis, Payload, TaskIndex, TaskKey, Timestamp, ToolCall, Usage, WorkSpec,
};

impl Mission {
    pub(super) fn apply_to_task(&mut self, at: Timestamp, event: &Event) -> Applied {
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
                self.finish_work(at, task, output, *usage)?;
                self.complete(at, task)
            }
            Event::TaskHeld {
                task,
                output,
                usage,
            } => {
                let task = self.find(task)?;
                self.finish_work(at, task, output, *usage)?;
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
                self.settle(at, task, *usage);
                self.tasks[task.index()].failure = Some(failure.clone());
                self.after_failure(at, task, then)
            }
            Event::TaskRequeued { task } => {
                let task = self.find(task)?;
                self.expect(task, &[TaskStatus::Blocked])?;
                self.settle_in_full(at, task);
                self.update(task, |state| {
                    (state.tries, state.way, state.started_at) = (0, CallPath::First, None);
                    (state.failure, state.checkpoint) = (None, None);
                    state.status = TaskStatus::Ready;
                });
                Ok(())
            }
            Event::TaskSkipped { task, .. } => {
                use TaskStatus::{Blocked, Waiting};
                let task = self.find(task)?;
                self.expect(task, &[Waiting, Blocked])?;
                self.settle_in_full(at, task);
                self.end_task(at, task, TaskStatus::Skipped);
                Ok(())
            }
            Event::GateJudged {
                task, usage, then, ..
            } => {
                let task = self.find(task)?;
                self.expect(task, &[TaskStatus::Running])?;
                self.settle(at, task, *usage);
                self.after_verdict(at, task, *then)
            }
            Event::TasksReturned { tasks, reason } => self.return_tasks(at, tasks, reason),
            Event::StepTaken { task, taken } => {
                let task = self.find(task)?;
                // Blocked if its call was in doubt, and a person said that it was made; awaiting approval if one said no.
                use TaskStatus::{AwaitingApproval, Blocked, Running};
                self.expect(task, &[Running, Blocked, AwaitingApproval])?;
                self.settle(at, task, taken.usage);
                let taken = (**taken).clone();
                self.update(task, |state| {
                    state.steps.push(taken);
                    (state.tries, state.call_allowed, state.checkpoint) = (0, None, None);
                    state.status = TaskStatus::Ready;
                });
                Ok(())
            }
            Event::ConfidenceAssessed {
                task,
                assessment,
                then,
            } => {
                let task = self.find(task)?;
                self.tasks[task.index()].assessed = Some(*assessment);
                if *then == AfterAssessment::Ask {
                    self.expect(task, &[TaskStatus::Ready])?;
                    self.move_task(task, TaskStatus::Blocked);
                }
                Ok(())
            }
            Event::ToolCallApproved { task, call } => {
                let task = self.find(task)?;
                self.expect(task, &[TaskStatus::AwaitingApproval, TaskStatus::Blocked])?;
                self.approve(task, call.clone());
                Ok(())
            }
            _ => Err("not an event of a task".into()),
        }
    }

    /// Records what a person allowed: what they were asked about, or the call as they changed it.
    fn approve(&mut self, task: TaskIndex, mut call: Option<ToolCall>) {
        let state = &self.tasks[task.index()];
        let chosen = state.next_call(self.spec(task));
        let asked = state.checkpoint.and_then(|number| {
            let asked = &self.checkpoints.get(number.index())?.checkpoint;
            asked.call.as_ref().map(|call| call.hash.clone())
        });
        let agents = self.approval_hash_of(task, Subject::Agents);
        let is_agents = asked.as_ref() == Some(&agents);
        let changes = call.is_some();
        self.update(task, |state| {
            if let Some(chosen) = chosen.filter(|_| !is_agents) {
                let allowed = call.take().unwrap_or(chosen);
                state.call_allowed = Some((state.steps.len() as u16, allowed));
            }
            state.checkpoint = None;
            if call.is_some() {
                state.changed_call = call;
            }
            if state.status == TaskStatus::AwaitingApproval {
                state.status = TaskStatus::Ready;
            }
        });
        let given = match asked {
            Some(asked) if is_agents || !changes => asked,
            // Also for journals from before questions said what an approval is bound to.
            _ => self.approval_hash_of(task, Subject::Call),
        };
        let approved = &mut self.tasks[task.index()].approved;
        if !approved.contains(&given) {
            approved.push(given);
        }
    }

    fn start_task(
        &mut self,
        at: Timestamp,
        key: &TaskKey,
        effect: Option<EffectNumber>,
        attempt: u16,
        reserved: Usage,
    ) -> Applied {
        let task = self.find(key)?;
        self.expect_stage(self.stage == Stage::Executing)?;
        self.expect(task, &[TaskStatus::Ready, TaskStatus::Delayed])?;
        let facts = match &self.spec(task).work {
            WorkSpec::Human(_) => None,
            WorkSpec::Gate(_) => Some((EffectClass::Pure, Millis::ZERO)),
            WorkSpec::Mission(_) => Some((EffectClass::Idempotent, Millis::ZERO)),
            WorkSpec::Tool(_) | WorkSpec::Agent(_) => {
                let callee = self.tasks[task.index()].callee(self.spec(task));
                let facts = callee.and_then(|callee| self.tools().get(&callee));
                let facts =
                    facts.ok_or_else(|| format!("the tool that `{key}` calls is unknown"))?;
                Some((facts.class, facts.time_limit))
            }
        };
        let status = match (facts, effect) {
            (None, None) => TaskStatus::AwaitingHuman,
            (Some((class, time_limit)), Some(number)) if number == self.effects_issued => {
                let state = EffectState {
                    task,
                    class,
                    reserved,
                    reserved_at: at,
                    time_limit,
                    started: false,
                    in_doubt: false,
                    not_before: None,
                    undoes: false,
                };
                self.effects.insert(number, state);
                self.effects_issued = self.effects_issued.next();
                self.queues.performing += 1;
                self.reserved = self.reserved.plus(reserved);
                self.turns += 1;
                let past_soft = self.soft_cap_passed || self.degraded;
                self.charge(
                    task,
                    Charge {
                        reserve: Amounts::of_call(reserved, time_limit),
                        past_soft,
                        ..Charge::at(at)
                    },
                );
                TaskStatus::Running
            }
            _ => return Err(format!("task `{key}` does not match its effect")),
        };
        let begins = self.tasks[task.index()].begun_at.is_none();
        self.update(task, |state| {
            state.status = status;
            state.attempt = attempt;
            state.tries = state.tries.saturating_add(1);
            state.turns += u64::from(effect.is_some());
            state.effect = effect;
            state.begun_at.get_or_insert(at);
            state.inherited = false;
            state.started_at.get_or_insert(at);
        });
        if begins {
            self.meet_dependents(at, task, Moment::Start);
        }
        Ok(())
    }

    /// Records a result and settles what it cost.
    fn finish_work(
        &mut self,
        at: Timestamp,
        task: TaskIndex,
        output: &Payload,
        usage: Usage,
    ) -> Applied {
        use TaskStatus::{AwaitingHuman, Blocked, Running};
        self.expect(task, &[Running, AwaitingHuman, Blocked])?;
        self.settle(at, task, usage);
        self.tasks[task.index()].output = Some(output.clone());
        Ok(())
    }

    fn complete(&mut self, at: Timestamp, task: TaskIndex) -> Applied {
        self.end_task(at, task, TaskStatus::Completed);
        Ok(())
    }

    pub(super) fn end_task(&mut self, at: Timestamp, task: TaskIndex, status: TaskStatus) {
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

    fn after_failure(&mut self, at: Timestamp, task: TaskIndex, then: &AfterFailure) -> Applied {
        use TaskStatus::{Delayed, Ready, Running};
        self.expect(task, &[Running, Ready, Delayed])?;
        match then {
            AfterFailure::Retry { at } => self.update(task, |state| {
                state.start_not_before = *at;
                state.status = Delayed;
            }),
            AfterFailure::Alternative => self.update(task, |state| {
                (state.way, state.tries) = (CallPath::Alternative, 0);
                state.changed_call = None;
                state.status = Ready;
            }),
            AfterFailure::Upward { to } => {
                let above = self.plan().agents.iter().find(|agent| agent.id == *to);
                let level = above
                    .ok_or_else(|| format!("there is no agent `{to}`"))?
                    .level;
                let by = to.clone();
                self.update(task, |state| {
                    state.taken_over = Some(TakenOver { by, level });
                    (state.tries, state.changed_call, state.call_allowed) = (0, None, None);
                    state.steps.clear();
                    state.status = Ready;
                });
            }
            AfterFailure::Escalate => self.move_task(task, TaskStatus::Blocked),
            AfterFailure::GiveUp => self.end_task(at, task, self.given_up()),
        }
        Ok(())
    }

    fn after_verdict(&mut self, at: Timestamp, task: TaskIndex, then: AfterVerdict) -> Applied {
        match then {
            AfterVerdict::Pass => self.end_task(at, task, TaskStatus::Completed),
            AfterVerdict::Return => {
                self.update(task, |state| {
                    state.returns = state.returns.saturating_add(1);
                    state.status = TaskStatus::Ready;
                });
            }
            AfterVerdict::Escalate => self.move_task(task, TaskStatus::Blocked),
            AfterVerdict::GiveUp => self.end_task(at, task, self.given_up()),
        }
        Ok(())
    }

    /// How a task ends that is not tried again: one that only a stopping mission cut off from its other
    /// tries and from a human's answer has not failed, and starts over if the work is sent back.
    fn given_up(&self) -> TaskStatus {
        if self.stage == Stage::Executing {
            TaskStatus::Failed
        } else {
            TaskStatus::Stopped
        }
    }

    /// Puts tasks back as if they had not run. What depends on them waits again.
    fn return_tasks(&mut self, at: Timestamp, keys: &[TaskKey], reason: &str) -> Applied {
        let mut again = BTreeSet::new();
        for key in keys {
            again.insert(self.find(key)?);
        }
        for &task in &again {
            let old = &self.tasks[task.index()];
            if old.effect.is_some() {
                return Err(format!("task `{}` is running", self.spec(task).key));
            }
            let fresh = TaskState {
                status: TaskStatus::Waiting,
                ..TaskState::new(self.spec(task))
            };
            let (attempt, used, turns, returns) = (old.attempt, old.used, old.turns, old.returns);
            let (soft_cap_passed, mut guidance) = (old.soft_cap_passed, old.guidance.clone());
            guidance.push(reason.into());
            self.tasks[task.index()] = TaskState {
                guidance,
                soft_cap_passed,
                attempt,
                used,
                turns,
                returns,
                ..fresh
            };
        }
        self.recount_dependencies(at, &again);
        self.layers_passed = again
            .iter()
            .map(|&task| self.graph.layer(task))
            .min()
            .map_or(self.layers_passed, |layer| layer.min(self.layers_passed));
        if self.stage == Stage::Synthesizing {
            self.revisions = self.revisions.saturating_add(1);
            self.stop_reason = None;
            self.stage = Stage::Executing;
        }
        self.queues = Queues::of(self);
        Ok(())
    }
}
