//! Tells people of open checkpoints and of endings, through the channels that the host was given.
//!
//! There is no outbox: what is owed follows from the inbox and from what has ended, and is learned from the feed,
//! and from the store where the feed cannot have told. A record per channel and notice keeps how far it is. It is
//! saved after the try, so that a crash in between sends the notice again, under the same id; never is one lost.
//!
//! **Invariant:** A notice is recorded as told after it was. A crash in between tells it again under the same id; a
//! question that was closed meanwhile is not told any more.

mod look;
mod try_one;

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::notices::{Book, Entered, Key};
use adjutant_mission::{CheckpointId, Event, Millis, TenantId, Timestamp};
use adjutant_notify::{About, Carrier, Channel, ChannelState, Progress, Sender, Sent, Subject};
use adjutant_store::{RecordKind, Store};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast};
use tokio::task::{JoinHandle, JoinSet};

use crate::shared::Shared;
use crate::{Committed, HostError};
use try_one::{Tried, try_one};

/// Tries of one channel at the same time.
const TRIES_AT_ONCE_MAX: usize = 4;
/// No sleep is longer: clocks can jump.
const SLEEP_MAX: Duration = Duration::from_secs(60);
/// How often the store is looked at though nothing is missing: records of what is over are dropped then.
const LOOK_AGAIN: Millis = Millis::hours(1);
/// After trouble with the store.
const LOOK_AGAIN_AFTER_TROUBLE: Millis = Millis::seconds(30);
/// While there was no room for all that is owed.
const LOOK_AGAIN_WHEN_FULL: Millis = Millis::seconds(5 * 60);

/// The part of a host that tells people.
#[derive(Debug)]
pub(crate) struct Notifier {
    channels: Vec<Arc<Channel>>,
    sender: Sender,
    stop: Notify,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Notifier {
    /// Of no use where nobody is to be told anything.
    pub(crate) fn new(channels: Vec<Channel>) -> Option<Self> {
        let channels: Vec<Arc<Channel>> = channels
            .into_iter()
            .filter(|channel| !matches!(channel.carrier, Carrier::Terminal))
            .map(Arc::new)
            .collect();
        if channels.is_empty() {
            return None;
        }
        Some(Self {
            channels,
            sender: Sender::default(),
            stop: Notify::new(),
            task: Mutex::default(),
        })
    }

    fn task(&self) -> std::sync::MutexGuard<'_, Option<JoinHandle<()>>> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts nothing more, and waits until what is under way is recorded.
    pub(crate) async fn stop(&self) {
        let task = self.task().take();
        if let Some(task) = task {
            self.stop.notify_one();
            // A task that broke has nothing left to record.
            let _ = task.await;
        }
    }
}

/// Begins to tell. The subscription comes before the first look at the store, so that nothing falls between.
pub(crate) fn start<S: Store>(shared: &Arc<Shared<S>>) {
    if let Some(notifier) = &shared.notifier {
        let telling = Telling::new(Arc::clone(shared), notifier);
        *notifier.task() = Some(tokio::spawn(telling.run()));
    }
}

/// One channel at work.
struct Side<S: Store> {
    channel: Arc<Channel>,
    journal: TenantJournal<S::Tenant>,
    /// What is due and waits for a free place.
    ready: VecDeque<Subject>,
    under_way: usize,
    /// The other side asked for patience, or wants no more.
    hold_until: Timestamp,
    /// As its record says; none until the first look.
    state: Option<ChannelState>,
}

impl<S: Store> Side<S> {
    fn sends(&self) -> bool {
        !matches!(self.channel.carrier, Carrier::Unusable { .. })
    }
}

struct Telling<S: Store> {
    shared: Arc<Shared<S>>,
    feed: broadcast::Receiver<Committed>,
    sides: Vec<Side<S>>,
    book: Book,
    trying: JoinSet<(Key, Tried)>,
    look_at: Timestamp,
    /// Whether there may be endings that neither the feed told of nor the book has.
    missing: bool,
    /// Whether this host has looked before.
    looked: bool,
    /// While the feed catches up with a look: what the look found settled.
    settled: BTreeSet<Key>,
    /// Another host has the store.
    over: bool,
}

impl<S: Store> Telling<S> {
    fn new(shared: Arc<Shared<S>>, notifier: &Notifier) -> Self {
        let sides = notifier.channels.iter().map(|channel| Side {
            journal: shared.vault.tenant(&shared.store, &channel.tenant),
            channel: Arc::clone(channel),
            ready: VecDeque::new(),
            under_way: 0,
            hold_until: Timestamp(i64::MIN),
            state: None,
        });
        Self {
            sides: sides.collect(),
            feed: shared.feed.subscribe(),
            book: Book::default(),
            trying: JoinSet::new(),
            look_at: Timestamp(i64::MIN),
            missing: true,
            looked: false,
            settled: BTreeSet::new(),
            over: false,
            shared,
        }
    }

    fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    async fn run(mut self) {
        let shared = Arc::clone(&self.shared);
        let Some(notifier) = &shared.notifier else {
            return;
        };
        while !self.over && !shared.is_draining() {
            if self.look_at <= self.now() {
                self.look().await;
                continue;
            }
            self.start_due();
            let pause = self.pause();
            tokio::select! {
                () = notifier.stop.notified() => break,
                Some(done) = self.trying.join_next() => if let Ok((key, tried)) = done {
                    self.tried(key, tried).await;
                },
                committed = self.feed.recv() => match committed {
                    Ok(committed) => self.happened(&committed).await,
                    Err(RecvError::Lagged(_)) => self.look_soon(Millis::ZERO),
                    Err(RecvError::Closed) => break,
                },
                () = tokio::time::sleep(pause) => {}
            }
        }
        while let Some(done) = self.trying.join_next().await {
            if let Ok((key, tried)) = done {
                self.tried(key, tried).await;
            }
        }
    }

    fn pause(&self) -> Duration {
        let next = self
            .book
            .next_due()
            .map_or(self.look_at, |due| due.min(self.look_at));
        Duration::from_millis(next.since(self.now()).0).clamp(Duration::from_millis(1), SLEEP_MAX)
    }

    /// Something was not learned, and must be read from the store.
    fn look_soon(&mut self, after: Millis) {
        self.missing = true;
        self.look_at = self.look_at.min(self.now().plus(after));
    }

    async fn happened(&mut self, committed: &Committed) {
        let (tenant, mission) = (&committed.tenant, committed.mission);
        for recorded in committed.events.iter() {
            match &recorded.event {
                Event::CheckpointOpened(checkpoint) => {
                    let about = About::checkpoint(mission, checkpoint, recorded.at);
                    self.owe_all(tenant, &about);
                }
                Event::MissionEnded(_) => {
                    self.owe_all(tenant, &About::ending(mission, recorded.at));
                }
                Event::CheckpointDecided { checkpoint, .. }
                | Event::CheckpointExpired { checkpoint }
                | Event::CheckpointWithdrawn { checkpoint, .. } => {
                    let number = *checkpoint;
                    self.closed(tenant, CheckpointId { mission, number }).await;
                }
                // The questions that it inherited are in no event of its own.
                Event::MissionForked { .. } => self.look_at = self.now(),
                _ => {}
            }
        }
    }

    fn owe_all(&mut self, tenant: &TenantId, about: &About) {
        for at in 0..self.sides.len() {
            let takes = self.sides.get(at).is_some_and(|side| {
                side.sends() && side.channel.tenant == *tenant && side.channel.takes(about)
            });
            if takes && !self.settled.contains(&(at, about.subject)) {
                self.owe(at, about.clone(), Progress::default());
            }
        }
    }

    fn owe(&mut self, at: usize, about: About, progress: Progress) {
        let now = self.now();
        if self.book.owe(at, about, progress, now) == Entered::Full {
            self.look_soon(LOOK_AGAIN_WHEN_FULL);
        }
    }

    /// Nobody need be told any more, and what became of the telling is of no interest.
    async fn closed(&mut self, tenant: &TenantId, checkpoint: CheckpointId) {
        let subject = Subject::Checkpoint(checkpoint);
        for at in 0..self.sides.len() {
            let forgotten = self.book.forget((at, subject));
            let never_tried = forgotten.is_some_and(|owed| owed.progress.tries == 0);
            let Some(side) = self.sides.get(at) else {
                continue;
            };
            let may_have_record =
                side.channel.tenant == *tenant && side.channel.tells.checkpoints() && !never_tried;
            if may_have_record {
                let record = side.channel.name.record(subject);
                // What stays behind is found by the next look.
                let _ = side.journal.drop_record(RecordKind::Notice, &record).await;
            }
        }
    }

    fn start_due(&mut self) {
        let now = self.now();
        while let Some(key) = self.book.take_due(now) {
            let Some((owed, side)) = self.book.get(key).zip(self.sides.get_mut(key.0)) else {
                continue;
            };
            let not_before = side.channel.not_before(now, &owed.about);
            let not_before = not_before.max(side.hold_until);
            if not_before > now && !owed.progress.is_settled() {
                let progress = owed.progress.clone();
                self.book.put_off(key, not_before, progress);
            } else {
                side.ready.push_back(key.1);
            }
        }
        for at in 0..self.sides.len() {
            self.hold(at, now);
            while let Some(subject) = self.next_ready(at) {
                self.start((at, subject));
            }
        }
    }

