//! What serves a question: a direct answer out of documents, or a mission. Of the missions the head of the team chooses one, and
//! says why and how sure it is.

use adjutant_catalogue::{Catalogue, Entry, agents_of};
use adjutant_mission::{AgentLevel, MissionId, Ppm};
use adjutant_questions::{Input, OfferedMission, Output, Route, Routed};
use serde_json::Value;

use crate::context::Context;
use crate::error::AppError;
use crate::single_question::{Question, defect, lone_agent};

/// From here on a mission is what a question wants.
pub const SURE_ENOUGH: Ppm = Ppm(600_000);

const MORE_LIKELY_THAN_NOT: f64 = 0.5;

/// The mission that was chosen.
#[derive(Debug)]
pub struct Choice {
    pub routed: Routed,
    /// The same, with who chose it.
    pub told: Value,
    pub by: String,
    /// The small mission in which it was chosen.
    pub asked_in: Option<MissionId>,
}

impl Choice {
    pub fn sure(&self) -> Ppm {
        // What is no number becomes 0.
        Ppm((self.routed.confidence.clamp(0.0, 1.0) * 1_000_000.0).round() as u32)
    }
}

/// Whether a question asks for a fact, and is not worded as one for a mission.
pub fn wants_direct_answer(catalogue: &Catalogue, question: &str) -> Result<bool, AppError> {
    let asked = adjutant_reader::Question::new(question);
    if !asked.is_factual() {
        return Ok(adjutant_rule_answers::chance_of_a_fact(question) > MORE_LIKELY_THAN_NOT);
    }
    Ok(asked.wants_value() || by_rules(&route(catalogue, question))?.sure() < SURE_ENOUGH)
}

/// Asks the head of the team which mission of the catalogue serves a question. Where somebody else would have to approve
/// that answer, fixed rules choose: what was chosen is asked about anyhow, when its plan is.
pub async fn choose_mission(
    context: Context<'_>,
    catalogue: &Catalogue,
    question: &str,
) -> Result<Choice, AppError> {
    let input = route(catalogue, question);
    if !context.settings.four_eyes.is_empty() {
        return by_rules(&input);
    }
    let head = agents_of(AgentLevel::L1)
        .next()
        .ok_or_else(|| defect(&"no agent leads the roster"))?;
    let question = Question {
        title: "Which mission fits the question".to_owned(),
        objective: input.question.clone(),
        by: lone_agent(head)?,
        purpose: "route",
        input: &serde_json::to_value(&input).map_err(|error| defect(&error))?,
        reasoning: None,
        money: None,
        about: None,
        listed_at: None,
    };
    let answered = question.ask(context).await?;
    Ok(Choice {
        routed: answered.read()?,
        by: answered.by(),
        asked_in: Some(answered.mission.id()),
        told: answered.answer,
    })
}

fn by_rules(input: &Route) -> Result<Choice, AppError> {
    let Output::Route(routed) = adjutant_rule_answers::answer(&Input::Route(input.clone())) else {
        return Err(defect(&"a route was asked for and something else came"));
    };
    Ok(Choice {
        told: serde_json::to_value(&routed).map_err(|error| defect(&error))?,
        routed,
        by: "fixed rules".to_owned(),
        asked_in: None,
    })
}

fn route(catalogue: &Catalogue, question: &str) -> Route {
    // One that is only planned cannot be started.
    let ready = catalogue
        .entries
        .iter()
        .filter(|entry| entry.template().is_some());
    Route {
        question: question.trim().to_owned(),
        missions: ready.map(offered_mission).collect(),
    }
}

fn offered_mission(entry: &Entry) -> OfferedMission {
    OfferedMission {
        id: entry.id.clone(),
        name: entry.name.clone(),
        about: entry.about().to_owned(),
        category: entry
            .facts
            .map_or_else(String::new, |facts| facts.category.name().to_owned()),
    }
}
