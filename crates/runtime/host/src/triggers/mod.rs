//! Triggers: kept as records of their tenant, fired by the host that carries on.
//!
//! A fire is announced in the record, then done, then noted as done. What it does has ids that follow from the
//! trigger and the time it fires for, so that a crash anywhere between repeats it without doing anything twice.
//!
//! **Invariant:** A fire is announced before it is done, and its ids follow from the trigger and the time. So it can
//! be done again after any crash, and a trigger never fires more often than it may.

mod authority;
mod fire;
pub(crate) mod repeats;
mod watch;

use std::collections::BTreeMap;
use std::time::Duration;

use adjutant_journal::JournalError;
use adjutant_mission::{
    Actor, Refused, TenantId, Timestamp, Trigger, TriggerEnd, TriggerId, TriggerRecord,
    TriggerState, TriggerTarget,
};
use adjutant_schedule::{ScheduleError, Timetable, Zone};
use adjutant_store::{RecordKind, Store, TenantStore};
use tokio::sync::{Mutex, Notify};

use crate::{AccessRole, Host, HostError};

/// Most triggers that a tenant may keep, ended ones included.
pub const TRIGGERS_MAX: usize = 10_000;
/// How often triggers are looked at even if none is due: clocks can jump.
const LOOK_AGAIN: Duration = Duration::from_secs(60);
/// After trouble with the store.
const LOOK_AGAIN_AFTER_TROUBLE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TriggerError {
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error("the schedule has no time in the future")]
    NeverFires,
    #[error("trigger {0} does not exist")]
    Unknown(TriggerId),
    #[error("trigger {0} has ended")]
    Ended(TriggerId),
    #[error("the tenant has {TRIGGERS_MAX} triggers, which is the limit")]
    TooMany,
    #[error("the access token it was made with is revoked or has expired")]
    KeyInvalid,
    #[error("the access token it was made with has the role {}, which may not have triggers", .0.name())]
    RoleTooLow(AccessRole),
}

impl TriggerError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Schedule(error) => error.code(),
            Self::NeverFires => "ADJ-7005",
            Self::Unknown(_) => "ADJ-7007",
            Self::Ended(_) => "ADJ-7009",
            Self::TooMany => "ADJ-7010",
            Self::KeyInvalid => "ADJ-6173",
            Self::RoleTooLow(_) => "ADJ-6174",
        }
    }

    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Schedule(error) => error.remedy(),
            Self::NeverFires => {
                "Use a time in the future; `adjutant trigger next` shows when a schedule fires."
            }
            Self::Unknown(_) => "List the triggers with `adjutant trigger list --all`.",
            Self::Ended(_) => "Nothing to do; add a new trigger to continue.",
            Self::KeyInvalid => "Cancel it, and add it again with a valid key.",
            Self::RoleTooLow(_) => "Cancel it; somebody with a sufficient role can add it again.",
            Self::TooMany => "Cancel some; `adjutant prune` removes those that ended long ago.",
        }
    }
}

/// What the schedule of a trigger means. Read anew each time, for the rules of zones change.
fn timetable(trigger: &Trigger) -> Result<Timetable, ScheduleError> {
    Timetable::read(&trigger.schedule, &Zone::named(&trigger.zone)?)
}

/// The rules of its zone may have changed since a trigger was kept, and bring its time nearer.
fn expect_anew(record: &mut TriggerRecord, now: Timestamp) {
    let state = &mut record.state;
    let Ok(times) = timetable(&record.trigger) else {
        return;
    };
    if state.next_at.is_some_and(|at| at > now) {
        let firing = state.firing.as_ref().map(|firing| firing.at);
        let settled = state.last_fired.max(firing).max(Some(now));
        state.next_at = settled
            .and_then(|settled| times.next_after(settled))
            .or(state.next_at);
    }
}

type Key = (TenantId, TriggerId);

#[derive(Debug, Default)]
pub(crate) struct Triggers {
    /// Held while a record is read, changed and kept.
    book: Mutex<Book>,
    changed: Notify,
}

impl Triggers {
    /// There is something new to look at.
    pub(crate) fn changed(&self) {
        self.changed.notify_one();
    }
}

/// The triggers that have not ended, in a host that fires them. Any other host reads the store each time.
#[derive(Debug, Default)]
struct Book(Option<BTreeMap<Key, TriggerRecord>>);

