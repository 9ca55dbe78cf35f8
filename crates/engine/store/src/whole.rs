//! A mission with everything that is kept of it, to be carried from one store to another.

use crate::{Blob, InboxRow, MissionRow, Snapshot, StoredEvent, SubjectTag};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeMission {
    pub row: MissionRow,
    /// All of its journal; nothing if it was pruned.
    pub events: Vec<StoredEvent>,
    /// By digest.
    pub blobs: Vec<Blob>,
    pub snapshot: Option<Snapshot>,
    /// By number.
    pub inbox: Vec<InboxRow>,
    /// In their own order.
    pub subjects: Vec<SubjectTag>,
}

impl WholeMission {
    /// What it counts for in a tenant's usage.
    pub fn usage(&self) -> u64 {
        let events = self.events.iter().map(|event| event.bytes.len() as u64);
        let blobs = self.blobs.iter().map(|blob| blob.bytes.len() as u64);
        events.chain(blobs).sum()
    }
}
