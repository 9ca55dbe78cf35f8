//! What is owed to which channel, by when it is due. It remembers; it decides nothing.

use alloc::collections::{BTreeMap, BTreeSet};

use crate::Timestamp;
use crate::notices::{About, Progress, Subject};

/// Notices owed by one channel that are kept in memory; the rest stay in the store until there is room.
pub const OWED_MAX: usize = 10_000;

/// A channel, by its place among them, and what it owes a notice of.
pub type Key = (usize, Subject);

#[derive(Debug, Clone)]
pub struct Owed {
    pub about: About,
    pub progress: Progress,
    /// When it is due; none while it is ready or under way.
    due: Option<Timestamp>,
}

#[derive(Debug, Default)]
pub struct Book {
    owed: BTreeMap<Key, Owed>,
    due: BTreeSet<(Timestamp, Key)>,
    /// How many each channel owes.
    counts: BTreeMap<usize, usize>,
}

/// Whether there was a place for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entered {
    Yes,
    Full,
}

impl Book {
    /// Enters what a channel owes. What is entered already stays as it is.
    pub fn owe(
        &mut self,
        channel: usize,
        about: About,
        progress: Progress,
        now: Timestamp,
    ) -> Entered {
        let key = (channel, about.subject);
        if self.owed.contains_key(&key) {
            return Entered::Yes;
        }
        let count = self.counts.entry(channel).or_default();
        if *count >= OWED_MAX {
            return Entered::Full;
        }
        *count += 1;
        let due = progress.next_try_at(now);
        let owed = Owed {
            about,
            progress,
            due: Some(due),
        };
        self.owed.insert(key, owed);
        self.due.insert((due, key));
        Entered::Yes
    }

    fn of(&self, channel: usize) -> impl Iterator<Item = &Owed> {
        let of_channel = self.owed.range(first(channel)..first(channel + 1));
        of_channel.map(|(_, owed)| owed)
    }

    pub fn get(&self, key: Key) -> Option<&Owed> {
        self.owed.get(&key)
    }

    pub fn forget(&mut self, key: Key) -> Option<Owed> {
        let owed = self.owed.remove(&key)?;
        if let Some(count) = self.counts.get_mut(&key.0) {
            *count -= 1;
        }
        if let Some(due) = owed.due {
            self.due.remove(&(due, key));
        }
        Some(owed)
    }

    pub fn next_due(&self) -> Option<Timestamp> {
        self.due.first().map(|(due, _)| *due)
    }

    /// The next that is due. It is not due again until it is put off.
    pub fn take_due(&mut self, now: Timestamp) -> Option<Key> {
        let (due, key) = *self.due.first()?;
        if due > now {
            return None;
        }
        self.due.pop_first();
        if let Some(owed) = self.owed.get_mut(&key) {
            owed.due = None;
        }
        Some(key)
    }

    /// Due at another time, perhaps with more progress.
    pub fn put_off(&mut self, key: Key, until: Timestamp, progress: Progress) {
        if let Some(owed) = self.owed.get_mut(&key) {
            if let Some(due) = owed.due.replace(until) {
                self.due.remove(&(due, key));
            }
            owed.progress = progress;
            self.due.insert((until, key));
        }
    }

    /// When the first of the endings happened that a channel still owes.
    pub fn oldest_ending(&self, channel: usize) -> Option<Timestamp> {
        let endings = self
            .of(channel)
            .filter(|owed| matches!(owed.about.subject, Subject::Ending(_)));
        endings.map(|owed| owed.about.at).min()
    }
}

/// The least key of a channel: checkpoints come before endings, and ids count from nothing.
fn first(channel: usize) -> Key {
    let mission = crate::MissionId::from_bits(0);
    let number = crate::CheckpointNumber::FIRST;
    let least = crate::CheckpointId { mission, number };
    (channel, Subject::Checkpoint(least))
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;
