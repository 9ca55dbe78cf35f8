//! What a batch must satisfy before any backend writes it. Whether it fits the journal is the
//! backend's question, not asked here.

use adjutant_mission::MissionId;

use crate::{AppendError, Batch, Broken, Chain, InboxChange, MissionRange};

/// Most events in one batch: a step that starts every task of the largest plan stays well below it.
pub const EVENTS_PER_BATCH_MAX: usize = 65_536;
/// Largest event, in bytes. Large content belongs in blobs.
pub const EVENT_BYTES_MAX: usize = 16 << 20;
/// Largest blob, in bytes.
pub const BLOB_BYTES_MAX: usize = 256 << 20;

impl Batch {
    /// Refuses a batch that could never be appended, wherever its journal stands.
    pub fn check(&self) -> Result<(), AppendError> {
        self.check_events()?;
        if self.summary.mission != self.mission {
            return Err(malformed(format!(
                "the summary belongs to {}, but the batch to {}",
                self.summary.mission, self.mission
            )));
        }
        for change in &self.inbox {
            if let InboxChange::Put(entry) = change
                && entry.checkpoint.mission != self.mission
            {
                return Err(malformed(format!(
                    "{} does not belong to {}",
                    entry.checkpoint, self.mission
                )));
            }
        }
        if let Some(blob) = self.blobs.iter().find(|b| b.bytes.len() > BLOB_BYTES_MAX) {
            return Err(malformed(format!(
                "blob {} has {} bytes, more than {BLOB_BYTES_MAX}",
                blob.digest,
                blob.bytes.len()
            )));
        }
        self.check_ends()?;
        self.check_snapshot()
    }

    /// A journal is opened once, at its beginning, and erased with nothing new beside it.
    fn check_ends(&self) -> Result<(), AppendError> {
        if self.opening.is_some() != (self.expected.seq == 0) {
            return Err(malformed("only a first batch opens a mission".to_owned()));
        }
        let adds_content =
            !self.inbox.is_empty() || !self.blobs.is_empty() || self.snapshot.is_some();
        let leaves_content = !self.summary.title.0.is_empty() || self.summary.wake_at.is_some();
        if self.erases && (self.opening.is_some() || adds_content || leaves_content) {
            return Err(malformed("it both erases and adds content".to_owned()));
        }
        Ok(())
    }

    /// What its events add to the tenant's usage; a blob adds only where it is new.
    pub fn event_bytes(&self) -> u64 {
        self.events
            .iter()
            .map(|event| event.bytes.len() as u64)
            .sum()
    }

    fn check_events(&self) -> Result<(), AppendError> {
        if self.events.is_empty() {
            return Err(malformed("it has no events".to_owned()));
        }
        if self.events.len() > EVENTS_PER_BATCH_MAX {
            return Err(malformed(format!(
                "it has {} events, more than {EVENTS_PER_BATCH_MAX}",
                self.events.len()
            )));
        }
        let mut chain = Chain::after(self.expected);
        for event in &self.events {
            if event.bytes.len() > EVENT_BYTES_MAX {
                return Err(malformed(format!(
                    "event {} has {} bytes, more than {EVENT_BYTES_MAX}",
                    event.seq,
                    event.bytes.len()
                )));
            }
            chain
                .feed(event)
                .map_err(|broken: Broken| malformed(broken.to_string()))?;
        }
        Ok(())
    }

    fn check_snapshot(&self) -> Result<(), AppendError> {
        let Some(snapshot) = &self.snapshot else {
            return Ok(());
        };
        let known = std::iter::once(self.expected)
            .chain(self.events.iter().map(crate::StoredEvent::head))
            .find(|head| head.seq == snapshot.head.seq);
        if known == Some(snapshot.head) {
            return Ok(());
        }
        Err(malformed(format!(
            "its snapshot was taken at event {}, which is neither the expected head nor in the batch",
            snapshot.head.seq
        )))
    }
}

fn malformed(why: String) -> AppendError {
    AppendError::Malformed { why }
}

const ID_DIGITS: usize = 26;
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The missions whose id's text begins with `prefix`, with or without `msn_`; `None` if none can.
pub fn missions_with_prefix(prefix: &str) -> Option<MissionRange> {
    let digits = prefix.strip_prefix(MissionId::PREFIX).unwrap_or(prefix);
    if digits.is_empty() {
        return Some(MissionId::from_bits(0)..=MissionId::from_bits(u128::MAX));
    }
    let rest_bits = 5 * ID_DIGITS.checked_sub(digits.len())?;
    let mut value: u128 = 0;
    for character in digits.bytes() {
        let digit = ALPHABET.iter().position(|&known| known == character)?;
        value = value.checked_mul(32)?.checked_add(digit as u128)?;
    }
    let rest = (1u128 << rest_bits) - 1;
    if value > u128::MAX >> rest_bits {
        return None;
    }
    let first = value << rest_bits;
    Some(MissionId::from_bits(first)..=MissionId::from_bits(first | rest))
}
