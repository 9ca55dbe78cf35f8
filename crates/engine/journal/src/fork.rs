//! What a fork takes over from another mission's journal: its events, and their blobs under the fork's own seal.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_mission::{Event, MissionId, Payload, Recorded, Zone};
use adjutant_store::{Blob, TenantStore};

use crate::{JournalError, MissionSeal, TenantJournal};

/// Events as a fork keeps them, and the blobs that they speak of.
#[derive(Debug)]
pub struct Inheritance {
    pub events: Vec<Recorded>,
    pub blobs: Vec<Blob>,
}

impl<T: TenantStore> TenantJournal<T> {
    /// Takes over events of `of`, for a mission with this seal.
    pub async fn inherit(
        &self,
        of: MissionId,
        mut events: Vec<Recorded>,
        seal: &MissionSeal,
    ) -> Result<Inheritance, JournalError> {
        let row = self.store().row(of).await?;
        let row = row.ok_or(JournalError::MissionUnknown(of))?;
        let origin = self.seal_of(&row).await?;
        let mut blobs: BTreeMap<String, Blob> = BTreeMap::new();
        for recorded in &mut events {
            let output = match &mut recorded.event {
                Event::MissionOpened(opened) => {
                    opened.scope.tenant = self.tenant().clone();
                    continue;
                }
                Event::TaskCompleted { output, .. } | Event::TaskHeld { output, .. } => output,
                Event::StepTaken { taken, .. } => &mut taken.output,
                _ => continue,
            };
            let Payload::Blob { digest, .. } = output else {
                continue;
            };
            if !blobs.contains_key(digest) {
                let stored = self.blob_of(of, digest).await?;
                let plain = origin.open_blob(&stored)?;
                blobs.insert(digest.clone(), seal.blob(Zone::Sensitive, &plain)?);
            }
            *digest = blobs[digest.as_str()].digest.to_string();
        }
        let mut blobs: Vec<Blob> = blobs.into_values().collect();
        blobs.sort_unstable_by_key(|blob| blob.digest);
        blobs.dedup_by_key(|blob| blob.digest);
        // Whatever events speak of must be there: a fork with a hole in it would be found when it is too late.
        let there: BTreeSet<String> = blobs.iter().map(|blob| blob.digest.to_string()).collect();
        let mut spoken_of = events.iter().filter_map(|recorded| recorded.event.blob());
        if let Some(digest) = spoken_of.find(|digest| !there.contains(*digest)) {
            return Err(missing(of, digest));
        }
        Ok(Inheritance { events, blobs })
    }

    async fn blob_of(&self, mission: MissionId, digest: &str) -> Result<Vec<u8>, JournalError> {
        let parsed = digest.parse().map_err(|_| missing(mission, digest))?;
        let stored = self.store().blob(mission, parsed).await?;
        stored.ok_or_else(|| missing(mission, digest))
    }
}

fn missing(mission: MissionId, digest: &str) -> JournalError {
    JournalError::Damaged {
        code: "ADJ-3047",
        what: format!("blob {digest} of {mission} is missing"),
    }
}
