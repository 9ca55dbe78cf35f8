//! One mission at work: decide, append, perform, and leave memory when there is nothing to do.
//!
//! The order is the machine's ([`adjutant_mission::Driver`]); this file only waits for things.
//!
//! **Invariant:** A mission that waits for a person or a distant time has no task in the host: it is a row in the
//! store. A mission that waits for a sub-mission, or for a time within `STAY_FOR`, stays; and so does one whose supervisors
//! look again even if nothing happens.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use adjutant_journal::{JournalCursor, JournalError, TenantJournal};
use adjutant_mission::{
    AccountRefusal, Actor, AgentId, Command, CommandId, Driver, EffectNumber, FailureKind, Input,
    Mission, MissionId, Outcome, Refused, Rest, TenantId, Timestamp,
};
use adjutant_store::{AppendError, Blob, Store, TenantStore};
use futures::future::{AbortHandle, Abortable, Aborted};
use futures::stream::{FuturesUnordered, StreamExt};
use tokio::sync::{mpsc, oneshot};

use crate::effect_run::{EffectRun, failed};
use crate::registry::{Left, Message, Reply, StopStatus};
use crate::shared::Shared;
use crate::stops::Stopped;
use crate::supervisors::Supervisors;
use crate::triggers::repeats;
use crate::{Committed, Host, HostError, new_command_id, waker};

/// A mission whose next time is nearer than this stays in memory for it.
const STAY_FOR: Duration = Duration::from_secs(2);
/// How long to wait before trying to save again, at first and at most.
const SAVE_AGAIN_FIRST: Duration = Duration::from_millis(250);
const SAVE_AGAIN_MAX: Duration = Duration::from_secs(30);

type Performing = Pin<Box<dyn Future<Output = Result<(EffectNumber, Outcome), Aborted>> + Send>>;

pub(crate) enum Origin {
    Stored,
    Opened {
        driver: Box<Driver>,
        cursor: Box<JournalCursor>,
        blobs: Vec<Blob>,
        opened: Reply,
    },
}

pub(crate) struct Runner<S: Store> {
    shared: Arc<Shared<S>>,
    journal: TenantJournal<S::Tenant>,
    tenant: TenantId,
    mission: MissionId,
    driver: Driver,
    cursor: JournalCursor,
    inbox: mpsc::Receiver<Message>,
    /// What came while the store could not be written.
    came_meanwhile: Vec<Message>,
    performing: FuturesUnordered<Performing>,
    aborts: HashMap<EffectNumber, AbortHandle>,
    blobs: Vec<Blob>,
    /// Answers that wait until what they tell of is durable.
    replies: Vec<Answer>,
    /// What holds the mission, if something does.
    held_by: Option<Stopped>,
    supervisors: Supervisors,
    /// Who stopped or allowed something and waits to hear how the mission stands after that.
    stop_status_requests: Vec<(Option<AgentId>, oneshot::Sender<StopStatus>)>,
    /// The mission was not over when this runner took it up.
    began_unfinished: bool,
}

/// To whoever gave a command, or opened the mission.
struct Answer {
    command: Option<CommandId>,
    to: Reply,
    says: Result<(), HostError>,
}

impl Answer {
    fn to_opener(to: Reply) -> Self {
        Self {
            command: None,
            to,
            says: Ok(()),
        }
    }
}

/// Why a runner stops.
enum Stop {
    Rested,
    Failed(HostError),
}

