//! Undoing what was done, newest first, when a mission is aborted and somebody wants that: durably, each with its own
//! retries, and with a plain word on what could not be undone.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use super::caps::exceeded;
use super::{EffectState, Mission, Stage, TaskState, TaskStatus};
use crate::{
    AfterFailure, Asks, Delivery, EffectClass, EffectNumber, Ending, EndingPhase, Event, Failure,
    FailureKind, Outcome, Refused, Task, TaskIndex, TaskKey, Timestamp, ToolId, Usage, WorkSpec,
};

/// How far undoing a task has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoState {
    pub tries: u16,
    pub settled: bool,
    pub not_before: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// What became of something that was done, once its mission was aborted with the wish to undo it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UndoOutcome {
    Undone,
    NotUndone { why: String },
}

impl Mission {
    /// What was undone and what was not, newest first; empty unless that was asked for. Tasks that changed nothing
    /// outside are not in it.
    pub fn undo_report(&self) -> Vec<(TaskKey, UndoOutcome)> {
        if !self.undo {
            return Vec::new();
        }
        let not = |why: &str| UndoOutcome::NotUndone { why: why.into() };
        let tell = |&at: &TaskIndex| {
            let (spec, state) = (self.spec(at), &self.tasks[at.index()]);
            // Once the mission has ended, a doubt is settled, and only this tells of it.
            let settled = state.undo.as_ref().is_some_and(|undo| undo.settled);
            let asked = state
                .checkpoint
                .and_then(|number| self.checkpoints.get(number.index()));
            let asked = asked
                .is_some_and(|asked| matches!(asked.checkpoint.asks, Asks::SettleInDoubt { .. }));
            let doubted = state.effect.is_some() || settled || asked;
            let in_doubt = !is_done(state) && doubted;
            let outcome = match (&spec.undo, &state.undo) {
                _ if in_doubt => not("it is not known whether it happened"),
                _ if !is_done(state) && self.called_nothing(state) => return None,
                _ if !is_done(state) => not("its agent called it while reasoning"),
                (Some(_), None) if state.inherited => {
                    not("it was done by the mission that this one was forked from")
                }
                (Some(_), Some(undo)) if undo.settled => match &undo.failure {
                    None => UndoOutcome::Undone,
                    Some(failure) => not(&failure.message),
                },
                (Some(_), _) => not("not tried yet"),
                (None, _) if self.changed_nothing(spec, state) => return None,
                (None, _) => not("the task has no undo"),
            };
            Some((spec.key.clone(), outcome))
        };
        self.newest_first().iter().filter_map(tell).collect()
    }

    fn newest_first(&self) -> Vec<TaskIndex> {
        let mut tasks: Vec<TaskIndex> = TaskIndex::all(self.tasks.len()).collect();
        let ended = |at: &TaskIndex| self.tasks[at.index()].ended_at;
        tasks.sort_by(|a, b| (ended(b), b).cmp(&(ended(a), a)));
        tasks
    }

    fn changed_nothing(&self, spec: &Task, state: &TaskState) -> bool {
        match &spec.work {
            WorkSpec::Tool(_) | WorkSpec::Agent(_) => {
                let callee = state.callee(spec);
                callee.is_some_and(|callee| self.is_harmless(&callee)) && self.called_nothing(state)
            }
            WorkSpec::Human(_) | WorkSpec::Gate(_) => true,
            WorkSpec::Mission(_) => false,
        }
    }

    /// Whether its reasoning called nothing that changes anything.
    fn called_nothing(&self, state: &TaskState) -> bool {
        let mut calls = state
            .steps
            .iter()
            .filter_map(|taken| taken.step.call.as_ref());
        calls.all(|call| self.is_harmless(&call.tool))
    }

    fn is_harmless(&self, tool: &ToolId) -> bool {
        matches!(self.class_of(tool), EffectClass::Pure | EffectClass::Paid)
    }

    fn class_of(&self, tool: &ToolId) -> EffectClass {
        let facts = self.tools().get(tool);
        facts.map_or(EffectClass::Once, |facts| facts.class)
    }

    /// The newest task that is still to be undone.
    pub(super) fn next_to_undo(&self) -> Option<TaskIndex> {
        let left = |&at: &TaskIndex| {
            let state = &self.tasks[at.index()];
            let settled = state.undo.as_ref().is_some_and(|undo| undo.settled);
            let ours = is_done(state) && !state.inherited;
            self.spec(at).undo.is_some() && ours && !settled
        };
        self.newest_first().into_iter().find(left)
    }

    pub(super) fn undo_not_before(&self, task: TaskIndex) -> Timestamp {
        let undo = self.tasks[task.index()].undo.as_ref();
        undo.map_or(self.updated_at, |undo| undo.not_before)
    }

