//! Blobs: large or personal content beside the journal, addressed by what it is.
//!
//! A digest covers the bytes as stored. Sealing and opening them is not done here.

use std::fmt;
use std::str::FromStr;

use adjutant_mission::Zone;

use crate::hex;

/// The BLAKE3 digest of a blob's stored bytes: its address inside its mission.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobDigest([u8; 32]);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a blob digest has 64 lower-case hexadecimal digits; `{text}` is not valid")]
pub struct DigestError {
    pub text: String,
}

impl BlobDigest {
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for BlobDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::write(&self.0, f)
    }
}

impl fmt::Debug for BlobDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for BlobDigest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        hex::parse(text).map(Self).ok_or_else(|| DigestError {
            text: text.to_owned(),
        })
    }
}

/// Content and its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Blob {
    pub digest: BlobDigest,
    pub zone: Zone,
    pub bytes: Vec<u8>,
}

impl Blob {
    pub fn new(zone: Zone, bytes: Vec<u8>) -> Self {
        Self {
            digest: BlobDigest::of(&bytes),
            zone,
            bytes,
        }
    }

    /// A blob as a store found it: whether its bytes still fit its digest is for a verifier to say.
    pub fn stored(digest: BlobDigest, zone: Zone, bytes: Vec<u8>) -> Self {
        Self {
            digest,
            zone,
            bytes,
        }
    }
}
