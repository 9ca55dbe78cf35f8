//! What the expert who leads a mission makes of its template for an objective: asked as a question, taken as a proposal.
//!
//! A proposal may name steps anew and leave out what workers do. What the mission cannot be without stays, whatever is
//! proposed: who leads, who analyses, what puts the result together and what holds it against its sources.

use std::collections::BTreeMap;

use adjutant_mission::{Plan, Task, TaskKey, WorkSpec};
use adjutant_questions::{PlanInput, PlanStep, Planned};

use crate::lookups;
use crate::pack;
use crate::start::{StartWith, cannot_be_done};
use crate::team::is_worker;
use crate::template::Template;

/// Characters of a proposed title that are taken over.
const TITLE_CHARACTERS_MAX: usize = 100;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proposal {
    /// Titles of steps, by key.
    pub titles: BTreeMap<String, String>,
    /// Why steps are left out, by key.
    pub left_out: BTreeMap<String, String>,
}

impl Proposal {
    pub fn of(planned: &Planned) -> Self {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let titled = planned.steps.iter().map(|step| {
            let title = line(&step.title);
            let title: String = title.chars().take(TITLE_CHARACTERS_MAX).collect();
            (step.key.clone(), title)
        });
        let left_out = planned.left_out.iter();
        Self {
            titles: titled.filter(|(_, title)| !title.is_empty()).collect(),
            left_out: left_out
                .map(|step| (step.key.clone(), line(&step.reason)))
                .collect(),
        }
    }

    /// The tasks of a plan that are left out, as far as they may be.
    pub fn keys_left_out(&self, plan: &Plan) -> Vec<TaskKey> {
        let tasks = plan.tasks.iter();
        let left_out = tasks
            .filter(|task| self.left_out.contains_key(task.key.as_str()) && may_be_left_out(task));
        left_out.map(|task| task.key.clone()).collect()
    }

    /// Why a task is left out, if it may be.
    pub(crate) fn leaves_out(&self, task: &Task, template: &Template) -> Option<String> {
        let why = self.left_out.get(task.key.as_str())?;
        let needed = !may_be_left_out(task) || (looks_up(task) && self.leaves_no_source(template));
        (!needed).then(|| format!("the expert leaves it out: {why}"))
    }

    /// Whether nothing would be left that looks anything up.
    fn leaves_no_source(&self, template: &Template) -> bool {
        let mut sources = template.tasks.iter().filter(|at| looks_up(&at.task));
        sources.all(|at| self.left_out.contains_key(at.task.key.as_str()))
    }
}

/// What the expert is asked: the steps that can be done here, and what there is to do them with.
pub fn planning_question(template: &Template, start: &StartWith) -> PlanInput {
    // A pack that does not exist is reported when the plan is made.
    let pack = pack::choose(template, start).ok().flatten();
    let narrowed = pack.map_or_else(|| start.clone(), |pack| pack.narrowed(start));
    let start = &narrowed;
    let doable: Vec<&Task> = template
        .tasks
        .iter()
        .filter(|at| cannot_be_done(&at.task, &at.only_with, start).is_none())
        .map(|at| &at.task)
        .collect();
    let is_step = |key: &str| doable.iter().any(|task| task.key.as_str() == key);
    let step = |task: &Task| PlanStep {
        key: task.key.to_string(),
        title: task.name().to_owned(),
        after: task
            .after
            .iter()
            .map(|dependency| dependency.task.to_string())
            .filter(|key| is_step(key))
            .collect(),
        needs: Vec::new(),
        only_for: Vec::new(),
    };
    let optional = doable.iter().filter(|task| may_be_left_out(task));
    let optional: Vec<&str> = optional.map(|task| task.key.as_str()).collect();
    let mut available: Vec<String> = start
        .namespaces
        .iter()
        .map(|name| format!("knowledge base {name}"))
        .collect();
    available.extend(start.attachments.iter().map(|file| file.title.clone()));
    available.extend(start.tools.iter().map(ToString::to_string));
    PlanInput {
        objective: start.objective.clone(),
        template: doable.iter().map(|task| step(task)).collect(),
        constraints: vec![format!(
            "Only these steps may be left out: {}",
            optional.join(", ")
        )],
        available,
    }
}

/// What the expert is asked when a person wants a plan to change.
pub fn revision_question(plan: &Plan, words: &str) -> PlanInput {
    let optional = plan.tasks.iter().filter(|task| may_be_left_out(task));
    let optional: Vec<&str> = optional.map(|task| task.key.as_str()).collect();
    let step = |task: &Task| PlanStep {
        key: task.key.to_string(),
        title: task.name().to_owned(),
        after: task.after.iter().map(|at| at.task.to_string()).collect(),
        needs: Vec::new(),
        only_for: Vec::new(),
    };
    let mut constraints = plan.constraints.clone();
    constraints.push(format!(
        "Only these steps may be left out: {}",
        optional.join(", ")
    ));
    constraints.push(format!(
        "A person wants the plan to change like this: {words}"
    ));
    PlanInput {
        objective: plan.objective.clone(),
        template: plan.tasks.iter().map(step).collect(),
        constraints,
        available: Vec::new(),
    }
}

pub(crate) fn may_be_left_out(task: &Task) -> bool {
    task.by.as_ref().is_some_and(is_worker)
}

fn looks_up(task: &Task) -> bool {
    match &task.work {
        WorkSpec::Tool(call) => lookups::looks_up(call.tool.as_str()),
        _ => false,
    }
}
