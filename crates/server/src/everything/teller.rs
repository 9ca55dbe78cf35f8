//! Tells the events of all missions in the store's order, page by page.

use std::collections::{BTreeMap, HashMap};

use adjutant_host::Host;
use adjutant_journal::JournalError;
use adjutant_mission::{Mission, MissionId, Recorded, TenantId};
use adjutant_session_events::{EventType, Projection, SessionEvent};
use adjutant_store::{Placed, Store, TenantStore};
use bytes::Bytes;

use super::Wanted;
use crate::following::{PAGE_EVENTS, Place};

/// Missions that are held folded, so that the next event of each need not fold it anew.
const FOLDED_MAX: usize = 256;

pub(super) struct Told {
    pub(super) at: Place,
    pub(super) bytes: Bytes,
    is_question: bool,
}

impl Told {
    pub(super) fn is_for(&self, wanted: Wanted) -> bool {
        wanted == Wanted::All || self.is_question
    }
}

/// A mission as far as it was told.
#[derive(Default)]
struct Folded {
    mission: Option<Mission>,
    projection: Projection,
}

impl Folded {
    fn next_seq(&self) -> u64 {
        self.mission.as_ref().map_or(0, |of| of.seq() + 1)
    }

    /// What one event tells; none if the journal does not fold, which whoever reads it is told.
    fn take(&mut self, recorded: &Recorded) -> Option<Vec<SessionEvent>> {
        let mission = match self.mission.take() {
            None => Mission::begin(recorded).ok()?,
            Some(mut mission) => {
                mission.apply(recorded).ok()?;
                mission
            }
        };
        let told = self.projection.take(&mission, recorded);
        self.mission = Some(mission);
        Some(told)
    }
}

pub(super) struct Teller<S: Store> {
    host: Host<S>,
    tenant: TenantId,
    position: u64,
    folded: HashMap<MissionId, Folded>,
}

impl<S: Store> Teller<S> {
    pub(super) fn new(host: Host<S>, tenant: TenantId, after: u64) -> Self {
        Self {
            host,
            tenant,
            position: after,
            folded: HashMap::new(),
        }
    }

    /// Up to where it has told.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// What the next events tell, in order. It is told whole or, where the store does not answer, not at all.
    pub(super) async fn page(&mut self) -> Result<Vec<Told>, JournalError> {
        let journal = self.host.journal(&self.tenant);
        let page = journal.store().order(self.position, PAGE_EVENTS).await?;
        let Some(last) = page.last() else {
            return Ok(Vec::new());
        };
        let mut told: BTreeMap<Place, Told> = BTreeMap::new();
        for (mission, placed) in by_mission(&page) {
            match self.tell(mission, &placed).await {
                Ok(of_mission) => told.extend(of_mission.into_iter().map(|told| (told.at, told))),
                Err(JournalError::Store(error)) => {
                    // What was folded beyond the page's beginning would be told by nobody.
                    self.folded.clear();
                    return Err(error.into());
                }
                // Its content is gone, or cannot be read: there is nothing to tell of it.
                Err(_) => {
                    self.folded.remove(&mission);
                }
            }
        }
        self.position = last.position;
        self.let_go();
        Ok(told.into_values().collect())
    }

    /// What these events of one mission tell.
    async fn tell(
        &mut self,
        mission: MissionId,
        placed: &[Placed],
    ) -> Result<Vec<Told>, JournalError> {
        let positions: HashMap<u64, u64> = placed.iter().map(|at| (at.seq, at.position)).collect();
        let last = placed.last().map_or(0, |at| at.seq);
        let journal = self.host.journal(&self.tenant);
        let folded = self.folded.entry(mission).or_default();
        let mut told = Vec::new();
        while folded.next_seq() <= last {
            let from = folded.next_seq();
            let page = journal.events(mission, from, PAGE_EVENTS).await?;
            if page.is_empty() {
                break;
            }
            for recorded in page.iter().take_while(|recorded| recorded.seq <= last) {
                let Some(events) = folded.take(recorded) else {
                    return Ok(told);
                };
                let Some(position) = positions.get(&recorded.seq) else {
                    continue;
                };
                told.extend((0..).zip(&events).map(|(part, event)| {
                    let at = Place {
                        seq: *position,
                        part,
                    };
                    written(at, event)
                }));
            }
        }
        Ok(told)
    }

    /// Forgets missions that have ended, and all if there are too many.
    fn let_go(&mut self) {
        self.folded.retain(|_, folded| {
            folded
                .mission
                .as_ref()
                .is_some_and(|of| of.ending().is_none())
        });
        if self.folded.len() > FOLDED_MAX {
            self.folded.clear();
        }
    }
}

fn by_mission(page: &[Placed]) -> BTreeMap<MissionId, Vec<Placed>> {
    let mut all: BTreeMap<MissionId, Vec<Placed>> = BTreeMap::new();
    for placed in page {
        all.entry(placed.mission).or_default().push(*placed);
    }
    all
}

fn written(at: Place, event: &SessionEvent) -> Told {
    let value = serde_json::to_value(event).unwrap_or_default();
    let (Place { seq, part }, name) = (at, event.event_type.name());
    Told {
        at,
        bytes: format!("id: {seq}.{part}\nevent: {name}\ndata: {value}\n\n").into(),
        is_question: is_question(event.event_type),
    }
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
