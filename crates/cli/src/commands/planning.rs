//! The plan of a mission. Where a model answers for the expert who leads it, the expert is asked first to fit the template
//! to the objective; otherwise the template's own graph is the plan.

use adjutant_ask::{LevelFacts, Planned as Answer};
use adjutant_catalogue::{
    Planned, Problem, Proposal, StartWith, Template, agent, plan, plan_as_proposed,
    planning_question,
};
use adjutant_mission::{AgentLevel, MicroUsd};
use adjutant_models::OFFLINE;

use super::asking::{Asked, Question, alone, an_expert, defect};
use crate::failure::{Exit, Failure};
use crate::output;
use crate::settings::Settings;
use crate::view::short;
use crate::wiring::Known;

/// Plans a mission. What is left out is said, and why.
pub(super) async fn planned(
    settings: &Settings,
    template: &Template,
    mut start: StartWith,
    known: &Known,
) -> Result<Planned, Failure> {
    // Before anybody is asked: what cannot be planned at all costs nothing.
    let whole = from_template(template, &start)?;
    if !a_model_leads(settings) {
        return Ok(whole);
    }
    let Some((proposal, cost)) = proposed(settings, template, &start, known).await? else {
        return Ok(whole);
    };
    start.money = start
        .money
        .map(|cap| MicroUsd(cap.0.saturating_sub(cost.0)));
    plan_as_proposed(template, &start, &proposal).map_err(|problems| unfit(template, &problems))
}

/// The plan that the template's own graph is.
pub(super) fn from_template(template: &Template, start: &StartWith) -> Result<Planned, Failure> {
    plan(template, start).map_err(|problems| unfit(template, &problems))
}

fn unfit(template: &Template, problems: &[Problem]) -> Failure {
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Failure::new(
        Exit::BadInput,
        "ADJ-6104",
        told.join("; "),
        format!(
            "See `adjutant mission show {}` for what it takes.",
            template.id
        ),
    )
}

/// Whether a model answers for experts here.
fn a_model_leads(settings: &Settings) -> bool {
    let tier = LevelFacts::of(AgentLevel::L2).tier.name();
    let asked = settings.models.settings.tiers.get(tier);
    asked
        .and_then(|models| models.first())
        .is_some_and(|model| model != OFFLINE)
}

/// What the expert makes of the template, and what asking cost; nothing if no model answered.
async fn proposed(
    settings: &Settings,
    template: &Template,
    start: &StartWith,
    known: &Known,
) -> Result<Option<(Proposal, MicroUsd)>, Failure> {
    let input = planning_question(template, start);
    let by = match agent(template.expert.as_str()) {
        Some(expert) => alone(expert)?,
        None => an_expert()?,
    };
    let name = by.name.clone();
    let question = Question {
        title: format!("The plan of a {}", template.name),
        objective: start.objective.clone(),
        by,
        purpose: "plan",
        input: &serde_json::to_value(&input).map_err(|error| defect(&error))?,
        reasoning: None,
        money: start.money,
        about: None,
    };
    let answered = match question.try_ask(settings, known).await? {
        Asked::Answered(answered) => answered,
        Asked::Nobody { mission, why } => {
            output::note(&format!(
                "the {name} could not plan it ({why}; `adjutant show {}`): the template's own steps are the plan",
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
    output::note(&format!(
        "planned by the {name} ({}, {} % sure; `adjutant show {}`)",
        answered.by(),
        (answer.confidence * 100.0).round(),
        short(answered.mission.id())
    ));
    Ok(Some((Proposal::of(&answer), cost)))
}
