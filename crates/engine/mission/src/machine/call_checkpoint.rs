//! The question whether a task may make its call, or start its agents: everything that the answer allows, in full.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::approval::{RequiredApproval, Subject};
use super::checkpoint_builder::open;
use super::shown::readable;
use super::{CheckpointState, Closed, Mission};
use crate::{
    AgentId, Asks, Checkpoint, CheckpointId, CheckpointType, Event, Json, MicroUsd, OptionKey,
    PastDecision, ProposedCall, TaskIndex, TaskKey, Timestamp, Verdict, WorkSpec,
};

/// How many earlier decisions a question names.
const SIMILAR_MAX: usize = 3;
/// How much of an earlier argument a question quotes.
const EARLIER_CHARS_MAX: usize = 400;

impl Mission {
    pub(super) fn build_tool_checkpoint(
        &self,
        now: Timestamp,
        task: TaskIndex,
        approval: &RequiredApproval<'_>,
    ) -> Event {
        let key = &self.spec(task).key;
        let call = self.proposed(task, approval.subject);
        let asks = Asks::ApproveTool { task: key.clone() };
        let question = self.call_question(task, approval, &call);
        let asked = self.new_checkpoint(now, asks, approval.kind, question);
        let mut context = Vec::new();
        if let Some(forked) = self.forked() {
            let of = forked.of;
            context.push(format!(
                "This is a fork of {of}, which may already have done it."
            ));
        }
        // Before the arguments: these are words of whoever wrote that text.
        if let Some(text) = approval.outside_text {
            context.push(format!("Its arguments are derived from {text}."));
        }
        context.extend(self.changes_since_approval(key, &call));
        if approval.subject == Subject::Call {
            context.push(terms(&call));
            context.extend(call.arguments.as_ref().map(in_lines));
        }
        let similar = self.similar(&asked.asks, &call.calls);
        open(Checkpoint {
            context: context.join("\n"),
            call: Some(Box::new(call)),
            similar,
            ..asked
        })
    }

    fn call_question(
        &self,
        task: TaskIndex,
        approval: &RequiredApproval<'_>,
        call: &ProposedCall,
    ) -> String {
        let (spec, state) = (self.spec(task), &self.tasks[task.index()]);
        let key = &spec.key;
        if approval.subject == Subject::Agents {
            let agents = self.named(&call.agents);
            return format!("Let {agents} start, with task `{key}`?");
        }
        match &spec.work {
            WorkSpec::Mission(_) => format!("Let task `{key}` start a sub-mission?"),
            WorkSpec::Agent(agent) if approval.kind == CheckpointType::SubagentApproval => {
                let purpose = agent.purpose.as_str();
                let level = state.asked(agent).level.name();
                match call.agents.is_empty() {
                    true => format!("Let task `{key}` ask a model ({purpose}, {level})?"),
                    false => {
                        let agents = self.named(&call.agents);
                        format!("Let {agents} ask a model for task `{key}` ({purpose}, {level})?")
                    }
                }
            }
            _ => format!("Let task `{key}` call `{}`?", call.calls),
        }
    }

    /// Agents as people know them.
    fn named(&self, agents: &[AgentId]) -> String {
        let named = agents.iter().map(|id| {
            let spec = self.plan().agents.iter().find(|agent| agent.id == *id);
            match spec {
                Some(spec) => format!("agent `{id}` ({})", spec.level.name()),
                None => format!("agent `{id}`"),
            }
        });
        let named: Vec<String> = named.collect();
        named.join(" and ")
    }

    fn proposed(&self, task: TaskIndex, subject: Subject) -> ProposedCall {
        let started = self.agents_to_start(task);
        let starts = started.into_iter().filter_map(|event| match event {
            Event::AgentStarted { agent, .. } => Some(agent),
            _ => None,
        });
        let mut agents: Vec<AgentId> = starts.collect();
        let hash = self.approval_hash_of(task, subject);
        let present = self.present_call(task);
        if subject == Subject::Agents {
            return ProposedCall {
                calls: String::new(),
                agents,
                arguments: None,
                class: present.class,
                price: MicroUsd::ZERO,
                hash,
            };
        }
        let doer = self.doer(task).filter(|doer| !agents.contains(doer));
        agents.extend(doer.cloned());
        let arguments = match &self.spec(task).work {
            WorkSpec::Mission(sub) => Json::encode(&sub.plan.title).ok(),
            _ => self.fill_arguments(&present.with),
        };
        ProposedCall {
            calls: present.callee,
            agents,
            arguments,
            class: present.class,
            price: present.price.money,
            hash,
        }
    }

