//! `adjutant ask`: a question goes to the mission that serves it, or to one that is finished and knows.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use adjutant_mission::{AgentLevel, AgentSpec, Json, Pattern, Ppm, Reasoning};
use serde_json::{Value, json};

use super::asking::{Question, an_expert, asked_about, defect};
use super::compare::read;
use super::route;
use crate::args::Ask;
use crate::failure::{Exit, Failure};
use crate::find;
use crate::output;
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{Line, Tone, short, tell, wrap};
use crate::wiring::Known;

/// Sources of a finished mission that a question about it is answered from: those nearest to it.
const SOURCES_MAX: usize = 40;
const STEM_CHARS_MIN: usize = 4;
const STEM_CHARS_MAX: usize = 6;
/// How a question about a finished mission is thought through.
const FOLLOW_UP_ITERATIONS: u16 = 2;

pub(super) async fn run(settings: &Settings, ask: Ask) -> Result<Exit, Failure> {
    if ask.question.trim().is_empty() {
        return Err(Failure::new(
            Exit::BadInput,
            "ADJ-6111",
            "the question is empty",
            "Say in a sentence what you want to know or decide.",
        ));
    }
    match &ask.about {
        Some(about) => follow_up(settings, &ask, about).await,
        None => route::run(settings, ask).await,
    }
}

/// What of a question is looked for: the beginnings of its longer words.
fn stems(question: &str) -> BTreeSet<String> {
    let words = question.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.chars().count() >= STEM_CHARS_MIN);
    words
        .map(|word| word.to_lowercase().chars().take(STEM_CHARS_MAX).collect())
        .collect()
}

/// How much of it a source has.
fn nearness(asked: &BTreeSet<String>, source: &Value) -> usize {
    let part = |name: &str| source[name].as_str().unwrap_or_default().to_lowercase();
    let (title, text) = (part("title"), part("text"));
    let has = |stem: &&String| title.contains(*stem) || text.contains(*stem);
    asked.iter().filter(has).count()
}

/// Answers a question out of what a mission found.
async fn follow_up(settings: &Settings, ask: &Ask, about: &str) -> Result<Exit, Failure> {
    let reading = Reading::expect(settings).await?;
    let mut id = find::mission(reading.store(), about).await?;
    let mut done = read(&reading, id).await?;
    // One question after another: each is about what the first was about.
    if let Some(about) = asked_about(&done.mission) {
        id = about;
        done = read(&reading, id).await?;
    }
    let mut sources = done.sources();
    let gave = done.mission.tasks();
    let gave = gave.filter_map(|(_, state)| done.output(state.output.as_ref()?));
    let found: Vec<String> = gave
        .filter_map(|output| Some(format!("It was concluded: {}", output["summary"].as_str()?)))
        .collect();
    if sources.is_empty() {
        return Err(Failure::new(
            Exit::BadInput,
            "ADJ-6112",
            format!(
                "mission {} found nothing that a question could be answered from",
                short(id)
            ),
            "Ask a mission that looked something up, or start another with `adjutant ask`.",
        ));
    }
    let asked = stems(&ask.question);
    sources.sort_by_cached_key(|source| Reverse(nearness(&asked, source)));
    sources.truncate(SOURCES_MAX);
    let input = json!({ "question": ask.question, "sources": sources, "guidance": found });
    let reasoning = Reasoning {
        patterns: vec![Pattern::ChainOfThought],
        max_iterations: FOLLOW_UP_ITERATIONS,
        confidence_threshold: Ppm(0),
        tools: Vec::new(),
    };
    let plan = done.mission.plan();
    let lead = plan
        .agents
        .iter()
        .find(|agent| agent.level == AgentLevel::L2);
    let by = match lead {
        Some(lead) => AgentSpec {
            started_by: None,
            ..lead.clone()
        },
        None => an_expert()?,
    };
    let question = Question {
        title: format!("A question about {}", plan.title),
        objective: ask.question.clone(),
        by,
        purpose: "conclude",
        input: &input,
        reasoning: Some(reasoning),
        money: None,
        about: Some(id),
    };
    let known = Known::new(settings).await?;
    let answered = question.ask(settings, &known).await?;
    if ask.with.json.json {
        output::line(
            &json!({ "mission": answered.mission.id(), "about": id, "answer": answered.answer })
                .to_string(),
        )?;
        return Ok(Exit::Ok);
    }
    let width = output::size().0.min(100) - 2;
    let json = Json::encode(&answered.answer).map_err(|error| defect(&error))?;
    let mut lines = Vec::new();
    if let Some(told) = tell(&json) {
        for line in &told.lines {
            let parts = wrap(line, width - 4).into_iter().enumerate();
            lines.extend(parts.map(|(at, part)| {
                Line::new()
                    .plain(if at == 0 { "  · " } else { "    " })
                    .plain(part)
            }));
        }
        lines.push(Line::new());
        lines.push(Line::of(Tone::Dim, format!(" {}", told.by)));
    }
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}
