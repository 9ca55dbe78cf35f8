//! `adjutant prune`: removes journals that are older than they need to be kept.

use adjutant_host::{Performs, Upkeep};
use adjutant_mission::Timestamp;

use crate::args::Prune;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, count};
use adjutant_app::error::AppError;
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

pub(super) async fn run(settings: &Settings, prune: Prune) -> Result<Exit, AppError> {
    let form = Form::from(prune.json.json);
    let days = prune.days.unwrap_or(settings.keeping.days);
    let now = wiring::clock().now();
    let before = Timestamp(now.0.saturating_sub(i64::from(days) * DAY_MS));
    let reading = ReadOnlyStore::expect(settings).await?;
    if !prune.yes {
        let old = reading.journal.prunable(before).await?;
        if form == Form::Json {
            output::line(&serde_json::json!({ "would_prune": old, "days": days }).to_string())?;
        } else {
            output::note(&format!(
                "{} ended more than {days} days ago. Repeat with --yes to remove their journals.",
                count(old.len(), "mission")
            ));
        }
        return Ok(Exit::Ok);
    }
    drop(reading);
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let reason = format!("ended more than {days} days ago");
    let upkeep = Upkeep::Prune { before, reason };
    let pruned = engine.upkeep(&settings.tenant, upkeep).await;
    engine.close().await?;
    let pruned = pruned?;
    if form == Form::Json {
        output::line(&serde_json::json!({ "pruned": pruned, "days": days }).to_string())?;
        return Ok(Exit::Ok);
    }
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(format!(" {} pruned", count(pruned, "mission")))
        .and(Tone::Dim, "  a signed record of each remains");
    output::line(&line.render(output::paint()))?;
    Ok(Exit::Ok)
}
