//! `bench paused`: what many missions that wait for a human cost those that run.

use std::time::{Duration, Instant};

use adjutant_mission::{CheckpointType, Phase, Waivers};
use adjutant_store::{ListOrder, ListQuery, TenantStore};
use futures::stream::{FuturesUnordered, StreamExt as _};

use super::load::round;
use super::world::{Lasts, Ran, Workload, World, waiting_plan};
use super::{failed, process};
use crate::args::BenchPaused;
use crate::output;
use adjutant_app::error::AppError;
use adjutant_app::settings::Settings;

/// Missions that are being opened at once.
const OPENING: usize = 256;
const CHAIN: Workload = Workload::Chain { steps: 20 };
const LOOKS: usize = 50;

pub(crate) async fn run(settings: &Settings, paused: BenchPaused) -> Result<(), AppError> {
    let world = World::open(settings, &paused.place).await?;
    let peer = world.name();
    let lasts = Lasts::For(Duration::from_secs(paused.seconds));
    let alone = world.runs(CHAIN, 1, lasts).await?;
    let rss_before = process::rss_mb();
    let began = Instant::now();
    open_all(&world, paused.missions as usize).await?;
    let opened_s = began.elapsed().as_secs_f64();
    let rss_after = process::rss_mb();
    let list = look(|| async {
        world
            .journal()
            .list(ListQuery {
                phases: None,
                limit: 50,
                order: ListOrder::NewestFirst,
                past: None,
            })
            .await
            .map(drop)
    })
    .await?;
    let inbox = look(|| async { world.journal().inbox(50).await.map(drop) }).await?;
    let beside = world.runs(CHAIN, 1, lasts).await?;
    let active = world.host.active();
    let bytes = world.close().await?;
    let line = serde_json::json!({
        "peer": peer, "workload": "paused", "missions": paused.missions,
        "opened_s": round(opened_s), "active": active,
        "rss_mb_before": round(rss_before), "rss_mb_paused": round(rss_after),
        "store_mb": round(bytes as f64 / 1_048_576.0),
        "list_ms": round(list), "inbox_ms": round(inbox),
        "steps_s_alone": round(alone.steps_s()), "p50_ms_alone": round(alone.percentile_ms(50)),
        "steps_s_beside": round(beside.steps_s()), "p50_ms_beside": round(beside.percentile_ms(50)),
    });
    if paused.json.json {
        output::line(&line.to_string())?;
        return Ok(());
    }
    output::line(&format!(
        " {} missions wait for a human; opened in {opened_s:.1} s, {active} in memory",
        paused.missions
    ))?;
    output::line(&format!(
        "   memory {rss_before:.0} MiB before, {rss_after:.0} MiB after · list {list:.2} ms · inbox {inbox:.2} ms"
    ))?;
    output::line(&format!("   a chain alone:  {}", told(&alone)))?;
    output::line(&format!("   beside them:    {}", told(&beside)))?;
    Ok(())
}

fn told(ran: &Ran) -> String {
    format!(
        "{:.0} steps/s, p50 {:.1} ms",
        ran.steps_s(),
        ran.percentile_ms(50)
    )
}

async fn open_all(world: &World, missions: usize) -> Result<(), AppError> {
    let plan = waiting_plan()?;
    // The plan needs no approval; its question does.
    let plan_approval = Waivers([CheckpointType::PlanApproval].into());
    let mut opening = FuturesUnordered::new();
    for _ in 0..missions {
        opening.push(world.begin(plan.clone(), plan_approval.clone()));
        if opening.len() >= OPENING
            && let Some(opened) = opening.next().await
        {
            opened?;
        }
    }
    while let Some(opened) = opening.next().await {
        opened?;
    }
    let counts = world.store().counts().await?;
    let waiting = counts
        .iter()
        .find(|(phase, _)| *phase == Phase::AwaitingHuman);
    match waiting {
        Some((_, waiting)) if *waiting == missions as u64 => Ok(()),
        other => Err(failed(format!(
            "{missions} missions should wait, but it is {other:?}"
        ))),
    }
}

/// The median of some tries, in milliseconds.
async fn look<F, R>(read: F) -> Result<f64, AppError>
where
    F: Fn() -> R,
    R: Future<Output = Result<(), adjutant_journal::JournalError>>,
{
    let mut took = Vec::new();
    for _ in 0..LOOKS {
        let began = Instant::now();
        read().await?;
        took.push(began.elapsed());
    }
    took.sort();
    Ok(took
        .get(LOOKS / 2)
        .map_or(0.0, |took| took.as_secs_f64() * 1_000.0))
}