impl<S: Store> Runner<S> {
    pub(crate) fn spawn(
        shared: Arc<Shared<S>>,
        tenant: TenantId,
        mission: MissionId,
        mut inbox: mpsc::Receiver<Message>,
        origin: Origin,
    ) {
        tokio::spawn(async move {
            let journal = shared.vault.tenant(&shared.store, &tenant);
            if let Err(error) = shared.stops.ready(&shared).await {
                answer_unloadable(&shared, mission, &mut inbox, &error);
                return;
            }
            shared.registry.let_go(mission);
            let now = shared.clock.now();
            let (driver, cursor, supervisors, blobs, opened) = match origin {
                Origin::Opened {
                    driver,
                    cursor,
                    blobs,
                    opened,
                } => (
                    *driver,
                    *cursor,
                    Supervisors::default(),
                    blobs,
                    Some(opened),
                ),
                Origin::Stored => {
                    let loading = load(&shared, &journal, &tenant, mission, now);
                    match Box::pin(loading).await {
                        Ok((driver, cursor, supervisors)) => {
                            (driver, cursor, supervisors, Vec::new(), None)
                        }
                        Err(error) => {
                            answer_unloadable(&shared, mission, &mut inbox, &error);
                            return;
                        }
                    }
                }
            };
            let runner = Self {
                began_unfinished: driver.mission().ending().is_none(),
                journal,
                tenant,
                mission,
                driver,
                cursor,
                inbox,
                came_meanwhile: Vec::new(),
                performing: FuturesUnordered::new(),
                aborts: HashMap::new(),
                blobs,
                replies: opened.map(Answer::to_opener).into_iter().collect(),
                held_by: None,
                supervisors,
                stop_status_requests: Vec::new(),
                shared,
            };
            runner.run().await;
        });
    }

    async fn run(mut self) {
        let stop = loop {
            if let Err(error) = self.save().await {
                break Stop::Failed(error);
            }
            if let Err(error) = self.apply_stops() {
                break Stop::Failed(error);
            }
            if !self.driver.unsaved().is_empty() {
                continue;
            }
            if self.shared.may_perform() {
                let now = self.shared.clock.now();
                let host = Host::of(Arc::clone(&self.shared));
                let steering = self.supervisors.steer(&host, &mut self.driver, now);
                Box::pin(steering).await;
            }
            if !self.driver.unsaved().is_empty() {
                continue;
            }
            self.report_stop_status();
            if self.shared.may_perform() {
                self.perform_outstanding();
            }
            if !self.driver.unsaved().is_empty() {
                continue;
            }
            match self.wait().await {
                Ok(()) => {}
                Err(stop) => break stop,
            }
        };
        match stop {
            Stop::Rested => {
                let wake_at = self.driver.wake_at();
                self.shared.rested_until(wake_at);
                waker::wake_later(&self.shared, &self.tenant, self.mission, wake_at);
            }
            Stop::Failed(error) => {
                if matches!(error, HostError::Refused(_)) {
                    self.shared.registry.set_aside(self.mission);
                }
                self.answer_unsaved(&error);
                let answer = || not_saved(&error);
                for reply in self.replies.drain(..) {
                    let _ = reply.to.send(Err(answer()));
                }
                self.shared
                    .registry
                    .leave_with(self.mission, &mut self.inbox, answer);
            }
        }
        self.shared.left.notify_one();
    }

    /// Makes everything decided so far durable, then lets those know who asked.
    async fn save(&mut self) -> Result<(), HostError> {
        if let Some(fault) = self.driver.fault() {
            return Err(Refused::MachineFault {
                why: fault.why.clone(),
            }
            .into());
        }
        self.save_decided().await?;
        while !self.came_meanwhile.is_empty() {
            for message in std::mem::take(&mut self.came_meanwhile) {
                self.take_in(Some(message));
            }
            self.save_decided().await?;
        }
        Ok(())
    }

    async fn save_decided(&mut self) -> Result<(), HostError> {
        while !self.driver.unsaved().is_empty() {
            let blobs = std::mem::take(&mut self.blobs);
            let (batch, end) = self.cursor.batch(&self.driver, blobs)?;
            let snapshot_seq = batch.snapshot.as_ref().map(|snapshot| snapshot.head.seq);
            if let Some(refusal) = self.append(batch).await? {
                self.redecide_without(*refusal).await?;
                continue;
            }
            self.cursor.moved(end, snapshot_seq);
            if let Some(signer) = &self.shared.signer {
                signer.moved(&self.tenant, self.mission, end);
            }
            if self.shared.feed.watchers() > 0 {
                let (tenant, mission) = (self.tenant.clone(), self.mission);
                let events = self.driver.news().into();
                self.shared.feed.publish(Committed {
                    tenant,
                    mission,
                    events,
                });
            }
            self.supervisors.saved(self.driver.unsaved())?;
            self.driver.saved();
        }
        for reply in self.replies.drain(..) {
            // A caller that has gone away needs no answer.
            let _ = reply.to.send(reply.says);
        }
        Ok(())
    }

