//! The host's lease: how long it may act without having heard of the server, and when another may take the store
//! from it.
//!
//! The host renews it on a connection of its own. The one that stands by sees that the count no longer changes, by its
//! own clock.
//!
//! **Invariant:** A host that lost the store renews no lease, and its successor begins a lease of its own in the same
//! transaction that takes the store.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use adjutant_mission::{FormerHost, Lease, LeaseTerm, Millis};
use adjutant_store::StoreError;
use tokio::task::JoinHandle;
use tokio_postgres::{Client, Error};

use crate::Settings;
use crate::error::from_request;
use crate::session::{Purpose, Session};

const RENEW_EVERY: Duration = Duration::from_secs(1);
/// How long a renewal may take before another connection is tried.
const RENEW_WITHIN: Duration = Duration::from_secs(2);
/// After how long without a renewal a host counts as hung. Longer than a lease lasts, so that it acts no more by then.
const HUNG_AFTER: Millis = Millis::seconds(8);

/// What this host knows of its own lease.
#[derive(Debug)]
pub(crate) struct Term(Mutex<Known>);

#[derive(Debug)]
struct Known {
    /// The epoch that renews it, another one when a lost connection was replaced. None once it has ended.
    epoch: Option<i64>,
    term: LeaseTerm,
}

impl Term {
    pub(crate) fn begin(epoch: i64, asked_at: Millis, former: FormerHost) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Known {
            epoch: Some(epoch),
            term: LeaseTerm::begin(asked_at, since_boot(), former),
        })))
    }

    pub(crate) fn lease(self: &Arc<Self>) -> Lease {
        let term = Arc::clone(self);
        Lease::new(move || {
            let known = term.lock();
            known.epoch.is_some() && known.term.holds_at(since_boot())
        })
    }

    /// The store is ours again after a lost connection, in a new epoch.
    pub(crate) fn go_on(&self, epoch: i64) {
        self.lock().epoch = Some(epoch);
    }

    /// Nothing is sent from here on.
    pub(crate) fn end(&self) {
        self.lock().epoch = None;
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Renews until it is dropped.
#[derive(Debug)]
pub(crate) struct Renewer(JoinHandle<()>);

impl Renewer {
    pub(crate) fn start(settings: &Settings, term: &Arc<Term>) -> Self {
        Self(tokio::spawn(keep_renewing(
            settings.clone(),
            Arc::clone(term),
        )))
    }
}

impl Drop for Renewer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn keep_renewing(settings: Settings, term: Arc<Term>) {
    let mut session: Option<Session> = None;
    loop {
        tokio::time::sleep(RENEW_EVERY).await;
        // Whatever the trouble is, it may pass; the lease runs out meanwhile, and nothing is sent.
        let renewing = tokio::time::timeout(RENEW_WITHIN, renew(&settings, session.take(), &term));
        session = renewing.await.ok().and_then(Result::ok);
    }
}

async fn renew(
    settings: &Settings,
    session: Option<Session>,
    term: &Term,
) -> Result<Session, StoreError> {
    let session = match session {
        Some(session) => session,
        None => {
            let session = Session::connect(settings, Purpose::Lease).await?;
            session.go_to_work(settings, Purpose::Lease).await?;
            session
        }
    };
    let Some(epoch) = term.lock().epoch else {
        return Ok(session);
    };
    let asked_at = since_boot();
    let sql = "UPDATE lease SET renewals = renewals + 1 WHERE epoch = $1";
    let renewed = session.client().execute(sql, &[&epoch]).await;
    let renewed = renewed.map_err(|error| from_request(&settings.place(), &error))?;
    if renewed == 1 {
        term.lock().term.renewed(asked_at);
    }
    Ok(session)
}

/// Gives the lease to the host of a new epoch. In the transaction that changes the fence: from its end on nobody else
/// can renew it.
pub(crate) async fn hand_over(client: &Client, epoch: i64) -> Result<FormerHost, Error> {
    let sql = "UPDATE lease SET epoch = $1, renewals = lease.renewals + 1, returned = false
               FROM (SELECT returned FROM lease FOR UPDATE) AS former RETURNING former.returned";
    let row = client.query_one(sql, &[&epoch]).await?;
    Ok(match row.try_get(0)? {
        true => FormerHost::Returned,
        false => FormerHost::MayAct,
    })
}

/// Says that nothing more is sent.
pub(crate) async fn give_back(client: &Client, epoch: i64) -> Result<(), Error> {
    let sql = "UPDATE lease SET returned = true WHERE epoch = $1";
    client.execute(sql, &[&epoch]).await.map(drop)
}

/// How one that stands by sees the host live.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    seen: Option<((i64, i64), Millis)>,
}

