//! The order a plan demands: circles, and what lies behind them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::{Check, ProblemKind};
use crate::plan::DependencyKind;

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

/// Tarjan's components, without recursion, over the points that `keep` admits.
fn strongly_connected(next: &[Vec<u32>], keep: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
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
