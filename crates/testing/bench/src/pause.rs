//! `bench pause`: missions that run to a question, wait for all the others, and go on once everybody has said yes.

use std::time::Instant;

use adjutant_host::new_command_id;
use adjutant_mission::{
    CheckpointNumber, CheckpointType, Command, Decision, MissionId, Phase, Verdict, Waivers,
};
use adjutant_store::{Store, TenantStore};
use futures::stream::{FuturesUnordered, StreamExt as _};
use tokio::sync::broadcast::error::RecvError;

use super::load::round;
use super::world::{World, pausing_plan};
use super::{failed, process};
use crate::args::BenchPause;
use crate::output;
use adjutant_app::error::AppError;
use adjutant_app::settings::Settings;

/// Missions that are being opened or answered at once.
const AT_ONCE: usize = 256;

pub(crate) async fn run(settings: &Settings, pause: BenchPause) -> Result<(), AppError> {
    let world = World::open(settings, &pause.place).await?;
    let peer = world.name();
    let cpu = process::cpu();
    let began = Instant::now();
    let missions = open_all(&world, pause.missions as usize).await?;
    let pause_s = began.elapsed().as_secs_f64();
    let rss = process::rss_mb();
    let resumed = Instant::now();
    answer_all(&world, &missions).await?;
    let resume_s = resumed.elapsed().as_secs_f64();
    let seconds = began.elapsed().as_secs_f64();
    let cores = process::cpu().saturating_sub(cpu).as_secs_f64() / seconds;
    let peak = process::rss_peak_mb();
    world.close().await?;
    if pause.json.json {
        let line = serde_json::json!({
            "peer": peer, "workload": "w3", "missions": pause.missions, "seconds": round(seconds),
            "pause_s": round(pause_s), "resume_s": round(resume_s), "cores": round(cores),
            "paused_app_rss_mb": round(rss), "app_rss_mb": round(peak),
        });
        output::line(&line.to_string())?;
        return Ok(());
    }
    output::line(&format!(
        " {} missions: {pause_s:.2} s until all of them wait, {resume_s:.2} s from the first yes until all have ended",
        pause.missions
    ))?;
    output::line(&format!(
        "   {cores:.2} cores · {rss:.0} MiB while they wait"
    ))?;
    Ok(())
}

async fn open_all(world: &World, missions: usize) -> Result<Vec<MissionId>, AppError> {
    let plan = pausing_plan()?;
    let waived = Waivers([CheckpointType::PlanApproval, CheckpointType::FinalReview].into());
    let mut news = world.host.store().subscribe();
    let (mut opened, mut opening) = (Vec::with_capacity(missions), FuturesUnordered::new());
    for _ in 0..missions {
        opening.push(world.begin(plan.clone(), waived.clone()));
        if opening.len() >= AT_ONCE
            && let Some(mission) = opening.next().await
        {
            opened.push(mission?);
        }
    }
    while let Some(mission) = opening.next().await {
        opened.push(mission?);
    }
    // The read model says when the last one waits; news says when to look.
    while in_phase(world, Phase::AwaitingHuman).await? < missions as u64 {
        if let Err(RecvError::Closed) = news.recv().await {
            return Err(failed("the store closed"));
        }
    }
    Ok(opened)
}

async fn answer_all(world: &World, missions: &[MissionId]) -> Result<(), AppError> {
    let mut news = world.host.store().subscribe();
    let mut answering = FuturesUnordered::new();
    for &mission in missions {
        answering.push(answer(world, mission));
        if answering.len() >= AT_ONCE
            && let Some(answered) = answering.next().await
        {
            answered?;
        }
    }
    while let Some(answered) = answering.next().await {
        answered?;
    }
    while in_phase(world, Phase::Completed).await? < missions.len() as u64 {
        if let Err(RecvError::Closed) = news.recv().await {
            return Err(failed("the store closed"));
        }
    }
    Ok(())
}

async fn answer(world: &World, mission: MissionId) -> Result<(), AppError> {
    let id = new_command_id(world.host.clock().now())?;
    // The plan's one question.
    let command = Command::Decide {
        checkpoint: CheckpointNumber::new(0),
        decision: Decision::new(Verdict::Approve),
    };
    let (tenant, by) = world.owner();
    Ok(world.host.command(tenant, mission, id, by, command).await?)
}

async fn in_phase(world: &World, phase: Phase) -> Result<u64, AppError> {
    let counts = world.store().counts().await?;
    let found = counts.iter().find(|(found, _)| *found == phase);
    Ok(found.map_or(0, |(_, n)| *n))
}
