//! The stops that hold missions now, and how a list shows them. Setting and lifting them is in `commands/stops.rs`.

use adjutant_host::{StopNote, StopScope};
use adjutant_mission::{TenantId, Timestamp};
use adjutant_store::{RecordKind, Store};

use crate::view::{Line, Tone};
use adjutant_app::error::AppError;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;

/// A stop, and the tenant that set it.
#[derive(Debug)]
pub(crate) struct Stopped {
    pub(crate) scope: StopScope,
    pub(crate) note: StopNote,
    pub(crate) tenant: TenantId,
}

impl Stopped {
    pub(crate) fn row(&self) -> StopRow {
        StopRow {
            scope: self.scope.clone(),
            by: self.note.by.id.to_string(),
            at: self.note.at,
            reason: self.note.reason.clone(),
        }
    }

    pub(crate) fn told(&self) -> Line {
        self.row().told()
    }

    pub(crate) fn told_with_remedy(&self) -> [Line; 2] {
        self.row().told_with_remedy()
    }
}

/// A stop as a row of a list.
#[derive(Debug)]
pub(crate) struct StopRow {
    pub(crate) scope: StopScope,
    /// Empty if the reader may not know who set it.
    pub(crate) by: String,
    pub(crate) at: Timestamp,
    pub(crate) reason: String,
}

impl StopRow {
    /// One line that explains why nothing happens.
    pub(crate) fn told(&self) -> Line {
        let line = Line::new()
            .plain(" ")
            .and(Tone::Failed, "■")
            .plain(" ")
            .and(Tone::Bold, format!("{} is stopped", self.scope));
        let line = match self.by.as_str() {
            "" => line,
            by => line.plain(format!(" by {by}")),
        };
        match self.reason.as_str() {
            "" => line,
            reason => line.plain(format!(": {reason}")),
        }
    }

    /// The same, with the command that lifts it.
    pub(crate) fn told_with_remedy(&self) -> [Line; 2] {
        let remedy = format!(
            "   lift it with `adjutant allow {}`",
            stop_argument(&self.scope)
        );
        [self.told(), Line::of(Tone::Dim, remedy)]
    }
}

/// The stops that hold missions of this tenant: its own, and those of all tenants.
pub(crate) async fn stops_in_force(
    settings: &Settings,
    reading: &ReadOnlyStore,
) -> Result<Vec<Stopped>, AppError> {
    let vault = settings.vault()?;
    let mut stopped = Vec::new();
    for tenant in reading.whole.tenants().await? {
        let journal = vault.tenant(&reading.whole, &tenant);
        for (name, note) in journal.records::<StopNote>(RecordKind::Stop).await? {
            let scope = StopScope::parse(&name);
            let concerns = tenant == settings.tenant || scope == Some(StopScope::All);
            if let Some(scope) = scope.filter(|_| concerns && note.allowed_by.is_none()) {
                let tenant = tenant.clone();
                stopped.push(Stopped {
                    scope,
                    note,
                    tenant,
                });
            }
        }
    }
    Ok(stopped)
}

/// The argument of `stop` and `allow` that names this scope.
pub(crate) fn stop_argument(scope: &StopScope) -> String {
    match scope {
        StopScope::Tenant => "tenant".into(),
        StopScope::Tool(tool) => format!("tool {tool}"),
        StopScope::Provider(provider) => format!("provider {provider}"),
        StopScope::All => "all".into(),
    }
}
