//! The supervisors of a mission at work. What they want is decided elsewhere; here they see what was saved, and their commands
//! are given to the mission.
//!
//! **Invariant:** A command is decided and given without anything in between: all that the mission did is saved and seen, and nobody
//! else can give it a command meanwhile. So it never meets a state that it was not meant for.

use std::sync::Arc;

use adjutant_journal::TenantJournal;
use adjutant_mission::{
    Actor, Command, CorruptJournal, Driver, Event, Input, Mission, MissionId, Phase, PlanPatch,
    Recorded, Refused, TenantId, Timestamp,
};
use adjutant_store::{ListOrder, ListQuery, Store, TenantStore};
use adjutant_supervision::{Intent, RecordError, Requirement, Supervision, declared};
use futures::future::BoxFuture;

use crate::shared::Shared;
use crate::{Host, HostError, waker};

/// Events read at a time.
const PAGE_EVENTS: u32 = 1_000;
/// Missions listed at a time.
const PAGE_MISSIONS: u32 = 1_000;

/// Finds out how a plan is to change so that it serves a requirement.
pub trait Replanner: std::fmt::Debug + Send + Sync {
    /// What the plan of a mission is changed into for a requirement, or why there is nothing to change it into. `by` is the person
    /// in whose name it is changed.
    fn patch<'a>(
        &'a self,
        mission: &'a Mission,
        by: &'a Actor,
        requirement: &'a Requirement,
    ) -> BoxFuture<'a, Result<PlanPatch, String>>;
}

/// Those who watch one mission.
#[derive(Debug, Default)]
pub(crate) enum Supervisors {
    /// The mission is not saved yet, so nobody has seen anything of it.
    #[default]
    SeenNothing,
    Nobody,
    Watch(Box<Supervision>),
}

impl Supervisors {
    /// Of a mission that was read from the store: they see its events from the first one on.
    pub(crate) async fn of_stored<T: TenantStore>(
        journal: &TenantJournal<T>,
        folded: &Mission,
    ) -> Result<Self, HostError> {
        if declared(&folded.opened().plan)?.is_none() || folded.ending().is_some() {
            return Ok(Self::Nobody);
        }
        let mission = folded.id();
        let mut supervisors = Self::SeenNothing;
        let mut seen = 0;
        loop {
            let events = journal.events(mission, seen + 1, PAGE_EVENTS).await?;
            supervisors.saved(&events)?;
            seen += events.len() as u64;
            if events.len() < PAGE_EVENTS as usize {
                break;
            }
        }
        match &supervisors {
            Self::Watch(supervision) if supervision.seen() == folded.seq() => Ok(supervisors),
            _ => {
                let why = format!("{seen} of its {} events can be read", folded.seq());
                Err(RecordError::Unreadable(why).into())
            }
        }
    }

    /// They see what is durable now.
    pub(crate) fn saved(&mut self, events: &[Recorded]) -> Result<(), HostError> {
        let mut events = events.iter();
        if let Self::SeenNothing = self
            && let Some(first) = events.next()
        {
            *self = match Supervision::begin(first)? {
                Some(supervision) => Self::Watch(Box::new(supervision)),
                None => Self::Nobody,
            };
        }
        if let Self::Watch(supervision) = self {
            for recorded in events {
                supervision
                    .apply(recorded)
                    .map_err(|fault| fault_of(&fault))?;
            }
        }
        Ok(())
    }

    /// When they look again even if nothing happens.
    pub(crate) fn look_at(&self) -> Option<Timestamp> {
        match self {
            Self::Watch(supervision) => supervision.look_at(),
            Self::SeenNothing | Self::Nobody => None,
        }
    }

    /// Gives the mission the command that comes next, if there is one. What the mission refuses is wanted again after its next
    /// event, unless the reason is gone by then.
    pub(crate) async fn steer<S: Store>(
        &mut self,
        host: &Host<S>,
        driver: &mut Driver,
        now: Timestamp,
    ) {
        let Self::Watch(supervision) = self else {
            return;
        };
        if supervision.look_at().is_some_and(|at| at <= now) {
            supervision.look(now);
        }
        while driver.unsaved().is_empty() && supervision.seen() == driver.mission().seq() {
            let Some(intent) = supervision.next() else {
                return;
            };
            let changes_plan = intent.requirement.is_some();
            let command = match command(host, driver.mission(), &intent).await {
                Ok(command) => command,
                Err(why) => {
                    supervision.cannot(intent.id, why);
                    continue;
                }
            };
            let input = Input::Command {
                id: intent.id,
                by: intent.by,
                command,
            };
            match driver.input(now, &input) {
                Ok(()) => {}
                Err(refused) if changes_plan => supervision.cannot(intent.id, refused.to_string()),
                Err(_) => supervision.refused(intent.id),
            }
            if driver.fault().is_some() {
                return;
            }
        }
    }
}

/// The command that an intent is, with its patch if it changes the plan; or why there is none.
async fn command<S: Store>(
    host: &Host<S>,
    mission: &Mission,
    intent: &Intent,
) -> Result<Command, String> {
    let mut command = intent.command.clone();
    let tenant = &mission.scope().tenant;
    if let (Some(requirement), Command::Replan { patch, .. }) = (&intent.requirement, &mut command)
    {
        let Some(replanner) = &host.shared().replanner else {
            return Err("this host cannot find tasks for a requirement".to_owned());
        };
        **patch = replanner.patch(mission, &intent.by, requirement).await?;
    }
    let checked = host.check_change(tenant, &intent.by, &mut command);
    checked.map_err(|refused| refused.to_string())?;
    Ok(command)
}

fn fault_of(fault: &CorruptJournal) -> HostError {
    Refused::MachineFault {
        why: fault.to_string(),
    }
    .into()
}

/// Takes up the unfinished missions that have supervisors: a host that was killed may have saved what gives occasion for a
/// command and not the command, and some look again by themselves. What cannot be read here is taken up when its time comes.
pub(crate) async fn take_up<S: Store>(shared: Arc<Shared<S>>) {
    let Ok(tenants) = shared.store.tenants().await else {
        return;
    };
    for tenant in tenants {
        let mut past = None;
        loop {
            let query = ListQuery {
                phases: Some(unfinished()),
                limit: PAGE_MISSIONS,
                order: ListOrder::NewestFirst,
                past,
            };
            let journal = shared.vault.tenant(&shared.store, &tenant);
            let Ok(page) = journal.store().list(query).await else {
                break;
            };
            past = page.last().map(|row| row.summary.mission);
            for row in &page {
                wake_watched(&shared, &journal, &tenant, row.summary.mission).await;
            }
            if page.len() < PAGE_MISSIONS as usize {
                break;
            }
        }
    }
}

fn unfinished() -> Vec<Phase> {
    let phases = Phase::ALL.into_iter();
    phases.filter(|phase| !phase.is_ended()).collect()
}

async fn wake_watched<S: Store>(
    shared: &Arc<Shared<S>>,
    journal: &TenantJournal<S::Tenant>,
    tenant: &TenantId,
    mission: MissionId,
) {
    if shared.is_draining() || !shared.registry.is_absent(mission) {
        return;
    }
    let Ok(events) = journal.events(mission, 1, 1).await else {
        return;
    };
    let opening = events.first().map(|first| &first.event);
    let watched = match opening {
        Some(Event::MissionOpened(opened)) => !matches!(declared(&opened.plan), Ok(None)),
        _ => false,
    };
    if watched {
        waker::wake(shared, tenant, mission);
    }
}
