//! What a payload holds.

use adjutant_journal::{JournalError, MissionSeal, TenantJournal};
use adjutant_mission::{Json, MissionId, Payload};
use adjutant_store::TenantStore;

/// What a payload holds, wherever it is kept. Nothing if it was erased.
pub(crate) async fn content<T: TenantStore>(
    journal: &TenantJournal<T>,
    seal: &MissionSeal,
    mission: MissionId,
    payload: Option<&Payload>,
) -> Result<Option<Json>, JournalError> {
    match payload {
        None => Ok(None),
        Some(Payload::Inline(json)) => Ok(Some(json.clone())),
        Some(Payload::Blob { digest, .. }) => match digest.parse() {
            Ok(digest) => journal.output(seal, mission, digest).await,
            Err(_) => Ok(None),
        },
    }
}
