//! One span, and the ids that it is told under.

use adjutant_mission::{EffectNumber, MissionId, Timestamp};

/// Apart from every other use of the hash.
const SPAN_CONTEXT: &str = "adjutant telemetry span id v1";

/// 128 bits: those of the mission that the trace is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceId(pub u128);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpanId(pub u64);

/// The trace that a mission is.
pub fn trace_of(mission: MissionId) -> TraceId {
    // All zeros is no trace's id.
    TraceId(mission.bits().max(1))
}

impl std::fmt::Display for TraceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl std::fmt::Display for SpanId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl SpanId {
    /// The same for the same part of the same mission, on every host.
    pub(crate) fn of(mission: MissionId, part: &str) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key(SPAN_CONTEXT);
        hasher.update(&mission.bits().to_be_bytes());
        hasher.update(part.as_bytes());
        let mut bytes = [0; 8];
        hasher.finalize_xof().fill(&mut bytes);
        Self(u64::from_be_bytes(bytes).max(1))
    }

    pub(crate) fn of_mission(mission: MissionId) -> Self {
        Self::of(mission, "mission")
    }

    pub(crate) fn of_effect(mission: MissionId, number: EffectNumber) -> Self {
        Self::of(mission, &format!("effect {number}"))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Internal,
    /// Something else is called: a model.
    Client,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It did not fail; nobody said that it was good.
    Unset,
    /// It failed; the word is a kind of failure, never a message.
    Error(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attribute {
    Text(String),
    Number(i64),
    List(Vec<String>),
}

impl From<&str> for Attribute {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u64> for Attribute {
    fn from(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

/// Something that a mission did, told when it has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub trace: TraceId,
    pub id: SpanId,
    pub parent: Option<SpanId>,
    /// A span of another trace that it belongs to: what a sub-mission does for its parent.
    pub link: Option<(TraceId, SpanId)>,
    pub name: String,
    pub kind: Kind,
    pub began: Timestamp,
    pub ended: Timestamp,
    pub status: Status,
    pub attributes: Vec<(&'static str, Attribute)>,
}
