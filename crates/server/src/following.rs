//! Live events. One task follows a mission for all its readers: it folds the journal once, and what it tells is written
//! once. A reader is a place in that text, so it can leave off and come back without a gap or a repetition, and a slow
//! one holds nobody up.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;

use adjutant_host::{Committed, Host};
use adjutant_journal::JournalError;
use adjutant_mission::{CheckpointId, Mission, MissionId, Recorded, TenantId};
use adjutant_session_events::{Projection, SessionEvent};
use adjutant_store::Store;
use bytes::Bytes;
use futures::stream::{self, Stream};
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use crate::identity::{uuid_of_checkpoint, uuid_of_mission};
use crate::mode3;

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
    at_work: Mutex<HashMap<(MissionId, Dialect), Weak<Following>>>,
}

impl<S: Store> Followings<S> {
    pub(crate) fn new(host: Host<S>, tenant: TenantId) -> Self {
        Self {
            host,
            tenant,
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
            mission,
            dialect,
            told: Arc::downgrade(&following),
            folded: None,
            projection: Projection::new(),
        };
        tokio::spawn(follower.run());
        following
    }
}

/// The one task that writes a following.
struct Follower<S: Store> {
    host: Host<S>,
    tenant: TenantId,
    mission: MissionId,
    dialect: Dialect,
    told: Weak<Following>,
    folded: Option<Mission>,
    projection: Projection,
}

impl<S: Store> Follower<S> {
    async fn run(mut self) {
        // Before the journal is read: what is committed meanwhile comes twice, and counts once.
        let mut feed = self.host.subscribe();
        let mut is_over = self.catch_up().await;
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
                    _ => self.tell_all(&committed.events),
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
                Ok(page) if self.tell_all(&page) => return true,
                Ok(_) => {}
                // The store is away; its readers wait for it.
                Err(JournalError::Store(_)) => tokio::time::sleep(STORE_AWAY).await,
                Err(_) => return true,
            }
        }
        false
    }

    /// Tells these events, but none twice.
    fn tell_all(&mut self, events: &[Recorded]) -> bool {
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
            let told = self.projection.take(&folded, recorded);
            frames.extend(told.into_iter().enumerate().map(|(part, event)| {
                let at = Place {
                    seq: recorded.seq,
                    part: part as u32,
                };
                Frame {
                    at,
                    bytes: frame(at, event, &folded, self.dialect),
                }
            }));
            self.folded = Some(folded);
        }
        let is_over = self.folded.as_ref().is_some_and(|of| of.ending().is_some());
        if let Some(following) = self.told.upgrade() {
            following.add(frames, is_over);
        }
        is_over
    }
}

/// As it goes over the wire.
fn frame(at: Place, event: SessionEvent, mission: &Mission, dialect: Dialect) -> Bytes {
    let name = event.event_type.name();
    let mut value = serde_json::to_value(&event).unwrap_or_default();
    if dialect == Dialect::Mode3 {
        speak_mode3(&mut value, mission);
    }
    let Place { seq, part } = at;
    format!("id: {seq}.{part}\nevent: {name}\ndata: {value}\n\n").into()
}

/// Says the same with bare UUIDs, and asks in that API's words.
fn speak_mode3(value: &mut Value, mission: &Mission) {
    value["session_id"] = uuid_of_mission(mission.id()).into();
    let id = value["data"]["checkpoint_id"].as_str();
    let Some(id) = id.and_then(|id| id.parse::<CheckpointId>().ok()) else {
        return;
    };
    let asked = mission.checkpoints().get(id.number as usize);
    match asked.filter(|_| value["data"]["options"].is_array()) {
        Some(asked) => value["data"] = mode3::checkpoint(mission.id(), asked),
        None => value["data"]["checkpoint_id"] = uuid_of_checkpoint(id).into(),
    }
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
    fn next_from(&self, next: usize, after: Option<Place>) -> (usize, Option<Bytes>) {
        let frames = self.frames.read().unwrap_or_else(PoisonError::into_inner);
        let first = after.map_or(0, |place| frames.partition_point(|frame| frame.at <= place));
        let next = next.max(first);
        (next, frames.get(next).map(|frame| frame.bytes.clone()))
    }
}

struct Reader {
    following: Arc<Following>,
    state: watch::Receiver<State>,
    stopping: watch::Receiver<bool>,
    after: Option<Place>,
    next: usize,
}

/// What a reader is sent from its place on, until the mission has ended or the server stops.
pub(crate) fn read(
    following: Arc<Following>,
    after: Option<Place>,
    stopping: watch::Receiver<bool>,
) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> {
    let reader = Reader {
        state: following.state.subscribe(),
        following,
        stopping,
        after,
        next: 0,
    };
    stream::unfold(reader, |mut reader| async move {
        let bytes = reader.next().await?;
        Some((Ok(bytes), reader))
    })
}

impl Reader {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let state = *self.state.borrow_and_update();
            let (next, bytes) = self.following.next_from(self.next, self.after);
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
