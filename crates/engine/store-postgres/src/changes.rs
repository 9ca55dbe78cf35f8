//! What is written beside appends, seldom: keys, attestations, pruning, missions put in whole. Each is one
//! transaction between two groups of appends. What it depends on is read before: nobody else writes meanwhile, or
//! else the fence stops us.

use adjutant_mission::{AccountCaps, TenantId};
use adjutant_store::{AttestationRow, RecordRow, Retention, Sealed, StoreError, WrappedKey};

use crate::accounts::{self, DROP_CAPS, HAS_ACCOUNT, HAS_CAPS, SET_CAPS};
use crate::columns::{self, Param};
use crate::error::{from_request, said, unreachable};
use crate::in_doubt::{InDoubt, Trace};
use crate::jobs::{Change, ChangeJob};
use crate::read_kept::{LAST_ATTESTATION, TENANT_KEY};
use crate::records;
use crate::rows::{self, Id};
use crate::session::{Params, Session};
use crate::statements::{
    ADD_ATTESTATIONS, DROP_CONTENT, DROP_EVENTS, PUT_KEYS, REWRAP, SET_TENANT_KEY, SETTLE,
};
use crate::tenure::Tenure;
use crate::transaction::{self, Outcome};
use crate::writer_state::{Stopped, WriterState};
use crate::writes::{Asking, Request, TenantWrites};

const KEPT: &str = "SELECT kept FROM missions WHERE tenant = $1 AND mission = $2";
const HAS_KEY: &str = "SELECT FROM tenants WHERE tenant = $1 AND wrapped = $2";
const HAS_ATTESTATION: &str = "SELECT FROM attestations
    WHERE tenant = $1 AND number = $2 AND mission = $3 AND bytes = $4";
const LACKS_KEY: &str = "SELECT FROM missions WHERE tenant = $1 AND mission = $2 AND kept = $3
    AND NOT EXISTS (SELECT FROM mission_keys WHERE tenant = $1 AND mission = $2)";
const HAS_GIVEN_KEY: &str = "SELECT FROM mission_keys
    WHERE tenant = $1 AND mission = $2 AND wrapped = $3";
const HAS_MISSION: &str = "SELECT FROM missions WHERE tenant = $1 AND mission = $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    KEPT,
    HAS_KEY,
    HAS_ATTESTATION,
    LACKS_KEY,
    HAS_GIVEN_KEY,
    HAS_MISSION,
];

impl WriterState {
    /// Does a change and answers, unless something is to be found out first.
    pub(crate) async fn change(&mut self, tenure: &mut Tenure, job: ChangeJob) -> Option<Stopped> {
        match job.change.fits(&mut tenure.session, &job.tenant).await {
            Ok(true) => {}
            Ok(false) => {
                job.answer(Ok(false));
                return None;
            }
            Err(error) => {
                let stopped = Stopped::after(&error, tenure);
                job.answer(Err(error));
                return stopped;
            }
        }
        if !matches!(
            job.change,
            Change::PutRecord(_) | Change::PutRecords(_) | Change::DropRecord(..)
        ) {
            // It may concern a mission or an account that is remembered.
            self.forget_all();
        }
        let requests = job.change.requests(&job.tenant);
        let outcome = transaction::run(&mut tenure.session, tenure.epoch, &requests).await;
        drop(requests);
        match outcome {
            Outcome::Committed => {
                job.answer(Ok(true));
                None
            }
            Outcome::Failed(error) => {
                let error = from_request(&self.place, &error);
                let stopped = Stopped::after(&error, tenure);
                job.answer(Err(error));
                stopped
            }
            Outcome::Unknown(error) => Some(Stopped::Lost(match job.change.trace(&job.tenant) {
                Some(trace) => Some(InDoubt {
                    trace,
                    answer: Box::new(move |found| job.answer(found.map(|()| true))),
                }),
                None => {
                    job.answer(Err(unreachable(&self.place, said(&error))));
                    None
                }
            })),
        }
    }
}

