//! The host as its callers see it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use adjutant_effects::{Performer, RuleSet};
use adjutant_journal::{JournalCursor, SigningKey, TenantJournal, Vault};
use adjutant_knowledge_base::KnowledgeBase;
use adjutant_mission::{Actor, Command, CommandId, Driver, MissionId, Start, TenantId};
use adjutant_store::{Blob, Health, Store, TenantStore};
use tokio::sync::{broadcast, oneshot};

use crate::config::Config;
use crate::registry::{Message, Sent};
use crate::runner::{Origin, Runner};
use crate::shared::Shared;
use crate::signer::{self, Signer};
use crate::{Clock, Committed, HostError, health, notifier, stops, supervisors, triggers, waker};

/// A running host. Cheap to clone; the last clone does not stop it, [`Host::drain`] does.
#[derive(Debug)]
pub struct Host<S: Store> {
    shared: Arc<Shared<S>>,
    drain: Duration,
}

impl<S: Store> Clone for Host<S> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            drain: self.drain,
        }
    }
}

impl<S: Store> Host<S> {
    /// Starts a host that runs what it is given, and nothing else until [`Host::carry_on`]. What it is given
    /// it also wakes when its time comes.
    pub fn new(store: S, vault: Vault, performer: Performer, config: Config) -> Self {
        let drain = config.drain;
        let performer = performer.with_lease(store.lease());
        Self {
            shared: Arc::new(Shared::new(store, vault, performer, config)),
            drain,
        }
    }

    /// The host that these belong to, for what works inside it.
    pub(crate) fn of(shared: Arc<Shared<S>>) -> Self {
        Self {
            shared,
            drain: Duration::ZERO,
        }
    }

    /// Takes up every unfinished mission of the store, now and whenever one's time comes, and fires its triggers.
    pub fn carry_on(&self) {
        self.shared.carries_on.store(true, Ordering::Release);
        tokio::spawn(waker::run(Arc::clone(&self.shared)));
        tokio::spawn(signer::run(Arc::clone(&self.shared)));
        tokio::spawn(health::run(Arc::clone(&self.shared)));
        notifier::start(&self.shared);
        tokio::spawn(stops::finish_allowing(self.clone()));
        tokio::spawn(triggers::run(self.clone()));
        tokio::spawn(supervisors::take_up(Arc::clone(&self.shared)));
    }

    /// Takes up one mission of the store, now and whenever its time comes.
    pub fn take_up(&self, tenant: &TenantId, mission: MissionId) {
        waker::wake(&self.shared, tenant, mission);
    }

    pub fn store(&self) -> &S {
        &self.shared.store
    }

    /// Whether what missions do can be written. Missions that cannot be written wait, and continue by themselves.
    pub fn health(&self) -> Health {
        self.shared.store.health()
    }

    /// One tenant's journals, in the clear.
    pub fn journal(&self, tenant: &TenantId) -> TenantJournal<S::Tenant> {
        self.shared.vault.tenant(&self.shared.store, tenant)
    }

