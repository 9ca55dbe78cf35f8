//! Which mission serves a question: the head of the team chooses, and says why and how sure it is.

use adjutant_catalogue::{Catalogue, Entry, agents_of};
use adjutant_mission::AgentLevel;
use adjutant_questions::{OfferedMission, Route};

use crate::context::Context;
use crate::error::AppError;
use crate::single_question::{Answered, Question, defect, lone_agent};

/// Asks the head of the team which mission of the catalogue serves a question.
pub async fn choose_mission(
    context: Context<'_>,
    catalogue: &Catalogue,
    question: &str,
) -> Result<Answered, AppError> {
    let input = Route {
        question: question.trim().to_owned(),
        // One that is only planned cannot be started.
        missions: catalogue
            .entries
            .iter()
            .filter(|entry| entry.template().is_some())
            .map(offered_mission)
            .collect(),
    };
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
    question.ask(context).await
}

fn offered_mission(entry: &Entry) -> OfferedMission {
    OfferedMission {
        id: entry.id.clone(),
        name: entry.name.clone(),
        about: entry.about().to_owned(),
        category: entry
            .facts
            .map_or_else(String::new, |facts| facts.category.name().to_owned()),
        cues: entry.facts.map_or_else(Vec::new, |facts| {
            facts.cues.iter().map(|cue| (*cue).to_owned()).collect()
        }),
    }
}
