//! Answers without personal data, for those who may read missions but not their journals.

use adjutant_app::outgoing::{outgoing_of, redact_json};
use adjutant_journal::JournalError;
use adjutant_mission::MissionId;
use adjutant_store::Store;
use serde_json::Value;

use crate::App;
use crate::access::{Authority, Permit, may};

/// What leaves for everybody: it is handed on.
pub(crate) async fn redact<S: Store>(
    app: &App<S>,
    mission: MissionId,
    value: &mut Value,
) -> Result<(), JournalError> {
    let journal = app.host.journal(&app.tenant);
    let policy = app.use_cases.outgoing_policy();
    let mut outgoing = outgoing_of(&journal, mission, policy).await?;
    redact_json(&mut outgoing, value);
    Ok(())
}

/// What a mission's journal says: those who may export it see it as it is.
pub(crate) async fn redact_for<S: Store>(
    app: &App<S>,
    reader: &Authority,
    mission: MissionId,
    value: &mut Value,
) -> Result<(), JournalError> {
    match sees_originals(reader) {
        true => Ok(()),
        false => redact(app, mission, value).await,
    }
}

pub(crate) fn sees_originals(reader: &Authority) -> bool {
    may(reader.role, Permit::Export)
}
