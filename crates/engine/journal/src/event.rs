//! Events as they are stored: a label in the clear, and the event itself, sealed.
//!
//! The label says what kind of event it is, when it happened, in which zone, and which blob belongs to it. It
//! is what is left to read once the content is erased, and what lets blobs be checked without a key.
//!
//! Bytes: `2`, the label's length (two bytes, little endian), the label as JSON, the sealed event. Journals from
//! before content was sealed hold events as plain JSON, which begins with `{`.

use adjutant_mission::{Recorded, Timestamp, Zone};
use serde::{Deserialize, Serialize};

use crate::JournalError;

const FORMAT: u8 = 2;

/// What can be read of an event without a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    #[serde(rename = "type")]
    pub name: String,
    pub at: Timestamp,
    #[serde(default, skip_serializing_if = "is_platform")]
    pub zone: Zone,
    /// The digest of the blob that holds the event's content, if that was too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
}

fn is_platform(zone: &Zone) -> bool {
    *zone == Zone::Platform
}

impl Label {
    pub(crate) fn of(recorded: &Recorded) -> Self {
        Self {
            name: recorded.event.name().to_owned(),
            at: recorded.at,
            zone: recorded.zone,
            blob: recorded.event.blob().map(str::to_owned),
        }
    }

    /// Reads the label of a stored event, sealed or plain; `None` if it is neither.
    pub fn read(seq: u64, bytes: &[u8]) -> Option<Self> {
        match parts(bytes) {
            Some((label, _)) => serde_json::from_slice(label).ok(),
            None => Recorded::decode(seq, bytes).ok().map(|r| Self::of(&r)),
        }
    }

    pub(crate) fn encode(&self) -> Result<Vec<u8>, JournalError> {
        serde_json::to_vec(self).map_err(JournalError::Encode)
    }
}

/// A label and a sealed event, joined.
pub(crate) fn join(label: &[u8], sealed: &[u8]) -> Result<Vec<u8>, JournalError> {
    let length = u16::try_from(label.len()).map_err(|_| JournalError::NotSealed)?;
    let mut bytes = Vec::with_capacity(3 + label.len() + sealed.len());
    bytes.push(FORMAT);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(label);
    bytes.extend_from_slice(sealed);
    Ok(bytes)
}

/// The label and the sealed event; `None` if the event is not sealed.
pub(crate) fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(&[FORMAT])?;
    let (length, rest) = rest.split_first_chunk::<2>()?;
    rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))
}
