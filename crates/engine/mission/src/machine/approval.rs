//! What somebody must allow before a task goes on, and what an approval is given for.
//!
//! **Invariant:** An approval holds for exactly what was asked: the call, its arguments with all that they refer to, its
//! class and its price. It is kept as a hash of these and compared before every start, so it lapses by itself when any of
//! them changes: by another plan, another way, another agent, another input.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use serde::Serialize;

use super::Mission;
use crate::plan::{Lineage, OutsideText};
use crate::{
    AgentId, AgentLevel, AgentWork, Approval, ApprovalHash, CheckpointType, EffectClass, Event,
    MicroUsd, Payload, Provenance, TaskIndex, TaskKey, Timestamp, ToolCall, ToolFacts, Usage,
    WorkSpec, references_in_json,
};

/// What somebody must allow before a task is begun.
pub(super) struct RequiredApproval<'a> {
    pub(super) kind: CheckpointType,
    pub(super) subject: Subject,
    /// No waiver gives it.
    by_person: bool,
    /// What may happen only once, or goes to any host, would be done with this.
    pub(super) outside_text: Option<OutsideText<'a>>,
}

/// What is to be allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// The agents whose runs begin with the task.
    Agents,
    /// What the task calls: a tool, a model or a sub-mission.
    Call,
}

/// A call with everything that makes it this call.
#[derive(Serialize)]
struct Bound<'a> {
    task: &'a TaskKey,
    by: Option<&'a AgentId>,
    calls: &'a str,
    /// What a model is asked for, and how it may think its way there.
    asks: Option<&'a AgentWork>,
    with: &'a str,
    /// What its arguments refer to, in order.
    reads: Vec<Option<Read<'a>>>,
    class: EffectClass,
    price: MicroUsd,
    tokens: u64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Read<'a> {
    Input(crate::Json),
    Output(&'a Payload),
}

#[derive(Serialize)]
struct BoundAgents<'a> {
    starts: Vec<(&'a AgentId, AgentLevel)>,
}

/// What a task calls, in the way it takes at present.
pub(super) struct PresentCall {
    /// A tool, a route to a model, or `mission`.
    pub(super) callee: String,
    pub(super) with: String,
    pub(super) class: EffectClass,
    pub(super) price: Usage,
}

impl Mission {
    /// Starts a task that a person may have to allow first.
    pub(super) fn begin_if_allowed(
        &self,
        now: Timestamp,
        task: TaskIndex,
        reserve: Usage,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        for approval in self.required_approvals(task) {
            if self.is_approved(task, approval.subject) {
                continue;
            }
            let waiver = self
                .waive(approval.kind, Some(self.spec(task)))
                .filter(|_| !approval.by_person);
            let Some(waived) = waiver else {
                return vec![self.build_tool_checkpoint(now, task, &approval)];
            };
            events.push(waived);
        }
        events.extend(self.begin_effect(now, task, reserve));
        events
    }

    /// Whether a person has allowed exactly what the task would do now.
    fn is_approved(&self, task: TaskIndex, subject: Subject) -> bool {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        if subject == Subject::Call && state.next_call(spec).is_some() {
            return state.is_call_allowed();
        }
        state
            .approved
            .contains(&self.approval_hash_of(task, subject))
    }

