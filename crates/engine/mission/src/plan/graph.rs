//! The plan's edges, indexed for the machine: who waits for whom, and in which layer each task stands.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::{DependencyKind, Plan};
use crate::{LayerNumber, Millis, TaskIndex, TaskKey};

/// An edge seen from the task that others wait for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dependent {
    pub(crate) task: TaskIndex,
    pub(crate) kind: DependencyKind,
    pub(crate) lag: Millis,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    index: BTreeMap<TaskKey, TaskIndex>,
    dependents: Vec<Vec<Dependent>>,
    /// For each task's `after`, in order, the task it names.
    waits_for: Vec<Vec<Option<TaskIndex>>>,
    layers: Vec<LayerNumber>,
    layer_sizes: Vec<u32>,
}

impl Graph {
    /// Indexes a plan. Edges to unknown tasks are left out: validation reports them.
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut graph = Self {
            index: BTreeMap::new(),
            dependents: vec![Vec::new(); plan.tasks.len()],
            waits_for: vec![Vec::new(); plan.tasks.len()],
            layers: vec![LayerNumber::FIRST; plan.tasks.len()],
            layer_sizes: Vec::new(),
        };
        for (at, task) in TaskIndex::all(plan.tasks.len()).zip(&plan.tasks) {
            graph.index.entry(task.key.clone()).or_insert(at);
        }
        for (at, task) in TaskIndex::all(plan.tasks.len()).zip(&plan.tasks) {
            for dependency in &task.after {
                let named = graph.index.get(&dependency.task).copied();
                graph.waits_for[at.index()].push(named);
                if let Some(on) = named {
                    let (kind, lag) = (dependency.kind, dependency.lag);
                    graph.dependents[on.index()].push(Dependent {
                        task: at,
                        kind,
                        lag,
                    });
                }
            }
        }
        graph.lay_out();
        graph
    }

    pub(crate) fn find(&self, key: &str) -> Option<TaskIndex> {
        self.index.get(key).copied()
    }

    pub(crate) fn dependents(&self, task: TaskIndex) -> &[Dependent] {
        self.dependents.get(task.index()).map_or(&[], Vec::as_slice)
    }

    /// The tasks that the entries of a task's `after` name, in their order; `None` for one that is not there.
    pub(crate) fn waits_for(&self, task: TaskIndex) -> &[Option<TaskIndex>] {
        self.waits_for.get(task.index()).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn layer(&self, task: TaskIndex) -> LayerNumber {
        self.layers
            .get(task.index())
            .copied()
            .unwrap_or(LayerNumber::FIRST)
    }

    pub(crate) fn layer_sizes(&self) -> &[u32] {
        &self.layer_sizes
    }

    /// Everything that comes after `task`, by any kind of edge, itself included.
    pub(crate) fn downstream(&self, task: TaskIndex) -> Vec<bool> {
        let mut reached = vec![false; self.dependents.len()];
        let mut todo = vec![task];
        while let Some(next) = todo.pop() {
            if core::mem::replace(&mut reached[next.index()], true) {
                continue;
            }
            todo.extend(self.dependents(next).iter().map(|dependent| dependent.task));
        }
        reached
    }

    /// A task's layer is the length of the longest way to it. Tasks bound to each other, as where one
    /// starts after the other and the other finishes after the one, share a layer: they end together.
    fn lay_out(&mut self) {
        let tasks =
            |dependents: &Vec<Dependent>| dependents.iter().map(|to| to.task.get()).collect();
        let next: Vec<Vec<u32>> = self.dependents.iter().map(tasks).collect();
        let bound = strongly_connected(&next, |_| true);
        let mut group = vec![0; next.len()];
        for (number, members) in bound.iter().enumerate() {
            for &at in members {
                group[at] = number;
            }
        }
        for (number, members) in bound.iter().enumerate().rev() {
            let layer = members.iter().map(|&at| self.layers[at]).max();
            let layer = layer.unwrap_or(LayerNumber::FIRST);
            for &at in members {
                self.layers[at] = layer;
                for to in next[at].iter().map(|&to| to as usize) {
                    if group[to] != number {
                        self.layers[to] = self.layers[to].max(layer.next());
                    }
                }
            }
        }
        let deepest = self.layers.iter().max().map_or(0, |layer| layer.index());
        self.layer_sizes = vec![0; deepest + 1];
        for &layer in &self.layers {
            self.layer_sizes[layer.index()] += 1;
        }
    }
}

/// Tarjan's components, without recursion, over the points that `keep` admits. What a
/// component leads to comes before it.
pub(super) fn strongly_connected(
    next: &[Vec<u32>],
    keep: impl Fn(usize) -> bool,
) -> Vec<Vec<usize>> {
    const UNSEEN: u32 = u32::MAX;
    let count = next.len();
    let (mut number, mut low) = (vec![UNSEEN; count], vec![0u32; count]);
    let (mut on_stack, mut stack) = (vec![false; count], Vec::new());
    let (mut components, mut counter) = (Vec::new(), 0);
    for root in (0..count).filter(|&point| keep(point)) {
        if number[root] != UNSEEN {
            continue;
        }
        let mut path = vec![(root, 0usize)];
        while let Some(&mut (point, ref mut edge)) = path.last_mut() {
            if *edge == 0 {
                (number[point], low[point]) = (counter, counter);
                counter += 1;
                stack.push(point);
                on_stack[point] = true;
            }
            if let Some(&to) = next[point].get(*edge) {
                *edge += 1;
                let to = to as usize;
                if !keep(to) {
                    continue;
                }
                if number[to] == UNSEEN {
                    path.push((to, 0));
                } else if on_stack[to] {
                    low[point] = low[point].min(number[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[point]);
            }
            if low[point] == number[point] {
                let mut members = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    members.push(member);
                    if member == point {
                        break;
                    }
                }
                components.push(members);
            }
        }
    }
    components
}
