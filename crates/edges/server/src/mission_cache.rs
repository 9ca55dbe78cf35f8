//! Missions as they stand. Those that are looked at are kept folded for a while, so that looking again costs what came
//! since, and not the whole journal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_journal::JournalError;
use adjutant_mission::{Mission, MissionId};
use adjutant_store::Store;

use crate::App;

/// Missions that are kept; those that were looked at longest ago go first.
const KEPT_MAX: usize = 256;
/// Whatever has moved further since is read anew.
const SINCE_MAX: u32 = 500;

/// Where one mission is kept. Whoever holds it folds; those who come meanwhile wait, and find it done.
type Place = Arc<tokio::sync::Mutex<Option<Arc<Mission>>>>;

#[derive(Default)]
pub(crate) struct FoldedMissions(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    looks: u64,
    /// Each with the look that it was last had at.
    missions: HashMap<MissionId, (u64, Place)>,
}

impl FoldedMissions {
    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, mission: MissionId) -> Place {
        let mut kept = self.kept();
        kept.looks += 1;
        let look = kept.looks;
        let (at, place) = kept.missions.entry(mission).or_default();
        *at = look;
        let place = Arc::clone(place);
        if kept.missions.len() > KEPT_MAX {
            let oldest = kept.missions.iter().min_by_key(|(_, (look, _))| *look);
            if let Some(oldest) = oldest.map(|(mission, _)| *mission) {
                kept.missions.remove(&oldest);
            }
        }
        place
    }

    fn forget(&self, mission: MissionId) {
        self.kept().missions.remove(&mission);
    }
}

/// A mission as its journal tells it now. What is gone is told as gone, whether it was kept or not.
pub(crate) async fn folded<S: Store>(
    app: &App<S>,
    mission: MissionId,
) -> Result<Arc<Mission>, JournalError> {
    let journal = app.host.journal(&app.tenant);
    let place = app.folded.place(mission);
    let mut kept = place.lock().await;
    let fresh = match kept.take() {
        None => None,
        Some(known) => {
            let since = journal.events(mission, known.seq() + 1, SINCE_MAX).await?;
            moved_on(known, &since)
        }
    };
    let fresh = match fresh {
        Some(fresh) => fresh,
        None => match journal.load(mission).await {
            Ok((mission, _)) => Arc::new(mission),
            Err(error) => {
                app.folded.forget(mission);
                return Err(error);
            }
        },
    };
    *kept = Some(Arc::clone(&fresh));
    Ok(fresh)
}

/// A mission after these events; nothing if they are too many, or do not follow.
fn moved_on(known: Arc<Mission>, since: &[adjutant_mission::Recorded]) -> Option<Arc<Mission>> {
    if since.is_empty() {
        return Some(known);
    }
    if since.len() == SINCE_MAX as usize {
        return None;
    }
    let mut mission = Arc::unwrap_or_clone(known);
    for recorded in since {
        mission.apply(recorded).ok()?;
    }
    Some(Arc::new(mission))
}
