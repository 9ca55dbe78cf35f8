//! What serves a question: a direct answer out of documents, or a mission. The head of the team chooses the mission, and says
//! why and how sure it is.

use std::io::{BufRead as _, IsTerminal as _};

use adjutant_app::context::Context;
use adjutant_app::routing::{Choice, SURE_ENOUGH, choose_mission, wants_direct_answer};
use adjutant_catalogue::{Catalogue, Entry};
use adjutant_mission::Ppm;
use adjutant_questions::Routed;
use serde_json::json;

use super::{direct, mission};
use crate::args::Ask;
use crate::exit::Exit;
use crate::output;
use crate::view::{Line, Tone, wrap};
use adjutant_app::catalogue::{catalogue, template};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::plan_checker::PlanChecker;
use adjutant_app::settings::Settings;

const DEEP_DIVE: &str = "deep_dive";
pub(super) async fn run(settings: &Settings, ask: Ask) -> Result<Exit, AppError> {
    let catalogue = catalogue(settings)?;
    let with = &ask.with;
    let wants_mission = with.yes || with.dry_run || with.detach || !with.attachments.is_empty();
    let may_answer = !wants_mission && !with.namespaces.is_empty();
    if ask.direct || (may_answer && wants_direct_answer(&catalogue, &ask.question)?) {
        return direct::run(settings, &ask).await;
    }
    let known = PlanChecker::new(settings).await?;
    let caller = settings.actor(None);
    let context = Context::outside_the_host(settings, &known, &caller);
    let choice = choose_mission(context, &catalogue, &ask.question).await?;
    let is_json = ask.with.json.json;
    let agreed = choice.sure() >= SURE_ENOUGH || ask.with.yes || ask.with.dry_run;
    if is_json {
        output::line(&json!({ "asked_in": choice.asked_in, "route": choice.told }).to_string())?;
    } else {
        Line::print_all(&told(&catalogue, &choice), output::paint())?;
    }
    let first = chosen(&catalogue, &choice.routed)?;
    let wanted = match agreed {
        true => Some(first),
        false if is_json => None,
        false => wanted(&offered(&catalogue, first, &choice.routed))?,
    };
    let Some(chosen) = wanted else {
        let others = offered(&catalogue, first, &choice.routed);
        let ids: Vec<&str> = others.iter().map(|entry| entry.id.as_str()).collect();
        return Err(AppError::new(
            ErrorKind::WaitingForHuman,
            "ADJ-6114",
            format!(
                "{} was not started: the confidence that it fits your question is too low ({}; {} is required)",
                first.name,
                percent(choice.sure()),
                percent(SURE_ENOUGH)
            ),
            format!(
                "Start one with `adjutant mission start TYPE \"…\"` (likely types: {}), or ask again with `--yes`. For an answer from documents only, use `--direct`.",
                ids.join(", "),
            ),
        ));
    };
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

fn told(catalogue: &Catalogue, choice: &Choice) -> Vec<Line> {
    let width = output::size().0.min(100).saturating_sub(4);
    let name = |id: &str| {
        catalogue
            .entry(id)
            .map_or(id.to_owned(), |at| at.name.clone())
    };
    let mut lines = Vec::new();
    let routed = &choice.routed;
    // The default if nothing in the question points to a mission type.
    let id = routed.mission.as_deref().unwrap_or(DEEP_DIVE);
    lines.push(Line::new().plain(" ").and(Tone::Bold, name(id)).and(
        Tone::Dim,
        format!(" · {} sure · {}", percent(choice.sure()), choice.by),
    ));
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

/// The mission that was chosen, and the others that were named.
fn offered<'a>(catalogue: &'a Catalogue, first: &'a Entry, routed: &Routed) -> Vec<&'a Entry> {
    let others = routed.others.iter().filter_map(|other| {
        let ready = |entry: &&Entry| entry.id == other.id && entry.template().is_some();
        catalogue.entries.iter().find(ready)
    });
    [first].into_iter().chain(others).collect()
}

/// Which of them whoever sits at the terminal wants.
fn wanted<'a>(offered: &[&'a Entry]) -> Result<Option<&'a Entry>, AppError> {
    if !std::io::stdin().is_terminal() {
        return Ok(None);
    }
    for (at, entry) in offered.iter().enumerate() {
        output::line(&format!(" {}  {}", at + 1, entry.name))?;
    }
    output::line(" Start which? A number, y for the first, or anything else for none")?;
    let mut line = String::new();
    let mut stdin = std::io::stdin().lock();
    stdin.read_line(&mut line).map_err(output::unwritten)?;
    Ok(match line.trim() {
        "y" | "yes" => offered.first().copied(),
        number => {
            let number = number.parse::<usize>().ok();
            number.and_then(|number| offered.get(number.checked_sub(1)?).copied())
        }
    })
}
