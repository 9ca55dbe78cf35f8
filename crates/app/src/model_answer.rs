//! A question to the documents that fixed rules do not surely answer, put to a model with the statements that come nearest.
//! What it answers is quoted letter for letter, or it is said not to be found.

use adjutant_catalogue::agent;
use adjutant_knowledge_base::KnowledgeBase;
use adjutant_mission::MissionId;
use adjutant_providers::OFFLINE;
use adjutant_questions::{Extract, Extracted, Finding, Source};
use adjutant_reader::{Question as Wanted, Quote, Reading};
use adjutant_store::TenantStore;
use serde::Serialize;

use crate::context::Context;
use crate::direct_answer::{AnswerPassage, DirectAnswer, passage};
use crate::error::AppError;
use crate::planning::a_model_leads;
use crate::read_documents::ReadDocuments;
use crate::settings::Settings;
use crate::single_question::{Asked, Question, defect, lone_agent};

/// Who is asked.
const ASKED: &str = "L2-research-coordinator";
/// So many statements, each in its context, go with the question.
const STATEMENTS_MAX: usize = 20;
const FINDINGS_MAX: u16 = 3;
/// A model is asked too where the best passage fits less well than this.
const SURE_FIT: f64 = 0.62;
/// An answer that the model itself holds for less likely is none.
const SURE_MODEL: f64 = 0.5;

/// What a model says.
#[derive(Debug, Serialize)]
pub struct ModelAnswer {
    pub found: bool,
    /// The answer in a sentence; empty if there is none.
    pub verdict: String,
    /// What it rests on.
    pub passages: Vec<AnswerPassage>,
    /// What was asked and is in none of the statements.
    pub not_found: Vec<String>,
    pub by: String,
    /// The small mission in which it was asked.
    pub mission: MissionId,
}

/// Whether a model is to be asked: the rules are not sure, one is there, and nobody has to approve its answer.
pub fn wants_model(settings: &Settings, answer: &DirectAnswer) -> bool {
    let is_sure = answer.found && answer.fit >= SURE_FIT;
    let is_free = settings.four_eyes.is_empty();
    !is_sure && is_free && !answer.passages.is_empty() && a_model_leads(settings)
}

/// Asks it. Nothing if nobody answered: what the rules found stands.
pub async fn model_answer<T: TenantStore>(
    context: Context<'_>,
    base: &KnowledgeBase<'_, T>,
    namespaces: &[String],
    question: &str,
) -> Result<Option<ModelAnswer>, AppError> {
    let read = ReadDocuments::of(base, namespaces, Some(question)).await?;
    let near = nearest(&read, question);
    let input = Extract {
        question: question.trim().to_owned(),
        sources: near.iter().map(|one| one.source.clone()).collect(),
        most: FINDINGS_MAX,
        guidance: Vec::new(),
    };
    let by = agent(ASKED).ok_or_else(|| defect(&"no agent of the roster answers questions"))?;
    let asking = Question {
        title: "An answer out of the documents".to_owned(),
        objective: input.question.clone(),
        by: lone_agent(by)?,
        purpose: "extract",
        input: &serde_json::to_value(&input).map_err(|error| defect(&error))?,
        reasoning: None,
        money: None,
        about: None,
        listed_at: None,
    };
    let answered = match asking.try_ask(context).await? {
        Asked::Answered(answered) => answered,
        Asked::Unanswered { .. } => return Ok(None),
    };
    if answered.by() == OFFLINE {
        return Ok(None);
    }
    let extracted: Extracted = answered.read()?;
    Ok(Some(told(
        &extracted,
        near,
        answered.by(),
        answered.mission.id(),
    )))
}

/// A statement as it goes with the question, and as it is shown.
struct Near {
    source: Source,
    passage: AnswerPassage,
}

fn nearest(read: &ReadDocuments, question: &str) -> Vec<Near> {
    let reading = read.reading();
    let nearest = reading.nearest(&Wanted::new(question), STATEMENTS_MAX);
    let numbered = nearest.iter().zip(1..);
    numbered
        .map(|(quote, number)| near(read, &reading, quote, number))
        .collect()
}

fn near(read: &ReadDocuments, reading: &Reading<'_>, quote: &Quote, number: usize) -> Near {
    let shown = passage(&read.taken, reading, quote);
    let mut title = shown.title.clone();
    if let Some(heading) = shown.headings.last().filter(|at| **at != shown.title) {
        title = format!("{title} · {heading}");
    }
    if shown.replaced_by.is_some() {
        title.push_str(" (a later version exists)");
    }
    let source = Source {
        id: format!("s{number}"),
        title,
        text: shown.context.clone(),
        published: shown.date.clone(),
    };
    Near {
        source,
        passage: shown,
    }
}

/// The best finding that rests on a quote, with the passages it quotes.
fn told(extracted: &Extracted, mut near: Vec<Near>, by: String, mission: MissionId) -> ModelAnswer {
    let is_sure = |finding: &&Finding| {
        let sure = finding.confidence.min(extracted.confidence);
        !finding.evidence.is_empty() && sure >= SURE_MODEL
    };
    let best = extracted.findings.iter().find(is_sure);
    let mut passages: Vec<AnswerPassage> = Vec::new();
    for evidence in best.iter().flat_map(|finding| &finding.evidence) {
        let place = near.iter().position(|one| one.source.id == evidence.source);
        let Some(place) = place else { continue };
        let mut shown = near.remove(place).passage;
        if shown.context.contains(&evidence.quote) {
            shown.sentence.clone_from(&evidence.quote);
        }
        passages.push(shown);
    }
    let verdict = best.filter(|_| !passages.is_empty());
    ModelAnswer {
        found: verdict.is_some(),
        verdict: verdict.map_or_else(String::new, |finding| finding.text.clone()),
        passages,
        not_found: extracted.not_found.clone(),
        by,
        mission,
    }
}

#[cfg(test)]
#[path = "model_answer_tests.rs"]
mod tests;
