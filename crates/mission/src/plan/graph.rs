//! The plan's edges, indexed for the machine: who waits for whom, and in which layer each task stands.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::{DependencyKind, Plan};
use crate::{Millis, TaskKey};

/// An edge seen from the task that others wait for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dependent {
    pub(crate) task: u32,
    pub(crate) kind: DependencyKind,
    pub(crate) lag: Millis,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    index: BTreeMap<TaskKey, u32>,
    dependents: Vec<Vec<Dependent>>,
    layers: Vec<u32>,
    layer_sizes: Vec<u32>,
}

impl Graph {
    /// Indexes a plan. Edges to unknown tasks are left out: validation reports them.
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut graph = Self {
            index: BTreeMap::new(),
            dependents: vec![Vec::new(); plan.tasks.len()],
            layers: vec![0; plan.tasks.len()],
            layer_sizes: Vec::new(),
        };
        for (at, task) in (0u32..).zip(&plan.tasks) {
            graph.index.entry(task.key.clone()).or_insert(at);
        }
        for (at, task) in (0u32..).zip(&plan.tasks) {
            for dependency in &task.after {
                if let Some(&on) = graph.index.get(&dependency.task) {
                    let (kind, lag) = (dependency.kind, dependency.lag);
                    graph.dependents[on as usize].push(Dependent {
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

    pub(crate) fn find(&self, key: &str) -> Option<u32> {
        self.index.get(key).copied()
    }

    pub(crate) fn dependents(&self, task: u32) -> &[Dependent] {
        self.dependents
            .get(task as usize)
            .map_or(&[], Vec::as_slice)
    }

    pub(crate) fn layer(&self, task: u32) -> u32 {
        self.layers.get(task as usize).copied().unwrap_or(0)
    }

    pub(crate) fn layer_sizes(&self) -> &[u32] {
        &self.layer_sizes
    }

    /// Everything that comes after `task`, by any kind of edge, itself included.
    pub(crate) fn downstream(&self, task: u32) -> Vec<bool> {
        let mut reached = vec![false; self.dependents.len()];
        let mut todo = vec![task];
        while let Some(next) = todo.pop() {
            if core::mem::replace(&mut reached[next as usize], true) {
                continue;
            }
            todo.extend(self.dependents(next).iter().map(|dependent| dependent.task));
        }
        reached
    }

    /// A task's layer is the length of the longest way to it; members of a cycle stay in layer 0.
    fn lay_out(&mut self) {
        let count = self.dependents.len();
        let mut unmet = vec![0u32; count];
        for dependent in self.dependents.iter().flatten() {
            unmet[dependent.task as usize] += 1;
        }
        let mut todo: Vec<u32> = (0u32..)
            .zip(&unmet)
            .filter(|(_, unmet)| **unmet == 0)
            .map(|(at, _)| at)
            .collect();
        while let Some(task) = todo.pop() {
            let below = self.layers[task as usize] + 1;
            for dependent in &self.dependents[task as usize] {
                let at = dependent.task as usize;
                self.layers[at] = self.layers[at].max(below);
                unmet[at] -= 1;
                if unmet[at] == 0 {
                    todo.push(dependent.task);
                }
            }
        }
        let deepest = self.layers.iter().copied().max().unwrap_or(0) as usize;
        self.layer_sizes = vec![0; deepest + 1];
        for &layer in &self.layers {
            self.layer_sizes[layer as usize] += 1;
        }
    }
}