impl Change {
    /// Whether it continues what is there.
    async fn fits(&self, session: &mut Session, tenant: &TenantId) -> Result<bool, StoreError> {
        match self {
            Self::SetTenantKey { expected, .. } => {
                let params: Params<'_> = &[&tenant.as_str()];
                let found = session.read(tenant, TENANT_KEY, params).await?;
                let key = found
                    .first()
                    .map(|row| rows::get::<Option<Vec<u8>>>(row, 0));
                let key = key.transpose()?.flatten().map(WrappedKey);
                Ok(key == *expected)
            }
            Self::Attest(attestations) => continues(session, tenant, attestations).await,
            Self::Prune(mission, attestation) => {
                let params: Params<'_> = &[&tenant.as_str(), &Id::from(*mission)];
                let found = session.read(tenant, KEPT, params).await?;
                let kept = found.first().map(|row| rows::kept(row, 0)).transpose()?;
                if kept.is_none_or(|kept| kept == Retention::Pruned) {
                    return Ok(false);
                }
                continues(session, tenant, std::slice::from_ref(attestation)).await
            }
            Self::PutIn(whole) => {
                let id = Id::from(whole.row.summary.mission);
                let params: Params<'_> = &[&tenant.as_str(), &id];
                let found = session.read(tenant, HAS_MISSION, params).await?;
                Ok(found.is_empty())
            }
            Self::SetCaps(_) | Self::PutAccounts(_) | Self::PutRecord(_) => Ok(true),
            Self::PutRecords(changes) => {
                let expected = &changes.expected;
                let params: Params<'_> = &[
                    &tenant.as_str(),
                    &expected.kind.name(),
                    &expected.name.as_str(),
                ];
                let found = session.read(tenant, records::ONE, params).await?;
                let content = found.first().map(|row| rows::get(row, 0).map(Sealed));
                Ok(content.transpose()? == expected.content)
            }
            Self::DropRecord(kind, name) => {
                let params: Params<'_> = &[&tenant.as_str(), &kind.name(), &name.as_str()];
                let found = session.read(tenant, records::IS_THERE, params).await?;
                Ok(!found.is_empty())
            }
            Self::GiveKey(mission, _) => {
                let (id, archived) = (Id::from(*mission), Retention::Archived.name());
                let params: Params<'_> = &[&tenant.as_str(), &id, &archived];
                let found = session.read(tenant, LACKS_KEY, params).await?;
                Ok(!found.is_empty())
            }
        }
    }

    /// In the order in which they are to be sent.
    fn requests<'b>(&'b self, tenant: &'b TenantId) -> Vec<Request<'b>> {
        let mut asking = Asking::new(tenant);
        match self {
            Self::SetTenantKey { key, rewrapped, .. } => {
                asking.ask(SET_TENANT_KEY, vec![Box::new(&key.0[..])]);
                let rewrapped: Vec<_> = rewrapped.iter().map(|(id, key)| (*id, key)).collect();
                asking.ask(REWRAP, columns::keys(&rewrapped));
            }
            Self::Attest(attestations) => {
                asking.ask(ADD_ATTESTATIONS, columns::attestations(attestations));
            }
            Self::Prune(mission, attestation) => {
                let attestations = std::slice::from_ref(attestation);
                asking.ask(ADD_ATTESTATIONS, columns::attestations(attestations));
                let kept: Param<'b> = Box::new(Retention::Pruned.name());
                asking.ask(SETTLE, vec![columns::missions(&[*mission]), kept]);
                for sql in DROP_CONTENT.into_iter().chain([DROP_EVENTS]) {
                    asking.ask(sql, vec![columns::missions(&[*mission])]);
                }
            }
            Self::PutIn(whole) => {
                let mut writes = TenantWrites::of(tenant);
                writes.add_whole(whole);
                return writes.requests();
            }
            Self::PutAccounts(put) => asking.ask(accounts::PUT, accounts::columns(put)),
            Self::PutRecord(row) => asking.put_record(row),
            Self::PutRecords(changes) => {
                for row in &changes.put {
                    asking.put_record(row);
                }
                if let Some((kind, name)) = &changes.dropped {
                    asking.drop_record(*kind, name);
                }
            }
            Self::DropRecord(kind, name) => asking.drop_record(*kind, name),
            Self::SetCaps(row) => {
                let owner: Param<'b> = Box::new(row.owner.name());
                let spans: Param<'b> = Box::new(row.window.name());
                if row.caps == AccountCaps::default() {
                    asking.ask(DROP_CAPS, vec![owner, spans]);
                } else {
                    let caps = Box::new(accounts::text(&row.caps));
                    asking.ask(SET_CAPS, vec![owner, spans, caps]);
                }
            }
            Self::GiveKey(mission, key) => {
                asking.ask(PUT_KEYS, columns::keys(&[(*mission, key)]));
            }
        }
        asking.requests
    }

    /// How to tell afterwards whether it was done; `None` if it changes nothing.
    fn trace(&self, tenant: &TenantId) -> Option<Trace> {
        let name = tenant.as_str().to_owned();
        let (sql, params): (_, Vec<Param<'static>>) = match self {
            Self::SetTenantKey { key, .. } => {
                (HAS_KEY, vec![Box::new(name), Box::new(key.0.clone())])
            }
            Self::Attest(attestations) => {
                return attestations.last().map(|row| attested(tenant, row));
            }
            Self::Prune(_, attestation) => return Some(attested(tenant, attestation)),
            Self::PutIn(whole) => {
                let mission = Id::from(whole.row.summary.mission);
                (HAS_MISSION, vec![Box::new(name), Box::new(mission)])
            }
            Self::PutAccounts(put) => {
                let (key, balance) = put.last()?;
                let params: Vec<Param<'static>> = vec![
                    Box::new(name),
                    Box::new(key.owner.name()),
                    Box::new(key.window.name()),
                    Box::new(key.from.0),
                    Box::new(accounts::text(balance)),
                ];
                (HAS_ACCOUNT, params)
            }
            Self::PutRecord(row) => return Some(kept(tenant, row)),
            Self::PutRecords(changes) => return changes.put.last().map(|row| kept(tenant, row)),
            Self::DropRecord(kind, dropped) => {
                let params: Vec<Param<'static>> = vec![
                    Box::new(name),
                    Box::new(kind.name()),
                    Box::new(dropped.clone()),
                ];
                (records::IS_GONE, params)
            }
            Self::SetCaps(row) => {
                let (owner, spans) = (row.owner.name(), row.window.name());
                let caps = accounts::text(&row.caps);
                let params: Vec<Param<'static>> = vec![
                    Box::new(name),
                    Box::new(owner),
                    Box::new(spans),
                    Box::new(caps),
                ];
                (HAS_CAPS, params)
            }
            Self::GiveKey(mission, key) => {
                let mission = Id::from(*mission);
                let key = key.0.clone();
                let params: Vec<Param<'static>> =
                    vec![Box::new(name), Box::new(mission), Box::new(key)];
                (HAS_GIVEN_KEY, params)
            }
        };
        Some(Trace {
            tenant: tenant.clone(),
            sql,
            params,
        })
    }
}