    /// An account said no: what happened is decided again, without what it refused.
    async fn redecide_without(&mut self, refusal: AccountRefusal) -> Result<(), HostError> {
        let stored = match self.cursor.head.seq {
            0 => None,
            _ => Some(self.journal.load(self.mission).await?.0),
        };
        for (command, refused) in self.driver.redecide_without(stored, refusal) {
            let given = self.replies.iter_mut();
            for reply in given.filter(|reply| reply.command == Some(command)) {
                reply.says = Err(refused.clone().into());
            }
        }
        match self.driver.fault() {
            None => Ok(()),
            Some(fault) => Err(Refused::MachineFault {
                why: fault.why.clone(),
            }
            .into()),
        }
    }

    /// While nobody waits for an answer, trouble with the disk is waited out, so that results already in
    /// hand are not lost. A caller gets the error at once, and then nothing of the batch is kept. Who comes
    /// while it is waited out makes it try again, and gets the error if that fails too.
    /// Says what an account refused, if one did.
    async fn append(
        &mut self,
        batch: adjutant_store::Batch,
    ) -> Result<Option<Box<AccountRefusal>>, HostError> {
        let mut pause = SAVE_AGAIN_FIRST;
        loop {
            let error = match self.journal.store().append(batch.clone()).await {
                Ok(()) => return Ok(None),
                Err(AppendError::CapReached(refusal)) => {
                    self.blobs = batch.blobs;
                    return Ok(Some(refusal));
                }
                Err(error) => error,
            };
            if error.retry() != adjutant_store::Retry::Later
                || !self.replies.is_empty()
                || self.shared.is_draining()
            {
                return Err(error.into());
            }
            self.answer_unsaved(&error.into());
            let health = self.shared.store.health();
            tokio::select! {
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(SAVE_AGAIN_MAX),
                () = health.recovers() => {}
                Some(message) = self.inbox.recv() => self.came_meanwhile.push(message),
            }
        }
    }

    /// Tells those who came with a command that it cannot be saved. What else came is kept.
    fn answer_unsaved(&mut self, error: &HostError) {
        for message in std::mem::take(&mut self.came_meanwhile) {
            match message {
                Message::Command { reply, .. } => {
                    // A caller that has gone away needs no answer.
                    let _ = reply.send(Err(not_saved(error)));
                }
                Message::Wake | Message::Drain => {}
                kept @ Message::RecheckStops { .. } => self.came_meanwhile.push(kept),
            }
        }
    }

    /// Pauses the mission for what is stopped, keeps back what it owes of that, and resumes it when all of it is
    /// allowed again.
    fn apply_stops(&mut self) -> Result<(), HostError> {
        self.held_by = self.shared.stops.of_tenant(&self.tenant);
        let was_held = self.driver.held() > 0 || self.driver.mission().is_stopped();
        if self.shared.stops.is_empty() && !was_held {
            return Ok(());
        }
        let now = self.shared.clock.now();
        let (stops, performer) = (&self.shared.stops, &self.shared.performer);
        let (tenant, held_by) = (&self.tenant, &mut self.held_by);
        self.driver.hold(now, |effect| {
            let stopped = stops.of(tenant, effect, performer);
            let held = stopped.is_some();
            *held_by = held_by.take().or(stopped);
            held
        });
        let mission = self.driver.mission();
        let input = match &self.held_by {
            Some(stopped) if !mission.is_paused() => pause(now, stopped)?,
            None if mission.is_stopped() => Input::Command {
                id: new_command_id(now)?,
                by: Actor::host(
                    self.stop_status_requests
                        .iter()
                        .find_map(|(by, _)| by.clone()),
                ),
                command: Command::Resume,
            },
            _ => return Ok(()),
        };
        // Refused: the mission is winding down, and starts nothing anyway.
        let _ = self.driver.input(now, &input);
        Ok(())
    }

