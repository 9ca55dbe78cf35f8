//! What looks at other tasks: references to their outputs, and gates that send work back to them.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeSet, VecDeque};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Display;

use super::problem::did_you_mean;
use super::{Check, ProblemKind};
use crate::plan::graph::Graph;
use crate::plan::references::{Reference, references, references_in_json};
use crate::plan::{DependencyKind, Plan, WorkSpec};
use crate::{TaskIndex, TaskKey};

impl Check<'_> {
    /// References and gate returns: both must point upstream.
    pub(super) fn look_ups(&mut self) {
        for (at, task) in TaskIndex::all(self.plan.tasks.len()).zip(&self.plan.tasks) {
            let place = format!("tasks[{at}]");
            match &task.work {
                WorkSpec::Tool(call) => {
                    self.references(
                        at,
                        format_args!("{place}.with"),
                        references_in_json(call.with.text()),
                    );
                    if let Some(alternative) = &task.alternative {
                        let here = format_args!("{place}.otherwise.with");
                        self.references(at, here, references_in_json(alternative.with.text()));
                    }
                    if let Some(undo) = &task.undo {
                        let mut found = references_in_json(undo.with.text());
                        // By then it has certainly finished itself.
                        found.retain(|reference| reference.task() != Some(task.key.as_str()));
                        self.references(at, format_args!("{place}.undo.with"), found);
                    }
                }
                WorkSpec::Agent(agent) => {
                    let found = references_in_json(agent.with.text());
                    self.references(at, format_args!("{place}.with"), found);
                    if let Some(alternative) = &task.alternative {
                        let here = format_args!("{place}.otherwise.with");
                        self.references(at, here, references_in_json(alternative.with.text()));
                    }
                }
                WorkSpec::Human(human) => {
                    self.references(
                        at,
                        format_args!("{place}.human.question"),
                        references(&human.question),
                    );
                }
                WorkSpec::Mission(sub) => {
                    if let Some(with) = &sub.with {
                        let here = format_args!("{place}.mission.with");
                        self.references(at, here, references_in_json(with.text()));
                    }
                }
                WorkSpec::Gate(gate) => {
                    if let Some(to) = &gate.return_to {
                        self.gate_return(at, format_args!("{place}.gate.return_to"), to);
                    }
                }
            }
        }
    }

    fn references(&mut self, at: TaskIndex, place: impl Display, found: Vec<Reference>) {
        for reference in found {
            let why = match reference.task() {
                None if reference.is_input() => continue,
                None => "write `{{task.output.field}}` or `{{inputs.name}}`".to_owned(),
                Some(task) => match self.graph.find(task) {
                    None => {
                        let own = self.plan.tasks[at.index()].key.as_str();
                        let near = did_you_mean(&self.near_task(task, own));
                        format!("there is no task `{task}`{near}")
                    }
                    Some(on) if self.finishes_before(on, at) => continue,
                    Some(_) => format!("`{task}` may not have finished; add it to `after`"),
                },
            };
            let text = reference.text;
            self.report(&place, ProblemKind::DanglingReference { text, why });
        }
    }

    /// Whether `on` has certainly finished when `task` starts. Direct dependencies need no search.
    fn finishes_before(&mut self, on: TaskIndex, task: TaskIndex) -> bool {
        let named = self.graph.waits_for(task).iter();
        let direct =
            self.plan.tasks[task.index()]
                .after
                .iter()
                .zip(named)
                .any(|(dependency, named)| {
                    dependency.kind == DependencyKind::FinishToStart && *named == Some(on)
                });
        let (plan, graph) = (self.plan, self.graph);
        direct
            || self
                .upstream
                .get_or_insert_with(|| Upstream::of(plan, graph))
                .contains(task, on)
    }

    /// Everything that hangs on the target must come before the gate or wait for it, or it would keep
    /// what the target gave before.
    fn gate_return(&mut self, gate: TaskIndex, place: impl Display, to: &TaskKey) {
        let Some(target) = self.graph.find(to.as_str()) else {
            let near = self.near_task(to.as_str(), self.plan.tasks[gate.index()].key.as_str());
            let to = to.clone();
            return self.report(place, ProblemKind::UnknownReturn { to, near });
        };
        if !self.finishes_before(target, gate) {
            return self.report(place, ProblemKind::ReturnNotUpstream { to: to.clone() });
        }
        let (mut seen, mut todo) = (BTreeSet::new(), VecDeque::from([target]));
        while let Some(at) = todo.pop_front() {
            if at == gate {
                // What starts when the gate is passed is safe; what goes by its start is not.
                let others = self.graph.dependents(at).iter();
                let loose = others.filter(|other| other.kind != DependencyKind::FinishToStart);
                todo.extend(loose.map(|other| other.task));
                continue;
            }
            if self.finishes_before(gate, at) || !seen.insert(at) {
                continue;
            }
            if at != target && !self.finishes_before(at, gate) {
                let task = self.plan.tasks[at.index()].key.clone();
                let to = to.clone();
                return self.report(place, ProblemKind::ReturnBypassed { to, task });
            }
            todo.extend(
                self.graph
                    .dependents(at)
                    .iter()
                    .map(|dependent| dependent.task),
            );
        }
    }
}

/// For every task, which tasks have certainly finished before it starts.
pub(super) struct Upstream {
    words: usize,
    bits: Vec<u64>,
}

impl Upstream {
    fn of(plan: &Plan, graph: &Graph) -> Self {
        let count = plan.tasks.len();
        let words = count.div_ceil(64);
        let mut upstream = Self {
            words,
            bits: vec![0; words * count],
        };
        let mut by_layer: Vec<TaskIndex> = TaskIndex::all(count).collect();
        by_layer.sort_by_key(|&task| graph.layer(task));
        for on in by_layer {
            for dependent in graph.dependents(on) {
                if dependent.kind == DependencyKind::FinishToStart && dependent.task != on {
                    upstream.inherit(dependent.task, on);
                }
            }
        }
        upstream
    }

    fn inherit(&mut self, task: TaskIndex, on: TaskIndex) {
        let (task, on) = (task.index(), on.index());
        let (to, from, words) = (task * self.words, on * self.words, self.words);
        let (target, source) = if to < from {
            let (low, high) = self.bits.split_at_mut(from);
            (&mut low[to..to + words], &high[..words])
        } else {
            let (low, high) = self.bits.split_at_mut(to);
            (&mut high[..words], &low[from..from + words])
        };
        for (word, more) in target.iter_mut().zip(source) {
            *word |= more;
        }
        self.bits[to + on / 64] |= 1 << (on % 64);
    }

    fn contains(&self, task: TaskIndex, on: TaskIndex) -> bool {
        let (task, on) = (task.index(), on.index());
        self.bits[task * self.words + on / 64] & (1 << (on % 64)) != 0
    }
}