    /// The approvals that the present way of a task needs, in the order in which they are asked for.
    fn required_approvals(&self, task: TaskIndex) -> Vec<RequiredApproval<'_>> {
        let call = self.required_for_call(task);
        let names_agents = call
            .as_ref()
            .is_some_and(|call| call.kind == CheckpointType::SubagentApproval);
        let kind = CheckpointType::SubagentApproval;
        let asks = self.plan().asks_for(kind) && !names_agents;
        let starts = asks && !self.agents_to_start(task).is_empty();
        let agents = starts.then_some(RequiredApproval {
            kind,
            subject: Subject::Agents,
            by_person: false,
            outside_text: None,
        });
        agents.into_iter().chain(call).collect()
    }

    /// The approval that the present call of a task needs, if it needs any.
    fn required_for_call(&self, task: TaskIndex) -> Option<RequiredApproval<'_>> {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let subject = Subject::Call;
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
            let needed = by_person || self.plan().asks_for(kind);
            return needed.then_some(RequiredApproval {
                kind,
                subject,
                by_person,
                outside_text: None,
            });
        }
        if starts_agent {
            let kind = CheckpointType::SubagentApproval;
            let asks = self.plan().asks_for(kind);
            return asks.then_some(RequiredApproval {
                kind,
                subject,
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
            subject,
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

    /// What a task calls at present, with its arguments as they are written in the plan, or as they were changed.
    pub(super) fn present_call(&self, task: TaskIndex) -> PresentCall {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let of_tool = |call: &ToolCall| (String::from(call.tool.as_str()), call.with.text().into());
        let (callee, with) = match &spec.work {
            WorkSpec::Mission(sub) => {
                let with = serde_json::to_string(sub).unwrap_or_default();
                (String::from("mission"), with)
            }
            WorkSpec::Tool(call) => of_tool(state.call(spec, call)),
            WorkSpec::Agent(agent) => {
                match (state.next_call(spec), state.instead_of_asking(spec)) {
                    (Some(call), _) => of_tool(&call),
                    (None, Some(call)) => of_tool(call),
                    (None, None) => {
                        let asked = state.asked(agent);
                        (asked.route().as_str().into(), asked.with.text().into())
                    }
                }
            }
            WorkSpec::Human(_) | WorkSpec::Gate(_) => (String::new(), String::new()),
        };
        let facts = state.callee(spec).and_then(|id| self.tools().get(&id));
        let price = match &spec.work {
            WorkSpec::Mission(sub) => sub.allowance(&spec.caps),
            _ => facts.map_or(Usage::NONE, |facts| Usage {
                money: facts.price,
                tokens: facts.tokens,
            }),
        };
        let class = match &spec.work {
            WorkSpec::Mission(_) => EffectClass::Idempotent,
            _ => facts.map_or(EffectClass::Once, |facts| facts.class),
        };
        PresentCall {
            callee,
            with,
            class,
            price,
        }
    }

    /// What an approval of this would be given for.
    pub(super) fn approval_hash_of(&self, task: TaskIndex, subject: Subject) -> ApprovalHash {
        match subject {
            Subject::Agents => {
                let started = self.agents_to_start(task);
                let starts = started.iter().filter_map(|event| match event {
                    Event::AgentStarted { agent, level, .. } => Some((agent, *level)),
                    _ => None,
                });
                hash(&BoundAgents {
                    starts: starts.collect(),
                })
            }
            Subject::Call => {
                let call = self.present_call(task);
                let references = references_in_json(&call.with);
                let reads = references.iter().map(|reference| match reference.task() {
                    Some(key) => self.output(key).map(Read::Output),
                    None => {
                        let inputs = self.plan().inputs.as_ref()?;
                        inputs.at(reference.parts.get(1..)?).map(Read::Input)
                    }
                });
                hash(&Bound {
                    task: &self.spec(task).key,
                    by: self.doer(task),
                    calls: &call.callee,
                    asks: match &self.spec(task).work {
                        WorkSpec::Agent(agent) => Some(agent),
                        _ => None,
                    },
                    with: &call.with,
                    reads: reads.collect(),
                    class: call.class,
                    price: call.price.money,
                    tokens: call.price.tokens,
                })
            }
        }
    }
}

fn hash<T: Serialize>(of: &T) -> ApprovalHash {
    // These are plain structs of texts and numbers: there is nothing in them that cannot be written.
    let bytes = serde_json::to_vec(of).unwrap_or_default();
    ApprovalHash::of(&bytes)
}
