//! Turning what a mission decided into one append: encoded and chained events, the row of the mission
//! list, the inbox's changes, blobs, and now and then a snapshot.
//!
//! **Invariant:** The store never sees content: events, titles, questions, snapshots and blobs reach it sealed. What
//! the store sorts and counts by stays in the clear. One exception: journals that began before seals continue as they
//! began.

use adjutant_mission::{Driver, Event, InboxEntry, Mission, PASSPORT_VERSION, Recorded};
use adjutant_store::{Batch, Blob, ChainHead, InboxChange, Opening, Sealed, Snapshot};

use crate::JournalError;
use crate::mission_seal::MissionSeal;

/// A snapshot is taken when the journal has doubled since the last one, and not before this many events:
/// so snapshots cost no more, all together, than the journal itself.
const SNAPSHOT_EVENTS_MIN: u64 = 512;

/// Where a mission's journal ends, and what seals what is added to it.
#[derive(Debug)]
pub struct JournalCursor {
    pub head: ChainHead,
    pub snapshot_seq: u64,
    pub seal: MissionSeal,
    /// The title as it is stored, sealed once.
    pub title: Sealed,
    /// For the first batch.
    pub opening: Option<Opening>,
}

impl JournalCursor {
    /// The batch that makes what is unsaved durable, and where the journal ends after it.
    pub fn batch(
        &self,
        driver: &Driver,
        blobs: Vec<Blob>,
    ) -> Result<(Batch, ChainHead), JournalError> {
        let (mission, unsaved) = (driver.mission(), driver.unsaved());
        let Self {
            head,
            snapshot_seq,
            seal,
            title,
            opening,
        } = self;
        let mut events = Vec::with_capacity(unsaved.len());
        let mut end = *head;
        for recorded in unsaved {
            let (stored, next) = end.link(seal.event(recorded)?);
            events.push(stored);
            end = next;
        }
        let snapshot = if end.seq - snapshot_seq >= (*snapshot_seq).max(SNAPSHOT_EVENTS_MIN) {
            let passport = mission.passport().map_err(JournalError::Encode)?;
            Some(Snapshot {
                head: end,
                version: PASSPORT_VERSION,
                passport: seal.snapshot(end.seq, passport)?,
            })
        } else {
            None
        };
        let mut inbox = Vec::new();
        for recorded in unsaved {
            inbox.extend(inbox_change(mission, seal, recorded)?);
            if matches!(recorded.event, Event::MissionForked { .. }) {
                inbox.extend(asked_anew(mission, seal)?);
            }
        }
        let batch = Batch {
            mission: mission.id(),
            expected: *head,
            events,
            opening: opening.clone(),
            summary: mission.summary().titled(title.clone()),
            inbox,
            blobs,
            owners: mission.account_owners(),
            charges: driver.charges(),
            snapshot,
            erases: false,
        };
        Ok((batch, end))
    }

    /// The batch is durable: the journal now ends at `end`.
    pub fn moved(&mut self, end: ChainHead, snapshot_seq: Option<u64>) {
        self.head = end;
        self.opening = None;
        self.snapshot_seq = snapshot_seq.unwrap_or(self.snapshot_seq);
    }
}

/// Forking gives questions another deadline, and nobody claims them.
fn asked_anew(mission: &Mission, seal: &MissionSeal) -> Result<Vec<InboxChange>, JournalError> {
    let title = &mission.plan().title;
    let rows = mission.open_checkpoints().map(|state| {
        let entry = InboxEntry::of(mission.id(), title, &state.checkpoint, state.opened_at);
        Ok(InboxChange::Put(seal.inbox_row(&entry)?))
    });
    rows.collect()
}

fn inbox_change(
    mission: &Mission,
    seal: &MissionSeal,
    recorded: &Recorded,
) -> Result<Option<InboxChange>, JournalError> {
    let put = |entry: &InboxEntry| Ok(Some(InboxChange::Put(seal.inbox_row(entry)?)));
    match &recorded.event {
        Event::CheckpointOpened(checkpoint) => {
            let title = &mission.plan().title;
            let entry = InboxEntry::of(mission.id(), title, checkpoint, recorded.at);
            put(&entry)
        }
        Event::CheckpointClaimed { checkpoint } | Event::CheckpointReleased { checkpoint } => {
            let Some(state) = mission.checkpoints().get(checkpoint.index()) else {
                return Ok(None);
            };
            let title = &mission.plan().title;
            let entry = InboxEntry::of(mission.id(), title, &state.checkpoint, state.opened_at);
            let claimed_by = match &recorded.event {
                Event::CheckpointClaimed { .. } => {
                    recorded.actor.as_ref().map(|actor| actor.id.clone())
                }
                _ => None,
            };
            put(&InboxEntry {
                claimed_by,
                ..entry
            })
        }
        Event::CheckpointDecided { checkpoint, .. }
        | Event::CheckpointExpired { checkpoint }
        | Event::CheckpointWithdrawn { checkpoint, .. } => {
            Ok(Some(InboxChange::Remove(*checkpoint)))
        }
        _ => Ok(None),
    }
}
