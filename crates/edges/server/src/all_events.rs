//! Live events of all missions together, and of the inbox alone. The place of an event here is its position in the
//! store's order over all missions, so that a reader can leave off and come back like one of a single mission.
//!
//! One task tells what is new to everybody, and keeps the newest of it. Who comes back to an older place is told what
//! lies between by a teller of its own, and then joins the others.

pub(crate) mod teller;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use adjutant_app::outgoing::OutgoingPolicy;
use adjutant_host::Host;
use adjutant_journal::JournalError;
use adjutant_mission::TenantId;
use adjutant_session_events::{EventType, SessionEvent};
use adjutant_store::{Store, TenantStore};
use bytes::Bytes;
use futures::Stream;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use crate::mission_events::{KEEP_ALIVE, Place, STORE_AWAY};
use crate::pace::{Pace, Reads, paced};
use teller::{Happened, Teller};

/// Events that are kept for those who read a little later.
const KEPT_MAX: usize = 4_096;

/// Which events a reader wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    /// What is asked, and what became of it.
    Questions,
}

/// One event as it goes over the wire.
struct Told {
    at: Place,
    bytes: Bytes,
    is_question: bool,
}

impl Told {
    fn is_for(&self, wanted: Wanted) -> bool {
        wanted == Wanted::All || self.is_question
    }
}

fn written(happened: &Happened) -> impl Iterator<Item = Told> {
    let seq = happened.position;
    (0..).zip(&happened.told).map(move |(part, event)| {
        let at = Place { seq, part };
        let (value, name) = (as_text(event), event.event_type.name());
        Told {
            at,
            bytes: format!("id: {at}\nevent: {name}\ndata: {value}\n\n").into(),
            is_question: is_question(event.event_type),
        }
    })
}

fn as_text(event: &SessionEvent) -> String {
    serde_json::to_string(event).unwrap_or_default()
}

fn is_question(event: EventType) -> bool {
    use EventType::{
        CheckpointCriticalDecision, CheckpointFinalReview, CheckpointPlanApproval,
        CheckpointSubagentApproval, CheckpointTimeout, CheckpointToolApproval, Complete, Error,
        UserResponseReceived,
    };
    matches!(
        event,
        CheckpointCriticalDecision
            | CheckpointFinalReview
            | CheckpointPlanApproval
            | CheckpointSubagentApproval
            | CheckpointTimeout
            | CheckpointToolApproval
            | UserResponseReceived
            // With its end a mission's questions are closed.
            | Complete
            | Error
    )
}

pub(crate) struct Everything<S: Store> {
    host: Host<S>,
    tenant: TenantId,
    policy: OutgoingPolicy,
    newest: Mutex<Weak<Newest>>,
}

/// The newest events.
struct Newest {
    kept: RwLock<Kept>,
    /// Up to which position everything was told.
    told_to: watch::Sender<u64>,
}

#[derive(Default)]
struct Kept {
    /// Everything after this position is among the events.
    after: u64,
    events: VecDeque<Told>,
}

impl Kept {
    fn add(&mut self, told: Vec<Told>) {
        self.events.extend(told);
        while self.events.len() > KEPT_MAX {
            // All that one position tells goes at once.
            let Some(gone) = self.events.pop_front() else {
                return;
            };
            self.after = gone.at.seq;
            while self
                .events
                .front()
                .is_some_and(|next| next.at.seq == gone.at.seq)
            {
                self.events.pop_front();
            }
        }
    }
}

impl<S: Store> Everything<S> {
    pub(crate) fn new(host: Host<S>, tenant: TenantId, policy: OutgoingPolicy) -> Self {
        Self {
            host,
            tenant,
            policy,
            newest: Mutex::default(),
        }
    }

    /// What a reader is sent after a place, or from now on, until the server stops.
    pub(crate) async fn read(
        &self,
        after: Option<Place>,
        wanted: Wanted,
        pace: Pace,
        stopping: watch::Receiver<bool>,
    ) -> Result<impl Stream<Item = Result<Bytes, std::convert::Infallible>> + use<S>, JournalError>
    {
        // Asked before anything is followed: what is committed in between is told.
        let store = self.host.journal(&self.tenant);
        let now = store.store().newest().await?;
        let newest = self.newest(now);
        let after = after.unwrap_or(Place::after_all_of(now));
        let reader = Reader {
            host: self.host.clone(),
            tenant: self.tenant.clone(),
            policy: self.policy,
            told_to: newest.told_to.subscribe(),
            newest,
            stopping,
            wanted,
            after,
            teller: None,
        };
        Ok(paced(reader, pace))
    }

