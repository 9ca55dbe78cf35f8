//! Judging a plan that was read: the machine's own validation, the tools' arguments, the rules' names.
//! Each finding is carried back to its line and given a remedy.

use std::collections::{BTreeSet, HashMap};

use adjutant_mission::{
    AgentWork, DependencyKind, Gate, Plan, Problem, ProblemKind, Task, ToolCall, ToolTable,
    WorkSpec, limits, references,
};
use adjutant_supervision::SUPERVISORS_INPUT;
use serde_json::Value;

use crate::near::{did_you_mean, nearest};
use crate::patch::Places;
use crate::problem::{FileProblem, FileWarning, PROBLEMS_MAX};
use crate::reader::Reader;
use crate::tree::Node;
use crate::{Checker, Unfit};

pub(crate) fn check(
    reader: &mut Reader,
    plan: &Plan,
    tools: &ToolTable,
    root: &Node,
    checker: &dyn Checker,
) -> Vec<FileWarning> {
    let found = findings(reader, plan, tools, checker);
    report(reader, root, found);
    warnings(plan, root)
}

/// Checks a plan that a patch led to, and says what is wrong with it in the patch's words.
pub(crate) fn check_patched(
    reader: &mut Reader,
    plan: &Plan,
    tools: &ToolTable,
    places: &Places,
    root: &Node,
    checker: &dyn Checker,
) {
    let mut found = findings(reader, plan, tools, checker);
    for finding in &mut found {
        places.carry(finding);
    }
    report(reader, root, found);
}

impl Reader {
    /// Judges a plan that another kind of file leads to. `carry` turns a place in that plan into a place in the file.
    pub fn judge(
        &mut self,
        plan: &Plan,
        root: &Node,
        checker: &dyn Checker,
        carry: impl Fn(&str) -> String,
    ) {
        let tools = checker.tools(plan);
        let mut found = findings(self, plan, &tools, checker);
        for finding in &mut found {
            finding.problem.place = carry(&finding.problem.place);
        }
        report(self, root, found);
    }
}

fn findings(
    reader: &Reader,
    plan: &Plan,
    tools: &ToolTable,
    checker: &dyn Checker,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for problem in plan.problems(tools) {
        if !is_echo(reader, &problem) {
            let remedy = remedy(&problem.kind);
            let message = model_named(plan, &problem);
            found.push(Finding {
                problem,
                message,
                remedy,
                code: None,
            });
        }
    }
    let checks = Checks { tools, checker };
    inside(reader, plan, &checks, "", &mut found);
    found
}

/// Which model it is that may not be asked, where the task names one.
fn model_named(plan: &Plan, problem: &Problem) -> Option<String> {
    let ProblemKind::NoModel { .. } = &problem.kind else {
        return None;
    };
    let model = agent_at(plan, &problem.place)?.model.as_ref()?;
    let kind = &problem.kind;
    Some(format!(
        "{kind}: `{model}` is none of the models that are set, or has no price"
    ))
}

fn agent_at<'a>(plan: &'a Plan, place: &str) -> Option<&'a AgentWork> {
    let (at, rest) = place.strip_prefix("tasks[")?.split_once(']')?;
    match &plan.tasks.get(at.parse::<usize>().ok()?)?.work {
        WorkSpec::Agent(agent) => Some(agent),
        WorkSpec::Mission(sub) => agent_at(&sub.plan, rest.strip_prefix(".mission.plan.")?),
        WorkSpec::Tool(_) | WorkSpec::Human(_) | WorkSpec::Gate(_) => None,
    }
}

/// What a plan is checked against.
struct Checks<'a> {
    tools: &'a ToolTable,
    checker: &'a dyn Checker,
}

/// What tools and rules say of a plan, and of the sub-missions in it. `before` is where it stands.
fn inside(
    reader: &Reader,
    plan: &Plan,
    checks: &Checks<'_>,
    before: &str,
    found: &mut Vec<Finding>,
) {
    if plan.tasks.len() > limits::TASKS_MAX {
        return;
    }
    let own = found.len();
    arguments(plan, checks, found);
    for unfit in checks.checker.uses(plan) {
        let remedy = "Use a part that the output has.";
        found.push(Finding::of_checker(unfit.path.clone(), unfit, remedy));
    }
    supervisors(plan, found);
    Rules::new(plan).check(reader, checks.checker, found);
    for finding in found.iter_mut().skip(own) {
        finding.problem.place.insert_str(0, before);
    }
    for (at, task) in plan.tasks.iter().enumerate() {
        if let WorkSpec::Mission(sub) = &task.work {
            let before = format!("{before}tasks[{at}].mission.plan.");
            inside(reader, &sub.plan, checks, &before, found);
        }
    }
}

