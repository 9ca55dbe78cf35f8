//! From a template to a plan: what it is given, without what cannot be done here, with the questions that the autonomy
//! asks for, and with a way out for everything that looks something up.

use std::collections::BTreeMap;

use adjutant_mission::{
    Autonomy, Caps, Human, Json, Pattern, Plan, Task, TaskKey, ToolCall, ToolId, WorkSpec,
};
use serde_json::{Value, json};

use crate::check_by_model::add_questions;
use crate::checker::REASONED;
use crate::expand::{count_of, expand};
use crate::inputs::inputs;
use crate::leave_out::{Leaving, without};
use crate::lookups::{NOTHING_FOUND, looks_up};
use crate::pack;
use crate::planned::{Planned, Problem};
use crate::proposal::{Proposal, may_be_left_out};
use crate::roster;
use crate::start::{StartWith, cannot_be_done};
use crate::team::{agent_specs, is_worker, may_call};
use crate::template::{NamedCheckpoint, Needs, Template, TemplateTask};

/// Arguments of tools that say what is looked for, the most telling first.
const LOOKED_FOR: [&str; 11] = [
    "question",
    "query",
    "words",
    "product",
    "substance",
    "intervention",
    "condition",
    "name",
    "title",
    "url",
    "ids",
];
/// Characters of the objective that a title shows.
const TITLE_CHARACTERS_MAX: usize = 120;

/// Makes a plan of a template, or says all that is in the way.
pub fn plan(template: &Template, start: &StartWith) -> Result<Planned, Vec<Problem>> {
    build(template, start, &Proposal::default())
}

/// The same, as the expert proposes. A proposal that would take along what the mission cannot be without leaves out
/// nothing.
pub fn plan_as_proposed(
    template: &Template,
    start: &StartWith,
    proposal: &Proposal,
) -> Result<Planned, Vec<Problem>> {
    let whole = Proposal {
        left_out: BTreeMap::new(),
        ..proposal.clone()
    };
    let whole = build(template, start, &whole)?;
    let Ok(proposed) = build(template, start, proposal) else {
        return Ok(whole);
    };
    let stays = |key: &TaskKey| proposed.plan.tasks.iter().any(|task| task.key == *key);
    let lost = whole.plan.tasks.iter().filter(|task| !stays(&task.key));
    match lost.into_iter().all(may_be_left_out) {
        true => Ok(proposed),
        false => Ok(whole),
    }
}

fn build(
    template: &Template,
    start: &StartWith,
    proposal: &Proposal,
) -> Result<Planned, Vec<Problem>> {
    let pack = pack::choose(template, start).map_err(|problem| vec![problem])?;
    let inputs = inputs(template, start, pack.as_ref())?;
    let narrowed = pack.as_ref().map(|pack| pack.narrowed(start));
    let start = narrowed.as_ref().unwrap_or(start);
    let mut tasks: Vec<Task> = Vec::new();
    let mut leaving = Leaving::default();
    // What only a model does is not missed where there is none.
    let mut untold = Leaving::without_trace();
    for at in &template.tasks {
        let TemplateTask {
            task, only_with, ..
        } = at;
        if only_with.contains(&Needs::Model) && !start.has(Needs::Model) {
            untold.leave(task, String::new());
        }
        let why = pack.as_ref().and_then(|pack| pack.leaves_out(task));
        let why = why
            .or_else(|| cannot_be_done(task, only_with, start))
            .or_else(|| uncounted(template, at, start));
        if let Some(why) = why.or_else(|| proposal.leaves_out(task, template)) {
            leaving.leave(task, why);
        }
        let mut task = task.clone();
        if let Some(title) = proposal.titles.get(task.key.as_str()) {
            task.title.clone_from(title);
        }
        tasks.push(task);
    }
    for checkpoint in &template.checkpoints {
        if checkpoint.is_the_machines() {
            continue;
        }
        let task = question(checkpoint);
        if let Some(why) = unasked(checkpoint, start) {
            leaving.leave(&task, why);
        }
        tasks.push(task);
    }
    let (tasks, mut missed) = without(tasks, untold);
    missed.retain(|left| !left.why.is_empty());
    let (tasks, mut left_out) = without(tasks, leaving);
    left_out.extend(missed);
    let mut tasks = expand(template, tasks, start);
    add_questions(&mut tasks, template, start);
    if tasks.is_empty() {
        let why = left_out
            .first()
            .map_or("the template has no task".to_owned(), |first| {
                format!(
                    "`{}` and all others were left out: {}",
                    first.task, first.why
                )
            });
        return Err(vec![Problem::NothingLeft { why }]);
    }
    for task in &mut tasks {
        reason(task, template, start);
        give_a_way_out(task, start);
    }
    let agents = agent_specs(template, &tasks);
    let plan = Plan {
        objective: start.objective.trim().to_owned(),
        autonomy: start.autonomy,
        caps: Caps {
            money: start.money,
            ..Caps::default()
        },
        inputs: Some(inputs),
        agents,
        ..Plan::new(title(template, &start.objective), tasks)
    };
    Ok(Planned { plan, left_out })
}

