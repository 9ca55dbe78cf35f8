//! Outcomes of effects, and the four levels of recovery when one is bad: the same again, the declared
//! alternative, another plan, a human. The last two are one question: who answers it may change the plan.
//!
//! **Invariant:** An outcome never books more than was reserved for it. So a cap that held at the start still holds at
//! the end.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::checkpoint_answers::stop;
use super::{CallPath, EffectState, Mission, Stage, Step};
use crate::{
    AfterFailure, AfterVerdict, EffectNumber, Event, Failure, FailureKind, GateVerdict, OnFailure,
    Outcome, Refused, Stop, Strategy, TaskIndex, TaskKey, Timestamp, Usage, WorkSpec,
};

impl Mission {
    pub(super) fn decide_outcome(
        &self,
        now: Timestamp,
        number: EffectNumber,
        outcome: &Outcome,
    ) -> Result<Step, Refused> {
        let not_outstanding = Refused::EffectNotOutstanding { effect: number };
        self.refuse_if_ended()
            .map_err(|_| not_outstanding.clone())?;
        let effect = self
            .effects
            .get(&number)
            .filter(|effect| !effect.in_doubt)
            .ok_or(not_outstanding)?;
        let spec = self.spec(effect.task);
        let is_gate = matches!(spec.work, WorkSpec::Gate(_));
        let unfit = |why| {
            Err(Refused::OutcomeUnfit {
                effect: number,
                why,
            })
        };
        let failed = |kind, message: &str| Failure {
            kind,
            message: message.into(),
        };
        let used = |usage: &Usage| usage.at_most(effect.reserved);
        if effect.undoes && !matches!(outcome, Outcome::Deferred { .. }) {
            return Ok(self.undo_outcome(now, number, effect, outcome)?.into());
        }
        let events = match outcome {
            // An outcome that arrives twice must not free an effect that was sent again meanwhile.
            Outcome::Deferred { until } if effect.not_before.is_some_and(|at| *until <= at) => {
                return unfit("it was already deferred until then");
            }
            Outcome::Done { .. } if is_gate => return unfit("a gate must return a verdict"),
            Outcome::Judged { .. } if !is_gate => return unfit("only a gate can return a verdict"),
            Outcome::Done {
                output,
                usage,
                remarks,
            } if let Some(step) = self.tasks[effect.task.index()].next_step(spec) => {
                self.step_done(now, effect, step, output, used(usage), remarks)
            }
            Outcome::Done {
                output,
                usage,
                remarks,
            } => {
                let mut events = vec![self.done(&spec.key, output.clone(), used(usage))];
                events.extend(self.remarked(now, &spec.key, remarks));
                events
            }
            Outcome::Judged {
                verdict,
                reason,
                usage,
            } => self.judged(now, effect.task, *verdict, reason, used(usage)),
            Outcome::Failed { failure, .. }
                if effect.is_sent_once() && failure.kind.leaves_in_doubt() =>
            {
                self.doubt(now, number, effect, &failure.message)
            }
            Outcome::Failed { failure, usage } => {
                self.failed(now, effect.task, failure.clone(), used(usage))
            }
            Outcome::Denied { reason } => self.failed(
                now,
                effect.task,
                failed(FailureKind::Denied, reason),
                Usage::NONE,
            ),
            Outcome::NeedsHuman { reason } => self.failed(
                now,
                effect.task,
                failed(FailureKind::NeedsHuman, reason),
                Usage::NONE,
            ),
            Outcome::Deferred { until } => vec![Event::EffectDeferred {
                effect: number,
                until: *until,
            }],
        };
        Ok(events.into())
    }

    /// A failed try of `task`, and what is done about it.
    pub(super) fn failed(
        &self,
        now: Timestamp,
        task: TaskIndex,
        failure: Failure,
        usage: Usage,
    ) -> Vec<Event> {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let key = spec.key.clone();
        let then = if self.stage != Stage::Executing {
            AfterFailure::GiveUp
        } else if failure.kind.is_retryable() && state.tries < spec.retry.attempts {
            AfterFailure::Retry {
                at: now.plus(spec.retry.wait_after(state.tries)),
            }
        } else if state.way == CallPath::First
            && spec.alternative.is_some()
            && failure.kind != FailureKind::NeedsHuman
            && !self.is_out_of_time(now, task)
        {
            AfterFailure::Alternative
        } else if let Some(above) = self.one_above(task, &failure) {
            AfterFailure::Upward { to: above.id }
        } else {
            match self.plan().on_failure {
                OnFailure::Ask => AfterFailure::Escalate,
                OnFailure::GiveUp => AfterFailure::GiveUp,
            }
        };
        let follow_up = match then {
            AfterFailure::Escalate => Some(self.build_recovery_checkpoint(now, task, &failure)),
            AfterFailure::GiveUp => self.after_loss(&key, &failure.message),
            AfterFailure::Retry { .. }
            | AfterFailure::Alternative
            | AfterFailure::Upward { .. } => None,
        };
        let mut events = vec![Event::AttemptFailed {
            task: key,
            failure,
            usage,
            then,
        }];
        events.extend(follow_up);
        events
    }

