//! Traces of whatever the host does, for a collector that the environment names.

use std::sync::Arc;

use adjutant_host::{Committed, Host};
use adjutant_mission::{MissionId, Recorded, TenantId};
use adjutant_telemetry::{Destination, Heard, Sender, Source};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::output;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::settings::Environment;
use adjutant_app::stores::AnyStore;

/// Begins to send traces, if there is somewhere to send them.
pub(super) fn start(host: &Host<AnyStore>) -> Result<Option<Sender>, AppError> {
    let destination = Destination::of(Environment::telemetry).map_err(|wrong| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6130",
            format!("{} cannot be used: {}", wrong.variable, wrong.why),
            "Correct the variable, or unset it to send no traces.",
        )
    })?;
    let Some(destination) = destination else {
        return Ok(None);
    };
    let source = OfHost {
        feed: host.subscribe(),
        host: host.clone(),
    };
    let tell = Arc::new(|line: &str| output::note(line));
    let sender = Sender::start(source, destination, tell).map_err(|why| {
        AppError::new(
            ErrorKind::Unavailable,
            "ADJ-6131",
            format!("traces cannot be sent: {why}"),
            "Check the certificates of this machine, or unset OTEL_EXPORTER_OTLP_ENDPOINT.",
        )
    })?;
    Ok(Some(sender))
}

struct OfHost {
    feed: Receiver<Committed>,
    host: Host<AnyStore>,
}

impl Source for OfHost {
    async fn next(&mut self) -> Heard {
        match self.feed.recv().await {
            Ok(committed) => Heard::Committed {
                tenant: committed.tenant,
                mission: committed.mission,
                events: committed.events,
            },
            Err(RecvError::Lagged(_)) => Heard::Missed,
            Err(RecvError::Closed) => Heard::Over,
        }
    }

    async fn events(
        &self,
        tenant: &TenantId,
        mission: MissionId,
        from: u64,
        limit: u32,
    ) -> Option<Vec<Recorded>> {
        let journal = self.host.journal(tenant);
        journal.events(mission, from, limit).await.ok()
    }
}
