//! A question about a finished mission, answered out of what that mission found.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use adjutant_mission::{AgentLevel, AgentSpec, MissionId, Pattern, Ppm, Reasoning};
use serde_json::{Value, json};

use crate::constitution::Release;
use crate::context::Context;
use crate::error::{AppError, ErrorKind};
use crate::mission_record::MissionRecord;
use crate::read_only_store::ReadOnlyStore;
use crate::single_question::{Answered, Question, mission_asked_about, unnamed_expert};
use crate::words::short;

/// Sources of a finished mission that a question about it is answered from: those nearest to it.
const SOURCES_MAX: usize = 40;
const STEM_CHARS_MIN: usize = 4;
const STEM_CHARS_MAX: usize = 6;
/// How a question about a finished mission is thought through.
const FOLLOW_UP_ITERATIONS: u16 = 2;

/// The answer, and the mission that it is about.
pub async fn ask_about(
    context: Context<'_>,
    store: &ReadOnlyStore,
    about: MissionId,
    question: &str,
) -> Result<(Answered, MissionId), AppError> {
    let mut about = about;
    let mut record = MissionRecord::read(&store.journal, about).await?;
    // One question after another: each is about what the first was about.
    if let Some(first) = mission_asked_about(&record.mission) {
        about = first;
        record = MissionRecord::read(&store.journal, about).await?;
    }
    let input = json!({
        "question": question,
        "sources": nearest_sources(&record, question)?,
        "guidance": summaries(&record),
    });
    let plan = record.mission.plan();
    let question = Question {
        title: format!("A question about {}", plan.title),
        objective: question.to_owned(),
        by: leading_agent(&record)?,
        purpose: "conclude",
        input: &input,
        reasoning: Some(Reasoning {
            patterns: vec![Pattern::ChainOfThought],
            max_iterations: FOLLOW_UP_ITERATIONS,
            confidence_threshold: Ppm(0),
            tools: Vec::new(),
        }),
        money: None,
        about: Some(about),
        listed_at: None,
    };
    let answered = question.ask(context).await?;
    Release::new(&answered.mission, &[]).value(&answered.answer)?;
    Ok((answered, about))
}

fn nearest_sources(record: &MissionRecord, question: &str) -> Result<Vec<Value>, AppError> {
    let mut sources = record.sources();
    if sources.is_empty() {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6112",
            format!(
                "mission {} has no findings from which to answer a question",
                short(record.mission.id())
            ),
            "Ask a mission that has findings, or start a new one with `adjutant ask`.",
        ));
    }
    let stems = word_stems(question);
    sources.sort_by_cached_key(|source| Reverse(shared_stems(&stems, source)));
    sources.truncate(SOURCES_MAX);
    Ok(sources)
}

fn summaries(record: &MissionRecord) -> Vec<String> {
    let outputs = record.mission.tasks();
    let outputs = outputs.filter_map(|(_, state)| record.output(state.output.as_ref()?));
    outputs
        .filter_map(|output| Some(format!("It was concluded: {}", output["summary"].as_str()?)))
        .collect()
}

fn leading_agent(record: &MissionRecord) -> Result<AgentSpec, AppError> {
    let mut agents = record.mission.plan().agents.iter();
    match agents.find(|agent| agent.level == AgentLevel::L2) {
        Some(lead) => Ok(AgentSpec {
            started_by: None,
            ..lead.clone()
        }),
        None => unnamed_expert(),
    }
}

/// What of a question is looked for: the beginnings of its longer words.
fn word_stems(question: &str) -> BTreeSet<String> {
    let words = question.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.chars().count() >= STEM_CHARS_MIN);
    words
        .map(|word| word.to_lowercase().chars().take(STEM_CHARS_MAX).collect())
        .collect()
}

/// How many of the stems a source has.
fn shared_stems(stems: &BTreeSet<String>, source: &Value) -> usize {
    let part = |name: &str| source[name].as_str().unwrap_or_default().to_lowercase();
    let (title, text) = (part("title"), part("text"));
    let has = |stem: &&String| title.contains(*stem) || text.contains(*stem);
    stems.iter().filter(has).count()
}
