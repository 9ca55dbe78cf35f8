//! Tracks whether the arguments of a call contain text from outside or only text of the plan.
//!
//! The answer follows from the plan and the tool table, never from the content of a result: anything derived from
//! outside text is outside text. This module decides nothing; the machine acts on its answer.
//!
//! **Invariant:** Text from outside makes no `once` call without a person's approval. The origin of an argument is
//! found by following the plan's references through the tool table to the source; waivers do not apply.
//!
//! **Invariant:** Text from outside chooses no address on a host that anyone may own without a person's approval: the
//! address can tell that host whatever was read.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::graph::Graph;
use super::references::references_in_json;
use super::{Plan, ToolCall, ToolFacts, ToolTable, WorkSpec};
use crate::{EffectClass, Json, TaskIndex, TaskKey, ToolId};

/// The origin of the text that a tool returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Derived from its arguments alone.
    Own,
    /// May be written by others: a page, a file, the output of a program.
    Outside,
    /// As `Outside`, from any host that the argument `url` names. Whoever chooses the address can tell that host
    /// something.
    AnyHost,
}

/// The argument that names the host.
const ADDRESS: &str = "url";

impl ToolFacts {
    /// Whether text from outside in such a call needs a person: it does what cannot be taken back, or tells a host of
    /// anyone's choice.
    pub(crate) fn is_closed_to_outside_text(&self, with: &Json) -> bool {
        self.class == EffectClass::Once || self.goes_anywhere(with)
    }

    /// Whether the arguments name the host that the call goes to. Arguments that are no object may turn out to.
    pub(crate) fn goes_anywhere(&self, with: &Json) -> bool {
        let is_object = with.text().trim_start().starts_with('{');
        let names_one = !is_object || with.fields().iter().any(|field| field == ADDRESS);
        self.provenance == Some(Provenance::AnyHost) && names_one
    }

    fn gives_outside_text(&self) -> bool {
        let provenance = self.provenance.unwrap_or(match self.class {
            EffectClass::Pure | EffectClass::Paid => Provenance::Own,
            EffectClass::Idempotent | EffectClass::Once => Provenance::Outside,
        });
        provenance != Provenance::Own
    }
}

/// The outside text that arguments are derived from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutsideText<'a> {
    GivenBy(&'a TaskKey),
    /// The tasks of a sub-mission are not visible to its parent.
    OfSubMission(&'a TaskKey),
    /// The inputs of a sub-mission are derived from outputs of its parent's tasks.
    Inputs,
}

impl fmt::Display for OutsideText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GivenBy(task) => write!(f, "`{task}`, which returns text from outside"),
            Self::OfSubMission(task) => {
                write!(
                    f,
                    "sub-mission `{task}`, which may return text from outside"
                )
            }
            Self::Inputs => {
                f.write_str("this sub-mission's inputs, which may be text from outside")
            }
        }
    }
}

/// How text flows through a plan.
pub(crate) struct Lineage<'a, F> {
    pub(crate) plan: &'a Plan,
    pub(crate) tools: &'a ToolTable,
    pub(crate) graph: &'a Graph,
    /// The origin of the mission's inputs.
    pub(crate) inputs: Provenance,
    /// The call of a task after a person changed it; it may contain more references than the plan.
    pub(crate) changed: F,
}

impl<'a, F: Fn(TaskIndex) -> Option<&'a ToolCall>> Lineage<'a, F> {
    /// The nearest outside text that these arguments are derived from. Visits only the tasks that they refer to,
    /// directly or indirectly, each once.
    pub(crate) fn outside_text_in(&self, with: &Json) -> Option<OutsideText<'a>> {
        // Tool tables that predate provenance have none at all; their missions keep the old behaviour.
        if (self.tools.values()).all(|facts| facts.provenance.is_none()) {
            return None;
        }
        let (mut seen, mut todo) = (BTreeSet::new(), VecDeque::new());
        let mut arguments = Vec::from([with]);
        loop {
            for with in arguments.drain(..) {
                for reference in references_in_json(with.text()) {
                    if reference.is_input() && self.inputs != Provenance::Own {
                        return Some(OutsideText::Inputs);
                    }
                    let task = reference.task().and_then(|task| self.graph.find(task));
                    todo.extend(task.filter(|&task| seen.insert(task)));
                }
            }
            let at = todo.pop_front()?;
            let Some(spec) = self.plan.tasks.get(at.index()) else {
                continue;
            };
            let first = match &spec.work {
                // An answer is the person's own text, even if the question showed outside text.
                WorkSpec::Human(_) | WorkSpec::Gate(_) => continue,
                WorkSpec::Mission(_) => return Some(OutsideText::OfSubMission(&spec.key)),
                WorkSpec::Agent(agent) => (agent.route(), &agent.with),
                WorkSpec::Tool(call) => (call.tool.clone(), &call.with),
            };
            // What an agent reads while reasoning is part of its conclusion.
            if let WorkSpec::Agent(agent) = &spec.work
                && let Some(reasoning) = &agent.reasoning
                && (reasoning.tools.iter()).any(|tool| self.gives_outside_text(tool))
            {
                return Some(OutsideText::GivenBy(&spec.key));
            }
            // Any of its calls may have been made: the first, the alternative or the changed one.
            let others = spec.alternative.iter().chain((self.changed)(at));
            let others = others.map(|call| (call.tool.clone(), &call.with));
            for (tool, with) in core::iter::once(first).chain(others) {
                if self.gives_outside_text(&tool) {
                    return Some(OutsideText::GivenBy(&spec.key));
                }
                arguments.push(with);
            }
        }
    }

    /// Whether every text in the arguments of a call occurs in the plan or in inputs of its own, word for word. Such a
    /// call tells nobody what was read. Anything nested counts as foreign.
    pub(crate) fn says_own_words(&self, with: &Json) -> bool {
        let Ok(values) = serde_json::from_str::<BTreeMap<String, &RawValue>>(with.text()) else {
            return false;
        };
        let mut values = values.into_values().map(RawValue::get);
        values.all(|value| match value.as_bytes().first() {
            Some(b'"') => {
                let words = value.trim_matches('"');
                // A reference stands for the words of others.
                !words.contains("{{") && !words.contains('\\') && self.occurs(words)
            }
            Some(b'{' | b'[') | None => false,
            Some(_) => true,
        })
    }

    fn occurs(&self, words: &str) -> bool {
        let inputs = self.plan.inputs.as_ref();
        let inputs = inputs.filter(|_| self.inputs == Provenance::Own);
        let tasks = self.plan.tasks.iter().flat_map(|task| {
            let first = match &task.work {
                WorkSpec::Agent(agent) => Some(&agent.with),
                WorkSpec::Tool(call) => Some(&call.with),
                WorkSpec::Human(_) | WorkSpec::Gate(_) | WorkSpec::Mission(_) => None,
            };
            first
                .into_iter()
                .chain(task.alternative.iter().map(|call| &call.with))
        });
        let mut texts = inputs.into_iter().chain(tasks).map(Json::text);
        !words.is_empty()
            && (self.plan.objective.contains(words) || texts.any(|text| text.contains(words)))
    }

    fn gives_outside_text(&self, tool: &ToolId) -> bool {
        let facts = self.tools.get(tool);
        facts.is_none_or(ToolFacts::gives_outside_text)
    }
}
