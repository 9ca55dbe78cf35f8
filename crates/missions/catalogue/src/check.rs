//! For authors of templates: a template tried out with every autonomy, and with and without what there may be to work with.

use std::collections::BTreeSet;

use adjutant_mission::{AgentId, Autonomy, TaskKey, ToolId, WorkSpec};
use adjutant_plans::{Checker, FileProblem};

use crate::checker::{WithoutTools, tools_of};
use crate::expand::is_of;
use crate::plan::plan;
use crate::planned::LeftOut;
use crate::read::{agree::mentioned, read};
use crate::sample::{everything, sample};
use crate::team::team;
use crate::template::{NamedCheckpoint, Needs, Template};

/// What came of trying a template out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// What keeps the file from being read. Nothing was tried then.
    pub problems: Vec<FileProblem>,
    /// What is there and never used.
    pub unused: Vec<String>,
    pub cases: Vec<Case>,
}

impl Report {
    pub fn passed(&self) -> bool {
        let sound = self.cases.iter().all(|case| case.problems.is_empty());
        self.problems.is_empty() && self.unused.is_empty() && sound
    }
}

/// One trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub autonomy: Autonomy,
    /// What there was to work with.
    pub with: Vec<Needs>,
    pub tasks: Vec<TaskKey>,
    /// Those of the tasks that ask a person.
    pub checkpoints: Vec<TaskKey>,
    pub left_out: Vec<LeftOut>,
    pub problems: Vec<String>,
}

const AUTONOMIES: [Autonomy; 3] = [Autonomy::Strict, Autonomy::Balanced, Autonomy::Permissive];
/// Nothing, each by itself, and all together.
const SURROUNDINGS: [&[Needs]; 5] = [
    &[],
    &[Needs::KnowledgeBase],
    &[Needs::Attachments],
    &[Needs::Lookups],
    &Needs::ALL,
];

/// Reads a template and tries it out.
pub fn check(text: &str) -> Report {
    let template = match read(text.as_bytes(), &WithoutTools) {
        Ok(template) => template,
        Err(errors) => {
            return Report {
                problems: errors.problems,
                ..Report::default()
            };
        }
    };
    let pairs = AUTONOMIES
        .iter()
        .flat_map(|autonomy| SURROUNDINGS.iter().map(move |with| (*autonomy, *with)));
    let cases: Vec<Case> = pairs
        .map(|(autonomy, with)| case(&template, autonomy, with))
        .collect();
    Report {
        problems: Vec::new(),
        unused: unused(&template, &cases),
        cases,
    }
}

fn case(template: &Template, autonomy: Autonomy, with: &[Needs]) -> Case {
    let mut case = Case {
        autonomy,
        with: with.to_vec(),
        tasks: Vec::new(),
        checkpoints: Vec::new(),
        left_out: Vec::new(),
        problems: Vec::new(),
    };
    match plan(template, &sample(template, autonomy, with)) {
        Ok(planned) => {
            let tools = WithoutTools.tools(&planned.plan);
            let problems = planned.plan.problems(&tools).into_iter();
            case.problems
                .extend(problems.map(|problem| format!("{}: {}", problem.place, problem.kind)));
            for (at, agent) in planned.plan.tasks.iter().enumerate() {
                if let WorkSpec::Agent(work) = &agent.work {
                    let unfit = WithoutTools.question(work).into_iter();
                    case.problems.extend(
                        unfit.map(|(place, message, _)| format!("tasks[{at}].{place}: {message}")),
                    );
                }
            }
            let people = planned.plan.tasks.iter();
            let people = people.filter(|task| matches!(task.work, WorkSpec::Human(_)));
            case.checkpoints = people.map(|task| task.key.clone()).collect();
            case.tasks = planned.plan.tasks.iter().map(|it| it.key.clone()).collect();
            case.left_out = planned.left_out;
        }
        Err(problems) => {
            let problems = problems.iter().map(ToString::to_string);
            case.problems.extend(problems);
        }
    }
    case
}

/// An option that no task can tell from the others is a choice without a consequence.
fn without_consequence(template: &Template, checkpoint: &NamedCheckpoint) -> Option<String> {
    let name = &checkpoint.name;
    match checkpoint.options.len() {
        0 => return None,
        1 => {
            return Some(format!(
                "the checkpoint `{name}` offers a single option: without options it can be approved or rejected"
            ));
        }
        _ => {}
    }
    let mut texts = template
        .tasks
        .iter()
        .flat_map(|entry| mentioned(&entry.task.work));
    let is_read = texts.any(|reference| {
        let field = reference.parts.get(2).map(String::as_str);
        reference.task() == Some(name.as_str()) && matches!(field, None | Some("option"))
    });
    (!is_read).then(|| format!("no task reads which option was chosen at the checkpoint `{name}`"))
}

fn unused(template: &Template, cases: &[Case]) -> Vec<String> {
    let mut unused = Vec::new();
    let tasks = || template.tasks.iter().map(|entry| &entry.task);
    let does = |agent: &AgentId| tasks().any(|task| task.by.as_ref() == Some(agent));
    for agent in team(template).filter(|&agent| !does(agent)) {
        unused.push(format!("`{agent}` is on the team and has no task"));
    }
    if let Ok(planned) = plan(template, &everything(template)) {
        let called: BTreeSet<ToolId> = planned.plan.tasks.iter().flat_map(tools_of).collect();
        for tool in template.tools.iter().filter(|tool| !called.contains(*tool)) {
            unused.push(format!("`{tool}` is listed, and nobody calls it"));
        }
    }
    for checkpoint in &template.checkpoints {
        if checkpoint.is_the_machines() {
            continue;
        }
        let name = &checkpoint.name;
        let asked = |case: &Case| case.checkpoints.contains(name);
        if !cases.iter().any(asked) {
            unused.push(format!("the checkpoint `{name}` is never asked"));
        }
        let waits = |on: &adjutant_mission::Dependency| on.task == *name;
        if !tasks().any(|task| task.after.iter().any(waits)) {
            unused.push(format!("nothing waits for the checkpoint `{name}`"));
        }
        unused.extend(without_consequence(template, checkpoint));
    }
    for entry in &template.tasks {
        let task = &entry.task;
        let is_planned = |case: &Case| case.tasks.iter().any(|key| is_of(entry, key));
        if !cases.iter().any(is_planned) {
            unused.push(format!("the task `{}` is always left out", task.key));
        }
    }
    let texts = tasks().flat_map(|task| mentioned(&task.work));
    let used: BTreeSet<String> = texts
        .filter(adjutant_mission::Reference::is_input)
        .map(|reference| reference.parts[1].clone())
        .collect();
    for input in &template.inputs {
        if !used.contains(&input.name) {
            unused.push(format!("the input `{}` is not used", input.name));
        }
    }
    unused
}