    fn report_stop_status(&mut self) {
        let mission = self.driver.mission();
        let stands = match mission.is_paused() {
            true if mission.is_stopped() => StopStatus::Stopped,
            true => StopStatus::Paused,
            false => StopStatus::Runs,
        };
        for (_, reply) in self.stop_status_requests.drain(..) {
            // Whoever asked has waited long enough: it holds all the same.
            let _ = reply.send(stands);
        }
    }

    fn perform_outstanding(&mut self) {
        for number in self.driver.take_unwanted() {
            if let Some(abort) = self.aborts.remove(&number) {
                abort.abort();
            }
        }
        for effect in self.driver.take_effects(self.shared.clock.now()) {
            let (abort, registration) = AbortHandle::new_pair();
            let number = effect.id.number;
            self.aborts.insert(number, abort);
            let run = EffectRun::new(
                Arc::clone(&self.shared),
                self.driver.mission(),
                self.cursor.seal.clone(),
                effect,
            );
            let work = async move { (number, run.perform().await) };
            self.performing
                .push(Box::pin(Abortable::new(work, registration)));
        }
    }

    /// Waits for the next thing to happen to the mission and takes it in, with all that came along.
    async fn wait(&mut self) -> Result<(), Stop> {
        let now = self.shared.clock.now();
        let may_perform = self.shared.may_perform();
        let idle = self.performing.is_empty();
        let look_at = self.supervisors.look_at().filter(|_| may_perform);
        let earlier = |at: Option<Timestamp>| at.into_iter().chain(look_at).min();
        let wake_at = match self.driver.rest(now) {
            Rest::Ended => {
                self.settle_repetition().await;
                return self.leave();
            }
            _ if !may_perform && idle => return self.leave(),
            Rest::Until(at) if idle => {
                let wait = at.map(|at| Duration::from_millis(at.since(now).0));
                match wait.filter(|wait| *wait <= STAY_FOR) {
                    None if look_at.is_none() => return self.leave(),
                    _ => earlier(at),
                }
            }
            Rest::Until(_) | Rest::Busy => earlier(self.driver.wake_at()),
        };
        tokio::select! {
            biased;
            Some(done) = self.performing.next(), if !idle => self.performed(done),
            message = self.inbox.recv() => self.take_in(message),
            () = sleep_until(now, wake_at) => self.driver.proceed(self.shared.clock.now()),
        }
        self.take_the_rest();
        Ok(())
    }

    /// Leaves the trigger behind that the mission asks for, once it has ended. What the store does not take now is made up for
    /// when the next host starts; what is refused is in the audit.
    async fn settle_repetition(&mut self) {
        if std::mem::take(&mut self.began_unfinished) {
            let host = Host::of(Arc::clone(&self.shared));
            let settled = repeats::settle(&host, &self.tenant, self.driver.mission());
            let _ = Box::pin(settled).await;
        }
    }

    /// Whatever else is at hand joins the same append.
    fn take_the_rest(&mut self) {
        use futures::FutureExt;
        while let Some(Some(done)) = self.performing.next().now_or_never() {
            self.performed(done);
        }
        while let Ok(message) = self.inbox.try_recv() {
            self.take_in(Some(message));
        }
    }

    fn performed(&mut self, done: Result<(EffectNumber, Outcome), Aborted>) {
        let Ok((effect, outcome)) = done else {
            return;
        };
        self.aborts.remove(&effect);
        let now = self.shared.clock.now();
        let shown = || self.driver.mission().paths_shown(effect);
        let (outcome, blob) = match self.cursor.seal.fit(outcome, shown) {
            Ok(fitted) => fitted,
            Err(error) => (failed(FailureKind::OutcomeUnknown, error.to_string()), None),
        };
        match self.driver.input(now, &Input::Outcome { effect, outcome }) {
            Ok(()) => self.blobs.extend(blob),
            Err(Refused::OutcomeUnfit { why, .. }) => {
                let outcome = failed(
                    FailureKind::Permanent,
                    format!("its result is not valid: {why}"),
                );
                let _ = self.driver.input(now, &Input::Outcome { effect, outcome });
            }
            // An outcome nobody wants any more: there is nothing to do about it.
            Err(_) => {}
        }
    }

