//! The order a plan demands: circles, and what lies behind them.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::{Check, ProblemKind};
use crate::plan::graph::strongly_connected;
use crate::{TaskIndex, plan::DependencyKind};

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
            let named = self.graph.waits_for(TaskIndex::from_index(at));
            for (dependency, named) in task.after.iter().zip(named) {
                let Some(on) = *named else {
                    unmet[start(at)] += 1;
                    continue;
                };
                let on = on.index();
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
        let mut in_circle = BTreeSet::new();
        for members in strongly_connected(next, |point| unmet[point] > 0) {
            let tasks: BTreeSet<usize> = members.iter().map(|point| point / 2).collect();
            if tasks.len() > 1 {
                let members = self.circle(next, &members.into_iter().collect());
                let first = tasks.iter().next().copied().unwrap_or(0);
                in_circle.extend(tasks);
                self.report(
                    format_args!("tasks[{first}].after"),
                    ProblemKind::Cycle { members },
                );
            }
        }
        for (at, task) in self.plan.tasks.iter().enumerate() {
            let stuck = unmet[2 * at] > 0 || unmet[2 * at + 1] > 0;
            if stuck
                && !in_circle.contains(&at)
                && self
                    .graph
                    .waits_for(TaskIndex::from_index(at))
                    .iter()
                    .all(Option::is_some)
            {
                let task = task.key.clone();
                self.report(
                    format_args!("tasks[{at}]"),
                    ProblemKind::Unreachable { task },
                );
            }
        }
    }

    /// One way around among the points of a component, as the names of its tasks, back to the first.
    fn circle(&self, next: &[Vec<u32>], members: &BTreeSet<usize>) -> Vec<String> {
        let mut path: Vec<usize> = Vec::new();
        let mut here = members.iter().next().copied();
        while let Some(point) = here {
            if let Some(begin) = path.iter().position(|&seen| seen == point) {
                path.drain(..begin);
                path.push(point);
                break;
            }
            path.push(point);
            let onward = next[point].iter().map(|&to| to as usize);
            here = onward.into_iter().find(|to| members.contains(to));
        }
        let mut tasks: Vec<usize> = path.into_iter().map(|point| point / 2).collect();
        tasks.dedup();
        let name = |at: usize| self.plan.tasks[at].key.to_string();
        tasks.into_iter().map(name).collect()
    }
}