    /// What is different from the call that was approved before, if one was.
    fn changes_since_approval(&self, task: &TaskKey, call: &ProposedCall) -> Option<String> {
        let approved = |asked: &&CheckpointState| {
            let decided = matches!(&asked.closed, Some(Closed::Decided { decision, .. })
                if decision.verdict != Verdict::Reject);
            decided && asked.checkpoint.asks == Asks::ApproveTool { task: task.clone() }
        };
        let mut before = self.checkpoints.iter().rev().filter(approved);
        let before = before.find_map(|asked| {
            let before = asked.checkpoint.call.as_deref()?;
            let same_kind = before.calls.is_empty() == call.calls.is_empty();
            same_kind.then_some(before)
        })?;
        if before.hash == call.hash {
            return None;
        }
        let mut changes = Vec::new();
        if before.calls != call.calls {
            changes.push(format!("it called `{}`", before.calls));
        }
        if before.class != call.class {
            changes.push(format!("its class was `{}`", before.class.name()));
        }
        if before.price != call.price {
            changes.push(format!("it cost at most {}", before.price));
        }
        if before.agents != call.agents {
            changes.push(format!("it was for {}", self.named(&before.agents)));
        }
        let read = |call: &ProposedCall| call.arguments.as_ref().map(readable).unwrap_or_default();
        let (old, new) = (read(before), read(call));
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for name in names {
            match (old.get(name), new.get(name)) {
                (Some(old), Some(new)) if old == new => {}
                (Some(old), Some(_)) => changes.push(format!("`{name}` was {}", quoted(old))),
                (Some(old), None) => {
                    changes.push(format!("`{name}` is gone; it was {}", quoted(old)))
                }
                (None, _) => changes.push(format!("`{name}` is new")),
            }
        }
        let changes = match changes.is_empty() {
            true => "what it refers to is different".into(),
            false => changes.join("; "),
        };
        Some(format!("Approved before, and changed since: {changes}."))
    }

    /// How the same was decided before in this mission: of the same task, or about the same tool.
    pub(super) fn similar(&self, asks: &Asks, calls: &str) -> Vec<PastDecision> {
        let is_alike = |asked: &&CheckpointState| {
            let other = &asked.checkpoint;
            let same_kind = core::mem::discriminant(&other.asks) == core::mem::discriminant(asks);
            let same_tool = match &other.call {
                Some(call) => !calls.is_empty() && call.calls == calls,
                None => false,
            };
            same_kind && (same_tool || other.asks.task() == asks.task())
        };
        let decided = self.checkpoints.iter().rev().filter(is_alike);
        let told = decided.filter_map(|asked| {
            let Some(Closed::Decided { decision, .. }) = &asked.closed else {
                return None;
            };
            let verdict = match decision.verdict {
                Verdict::Approve => "approved",
                Verdict::Modify => "modified",
                Verdict::Reject => "rejected",
            };
            let option = decision.option.as_ref().map_or(verdict, OptionKey::as_str);
            let task = asked.checkpoint.asks.task();
            Some(PastDecision {
                checkpoint: CheckpointId {
                    mission: self.id(),
                    number: asked.checkpoint.number,
                },
                question: asked.checkpoint.question.clone(),
                option: option.into(),
                outcome: task.map_or(String::new(), |task| self.standing(task)),
            })
        });
        told.take(SIMILAR_MAX).collect()
    }
}

/// What may become of it, and what it costs.
fn terms(call: &ProposedCall) -> String {
    let price = match call.price {
        MicroUsd::ZERO => String::new(),
        price => format!(" It costs at most {price}."),
    };
    format!("Its class is `{}`.{price}", call.class.name())
}

/// Arguments line by line, whole.
fn in_lines(arguments: &Json) -> String {
    let fields = readable(arguments);
    if fields.is_empty() {
        return arguments.to_plain_text();
    }
    let lines: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    lines.join("\n")
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(EARLIER_CHARS_MAX) {
        Some((end, _)) => format!("“{}…”", &text[..end]),
        None => format!("“{text}”"),
    }
}
