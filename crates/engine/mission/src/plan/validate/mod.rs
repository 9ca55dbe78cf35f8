//! Validation: every problem of a plan at once, each with its place.

mod agents;
mod approvers;
mod look_ups;
mod order;
mod problem;

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use super::graph::Graph;
use super::{Approval, Plan, Task, ToolCall, ToolTable, WorkSpec, limits};
use crate::{GateVerdict, Millis, TaskIndex, ToolId};
use problem::nearest;
pub use problem::{Problem, ProblemKind, Warning};

/// How many problems may come with a suggestion.
const HINTS_MAX: usize = 20;

impl Plan {
    /// Every problem of this plan, in the order of its text.
    pub fn problems(&self, tools: &ToolTable) -> Vec<Problem> {
        self.problems_below(tools, 0)
    }

    /// As [`Plan::problems`], for a plan with so many missions above it.
    pub(crate) fn problems_below(&self, tools: &ToolTable, above: usize) -> Vec<Problem> {
        let (count, depth) = self.sub_missions();
        let mut problems = self.own_problems(tools);
        for (what, found, limit) in [
            ("sub-missions", count, limits::SUB_MISSIONS_MAX),
            (
                "levels of sub-missions",
                depth + above,
                limits::SUB_MISSION_DEPTH_MAX,
            ),
        ] {
            if found > limit {
                problems.push(Problem {
                    place: "tasks".into(),
                    kind: ProblemKind::OverLimit {
                        what,
                        found: found as u64,
                        limit: limit as u64,
                    },
                });
                return problems;
            }
        }
        for (at, task) in self.tasks.iter().enumerate() {
            if let Some(sub) = task.sub_mission() {
                let inner = sub.plan.problems_below(tools, above + 1).into_iter();
                problems.extend(inner.map(|problem| Problem {
                    place: format!("tasks[{at}].mission.plan.{}", problem.place),
                    ..problem
                }));
            }
        }
        problems
    }

