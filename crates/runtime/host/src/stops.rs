//! What is stopped: a tenant, one of its tools, a provider of models, or everything. Each stop is a record of a
//! tenant, durable before it is in force; all of them are in memory for every runner to ask.
//!
//! Nothing is decided here about a mission: its runner holds effects back and pauses it (`runner.rs`).
//!
//! **Invariant:** What is stopped is begun by nobody once the stop has returned. A runner holds such effects back and
//! checks again right before it sends one; a host that cannot read what is stopped begins nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Duration;

use adjutant_effects::Performer;
use adjutant_mission::{
    Actor, AgentId, Effect, MissionId, Phase, ProviderId, TenantId, Timestamp, ToolId, Work,
};
use adjutant_store::{ListOrder, ListQuery, RecordKind, Retention, Store, TenantStore};
use serde::{Deserialize, Serialize};
use tokio::sync::{OnceCell, oneshot};

use crate::registry::{Message, Sent, StopStatus};
use crate::runner::Origin;
use crate::shared::Shared;
use crate::{Host, HostError};

/// How long a stop waits to hear how many missions it paused. It holds in any case.
const STOP_STATUS_WAIT: Duration = Duration::from_secs(10);
/// Missions asked at once whether they may go on.
const RECHECKS_AT_ONCE_MAX: usize = 64;
const PAGE_MISSIONS: u32 = 500;

const UNFINISHED: [Phase; 4] = [
    Phase::Planning,
    Phase::Executing,
    Phase::AwaitingHuman,
    Phase::Synthesizing,
];

/// What can be stopped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopScope {
    /// Every mission of the tenant.
    Tenant,
    /// One tool, for the tenant's missions.
    Tool(ToolId),
    /// One provider of models, for the tenant's missions.
    Provider(ProviderId),
    /// Every mission of every tenant.
    All,
}

const TOOL: &str = "tool/";
const PROVIDER: &str = "provider/";

impl StopScope {
    /// The name its record is kept under.
    pub fn name(&self) -> String {
        match self {
            Self::Tenant => "tenant".into(),
            Self::Tool(tool) => format!("{TOOL}{tool}"),
            Self::Provider(provider) => format!("{PROVIDER}{provider}"),
            Self::All => "all".into(),
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        if let Some(tool) = name.strip_prefix(TOOL) {
            return ToolId::new(tool).ok().map(Self::Tool);
        }
        if let Some(provider) = name.strip_prefix(PROVIDER) {
            return ProviderId::new(provider).ok().map(Self::Provider);
        }
        match name {
            "tenant" => Some(Self::Tenant),
            "all" => Some(Self::All),
            _ => None,
        }
    }
}

impl fmt::Display for StopScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tenant => f.write_str("the tenant"),
            Self::Tool(tool) => write!(f, "tool `{tool}`"),
            Self::Provider(provider) => write!(f, "provider `{provider}`"),
            Self::All => f.write_str("everything"),
        }
    }
}

/// What is kept of a stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopNote {
    pub by: Actor,
    pub at: Timestamp,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Who allowed it again. Then it no longer holds, and the record only stays until every mission that was paused
    /// for it has been looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_by: Option<Actor>,
}

/// Why something is not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    pub scope: StopScope,
    pub by: AgentId,
    pub at: Timestamp,
    pub reason: String,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is stopped", self.scope)?;
        if self.reason.is_empty() {
            return write!(f, " by {}", self.by);
        }
        write!(f, " by {}: {}", self.by, self.reason)
    }
}

type InForce = BTreeMap<TenantId, BTreeMap<StopScope, Stopped>>;

#[derive(Debug, Default)]
pub(crate) struct Stops {
    loaded: OnceCell<()>,
    /// One change at a time.
    changing: tokio::sync::Mutex<()>,
    in_force: RwLock<InForce>,
    /// Found allowed, and not yet looked through: a host was killed while it allowed them.
    half_allowed: Mutex<Vec<(TenantId, StopScope, Actor)>>,
}

impl Stops {
    /// Reads what is stopped, before anything is begun. Until that works, nothing is.
    pub(crate) async fn ready<S: Store>(&self, shared: &Shared<S>) -> Result<(), HostError> {
        let load = || async {
            let mut found = InForce::new();
            let mut half_allowed = Vec::new();
            for tenant in shared.store.tenants().await? {
                let journal = shared.vault.tenant(&shared.store, &tenant);
                for (name, note) in journal.records::<StopNote>(RecordKind::Stop).await? {
                    let Some(scope) = StopScope::parse(&name) else {
                        return Err(HostError::StopUnknown { name });
                    };
                    match note.allowed_by {
                        Some(by) => half_allowed.push((tenant.clone(), scope, by)),
                        None => insert(&mut found, &tenant, scope, note),
                    }
                }
            }
            *self.write() = found;
            *self.half_allowed() = half_allowed;
            Ok(())
        };
        self.loaded.get_or_try_init(load).await.map(|_| ())
    }

