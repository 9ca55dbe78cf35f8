//! Doing again what was done: the graph of a workflow that completed and wanted the same is offered as it was, with its order
//! and its references. Only what its arguments say of that occasion is read from the new intent, or asked for.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::arrange::{Arranged, missing_of};
use crate::choose::best_parts;
use crate::clauses::{Clause, clauses};
use crate::coverage::{said_words, telling_words};
use crate::extract;
use crate::graph::{Graph, GraphTask};
use crate::past::{Alike, PastWorkflow, WorkflowOutcome};
use crate::suggester::Suggester;
use crate::suggestion::Why;
use crate::tool::Way;
use crate::words::{is_action, terms, words, worth};

/// From here on two intents may want the same. Of 405 pairs of intents of the authors that are so alike and have the
/// same verbs, 98 % want the same tools; of pairs that are less alike, 80 %: fewer than words alone find.
const REPEATED_FROM: f64 = 0.75;
/// A larger graph is no pattern to repeat.
const TASKS_MAX: usize = 500;

/// A graph that is offered again.
pub(crate) struct Repeated {
    pub(crate) arranged: Arranged,
    pub(crate) of: Alike,
    /// The tools that it calls.
    pub(crate) tools: Vec<usize>,
    /// Of the workflows that wanted the same and called these tools, the share that completed.
    pub(crate) succeeded: f64,
}

/// The graph of the workflow most alike that completed, wanted the same, and can be done again with the tools there are.
pub(crate) fn repeat(
    index: &Suggester,
    intent: &str,
    parts: &[Clause],
    alike: &[Alike],
) -> Option<Repeated> {
    let verbs = telling_verbs(intent);
    let is_same = |alike: &&Alike| {
        alike.similarity >= REPEATED_FROM
            && telling_verbs(&index.past.workflows[alike.workflow].intent) == verbs
    };
    let same: Vec<&Alike> = alike.iter().filter(is_same).collect();
    same.iter().find_map(|of| {
        let workflow = &index.past.workflows[of.workflow];
        if workflow.outcome != WorkflowOutcome::Completed {
            return None;
        }
        let order = order(&workflow.graph)?;
        let tools: Option<Vec<usize>> = order.iter().map(|task| index.number(&task.tool)).collect();
        let tools = tools?;
        let used = workflow.graph.tools();
        let outcomes: Vec<WorkflowOutcome> = same
            .iter()
            .map(|alike| &index.past.workflows[alike.workflow])
            .filter(|other| other.graph.tools() == used)
            .map(|other| other.outcome)
            .collect();
        let completed = outcomes
            .iter()
            .filter(|outcome| **outcome == WorkflowOutcome::Completed);
        Some(Repeated {
            succeeded: completed.count() as f64 / outcomes.len() as f64,
            arranged: arranged(index, intent, parts, workflow, &order, &tools),
            of: **of,
            tools,
        })
    })
}

/// The verbs of an intent by which one task differs from another.
fn telling_verbs(intent: &str) -> BTreeSet<String> {
    let verbs = words(intent).filter(|word| is_action(word));
    let verbs = verbs.flat_map(|word| terms(&word));
    verbs.filter(|verb| worth(verb) >= 1.0).collect()
}

/// The tasks of a graph, each after those that it waits for, otherwise as they stand; nothing if it is no graph that can run.
fn order(graph: &Graph) -> Option<Vec<&GraphTask>> {
    let mut left: Vec<&GraphTask> = graph.tasks.iter().collect();
    if left.is_empty() || left.len() > TASKS_MAX {
        return None;
    }
    let mut done: BTreeSet<&str> = BTreeSet::new();
    let mut order = Vec::new();
    while !left.is_empty() {
        let is_ready = |task: &&GraphTask| {
            let mut before = task.depends_on.iter();
            before.all(|id| done.contains(id.as_str()))
        };
        let next = left.remove(left.iter().position(is_ready)?);
        if !done.insert(&next.id) {
            return None;
        }
        order.push(next);
    }
    Some(order)
}

