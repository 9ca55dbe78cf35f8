//! Live events. One task follows a mission for all its readers: it folds the journal once, and what it tells is written
//! once. A reader is a place in that text, so it can leave off and come back without a gap or a repetition, and a slow
//! one holds nobody up.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;

use adjutant_app::event_contents::EventReader;
use adjutant_app::outgoing::{Outgoing, outgoing_of, redact_json};
use adjutant_app::use_cases::UseCases;
use adjutant_host::{Committed, Host};
use adjutant_journal::JournalError;
use adjutant_mission::{Mission, MissionId, Recorded, TenantId};
use adjutant_session_events::{EventType, SessionEvent};
use adjutant_store::Store;
use bytes::Bytes;
use futures::Stream;
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use crate::mode3;
use crate::pace::{Pace, Reads, paced};
use crate::text_stream::{Hearers, Saying, saying};

pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Events read from the journal at a time.
pub(crate) const PAGE_EVENTS: u32 = 500;
/// How long it is waited until a store is asked again that did not answer.
pub(crate) const STORE_AWAY: Duration = Duration::from_secs(1);

/// How ids are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Dialect {
    Own,
    /// Bare UUIDs, for clients of the `/api/mode3` endpoints.
    Mode3,
}

/// A place in a mission's events: after this one. A journal's event may tell several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) seq: u64,
    pub(crate) part: u32,
}

impl Place {
    /// After everything that is told at one. No event tells so much.
    pub(crate) fn after_all_of(seq: u64) -> Self {
        Self { seq, part: 9_999 }
    }

    /// `12.0`, as `Last-Event-ID` names it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (seq, part) = text.split_once('.')?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(seq) || !digits(part) {
            return None;
        }
        Some(Self {
            seq: seq.parse().ok()?,
            part: part.parse().ok()?,
        })
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.seq, self.part)
    }
}

struct Frame {
    at: Place,
    bytes: Bytes,
    to: Hearers,
}

/// What a mission has told so far, and whether more will come.
pub(crate) struct Following {
    frames: RwLock<Vec<Frame>>,
    state: watch::Sender<State>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct State {
    frames: usize,
    is_over: bool,
}

pub(crate) struct Followings<S: Store> {
    host: Host<S>,
    tenant: TenantId,
    use_cases: Arc<dyn UseCases>,
    at_work: Mutex<HashMap<(MissionId, Dialect), Weak<Following>>>,
}

impl<S: Store> Followings<S> {
    pub(crate) fn new(host: Host<S>, tenant: TenantId, use_cases: Arc<dyn UseCases>) -> Self {
        Self {
            host,
            tenant,
            use_cases,
            at_work: Mutex::default(),
        }
    }

    /// The following of a mission that is in the store.
    pub(crate) fn of(&self, mission: MissionId, dialect: Dialect) -> Arc<Following> {
        let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        at_work.retain(|_, following| following.strong_count() > 0);
        let known = at_work.get(&(mission, dialect)).and_then(Weak::upgrade);
        if let Some(following) = known {
            return following;
        }
        let following = Arc::new(Following {
            frames: RwLock::default(),
            state: watch::Sender::default(),
        });
        at_work.insert((mission, dialect), Arc::downgrade(&following));
        let follower = Follower {
            host: self.host.clone(),
            tenant: self.tenant.clone(),
            use_cases: Arc::clone(&self.use_cases),
            mission,
            dialect,
            told: Arc::downgrade(&following),
            folded: None,
            reader: EventReader::default(),
            citations: Vec::new(),
            outgoing: None,
        };
        tokio::spawn(follower.run());
        following
    }
}

/// The one task that writes a following.
struct Follower<S: Store> {
    host: Host<S>,
    tenant: TenantId,
    use_cases: Arc<dyn UseCases>,
    mission: MissionId,
    dialect: Dialect,
    told: Weak<Following>,
    folded: Option<Mission>,
    reader: EventReader,
    /// What was cited so far, redacted, for clients of the `/api/mode3` endpoints.
    citations: Vec<Value>,
    /// Replaces personal data. No event is sent before it is set.
    outgoing: Option<Outgoing>,
}

impl<S: Store> Follower<S> {
    async fn run(mut self) {
        // Before the journal is read: what is committed meanwhile comes twice, and counts once.
        let mut feed = self.host.subscribe();
        self.outgoing = self.outgoing().await;
        let mut is_over = self.outgoing.is_none() || self.catch_up().await;
        while !is_over && self.told.strong_count() > 0 {
            // Now and then it looks whether anybody still reads.
            let received = tokio::select! {
                received = feed.recv() => received,
                () = tokio::time::sleep(KEEP_ALIVE) => continue,
            };
            is_over = match received {
                Ok(committed) if self.is_of(&committed) => match self.next_seq() {
                    next if committed
                        .events
                        .first()
                        .is_some_and(|first| first.seq > next) =>
                    {
                        self.catch_up().await
                    }
                    _ => self.tell_all(&committed.events).await,
                },
                Ok(_) => false,
                Err(RecvError::Lagged(_)) => self.catch_up().await,
                Err(RecvError::Closed) => true,
            };
        }
        if let Some(following) = self.told.upgrade() {
            following.state.send_modify(|state| state.is_over = true);
        }
    }

