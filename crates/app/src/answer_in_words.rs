//! Answers in words: what a `modify` that only says something changes in a plan or sends back of a result, and what
//! follows from any answer.

use adjutant_catalogue::{
    InWords, Proposal, UNDERSTOOD, agent, last_agents, named_tasks, revision_question,
};
use adjutant_host::HostError;
use adjutant_mission::{
    Actor, AgentLevel, Asks, Checkpoint, Command, CommandId, Decision, Input, Millis, Mission,
    OptionKey, Plan, PlanPatch, Refused, TaskKey, Timestamp, Verdict,
};
use adjutant_plans::Checker as _;

use crate::context::Context;
use crate::error::{AppError, ErrorKind};
use crate::planning::{a_model_leads, ask_expert};
use crate::settings::Settings;
use crate::single_question::{lone_agent, unnamed_expert};
use crate::wiring;

/// The decision with what its words ask for: how the plan changes, or which tasks are done again. An answer that says
/// more than words, or to a question that takes words as they are, stays as it is.
pub async fn spell_out(
    context: Context<'_>,
    mission: &Mission,
    checkpoint: &Checkpoint,
    decision: Decision,
) -> Result<Decision, AppError> {
    if !decision.is_words() || decision.note.trim().is_empty() {
        return Ok(decision);
    }
    match checkpoint.asks {
        Asks::ApprovePlan | Asks::ChangePlan { .. } | Asks::PassLayer { .. } => {
            let constraints = vec![decision.note.clone()];
            let any_change = PlanPatch {
                constraints,
                ..PlanPatch::default()
            };
            let tried = with_patch(&decision, any_change);
            // Before anybody is asked: who may not change the plan costs nothing.
            may_answer(mission, context.caller, checkpoint, tried)?;
            let patch = plan_change(context, mission, checkpoint, &decision.note).await?;
            Ok(with_patch(&decision, patch))
        }
        Asks::ReviewResult => {
            let redo = tasks_to_repeat(mission.plan(), &decision.note)?;
            Ok(Decision { redo, ..decision })
        }
        _ => {
            let spelled = mission.in_words(checkpoint, &decision);
            spelled.map_err(|refused| HostError::Refused(refused).into())
        }
    }
}

fn with_patch(decision: &Decision, patch: PlanPatch) -> Decision {
    Decision {
        patch: Some(Box::new(patch)),
        ..decision.clone()
    }
}

fn may_answer(
    mission: &Mission,
    by: &Actor,
    checkpoint: &Checkpoint,
    decision: Decision,
) -> Result<(), AppError> {
    let input = Input::Command {
        id: CommandId::from_bits(0),
        by: by.clone(),
        command: Command::Decide {
            checkpoint: checkpoint.number,
            decision,
        },
    };
    match mission.decide(wiring::clock().now(), &input) {
        Ok(_) | Err(Refused::CommandRepeated) => Ok(()),
        Err(refused) => Err(HostError::Refused(refused).into()),
    }
}

/// The change of plan that words ask for: by the expert where a model answers for it, and what is understood without.
async fn plan_change(
    context: Context<'_>,
    mission: &Mission,
    checkpoint: &Checkpoint,
    words: &str,
) -> Result<PlanPatch, AppError> {
    let plan = mission.plan();
    let mut said = InWords::read(plan, words);
    let mut titles = Proposal::default().titles;
    if a_model_leads(context.settings) {
        if let Some(proposal) = propose(context, mission, words).await? {
            for key in proposal.keys_left_out(plan) {
                if !said.left_out.contains(&key) {
                    said.left_out.push(key);
                }
            }
            titles = proposal.titles;
        }
    } else if said.is_nothing() {
        return Err(not_understood(words));
    }
    // Whoever works on it can still make something of what was not understood here.
    said.constraints.append(&mut said.not_understood);
    let (mut patch, _) = said.patch(plan);
    if checkpoint.asks == Asks::ApprovePlan {
        rename(plan, &mut patch, &titles);
    }
    let changed = patch.applied_to(plan).map_err(|why| unfit(&why))?;
    patch.tools = context.checker.tools(&changed);
    Ok(patch)
}