/// What is wrong with the supervisors that a file names. Those of a mission that was started are not looked at again.
fn supervisors(plan: &Plan, found: &mut Vec<Finding>) {
    let inputs = plan.inputs.as_ref();
    let Some(named) = inputs.and_then(|inputs| inputs.at(&[SUPERVISORS_INPUT.to_owned()])) else {
        return;
    };
    let named: Value = serde_json::from_str(named.text()).unwrap_or_default();
    if !named.is_array() {
        return;
    }
    for problem in adjutant_supervision::check(&named)
        .err()
        .unwrap_or_default()
    {
        let place = format!("supervisors{}", problem.place);
        let remedy = "Correct it as described in docs/supervisors.md.";
        found.push(Finding::unfit(place, problem.message, remedy));
    }
}

/// Carries findings back to their lines.
fn report(reader: &mut Reader, root: &Node, found: Vec<Finding>) {
    reader
        .problems
        .leave_out(found.len().saturating_sub(PROBLEMS_MAX));
    // The same reference may stand in several fields of a task.
    let mut references: HashMap<(String, String), usize> = HashMap::new();
    for finding in found.into_iter().take(PROBLEMS_MAX) {
        let Finding {
            problem,
            message,
            remedy,
            code,
        } = finding;
        let Problem { mut place, kind } = problem;
        if let ProblemKind::DanglingReference { text, .. } = &kind
            && message.is_none()
        {
            let nth = references.entry((place.clone(), text.clone())).or_default();
            place.push_str(&root.path_to_reference(&place, text, *nth));
            *nth += 1;
        }
        let at = root.locate(&place);
        let problem = FileProblem::new(
            code.unwrap_or_else(|| kind.code()),
            at,
            place,
            message.unwrap_or_else(|| kind.to_string()),
            remedy,
        );
        reader.problems.push(problem);
    }
}

/// A problem of the plan, before it is carried back to the file.
pub(crate) struct Finding {
    pub(crate) problem: Problem,
    /// What to say of it, if not what the problem says itself.
    pub(crate) message: Option<String>,
    pub(crate) remedy: String,
    /// In place of the problem's own.
    pub(crate) code: Option<&'static str>,
}

impl Finding {
    fn unfit(place: String, text: String, remedy: impl Into<String>) -> Self {
        let kind = ProblemKind::Unfit { text };
        Self {
            problem: Problem { place, kind },
            message: None,
            remedy: remedy.into(),
            code: None,
        }
    }

    fn of_checker(place: String, unfit: Unfit, remedy: impl Into<String>) -> Self {
        Self {
            code: unfit.code,
            ..Self::unfit(
                place,
                unfit.message,
                unfit.remedy.unwrap_or_else(|| remedy.into()),
            )
        }
    }
}

/// Whether a finding only follows from something the reader has already reported.
fn is_echo(reader: &Reader, problem: &Problem) -> bool {
    use ProblemKind as K;
    let place = problem.place.as_str();
    if matches!(problem.kind, K::Cycle { .. }) {
        return false;
    }
    let leads_nowhere = matches!(
        problem.kind,
        K::UnknownDependency { .. }
            | K::Unreachable { .. }
            | K::DanglingReference { .. }
            | K::UnknownReturn { .. }
            | K::ReturnNotUpstream { .. }
            | K::ReturnBypassed { .. }
    );
    if leads_nowhere && reader.names_lost {
        return true;
    }
    let ends = place.match_indices(['.', '[']).map(|(at, _)| at);
    if ends
        .chain([place.len()])
        .any(|end| reader.reported.contains(&place[..end]))
    {
        return true;
    }
    let needs_whole = match problem.kind {
        K::Blank { .. } | K::Empty => place,
        K::ReturnMissing | K::UnknownRecommendation { .. } => {
            place.rsplit_once('.').map_or(place, |(parent, _)| parent)
        }
        _ => return false,
    };
    let mut inside = reader.reported.range(needs_whole.to_owned()..);
    inside
        .next()
        .is_some_and(|first| first.starts_with(needs_whole))
}

fn arguments(plan: &Plan, checks: &Checks<'_>, found: &mut Vec<Finding>) {
    for (at, task) in plan.tasks.iter().enumerate() {
        match &task.work {
            WorkSpec::Tool(call) => {
                call_arguments(format_args!("tasks[{at}].with"), call, checks, found);
            }
            WorkSpec::Agent(agent) => {
                for (path, text, remedy) in checks.checker.question(agent) {
                    found.push(Finding::unfit(format!("tasks[{at}].{path}"), text, remedy));
                }
            }
            WorkSpec::Human(_) | WorkSpec::Gate(_) | WorkSpec::Mission(_) => {}
        }
        if let Some(undo) = &task.undo {
            let call = ToolCall {
                tool: undo.tool.clone(),
                with: undo.with.clone(),
            };
            call_arguments(format_args!("tasks[{at}].undo.with"), &call, checks, found);
        }
        if let Some(call) = &task.alternative {
            call_arguments(
                format_args!("tasks[{at}].otherwise.with"),
                call,
                checks,
                found,
            );
        }
    }
}

