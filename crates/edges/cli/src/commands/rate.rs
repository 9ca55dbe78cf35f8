//! `adjutant rate`: what conclusions turned out to be worth, and how good the confidences in them were.

use adjutant_host::calibration::{
    Forecast, History, OUTCOMES_MIN, Outcome, Pair, Ppm, Table, Worth,
};
use adjutant_host::{Performs, Upkeep, new_command_id};
use adjutant_mission::{Mission, Task, TaskState, WorkSpec};
use serde_json::json;

use super::rate_mission;
use crate::args::Rate;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, calibration, count, short};
use adjutant_app::calibration::calibration_table;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::find;
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

pub(super) async fn run(settings: &Settings, rate: Rate) -> Result<Exit, AppError> {
    let form = Form::from(rate.json.json);
    let Some(mission) = &rate.mission else {
        return show(settings, form).await;
    };
    let outcome = match &rate.rating {
        Some(outcome) if !rate_mission::is_stars(outcome) => outcome,
        _ => return rate_mission::run(settings, rate).await,
    };
    if !(rate.useful.is_empty() && rate.not_useful.is_empty()) {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6116",
            format!("`{outcome}` rates a conclusion, not insights"),
            "Mark the insights in a command of their own.",
        ));
    }
    let worth = worth(outcome)?;
    let reading = ReadOnlyStore::expect(settings).await?;
    let id = find::mission(reading.store(), mission).await?;
    let mission = reading.mission(id).await?.0;
    let (task, state) = concluded(&mission, rate.task.as_deref())?;
    let Some(forecast) = forecast(&mission, task, state) else {
        return Err(nothing_said(&mission));
    };
    let now = wiring::clock().now();
    let rated = Pair {
        outcome: Outcome {
            worth,
            by: settings.me.to_string(),
            at: now.0,
            note: rate.note.or(rate.remark).unwrap_or_default(),
        },
        forecast,
    };
    let upkeep = Upkeep::Rate {
        id: new_command_id(now)?,
        rated: Box::new(rated.clone()),
    };
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let done = engine.upkeep(&settings.tenant, upkeep).await;
    engine.close().await?;
    done?;
    let table = calibration_table(&ReadOnlyStore::expect(settings).await?.journal).await?;
    if form == Form::Json {
        output::line(&json!({ "rated": rated, "outcomes": table.all.count }).to_string())?;
        return Ok(Exit::Ok);
    }
    let said = rated.forecast.confidence.get() / 10_000;
    let right = rated.outcome.worth.share().get() / 10_000;
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(format!(" “{}” was {said} % sure, and is ", task.name()))
        .and(Tone::Bold, format!("{right} % right"))
        .and(Tone::Dim, format!(" · {}", rated.forecast.agent));
    output::line(&line.render(output::paint()))?;
    let brier = table.all.brier.map_or(0, Ppm::get);
    output::note(&format!(
        "   {} so far, Brier score {:.3}; `adjutant rate` shows them.",
        count(
            usize::try_from(table.all.count).unwrap_or(usize::MAX),
            "outcome"
        ),
        f64::from(brier) / 1e6,
    ));
    Ok(Exit::Ok)
}

async fn show(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    let table = match ReadOnlyStore::open(settings).await? {
        Some(reading) => calibration_table(&reading.journal).await?,
        None => Table::of(&History::new()),
    };
    if form == Form::Json {
        output::line(&serde_json::to_string(&table).unwrap_or_default())?;
        return Ok(Exit::Ok);
    }
    if table.all.count == 0 {
        output::line(
            " No outcomes are recorded yet, so the reliability of confidences is unknown.",
        )?;
        output::line(
            " Record one with: adjutant rate MISSION right|wrong|0.5 [--task TASK] --note \"how you know\"",
        )?;
        return Ok(Exit::Ok);
    }
    let width = output::size().0.min(100);
    Line::print_all(&calibration(&table, OUTCOMES_MIN, width), output::paint())?;
    Ok(Exit::Ok)
}

fn worth(text: &str) -> Result<Worth, AppError> {
    let share = match text {
        "right" => return Ok(Worth::Right),
        "wrong" => return Ok(Worth::Wrong),
        number => number.parse::<f64>().ok(),
    };
    match share.filter(|share| (0.0..=1.0).contains(share)) {
        Some(share) => Ok(Worth::Share(Ppm::new((share * 1e6).round() as u32))),
        None => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6116",
            format!("`{text}` is not an outcome"),
            "Write 1 to 5 for the whole mission; `right`, `wrong` or a share such as 0.5 for its conclusion.",
        )),
    }
}

/// The task whose conclusion is judged: the named one, or the last that said how sure it was.
fn concluded<'a>(
    mission: &'a Mission,
    named: Option<&str>,
) -> Result<(&'a Task, &'a TaskState), AppError> {
    let sure = || {
        mission
            .tasks()
            .filter(|(_, state)| state.assessed.is_some())
    };
    let Some(name) = named else {
        return sure().last().ok_or_else(|| nothing_said(mission));
    };
    sure()
        .find(|(task, _)| task.key.as_str() == name)
        .ok_or_else(|| {
            let known: Vec<&str> = sure().map(|(task, _)| task.key.as_str()).collect();
            match known.as_slice() {
                [] => nothing_said(mission),
                known => AppError::new(
                    ErrorKind::BadInput,
                    "ADJ-6117",
                    format!(
                        "mission {} has no conclusion named `{name}`",
                        short(mission.id())
                    ),
                    format!("It has {}.", known.join(", ")),
                ),
            }
        })
}

fn forecast(mission: &Mission, task: &Task, state: &TaskState) -> Option<Forecast> {
    let WorkSpec::Agent(work) = &task.work else {
        return None;
    };
    let by = state.doer(task);
    Some(Forecast {
        mission: mission.id().to_string(),
        task: task.key.to_string(),
        agent: by.map_or_else(|| work.level.name().to_owned(), ToString::to_string),
        kind: work.purpose.to_string(),
        confidence: Ppm::new(state.assessed?.composite.0),
    })
}

fn nothing_said(mission: &Mission) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6117",
        format!(
            "mission {} has no conclusion with a confidence",
            short(mission.id())
        ),
        "Only conclusions of reasoning agents can be rated.",
    )
}
