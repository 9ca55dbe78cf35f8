//! Group commit: the appends that wait become one transaction.
//!
//! A batch that does not fit its journal is refused without touching the others of its group; when the
//! transaction fails, the whole group fails and nothing of it is kept.

use std::collections::BTreeMap;
use std::convert::Infallible;

use adjutant_mission::{Account, AccountKey, MissionId, TenantId};
use adjutant_store::{AppendError, Batch, StoreError};

use crate::error::{from_request, said, unreachable};
use crate::heads::{Key, MissionHead};
use crate::in_doubt::{InDoubt, Trace};
use crate::jobs::Append;
use crate::rows::{self, Id};
use crate::session::Params;
use crate::tenure::Tenure;
use crate::transaction::{self, Outcome};
use crate::writer_state::{Stopped, WriterState};
use crate::writes::TenantWrites;

/// Most bytes in one transaction, unless a single batch has more: they are all in memory twice while being sent.
const GROUP_BYTES_MAX: usize = 64 << 20;

const FIND_HEADS: &str = "
    SELECT wanted.mission, m.phase, m.kept, e.seq, e.hash FROM unnest($2::uuid[]) AS wanted (mission)
    CROSS JOIN LATERAL (
        SELECT phase, kept FROM missions WHERE tenant = $1 AND mission = wanted.mission LIMIT 1
    ) AS m
    LEFT JOIN LATERAL (
        SELECT seq, hash FROM events
        WHERE tenant = $1 AND mission = wanted.mission ORDER BY seq DESC LIMIT 1
    ) AS e ON true";
/// An event's hash stands for everything before it.
const HAS_EVENT: &str = "SELECT FROM events
    WHERE tenant = $1 AND mission = $2 AND seq = $3 AND hash = $4";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[FIND_HEADS, HAS_EVENT];

/// How to tell afterwards whether it was written.
fn trace(append: &Append) -> Option<Trace> {
    let last = append.batch.events.last()?;
    Some(Trace {
        tenant: append.tenant.clone(),
        sql: HAS_EVENT,
        params: vec![
            Box::new(append.tenant.as_str().to_owned()),
            Box::new(Id::from(append.batch.mission)),
            Box::new(last.seq.cast_signed()),
            Box::new(last.hash.as_bytes().to_vec()),
        ],
    })
}

impl WriterState {
    /// Writes a group and answers, unless something is to be found out first.
    pub(crate) async fn append(
        &mut self,
        tenure: &mut Tenure,
        group: Vec<Append>,
    ) -> Option<Stopped> {
        if let Err(error) = self.look_up(tenure, &group).await {
            self.forget_all();
            group
                .into_iter()
                .for_each(|append| append.refuse(error.clone()));
            return Stopped::after(&error, tenure);
        }
        let mut writes: BTreeMap<&TenantId, TenantWrites<'_>> = BTreeMap::new();
        let mut verdicts: Vec<Result<(), AppendError>> = Vec::with_capacity(group.len());
        for append in &group {
            verdicts.push(self.judge(append, &mut writes));
        }
        for (tenant, key, balance) in self.book.drain_changed() {
            if let Some(writes) = writes.get_mut(&tenant) {
                writes.accounts.push((key, balance));
            }
        }
        let requests: Vec<_> = writes.values().flat_map(TenantWrites::requests).collect();
        let outcome = match requests.is_empty() {
            true => Outcome::Committed,
            false => transaction::run(&mut tenure.session, tenure.epoch, &requests).await,
        };
        drop(requests);
        drop(writes);
        let judged = group.into_iter().zip(verdicts);
        match outcome {
            Outcome::Committed => {
                for (append, verdict) in judged {
                    match verdict {
                        Ok(()) => append.confirm(&self.committed),
                        Err(error) => append.refuse(error),
                    }
                }
                None
            }
            // Refusals too were judged by heads that are now gone, so everyone gets the cause.
            Outcome::Failed(error) => {
                self.forget_all();
                let error = from_request(&self.place, &error);
                judged.for_each(|(append, _)| append.refuse(error.clone()));
                Stopped::after(&error, tenure)
            }
            Outcome::Unknown(error) => {
                let error = unreachable(&self.place, said(&error));
                let (sent, refused): (Vec<_>, Vec<_>) = judged.partition(|(_, fits)| fits.is_ok());
                refused
                    .into_iter()
                    .for_each(|(append, _)| append.refuse(error.clone()));
                let sent = sent.into_iter().map(|(append, _)| append).collect();
                Some(Stopped::Lost(self.in_doubt(sent)))
            }
        }
    }

