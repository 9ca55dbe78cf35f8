//! Agents at work: the steps of a reasoning, how sure its conclusion is, who takes over from whom.
//!
//! **Invariant:** An agent calls only the tools it was offered, only as an L4, and a `once` tool never without a
//! person.
//!
//! **Invariant:** A conclusion below its threshold completes no task unless a person accepts it, a waiver covers it,
//! or the mission's autonomy does not ask. The assessment is recorded either way, and the report shows it.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use super::{CallPath, EffectState, Mission, Stage, TaskState};
use crate::reasoning::{ROUNDS_AGAIN_MAX, again, next, rounds};
use crate::{
    AfterAssessment, AgentId, AgentLevel, AgentSpec, AgentWork, Assessment, CheckpointType,
    Earlier, Event, Failure, FailureKind, Move, Next, Payload, Reasoning, Remarks, Signs, StepKind,
    StepTaken, Task, TaskIndex, TaskKey, Thought, Timestamp, ToolCall, Usage, WorkSpec,
};

/// An agent's run in this mission.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentState {
    /// What its questions have used so far.
    pub tokens: u64,
}

impl TaskState {
    /// Who does the task: its own agent, or the one that took it over.
    pub fn doer<'a>(&'a self, spec: &'a Task) -> Option<&'a AgentId> {
        let over = self.taken_over.as_ref().map(|over| &over.by);
        over.or(spec.by.as_ref())
    }

    /// The question as it is asked now: by whoever took the task over, and as a person changed it.
    pub(crate) fn asked(&self, agent: &AgentWork) -> AgentWork {
        let mut asked = agent.clone();
        if let Some(over) = &self.taken_over {
            asked.level = over.level;
        }
        if let Some(changed) = &self.changed_call
            && changed.tool == asked.route()
        {
            asked.with = changed.with.clone();
        }
        asked
    }

    /// How its agent reasons, if it does and is not doing something else instead.
    fn reasons<'a>(&self, spec: &'a Task) -> Option<(&'a AgentWork, &'a Reasoning, bool)> {
        let WorkSpec::Agent(agent) = &spec.work else {
            return None;
        };
        let reasoning = agent.reasoning.as_deref()?;
        if self.instead_of_asking(spec).is_some() {
            return None;
        }
        let level = self
            .taken_over
            .as_ref()
            .map_or(agent.level, |over| over.level);
        Some((agent, reasoning, level.may_start(AgentLevel::L5)))
    }

    /// The step that its reasoning takes next; nothing if it does not reason.
    pub(crate) fn next_step(&self, spec: &Task) -> Option<Move> {
        let (_, reasoning, may_act) = self.reasons(spec)?;
        let last = self.steps.last();
        let next = match last {
            Some(taken) if taken.step.kind == StepKind::Conclude => {
                again(reasoning, may_act, &self.steps)
            }
            _ => next(reasoning, may_act, &self.steps),
        };
        match next {
            Next::Take(step) => Some(step),
            Next::Concluded | Next::Stuck(_) => None,
        }
    }

    /// The call that its reasoning makes next, if it makes one: as a person allowed it, if one had to.
    pub(crate) fn next_call(&self, spec: &Task) -> Option<ToolCall> {
        let chosen = self.next_step(spec)?.call?;
        match &self.call_allowed {
            Some((step, call)) if usize::from(*step) == self.steps.len() => Some(call.clone()),
            _ => Some(chosen),
        }
    }

    /// Whether a person has allowed what its reasoning calls next.
    pub(crate) fn is_call_allowed(&self) -> bool {
        let allowed = self.call_allowed.as_ref();
        allowed.is_some_and(|(step, _)| usize::from(*step) == self.steps.len())
    }
}

impl Mission {
    /// A task's next step with all that it goes on from.
    pub(super) fn thought(&self, task: TaskIndex) -> Option<Box<Thought>> {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let (_, reasoning, may_act) = state.reasons(spec)?;
        let step = state.next_step(spec)?;
        let used = |number: u16, taken: &StepTaken| {
            step.uses.contains(&number)
                || step.part.is_some_and(|(split, _)| split == number)
                || taken.step.kind == StepKind::Call
        };
        let steps = (0u16..).zip(&state.steps);
        let earlier = steps.filter(|(number, taken)| used(*number, taken));
        let earlier = earlier.map(|(number, taken)| Earlier {
            number,
            step: taken.step.clone(),
            output: taken.output.clone(),
        });
        Some(Box::new(Thought {
            number: state.steps.len() as u16,
            earlier: earlier.collect(),
            tools: match may_act {
                true => reasoning.tools.clone(),
                false => Vec::new(),
            },
            step,
        }))
    }