    /// One tenant's documents. What was read of their indexes is shared by all who search.
    pub fn knowledge(&self, tenant: &TenantId) -> KnowledgeBase<'_, S::Tenant> {
        KnowledgeBase::new(self.journal(tenant), &self.shared.shelf)
    }

    pub(crate) fn signing_key(&self) -> Option<&SigningKey> {
        self.shared.signer.as_ref().map(Signer::key)
    }

    pub fn clock(&self) -> Clock {
        self.shared.clock
    }

    /// Missions in memory right now.
    pub fn active(&self) -> usize {
        self.shared.registry.count()
    }

    /// Opens a mission. When this returns, the mission is durable. Opening the same id twice opens one.
    pub async fn open(
        &self,
        by: Actor,
        command: CommandId,
        start: Start,
    ) -> Result<MissionId, HostError> {
        Box::pin(self.open_under(by, command, start, &[])).await
    }

    /// The same under further rules: those of the mission that it is part of.
    pub(crate) async fn open_under(
        &self,
        by: Actor,
        command: CommandId,
        mut start: Start,
        above: &[Arc<RuleSet>],
    ) -> Result<MissionId, HostError> {
        if self.shared.is_draining() {
            return Err(HostError::Draining);
        }
        let (mission, tenant) = (start.mission, start.scope.tenant.clone());
        let journal = self.journal(&tenant);
        let _opening = self.shared.opening.one(mission).await;
        if journal.store().row(mission).await?.is_some() {
            return Ok(mission);
        }
        self.may_open(&tenant).await?;
        self.check_tools(&tenant, &by, &start.plan)?;
        for kind in &self.shared.four_eyes {
            if !start.plan.four_eyes.contains(kind) {
                start.plan.four_eyes.push(*kind);
            }
        }
        if let Some(least) = self.shared.autonomy {
            start.plan.autonomy = start.plan.autonomy.min(least);
        }
        adjutant_supervision::declare(&mut start.plan, &self.shared.supervisors)?;
        self.shared.rules.start(&mut start, &by, above)?;
        let (title, subjects) = (&start.plan.title, &start.scope.subjects);
        let cursor = journal.begin(mission, title, subjects).await?;
        let driver = Driver::open(self.shared.clock.now(), &by, command, start)?;
        self.begin(tenant, driver, cursor, Vec::new()).await
    }

    /// Whether the tenant may have one more mission.
    pub(crate) async fn may_open(&self, tenant: &TenantId) -> Result<(), HostError> {
        self.check_quota(tenant).await?;
        self.shared.stops.ready(&self.shared).await?;
        match self.shared.stops.of_tenant(tenant) {
            Some(stopped) => Err(HostError::OpeningStopped { stopped }),
            None => Ok(()),
        }
    }

    /// Runs a mission that is not in the store yet; comes back when it is.
    pub(crate) async fn begin(
        &self,
        tenant: TenantId,
        driver: Driver,
        cursor: JournalCursor,
        blobs: Vec<Blob>,
    ) -> Result<MissionId, HostError> {
        let mission = driver.mission().id();
        let inbox = self.shared.registry.enter(mission)?;
        let (opened, durable) = oneshot::channel();
        let origin = Origin::Opened {
            driver: Box::new(driver),
            cursor: Box::new(cursor),
            blobs,
            opened,
        };
        self.spawn(tenant, mission, inbox, origin);
        durable.await.map_err(|_| HostError::Draining)??;
        Ok(mission)
    }

    /// A tenant whose store is full opens no more missions. Those it has go on, whatever they still write.
    pub async fn check_quota(&self, tenant: &TenantId) -> Result<(), HostError> {
        let Some(quota) = self.shared.quotas.of(tenant) else {
            return Ok(());
        };
        let used = self.shared.store.tenant(tenant).usage().await?;
        if used < quota {
            return Ok(());
        }
        Err(HostError::QuotaReached {
            tenant: tenant.clone(),
            used,
            quota,
        })
    }

    /// Carries out a command. When this returns well, its events are durable.
    pub async fn command(
        &self,
        tenant: &TenantId,
        mission: MissionId,
        id: CommandId,
        by: Actor,
        mut command: Command,
    ) -> Result<(), HostError> {
        if self.shared.is_draining() {
            return Err(HostError::Draining);
        }
        self.check_change(tenant, &by, &mut command)?;
        let (reply, answer) = oneshot::channel();
        let message = Message::Command {
            id,
            by,
            command: Box::new(command),
            reply,
        };
        if let Sent::Entered(inbox) = self.shared.registry.send(mission, message)? {
            self.spawn(tenant.clone(), mission, inbox, Origin::Stored);
        }
        answer.await.map_err(|_| HostError::Draining)?
    }

    pub(crate) fn shared(&self) -> &Shared<S> {
        &self.shared
    }

    pub(crate) fn spawn(
        &self,
        tenant: TenantId,
        mission: MissionId,
        inbox: tokio::sync::mpsc::Receiver<Message>,
        origin: Origin,
    ) {
        Runner::spawn(Arc::clone(&self.shared), tenant, mission, inbox, origin);
    }

    /// What is committed from here on.
    pub fn subscribe(&self) -> broadcast::Receiver<Committed> {
        self.shared.feed.subscribe()
    }

    /// Comes back when another host has taken the store over. Nothing more can be saved.
    pub async fn taken_over(&self) {
        self.shared.store.taken_over().await;
    }

    async fn stop_telling(&self) {
        if let Some(notifier) = &self.shared.notifier {
            notifier.stop().await;
        }
    }

    /// Stops cleanly: starts nothing more, waits for what runs, but not for ever. What is cut off is taken
    /// up by the next host.
    pub async fn drain(&self) {
        self.shared.draining.store(true, Ordering::Release);
        self.shared.registry.drain_all();
        self.shared.look_earlier.notify_one();
        self.shared.triggers.changed();
        let all_left = async {
            loop {
                let left = self.shared.left.notified();
                if self.shared.registry.count() == 0 {
                    break;
                }
                left.await;
            }
        };
        // Out of time: what still runs is dropped, and recovery deals with it.
        let all_done = futures::future::join(all_left, self.stop_telling());
        let _ = tokio::time::timeout(self.drain, all_done).await;
        // What cannot be signed now is signed on demand.
        let _ = signer::sign_moved(&self.shared).await;
    }
}