fn rename(plan: &Plan, patch: &mut PlanPatch, titles: &std::collections::BTreeMap<String, String>) {
    for task in &plan.tasks {
        let title = titles.get(task.key.as_str());
        let Some(title) = title.filter(|title| **title != task.title) else {
            continue;
        };
        if patch.drop.contains(&task.key) {
            continue;
        }
        match patch.change.iter_mut().find(|other| other.key == task.key) {
            Some(changed) => changed.title.clone_from(title),
            None => {
                let mut changed = task.clone();
                changed.title.clone_from(title);
                patch.change.push(changed);
            }
        }
    }
}

async fn propose(
    context: Context<'_>,
    mission: &Mission,
    words: &str,
) -> Result<Option<Proposal>, AppError> {
    let plan = mission.plan();
    let leads = plan.agents.iter().find(|by| by.level == AgentLevel::L2);
    let by = match leads.and_then(|by| agent(by.id.as_str())) {
        Some(expert) => lone_agent(expert)?,
        None => unnamed_expert()?,
    };
    let input = revision_question(plan, words);
    let title = format!("A change of the plan “{}”", plan.title);
    let before = mission.id().unix_ms().saturating_sub(1);
    let before = Timestamp(before.try_into().unwrap_or_default());
    let asked = ask_expert(context, title, &input, by, plan.caps.money, Some(before)).await?;
    Ok(asked.map(|(proposal, _)| proposal))
}

fn not_understood(words: &str) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6149",
        format!(
            "“{}” is not understood as a change of the plan",
            short_words(words)
        ),
        format!(
            "Without a model, these are understood: {UNDERSTOOD}. Or give a patch, or configure a model."
        ),
    )
}

fn unfit(why: &str) -> AppError {
    let why = why.to_owned();
    HostError::Refused(Refused::ChangeUnfit { why }).into()
}

fn short_words(words: &str) -> String {
    const SHOWN_MAX: usize = 80;
    match words.chars().count() > SHOWN_MAX {
        false => words.to_owned(),
        true => format!("{}…", words.chars().take(SHOWN_MAX).collect::<String>()),
    }
}

/// The tasks that words name, or else those that wrote the result.
fn tasks_to_repeat(plan: &Plan, words: &str) -> Result<Vec<TaskKey>, AppError> {
    let named = named_tasks(plan, words);
    let redo = match named.is_empty() {
        true => last_agents(plan),
        false => named,
    };
    match redo.is_empty() {
        false => Ok(redo),
        true => {
            let keys: Vec<&str> = plan.tasks.iter().map(|task| task.key.as_str()).collect();
            Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6149",
                "no task of this mission reads words, and the words name none of its tasks",
                format!("Name the tasks to repeat: {}.", keys.join(", ")),
            ))
        }
    }
}

