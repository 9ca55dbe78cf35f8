//! Reads what events tell of and the journal does not hold: blobs, each once.

use adjutant_journal::{JournalError, MissionSeal, TenantJournal};
use adjutant_mission::{Json, Mission, MissionId, Recorded};
use adjutant_session_events::{Contents, Projection, SessionEvent};
use adjutant_store::TenantStore;

/// The session events of a whole journal.
pub async fn events_of<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
    recorded: &[Recorded],
) -> Result<Vec<SessionEvent>, JournalError> {
    let corrupt = |source| JournalError::Corrupt {
        mission,
        source: Box::new(source),
    };
    let mut reader = EventReader::default();
    let mut events = Vec::new();
    let mut folded: Option<Mission> = None;
    for recorded in recorded {
        let now = match folded.take() {
            None => Mission::begin(recorded).map_err(corrupt)?,
            Some(mut before) => {
                before.apply(recorded).map_err(corrupt)?;
                before
            }
        };
        events.extend(reader.take(journal, &now, recorded).await?);
        folded = Some(now);
    }
    Ok(events)
}

/// Projects one mission's journal into events, with the contents of its blobs.
#[derive(Debug, Default)]
pub struct EventReader {
    projection: Projection,
    /// Opens the mission's blobs; read with the first of them.
    seal: Option<MissionSeal>,
}

impl EventReader {
    /// The session events of one journal event, with the mission's state after it. A blob that was erased or cannot be
    /// opened is represented by its digest. If the store fails, nothing changes, and the same event can be given again.
    pub async fn take<T: TenantStore>(
        &mut self,
        journal: &TenantJournal<T>,
        mission: &Mission,
        recorded: &Recorded,
    ) -> Result<Vec<SessionEvent>, JournalError> {
        let mut contents = Contents::none();
        if let Some(digest) = self.projection.wanted(mission, recorded) {
            match self.read(journal, mission.id(), digest).await {
                Ok(Some(content)) => contents.insert(digest, &content),
                Err(error @ JournalError::Store(_)) => return Err(error),
                Ok(None) | Err(_) => {}
            }
        }
        Ok(self.projection.take(mission, recorded, &contents))
    }

    async fn read<T: TenantStore>(
        &mut self,
        journal: &TenantJournal<T>,
        mission: MissionId,
        digest: &str,
    ) -> Result<Option<Json>, JournalError> {
        let Ok(digest) = digest.parse() else {
            return Ok(None);
        };
        let seal = match &self.seal {
            Some(seal) => seal,
            None => match journal.store().row(mission).await? {
                Some(row) => self.seal.insert(journal.seal_of(&row).await?),
                None => return Ok(None),
            },
        };
        journal.output(seal, mission, digest).await
    }
}
