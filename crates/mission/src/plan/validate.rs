//! Validation: every problem of a plan at once, each with its place.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::graph::Graph;
use super::references::references;
use super::{DependencyKind, Plan, Task, ToolTable, WorkSpec, limits};
use crate::{GateVerdict, Millis, TaskKey};

/// Something that keeps a plan from being run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Path into the plan: `tasks[3].after[0]`.
    pub place: String,
    pub kind: ProblemKind,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

/// Something worth knowing that does not keep a plan from being run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub place: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemKind {
    #[error("a plan needs at least one task")]
    Empty,
    #[error("{what}: {found} is over the limit of {limit}")]
    OverLimit {
        what: &'static str,
        found: u64,
        limit: u64,
    },
    #[error("{what}: {found} is below {least}")]
    UnderLimit {
        what: &'static str,
        found: u64,
        least: u64,
    },
    #[error("task `{key}` is defined twice; the first is {first}")]
    Duplicate { key: TaskKey, first: String },
    #[error("`inputs` names the mission's inputs and cannot be a task's key")]
    ReservedKey,
    #[error("task `{task}` waits for `{on}`, which is not in the plan{}", did_you_mean(.near))]
    UnknownDependency {
        task: TaskKey,
        on: TaskKey,
        near: Option<String>,
    },
    #[error("task `{task}` waits for itself")]
    SelfDependency { task: TaskKey },
    #[error("task `{task}` waits for `{on}` twice")]
    RepeatedDependency { task: TaskKey, on: TaskKey },
    #[error("these tasks wait for each other in a circle: {}", .members.join(" -> "))]
    Cycle { members: Vec<String> },
    #[error("task `{task}` can never start: it waits for a circle or for a task that is not there")]
    Unreachable { task: TaskKey },
    #[error("there is no tool `{tool}`{}", did_you_mean(.near))]
    UnknownTool { tool: String, near: Option<String> },
    #[error("`{{{{{text}}}}}` points at nothing: {why}")]
    DanglingReference { text: String, why: String },
    #[error("there is no task `{to}` to return to{}", did_you_mean(.near))]
    UnknownReturn { to: TaskKey, near: Option<String> },
    #[error("a gate can only return to a task it waits for, directly or not; `{to}` is none")]
    ReturnNotUpstream { to: TaskKey },
    #[error(
        "task `{task}` follows `{to}` without passing this gate, so `{to}` cannot be done again"
    )]
    ReturnBypassed { to: TaskKey, task: TaskKey },
    #[error("a `repairable` verdict needs `return_to`")]
    ReturnMissing,
    #[error("option `{key}` is offered twice")]
    RepeatedOption { key: String },
    #[error("the recommended option `{key}` is not among the options")]
    UnknownRecommendation { key: String },
    #[error("{what} must not be empty")]
    Blank { what: &'static str },
    #[error("only a tool task can have {what}")]
    OnlyForTools { what: &'static str },
    /// Found by a checker outside the machine: a tool's schema, a rule's grammar.
    #[error("{text}")]
    Unfit { text: String },
}

impl ProblemKind {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "ADJ-1001",
            Self::OverLimit { .. } | Self::UnderLimit { .. } => "ADJ-1002",
            Self::Duplicate { .. } | Self::ReservedKey => "ADJ-1003",
            Self::UnknownDependency { .. } => "ADJ-1004",
            Self::SelfDependency { .. } | Self::RepeatedDependency { .. } => "ADJ-1005",
            Self::Cycle { .. } => "ADJ-1006",
            Self::Unreachable { .. } => "ADJ-1007",
            Self::UnknownTool { .. } => "ADJ-1008",
            Self::DanglingReference { .. } => "ADJ-1009",
            Self::UnknownReturn { .. }
            | Self::ReturnNotUpstream { .. }
            | Self::ReturnBypassed { .. }
            | Self::ReturnMissing => "ADJ-1010",
            Self::RepeatedOption { .. } | Self::UnknownRecommendation { .. } => "ADJ-1011",
            Self::Blank { .. } => "ADJ-1012",
            Self::OnlyForTools { .. } => "ADJ-1013",
            Self::Unfit { .. } => "ADJ-1014",
        }
    }
}

fn did_you_mean(near: &Option<String>) -> String {
    near.as_ref()
        .map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

/// The candidate that differs by at most two edits, if one does.
fn nearest<'a>(wrong: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    candidates
        .filter(|known| known.len().abs_diff(wrong.len()) <= 2)
        .map(|known| (edits(wrong, known), known))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map(|(_, known)| known.to_owned())
}

fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

