//! Pruning: old journals go, and a signed record of what went stays.

use adjutant_mission::{MissionId, Phase, Timestamp};
use adjutant_store::{ListOrder, ListQuery, Retention, TenantStore};

use crate::JournalError;
use crate::attest::{SigningKey, Statement};
use crate::tenant::TenantJournal;

const ENDED: [Phase; 3] = [Phase::Completed, Phase::Failed, Phase::Cancelled];
const PAGE_MISSIONS: u32 = 500;

impl<T: TenantStore> TenantJournal<T> {
    /// Missions that ended before `before` and are not pruned yet. One at work is never among them.
    pub async fn prunable(&self, before: Timestamp) -> Result<Vec<MissionId>, JournalError> {
        let (mut found, mut below) = (Vec::new(), None);
        loop {
            let query = ListQuery {
                phases: Some(ENDED.to_vec()),
                limit: PAGE_MISSIONS,
                order: ListOrder::NewestFirst,
                past: below,
            };
            let page = self.store().list(query).await?;
            below = page.last().map(|row| row.summary.mission);
            let old = page
                .iter()
                .filter(|row| row.kept != Retention::Pruned && row.summary.updated_at < before);
            found.extend(old.map(|row| row.summary.mission));
            if page.len() < PAGE_MISSIONS as usize {
                return Ok(found);
            }
        }
    }

    /// Removes a mission's journal and content; the record of it is signed in the same step.
    pub async fn prune(
        &self,
        key: &SigningKey,
        at: Timestamp,
        mission: MissionId,
        reason: &str,
    ) -> Result<(), JournalError> {
        loop {
            let row = self.store().row(mission).await?;
            let row = row.ok_or(JournalError::MissionUnknown(mission))?;
            if row.kept == Retention::Pruned {
                return Ok(());
            }
            if row.kept == Retention::Working && !row.summary.phase.is_ended() {
                return Err(JournalError::Unfinished { mission });
            }
            let head = self.store().head(mission).await?;
            let head = head.ok_or(JournalError::MissionUnknown(mission))?;
            let says = Statement::Pruned {
                mission,
                origin: row.origin,
                seq: head.seq,
                hash: head.hash.to_string(),
                reason: reason.to_owned(),
            };
            for attestation in self.signed(key, at, &[says]).await? {
                if self.store().prune(mission, attestation).await? {
                    return Ok(());
                }
            }
        }
    }
}