    fn own_problems(&self, tools: &ToolTable) -> Vec<Problem> {
        let graph = Graph::of(self);
        let mut check = Check {
            plan: self,
            tools,
            graph: &graph,
            problems: Vec::new(),
            upstream: None,
        };
        check.whole();
        check.all_approvers();
        if self.tasks.len() <= limits::TASKS_MAX {
            for (at, task) in TaskIndex::all(self.tasks.len()).zip(&self.tasks) {
                check.task(at, task);
            }
            check.agents();
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
                    "gate `{}` waits for no task, so it has nothing to judge",
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
    /// Made only for a plan that points beyond direct dependencies.
    upstream: Option<look_ups::Upstream>,
}

impl Check<'_> {
    fn report(&mut self, place: impl Display, kind: ProblemKind) {
        self.problems.push(Problem {
            place: place.to_string(),
            kind,
        });
    }

    fn at_most(&mut self, place: impl Display, what: &'static str, found: usize, limit: usize) {
        if found > limit {
            let (found, limit) = (found as u64, limit as u64);
            self.report(place, ProblemKind::OverLimit { what, found, limit });
        }
    }

    fn duration(&mut self, place: impl Display, what: &'static str, found: Millis) {
        if found > limits::DURATION_MAX {
            let (found, limit) = (found.0, limits::DURATION_MAX.0);
            self.report(place, ProblemKind::OverLimit { what, found, limit });
        }
    }

    fn text(&mut self, place: impl Display, what: &'static str, text: &str) {
        self.at_most(place, what, text.len(), limits::TEXT_BYTES_MAX);
    }

    fn whole(&mut self) {
        let plan = self.plan;
        if plan.title.trim().is_empty() {
            self.report("title", ProblemKind::Blank { what: "the title" });
        }
        self.text("title", "bytes of title", &plan.title);
        self.text("objective", "bytes of objective", &plan.objective);
        let constraints = plan.constraints.len();
        let most = limits::CONSTRAINTS_MAX;
        self.at_most("constraints", "constraints", constraints, most);
        for (n, constraint) in plan.constraints.iter().enumerate() {
            let here = format_args!("constraints[{n}]");
            self.text(here, "bytes of constraint", constraint);
        }
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
            "checkpoint_deadline",
            "milliseconds",
            plan.checkpoint_deadline,
        );
        if let Some(wall_time) = plan.caps.wall_time {
            self.duration("caps.wall_time", "milliseconds", wall_time);
        }
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

    fn task(&mut self, at: TaskIndex, task: &Task) {
        let place = format!("tasks[{at}]");
        if task.key.as_str() == "inputs" {
            self.report(format_args!("{place}.id"), ProblemKind::ReservedKey);
        }
        if task.key.as_str().contains('.') {
            self.report(format_args!("{place}.id"), ProblemKind::DottedKey);
        }
        if let Some(first) = self.graph.find(task.key.as_str())
            && first < at
        {
            let first = format!("tasks[{first}]");
            self.report(
                format_args!("{place}.id"),
                ProblemKind::Duplicate {
                    key: task.key.clone(),
                    first,
                },
            );
        }
        self.text(format_args!("{place}.title"), "bytes of title", &task.title);
        let attempts = usize::from(task.retry.attempts);
        self.at_most(
            format_args!("{place}.retry.attempts"),
            "tries",
            attempts,
            limits::ATTEMPTS_MAX.into(),
        );
        if attempts == 0 {
            self.report(
                format_args!("{place}.retry.attempts"),
                ProblemKind::UnderLimit {
                    what: "tries",
                    found: 0,
                    least: 1,
                },
            );
        }
        self.duration(
            format_args!("{place}.retry.backoff_max"),
            "milliseconds",
            task.retry.backoff_max.max(task.retry.backoff),
        );
        if let Some(wall_time) = task.caps.wall_time {
            self.duration(
                format_args!("{place}.caps.wall_time"),
                "milliseconds",
                wall_time,
            );
        }
        let resources = task.resources.len();
        self.at_most(
            format_args!("{place}.resources"),
            "resources",
            resources,
            limits::RESOURCES_PER_TASK_MAX,
        );
        self.at_most(
            format_args!("{place}.tags"),
            "tags",
            task.tags.len(),
            limits::TAGS_PER_TASK_MAX,
        );
        self.dependencies(at, &place, task);
        self.work(&place, task);
    }

    fn dependencies(&mut self, at: TaskIndex, place: &str, task: &Task) {
        let count = task.after.len();
        self.at_most(
            format_args!("{place}.after"),
            "dependencies",
            count,
            limits::DEPENDENCIES_PER_TASK_MAX,
        );
        let graph = self.graph;
        let mut seen = BTreeSet::new();
        for (n, (dependency, named)) in task.after.iter().zip(graph.waits_for(at)).enumerate() {
            let here = format_args!("{place}.after[{n}]");
            let both = || (task.key.clone(), dependency.task.clone());
            if dependency.task == task.key {
                self.report(here, ProblemKind::SelfDependency { task: both().0 });
            } else if named.is_none() {
                let ((task, on), near) = (
                    both(),
                    self.near_task(dependency.task.as_str(), task.key.as_str()),
                );
                self.report(here, ProblemKind::UnknownDependency { task, on, near });
            } else if !seen.insert(*named) {
                let (task, on) = both();
                self.report(here, ProblemKind::RepeatedDependency { task, on });
            } else {
                self.duration(format_args!("{here}.lag"), "milliseconds", dependency.lag);
            }
        }
    }

    /// A task whose key is nearly `wrong`. Looked for only while the list of problems is short: whoever has
    /// more needs no hints, and looking costs a walk over the plan.
    fn near_task(&self, wrong: &str, except: &str) -> Option<String> {
        let keys = self.plan.tasks.iter().map(|task| task.key.as_str());
        let few = self.problems.len() < HINTS_MAX;
        few.then(|| nearest(wrong, keys.filter(|key| *key != except)))?
    }

    fn work(&mut self, place: &str, task: &Task) {
        match &task.work {
            WorkSpec::Tool(call) => {
                self.tool(format_args!("{place}.tool"), call);
                if let Some(alternative) = &task.alternative {
                    self.tool(format_args!("{place}.otherwise.tool"), alternative);
                }
                if let Some(undo) = &task.undo {
                    self.tool(format_args!("{place}.undo.tool"), &undo.call());
                }
                return;
            }
            WorkSpec::Agent(agent) => {
                let here = format_args!("{place}.with");
                let bytes = agent.with.text().len();
                self.at_most(here, "bytes of input", bytes, limits::ARGUMENTS_BYTES_MAX);
                if !self.tools.contains_key(&agent.route()) {
                    let level = agent.level.name();
                    self.report(
                        format_args!("{place}.agent"),
                        ProblemKind::NoModel { level },
                    );
                }
                if let Some(alternative) = &task.alternative {
                    self.tool(format_args!("{place}.otherwise.tool"), alternative);
                }
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
                    format_args!("{place}.human.question"),
                    "bytes of question",
                    &human.question,
                );
                if let Some(who) = &human.approvers {
                    self.approvers(format_args!("{place}.human.approvers"), who);
                }
                if let Some(deadline) = human.deadline {
                    self.duration(
                        format_args!("{place}.human.deadline"),
                        "milliseconds",
                        deadline,
                    );
                }
                let count = human.options.len();
                self.at_most(
                    format_args!("{place}.human.options"),
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
                let named = [
                    ("recommend", &human.recommend),
                    ("on_modify", &human.on_modify),
                ];
                for (field, key) in named {
                    let unknown = key.as_ref().filter(|key| !seen.contains(*key));
                    if let Some(key) = unknown {
                        let key = key.to_string();
                        self.report(
                            format_args!("{place}.human.{field}"),
                            ProblemKind::UnknownRecommendation { key },
                        );
                    }
                }
            }
            WorkSpec::Mission(sub) => {
                let bytes = sub.with.as_ref().map_or(0, |with| with.text().len());
                let here = format_args!("{place}.mission.with");
                self.at_most(here, "bytes of inputs", bytes, limits::ARGUMENTS_BYTES_MAX);
            }
            WorkSpec::Gate(gate) => {
                let count = gate.rules.len();
                self.at_most(
                    format_args!("{place}.gate.rules"),
                    "rules",
                    count,
                    limits::GATE_RULES_MAX,
                );
                if count == 0 {
                    self.report(
                        format_args!("{place}.gate.rules"),
                        ProblemKind::Blank { what: "the rules" },
                    );
                }
                let returns = usize::from(gate.returns_max);
                self.at_most(
                    format_args!("{place}.gate.returns_max"),
                    "returns",
                    returns,
                    limits::GATE_RETURNS_MAX.into(),
                );
                let repairs = gate
                    .rules
                    .iter()
                    .any(|rule| rule.verdict == GateVerdict::Repairable);
                if repairs && gate.return_to.is_none() {
                    self.report(
                        format_args!("{place}.gate.rules"),
                        ProblemKind::ReturnMissing,
                    );
                }
            }
        }
        if task.alternative.is_some() && !matches!(task.work, WorkSpec::Agent(_)) {
            let here = format!("{place}.otherwise");
            self.report(
                here,
                ProblemKind::OnlyForTools {
                    what: "an alternative",
                },
            );
        }
        if task.undo.is_some() {
            let here = format!("{place}.undo");
            self.report(here, ProblemKind::OnlyForTools { what: "an undo" });
        }
        if task.approval != Approval::default() {
            self.report(
                format_args!("{place}.approval"),
                ProblemKind::OnlyForTools {
                    what: "an approval",
                },
            );
        }
    }

    fn tool(&mut self, place: impl Display, call: &ToolCall) {
        let bytes = call.with.text().len();
        self.at_most(
            &place,
            "bytes of arguments",
            bytes,
            limits::ARGUMENTS_BYTES_MAX,
        );
        self.known_tool(place, &call.tool);
    }

    fn known_tool(&mut self, place: impl Display, tool: &ToolId) {
        if self.tools.contains_key(tool) {
            return;
        }
        let near = nearest(tool.as_str(), self.tools.keys().map(ToolId::as_str));
        let tool = tool.to_string();
        self.report(place, ProblemKind::UnknownTool { tool, near });
    }
}
