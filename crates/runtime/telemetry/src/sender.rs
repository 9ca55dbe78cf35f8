//! Follows what is committed, and gives the spans of it to the queue.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use adjutant_mission::{Mission, MissionId, Recorded, TenantId};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::{Destination, Dropped, Queue, Span, Spans, Tell};

/// Missions that are kept folded between two of their events. One more, and the one that was still longest is let go and
/// read again when it moves.
const FOLDED_MAX: usize = 1_000;
/// Events read from the journal at a time.
const PAGE_EVENTS: u32 = 500;

/// Where commits are heard of and journals are read: a host.
pub trait Source: Send + Sync + 'static {
    /// Waits for what comes next.
    fn next(&mut self) -> impl Future<Output = Heard> + Send;

    /// At most `limit` events of a mission from this one on; nothing if they cannot be read.
    fn events(
        &self,
        tenant: &TenantId,
        mission: MissionId,
        from: u64,
        limit: u32,
    ) -> impl Future<Output = Option<Vec<Recorded>>> + Send;
}

#[derive(Debug, Clone)]
pub enum Heard {
    /// Events of one append, in order.
    Committed {
        tenant: TenantId,
        mission: MissionId,
        events: Arc<[Recorded]>,
    },
    /// More was committed than could be heard; the journal has it.
    Missed,
    /// Nothing will be committed any more.
    Over,
}

/// Traces on their way.
#[derive(Debug)]
pub struct Sender {
    stop: watch::Sender<bool>,
    following: JoinHandle<()>,
    posting: JoinHandle<()>,
    dropped: Dropped,
}

impl Sender {
    /// Sends the spans of whatever is committed from here on.
    pub fn start(
        source: impl Source,
        destination: Destination,
        tell: Tell,
    ) -> Result<Self, String> {
        let (queue, posting) = Queue::start(destination, tell)?;
        let dropped = queue.dropped();
        let (stop, stopping) = watch::channel(false);
        let follower = Follower {
            source,
            queue,
            folded: HashMap::new(),
            moves: 0,
        };
        let following = tokio::spawn(follower.run(stopping));
        Ok(Self {
            stop,
            following,
            posting,
            dropped,
        })
    }

    pub fn dropped(&self) -> Dropped {
        self.dropped.clone()
    }

    /// Takes what was committed until now, and sends it, but waits no longer than this.
    pub async fn stop(self, at_most: Duration) {
        let _ = self.stop.send(true);
        let done = async {
            // If one of them broke, there is nothing to wait for.
            let _ = self.following.await;
            let _ = self.posting.await;
        };
        let _ = tokio::time::timeout(at_most, done).await;
    }
}

struct Follower<S> {
    source: S,
    queue: Queue,
    folded: HashMap<MissionId, Folded>,
    /// Counts commits: what moved last has the highest.
    moves: u64,
}

struct Folded {
    tenant: TenantId,
    mission: Mission,
    spans: Spans,
    moved: u64,
}

impl<S: Source> Follower<S> {
    async fn run(mut self, mut stopping: watch::Receiver<bool>) {
        loop {
            let heard = tokio::select! {
                // What is there already is taken before it stops.
                biased;
                heard = self.source.next() => heard,
                _ = stopping.wait_for(|stop| *stop) => return,
            };
            match heard {
                Heard::Committed {
                    tenant,
                    mission,
                    events,
                } => self.take(&tenant, mission, &events).await,
                Heard::Missed => self.catch_up_all().await,
                Heard::Over => return,
            }
        }
    }

    async fn take(&mut self, tenant: &TenantId, mission: MissionId, events: &[Recorded]) {
        let Some(first) = events.first() else {
            return;
        };
        self.moves += 1;
        let folded = match self.folded.remove(&mission) {
            Some(folded) if first.seq > folded.mission.seq() + 1 => {
                self.catch_up(mission, folded).await
            }
            Some(folded) => Some(folded),
            // It began before anybody listened: what was then is folded, and not told.
            None => self.read_until(tenant, mission, first.seq).await,
        };
        let reaches = folded.as_ref().map_or(0, |folded| folded.mission.seq());
        if first.seq > reaches + 1 {
            // The journal cannot be read now: it is tried again when the mission moves.
            return;
        }
        let mut told = Vec::new();
        let folded = fold(folded, tenant, events, &mut told);
        self.queue.offer(told);
        self.keep(mission, folded);
    }

    fn keep(&mut self, mission: MissionId, folded: Option<Folded>) {
        let Some(mut folded) = folded.filter(|folded| folded.mission.ending().is_none()) else {
            return;
        };
        folded.moved = self.moves;
        if self.folded.len() >= FOLDED_MAX {
            let stillest = self.folded.iter().min_by_key(|(_, folded)| folded.moved);
            if let Some(stillest) = stillest.map(|(mission, _)| *mission) {
                self.folded.remove(&stillest);
            }
        }
        self.folded.insert(mission, folded);
    }

    /// The mission as it was before this event, told to nobody.
    async fn read_until(
        &self,
        tenant: &TenantId,
        mission: MissionId,
        before: u64,
    ) -> Option<Folded> {
        let mut folded: Option<Folded> = None;
        loop {
            let next = folded.as_ref().map_or(1, |folded| folded.mission.seq() + 1);
            if next >= before {
                return folded;
            }
            let page = self.source.events(tenant, mission, next, PAGE_EVENTS).await;
            let mut page = page?;
            page.retain(|recorded| recorded.seq < before);
            if page.is_empty() {
                return folded;
            }
            folded = Some(fold(folded, tenant, &page, &mut Vec::new())?);
        }
    }

    /// Tells what the journal has more than was told.
    async fn catch_up(&self, mission: MissionId, folded: Folded) -> Option<Folded> {
        let tenant = folded.tenant.clone();
        let mut folded = folded;
        loop {
            let next = folded.mission.seq() + 1;
            let page = self.source.events(&tenant, mission, next, PAGE_EVENTS);
            let page = page.await?;
            if page.is_empty() {
                return Some(folded);
            }
            let mut told = Vec::new();
            folded = fold(Some(folded), &tenant, &page, &mut told)?;
            self.queue.offer(told);
        }
    }

    async fn catch_up_all(&mut self) {
        let all: Vec<(MissionId, Folded)> = self.folded.drain().collect();
        for (mission, folded) in all {
            let folded = self.catch_up(mission, folded).await;
            self.keep(mission, folded);
        }
    }
}

/// Folds these events, but none twice. A journal that does not fold is told of by whoever reads it, not here.
fn fold(
    mut folded: Option<Folded>,
    tenant: &TenantId,
    events: &[Recorded],
    told: &mut Vec<Span>,
) -> Option<Folded> {
    for recorded in events {
        let mut now = match folded.take() {
            Some(now) if recorded.seq <= now.mission.seq() => {
                folded = Some(now);
                continue;
            }
            Some(mut now) => {
                now.mission.apply(recorded).ok()?;
                now
            }
            None => Folded {
                tenant: tenant.clone(),
                mission: Mission::begin(recorded).ok()?,
                spans: Spans::default(),
                moved: 0,
            },
        };
        told.extend(now.spans.take(&now.mission, recorded));
        folded = Some(now);
    }
    folded
}
