//! The order a plan demands: circles, and what lies behind them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::{Check, ProblemKind};
use crate::plan::DependencyKind;
use crate::plan::graph::strongly_connected;

impl Check<'_> {
    /// Circles, and what lies behind them. Each task has a start and a finish; every dependency orders
    /// two of those points, so mixed kinds are judged by what they really demand.
    pub(super) fn order(&mut self) {
        let count = self.plan.tasks.len();
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); 2 * count];
        let mut unmet = vec![0u32; 2 * count];
        let (start, finish) = (|task: usize| 2 * task, |task: usize| 2 * task + 1);
        for (at, task) in self.plan.tasks.iter().enumerate() {
            next[start(at)].push(finish(at) as u32);
            unmet[finish(at)] += 1;
            for dependency in &task.after {
                let Some(on) = self.graph.find(dependency.task.as_str()) else {
                    unmet[start(at)] += 1;
                    continue;
                };
                let on = on as usize;
                let (from, to) = match dependency.kind {
                    DependencyKind::FinishToStart => (finish(on), start(at)),
                    DependencyKind::StartToStart => (start(on), start(at)),
                    DependencyKind::FinishToFinish => (finish(on), finish(at)),
                    DependencyKind::StartToFinish => (start(on), finish(at)),
                };
                if on != at {
                    next[from].push(to as u32);
                    unmet[to] += 1;
                }
            }
        }
        let mut todo: Vec<usize> = (0..2 * count).filter(|&point| unmet[point] == 0).collect();
        while let Some(point) = todo.pop() {
            for &to in &next[point] {
                unmet[to as usize] -= 1;
                if unmet[to as usize] == 0 {
                    todo.push(to as usize);
                }
            }
        }
        self.circles(&next, &unmet);
    }

    /// Of the points that never became free, those on a circle are reported as one, the rest as unreachable.
    fn circles(&mut self, next: &[Vec<u32>], unmet: &[u32]) {
        let mut in_circle = BTreeMap::new();
        for members in strongly_connected(next, |point| unmet[point] > 0) {
            let tasks: BTreeSet<usize> = members.iter().map(|point| point / 2).collect();
            if tasks.len() > 1 {
                let names = tasks
                    .iter()
                    .map(|&at| self.plan.tasks[at].key.to_string())
                    .collect();
                let first = tasks.iter().next().copied().unwrap_or(0);
                in_circle.extend(tasks.iter().map(|&at| (at, ())));
                self.report(
                    format!("tasks[{first}].after"),
                    ProblemKind::Cycle { members: names },
                );
            }
        }
        for (at, task) in self.plan.tasks.iter().enumerate() {
            let stuck = unmet[2 * at] > 0 || unmet[2 * at + 1] > 0;
            let known = task
                .after
                .iter()
                .all(|on| self.graph.find(on.task.as_str()).is_some());
            if stuck && known && !in_circle.contains_key(&at) {
                let task = task.key.clone();
                self.report(format!("tasks[{at}]"), ProblemKind::Unreachable { task });
            }
        }
    }
}