    pub(super) fn proceed_undoing(&self, now: Timestamp) -> Vec<Event> {
        if self.queues.performing > 0 {
            return Vec::new();
        }
        let Some(task) = self.next_to_undo() else {
            return vec![Event::MissionEnded(Ending {
                phase: EndingPhase::Cancelled,
                delivery: Delivery::Nothing,
                reason: self.undo_summary(),
            })];
        };
        if self.undo_not_before(task) > now {
            return Vec::new();
        }
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let Some(undo) = &spec.undo else {
            return Vec::new();
        };
        // Nobody is asked about text from outside here: whoever wanted this mission undone was a person.
        let facts = self.tools().get(&undo.tool);
        let reserved = facts.map_or(Usage::NONE, |facts| Usage {
            money: facts.price,
            tokens: facts.tokens,
        });
        let in_all = self.used.plus(self.reserved).plus(reserved);
        let over = exceeded(&self.plan().caps, in_all, self.turns + 1)
            .map(|(_, what)| format!("undoing it would exceed the mission's limit on {what}"));
        let refused = self.refusal_of(task).map(ToString::to_string);
        if let Some(message) = over.or(refused) {
            let kind = FailureKind::CapReached;
            return vec![self.not_undone(task, Failure { kind, message }, Usage::NONE)];
        }
        vec![Event::UndoStarted {
            task: spec.key.clone(),
            effect: self.effects_issued,
            attempt: state.undo.as_ref().map_or(0, |undo| undo.tries) + 1,
            reserved,
        }]
    }

    /// Says in a sentence what was undone and what was not.
    fn undo_summary(&self) -> String {
        let report = self.undo_report();
        let undone: Vec<&str> = report
            .iter()
            .filter(|(_, outcome)| *outcome == UndoOutcome::Undone)
            .map(|(key, _)| key.as_str())
            .collect();
        let left: Vec<String> = report
            .iter()
            .filter_map(|(key, outcome)| match outcome {
                UndoOutcome::Undone => None,
                UndoOutcome::NotUndone { why } => Some(format!("{key} ({why})")),
            })
            .collect();
        let mut said = self.stop_reason.clone().unwrap_or_default();
        if !undone.is_empty() {
            said = format!("{said}; undone: {}", undone.join(", "));
        }
        if !left.is_empty() {
            said = format!("{said}; not undone: {}", left.join(", "));
        }
        said
    }

    /// How the call that undoes a task ended.
    pub(super) fn undo_outcome(
        &self,
        now: Timestamp,
        number: EffectNumber,
        effect: &EffectState,
        outcome: &Outcome,
    ) -> Result<Vec<Event>, Refused> {
        let (task, key) = (effect.task, self.spec(effect.task).key.clone());
        let used = |usage: &Usage| usage.at_most(effect.reserved);
        let given_up = |kind, message: &str| {
            let message = message.into();
            vec![self.not_undone(task, Failure { kind, message }, Usage::NONE)]
        };
        Ok(match outcome {
            Outcome::Done { usage, .. } => {
                let usage = used(usage);
                vec![Event::Undone { task: key, usage }]
            }
            Outcome::Failed { failure, usage } => {
                let (undo, state) = (&self.spec(task).undo, &self.tasks[task.index()].undo);
                let tries = state.as_ref().map_or(1, |state| state.tries);
                let retry = undo.as_ref().map(|undo| &undo.retry);
                let again = retry.filter(|retry| {
                    let in_doubt = effect.started && failure.kind.leaves_in_doubt();
                    failure.kind.is_retryable() && !in_doubt && tries < retry.attempts
                });
                match again {
                    None => vec![self.not_undone(task, failure.clone(), used(usage))],
                    Some(retry) => vec![Event::UndoFailed {
                        task: key,
                        failure: failure.clone(),
                        usage: used(usage),
                        then: AfterFailure::Retry {
                            at: now.plus(retry.wait_after(tries)),
                        },
                    }],
                }
            }
            Outcome::Denied { reason } => given_up(FailureKind::Denied, reason),
            Outcome::NeedsHuman { reason } => given_up(FailureKind::NeedsHuman, reason),
            Outcome::Judged { .. } | Outcome::Deferred { .. } => {
                return Err(Refused::OutcomeUnfit {
                    effect: number,
                    why: "only a gate can return a verdict",
                });
            }
        })
    }

    /// It stays as it is, and the next is undone.
    pub(super) fn not_undone(&self, task: TaskIndex, failure: Failure, usage: Usage) -> Event {
        Event::UndoFailed {
            task: self.spec(task).key.clone(),
            failure,
            usage,
            then: AfterFailure::GiveUp,
        }
    }

    pub(crate) fn is_winding_down(&self) -> bool {
        matches!(self.stage, Stage::Stopping(_) | Stage::Undoing)
    }
}

fn is_done(state: &TaskState) -> bool {
    matches!(state.status, TaskStatus::Completed | TaskStatus::Held)
}