/// What follows from an answer, in a sentence or two for whoever gave it.
pub fn consequence(
    settings: &Settings,
    mission: &Mission,
    checkpoint: &Checkpoint,
    decision: &Decision,
) -> String {
    let words = match decision.note.trim().is_empty() {
        true => "",
        false if a_model_leads(settings) => ", with your words as guidance",
        false => {
            ". Without a model, your words only widen what is searched for; to change a text yourself, use `--text` at \
             the final review"
        }
    };
    if decision.verdict == Verdict::Reject {
        return match &checkpoint.asks {
            Asks::ApprovePlan => "The mission ends; none of its tasks is started.".into(),
            Asks::ReviewResult => {
                "The mission is completed; its result is marked as a draft.".into()
            }
            Asks::ApproveTool { task } if mission.is_call_chosen_by_agent(checkpoint) => {
                format!(
                    "The call is not made. The agent of task `{task}` learns why, and continues."
                )
            }
            _ => "The mission ends early, with a result from what is done so far.".into(),
        };
    }
    let needed = checkpoint.approvals_needed();
    if needed > 1 && decision.verdict == Verdict::Approve {
        let asked = mission.checkpoints().get(checkpoint.number.index());
        let approved = asked.map_or(0, |asked| asked.endorsed.len()) + 1;
        if approved < needed {
            return format!("{approved} of {needed} people have approved it; it stays open.");
        }
    }
    if let Some(patch) = &decision.patch {
        return plan_consequence(checkpoint, patch);
    }
    let option = decision.option.as_ref().map(OptionKey::as_str);
    match &checkpoint.asks {
        Asks::ApprovePlan => "The mission starts.".into(),
        Asks::ChangePlan { .. } => "The mission continues with the plan as it is.".into(),
        Asks::PassLayer { .. } => "The next layer of tasks starts.".into(),
        Asks::PassSoftCap { .. } => "The mission may spend up to its hard limits.".into(),
        Asks::ApproveTool { task } if decision.change.is_some() => {
            format!("Task `{task}` makes the call with the arguments you gave.")
        }
        Asks::ApproveTool { task } => format!("Task `{task}` goes ahead{words}."),
        Asks::DoHumanTask { task } => match chosen_label(checkpoint, option) {
            Some(label) => format!("“{label}” is the answer to `{task}`; your note goes with it."),
            None => format!("Your answer is the result of task `{task}`."),
        },
        Asks::RecoverTask { task } | Asks::AcceptConclusion { task } => match option {
            Some("skip") => format!("Task `{task}` is skipped, with the tasks that depend on it."),
            Some("accept") if decision.change.is_none() => {
                format!("The mission continues with the conclusion of `{task}`.")
            }
            _ => format!("Task `{task}` is done again{words}."),
        },
        Asks::SettleInDoubt { task, .. } => match option {
            Some("mark_done") => format!("Task `{task}` counts as done."),
            Some("abort") => "The mission is aborted.".into(),
            _ => format!("Task `{task}` sends its call again."),
        },
        Asks::ReviewResult if decision.verdict == Verdict::Modify => {
            let keys: Vec<String> = decision.redo.iter().map(|key| format!("`{key}`")).collect();
            let keys = keys.join(", ");
            match decision.change {
                Some(_) => {
                    format!("The text of {keys} is replaced, and what follows it is done again.")
                }
                None => format!(
                    "Done again, with all that depends on them: {keys}{words}. The result of “{}” is then put to you again.",
                    mission.plan().title
                ),
            }
        }
        Asks::ReviewResult => "The result is delivered.".into(),
    }
}

fn chosen_label<'a>(checkpoint: &'a Checkpoint, option: Option<&str>) -> Option<&'a str> {
    let mut options = checkpoint.options.iter();
    let chosen = options.find(|offered| Some(offered.key.as_str()) == option)?;
    Some(&chosen.label)
}

/// A time in its largest whole unit.
fn spoken(time: Millis) -> String {
    let seconds = time.0 / 1_000;
    match seconds {
        0..120 => format!("{seconds} seconds"),
        120..7_200 => format!("{} minutes", seconds / 60),
        _ => format!("{:.1} hours", seconds as f64 / 3_600.0),
    }
}

fn plan_consequence(checkpoint: &Checkpoint, patch: &PlanPatch) -> String {
    let mut told = Vec::new();
    let keys = |keys: &[TaskKey]| {
        let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        keys.join(", ")
    };
    if !patch.drop.is_empty() {
        told.push(format!("{} left out", keys(&patch.drop)));
    }
    let added: Vec<TaskKey> = patch.add.iter().map(|task| task.key.clone()).collect();
    if !added.is_empty() {
        told.push(format!("{} added", keys(&added)));
    }
    let changed: Vec<TaskKey> = patch.change.iter().map(|task| task.key.clone()).collect();
    if !changed.is_empty() {
        told.push(format!("{} changed", keys(&changed)));
    }
    if let Some(caps) = &patch.caps {
        let money = caps.money.map(|money| format!("at most {money}"));
        let time = caps
            .wall_time
            .map(|time| format!("at most {}", spoken(time)));
        let calls = caps.turns.map(|turns| format!("at most {turns} calls"));
        let limits: Vec<String> = [money, time, calls].into_iter().flatten().collect();
        told.push(format!("limits: {}", limits.join(", ")));
    }
    for constraint in &patch.constraints {
        told.push(format!("every agent is told “{constraint}”"));
    }
    let then = match checkpoint.asks {
        Asks::ApprovePlan => " The new plan is put to approval.",
        Asks::PassLayer { .. } => " The mission asks again before it goes on with the next tasks.",
        _ => " The mission continues with the new plan.",
    };
    format!("The plan changes: {}.{then}", told.join("; "))
}