impl Book {
    fn working(&self) -> impl Iterator<Item = (&Key, &TriggerRecord)> {
        self.0.iter().flatten()
    }

    fn get(&self, key: &Key) -> Option<&TriggerRecord> {
        self.0.as_ref()?.get(key)
    }

    async fn load<S: Store>(&mut self, host: &Host<S>) -> Result<(), JournalError> {
        if self.0.is_some() {
            return Ok(());
        }
        let mut working = BTreeMap::new();
        for tenant in host.store().tenants().await? {
            for (id, mut record) in kept(host, &tenant).await? {
                if record.state.ended.is_none() {
                    expect_anew(&mut record, host.clock().now());
                    working.insert((tenant.clone(), id), record);
                }
            }
        }
        self.0 = Some(working);
        Ok(())
    }

    /// Keeps a record durably, then here.
    async fn keep<S: Store>(
        &mut self,
        host: &Host<S>,
        key: Key,
        record: TriggerRecord,
    ) -> Result<(), JournalError> {
        let journal = host.journal(&key.0);
        let name = key.1.to_string();
        journal
            .put_record(RecordKind::Trigger, &name, &record)
            .await?;
        if let Some(working) = &mut self.0 {
            if record.state.ended.is_none() {
                working.insert(key, record);
            } else {
                working.remove(&key);
            }
        }
        Ok(())
    }
}

async fn kept<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
) -> Result<Vec<(TriggerId, TriggerRecord)>, JournalError> {
    let records = host.journal(tenant).records(RecordKind::Trigger).await?;
    let named = records.into_iter().map(|(name, record)| {
        let broken = |_| JournalError::RecordBroken {
            kind: RecordKind::Trigger,
            name: name.clone(),
        };
        Ok((name.parse().map_err(broken)?, record))
    });
    named.collect()
}

impl<S: Store> Host<S> {
    /// Keeps a trigger. When this returns, it is durable. Adding the same id twice adds one.
    pub async fn add_trigger(
        &self,
        tenant: &TenantId,
        id: TriggerId,
        trigger: Trigger,
    ) -> Result<(), HostError> {
        let mut book = self.shared().triggers.book.lock().await;
        let store = self.store().tenant(tenant);
        let names = store.records(RecordKind::Trigger).await?;
        if names.iter().any(|row| row.name == id.to_string()) {
            return Ok(());
        }
        if names.len() >= TRIGGERS_MAX {
            return Err(TriggerError::TooMany.into());
        }
        self.check_target(tenant, &trigger.target).await?;
        authority::check(self, tenant, &trigger).await?;
        let times = timetable(&trigger).map_err(TriggerError::from)?;
        let next_at = times.next_after(self.clock().now());
        let state = TriggerState {
            next_at: Some(next_at.ok_or(TriggerError::NeverFires)?),
            ..TriggerState::default()
        };
        let record = TriggerRecord { trigger, state };
        book.keep(self, (tenant.clone(), id), record).await?;
        self.shared().triggers.changed();
        Ok(())
    }

    /// What would be refused when the trigger fires is better refused now.
    async fn check_target(
        &self,
        tenant: &TenantId,
        target: &TriggerTarget,
    ) -> Result<(), HostError> {
        match target {
            TriggerTarget::StartMission(prepared) => {
                let problems = prepared.plan.problems(&prepared.tools);
                if prepared.scope.tenant != *tenant {
                    return Err(Refused::NotAllowed {
                        actor: tenant.to_string(),
                        why: "the mission would belong to another tenant",
                    }
                    .into());
                }
                if problems.is_empty() {
                    return Ok(());
                }
                Err(Refused::PlanInvalid(problems).into())
            }
            TriggerTarget::InformMission { mission, .. } => {
                let row = self.store().tenant(tenant).row(*mission).await?;
                let row = row.ok_or(JournalError::MissionUnknown(*mission))?;
                let phase = row.summary.phase;
                if phase.is_ended() {
                    let phase = phase.name();
                    return Err(Refused::MissionEnded { phase }.into());
                }
                Ok(())
            }
        }
    }

