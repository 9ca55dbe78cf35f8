//! What looks at other tasks: references to their outputs, and gates that send work back to them.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::problem::did_you_mean;
use super::{Check, ProblemKind};
use crate::TaskKey;
use crate::plan::graph::Graph;
use crate::plan::references::references;
use crate::plan::{DependencyKind, Plan, Task, ToolCall, WorkSpec};

impl Check<'_> {
    /// References and gate returns: both must point upstream.
    pub(super) fn look_ups(&mut self) {
        if !self.plan.tasks.iter().any(looks_up) {
            return;
        }
        let upstream = Upstream::of(self.plan, self.graph);
        for (at, task) in self.plan.tasks.iter().enumerate() {
            let place = format!("tasks[{at}]");
            match &task.work {
                WorkSpec::Tool(call) => {
                    self.references(&upstream, at, &format!("{place}.with"), call.with.text());
                    if let Some(alternative) = &task.alternative {
                        let here = format!("{place}.otherwise.with");
                        self.references(&upstream, at, &here, alternative.with.text());
                    }
                }
                WorkSpec::Human(human) => {
                    self.references(
                        &upstream,
                        at,
                        &format!("{place}.human.question"),
                        &human.question,
                    );
                }
                WorkSpec::Gate(gate) => {
                    if let Some(to) = &gate.return_to {
                        self.gate_return(&upstream, at, &format!("{place}.gate.return_to"), to);
                    }
                }
            }
        }
    }

    fn references(&mut self, upstream: &Upstream, at: usize, place: &str, text: &str) {
        for reference in references(text) {
            let why = match reference.task() {
                None if reference.is_input() => continue,
                None => "write `{{task.output.field}}` or `{{inputs.name}}`".to_owned(),
                Some(task) => match self.graph.find(task) {
                    None => format!(
                        "there is no task `{task}`{}",
                        did_you_mean(&self.near_task(task))
                    ),
                    Some(on) if upstream.contains(at, on as usize) => continue,
                    Some(_) => format!("`{task}` may not have finished; add it to `after`"),
                },
            };
            self.report(
                place,
                ProblemKind::DanglingReference {
                    text: reference.text,
                    why,
                },
            );
        }
    }

    fn gate_return(&mut self, upstream: &Upstream, gate: usize, place: &str, to: &TaskKey) {
        let Some(target) = self.graph.find(to.as_str()) else {
            let near = self.near_task(to.as_str());
            return self.report(
                place,
                ProblemKind::UnknownReturn {
                    to: to.clone(),
                    near,
                },
            );
        };
        if !upstream.contains(gate, target as usize) {
            return self.report(place, ProblemKind::ReturnNotUpstream { to: to.clone() });
        }
        let after_target = self.graph.downstream(target);
        for at in (0..after_target.len()).filter(|&at| after_target[at]) {
            let before = at == target as usize || at == gate || upstream.contains(gate, at);
            if !before && !upstream.contains(at, gate) {
                let task = self.plan.tasks[at].key.clone();
                let to = to.clone();
                return self.report(place, ProblemKind::ReturnBypassed { to, task });
            }
        }
    }
}

fn looks_up(task: &Task) -> bool {
    let refers = |call: &ToolCall| call.with.text().contains("{{");
    match &task.work {
        WorkSpec::Tool(call) => refers(call) || task.alternative.as_ref().is_some_and(refers),
        WorkSpec::Human(human) => human.question.contains("{{"),
        WorkSpec::Gate(gate) => gate.return_to.is_some(),
    }
}

/// For every task, which tasks have certainly finished before it starts.
struct Upstream {
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
        let mut by_layer: Vec<u32> = (0..count as u32).collect();
        by_layer.sort_by_key(|&task| graph.layer(task));
        for on in by_layer {
            for dependent in graph.dependents(on) {
                if dependent.kind == DependencyKind::FinishToStart && dependent.task != on {
                    upstream.inherit(dependent.task as usize, on as usize);
                }
            }
        }
        upstream
    }

    fn inherit(&mut self, task: usize, on: usize) {
        let (to, from) = (task * self.words, on * self.words);
        for word in 0..self.words {
            self.bits[to + word] |= self.bits[from + word];
        }
        self.bits[to + on / 64] |= 1 << (on % 64);
    }

    fn contains(&self, task: usize, on: usize) -> bool {
        self.bits[task * self.words + on / 64] & (1 << (on % 64)) != 0
    }
}