fn kept(tenant: &TenantId, row: &RecordRow) -> Trace {
    Trace {
        tenant: tenant.clone(),
        sql: records::HAS,
        params: vec![
            Box::new(tenant.as_str().to_owned()),
            Box::new(row.kind.name()),
            Box::new(row.name.clone()),
            Box::new(row.content.0.clone()),
        ],
    }
}

fn attested(tenant: &TenantId, row: &AttestationRow) -> Trace {
    Trace {
        tenant: tenant.clone(),
        sql: HAS_ATTESTATION,
        params: vec![
            Box::new(tenant.as_str().to_owned()),
            Box::new(row.number.cast_signed()),
            Box::new(Id::from(row.mission)),
            Box::new(row.bytes.clone()),
        ],
    }
}

/// Whether attestations continue the tenant's without a gap.
async fn continues(
    session: &mut Session,
    tenant: &TenantId,
    attestations: &[AttestationRow],
) -> Result<bool, StoreError> {
    let params: Params<'_> = &[&tenant.as_str()];
    let found = session.read(tenant, LAST_ATTESTATION, params).await?;
    let last = found.first().map(rows::attestation).transpose()?;
    let next = last.map_or(1, |last| last.number + 1);
    let numbers = attestations.iter().map(|row| row.number);
    Ok(numbers.eq((next..).take(attestations.len())))
}