    fn half_allowed(&self) -> std::sync::MutexGuard<'_, Vec<(TenantId, StopScope, Actor)>> {
        let lock = self.half_allowed.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, InForce> {
        self.in_force.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, InForce> {
        let lock = self.in_force.write();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.read().is_empty()
    }

    fn in_force(&self, tenant: &TenantId, scope: &StopScope) -> Option<Stopped> {
        self.read().get(tenant)?.get(scope).cloned()
    }

    /// What stops every mission of a tenant, if something does.
    pub(crate) fn of_tenant(&self, tenant: &TenantId) -> Option<Stopped> {
        let stops = self.read();
        let everything = stops.values().find_map(|kept| kept.get(&StopScope::All));
        let own = || stops.get(tenant)?.get(&StopScope::Tenant);
        everything.or_else(own).cloned()
    }

    /// What stops this effect of a tenant's mission, if something does.
    pub(crate) fn of(
        &self,
        tenant: &TenantId,
        effect: &Effect,
        performer: &Performer,
    ) -> Option<Stopped> {
        if self.is_empty() {
            return None;
        }
        self.of_tenant(tenant).or_else(|| match &effect.work {
            Work::CallTool(call) => self.in_force(tenant, &StopScope::Tool(call.tool.clone())),
            Work::AskModel(agent) => {
                // As long as one of them may be asked, the others are left out.
                let providers = performer.providers(agent).into_iter();
                let stops = providers.map(|of| self.in_force(tenant, &StopScope::Provider(of)));
                stops.collect::<Option<Vec<_>>>()?.into_iter().next()
            }
            Work::EvaluateGate(_) | Work::RunMission { .. } => None,
        })
    }

    /// The providers that a tenant's missions may not ask.
    pub(crate) fn providers(&self, tenant: &TenantId) -> Vec<ProviderId> {
        let stops = self.read();
        let own = stops.get(tenant).into_iter().flat_map(|kept| kept.keys());
        own.filter_map(|scope| match scope {
            StopScope::Provider(provider) => Some(provider.clone()),
            _ => None,
        })
        .collect()
    }
}

fn insert(stops: &mut InForce, tenant: &TenantId, scope: StopScope, note: StopNote) {
    let stopped = Stopped {
        scope: scope.clone(),
        by: note.by.id,
        at: note.at,
        reason: note.reason,
    };
    let kept = stops.entry(tenant.clone()).or_default();
    kept.insert(scope, stopped);
}

fn forget(stops: &mut InForce, keeper: &TenantId, scope: &StopScope) {
    if let Some(kept) = stops.get_mut(keeper) {
        kept.remove(scope);
        if kept.is_empty() {
            stops.remove(keeper);
        }
    }
}

impl<S: Store> Host<S> {
    /// Stops something. When this returns well, that is durable and nothing of it is begun any more; what had begun
    /// runs on. Says how many missions in memory were paused for it; others are when they come up. What is stopped
    /// already stays as whoever stopped it first said.
    pub async fn stop(
        &self,
        tenant: &TenantId,
        scope: StopScope,
        by: Actor,
        reason: String,
    ) -> Result<usize, HostError> {
        let shared = self.shared();
        shared.stops.ready(shared).await?;
        let _changing = shared.stops.changing.lock().await;
        if let Some(stopped) = shared.stops.in_force(tenant, &scope) {
            return Err(HostError::AlreadyStopped { stopped });
        }
        let note = StopNote {
            by,
            at: shared.clock.now(),
            reason,
            allowed_by: None,
        };
        let journal = self.journal(tenant);
        journal
            .put_record(RecordKind::Stop, &scope.name(), &note)
            .await?;
        insert(&mut shared.stops.write(), tenant, scope, note);
        let statuses = shared.registry.missions().into_iter().map(|mission| {
            let (reply, status) = oneshot::channel();
            let allowed_by = None;
            let message = Message::RecheckStops { allowed_by, reply };
            shared.registry.tell(mission, message);
            status
        });
        let statuses: Vec<_> = statuses.collect();
        Ok(count(statuses, StopStatus::Stopped).await)
    }

    /// Allows what was stopped, and resumes every mission that was paused for it and is held by nothing else. Says
    /// how many.
    pub async fn allow(
        &self,
        tenant: &TenantId,
        scope: StopScope,
        by: Actor,
    ) -> Result<usize, HostError> {
        let shared = self.shared();
        shared.stops.ready(shared).await?;
        let _changing = shared.stops.changing.lock().await;
        let keepers = match scope {
            StopScope::All => shared.store.tenants().await?,
            _ => vec![tenant.clone()],
        };
        let mut found = Vec::new();
        for keeper in keepers {
            let journal = self.journal(&keeper);
            let records = journal.records::<StopNote>(RecordKind::Stop).await?;
            let mut records = records.into_iter();
            let Some((name, note)) = records.find(|(name, _)| *name == scope.name()) else {
                continue;
            };
            let allowed = StopNote {
                allowed_by: Some(by.clone()),
                ..note
            };
            let put = journal.put_record(RecordKind::Stop, &name, &allowed);
            put.await?;
            found.push(keeper);
        }
        if found.is_empty() {
            return Err(HostError::NotStopped { scope });
        }
        self.let_go(&found, &scope, &by).await
    }

