//! Waiting for a mission: until it rests, but not for longer than a client waits for an answer.

use std::time::Duration;

use adjutant_journal::{JournalCursor, TenantJournal};
use adjutant_mission::{Mission, MissionId};
use adjutant_store::TenantStore;
use tokio::time::Instant;

use crate::error::AppError;
use crate::wait_for_mission::rests;

/// Clients give up after a minute, some of them earlier.
pub(super) const SECONDS_MAX: u64 = 25;
pub(super) const SECONDS_DEFAULT: u64 = 20;
const LOOK: Duration = Duration::from_millis(50);

/// The mission as it stands when it rests, or when the time is up.
pub(super) async fn until_it_rests<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
    at_most: Duration,
) -> Result<(Mission, JournalCursor), AppError> {
    let until = Instant::now() + at_most;
    let mut loaded = journal.load(mission).await?;
    loop {
        if rests(&loaded.0) || Instant::now() >= until {
            return Ok(loaded);
        }
        tokio::time::sleep(LOOK).await;
        let head = journal.store().head(mission).await?;
        if head.is_some_and(|head| head.seq != loaded.0.seq()) {
            loaded = journal.load(mission).await?;
        }
    }
}
