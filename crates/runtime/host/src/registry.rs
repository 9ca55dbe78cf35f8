//! Which missions are in memory, and how to speak to them. Every send happens under the lock that also
//! guards leaving, so a message never goes to a mission that has just left.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, PoisonError};

use adjutant_mission::{Actor, AgentId, Command, CommandId, MissionId, TenantId};
use tokio::sync::{mpsc, oneshot};

use crate::HostError;

/// Messages that may wait for one mission; more callers than this are told to come back.
pub(crate) const MESSAGES_WAITING_MAX: usize = 256;

/// How a caller learns what became of a command.
pub(crate) type Reply = oneshot::Sender<Result<(), HostError>>;

#[derive(Debug)]
pub(crate) enum Message {
    Command {
        id: CommandId,
        by: Actor,
        command: Box<Command>,
        reply: Reply,
    },
    /// Something was stopped, or allowed again by somebody: the mission looks whether that holds it, and says how
    /// it stands after that.
    RecheckStops {
        allowed_by: Option<AgentId>,
        reply: oneshot::Sender<StopStatus>,
    },
    /// Nothing to say; the mission is loaded to see what follows from the time.
    Wake,
    /// Start nothing more; leave once what runs has ended.
    Drain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopStatus {
    Runs,
    /// By a person.
    Paused,
    /// By the host, for something that is stopped.
    Stopped,
}

#[derive(Debug, Default)]
pub(crate) struct Registry {
    missions: Mutex<HashMap<MissionId, mpsc::Sender<Message>>>,
    /// Missions that cannot be driven: their journal is damaged, or the machine contradicted itself. Left
    /// alone until the next start of the host, unless somebody asks for them.
    set_aside: Mutex<HashSet<MissionId>>,
    /// Missions that are due and can do nothing, because all they owe is stopped. Left alone until something is
    /// allowed again, or somebody asks for them.
    held: Mutex<HashMap<MissionId, TenantId>>,
}

/// Held while a mission is opened, so that of several who open the same one at once all but the first find it open. A
/// mission has one of a fixed number of locks: two missions that share one only wait for each other.
#[derive(Debug)]
pub(crate) struct Opening(Vec<tokio::sync::Mutex<()>>);

const OPENING_LOCKS: usize = 256;

impl Default for Opening {
    fn default() -> Self {
        Self((0..OPENING_LOCKS).map(|_| Default::default()).collect())
    }
}

impl Opening {
    pub(crate) async fn one(&self, mission: MissionId) -> tokio::sync::MutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        mission.hash(&mut hasher);
        let at = hasher.finish() as usize % OPENING_LOCKS;
        self.0[at].lock().await
    }
}

/// Whether a message reached a mission in memory.
pub(crate) enum Sent {
    Delivered,
    /// The mission is not in memory; here is the inbox of a runner to start for it, with the message in.
    Entered(mpsc::Receiver<Message>),
}

impl Registry {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<MissionId, mpsc::Sender<Message>>> {
        self.missions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Delivers a message, or makes room for a runner that will get it first.
    pub(crate) fn send(&self, mission: MissionId, message: Message) -> Result<Sent, HostError> {
        let mut missions = self.lock();
        if let Some(to) = missions.get(&mission) {
            return match to.try_send(message) {
                Ok(()) => Ok(Sent::Delivered),
                Err(_) => Err(HostError::Busy(mission)),
            };
        }
        let (to, inbox) = mpsc::channel(MESSAGES_WAITING_MAX);
        to.try_send(message).map_err(|_| HostError::Busy(mission))?;
        missions.insert(mission, to);
        Ok(Sent::Entered(inbox))
    }

    /// Delivers a message to a mission that is in memory; to no other.
    pub(crate) fn tell(&self, mission: MissionId, message: Message) {
        if let Some(to) = self.lock().get(&mission) {
            // A full inbox is no loss: a runner that has so much to do looks by itself.
            let _ = to.try_send(message);
        }
    }

    /// Those in memory.
    pub(crate) fn missions(&self) -> Vec<MissionId> {
        self.lock().keys().copied().collect()
    }

    fn held(&self) -> std::sync::MutexGuard<'_, HashMap<MissionId, TenantId>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn hold(&self, tenant: &TenantId, mission: MissionId) {
        self.held().insert(mission, tenant.clone());
    }

    pub(crate) fn let_go(&self, mission: MissionId) {
        self.held().remove(&mission);
    }

    /// Says which those were.
    pub(crate) fn let_all_go(&self) -> HashMap<MissionId, TenantId> {
        std::mem::take(&mut *self.held())
    }

    /// Enters a mission that was just opened.
    pub(crate) fn enter(&self, mission: MissionId) -> Result<mpsc::Receiver<Message>, HostError> {
        let mut missions = self.lock();
        if missions.contains_key(&mission) {
            return Err(HostError::Busy(mission));
        }
        let (to, inbox) = mpsc::channel(MESSAGES_WAITING_MAX);
        missions.insert(mission, to);
        Ok(inbox)
    }

    /// Leaves if nothing is waiting. Otherwise the mission stays.
    pub(crate) fn leave(&self, mission: MissionId, inbox: &mpsc::Receiver<Message>) -> Left {
        let mut missions = self.lock();
        if !inbox.is_empty() {
            return Left::No;
        }
        missions.remove(&mission);
        Left::Yes
    }

    /// Leaves at once and answers what was waiting.
    pub(crate) fn leave_with(
        &self,
        mission: MissionId,
        inbox: &mut mpsc::Receiver<Message>,
        answer: impl Fn() -> HostError,
    ) {
        self.lock().remove(&mission);
        while let Ok(message) = inbox.try_recv() {
            if let Message::Command { reply, .. } = message {
                let _ = reply.send(Err(answer()));
            }
        }
    }

    /// Neither in memory nor left alone.
    pub(crate) fn is_absent(&self, mission: MissionId) -> bool {
        let set_aside = self
            .set_aside
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        !set_aside.contains(&mission)
            && !self.held().contains_key(&mission)
            && !self.lock().contains_key(&mission)
    }

    pub(crate) fn set_aside(&self, mission: MissionId) {
        self.set_aside
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(mission);
    }

    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    /// Missions that may be due without the waker having to do anything about it.
    pub(crate) fn looked_after(&self) -> usize {
        self.count() + self.held().len()
    }

    pub(crate) fn drain_all(&self) {
        for to in self.lock().values() {
            // A full inbox is no loss: the runner also sees the host's draining flag.
            let _ = to.try_send(Message::Drain);
        }
    }
}

pub(crate) enum Left {
    Yes,
    No,
}
