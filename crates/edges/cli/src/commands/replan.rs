//! `adjutant replan`: changing a mission's plan while it is carried out.

use std::path::Path;

use adjutant_host::HostError;
use adjutant_mission::{Command, Mission, Plan, PlanPatch, Refused};

use super::steer::deliver;
use crate::args::Replan;
use crate::exit::Exit;
use crate::output;
use crate::view::{Line, Tone, count};
use adjutant_app::error::AppError;
use adjutant_app::find;
use adjutant_app::plan_checker::PlanChecker;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;

pub(super) async fn run(settings: &Settings, replan: Replan) -> Result<Exit, AppError> {
    let (id, mission) = {
        let reading = ReadOnlyStore::expect(settings).await?;
        let id = find::mission(reading.store(), &replan.mission.mission).await?;
        (id, reading.mission(id).await?.0)
    };
    if mission.ending().is_some() {
        let phase = mission.phase().name();
        return Err(HostError::from(Refused::MissionEnded { phase }).into());
    }
    let patch = read(settings, &replan.file, &mission).await?;
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