    /// Its wall time is used up, so no other way would get any.
    fn is_out_of_time(&self, now: Timestamp, task: TaskIndex) -> bool {
        self.task_wall_due(task).is_some_and(|(due, _)| due <= now)
    }

    fn judged(
        &self,
        now: Timestamp,
        task: TaskIndex,
        verdict: GateVerdict,
        reason: &str,
        usage: Usage,
    ) -> Vec<Event> {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let WorkSpec::Gate(gate) = &spec.work else {
            return Vec::new();
        };
        let returns_left = gate.return_to.is_some() && state.returns < gate.returns_max;
        let escalate = match self.plan().on_failure {
            _ if self.stage != Stage::Executing => AfterVerdict::GiveUp,
            OnFailure::Ask => AfterVerdict::Escalate,
            OnFailure::GiveUp => AfterVerdict::GiveUp,
        };
        let then = match verdict {
            GateVerdict::Valid => AfterVerdict::Pass,
            GateVerdict::Repairable if returns_left && self.stage == Stage::Executing => {
                AfterVerdict::Return
            }
            GateVerdict::Repairable | GateVerdict::Infeasible => escalate,
            GateVerdict::Fatal => AfterVerdict::GiveUp,
        };
        let message = format!("gate `{}`: {reason}", spec.key);
        let follow_up = match then {
            AfterVerdict::Pass => None,
            AfterVerdict::Return => gate
                .return_to
                .as_ref()
                .and_then(|to| self.graph.find(to.as_str()))
                .map(|to| Event::TasksReturned {
                    tasks: self.between(to, task),
                    reason: message,
                }),
            AfterVerdict::Escalate => {
                let failure = Failure {
                    kind: FailureKind::Verdict,
                    message,
                };
                Some(self.build_recovery_checkpoint(now, task, &failure))
            }
            AfterVerdict::GiveUp => self.after_loss(&spec.key, &message),
        };
        let reason = String::from(reason);
        let mut events = vec![Event::GateJudged {
            task: spec.key.clone(),
            verdict,
            reason,
            usage,
            then,
        }];
        events.extend(follow_up);
        events
    }

    /// From `to` up to and including the gate: validation made sure that nothing else hangs on these.
    fn between(&self, to: TaskIndex, gate: TaskIndex) -> Vec<TaskKey> {
        let (after_target, after_gate) = (self.graph.downstream(to), self.graph.downstream(gate));
        let inside =
            |at: &TaskIndex| *at == gate || (after_target[at.index()] && !after_gate[at.index()]);
        self.keys(TaskIndex::all(self.tasks.len()).filter(inside))
    }

    /// A task will not be done. Whether the others still may is the strategy's affair.
    pub(super) fn after_loss(&self, task: &TaskKey, why: &str) -> Option<Event> {
        if self.stage != Stage::Executing {
            return None;
        }
        let skips_max = u32::from(self.plan().skips_max);
        match self.plan().strategy {
            Strategy::ContinueOnBlock if self.queues.lost < skips_max => None,
            Strategy::ContinueOnBlock => {
                let reason =
                    format!("more than {skips_max} tasks failed, the last one `{task}`: {why}");
                Some(stop(Stop::Fail, reason))
            }
            Strategy::Sequential | Strategy::ParallelSafe => {
                Some(stop(Stop::Fail, format!("task `{task}` failed: {why}")))
            }
        }
    }

    /// Leaves a task out at a human's word.
    pub(super) fn skip(&self, task: &TaskKey, reason: &str) -> Vec<Event> {
        let mut events = vec![Event::TaskSkipped {
            task: task.clone(),
            reason: reason.into(),
        }];
        if self.plan().strategy == Strategy::ContinueOnBlock {
            events.extend(self.after_loss(task, reason));
        }
        events
    }

    /// Puts an effect in doubt, and asks unless the mission is stopping anyway.
    pub(super) fn doubt(
        &self,
        now: Timestamp,
        number: EffectNumber,
        effect: &EffectState,
        reason: &str,
    ) -> Vec<Event> {
        let mut events = vec![Event::EffectInDoubt {
            effect: number,
            reason: reason.into(),
        }];
        if self.stage == Stage::Executing {
            events.push(self.build_doubt_checkpoint(now, effect.task, number, reason));
        }
        events
    }
}