    /// What was ready when the other side asked for patience waits with the rest.
    fn hold(&mut self, at: usize, now: Timestamp) {
        let Some(side) = self.sides.get_mut(at) else {
            return;
        };
        if side.hold_until <= now {
            return;
        }
        for subject in side.ready.drain(..) {
            let key = (at, subject);
            if let Some(progress) = self.book.get(key).map(|owed| owed.progress.clone()) {
                self.book.put_off(key, side.hold_until, progress);
            }
        }
    }

    fn next_ready(&mut self, at: usize) -> Option<Subject> {
        let side = self.sides.get_mut(at)?;
        if side.under_way >= TRIES_AT_ONCE_MAX {
            return None;
        }
        side.ready.pop_front()
    }

    fn start(&mut self, key: Key) {
        let Some((owed, side)) = self.book.get(key).zip(self.sides.get_mut(key.0)) else {
            return;
        };
        side.under_way += 1;
        let (shared, journal) = (Arc::clone(&self.shared), side.journal.clone());
        let (channel, owed) = (Arc::clone(&side.channel), owed.clone());
        self.trying.spawn(async move {
            if owed.progress.is_settled() {
                return (key, Tried::Before(owed.progress));
            }
            let tried = try_one(&shared, &journal, &channel, &owed.about).await;
            (key, tried)
        });
    }

    /// One try has ended.
    async fn tried(&mut self, key: Key, tried: Tried) {
        let now = self.now();
        let Some((owed, side)) = self.book.get(key).zip(self.sides.get_mut(key.0)) else {
            // Answered in the meantime.
            if let Some(side) = self.sides.get_mut(key.0) {
                side.under_way -= 1;
            }
            return;
        };
        side.under_way -= 1;
        let progress = match tried {
            Tried::Moot => {
                self.forget(key).await;
                return;
            }
            Tried::Unread => {
                let progress = owed.progress.clone();
                let later = now.plus(LOOK_AGAIN_AFTER_TROUBLE);
                self.book.put_off(key, later, progress);
                return;
            }
            Tried::Before(progress) => progress,
            Tried::Sent(sent) => {
                let progress = owed.progress.after(now, &sent);
                match sent {
                    Sent::NotNow {
                        wait: Some(wait), ..
                    } => side.hold_until = side.hold_until.max(now.plus(wait)),
                    Sent::Gone { why } => self.gone(key.0, why).await,
                    _ => {}
                }
                progress
            }
        };
        self.record(key, progress).await;
    }

    /// Keeps what became of a try. As long as that fails it is tried again: the keeping, not the sending.
    async fn record(&mut self, key: Key, progress: Progress) {
        let Some(side) = self.sides.get(key.0) else {
            return;
        };
        let name = side.channel.name.record(key.1);
        let kept = side
            .journal
            .put_record(RecordKind::Notice, &name, &progress)
            .await;
        let now = self.now();
        match kept {
            Ok(()) if progress.is_settled() => {
                self.book.forget(key);
            }
            Ok(()) => {
                let next = progress.next_try_at(now);
                self.book.put_off(key, next, progress);
            }
            Err(error) => {
                self.failed(error);
                let next = now.plus(LOOK_AGAIN_AFTER_TROUBLE);
                let next = next.max(progress.next_try_at(now));
                self.book.put_off(key, next, progress);
            }
        }
    }

    async fn forget(&mut self, key: Key) {
        let tried = self
            .book
            .forget(key)
            .is_some_and(|owed| owed.progress.tries > 0);
        if let Some(side) = self.sides.get(key.0).filter(|_| tried) {
            let record = side.channel.name.record(key.1);
            // What stays behind is found by the next look.
            let _ = side.journal.drop_record(RecordKind::Notice, &record).await;
        }
    }

    /// The other side wants no more. The next start of a host asks it again.
    async fn gone(&mut self, at: usize, why: String) {
        let Some(side) = self.sides.get_mut(at) else {
            return;
        };
        side.hold_until = Timestamp(i64::MAX);
        if let Some(state) = &mut side.state {
            state.gone = Some(why);
            let (name, state) = (side.channel.name.as_str(), state.clone());
            // It is only shown: the next answer would say the same.
            let _ = side
                .journal
                .put_record(RecordKind::Channel, name, &state)
                .await;
        }
    }

    fn failed(&mut self, error: JournalError) {
        let error = HostError::from(error);
        if error.is_taken_over() {
            self.over = true;
        }
    }
}
