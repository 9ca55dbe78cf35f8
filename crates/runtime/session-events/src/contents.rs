//! What is too large for the journal, read by whoever can and handed over with the event that refers to it.

use std::collections::BTreeMap;

use adjutant_mission::{Json, Payload};
use serde_json::Value;

use crate::event::value_of;

/// Larger blobs are not read for an event: it gives their digest and size.
pub const CONTENT_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// What blobs hold, by their digests.
#[derive(Debug, Clone, Default)]
pub struct Contents(BTreeMap<String, Value>);

impl Contents {
    /// Nothing beyond the journal is known.
    pub fn none() -> Self {
        Self::default()
    }

    pub fn insert(&mut self, digest: &str, content: &Json) {
        self.0.insert(digest.to_owned(), value_of(content));
    }

    pub(crate) fn get(&self, digest: &str) -> Option<&Value> {
        self.0.get(digest)
    }
}

/// The digest of a payload that is a blob and small enough to be read.
pub(crate) fn readable(payload: &Payload) -> Option<&str> {
    match payload {
        Payload::Blob { digest, bytes, .. } if *bytes <= CONTENT_BYTES_MAX => Some(digest),
        Payload::Blob { .. } | Payload::Inline(_) => None,
    }
}