    /// Cancels a trigger. What it did so far stays.
    pub async fn cancel_trigger(
        &self,
        tenant: &TenantId,
        id: TriggerId,
        by: Actor,
    ) -> Result<(), HostError> {
        let mut book = self.shared().triggers.book.lock().await;
        let mut found = kept(self, tenant).await?.into_iter();
        let found = found.find(|(known, _)| *known == id);
        let (_, mut record) = found.ok_or(TriggerError::Unknown(id))?;
        if record.state.ended.is_some() {
            return Err(TriggerError::Ended(id).into());
        }
        let now = self.clock().now();
        record.state.end(now, TriggerEnd::Cancelled { by });
        book.keep(self, (tenant.clone(), id), record).await?;
        Ok(())
    }

    /// Changes a trigger that has not ended; one that is not there or has ended stays as it is.
    async fn change_trigger(
        &self,
        tenant: &TenantId,
        id: TriggerId,
        change: impl FnOnce(&mut TriggerRecord) -> Result<(), HostError>,
    ) -> Result<(), HostError> {
        let mut book = self.shared().triggers.book.lock().await;
        let mut found = kept(self, tenant).await?.into_iter();
        let found = found.find(|(known, record)| *known == id && record.state.ended.is_none());
        let Some((_, mut record)) = found else {
            return Ok(());
        };
        let before = record.clone();
        change(&mut record)?;
        if record != before {
            book.keep(self, (tenant.clone(), id), record).await?;
        }
        Ok(())
    }

    /// Drops triggers with all that is kept of them.
    pub(crate) async fn drop_triggers(
        &self,
        tenant: &TenantId,
        triggers: &[TriggerId],
    ) -> Result<(), HostError> {
        let mut book = self.shared().triggers.book.lock().await;
        for id in triggers {
            let (journal, name) = (self.journal(tenant), id.to_string());
            journal.drop_record(RecordKind::Trigger, &name).await?;
            if let Some(working) = &mut book.0 {
                working.remove(&(tenant.clone(), *id));
            }
        }
        Ok(())
    }

    /// Drops triggers that ended before then.
    pub(crate) async fn forget_triggers(
        &self,
        tenant: &TenantId,
        before: Timestamp,
    ) -> Result<(), HostError> {
        let _book = self.shared().triggers.book.lock().await;
        for (id, record) in kept(self, tenant).await? {
            if record.state.ended.is_some_and(|(at, _)| at < before) {
                let journal = self.journal(tenant);
                let name = id.to_string();
                journal.drop_record(RecordKind::Trigger, &name).await?;
            }
        }
        Ok(())
    }
}

/// Fires triggers when their time comes, until the host stops.
pub(crate) async fn run<S: Store>(host: Host<S>) {
    let mut watch = watch::Watch::default();
    let mut caught_up = false;
    loop {
        if host.shared().is_draining() {
            return;
        }
        caught_up = caught_up || Box::pin(repeats::catch_up(&host)).await.is_ok();
        let pause = match turn(&host, &mut watch).await {
            Ok(pause) => pause,
            Err(_) => LOOK_AGAIN_AFTER_TROUBLE,
        };
        tokio::select! {
            () = host.shared().triggers.changed.notified() => {}
            () = watch.stirred() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Fires what is due and says how long nothing else will be.
async fn turn<S: Store>(host: &Host<S>, watch: &mut watch::Watch) -> Result<Duration, HostError> {
    host.shared().triggers.book.lock().await.load(host).await?;
    watch.look(host).await?;
    while let Some(key) = next_due(host).await {
        fire::fire(host, &key).await?;
        // Whoever was answered that a mission was told something can rely on it before the next fire.
        watch.look(host).await?;
        if host.shared().is_draining() {
            break;
        }
    }
    let book = host.shared().triggers.book.lock().await;
    let wakes = book
        .working()
        .filter_map(|(_, record)| record.state.wake_at());
    let now = host.clock().now();
    let wait = wakes.min().map(|at| Duration::from_millis(at.since(now).0));
    let wait = wait.unwrap_or(LOOK_AGAIN);
    Ok(wait.clamp(Duration::from_millis(1), LOOK_AGAIN))
}

/// Of the triggers whose time has come, the one that waited longest.
async fn next_due<S: Store>(host: &Host<S>) -> Option<Key> {
    let book = host.shared().triggers.book.lock().await;
    let now = host.clock().now();
    let due = book.working().filter_map(|(key, record)| {
        let at = record.state.wake_at()?;
        (at <= now).then_some((at, key))
    });
    due.min().map(|(_, key)| key.clone())
}