impl Pulse {
    /// Whether the host is hung: it holds the lock and has not renewed its lease for too long.
    pub(crate) async fn is_hung(
        &mut self,
        session: &Session,
        settings: &Settings,
    ) -> Result<bool, StoreError> {
        let count = look(session.client(), settings).await;
        let count = count.map_err(|error| from_request(&settings.place(), &error))?;
        Ok(self.stands_still(count, since_boot()))
    }

    fn stands_still(&mut self, count: Option<(i64, i64)>, now: Millis) -> bool {
        let Some(count) = count else {
            // A host of an earlier version is creating or has no lease: it is left alone.
            self.seen = None;
            return false;
        };
        match self.seen {
            Some((known, since)) if known == count => now.0.saturating_sub(since.0) >= HUNG_AFTER.0,
            _ => {
                self.seen = Some((count, now));
                false
            }
        }
    }
}

/// None where the store has no such table yet.
async fn look(client: &Client, settings: &Settings) -> Result<Option<(i64, i64)>, Error> {
    let (schema, role) = (&settings.schema, settings.app_role());
    let sql = "SELECT to_regclass($1) IS NOT NULL";
    let table = format!("{schema}.lease");
    if !client
        .query_one(sql, &[&table])
        .await?
        .try_get::<_, bool>(0)?
    {
        return Ok(None);
    }
    client.batch_execute(&format!("SET ROLE {role}")).await?;
    let sql = format!("SELECT epoch, renewals FROM {schema}.lease");
    let found = client.query_opt(&sql, &[]).await;
    client.batch_execute("RESET ROLE").await?;
    let read = |row: tokio_postgres::Row| Ok((row.try_get(0)?, row.try_get(1)?));
    found?.map(read).transpose()
}

/// Goes on while the process stands still, and while the machine sleeps where the system has such a clock.
pub(crate) fn since_boot() -> Millis {
    #[cfg(target_os = "linux")]
    const CLOCK: rustix::time::ClockId = rustix::time::ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    const CLOCK: rustix::time::ClockId = rustix::time::ClockId::Monotonic;
    let now = rustix::time::clock_gettime(CLOCK);
    Millis(now.tv_sec.unsigned_abs() * 1_000 + now.tv_nsec.unsigned_abs() / 1_000_000)
}

#[cfg(test)]
mod tests {
    use adjutant_mission::LEASE_LASTS;

    use super::*;

    #[test]
    fn who_stands_by_waits_longer_than_a_lease_lasts() {
        assert!(HUNG_AFTER.0 > LEASE_LASTS.0 + RENEW_WITHIN.as_millis() as u64);
        let mut pulse = Pulse::default();
        let looks = [
            (Some((1, 1)), 0),
            (Some((1, 1)), 7),
            (Some((1, 2)), 8),
            (Some((1, 2)), 15),
            (Some((1, 2)), 16),
            (None, 40),
            (Some((1, 2)), 50),
            (Some((1, 2)), 57),
            (Some((1, 2)), 58),
        ];
        let hung = looks.map(|(count, now)| pulse.stands_still(count, Millis::seconds(now)));
        let expected = [false, false, false, false, true, false, false, false, true];
        assert_eq!(hung, expected);
    }
}