fn call_arguments(
    place: std::fmt::Arguments<'_>,
    call: &ToolCall,
    checks: &Checks<'_>,
    found: &mut Vec<Finding>,
) {
    if !checks.tools.contains_key(&call.tool) {
        return;
    }
    let problems = match serde_json::from_str(call.with.text()) {
        Ok(with) => checks.checker.arguments(&call.tool, &with),
        Err(error) => vec![Unfit::new("", error.to_string())],
    };
    for unfit in problems {
        let place = match unfit.path.as_str() {
            "" => place.to_string(),
            path if path.starts_with('[') => format!("{place}{path}"),
            path => format!("{place}.{path}"),
        };
        let remedy = format!("Correct the arguments of `{}`.", call.tool);
        found.push(Finding::of_checker(place, unfit, remedy));
    }
}

/// Checks what gates' rules say. Names must be `inputs` or tasks that have certainly finished.
struct Rules<'a> {
    plan: &'a Plan,
    index: HashMap<&'a str, usize>,
    /// For each task, those that finish before it starts; filled when the first gate asks.
    before: Vec<Vec<usize>>,
    /// In which look-up a task was last seen, so that no look-up has to clear anything.
    seen: Vec<u32>,
    look_up: u32,
}

impl<'a> Rules<'a> {
    fn new(plan: &'a Plan) -> Self {
        let tasks = plan.tasks.iter().enumerate().rev();
        Self {
            plan,
            index: tasks.map(|(at, task)| (task.key.as_str(), at)).collect(),
            before: Vec::new(),
            seen: vec![0; plan.tasks.len()],
            look_up: 0,
        }
    }

    fn finishing_before(&self, task: &Task) -> Vec<usize> {
        let finished = |kind| kind == DependencyKind::FinishToStart;
        let after = task.after.iter().filter(|on| finished(on.kind));
        after
            .filter_map(|on| self.index.get(on.task.as_str()).copied())
            .collect()
    }

    fn check(&mut self, reader: &Reader, checker: &dyn Checker, found: &mut Vec<Finding>) {
        let plan = self.plan;
        for (at, task) in plan.tasks.iter().enumerate() {
            let WorkSpec::Gate(Gate { rules, .. }) = &task.work else {
                continue;
            };
            for (n, rule) in rules.iter().enumerate() {
                let place = format!("tasks[{at}].gate.rules[{n}].when");
                if rule.when.is_empty() {
                    continue;
                }
                let names = match checker.rule(&rule.when) {
                    Ok(names) => names,
                    Err(text) => {
                        let remedy = "Correct the rule; docs/plan-files.md shows what it may say.";
                        found.push(Finding::unfit(place, text, remedy));
                        continue;
                    }
                };
                let mut said = BTreeSet::new();
                for name in names {
                    if let Some(text) = self.name_problem(at, task, &name)
                        && !reader.names_lost
                        && said.insert(text.clone())
                    {
                        let remedy = "Name `inputs` or tasks that this gate waits for.";
                        found.push(Finding::unfit(place.clone(), text, remedy));
                    }
                }
            }
        }
    }

    fn name_problem(&mut self, gate: usize, task: &Task, name: &str) -> Option<String> {
        if name == "inputs" {
            return None;
        }
        let Some(&wanted) = self.index.get(name) else {
            let is_part = |key: &&&str| key.split(['-', '.', ':', '@']).any(|part| part == name);
            if let Some(key) = self.index.keys().filter(is_part).min() {
                return Some(format!(
                    "a rule cannot name the task `{key}`: in a rule, names have letters, digits and `_` only"
                ));
            }
            let near = nearest(name, self.index.keys().copied());
            let near = did_you_mean(near);
            return Some(format!("the rule names `{name}`, which is no task{near}"));
        };
        if self.finished_before(gate, wanted) {
            return None;
        }
        Some(format!(
            "the rule names `{name}`, which may not have finished before `{}`; add it to `after`",
            task.key
        ))
    }

    fn finished_before(&mut self, task: usize, wanted: usize) -> bool {
        if self.before.is_empty() {
            let tasks = self.plan.tasks.iter();
            self.before = tasks.map(|task| self.finishing_before(task)).collect();
        }
        self.look_up += 1;
        let mut todo = vec![task];
        while let Some(next) = todo.pop() {
            for &on in &self.before[next] {
                if on == wanted {
                    return true;
                }
                if std::mem::replace(&mut self.seen[on], self.look_up) != self.look_up {
                    todo.push(on);
                }
            }
        }
        false
    }
}

