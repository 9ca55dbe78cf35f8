//! Information that cancels triggers. What is committed while the host runs comes by the feed; what was committed
//! before, or while the feed ran ahead, is looked up in the journals, so that no cancellation is lost in a crash.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{
    Event, Millis, MissionId, Recorded, TenantId, Timestamp, TriggerEnd, TriggerRecord,
    TriggerTarget,
};
use adjutant_store::{ListOrder, ListQuery, Store, TenantStore};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::TryRecvError;

use super::Key;
use crate::{Committed, Host, HostError};

/// Clocks go back a little now and then.
const CLOCK_SLACK: Millis = Millis::seconds(300);
/// Missions listed at a time.
const PAGE: u32 = 1_000;
const INFORMED: &str = "informed/1";

/// What a host knows of information, while there are triggers that it can cancel.
#[derive(Debug, Default)]
pub(super) struct Watch {
    feed: Option<broadcast::Receiver<Committed>>,
    /// What the feed had when it was last waited for.
    heard: Vec<Committed>,
    /// Triggers for which the journals were looked through since the feed began.
    looked: BTreeSet<Key>,
}

/// One piece of information, and the mission it was given to.
struct Heard<'a> {
    tenant: &'a TenantId,
    mission: MissionId,
    recorded: &'a Recorded,
}

impl Watch {
    /// Waits until something was committed that may matter.
    pub(super) async fn stirred(&mut self) {
        loop {
            let Some(feed) = &mut self.feed else {
                return std::future::pending().await;
            };
            match feed.recv().await {
                Ok(committed) if informs(&committed) => {
                    self.heard.push(committed);
                    return;
                }
                Ok(_) => {}
                Err(_) => {
                    self.looked.clear();
                    return;
                }
            }
        }
    }

    /// Cancels every trigger that something committed so far cancels.
    pub(super) async fn look<S: Store>(&mut self, host: &Host<S>) -> Result<(), HostError> {
        let watching = watching(host).await;
        if watching.is_empty() {
            *self = Self::default();
            return Ok(());
        }
        if self.feed.is_none() {
            self.feed = Some(host.subscribe());
        }
        self.drain();
        let looked = self.look_at_all(host, &watching).await;
        if looked.is_err() {
            // What was heard is in the journals.
            self.looked.clear();
        }
        looked
    }

