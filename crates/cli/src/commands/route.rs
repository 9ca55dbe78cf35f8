//! Which mission serves a question: the head of the team chooses, and says why and how sure it is.

use std::io::{BufRead as _, IsTerminal as _};

use adjutant_ask::{OfferedMission, Route, Routed};
use adjutant_catalogue::{Catalogue, Entry, agents_of};
use adjutant_mission::{AgentLevel, Ppm};
use serde_json::json;

use super::asking::{Answered, Question, alone, defect};
use super::mission;
use crate::args::Ask;
use crate::catalogue::{catalogue, template};
use crate::failure::{Exit, Failure};
use crate::output;
use crate::settings::Settings;
use crate::view::{Line, Tone, short, wrap};
use crate::wiring::Known;

/// From here on a mission is started without asking whether it is the right one.
const SURE_ENOUGH: Ppm = Ppm(600_000);

pub(super) async fn run(settings: &Settings, ask: Ask) -> Result<Exit, Failure> {
    let catalogue = catalogue(settings)?;
    let known = Known::new(settings).await?;
    let answered = choose(settings, &catalogue, &ask.question, &known).await?;
    let routed: Routed = answered.read()?;
    let asked_in = answered.mission.id();
    let is_json = ask.with.json.json;
    if is_json {
        output::line(&json!({ "asked_in": asked_in, "route": answered.answer }).to_string())?;
    } else {
        Line::print_all(&told(&catalogue, &routed, &answered.by()), output::paint())?;
    }
    let chosen = chosen(&catalogue, &routed)?;
    let agreed = sure(&routed) >= SURE_ENOUGH || ask.with.yes || ask.with.dry_run;
    if !agreed && (is_json || !is_wanted(chosen)?) {
        return Err(Failure::new(
            Exit::WaitingForHuman,
            "ADJ-6114",
            format!(
                "{} was not started: nobody is sure enough that it is what you want ({}, {} is enough)",
                chosen.name,
                percent(sure(&routed)),
                percent(SURE_ENOUGH)
            ),
            format!(
                "Start it with `adjutant mission start {} \"…\"`, or ask again with `--yes`; `adjutant show {}` shows how it was chosen.",
                chosen.id,
                short(asked_in)
            ),
        ));
    }
    let template = template(&catalogue, &chosen.id)?;
    mission::start_with(settings, template, &ask.question, &ask.with, &known).await
}

/// Asks the head of the team.
async fn choose(
    settings: &Settings,
    catalogue: &Catalogue,
    question: &str,
    known: &Known,
) -> Result<Answered, Failure> {
    let input = Route {
        question: question.trim().to_owned(),
        missions: catalogue.entries.iter().map(offered).collect(),
    };
    let head = agents_of(AgentLevel::L1)
        .next()
        .ok_or_else(|| defect(&"nobody is at the head of the roster"))?;
    let question = Question {
        title: "Which mission serves this".to_owned(),
        objective: input.question.clone(),
        by: alone(head)?,
        purpose: "route",
        input: &serde_json::to_value(&input).map_err(|error| defect(&error))?,
        reasoning: None,
        money: None,
        about: None,
    };
    question.ask(settings, known).await
}

fn offered(entry: &Entry) -> OfferedMission {
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

fn told(catalogue: &Catalogue, routed: &Routed, by: &str) -> Vec<Line> {
    let width = output::size().0.min(100).saturating_sub(4);
    let name = |id: &str| {
        catalogue
            .entry(id)
            .map_or(id.to_owned(), |at| at.name.clone())
    };
    let mut lines = Vec::new();
    if let Some(id) = &routed.mission {
        lines.push(Line::new().plain(" ").and(Tone::Bold, name(id)).and(
            Tone::Dim,
            format!(" · {} sure · {by}", percent(sure(routed))),
        ));
    }
    let mut said = |text: &str, tone: Tone| {
        for part in wrap(text, width) {
            lines.push(Line::new().plain("   ").and(tone, part));
        }
    };
    said(&routed.because, Tone::Plain);
    for other in &routed.others {
        said(
            &format!("or {}: {}", name(&other.id), other.because),
            Tone::Dim,
        );
    }
    lines.push(Line::new());
    lines
}

fn sure(routed: &Routed) -> Ppm {
    // What is no number becomes 0.
    Ppm((routed.confidence.clamp(0.0, 1.0) * 1_000_000.0).round() as u32)
}

fn percent(share: Ppm) -> String {
    format!("{} %", share.0 / 10_000)
}

/// The mission that was chosen, if it can be started.
fn chosen<'a>(catalogue: &'a Catalogue, routed: &Routed) -> Result<&'a Entry, Failure> {
    let entries = &catalogue.entries;
    let ready = |id: &str| {
        entries
            .iter()
            .find(|at| at.id == id && at.template().is_some())
    };
    let Some(id) = &routed.mission else {
        let ready = entries.iter().filter(|entry| entry.template().is_some());
        let ready: Vec<&str> = ready.map(|entry| entry.id.as_str()).collect();
        return Err(Failure::new(
            Exit::BadInput,
            "ADJ-6115",
            format!("no mission serves the question: {}", routed.because),
            format!(
                "Say what is to come of it (\"Should we …\", \"What is known of …\", \"Which risks …\"), or start one of {}.",
                ready.join(", ")
            ),
        ));
    };
    ready(id).ok_or_else(|| {
        let name = catalogue.entry(id).map_or(id.as_str(), |entry| &entry.name);
        let other = routed.others.iter().find_map(|other| ready(&other.id));
        Failure::new(
            Exit::BadInput,
            "ADJ-6103",
            format!("{name} serves it best, but is announced and has no template yet"),
            match other {
                Some(other) => format!(
                    "Nearest is {}: `adjutant mission start {} \"…\"`.",
                    other.name, other.id
                ),
                None => "Start another of `adjutant mission list`, or write a template of that id."
                    .to_owned(),
            },
        )
    })
}

/// Whether whoever sits at the terminal wants it.
fn is_wanted(chosen: &Entry) -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    output::line(&format!(
        " Start {}? y, or anything else for no",
        chosen.name
    ))?;
    let mut line = String::new();
    let mut stdin = std::io::stdin().lock();
    stdin.read_line(&mut line).map_err(output::unwritten)?;
    Ok(matches!(line.trim(), "y" | "yes"))
}
