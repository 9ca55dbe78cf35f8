//! `bench bytes`: what a step costs in the store, and whether that grows with the steps before it.

use super::load::round;
use super::world::World;
use crate::args::{BenchBytes, BenchPlace};
use crate::output;
use adjutant_app::error::AppError;
use adjutant_app::settings::Settings;

pub(crate) async fn run(settings: &Settings, bytes: BenchBytes) -> Result<(), AppError> {
    for steps in bytes.steps {
        let place = BenchPlace {
            store: None,
            home: None,
        };
        let world = World::open(settings, &place).await?;
        let peer = world.name();
        world.wordy_chain(steps).await?;
        let size = world.close().await?;
        let per_step = size as f64 / f64::from(steps);
        if bytes.json.json {
            let line = serde_json::json!({
                "peer": peer, "workload": "bytes", "steps": steps,
                "bytes": size, "bytes_per_step": round(per_step),
            });
            output::line(&line.to_string())?;
        } else {
            output::line(&format!(
                " {steps:>6} steps of 2 kB: {:.1} MiB, {per_step:.0} bytes a step",
                size as f64 / 1_048_576.0
            ))?;
        }
    }
    Ok(())
}
