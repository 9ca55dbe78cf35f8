//! `adjutant replan`: changing a mission's plan while it is carried out.

use std::path::Path;

use adjutant_host::HostError;
use adjutant_mission::{Command, Mission, Plan, PlanPatch, Refused};

use super::steer::deliver;
use crate::args::Replan;
use crate::exit::Exit;
use crate::output;
use crate::view::{Line, Tone, count};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::find;
use adjutant_app::plan_checker::PlanChecker;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::suggestion::{self, Suggestions};
use serde_json::{Map, Value};

pub(super) async fn run(settings: &Settings, replan: Replan) -> Result<Exit, AppError> {
    let reading = ReadOnlyStore::expect(settings).await?;
    let id = find::mission(reading.store(), &replan.mission.mission).await?;
    let mission = reading.mission(id).await?.0;
    if mission.ending().is_some() {
        let phase = mission.phase().name();
        return Err(HostError::from(Refused::MissionEnded { phase }).into());
    }
    let patch = match (&replan.file, &replan.requirement) {
        (Some(file), _) => read(settings, file, &mission).await?,
        (None, wanted) => {
            suggested(settings, &reading, &mission, wanted.as_deref(), &replan).await?
        }
    };
    drop(reading);
    Line::print_all(&difference(mission.plan(), &patch), output::paint())?;
    if replan.dry_run {
        output::note("   Nothing was changed.");
        return Ok(Exit::Ok);
    }
    let command = Command::Replan {
        patch: Box::new(patch),
        why: replan.reason.unwrap_or_default(),
    };
    let by = settings.actor(None);
    deliver(settings, id, by, command, "The plan was changed.").await
}

/// The patch that a requirement in words comes to.
async fn suggested(
    settings: &Settings,
    reading: &ReadOnlyStore,
    mission: &Mission,
    requirement: Option<&str>,
    replan: &Replan,
) -> Result<PlanPatch, AppError> {
    let context = context(replan.context.as_deref())?;
    let checker = PlanChecker::new(settings).await?;
    let caller = settings.actor(None);
    let suggester = Suggestions::default()
        .suggester(
            settings,
            checker.registry(),
            &caller,
            Some(&reading.journal),
        )
        .await?;
    let wanted = requirement.unwrap_or_default();
    let replanned = suggestion::replan(&suggester, &checker, mission, wanted, &context)?;
    for why in &replanned.revision.suggestion.why {
        output::note(&format!("   {}: {}", why.task, why.because));
    }
    Ok(replanned.patch)
}

fn context(given: Option<&str>) -> Result<Map<String, Value>, AppError> {
    match serde_json::from_str(given.unwrap_or("{}")) {
        Ok(Value::Object(context)) => Ok(context),
        _ => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6256",
            "the context is not a JSON object",
            "Write it as '{\"name\": value}'.",
        )),
    }
}

/// Reads a patch file against the plan that it is to change.
pub(super) async fn read(
    settings: &Settings,
    file: &Path,
    mission: &Mission,
) -> Result<PlanPatch, AppError> {
    let known = PlanChecker::new(settings).await?;
    let shown = file.display().to_string();
    let bytes = adjutant_app::files::read(file, adjutant_plans::FILE_BYTES_MAX as u64)?;
    adjutant_plans::read_patch(&bytes, mission.plan(), &known)
        .map_err(|errors| known.plan_error(&shown, &bytes, errors))
}

/// What a patch does to a plan, a line for each task.
fn difference(plan: &Plan, patch: &PlanPatch) -> Vec<Line> {
    let sign = |tone, sign: &str, what: &str, title: &str| {
        let line = Line::new()
            .plain(" ")
            .and(tone, sign)
            .plain(" ")
            .plain(what);
        match title {
            "" => line,
            title => line.and(Tone::Dim, format!("  {title}")),
        }
    };
    let mut lines = Vec::new();
    for task in &patch.add {
        lines.push(sign(Tone::Done, "+", task.key.as_str(), &task.title));
    }
    for task in &patch.change {
        lines.push(sign(Tone::Human, "~", task.key.as_str(), &task.title));
    }
    for key in &patch.drop {
        let dropped = plan.tasks.iter().find(|task| task.key == *key);
        let title = dropped.map_or("", |task| &task.title);
        lines.push(sign(Tone::Failed, "-", key.as_str(), title));
    }
    if patch.caps.is_some() {
        lines.push(sign(Tone::Human, "~", "the mission's caps", ""));
    }
    let left = plan.tasks.len() + patch.add.len() - patch.drop.len();
    let before = plan.tasks.len();
    lines.push(Line::of(
        Tone::Dim,
        format!("   {} where there were {before}", count(left, "task")),
    ));
    lines
}
