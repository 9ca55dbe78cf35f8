//! Patch files: how a plan is to change, read against the plan as it is, so that every problem of the changed plan
//! is found before anything changes, and carried back to its line where the patch is at fault.

use std::collections::BTreeSet;

use adjutant_mission::{Plan, PlanPatch, ProblemKind, Task, TaskKey, limits};

use crate::checks::{self, Finding};
use crate::problem::{Position, code};
use crate::reader::{Place, Reader};
use crate::tree::Node;
use crate::{Checker, FileProblem, PlanErrors};

const PATCH_FIELDS: [&str; 5] = ["add", "change", "drop", "caps", "constraints"];

/// Reads a patch file and checks the plan that it leads to.
pub fn read_patch(
    text: &[u8],
    plan: &Plan,
    checker: &dyn Checker,
) -> Result<PlanPatch, PlanErrors> {
    let (mut reader, root) = crate::begin(text).map_err(of_patch)?;
    let mut patch = reader.patch(&root);
    let whole = reader.problems.is_empty();
    match patch.applied_to(plan) {
        _ if !whole => {}
        _ if patch.is_empty() => reader.problems.push(changes_nothing(root.at)),
        Ok(changed) if changed.tasks.len() <= limits::TASKS_MAX => {
            let places = Places::of(&patch, &changed);
            let mut tools = checker.tools(&changed);
            checks::check_patched(&mut reader, &changed, &tools, &places, &root, checker);
            tools.retain(|id, _| changed.uses_tool(id));
            patch.tools = tools;
        }
        Ok(_) => {}
        Err(why) => {
            let remedy = "Look at the plan as it is with `adjutant show`.";
            let message = format!("the patch does not fit the plan: {why}");
            let place = misfit(&patch, plan);
            let at = root.locate(&place);
            let problem = FileProblem::new(code::SHAPE, at, place, message, remedy);
            reader.problems.push(problem);
        }
    }
    match reader.problems.into_errors() {
        Some(errors) => Err(errors),
        None => Ok(patch),
    }
}

fn changes_nothing(at: Position) -> FileProblem {
    let remedy = "Write at least one of `add:`, `change:`, `drop:`, `caps:` and `constraints:`; docs/changing-plans.md has an example.";
    FileProblem::new(code::EMPTY, at, "", "the patch changes nothing", remedy)
}

/// What is said of an empty plan is no help to whoever writes a patch.
fn of_patch(mut errors: PlanErrors) -> PlanErrors {
    for problem in &mut errors.problems {
        if problem.code == code::EMPTY {
            *problem = changes_nothing(Position::START);
        }
    }
    errors
}

/// Where the first task stands that keeps the patch from fitting the plan.
fn misfit(patch: &PlanPatch, plan: &Plan) -> String {
    let has = |key: &TaskKey| plan.tasks.iter().any(|task| task.key == *key);
    let named = |list: &str, at: usize| format!("{list}[{at}]");
    let change = patch.change.iter().map(|task| &task.key).enumerate();
    let drop = patch.drop.iter().enumerate();
    let add = patch.add.iter().map(|task| &task.key).enumerate();
    let change = change.map(|(at, key)| (named("change", at), key));
    let touched: Vec<_> = change
        .chain(drop.map(|(at, key)| (named("drop", at), key)))
        .collect();
    let add: Vec<_> = add.map(|(at, key)| (named("add", at), key)).collect();
    let mut seen = BTreeSet::new();
    let mut all = touched.iter().chain(&add);
    let twice = all.find(|(_, key)| !seen.insert(*key));
    let unknown = || touched.iter().find(|(_, key)| !has(key));
    let there_already = || add.iter().find(|(_, key)| has(key));
    let first = twice.or_else(unknown).or_else(there_already);
    first.map_or(String::new(), |(place, _)| place.clone())
}

/// Where the words of the changed plan stand in the patch that led to it.
pub(crate) struct Places {
    /// For each task its key, and its place; nothing for those that the patch leaves alone.
    tasks: Vec<(TaskKey, Option<String>)>,
    dropped: Vec<TaskKey>,
}

impl Places {
    fn of(patch: &PlanPatch, changed: &Plan) -> Self {
        let find = |list: &[Task], name: &str, task: &Task| {
            let at = list.iter().position(|other| other.key == task.key)?;
            Some(format!("{name}[{at}]"))
        };
        let place = |task: &Task| {
            let added = find(&patch.add, "add", task);
            let place = added.or_else(|| find(&patch.change, "change", task));
            (task.key.clone(), place)
        };
        Self {
            tasks: changed.tasks.iter().map(place).collect(),
            dropped: patch.drop.clone(),
        }
    }

    /// Says a problem of the changed plan in the patch's words.
    pub(crate) fn carry(&self, finding: &mut Finding) {
        let place = &finding.problem.place;
        let of_task = place.strip_prefix("tasks[").and_then(|rest| {
            let (number, rest) = rest.split_once(']')?;
            Some((self.tasks.get(number.parse::<usize>().ok()?)?, rest))
        });
        match of_task {
            Some(((_, Some(task)), rest)) => finding.problem.place = format!("{task}{rest}"),
            Some(((key, None), _)) => self.carry_from_another(key, finding),
            None if matches!(finding.problem.kind, ProblemKind::Empty) => {
                finding.problem.place = "drop".into();
                finding.remedy = "Keep a task, or add one under `add:`.".into();
            }
            None => {}
        }
    }

    /// What is wrong with a task that was right before can only come of what the patch does to another.
    fn carry_from_another(&self, key: &TaskKey, finding: &mut Finding) {
        let kind = &finding.problem.kind;
        let missed = match kind {
            ProblemKind::UnknownDependency { on, .. } => Some((on.as_str(), "waits for it")),
            ProblemKind::UnknownReturn { to, .. } => Some((to.as_str(), "returns to it")),
            ProblemKind::DanglingReference { text, .. } => {
                let task = text.split(['.', '[']).next().unwrap_or(text);
                Some((task.trim(), "refers to it"))
            }
            _ => None,
        };
        let dropped = missed.and_then(|(name, how)| {
            let at = self.dropped.iter().position(|key| key.as_str() == name)?;
            Some((at, name, how))
        });
        let (place, message) = match dropped {
            Some((at, name, how)) => {
                finding.remedy =
                    format!("Keep `{name}`, or change `{key}` so that it does without.");
                let message = format!("task `{key}` stays as it is, and {how}");
                (format!("drop[{at}]"), message)
            }
            None => {
                let message = format!("in task `{key}`, which stays as it is: {kind}");
                (String::new(), message)
            }
        };
        finding.problem.place = place;
        finding.message = Some(message);
    }
}

impl Reader {
    fn patch(&mut self, root: &Node) -> PlanPatch {
        let Some(fields) = self.fields(root, &Place::Root, &PATCH_FIELDS) else {
            return PlanPatch::default();
        };
        let add = self.field(&fields, "add", Self::tasks);
        let change = self.field(&fields, "change", Self::tasks);
        let drop = self.field(&fields, "drop", |reader, node, place| {
            Some(reader.several(node, place, Self::name))
        });
        PlanPatch {
            add: add.unwrap_or_default(),
            change: change.unwrap_or_default(),
            drop: drop.unwrap_or_default(),
            caps: self.field(&fields, "caps", Self::caps),
            constraints: self
                .field(&fields, "constraints", Self::texts)
                .unwrap_or_default(),
            ..PlanPatch::default()
        }
    }
}