    /// What the plan asks of every agent, what people said about a task, and what those want who sent it back.
    pub(super) fn guidance(&self, task: TaskIndex) -> Vec<String> {
        let key = &self.spec(task).key;
        let mut guidance = self.plan().constraints.clone();
        guidance.extend(self.tasks[task.index()].guidance.iter().cloned());
        for asked in &self.checkpoints {
            if asked.checkpoint.asks.task() != Some(key) {
                continue;
            }
            guidance.extend(asked.guidance.iter().cloned());
            if let Some(super::Closed::Decided { decision, .. }) = &asked.closed
                && !decision.note.is_empty()
            {
                guidance.push(decision.note.clone());
            }
        }
        guidance
    }

    /// A step was taken: it is recorded, and a conclusion is looked at before the task ends with it.
    pub(super) fn step_done(
        &self,
        now: Timestamp,
        effect: &EffectState,
        step: Move,
        output: &Payload,
        usage: Usage,
        remarks: &Remarks,
    ) -> Vec<Event> {
        let (spec, state) = (self.spec(effect.task), &self.tasks[effect.task.index()]);
        let Some((agent, reasoning, may_act)) = state.reasons(spec) else {
            return Vec::new();
        };
        let mut signs = match &remarks.signs {
            Some(signs) => (**signs).clone(),
            None => Signs {
                sure: remarks.confidence,
                ..Signs::default()
            },
        };
        let mut events = Vec::new();
        if let Some(reason) = breach(&signs, reasoning, may_act) {
            events.push(Event::BreachRefused {
                task: spec.key.clone(),
                agent: self.doer(effect.task).cloned(),
                wanted: signs.call.take().map_or(String::new(), |call| {
                    format!("call {} with {}", call.tool, call.with.text())
                }),
                reason,
            });
        }
        let concludes = step.kind == StepKind::Conclude;
        let assessment = Assessment::of(&signs, reasoning.confidence_threshold);
        let taken = || Event::StepTaken {
            task: spec.key.clone(),
            taken: Box::new(StepTaken {
                step: step.clone(),
                signs: signs.clone(),
                output: output.clone(),
                usage,
            }),
        };
        if !concludes {
            events.push(taken());
            return events;
        }
        let assessed = |then| Event::ConfidenceAssessed {
            task: spec.key.clone(),
            assessment,
            then,
        };
        let executing = self.stage == Stage::Executing;
        let again = assessment.may_improve() && rounds(&state.steps) < ROUNDS_AGAIN_MAX;
        let asks = self.plan().asks_for(CheckpointType::CriticalDecision);
        if executing && again {
            events.extend([taken(), assessed(AfterAssessment::Again)]);
            return events;
        }
        if executing && !assessment.is_enough() && asks {
            let Some(waived) = self.waive(CheckpointType::CriticalDecision, Some(spec)) else {
                let gist = remarks.gist.as_deref();
                let asked =
                    self.build_conclusion_checkpoint(now, effect.task, agent, &assessment, gist);
                events.extend([taken(), assessed(AfterAssessment::Ask), asked]);
                return events;
            };
            events.push(waived);
        }
        events.push(assessed(AfterAssessment::GoOn));
        events.push(self.done(&spec.key, output.clone(), usage));
        events.extend(self.remarked(now, &spec.key, remarks));
        events
    }

    /// The agent that does a task: its own, or the one that took it over.
    pub fn doer(&self, task: TaskIndex) -> Option<&AgentId> {
        self.tasks[task.index()].doer(self.spec(task))
    }

    fn agent(&self, id: &AgentId) -> Option<&AgentSpec> {
        self.plan().agents.iter().find(|agent| agent.id == *id)
    }

    /// Every agent at work or done with it, with what it has used.
    pub fn agents(&self) -> impl Iterator<Item = (&AgentId, &AgentState)> {
        self.agents.iter()
    }

