//! What serves a question: a direct answer out of documents, or a mission. The head of the team chooses the mission, and says
//! why and how sure it is.

use std::io::{BufRead as _, IsTerminal as _};

use adjutant_app::context::Context;
use adjutant_app::routing::choose_mission;
use adjutant_catalogue::{Catalogue, Entry};
use adjutant_mission::Ppm;
use adjutant_questions::Routed;
use adjutant_reader::Question;
use serde_json::json;

use super::{direct, mission};
use crate::args::Ask;
use crate::exit::Exit;
use crate::output;
use crate::view::{Line, Tone, short, wrap};
use adjutant_app::catalogue::{catalogue, template};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::plan_checker::PlanChecker;
use adjutant_app::settings::Settings;

const DEEP_DIVE: &str = "deep_dive";
/// From here on a mission is started without asking whether it is the right one.
const SURE_ENOUGH: Ppm = Ppm(600_000);

pub(super) async fn run(settings: &Settings, ask: Ask) -> Result<Exit, AppError> {
    let catalogue = catalogue(settings)?;
    let known = PlanChecker::new(settings).await?;
    let caller = settings.actor(None);
    let context = Context::outside_the_host(settings, &known, &caller);
    let answered = choose_mission(context, &catalogue, &ask.question).await?;
    let routed = or_deep_dive(answered.read()?);
    let asked_in = answered.mission.id();
    let is_json = ask.with.json.json;
    let agreed = sure(&routed) >= SURE_ENOUGH || ask.with.yes || ask.with.dry_run;
    let wants_mission = agreed || ask.with.detach || !ask.with.attachments.is_empty();
    if !wants_mission
        && !ask.with.namespaces.is_empty()
        && Question::new(&ask.question).is_factual()
    {
        return direct::run(settings, &ask).await;
    }
    if is_json {
        output::line(&json!({ "asked_in": asked_in, "route": answered.answer }).to_string())?;
    } else {
        Line::print_all(&told(&catalogue, &routed, &answered.by()), output::paint())?;
    }
    let chosen = chosen(&catalogue, &routed)?;
    if !agreed && (is_json || !is_wanted(chosen)?) {
        return Err(AppError::new(
            ErrorKind::WaitingForHuman,
            "ADJ-6114",
            format!(
                "{} was not started: the confidence that it fits your question is too low ({}; {} is required)",
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
    Box::pin(mission::start_with(
        settings,
        template,
        &ask.question,
        &ask.with,
        &known,
    ))
    .await
}

/// Where nothing tells what kind of work is wanted, everything that is known is a good beginning.
fn or_deep_dive(mut routed: Routed) -> Routed {
    routed.mission.get_or_insert_with(|| DEEP_DIVE.to_owned());
    routed
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

/// The mission that was chosen. Only those are offered that can be started, but a model may answer anything.
fn chosen<'a>(catalogue: &'a Catalogue, routed: &Routed) -> Result<&'a Entry, AppError> {
    let id = routed.mission.as_deref().unwrap_or(DEEP_DIVE);
    let ready = |entry: &&Entry| entry.id == id && entry.template().is_some();
    catalogue.entries.iter().find(ready).ok_or_else(|| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6103",
            format!("`{id}` was chosen, but there is no such mission to start"),
            "Start another mission of `adjutant mission list`.",
        )
    })
}

/// Whether whoever sits at the terminal wants it.
fn is_wanted(chosen: &Entry) -> Result<bool, AppError> {
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