impl Plan {
    /// Every problem of this plan, in the order of its text.
    pub fn problems(&self, tools: &ToolTable) -> Vec<Problem> {
        let graph = Graph::of(self);
        let mut check = Check {
            plan: self,
            tools,
            graph: &graph,
            problems: Vec::new(),
        };
        check.whole();
        if self.tasks.len() <= limits::TASKS_MAX {
            for (at, task) in self.tasks.iter().enumerate() {
                check.task(at, task);
            }
            check.order();
            check.look_ups();
        }
        check.problems
    }

    /// What is allowed but may surprise.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (at, task) in self.tasks.iter().enumerate() {
            if matches!(task.work, WorkSpec::Gate(_)) && task.after.is_empty() {
                let text = format!(
                    "gate `{}` waits for nothing, so it judges nothing",
                    task.key
                );
                warnings.push(Warning {
                    place: format!("tasks[{at}]"),
                    text,
                });
            }
        }
        warnings
    }
}

struct Check<'a> {
    plan: &'a Plan,
    tools: &'a ToolTable,
    graph: &'a Graph,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn report(&mut self, place: impl Into<String>, kind: ProblemKind) {
        self.problems.push(Problem {
            place: place.into(),
            kind,
        });
    }

    fn at_most(
        &mut self,
        place: impl Into<String>,
        what: &'static str,
        found: usize,
        limit: usize,
    ) {
        if found > limit {
            let (found, limit) = (found as u64, limit as u64);
            self.report(place, ProblemKind::OverLimit { what, found, limit });
        }
    }

    fn duration(&mut self, place: String, what: &'static str, found: Millis) {
        if found > limits::DURATION_MAX {
            let (found, limit) = (found.0, limits::DURATION_MAX.0);
            self.report(place, ProblemKind::OverLimit { what, found, limit });
        }
    }

    fn text(&mut self, place: String, what: &'static str, text: &str) {
        self.at_most(place, what, text.len(), limits::TEXT_BYTES_MAX);
    }

    fn whole(&mut self) {
        let plan = self.plan;
        if plan.title.trim().is_empty() {
            self.report("title", ProblemKind::Blank { what: "the title" });
        }
        self.text("title".into(), "bytes of title", &plan.title);
        self.text("objective".into(), "bytes of objective", &plan.objective);
        let concurrency = usize::from(plan.concurrency);
        self.at_most(
            "concurrency",
            "concurrency",
            concurrency,
            limits::CONCURRENCY_MAX.into(),
        );
        if concurrency == 0 {
            self.report(
                "concurrency",
                ProblemKind::UnderLimit {
                    what: "concurrency",
                    found: 0,
                    least: 1,
                },
            );
        }
        self.duration(
            "checkpoint_deadline".into(),
            "milliseconds",
            plan.checkpoint_deadline,
        );
        if plan.tasks.is_empty() {
            self.report("tasks", ProblemKind::Empty);
        }
        self.at_most("tasks", "tasks", plan.tasks.len(), limits::TASKS_MAX);
        let edges = plan.tasks.iter().map(|task| task.after.len()).sum();
        self.at_most(
            "tasks",
            "dependencies in all",
            edges,
            limits::DEPENDENCIES_MAX,
        );
    }

    fn task(&mut self, at: usize, task: &Task) {
        let place = format!("tasks[{at}]");
        if task.key.as_str() == "inputs" {
            self.report(format!("{place}.id"), ProblemKind::ReservedKey);
        }
        if let Some(first) = self.graph.find(task.key.as_str())
            && (first as usize) < at
        {
            let first = format!("tasks[{first}]");
            self.report(
                format!("{place}.id"),
                ProblemKind::Duplicate {
                    key: task.key.clone(),
                    first,
                },
            );
        }
        self.text(format!("{place}.title"), "bytes of title", &task.title);
        let attempts = usize::from(task.retry.attempts);
        self.at_most(
            format!("{place}.retry.attempts"),
            "tries",
            attempts,
            limits::ATTEMPTS_MAX.into(),
        );
        if attempts == 0 {
            self.report(
                format!("{place}.retry.attempts"),
                ProblemKind::UnderLimit {
                    what: "tries",
                    found: 0,
                    least: 1,
                },
            );
        }
        self.duration(
            format!("{place}.retry.backoff_max"),
            "milliseconds",
            task.retry.backoff_max,
        );
        let resources = task.resources.len();
        self.at_most(
            format!("{place}.resources"),
            "resources",
            resources,
            limits::RESOURCES_PER_TASK_MAX,
        );
        self.at_most(
            format!("{place}.tags"),
            "tags",
            task.tags.len(),
            limits::TAGS_PER_TASK_MAX,
        );
        self.dependencies(&place, task);
        self.work(&place, task);
    }

    fn dependencies(&mut self, place: &str, task: &Task) {
        let count = task.after.len();
        self.at_most(
            format!("{place}.after"),
            "dependencies",
            count,
            limits::DEPENDENCIES_PER_TASK_MAX,
        );
        let mut seen = BTreeSet::new();
        for (n, dependency) in task.after.iter().enumerate() {
            let here = format!("{place}.after[{n}]");
            let (task, on) = (task.key.clone(), dependency.task.clone());
            if on == task {
                self.report(here, ProblemKind::SelfDependency { task });
            } else if self.graph.find(on.as_str()).is_none() {
                let near = self.near_task(on.as_str());
                self.report(here, ProblemKind::UnknownDependency { task, on, near });
            } else if !seen.insert(&dependency.task) {
                self.report(here, ProblemKind::RepeatedDependency { task, on });
            } else {
                self.duration(format!("{here}.lag"), "milliseconds", dependency.lag);
            }
        }
    }

    fn near_task(&self, wrong: &str) -> Option<String> {
        nearest(wrong, self.plan.tasks.iter().map(|task| task.key.as_str()))
    }

    fn work(&mut self, place: &str, task: &Task) {
        match &task.work {
            WorkSpec::Tool(call) => {
                self.tool(format!("{place}.tool"), call);
                if let Some(alternative) = &task.alternative {
                    self.tool(format!("{place}.otherwise.tool"), alternative);
                }
                return;
            }
            WorkSpec::Human(human) => {
                if human.question.trim().is_empty() {
                    let here = format!("{place}.human.question");
                    self.report(
                        here,
                        ProblemKind::Blank {
                            what: "the question",
                        },
                    );
                }
                self.text(
                    format!("{place}.human.question"),
                    "bytes of question",
                    &human.question,
                );
                let count = human.options.len();
                self.at_most(
                    format!("{place}.human.options"),
                    "options",
                    count,
                    limits::OPTIONS_MAX,
                );
                let mut seen = BTreeSet::new();
                for (n, option) in human.options.iter().enumerate() {
                    if !seen.insert(&option.key) {
                        let key = option.key.to_string();
                        let here = format!("{place}.human.options[{n}]");
                        self.report(here, ProblemKind::RepeatedOption { key });
                    }
                }
                if let Some(key) = &human.recommend
                    && !seen.contains(key)
                {
                    let here = format!("{place}.human.recommend");
                    self.report(
                        here,
                        ProblemKind::UnknownRecommendation {
                            key: key.to_string(),
                        },
                    );
                }
            }
            WorkSpec::Gate(gate) => {
                let count = gate.rules.len();
                self.at_most(
                    format!("{place}.gate.rules"),
                    "rules",
                    count,
                    limits::GATE_RULES_MAX,
                );
                if count == 0 {
                    self.report(
                        format!("{place}.gate.rules"),
                        ProblemKind::Blank { what: "the rules" },
                    );
                }
                let returns = usize::from(gate.returns_max);
                let here = format!("{place}.gate.returns_max");
                self.at_most(here, "returns", returns, limits::GATE_RETURNS_MAX.into());
                let repairs = gate
                    .rules
                    .iter()
                    .any(|rule| rule.verdict == GateVerdict::Repairable);
                if repairs && gate.return_to.is_none() {
                    self.report(format!("{place}.gate.rules"), ProblemKind::ReturnMissing);
                }
            }
        }
        if task.alternative.is_some() {
            let here = format!("{place}.otherwise");
            self.report(
                here,
                ProblemKind::OnlyForTools {
                    what: "an alternative",
                },
            );
        }
        if task.approval != super::Approval::default() {
            self.report(
                format!("{place}.approval"),
                ProblemKind::OnlyForTools {
                    what: "an approval",
                },
            );
        }
    }

    fn tool(&mut self, place: String, call: &super::ToolCall) {
        let bytes = call.with.text().len();
        self.at_most(
            place.clone(),
            "bytes of arguments",
            bytes,
            limits::ARGUMENTS_BYTES_MAX,
        );
        if !self.tools.contains_key(&call.tool) {
            let near = nearest(
                call.tool.as_str(),
                self.tools.keys().map(crate::ToolId::as_str),
            );
            self.report(
                place,
                ProblemKind::UnknownTool {
                    tool: call.tool.to_string(),
                    near,
                },
            );
        }
    }

    /// Circles, and what lies behind them. Each task has a start and a finish; every dependency orders
    /// two of those points, so mixed kinds are judged by what they really demand.
    fn order(&mut self) {
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

    /// References and gate returns: both must point upstream.
    fn look_ups(&mut self) {
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