fn warnings(plan: &Plan, root: &Node) -> Vec<FileWarning> {
    let mut warnings = Vec::new();
    let mut warn = |place: String, message: String| {
        let at = root.locate(&place);
        warnings.push(FileWarning {
            line: at.line,
            column: at.column,
            place,
            message,
        });
    };
    for warning in plan.warnings() {
        warn(warning.place, warning.text);
    }
    let inputs = root.get("inputs").map(|entry| &entry.value);
    for (at, task) in plan.tasks.iter().enumerate() {
        let (field, text) = match &task.work {
            WorkSpec::Tool(call) => ("with", call.with.text()),
            WorkSpec::Agent(agent) => ("with", agent.with.text()),
            WorkSpec::Human(human) => ("human.question", human.question.as_str()),
            WorkSpec::Mission(sub) => match &sub.with {
                Some(with) => ("mission.with", with.text()),
                None => continue,
            },
            WorkSpec::Gate(_) => continue,
        };
        for reference in references(text)
            .iter()
            .filter(|reference| reference.is_input())
        {
            let name = &reference.parts[1];
            if inputs.is_none_or(|inputs| inputs.get(name).is_none()) {
                let message = format!(
                    "`inputs` has no `{name}`, so this task will fail; declare it under `inputs`"
                );
                warn(format!("tasks[{at}].{field}"), message);
            }
        }
    }
    warnings.sort_by_key(|warning| (warning.line, warning.column));
    warnings
}

fn remedy(kind: &ProblemKind) -> String {
    use ProblemKind as K;
    match kind {
        K::Empty => "Add a task under `tasks:`.",
        K::OverLimit { limit, .. } => return format!("Stay at or below {limit}."),
        K::UnderLimit { least, .. } => return format!("Choose at least {least}."),
        K::Duplicate { .. } => "Give every task an id of its own.",
        K::ReservedKey => "Choose another id.",
        K::DottedKey => "Write `_` or `-` in its place.",
        K::UnknownDependency {
            near: Some(near), ..
        }
        | K::UnknownReturn {
            near: Some(near), ..
        } => {
            return format!("Write `{near}`, or add the missing task.");
        }
        K::UnknownDependency { .. } | K::UnknownReturn { .. } => {
            "Correct the name, or add the missing task."
        }
        K::SelfDependency { .. } => "Remove the task's own id from its `after`.",
        K::RepeatedDependency { .. } => "Keep one of the two.",
        K::Cycle { .. } => "Remove one of these dependencies so that a first task can start.",
        K::Unreachable { .. } => "Mend what it waits for; this task is then reachable too.",
        K::UnknownTool {
            near: Some(near), ..
        } => return format!("Write `{near}`."),
        K::UnknownTool { .. } => "Use one of the tools that docs/tools.md lists.",
        K::DanglingReference { .. } => {
            "Refer to a task that this one waits for, or to a value of `inputs`."
        }
        K::ReturnNotUpstream { .. } => {
            "Add that task to the gate's `after`, or return to another one."
        }
        K::ReturnBypassed { task, .. } => {
            return format!("Let `{task}` wait for this gate, or return to a later task.");
        }
        K::ReturnMissing => "Add `return_to:` with the task to do again.",
        K::RepeatedOption { .. } => "Give every option a key of its own.",
        K::UnknownRecommendation { .. } => "Recommend one of the options' keys.",
        K::Approvers { .. } => "Name as many different people as must approve, or fewer approvals.",
        K::Blank { what: "the rules" } => "Add at least one rule.",
        K::Blank { .. } => "Write something here.",
        K::OnlyForTools { .. } => "Remove it, or make this a tool task.",
        K::NoModel { .. } => "Look at `adjutant models list`, and set models under `[models]`.",
        K::RepeatedAgent { .. } => "Give every agent an id of its own.",
        K::UnknownAgent {
            near: Some(near), ..
        } => return format!("Write `{near}`, or add the missing agent."),
        K::UnknownAgent { .. } => "Correct the id, or add the missing agent under `agents:`.",
        K::NotByAgents => "Remove `by`.",
        K::NobodyStarts { .. } => "Say under `started_by` which agent above it starts it.",
        K::MayNotStart { .. } => {
            "Let another agent do it: L1 starts L2, L2 starts L3 and L4, L3 starts L4, L4 calls tools."
        }
        K::Unfit { .. } => "Correct the value.",
    }
    .to_owned()
}