    /// Whether a batch fits its journal and its accounts; if so, it is added to what will be written.
    fn judge<'b>(
        &mut self,
        append: &'b Append,
        writes: &mut BTreeMap<&'b TenantId, TenantWrites<'b>>,
    ) -> Result<(), AppendError> {
        let Append { tenant, batch, .. } = append;
        let key = (tenant.clone(), batch.mission);
        let Some(known) = self.heads.get_mut(&key) else {
            return Err(rows::unreadable("a mission was not looked up").into());
        };
        if !known.kept.takes(batch.erases) {
            return Err(AppendError::Settled { kept: known.kept });
        }
        if known.head != batch.expected {
            return Err(AppendError::Conflict {
                expected: batch.expected,
                found: known.head,
            });
        }
        let fresh = |_: &AccountKey| Ok::<_, Infallible>(Account::default());
        let Ok(taken) = self.book.take(tenant, batch, fresh);
        taken.map_err(|refusal| AppendError::CapReached(Box::new(refusal)))?;
        let writes = writes.entry(tenant);
        writes
            .or_insert_with(|| TenantWrites::of(tenant))
            .add(batch, known);
        Ok(())
    }

    fn in_doubt(&self, sent: Vec<Append>) -> Option<InDoubt> {
        let trace = sent.first().and_then(trace)?;
        let committed = self.committed.clone();
        Some(InDoubt {
            trace,
            answer: Box::new(move |found| {
                for append in sent {
                    match &found {
                        Ok(()) => append.confirm(&committed),
                        Err(error) => append.refuse(error.clone()),
                    }
                }
            }),
        })
    }

    /// Reads where those missions of a group stand that are not remembered.
    async fn look_up(&mut self, tenure: &mut Tenure, group: &[Append]) -> Result<(), StoreError> {
        self.look_up_accounts(&mut tenure.session, group).await?;
        let mut unknown: BTreeMap<&TenantId, Vec<MissionId>> = BTreeMap::new();
        for Append { tenant, batch, .. } in group {
            let key: Key = (tenant.clone(), batch.mission);
            if !self.heads.recall(&key) {
                let unwritten = MissionHead::unwritten(&key);
                self.heads.remember(key, unwritten);
                unknown.entry(tenant).or_default().push(batch.mission);
            }
        }
        for (tenant, missions) in unknown {
            let wanted: Vec<Id> = missions.into_iter().map(Id::from).collect();
            let params: Params<'_> = &[&tenant.as_str(), &wanted];
            for row in tenure.session.read(tenant, FIND_HEADS, params).await? {
                let key = (tenant.clone(), rows::mission(&row, 0)?);
                let mut known = MissionHead::unwritten(&key);
                known.phase = Some(rows::phase(&row, 1)?);
                known.kept = rows::kept(&row, 2)?;
                // Of what was pruned no event is left.
                if rows::get::<Option<i64>>(&row, 3)?.is_some() {
                    known.head = rows::head(&row, 3)?;
                }
                self.heads.remember(key, known);
            }
        }
        Ok(())
    }
}

/// Cuts what waits so that no transaction is too large.
pub(crate) fn in_groups(appends: Vec<Append>) -> Vec<Vec<Append>> {
    let mut groups: Vec<Vec<Append>> = Vec::new();
    let mut bytes = 0;
    for append in appends {
        let size = size(&append.batch);
        match groups.last_mut() {
            Some(group) if bytes + size <= GROUP_BYTES_MAX => {
                bytes += size;
                group.push(append);
            }
            _ => {
                bytes = size;
                groups.push(vec![append]);
            }
        }
    }
    groups
}

fn size(batch: &Batch) -> usize {
    let events: usize = batch.events.iter().map(|event| event.bytes.len()).sum();
    let blobs: usize = batch.blobs.iter().map(|blob| blob.bytes.len()).sum();
    let snapshot = batch.snapshot.as_ref();
    events + blobs + snapshot.map_or(0, |snapshot| snapshot.passport.0.len())
}