    /// The redaction of outgoing events; none if the mission's key cannot be read. Waits for the store.
    async fn outgoing(&self) -> Option<Outgoing> {
        let journal = self.host.journal(&self.tenant);
        let policy = self.use_cases.outgoing_policy();
        while self.told.strong_count() > 0 {
            match outgoing_of(&journal, self.mission, policy).await {
                Ok(outgoing) => return Some(outgoing),
                Err(JournalError::Store(_)) => tokio::time::sleep(STORE_AWAY).await,
                Err(_) => return None,
            }
        }
        None
    }

    fn is_of(&self, committed: &Committed) -> bool {
        committed.mission == self.mission && committed.tenant == self.tenant
    }

    fn next_seq(&self) -> u64 {
        self.folded.as_ref().map_or(0, |folded| folded.seq() + 1)
    }

    /// Tells what the journal has more than was told. Says whether it is over: ended, or not to be read.
    async fn catch_up(&mut self) -> bool {
        let journal = self.host.journal(&self.tenant);
        while self.told.strong_count() > 0 {
            let page: Result<Vec<Recorded>, JournalError> = journal
                .events(self.mission, self.next_seq(), PAGE_EVENTS)
                .await;
            match page {
                Ok(page) if page.is_empty() => return false,
                Ok(page) => {
                    if self.tell_all(&page).await {
                        return true;
                    }
                }
                // The store is away; its readers wait for it.
                Err(JournalError::Store(_)) => tokio::time::sleep(STORE_AWAY).await,
                Err(_) => return true,
            }
        }
        false
    }

    /// Tells these events, but none twice.
    async fn tell_all(&mut self, events: &[Recorded]) -> bool {
        let mut frames = Vec::new();
        for recorded in events {
            if recorded.seq < self.next_seq() {
                continue;
            }
            let folded = match self.folded.take() {
                None => Mission::begin(recorded),
                Some(mut folded) => folded.apply(recorded).map(|()| folded),
            };
            // A journal that does not fold is told of by whoever reads it, not here.
            let Ok(folded) = folded else { return true };
            let Some(told) = self.events_at(&folded, recorded).await else {
                return true;
            };
            let said = self.said(&folded, recorded).await;
            let told = self.together(&folded, recorded, told, said);
            frames.extend((0..).zip(told).map(|(part, (value, to))| {
                let at = Place {
                    seq: recorded.seq,
                    part,
                };
                let bytes = frame(at, &value);
                Frame { at, bytes, to }
            }));
            self.folded = Some(folded);
        }
        let is_over = self.folded.as_ref().is_some_and(|of| of.ending().is_some());
        if let Some(following) = self.told.upgrade() {
            following.add(frames, is_over);
        }
        is_over
    }

    /// What an event tells. The store is waited for; nothing once nobody reads any more.
    async fn events_at(
        &mut self,
        mission: &Mission,
        recorded: &Recorded,
    ) -> Option<Vec<SessionEvent>> {
        let journal = self.host.journal(&self.tenant);
        while self.told.strong_count() > 0 {
            match self.reader.take(&journal, mission, recorded).await {
                Ok(told) => return Some(told),
                Err(_) => tokio::time::sleep(STORE_AWAY).await,
            }
        }
        None
    }

    /// What the mission has to say at an event. The store is waited for: the pieces have their places.
    async fn said(&self, mission: &Mission, recorded: &Recorded) -> Option<Saying> {
        let journal = self.host.journal(&self.tenant);
        while self.told.strong_count() > 0 {
            // A copy: what is learned from this text must not change later events, because other clients do not get the text.
            let mut outgoing = self.outgoing.clone()?;
            match saying(&journal, &*self.use_cases, &mut outgoing, mission, recorded).await {
                Ok(said) => return said,
                Err(JournalError::Store(_)) => tokio::time::sleep(STORE_AWAY).await,
                // What cannot be read is told of by whoever asks for it.
                Err(_) => return None,
            }
        }
        None
    }

