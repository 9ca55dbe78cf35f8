//! Who had a hand in a mission, and who may therefore not approve it.

use std::collections::BTreeSet;

use adjutant_journal::TenantJournal;
use adjutant_mission::{ActorKind, AgentId, Event, MissionId};
use adjutant_store::TenantStore;

use crate::error::AppError;

/// Everybody who started a mission, or one above it, forked it or changed its plan, and in whose name that was done.
pub(super) async fn makers<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
) -> Result<BTreeSet<AgentId>, AppError> {
    let (events, _) = journal.read(mission).await?;
    let mut makers = BTreeSet::new();
    for recorded in &events {
        match &recorded.event {
            Event::MissionOpened(opened) => makers.extend(opened.began_by.iter().cloned()),
            Event::MissionForked { .. } | Event::PlanChanged { .. } => {}
            // An answer can change the plan, too; the change is an event of its own.
            _ => continue,
        }
        if let Some(actor) = &recorded.actor {
            makers.insert(actor.id.clone());
            makers.extend(actor.on_behalf_of.clone());
        }
    }
    Ok(makers)
}

/// Whether a program started the mission in somebody's name.
pub(super) async fn began_by_program_of<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
    person: &AgentId,
) -> Result<bool, AppError> {
    let first = journal.events(mission, 1, 1).await?;
    let actor = first.first().and_then(|first| first.actor.as_ref());
    Ok(actor.is_some_and(|actor| {
        actor.kind == ActorKind::Agent && actor.on_behalf_of.as_ref() == Some(person)
    }))
}
