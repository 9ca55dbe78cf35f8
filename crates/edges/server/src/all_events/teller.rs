//! Reads the events of all missions in the store's order, page by page, each with what it tells.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use adjutant_app::event_contents::EventReader;
use adjutant_app::outgoing::{Outgoing, OutgoingPolicy, outgoing_of, redact_fields};
use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{Mission, MissionId, Recorded};
use adjutant_session_events::SessionEvent;
use adjutant_store::{Placed, TenantStore};

use crate::mission_events::PAGE_EVENTS;

/// Missions that are held folded, so that the next event of each need not fold it anew.
const FOLDED_MAX: usize = 256;

/// An event at its place in the order, and what it tells.
pub(crate) struct Happened {
    pub(crate) position: u64,
    pub(crate) mission: MissionId,
    pub(crate) recorded: Recorded,
    pub(crate) told: Vec<SessionEvent>,
}

/// A mission as far as it was told.
struct Folded {
    mission: Option<Mission>,
    reader: EventReader,
    outgoing: Outgoing,
}

impl Folded {
    fn new(outgoing: Outgoing) -> Self {
        Self {
            mission: None,
            reader: EventReader::default(),
            outgoing,
        }
    }

    fn next_seq(&self) -> u64 {
        self.mission.as_ref().map_or(0, |of| of.seq() + 1)
    }

    /// What one event tells; none if the journal does not fold, which whoever reads it is told.
    async fn take<T: TenantStore>(
        &mut self,
        journal: &TenantJournal<T>,
        recorded: &Recorded,
    ) -> Result<Option<Vec<SessionEvent>>, JournalError> {
        let mission = match self.mission.take() {
            None => Mission::begin(recorded),
            Some(mut mission) => mission.apply(recorded).map(|()| mission),
        };
        let Ok(mission) = mission else {
            return Ok(None);
        };
        let mut told = self.reader.take(journal, &mission, recorded).await?;
        for event in &mut told {
            redact_fields(&mut self.outgoing, &mut event.data);
        }
        self.mission = Some(mission);
        Ok(Some(told))
    }
}

pub(crate) struct Teller<T: TenantStore> {
    journal: TenantJournal<T>,
    policy: OutgoingPolicy,
    position: u64,
    folded: HashMap<MissionId, Folded>,
}

impl<T: TenantStore> Teller<T> {
    pub(crate) fn new(journal: TenantJournal<T>, policy: OutgoingPolicy, after: u64) -> Self {
        Self {
            journal,
            policy,
            position: after,
            folded: HashMap::new(),
        }
    }

    /// Up to where it has told.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// The next events, in order. They are told whole or, where the store does not answer, not at all.
    pub(crate) async fn page(&mut self) -> Result<Vec<Happened>, JournalError> {
        let page = self
            .journal
            .store()
            .order(self.position, PAGE_EVENTS)
            .await?;
        let Some(last) = page.last() else {
            return Ok(Vec::new());
        };
        let mut all: BTreeMap<u64, Happened> = BTreeMap::new();
        for (mission, placed) in by_mission(&page) {
            match self.tell(mission, &placed).await {
                Ok(of_mission) => all.extend(of_mission.into_iter().map(|of| (of.position, of))),
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
        Ok(all.into_values().collect())
    }

    /// What these events of one mission tell.
    async fn tell(
        &mut self,
        mission: MissionId,
        placed: &[Placed],
    ) -> Result<Vec<Happened>, JournalError> {
        let positions: HashMap<u64, u64> = placed.iter().map(|at| (at.seq, at.position)).collect();
        let last = placed.last().map_or(0, |at| at.seq);
        let folded = match self.folded.entry(mission) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                let outgoing = outgoing_of(&self.journal, mission, self.policy).await?;
                free.insert(Folded::new(outgoing))
            }
        };
        let mut all = Vec::new();
        while folded.next_seq() <= last {
            let from = folded.next_seq();
            let page = self.journal.events(mission, from, PAGE_EVENTS).await?;
            if page.is_empty() {
                break;
            }
            for recorded in page.into_iter().take_while(|recorded| recorded.seq <= last) {
                let Some(told) = folded.take(&self.journal, &recorded).await? else {
                    return Ok(all);
                };
                all.extend(positions.get(&recorded.seq).map(|position| Happened {
                    position: *position,
                    mission,
                    recorded,
                    told,
                }));
            }
        }
        Ok(all)
    }

    /// Forgets missions that have ended, and all if there are too many.
    fn let_go(&mut self) {
        let goes_on = |folded: &Folded| {
            let mission = folded.mission.as_ref();
            mission.is_some_and(|of| of.ending().is_none())
        };
        self.folded.retain(|_, folded| goes_on(folded));
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