    /// Whoever tells what is new; started now if nobody does.
    fn newest(&self, now: u64) -> Arc<Newest> {
        let mut at_work = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(newest) = at_work.upgrade() {
            return newest;
        }
        let kept = Kept {
            after: now,
            ..Kept::default()
        };
        let newest = Arc::new(Newest {
            kept: RwLock::new(kept),
            told_to: watch::Sender::new(now),
        });
        *at_work = Arc::downgrade(&newest);
        let teller = Teller::new(self.host.journal(&self.tenant), self.policy, now);
        tokio::spawn(tell_new(self.host.clone(), teller, Arc::downgrade(&newest)));
        newest
    }
}

/// Tells what is committed, as long as anybody reads.
async fn tell_new<S: Store>(host: Host<S>, mut teller: Teller<S::Tenant>, to: Weak<Newest>) {
    // Before the store is read: what is committed meanwhile is read once more, and told once.
    let mut feed = host.subscribe();
    while to.strong_count() > 0 {
        match teller.page().await {
            Ok(page) => {
                let Some(newest) = to.upgrade() else { return };
                let is_new = *newest.told_to.borrow() < teller.position();
                if is_new {
                    let told = page.iter().flat_map(written).collect();
                    newest.kept_mut().add(told);
                    newest.told_to.send_replace(teller.position());
                    continue;
                }
            }
            Err(_) => {
                tokio::time::sleep(STORE_AWAY).await;
                continue;
            }
        }
        // Now and then it looks whether anybody still reads.
        tokio::select! {
            received = feed.recv() => if matches!(received, Err(RecvError::Closed)) { return },
            () = tokio::time::sleep(KEEP_ALIVE) => {}
        }
        // One page has all that was committed meanwhile.
        while feed.try_recv().is_ok() {}
    }
}

impl Newest {
    fn kept_mut(&self) -> std::sync::RwLockWriteGuard<'_, Kept> {
        self.kept.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept_after(&self) -> u64 {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        kept.after
    }

    /// The next event after a place; an error if more lies between than is kept.
    fn next(&self, after: Place, wanted: Wanted) -> Result<Option<(Place, Bytes)>, ()> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        // Of the position itself some may have been told.
        if after < Place::after_all_of(kept.after) {
            return Err(());
        }
        let start = kept.events.partition_point(|told| told.at <= after);
        let mut rest = kept.events.range(start..);
        let found = rest.find(|told| told.is_for(wanted));
        Ok(found.map(|told| (told.at, told.bytes.clone())))
    }
}

struct Reader<S: Store> {
    host: Host<S>,
    tenant: TenantId,
    policy: OutgoingPolicy,
    newest: Arc<Newest>,
    told_to: watch::Receiver<u64>,
    stopping: watch::Receiver<bool>,
    wanted: Wanted,
    after: Place,
    /// Tells what lies between the reader's place and what is kept.
    teller: Option<(Teller<S::Tenant>, VecDeque<Told>)>,
}

impl<S: Store> Reads for Reader<S> {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if *self.stopping.borrow() {
                return None;
            }
            let told_to = *self.told_to.borrow_and_update();
            match self.newest.next(self.after, self.wanted) {
                Ok(Some((at, bytes))) => {
                    (self.after, self.teller) = (at, None);
                    return Some(bytes);
                }
                Ok(None) => {
                    self.teller = None;
                    // What was not for this reader need not be looked at again.
                    self.after = self.after.max(Place::after_all_of(told_to));
                }
                Err(()) => match self.between().await {
                    Some(bytes) => return Some(bytes),
                    None => continue,
                },
            }
            tokio::select! {
                changed = self.told_to.changed() => if changed.is_err() { return None },
                _ = self.stopping.wait_for(|stop| *stop) => return None,
                () = tokio::time::sleep(KEEP_ALIVE) => {
                    return Some(Bytes::from_static(b": keep-alive\n\n"));
                }
            }
        }
    }
}

impl<S: Store> Reader<S> {
    /// The next of what lies before all that is kept; none when that was not for this reader.
    async fn between(&mut self) -> Option<Bytes> {
        let before = self.after.seq.saturating_sub(1);
        let (teller, told) = self.teller.get_or_insert_with(|| {
            let teller = Teller::new(self.host.journal(&self.tenant), self.policy, before);
            (teller, VecDeque::new())
        });
        if told.is_empty() {
            let from = teller.position();
            match teller.page().await {
                Ok(page) => told.extend(page.iter().flat_map(written)),
                Err(_) => {
                    tokio::time::sleep(STORE_AWAY).await;
                    return None;
                }
            }
            // Where nothing is left in between, because it was pruned, what is kept comes next.
            let reached = match teller.position() {
                position if position == from => self.newest.kept_after(),
                position => position,
            };
            if told.is_empty() {
                self.after = self.after.max(Place::after_all_of(reached));
                return None;
            }
        }
        while let Some(next) = told.pop_front() {
            if next.at > self.after {
                self.after = next.at;
                if next.is_for(self.wanted) {
                    return Some(next.bytes);
                }
            }
        }
        None
    }
}
