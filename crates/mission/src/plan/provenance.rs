//! Whose text arguments are made of: the plan's own, or something that was written outside.
//!
//! Judges by the plan and what is known of its tools, never by what a result says: whatever is made of text from
//! outside is text from outside too. Decides nothing; what follows is the machine's affair.

use alloc::collections::{BTreeSet, VecDeque};
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};

use super::graph::Graph;
use super::references::references_in_json;
use super::{Plan, ToolCall, ToolFacts, ToolTable, WorkSpec};
use crate::{EffectClass, Json, TaskKey, ToolId};

/// Whose text a tool gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Made of its arguments and of nothing else.
    Own,
    /// Others may have written it: a page, a file, what a program says.
    Outside,
}

impl ToolFacts {
    fn gives_outside_text(&self) -> bool {
        let provenance = self.provenance.unwrap_or(match self.class {
            EffectClass::Pure | EffectClass::Paid => Provenance::Own,
            EffectClass::Idempotent | EffectClass::Once => Provenance::Outside,
        });
        provenance == Provenance::Outside
    }
}

/// Text from outside that arguments derive from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutsideText<'a> {
    GivenBy(&'a TaskKey),
    /// What its tasks did is not this mission's to know.
    OfSubMission(&'a TaskKey),
    /// A sub-mission's inputs are made of what its parent's tasks gave.
    Inputs,
}

impl fmt::Display for OutsideText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GivenBy(task) => write!(f, "`{task}`, which gives text from outside"),
            Self::OfSubMission(task) => {
                write!(f, "sub-mission `{task}`, which may give text from outside")
            }
            Self::Inputs => {
                f.write_str("this sub-mission's inputs, which may be text from outside")
            }
        }
    }
}

/// A plan as text flows through it.
pub(crate) struct Lineage<'a, F> {
    pub(crate) plan: &'a Plan,
    pub(crate) tools: &'a ToolTable,
    pub(crate) graph: &'a Graph,
    /// Whose text the mission's inputs are.
    pub(crate) inputs: Provenance,
    /// The call of a task as a person changed it: it may refer to more than the plan's does.
    pub(crate) changed: F,
}

impl<'a, F: Fn(u32) -> Option<&'a ToolCall>> Lineage<'a, F> {
    /// The nearest text from outside that these arguments derive from. Looks at what lies behind them, each task
    /// once, and at nothing else of the plan.
    pub(crate) fn outside_text_in(&self, with: &Json) -> Option<OutsideText<'a>> {
        // A table from before provenance was known says nothing of any tool: its missions go on as they began.
        if (self.tools.values()).all(|facts| facts.provenance.is_none()) {
            return None;
        }
        let (mut seen, mut todo) = (BTreeSet::new(), VecDeque::new());
        let mut arguments = Vec::from([with]);
        loop {
            for with in arguments.drain(..) {
                for reference in references_in_json(with.text()) {
                    if reference.is_input() && self.inputs == Provenance::Outside {
                        return Some(OutsideText::Inputs);
                    }
                    let task = reference.task().and_then(|task| self.graph.find(task));
                    todo.extend(task.filter(|&task| seen.insert(task)));
                }
            }
            let at = todo.pop_front()?;
            let Some(spec) = self.plan.tasks.get(at as usize) else {
                continue;
            };
            let first = match &spec.work {
                // What a person says is that person's word, whatever the question showed.
                WorkSpec::Human(_) | WorkSpec::Gate(_) => continue,
                WorkSpec::Mission(_) => return Some(OutsideText::OfSubMission(&spec.key)),
                WorkSpec::Agent(agent) => (agent.route(), &agent.with),
                WorkSpec::Tool(call) => (call.tool.clone(), &call.with),
            };
            // What an agent reads while it thinks is in what it concludes.
            if let WorkSpec::Agent(agent) = &spec.work
                && let Some(reasoning) = &agent.reasoning
                && (reasoning.tools.iter()).any(|tool| self.gives_outside_text(tool))
            {
                return Some(OutsideText::GivenBy(&spec.key));
            }
            // Whichever of its ways it took.
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

    fn gives_outside_text(&self, tool: &ToolId) -> bool {
        let facts = self.tools.get(tool);
        facts.is_none_or(ToolFacts::gives_outside_text)
    }
}