    /// What these tenants had stopped is so no longer: resumes every mission that it alone held, then drops the
    /// records. If the host is killed on the way, the next one does this again.
    async fn let_go(
        &self,
        keepers: &[TenantId],
        scope: &StopScope,
        by: &Actor,
    ) -> Result<usize, HostError> {
        let shared = self.shared();
        let concerned = match scope {
            StopScope::All => shared.store.tenants().await?,
            _ => keepers.to_vec(),
        };
        let mut paused = Vec::new();
        for tenant in &concerned {
            paused.extend(self.paused(tenant).await?);
        }
        for keeper in keepers {
            forget(&mut shared.stops.write(), keeper, scope);
        }
        self.let_held_go(&by.id);
        let mut resumed = 0;
        for lot in paused.chunks(RECHECKS_AT_ONCE_MAX) {
            let statuses = lot
                .iter()
                .map(|(of, mission)| self.look_again(of, *mission, &by.id));
            resumed += count(statuses.collect(), StopStatus::Runs).await;
        }
        for keeper in keepers {
            let journal = self.journal(keeper);
            journal.drop_record(RecordKind::Stop, &scope.name()).await?;
        }
        shared.look_earlier.notify_one();
        Ok(resumed)
    }

    /// Missions that are not paused and can do nothing but what was stopped, such as undoing.
    fn let_held_go(&self, by: &AgentId) {
        let shared = self.shared();
        // One that is just leaving looks again before it does; so nobody is missed in what follows.
        for mission in shared.registry.missions() {
            let (reply, _) = oneshot::channel();
            let allowed_by = Some(by.clone());
            let message = Message::RecheckStops { allowed_by, reply };
            shared.registry.tell(mission, message);
        }
        let held = shared.registry.let_all_go();
        // A host that carries on finds them due.
        if !shared.carries_on.load(Ordering::Acquire) {
            for (mission, tenant) in held {
                self.take_up(&tenant, mission);
            }
        }
    }

    async fn paused(&self, tenant: &TenantId) -> Result<Vec<(TenantId, MissionId)>, HostError> {
        let (mut paused, mut before) = (Vec::new(), None);
        loop {
            let query = ListQuery {
                phases: Some(UNFINISHED.to_vec()),
                limit: PAGE_MISSIONS,
                order: ListOrder::NewestFirst,
                past: before,
            };
            let page = self.shared().store.tenant(tenant).list(query).await?;
            before = page.last().map(|row| row.summary.mission);
            let is_last = page.len() < PAGE_MISSIONS as usize;
            let rows = page
                .into_iter()
                .filter(|row| row.summary.paused && row.kept == Retention::Working);
            paused.extend(rows.map(|row| (tenant.clone(), row.summary.mission)));
            if is_last {
                return Ok(paused);
            }
        }
    }

    /// Has a mission look whether it may go on, in memory or not.
    fn look_again(
        &self,
        tenant: &TenantId,
        mission: MissionId,
        by: &AgentId,
    ) -> oneshot::Receiver<StopStatus> {
        let (reply, status) = oneshot::channel();
        let allowed_by = Some(by.clone());
        let message = Message::RecheckStops { allowed_by, reply };
        // A mission with a full inbox looks by itself.
        if let Ok(Sent::Entered(inbox)) = self.shared().registry.send(mission, message) {
            self.spawn(tenant.clone(), mission, inbox, Origin::Stored);
        }
        status
    }
}

/// How many of those that were asked stand like this.
async fn count(statuses: Vec<oneshot::Receiver<StopStatus>>, stand: StopStatus) -> usize {
    let heard = futures::future::join_all(statuses);
    // Who has not said anything by now is not counted; the stop, or the leave, holds for it all the same.
    let said = tokio::time::timeout(STOP_STATUS_WAIT, heard).await;
    let said = said.unwrap_or_default().into_iter();
    said.filter(|said| *said == Ok(stand)).count()
}

/// Finishes what a host that was killed had begun to allow.
pub(crate) async fn finish_allowing<S: Store>(host: Host<S>) {
    let shared = host.shared();
    // Without them nothing is begun; whoever asks for a mission tries again.
    if shared.stops.ready(shared).await.is_err() {
        return;
    }
    let half_allowed = std::mem::take(&mut *shared.stops.half_allowed());
    for (tenant, scope, by) in half_allowed {
        let _changing = shared.stops.changing.lock().await;
        if shared.stops.in_force(&tenant, &scope).is_some() {
            continue;
        }
        // Trouble with the store: the record stays for the next host.
        let _ = host.let_go(&[tenant], &scope, &by).await;
    }
}