    fn drain(&mut self) {
        let Some(feed) = &mut self.feed else { return };
        loop {
            match feed.try_recv() {
                Ok(committed) if informs(&committed) => self.heard.push(committed),
                Ok(_) => {}
                Err(TryRecvError::Lagged(_)) => self.looked.clear(),
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }

    async fn look_at_all<S: Store>(
        &mut self,
        host: &Host<S>,
        watching: &BTreeMap<Key, TriggerRecord>,
    ) -> Result<(), HostError> {
        for committed in std::mem::take(&mut self.heard) {
            for recorded in committed.events.iter() {
                let heard = Heard {
                    tenant: &committed.tenant,
                    mission: committed.mission,
                    recorded,
                };
                hear(host, watching, &heard).await?;
            }
        }
        let new = watching
            .iter()
            .filter(|(key, _)| !self.looked.contains(key));
        let new: BTreeMap<Key, TriggerRecord> = new
            .map(|(key, record)| (key.clone(), record.clone()))
            .collect();
        let tenants: BTreeSet<&TenantId> = new.keys().map(|(tenant, _)| tenant).collect();
        for tenant in tenants {
            let of_tenant = new.iter().filter(|((of, _), _)| of == tenant);
            let of_tenant: BTreeMap<Key, TriggerRecord> = of_tenant
                .map(|(key, record)| (key.clone(), record.clone()))
                .collect();
            let began = host.clock().now();
            look_up(host, tenant, &of_tenant).await?;
            for key in of_tenant.into_keys() {
                note_looked(host, &key, began).await?;
                self.looked.insert(key);
            }
        }
        Ok(())
    }
}

fn informs(committed: &Committed) -> bool {
    let mut events = committed.events.iter();
    events.any(|recorded| matches!(recorded.event, Event::Informed { .. }))
}

async fn watching<S: Store>(host: &Host<S>) -> BTreeMap<Key, TriggerRecord> {
    let book = host.shared().triggers.book.lock().await;
    let watching = book
        .working()
        .filter(|(_, record)| record.trigger.cancel_on.is_some());
    watching
        .map(|(key, record)| (key.clone(), record.clone()))
        .collect()
}

fn cancels(key: &Key, record: &TriggerRecord, heard: &Heard<'_>) -> Option<TriggerEnd> {
    let of_tenant = key.0 == *heard.tenant;
    let cancelled = || record.cancelled_by(key.1, heard.mission, heard.recorded);
    of_tenant.then(cancelled).flatten()
}

async fn hear<S: Store>(
    host: &Host<S>,
    watching: &BTreeMap<Key, TriggerRecord>,
    heard: &Heard<'_>,
) -> Result<(), HostError> {
    for (key, record) in watching {
        let Some(why) = cancels(key, record, heard) else {
            continue;
        };
        let mut book = host.shared().triggers.book.lock().await;
        if let Some(mut record) = book.get(key).cloned() {
            record.state.end(host.clock().now(), why);
            book.keep(host, key.clone(), record).await?;
        }
    }
    Ok(())
}

/// Looks through what the journals of a tenant say since its triggers were last looked after.
async fn look_up<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
    watching: &BTreeMap<Key, TriggerRecord>,
) -> Result<(), HostError> {
    let journal = host.journal(tenant);
    let since = |record: &TriggerRecord| {
        let at = record.state.looked_until.unwrap_or(record.trigger.made_at);
        Timestamp(at.0.saturating_sub(CLOCK_SLACK.0 as i64))
    };
    let Some(earliest) = watching.values().map(since).min() else {
        return Ok(());
    };
    let mut aimed = BTreeSet::new();
    let mut anywhere = false;
    for record in watching.values() {
        match &record.trigger.target {
            TriggerTarget::InformMission { mission, .. } => {
                aimed.insert(*mission);
            }
            TriggerTarget::StartMission(_) => anywhere = true,
        }
    }
    if anywhere {
        aimed.extend(moved_since(&journal, earliest).await?);
    }
    for mission in aimed {
        for recorded in told_since(&journal, mission, earliest).await? {
            let heard = Heard {
                tenant,
                mission,
                recorded: &recorded,
            };
            hear(host, watching, &heard).await?;
        }
    }
    Ok(())
}

async fn moved_since<T: TenantStore>(
    journal: &TenantJournal<T>,
    since: Timestamp,
) -> Result<Vec<MissionId>, JournalError> {
    let (mut moved, mut before) = (Vec::new(), None);
    loop {
        let query = ListQuery {
            phases: None,
            limit: PAGE,
            order: ListOrder::NewestFirst,
            past: before,
        };
        let page = journal.store().list(query).await?;
        before = page.last().map(|row| row.summary.mission);
        let is_last = page.len() < PAGE as usize;
        let page = page.into_iter().map(|row| row.summary);
        moved.extend(
            page.filter(|summary| summary.updated_at >= since)
                .map(|summary| summary.mission),
        );
        if is_last {
            return Ok(moved);
        }
    }
}

/// What a mission was told since then. A journal that cannot be read tells nothing.
async fn told_since<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
    since: Timestamp,
) -> Result<Vec<Recorded>, JournalError> {
    let labels = match journal.labels(mission).await {
        Ok(labels) => labels,
        Err(error @ JournalError::Store(_)) => return Err(error),
        Err(_) => return Ok(Vec::new()),
    };
    let mut told = Vec::new();
    for (seq, label) in labels {
        if label.name != INFORMED || label.at < since {
            continue;
        }
        match journal.events(mission, seq, 1).await {
            Ok(events) => told.extend(events),
            Err(error @ JournalError::Store(_)) => return Err(error),
            Err(_) => return Ok(told),
        }
    }
    Ok(told)
}

async fn note_looked<S: Store>(
    host: &Host<S>,
    key: &Key,
    until: Timestamp,
) -> Result<(), HostError> {
    let mut book = host.shared().triggers.book.lock().await;
    if let Some(mut record) = book.get(key).cloned() {
        record.state.looked_until = Some(until);
        book.keep(host, key.clone(), record).await?;
    }
    Ok(())
}
