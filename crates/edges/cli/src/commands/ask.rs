//! `adjutant ask`: a question goes to the mission that serves it, or to one that is finished and knows.

use adjutant_app::context::Context;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::find;
use adjutant_app::follow_up::ask_about;
use adjutant_app::plan_checker::PlanChecker;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::single_question::defect;
use adjutant_mission::Json;
use serde_json::json;

use super::route;
use crate::args::Ask;
use crate::exit::Exit;
use crate::output;
use crate::view::{Line, Tone, tell, wrap};

pub(super) async fn run(settings: &Settings, ask: Ask) -> Result<Exit, AppError> {
    if ask.question.trim().is_empty() {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6111",
            "the question is empty",
            "Write in a sentence what you want to know or decide.",
        ));
    }
    match &ask.about {
        Some(about) => Box::pin(follow_up(settings, &ask, about)).await,
        None => Box::pin(route::run(settings, ask)).await,
    }
}

/// Answers a question out of what a mission found.
async fn follow_up(settings: &Settings, ask: &Ask, about: &str) -> Result<Exit, AppError> {
    let store = ReadOnlyStore::expect(settings).await?;
    let about = find::mission(store.store(), about).await?;
    let checker = PlanChecker::new(settings).await?;
    let caller = settings.actor(None);
    let context = Context::outside_the_host(settings, &checker, &caller);
    let (answered, id) = ask_about(context, &store, about, &ask.question).await?;
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