    /// The runs that begin with this task: its agent's, and before it those of the agents above that have not begun.
    pub(super) fn agents_to_start(&self, task: TaskIndex) -> Vec<Event> {
        let mut chain = Vec::new();
        let mut at = self.doer(task).and_then(|id| self.agent(id));
        while let Some(agent) = at {
            let seen = chain
                .iter()
                .any(|before: &&AgentSpec| before.id == agent.id);
            if seen || self.agents.contains_key(&agent.id) {
                break;
            }
            chain.push(agent);
            at = agent.started_by.as_ref().and_then(|by| self.agent(by));
        }
        let started = chain.into_iter().rev().map(|agent| Event::AgentStarted {
            agent: agent.id.clone(),
            level: agent.level,
            started_by: agent.started_by.clone(),
        });
        started.collect()
    }

    /// Whether one more question would use more than the task's agent may in all.
    pub(super) fn lifetime_over(&self, task: TaskIndex, reserve: Usage) -> Option<(AgentId, u64)> {
        let agent = self.agent(self.doer(task)?)?;
        let cap = agent.tokens_lifetime?;
        let used = self.agents.get(&agent.id).map_or(0, |state| state.tokens);
        let held = self
            .effects
            .values()
            .filter(|effect| self.doer(effect.task) == Some(&agent.id) && !effect.undoes);
        let held: u64 = held.map(|effect| effect.reserved.tokens).sum();
        let over = used.saturating_add(held).saturating_add(reserve.tokens) > cap;
        over.then(|| (agent.id.clone(), cap))
    }

    /// The agent above a task's, which may do better where this one came to its end.
    pub(super) fn one_above(&self, task: TaskIndex, failure: &Failure) -> Option<AgentSpec> {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let WorkSpec::Agent(work) = &spec.work else {
            return None;
        };
        let may_help = match failure.kind {
            FailureKind::Temporary
            | FailureKind::Permanent
            | FailureKind::TimedOut
            | FailureKind::BadOutput => true,
            FailureKind::CapReached => {
                let price = self.tools().get(&state.asked(work).route());
                let tokens = price.map_or(0, |facts| facts.tokens);
                let reserve = Usage {
                    tokens,
                    ..Usage::NONE
                };
                self.lifetime_over(task, reserve).is_some()
            }
            FailureKind::BadInput
            | FailureKind::OutcomeUnknown
            | FailureKind::Denied
            | FailureKind::NeedsHuman
            | FailureKind::Verdict => false,
        };
        if !may_help || state.way != CallPath::First {
            return None;
        }
        let above = self.agent(self.agent(self.doer(task)?)?.started_by.as_ref()?)?;
        let asked = AgentWork {
            level: above.level,
            ..work.as_ref().to_owned()
        };
        let known = self.tools().contains_key(&asked.route());
        known.then(|| above.clone())
    }

    /// A person says that what was in doubt happened: a step, if a reasoning called it, and otherwise the whole task.
    pub(super) fn marked_done(&self, task: &TaskKey, output: Payload, usage: Usage) -> Event {
        let found = self.task(task.as_str());
        let Some(step) = found.and_then(|(spec, state)| state.next_step(spec)) else {
            return self.done(task, output, usage);
        };
        Event::StepTaken {
            task: task.clone(),
            taken: Box::new(StepTaken {
                step,
                signs: Signs::default(),
                output,
                usage,
            }),
        }
    }

    /// What an answer to a conclusion that is not sure enough brings about.
    pub(super) fn conclusion(&self, task: &TaskKey) -> Vec<Event> {
        let steps = self.task(task.as_str()).map(|(_, state)| &state.steps);
        let last = steps.and_then(|steps| steps.last());
        match last {
            Some(taken) => vec![self.done(task, taken.output.clone(), Usage::NONE)],
            None => Vec::new(),
        }
    }
}

/// Why an agent may not call what it chose to.
fn breach(signs: &Signs, reasoning: &Reasoning, may_act: bool) -> Option<String> {
    let call = signs.call.as_ref()?;
    if !may_act {
        return Some("only an L4 agent can call tools".into());
    }
    let offered = reasoning.tools.contains(&call.tool);
    (!offered).then(|| format!("{} was not offered to it", call.tool))
}

#[cfg(test)]
#[path = "thinking_tests.rs"]
mod tests;
