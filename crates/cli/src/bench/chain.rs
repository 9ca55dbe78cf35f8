//! `bench chain`: steps one after the other, a number of missions at a time, closed loop.

use std::time::Duration;

use super::process;
use super::world::World;
use crate::args::BenchChain;
use crate::failure::{Exit, Failure};
use crate::output;
use crate::settings::Settings;

pub(crate) async fn run(settings: &Settings, chain: BenchChain) -> Result<Exit, Failure> {
    let world = World::open(settings, chain.home.as_deref()).await?;
    let peer = world.name();
    let inflight = chain.missions_in_flight as usize;
    let ran = world
        .chains(inflight, chain.steps, Duration::from_secs(chain.seconds))
        .await?;
    let rss = process::rss_peak_mb();
    let bytes_per_step = world.close().await? as f64 / ran.steps();
    if chain.json.json {
        let line = serde_json::json!({
            "peer": peer, "workload": "w1", "inflight": inflight,
            "missions": ran.missions(), "seconds": round(ran.seconds), "missions_s": round(ran.missions_s()),
            "steps_s": round(ran.steps_s()), "events_s": round(ran.events_s()),
            "p50_ms": round(ran.percentile_ms(50)), "p99_ms": round(ran.percentile_ms(99)),
            "cores": round(ran.cores), "app_rss_mb": round(rss), "bytes_per_step": round(bytes_per_step),
        });
        output::line(&line.to_string())?;
        return Ok(Exit::Ok);
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
        chain.steps,
        ran.cores,
        bytes_per_step
    ))?;
    Ok(Exit::Ok)
}

pub(super) fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