/// Why something cannot be done for each item of a list.
fn uncounted(template: &Template, at: &TemplateTask, start: &StartWith) -> Option<String> {
    let each = at.each.as_ref()?;
    let is_known = count_of(template, each, start).is_some();
    (!is_known).then(|| format!("it is not known how many items `{each}` has"))
}

/// Why a checkpoint is not asked.
fn unasked(checkpoint: &NamedCheckpoint, start: &StartWith) -> Option<String> {
    let asks = start.autonomy.asks_for(checkpoint.kind);
    if asks || start.four_eyes.contains(&checkpoint.kind) {
        return None;
    }
    let autonomy = match start.autonomy {
        Autonomy::Strict => "strict",
        Autonomy::Balanced => "balanced",
        Autonomy::Permissive => "permissive",
    };
    Some(format!(
        "missions with the autonomy `{autonomy}` do not ask it"
    ))
}

fn title(template: &Template, objective: &str) -> String {
    let line = objective.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = line.chars().take(TITLE_CHARACTERS_MAX).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    format!("{}: {shown}", template.name)
}

fn question(checkpoint: &NamedCheckpoint) -> Task {
    let human = Human {
        question: checkpoint.question.clone(),
        kind: checkpoint.kind,
        options: checkpoint.options.clone(),
        recommend: checkpoint.recommend.clone(),
        on_modify: checkpoint.on_modify.clone(),
        because: checkpoint.because.clone(),
        role: None,
        approvers: None,
        deadline: None,
    };
    let task = Task::new(checkpoint.name.clone(), WorkSpec::Human(human));
    Task {
        title: spoken(checkpoint.name.as_str()),
        milestone: true,
        ..task.after(checkpoint.after.iter().cloned())
    }
}

/// `risk_validation` as people say it.
fn spoken(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut characters = words.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => words,
    }
}

/// A conclusion that says nothing of how it is reached is reached as the template says. A worker that acts while it
/// thinks is offered what it may call, as far as that is permitted here.
fn reason(task: &mut Task, template: &Template, start: &StartWith) {
    let by = task.by.clone();
    let WorkSpec::Agent(work) = &mut task.work else {
        return;
    };
    if work.reasoning.is_none() && work.purpose.as_str() == REASONED {
        work.reasoning = Some(Box::new(template.reasoning.clone()));
    }
    let Some(reasoning) = &mut work.reasoning else {
        return;
    };
    let offers_nothing = reasoning.tools.is_empty();
    if offers_nothing
        && reasoning.patterns.contains(&Pattern::React)
        && let Some(worker) = by.as_ref().filter(|by| is_worker(by))
    {
        reasoning.tools = may_call(template, worker);
    }
    reasoning.tools.retain(|tool| start.may_call(tool.as_str()));
}

/// A source that cannot be reached must not stop a mission: it has then found nothing, and the report says so.
fn give_a_way_out(task: &mut Task, start: &StartWith) {
    let WorkSpec::Tool(call) = &task.work else {
        return;
    };
    let tool = call.tool.as_str();
    if !looks_up(tool) || task.alternative.is_some() || !start.may_call(NOTHING_FOUND) {
        return;
    }
    let with: Value = serde_json::from_str(call.with.text()).unwrap_or(Value::Null);
    let told = LOOKED_FOR.iter().find_map(|name| with.get(name));
    let place = roster::agent(tool).map_or(tool, |tool| tool.name);
    let with = json!({"looked_for": told.unwrap_or(&with), "where": place});
    let (Ok(tool), Ok(with)) = (ToolId::new(NOTHING_FOUND), Json::encode(&with)) else {
        return;
    };
    task.alternative = Some(ToolCall { tool, with });
}
