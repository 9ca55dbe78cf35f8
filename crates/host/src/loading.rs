//! Reading a mission back: from its snapshot and what came after, or from its first event. The chain is
//! checked on the way, so that a torn or altered journal is reported and never built upon.

use adjutant_mission::{Mission, MissionId, PASSPORT_VERSION, Recorded, TenantId};
use adjutant_store::{Chain, ChainHead, StoredEvent, TenantStore};

use crate::HostError;

/// Events read from the store at a time.
const PAGE_EVENTS: u32 = 2_000;

/// A mission and where its journal stands.
#[derive(Debug)]
pub struct Loaded {
    pub mission: Mission,
    pub head: ChainHead,
    /// The sequence of the stored snapshot, zero without one.
    pub snapshot_seq: u64,
}

/// Folds a mission from its snapshot, if there is one of this version, and the events since.
pub async fn load<T: TenantStore>(
    store: &T,
    tenant: &TenantId,
    mission: MissionId,
) -> Result<Loaded, HostError> {
    let snapshot = store
        .snapshot(mission)
        .await?
        .filter(|kept| kept.version == PASSPORT_VERSION);
    // A snapshot only saves time. One that does not read is not trusted, and the journal is folded whole.
    let resumed = snapshot
        .and_then(|kept| Some((Mission::from_passport(&kept.passport).ok()?, kept.head)))
        .filter(|(folded, head)| folded.seq() == head.seq && folded.id() == mission);
    let (mut folded, head) = match resumed {
        Some((folded, head)) => (Some(folded), head),
        None => (None, ChainHead::genesis(tenant, mission)),
    };
    let snapshot_seq = head.seq;
    let mut chain = Chain::after(head);
    each_event(store, mission, &mut chain, |recorded| {
        let outcome = match &mut folded {
            Some(folded) => folded.apply(&recorded),
            None => Mission::begin(&recorded).map(|begun| folded = Some(begun)),
        };
        outcome.map_err(|source| HostError::JournalCorrupt {
            mission,
            source: Box::new(source),
        })
    })
    .await?;
    let head = chain.head();
    folded
        .map(|folded| Loaded {
            mission: folded,
            head,
            snapshot_seq,
        })
        .ok_or(HostError::MissionUnknown(mission))
}

/// Every event of a mission from its first, checked against the chain.
pub async fn read_journal<T: TenantStore>(
    store: &T,
    tenant: &TenantId,
    mission: MissionId,
) -> Result<(Vec<Recorded>, ChainHead), HostError> {
    let mut events = Vec::new();
    let mut chain = Chain::new(tenant, mission);
    each_event(store, mission, &mut chain, |recorded| {
        events.push(recorded);
        Ok(())
    })
    .await?;
    if events.is_empty() {
        return Err(HostError::MissionUnknown(mission));
    }
    Ok((events, chain.head()))
}

async fn each_event<T: TenantStore>(
    store: &T,
    mission: MissionId,
    chain: &mut Chain,
    mut take: impl FnMut(Recorded) -> Result<(), HostError>,
) -> Result<(), HostError> {
    loop {
        let page = store
            .events(mission, chain.head().seq + 1, PAGE_EVENTS)
            .await?;
        let is_last = page.len() < PAGE_EVENTS as usize;
        for stored in &page {
            take(checked(chain, mission, stored)?)?;
        }
        if is_last {
            return Ok(());
        }
    }
}

fn checked(
    chain: &mut Chain,
    mission: MissionId,
    stored: &StoredEvent,
) -> Result<Recorded, HostError> {
    chain
        .feed(stored)
        .map_err(|source| HostError::JournalBroken {
            mission,
            source: Box::new(source),
        })?;
    Recorded::decode(stored.seq, &stored.bytes).map_err(|source| HostError::JournalUnreadable {
        mission,
        source: Box::new(source),
    })
}
