//! The hash chain that makes a journal tamper-evident, and the verifier that walks it.
//!
//! The chain proves order, completeness and origin of the stored bytes. It cannot tell a journal that
//! was rewritten from its first event on, or cut at its end: for that, compare with a head kept elsewhere
//! ([`Chain::ends_at`]).
//!
//! **Invariant:** Stored event bytes are never re-serialised: the chain hashes them as they are stored.

use std::fmt;
use std::str::FromStr;

use adjutant_mission::{MissionId, TenantId};

use crate::{DigestError, StoredEvent, hex};

const GENESIS_CONTEXT: &str = "adjutant journal v1";

/// What ties an event to everything before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventHash([u8; 32]);

impl EventHash {
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for EventHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::write(&self.0, f)
    }
}

impl fmt::Debug for EventHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for EventHash {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        hex::parse(text).map(Self).ok_or_else(|| DigestError {
            text: text.to_owned(),
        })
    }
}

/// Where a journal ends: the number and hash of its last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainHead {
    pub seq: u64,
    pub hash: EventHash,
}

impl ChainHead {
    /// The head of a journal without events. Each mission of each tenant has its own, so an event moved
    /// from one journal into another never fits.
    pub fn genesis(tenant: &TenantId, mission: MissionId) -> Self {
        let tenant = tenant.as_str().as_bytes();
        let mut hasher = blake3::Hasher::new_derive_key(GENESIS_CONTEXT);
        hasher.update(&(tenant.len() as u64).to_le_bytes());
        hasher.update(tenant);
        hasher.update(&mission.bits().to_be_bytes());
        Self {
            seq: 0,
            hash: EventHash(*hasher.finalize().as_bytes()),
        }
    }

    /// Ties the next event to this head, and gives the head that follows.
    #[must_use]
    pub fn link(self, bytes: Vec<u8>) -> (StoredEvent, Self) {
        let next = self.followed_by(&bytes);
        let event = StoredEvent {
            seq: next.seq,
            bytes,
            hash: next.hash,
        };
        (event, next)
    }

    fn followed_by(self, bytes: &[u8]) -> Self {
        let seq = self.seq.saturating_add(1);
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.hash.0);
        hasher.update(&seq.to_le_bytes());
        hasher.update(bytes);
        Self {
            seq,
            hash: EventHash(*hasher.finalize().as_bytes()),
        }
    }
}

impl StoredEvent {
    /// The head of a journal that ends with this event.
    pub fn head(&self) -> ChainHead {
        ChainHead {
            seq: self.seq,
            hash: self.hash,
        }
    }
}

/// How a journal fails verification.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    #[error("events {expected} to {} are missing from the journal", found.saturating_sub(1))]
    Gap { expected: u64, found: u64 },
    #[error(
        "event {found} was found where event {expected} was expected: an event is repeated or out of order"
    )]
    OutOfOrder { expected: u64, found: u64 },
    #[error(
        "the hash of event {seq} does not match the earlier events: it was altered or comes from another journal"
    )]
    Altered { seq: u64 },
    #[error("the journal ends at event {found}, but once reached event {expected}")]
    CutShort { expected: u64, found: u64 },
    #[error("event {seq} is not the one that was signed: the journal was rewritten")]
    Rewritten { seq: u64 },
}

impl Broken {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Gap { .. } => "ADJ-3041",
            Self::OutOfOrder { .. } => "ADJ-3042",
            Self::Altered { .. } => "ADJ-3043",
            Self::CutShort { .. } => "ADJ-3044",
            Self::Rewritten { .. } => "ADJ-3045",
        }
    }

    pub fn remedy(&self) -> &'static str {
        "Restore the store from a backup that verifies; nothing after the last good event can be trusted."
    }
}

/// Walks a journal event by event and says where it stops being whole.
#[derive(Debug, Clone)]
pub struct Chain {
    head: ChainHead,
}

impl Chain {
    /// Verifies from a mission's first event on.
    pub fn new(tenant: &TenantId, mission: MissionId) -> Self {
        Self::after(ChainHead::genesis(tenant, mission))
    }

    /// Verifies what comes after `head`, for instance a snapshot's.
    pub fn after(head: ChainHead) -> Self {
        Self { head }
    }

    /// The last event that was found good.
    pub fn head(&self) -> ChainHead {
        self.head
    }

    /// Checks the next event. After an error the chain stays at the last good event.
    pub fn feed(&mut self, event: &StoredEvent) -> Result<(), Broken> {
        let next = self.head.followed_by(&event.bytes);
        let (expected, found) = (next.seq, event.seq);
        if found > expected {
            return Err(Broken::Gap { expected, found });
        }
        if found < expected {
            return Err(Broken::OutOfOrder { expected, found });
        }
        if event.hash != next.hash {
            return Err(Broken::Altered { seq: found });
        }
        self.head = next;
        Ok(())
    }

    /// Checks the walked journal against a head that was kept elsewhere.
    pub fn ends_at(&self, known: ChainHead) -> Result<(), Broken> {
        if self.head.seq < known.seq {
            return Err(Broken::CutShort {
                expected: known.seq,
                found: self.head.seq,
            });
        }
        if self.head.seq > known.seq {
            return Err(Broken::OutOfOrder {
                expected: known.seq,
                found: self.head.seq,
            });
        }
        if self.head.hash != known.hash {
            return Err(Broken::Rewritten { seq: known.seq });
        }
        Ok(())
    }
}