    /// Everything that is told at one event, in order. After the last event nothing is said any more.
    fn together(
        &mut self,
        mission: &Mission,
        recorded: &Recorded,
        told: Vec<SessionEvent>,
        said: Option<Saying>,
    ) -> Vec<(Value, Hearers)> {
        let mut all = Vec::new();
        let Some(outgoing) = &mut self.outgoing else {
            return all;
        };
        for event in told {
            let mut value = serde_json::to_value(&event).unwrap_or_default();
            if self.dialect == Dialect::Mode3 {
                let text = said.as_ref().map(|said| said.text.as_str());
                let Some(spoken) = mode3::speak(value, mission, text) else {
                    continue;
                };
                value = spoken;
            }
            // Last: what was added to it leaves as well.
            redact_json(outgoing, &mut value["data"]);
            if self.dialect == Dialect::Mode3 {
                mode3::cite(&mut value, &mut self.citations);
            }
            all.push((value, Hearers::Everybody));
        }
        let Some(said) = said else { return all };
        let pieces = said.events(mission, recorded).into_iter();
        let pieces = pieces.filter_map(|piece| {
            let piece = match self.dialect {
                Dialect::Own => Some(piece),
                Dialect::Mode3 => mode3::speak(piece, mission, None),
            };
            piece.map(|piece| (piece, said.to))
        });
        let is_end = |(value, _): &(Value, Hearers)| value["type"] == EventType::Complete.name();
        let at = all.iter().position(is_end).unwrap_or(all.len());
        all.splice(at..at, pieces.collect::<Vec<_>>());
        all
    }
}

/// As it goes over the wire: what it is comes first, as everywhere.
fn frame(at: Place, event: &Value) -> Bytes {
    let name = event["type"].as_str().unwrap_or_default();
    let of = |field: &str| &event[field];
    format!(
        "id: {at}\nevent: {name}\ndata: {{\"type\":{},\"timestamp\":{},\"session_id\":{},\"sequence\":{},\"data\":{}}}\n\n",
        of("type"),
        of("timestamp"),
        of("session_id"),
        of("sequence"),
        of("data"),
    )
    .into()
}

impl Following {
    fn add(&self, frames: Vec<Frame>, is_over: bool) {
        let count = {
            let mut all = self.frames.write().unwrap_or_else(PoisonError::into_inner);
            all.extend(frames);
            all.len()
        };
        self.state.send_modify(|state| {
            *state = State {
                frames: count,
                is_over,
            };
        });
    }

    /// The frame at `next`, but none before this place, and where that is.
    fn next_from(
        &self,
        next: usize,
        after: Option<Place>,
        hears: Hearers,
    ) -> (usize, Option<Bytes>) {
        let frames = self.frames.read().unwrap_or_else(PoisonError::into_inner);
        let first = after.map_or(0, |place| frames.partition_point(|frame| frame.at <= place));
        let mut next = next.max(first);
        let is_for = |frame: &Frame| frame.to == Hearers::Everybody || hears == Hearers::Reviewers;
        while let Some(frame) = frames.get(next) {
            if is_for(frame) {
                return (next, Some(frame.bytes.clone()));
            }
            next += 1;
        }
        (next, None)
    }
}

struct Reader {
    following: Arc<Following>,
    state: watch::Receiver<State>,
    stopping: watch::Receiver<bool>,
    after: Option<Place>,
    hears: Hearers,
    next: usize,
}

/// What a reader is sent from its place on, until the mission has ended or the server stops.
pub(crate) fn read(
    following: Arc<Following>,
    after: Option<Place>,
    hears: Hearers,
    pace: Pace,
    stopping: watch::Receiver<bool>,
) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> {
    let reader = Reader {
        state: following.state.subscribe(),
        following,
        stopping,
        after,
        hears,
        next: 0,
    };
    paced(reader, pace)
}

impl Reads for Reader {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let state = *self.state.borrow_and_update();
            let (next, bytes) = self.following.next_from(self.next, self.after, self.hears);
            self.next = next;
            if let Some(bytes) = bytes {
                self.next += 1;
                return Some(bytes);
            }
            if state.is_over || *self.stopping.borrow() {
                return None;
            }
            tokio::select! {
                changed = self.state.changed() => {
                    if changed.is_err() { return None; }
                }
                _ = self.stopping.wait_for(|stop| *stop) => return None,
                () = tokio::time::sleep(KEEP_ALIVE) => {
                    return Some(Bytes::from_static(b": keep-alive\n\n"));
                }
            }
        }
    }
}
