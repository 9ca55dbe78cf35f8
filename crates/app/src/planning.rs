//! The plan of a mission. Where a model answers for the expert who leads it, the expert is asked first to fit the template
//! to the objective; otherwise the template's own graph is the plan.

use adjutant_catalogue::{
    Planned, Problem, Proposal, StartWith, Template, agent, plan, plan_as_proposed,
    planning_question,
};
use adjutant_mission::{AgentLevel, AgentSpec, MicroUsd, Timestamp};
use adjutant_plans::reading::code::RESERVED_INPUT;
use adjutant_plans::{MISSION_TYPE_INPUT, SUPERVISORS_INPUT};
use adjutant_providers::OFFLINE;
use adjutant_questions::{LevelFacts, PlanInput, Planned as Answer};

use crate::context::Context;
use crate::error::{AppError, ErrorKind};
use crate::repeat::check_repetition;
use crate::settings::Settings;
use crate::single_question::{Asked, Question, defect, lone_agent, unnamed_expert};
use crate::words::short;

/// Plans a mission for the caller. What is left out of the template is in the result, with the reason.
pub async fn plan_mission(
    context: Context<'_>,
    template: &Template,
    mut start: StartWith,
) -> Result<Planned, AppError> {
    if let Some(least) = context.settings.autonomy {
        // A template leaves out the questions that its autonomy does not ask.
        start.autonomy = start.autonomy.min(least);
    }
    // Before anybody is asked: what cannot be planned at all costs nothing.
    let whole = plan_from_template(template, &start)?;
    if !a_model_leads(context.settings) {
        return Ok(whole);
    }
    let Some((proposal, cost)) = ask_for_proposal(context, template, &start).await? else {
        return Ok(whole);
    };
    start.money = start
        .money
        .map(|cap| MicroUsd(cap.0.saturating_sub(cost.0)));
    plan_as_proposed(template, &start, &proposal).map_err(|problems| unfit(template, &problems))
}

/// The plan that the template's own graph is.
pub fn plan_from_template(template: &Template, start: &StartWith) -> Result<Planned, AppError> {
    let planned = plan(template, start).map_err(|problems| unfit(template, &problems))?;
    check_repetition(&planned.plan)?;
    Ok(planned)
}

fn unfit(template: &Template, problems: &[Problem]) -> AppError {
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6104",
        told.join("; "),
        format!(
            "See its inputs with `adjutant mission show {}`.",
            template.id
        ),
    )
}

/// Refuses to change the inputs by which a fork would count as a mission of another type, or be supervised by others.
pub fn check_fork_input(name: &str) -> Result<(), AppError> {
    let (records, help) = match name {
        MISSION_TYPE_INPUT => (
            "the type of the mission",
            "Start a mission of the other type with `adjutant mission start`.",
        ),
        SUPERVISORS_INPUT => (
            "who supervises the mission",
            "Start a mission with other supervisors with `adjutant run`.",
        ),
        _ => return Ok(()),
    };
    Err(AppError::new(
        ErrorKind::BadInput,
        RESERVED_INPUT,
        format!("the input `{name}` of a fork cannot be changed: it records {records}"),
        help,
    ))
}

/// Whether a model answers for experts here.
pub(crate) fn a_model_leads(settings: &Settings) -> bool {
    let tier = LevelFacts::of(AgentLevel::L2).tier.name();
    let asked = settings.models.settings.tiers.get(tier);
    asked
        .and_then(|models| models.first())
        .is_some_and(|model| model != OFFLINE)
}

/// What the expert makes of the template, and what asking cost; nothing if no model answered.
async fn ask_for_proposal(
    context: Context<'_>,
    template: &Template,
    start: &StartWith,
) -> Result<Option<(Proposal, MicroUsd)>, AppError> {
    let by = match agent(template.expert.as_str()) {
        Some(expert) => lone_agent(expert)?,
        None => unnamed_expert()?,
    };
    let title = format!("The plan of a {}", template.name);
    let input = planning_question(template, start);
    ask_expert(context, title, &input, by, start.money, None).await
}

/// Asks an expert about a plan. What it proposes, and what asking cost; nothing if no model answered.
pub(crate) async fn ask_expert(
    context: Context<'_>,
    title: String,
    input: &PlanInput,
    by: AgentSpec,
    money: Option<MicroUsd>,
    listed_at: Option<Timestamp>,
) -> Result<Option<(Proposal, MicroUsd)>, AppError> {
    let name = by.name.clone();
    let question = Question {
        title,
        objective: input.objective.clone(),
        by,
        purpose: "plan",
        input: &serde_json::to_value(input).map_err(|error| defect(&error))?,
        reasoning: None,
        money,
        about: None,
        listed_at,
    };
    let answered = match question.try_ask(context).await? {
        Asked::Answered(answered) => answered,
        Asked::Unanswered { mission, why } => {
            context.settings.notes.write(&format!(
                "the {name} could not plan it ({why}; `adjutant show {}`): the steps stay as they are",
                short(mission)
            ));
            return Ok(None);
        }
    };
    let cost = answered.mission.used().money;
    if answered.by() == OFFLINE {
        return Ok(None);
    }
    let answer: Answer = answered.read()?;
    context.settings.notes.write(&format!(
        "planned by the {name} ({}, {} % sure; `adjutant show {}`)",
        answered.by(),
        (answer.confidence * 100.0).round(),
        short(answered.mission.id())
    ));
    Ok(Some((Proposal::of(&answer), cost)))
}
