//! One event as it is told, and what all of them are made with.

use std::borrow::Cow;

use adjutant_constitution::Remembered;
use adjutant_mission::{AgentId, Json, Mission, MissionId, Payload, Ppm, Recorded, TaskKey};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::constitution::withhold;
use crate::{Contents, EventType, rfc3339};

pub(crate) const ONE_PPM: u32 = 1_000_000;

/// Something that a mission's followers are told. All events of a type have the same fields in `data`; what is not
/// known is `null`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionEvent {
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// When it happened: RFC 3339, UTC.
    pub timestamp: String,
    /// The mission.
    pub session_id: MissionId,
    /// The journal's event that it follows from. Several may follow from one, so it repeats, but it never goes back.
    pub sequence: u64,
    pub data: Map<String, Value>,
}

/// What follows from one event of the journal, in the making.
pub(crate) struct Told<'a> {
    /// As it is after the event.
    pub(crate) mission: &'a Mission,
    pub(crate) recorded: &'a Recorded,
    contents: &'a Contents,
    /// What checks before it, or in it, block.
    blocked: Remembered,
    events: Vec<SessionEvent>,
}

impl<'a> Told<'a> {
    pub(crate) fn new(
        mission: &'a Mission,
        recorded: &'a Recorded,
        contents: &'a Contents,
    ) -> Self {
        Self {
            mission,
            recorded,
            contents,
            blocked: Remembered::default(),
            events: Vec::new(),
        }
    }

    /// What is not told from now on.
    pub(crate) fn without(self, blocked: Remembered) -> Self {
        Self { blocked, ..self }
    }

    /// Adds an event; `data` is an object.
    pub(crate) fn tell(&mut self, event_type: EventType, mut data: Value) {
        // The words of whoever asked are no output.
        if !matches!(event_type, EventType::PlanCreated | EventType::PlanUpdated) {
            withhold(&mut data, &self.blocked);
        }
        let data = match data {
            Value::Object(data) => data,
            _ => Map::new(),
        };
        self.events.push(SessionEvent {
            event_type,
            timestamp: rfc3339(self.recorded.at),
            session_id: self.mission.id(),
            sequence: self.recorded.seq,
            data,
        });
    }

    /// Who does a task now: its own agent, or the one that took it over.
    pub(crate) fn doer(&self, task: &TaskKey) -> Option<&'a AgentId> {
        let (spec, state) = self.mission.task(task.as_str())?;
        let over = state.taken_over.as_ref();
        over.map(|over| &over.by).or(spec.by.as_ref())
    }

    /// What a payload holds, if it is in the journal or was handed over with the event; otherwise null.
    pub(crate) fn held(&self, payload: &Payload) -> Cow<'a, Value> {
        match payload {
            Payload::Inline(json) => Cow::Owned(value_of(json)),
            Payload::Blob { digest, .. } => match self.contents.get(digest) {
                Some(content) => Cow::Borrowed(content),
                None => Cow::Owned(Value::Null),
            },
        }
    }

    pub(crate) fn into_events(self) -> Vec<SessionEvent> {
        self.events
    }
}

/// A document of the journal as a value. One that nests too deep to be read is told as its text.
pub(crate) fn value_of(json: &Json) -> Value {
    serde_json::from_str(json.text()).unwrap_or_else(|_| Value::String(json.text().to_owned()))
}

/// A payload's content if it is in the journal, and what stands for it if it is not.
pub(crate) fn content_of(payload: &Payload) -> (Value, Value) {
    match payload {
        Payload::Inline(json) => (value_of(json), Value::Null),
        Payload::Blob { .. } => (Value::Null, blob_of(payload)),
    }
}

/// What stands for a content that is not in the journal.
pub(crate) fn blob_of(payload: &Payload) -> Value {
    match payload {
        Payload::Inline(_) => Value::Null,
        Payload::Blob { digest, bytes, .. } => json!({ "digest": digest, "bytes": bytes }),
    }
}

pub(crate) fn ppm(share: Option<Ppm>) -> Value {
    share.map_or(Value::Null, |share| json!(share.0))
}

/// The same from 0 to 1, for those who read no parts per million.
pub(crate) fn share(share: Option<Ppm>) -> Value {
    share.map_or(Value::Null, |share| {
        json!(f64::from(share.0) / f64::from(ONE_PPM))
    })
}

/// Text that was left out is not known.
pub(crate) fn text_or_null(text: &str) -> Value {
    match text {
        "" => Value::Null,
        text => json!(text),
    }
}

/// As it is stored: the names of the machine's own enums are part of its interface.
pub(crate) fn stored<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}
