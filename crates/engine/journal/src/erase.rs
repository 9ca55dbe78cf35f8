//! Erasing: a mission's key is destroyed, and with it all that the mission said. What is left verifies.
//!
//! **Invariant:** What is erased leaves a chain that verifies, and no key. In a sealed journal the erasing event is
//! the last one and the only one in the clear.

use adjutant_mission::{Actor, Event, MissionId, Recorded, Timestamp, Zone};
use adjutant_store::{Batch, Retention, Sealed, TenantStore};

use crate::JournalError;
use crate::tenant::TenantJournal;

impl<T: TenantStore> TenantJournal<T> {
    /// The missions that concern somebody, oldest first.
    pub async fn concerning(&self, subject: &str) -> Result<Vec<MissionId>, JournalError> {
        match self.key().await? {
            Some(key) => Ok(self.store().missions_of(key.tag(subject)).await?),
            None => Ok(Vec::new()),
        }
    }

    /// Says why a mission cannot be erased now, if it cannot.
    pub async fn may_erase(&self, mission: MissionId) -> Result<(), JournalError> {
        let row = self.store().row(mission).await?;
        let row = row.ok_or(JournalError::MissionUnknown(mission))?;
        match row.kept {
            Retention::Working if !row.summary.phase.is_ended() => {
                Err(JournalError::Unfinished { mission })
            }
            // There is no key to destroy, and the events must stay as they are.
            Retention::Working if row.key.is_none() => Err(JournalError::NeverSealed { mission }),
            _ => Ok(()),
        }
    }

    /// Destroys what a mission said. Its last event says so, in the clear, for nobody could open it. Erasing
    /// what is gone already changes nothing.
    ///
    /// Nothing is folded for this: content can also be erased from a journal that is damaged.
    pub async fn erase(
        &self,
        mission: MissionId,
        at: Timestamp,
        by: &Actor,
        reason: &str,
    ) -> Result<(), JournalError> {
        self.may_erase(mission).await?;
        let row = self.store().row(mission).await?;
        let row = row.ok_or(JournalError::MissionUnknown(mission))?;
        if matches!(row.kept, Retention::Erased | Retention::Pruned) {
            return Ok(());
        }
        let head = self.store().head(mission).await?;
        let head = head.ok_or(JournalError::MissionUnknown(mission))?;
        let recorded = Recorded {
            seq: head.seq + 1,
            at,
            actor: Some(by.clone()),
            cause: None,
            zone: Zone::Platform,
            event: Event::ContentErased {
                reason: reason.to_owned(),
            },
        };
        let bytes = recorded.encode().map_err(JournalError::Encode)?;
        let mut summary = row.summary.titled(Sealed::default());
        summary.updated_at = at;
        summary.wake_at = None;
        summary.checkpoints_open = 0;
        let batch = Batch {
            mission,
            expected: head,
            events: vec![head.link(bytes).0],
            opening: None,
            summary,
            inbox: Vec::new(),
            blobs: Vec::new(),
            owners: Vec::new(),
            charges: Vec::new(),
            snapshot: None,
            erases: true,
        };
        Ok(self.store().append(batch).await?)
    }
}