fn arranged(
    index: &Suggester,
    intent: &str,
    parts: &[Clause],
    workflow: &PastWorkflow,
    order: &[&GraphTask],
    tools: &[usize],
) -> Arranged {
    let before = clauses(&workflow.intent);
    let occasion = Occasion {
        gone: telling_words(&workflow.intent)
            .difference(&telling_words(intent))
            .cloned()
            .collect(),
        ids: order.iter().map(|task| task.id.as_str()).collect(),
    };
    let now = Read {
        parts,
        intent,
        best: best_parts(index, parts, tools),
    };
    let then = Read {
        parts: &before,
        intent: &workflow.intent,
        best: best_parts(index, &before, tools),
    };
    let tool_of: BTreeMap<&str, usize> = order
        .iter()
        .map(|task| task.id.as_str())
        .zip(tools.iter().copied())
        .collect();
    let mut arranged = Arranged::default();
    for (task, &tool) in order.iter().zip(tools) {
        let signature = &index.tools[tool].signature;
        // There is always at least one way.
        let way = signature
            .way_of(&task.arguments)
            .unwrap_or(&signature.ways[0]);
        let (said_now, said_then) = (now.arguments(tool, way), then.arguments(tool, way));
        let mut arguments = Map::new();
        let mut anew = Vec::new();
        for (name, value) in &task.arguments {
            let was_read = said_then.get(name) == Some(value);
            if !was_read && occasion.keeps(value) {
                arguments.insert(name.clone(), value.clone());
                continue;
            }
            if let Some(said) = said_now.get(name) {
                arguments.insert(name.clone(), said.clone());
            }
            if said_now.get(name) != Some(value) {
                anew.push(format!("`{name}`"));
            }
        }
        let again = GraphTask {
            arguments,
            ..(*task).clone()
        };
        arranged.missing.extend(missing_of(way, &again));
        arranged.why.push(Why {
            task: again.id.clone(),
            because: because(workflow, &anew),
        });
        for step in task
            .depends_on
            .iter()
            .map(|id| (tool_of[id.as_str()], tool))
        {
            if step.0 != step.1 && !arranged.steps.contains(&step) {
                arranged.steps.push(step);
            }
        }
        arranged.graph.tasks.push(again);
    }
    arranged
}

fn because(workflow: &PastWorkflow, anew: &[String]) -> String {
    let was = format!("was used by {}, which completed", workflow.id);
    match anew {
        [] => was,
        anew => format!("{was}; not taken from there: {}", anew.join(", ")),
    }
}

/// An intent, and which of its parts speaks most of each tool.
struct Read<'a> {
    parts: &'a [Clause],
    intent: &'a str,
    best: BTreeMap<usize, usize>,
}

impl Read<'_> {
    fn arguments(&self, tool: usize, way: &Way) -> Map<String, Value> {
        let part = self.best.get(&tool).and_then(|at| self.parts.get(*at));
        part.map_or_else(Map::new, |part| {
            extract::arguments(way, &part.text, self.intent)
        })
    }
}

/// By what a value is told that belongs to the occasion of an earlier workflow.
struct Occasion<'a> {
    /// What the earlier intent says and this one does not, as stems.
    gone: BTreeSet<String>,
    ids: BTreeSet<&'a str>,
}

impl Occasion<'_> {
    /// Whether a value says nothing that only the earlier intent said, and refers only to tasks of its graph.
    fn keeps(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.keeps_text(text),
            Value::Number(number) => number
                .as_f64()
                .is_some_and(|number| self.keeps_words(&number.to_string())),
            Value::Array(items) => items.iter().all(|item| self.keeps(item)),
            Value::Object(fields) => fields.values().all(|field| self.keeps(field)),
            Value::Bool(_) | Value::Null => true,
        }
    }

    fn keeps_text(&self, text: &str) -> bool {
        let mut rest = text;
        while let Some(from) = rest.find("{{") {
            let Some(length) = rest[from..].find("}}") else {
                break;
            };
            let (inside, after) = (&rest[from + 2..from + length], &rest[from + length + 2..]);
            let is_result = inside.trim().split_once('.').is_some_and(|(task, part)| {
                self.ids.contains(task) && part.split('.').next() == Some("output")
            });
            if !is_result || inside.contains('{') || !self.keeps_words(&rest[..from]) {
                return false;
            }
            rest = after;
        }
        self.keeps_words(rest)
    }

    fn keeps_words(&self, text: &str) -> bool {
        let mut said = said_words(text);
        !text.contains("{{") && said.all(|(_, stem)| !self.gone.contains(&stem))
    }
}
