//! Turning what a mission decided into one append: encoded and chained events, the row of the mission
//! list, the inbox's changes, blobs, and now and then a snapshot.

use adjutant_mission::{Event, InboxEntry, Mission, PASSPORT_VERSION, Recorded};
use adjutant_store::{Batch, Blob, ChainHead, InboxChange, Snapshot};

use crate::HostError;

/// A snapshot is taken when the journal has doubled since the last one, and not before this many events:
/// so snapshots cost no more, all together, than the journal itself.
const SNAPSHOT_EVENTS_MIN: u64 = 512;

/// The batch that makes `unsaved` durable, and where the journal ends after it.
pub(crate) fn batch(
    mission: &Mission,
    head: ChainHead,
    snapshot_seq: u64,
    unsaved: &[Recorded],
    blobs: Vec<Blob>,
) -> Result<(Batch, ChainHead), HostError> {
    let mut events = Vec::with_capacity(unsaved.len());
    let mut end = head;
    for recorded in unsaved {
        let (stored, next) = end.link(recorded.encode().map_err(HostError::Encode)?);
        events.push(stored);
        end = next;
    }
    let snapshot = if end.seq - snapshot_seq >= snapshot_seq.max(SNAPSHOT_EVENTS_MIN) {
        let passport = mission.passport().map_err(HostError::Encode)?;
        Some(Snapshot {
            head: end,
            version: PASSPORT_VERSION,
            passport,
        })
    } else {
        None
    };
    let batch = Batch {
        mission: mission.id(),
        expected: head,
        events,
        summary: mission.summary(),
        inbox: unsaved
            .iter()
            .filter_map(|recorded| inbox_change(mission, recorded))
            .collect(),
        blobs,
        snapshot,
    };
    Ok((batch, end))
}

fn inbox_change(mission: &Mission, recorded: &Recorded) -> Option<InboxChange> {
    match &recorded.event {
        Event::CheckpointOpened(checkpoint) => {
            let title = &mission.plan().title;
            let entry = InboxEntry::of(mission.id(), title, checkpoint, recorded.at);
            Some(InboxChange::Put(Box::new(entry)))
        }
        Event::CheckpointClaimed { checkpoint } | Event::CheckpointReleased { checkpoint } => {
            let state = mission.checkpoints().get(*checkpoint as usize)?;
            let title = &mission.plan().title;
            let entry = InboxEntry::of(mission.id(), title, &state.checkpoint, state.opened_at);
            let claimed_by = match &recorded.event {
                Event::CheckpointClaimed { .. } => {
                    recorded.actor.as_ref().map(|actor| actor.id.clone())
                }
                _ => None,
            };
            Some(InboxChange::Put(Box::new(InboxEntry {
                claimed_by,
                ..entry
            })))
        }
        Event::CheckpointDecided { checkpoint, .. }
        | Event::CheckpointExpired { checkpoint }
        | Event::CheckpointWithdrawn { checkpoint, .. } => Some(InboxChange::Remove(*checkpoint)),
        _ => None,
    }
}
