//! `bench chain` and `bench fanout`: missions of no-op steps, a number of them at a time, closed loop.

use std::time::Duration;

use super::process;
use super::world::{Lasts, Workload, World};
use crate::args::{BenchChain, BenchFanout, BenchLoad};
use crate::output;
use adjutant_app::error::AppError;
use adjutant_app::settings::Settings;

pub(crate) async fn chain(settings: &Settings, chain: BenchChain) -> Result<(), AppError> {
    let workload = Workload::Chain { steps: chain.steps };
    run(settings, workload, chain.load).await
}

pub(crate) async fn fanout(settings: &Settings, fanout: BenchFanout) -> Result<(), AppError> {
    let width = fanout.width;
    run(settings, Workload::Fanout { width }, fanout.load).await
}

async fn run(settings: &Settings, workload: Workload, load: BenchLoad) -> Result<(), AppError> {
    let world = World::open(settings, &load.place).await?;
    let peer = world.name();
    let inflight = load.concurrency as usize;
    let lasts = match load.missions {
        Some(missions) => Lasts::Missions(missions),
        None => Lasts::For(Duration::from_secs(load.seconds)),
    };
    let ran = world.runs(workload, inflight, lasts).await?;
    let rss = process::rss_peak_mb();
    let bytes_per_step = world.close().await? as f64 / ran.steps();
    if load.json.json {
        let line = serde_json::json!({
            "peer": peer, "workload": workload.name(), "inflight": inflight,
            "missions": ran.missions(), "seconds": round(ran.seconds), "missions_s": round(ran.missions_s()),
            "steps_s": round(ran.steps_s()), "events_s": round(ran.events_s()),
            "p50_ms": round(ran.percentile_ms(50)), "p99_ms": round(ran.percentile_ms(99)),
            "cores": round(ran.cores), "app_rss_mb": round(rss), "bytes_per_step": round(bytes_per_step),
        });
        output::line(&line.to_string())?;
        return Ok(());
    }
    output::line(&format!(
        " {inflight} in flight: {:.0} steps/s, {:.0} events/s, {:.1} missions/s",
        ran.steps_s(),
        ran.events_s(),
        ran.missions_s()
    ))?;
    output::line(&format!(
        "   p50 {:.1} ms, p99 {:.1} ms a mission of {} steps · {:.2} cores · {rss:.0} MiB · {:.0} bytes a step",
        ran.percentile_ms(50),
        ran.percentile_ms(99),
        workload.steps(),
        ran.cores,
        bytes_per_step
    ))?;
    Ok(())
}

pub(super) fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