    fn take_in(&mut self, message: Option<Message>) {
        let now = self.shared.clock.now();
        match message {
            Some(Message::Command {
                id,
                by,
                command,
                reply,
            }) => {
                if let (Command::Resume, Some(stopped)) = (&*command, &self.held_by) {
                    let stopped = stopped.clone();
                    // Nobody waits for it any more if this cannot be sent.
                    let _ = reply.send(Err(HostError::StillStopped { stopped }));
                    return;
                }
                let result = self.driver.input(
                    now,
                    &Input::Command {
                        id,
                        by,
                        command: *command,
                    },
                );
                self.replies.push(Answer {
                    command: Some(id),
                    to: reply,
                    says: result.map_err(HostError::Refused),
                });
            }
            Some(Message::RecheckStops { allowed_by, reply }) => {
                self.stop_status_requests.push((allowed_by, reply))
            }
            Some(Message::Wake) => self.driver.proceed(now),
            Some(Message::Drain) | None => {}
        }
    }

    fn leave(&mut self) -> Result<(), Stop> {
        let registry = &self.shared.registry;
        // Before it leaves: a runner that follows this one says for itself what is so.
        if self.driver.held() > 0 && !self.driver.mission().is_stopped() {
            registry.hold(&self.tenant, self.mission);
        }
        match registry.leave(self.mission, &self.inbox) {
            Left::Yes => Err(Stop::Rested),
            Left::No => {
                registry.let_go(self.mission);
                self.take_the_rest();
                Ok(())
            }
        }
    }
}

async fn load<S: Store>(
    shared: &Shared<S>,
    journal: &TenantJournal<S::Tenant>,
    tenant: &TenantId,
    mission: MissionId,
    now: Timestamp,
) -> Result<(Driver, JournalCursor, Supervisors), HostError> {
    let (folded, cursor) = journal.load(mission).await?;
    let supervisors = Supervisors::of_stored(journal, &folded).await?;
    let driver = take_up(shared, tenant, now, folded)?;
    Ok((driver, cursor, supervisors))
}

/// Takes a mission up again; one of a stopped tenant is paused before anything follows by itself.
fn take_up<S>(
    shared: &Shared<S>,
    tenant: &TenantId,
    now: Timestamp,
    folded: Mission,
) -> Result<Driver, HostError> {
    Ok(match shared.stops.of_tenant(tenant) {
        Some(stopped) => Driver::resume_to(now, folded, &pause(now, &stopped)?),
        None => Driver::resume(now, folded),
    })
}

fn pause(now: Timestamp, stopped: &Stopped) -> Result<Input, HostError> {
    Ok(Input::Command {
        id: new_command_id(now)?,
        by: Actor::host(Some(stopped.by.clone())),
        command: Command::Pause {
            reason: stopped.to_string(),
        },
    })
}

fn not_saved(error: &HostError) -> HostError {
    HostError::NotSaved {
        code: error.code(),
        why: error.chain(),
    }
}

async fn sleep_until(now: Timestamp, at: Option<Timestamp>) {
    match at {
        Some(at) => tokio::time::sleep(Duration::from_millis(at.since(now).0)).await,
        None => std::future::pending().await,
    }
}

/// Tells everyone who waits for a mission that it cannot be loaded.
fn answer_unloadable<S: Store>(
    shared: &Shared<S>,
    mission: MissionId,
    inbox: &mut mpsc::Receiver<Message>,
    error: &HostError,
) {
    let answer = || HostError::NotLoaded {
        code: error.code(),
        why: error.chain(),
    };
    if !matches!(error, HostError::Journal(JournalError::Store(_))) {
        shared.registry.set_aside(mission);
    }
    shared.registry.leave_with(mission, inbox, answer);
    shared.left.notify_one();
}
