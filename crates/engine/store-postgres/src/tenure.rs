//! Being the host: one at a time, and never again once another one has been it.
//!
//! Two things together. A lock that the server keeps for as long as our connection lasts says who may be the
//! host. A number that goes up whenever the store changes hands, and that every append compares under a lock,
//! makes sure that a former host writes nothing, whatever it believes and however late its words arrive.
//!
//! **Invariant:** One host writes, and a former host writes nothing. Every writing transaction holds a fence and
//! compares the number its host was given; a write on a broken connection is answered only when its fate is known.

use std::sync::Arc;

use adjutant_mission::FormerHost;
use adjutant_store::StoreError;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error};

use crate::Settings;
use crate::error::from_request;
use crate::lease::{self, Term, since_boot};
use crate::migrations::{self, MIGRATIONS};
use crate::roles;
use crate::rows::Id;
use crate::session::{Purpose, Session, host_process};

/// "Adjt": tells our locks from other programs'. The schema tells one store's from another's.
const LOCK_CLASS: i32 = 0x4164_6a74;

/// A connection that holds the host lock. The same one writes: when it is lost, so is the lock, and with the
/// lock goes the right to write.
#[derive(Debug)]
pub(crate) struct Tenure {
    pub(crate) session: Session,
    /// How often the store had changed hands when it came into ours.
    pub(crate) epoch: i64,
    /// Who we are, over all our connections.
    pub(crate) holder: Id,
    pub(crate) term: Arc<Term>,
}

/// How an attempt to be the host again ended.
pub(crate) enum Regained {
    Host(Tenure),
    /// Another host has been it since. The connection is good for reading.
    TakenOver(Session),
    /// Somebody holds the lock: another host that has not begun, or the server on behalf of our lost connection.
    NotYet,
}

/// How an attempt to be the host ended.
pub(crate) enum Begun {
    Host(Tenure),
    /// Another host has the lock. The connection can be tried again on.
    Held(Session),
}

impl Tenure {
    /// Becomes the host unless somebody else is.
    pub(crate) async fn begin(session: Session, settings: &Settings) -> Result<Begun, StoreError> {
        let locked = lock(session.client(), settings).await;
        if !locked.map_err(|error| from_request(&settings.place(), &error))? {
            return Ok(Begun::Held(session));
        }
        Self::with_lock(session, settings).await.map(Begun::Host)
    }

    async fn with_lock(session: Session, settings: &Settings) -> Result<Self, StoreError> {
        migrations::migrate(&session, settings, MIGRATIONS).await?;
        session.go_to_work(settings, Purpose::Host).await?;
        roles::check_guarded(session.client(), settings).await?;
        let change = "UPDATE fence SET epoch = epoch + 1, holder = gen_random_uuid()";
        let asked_at = since_boot();
        let changed = change_hands(session.client(), change).await;
        let changed = changed.map_err(|error| from_request(&settings.place(), &error))?;
        let changed = changed.ok_or_else(|| StoreError::Corrupt {
            what: "the fence row is missing".to_owned(),
        })?;
        Ok(Self {
            session,
            epoch: changed.epoch,
            holder: changed.holder,
            term: Term::begin(changed.epoch, asked_at, changed.former),
        })
    }

    /// After a lost connection: becomes the host again unless another has been it. Nothing that was sent on the
    /// lost one takes effect any more afterwards; what has taken effect can be seen.
    pub(crate) async fn regain(
        settings: &Settings,
        holder: Id,
        term: &Arc<Term>,
    ) -> Result<Regained, StoreError> {
        let failed = |error| from_request(&settings.place(), &error);
        let session = Session::connect(settings, Purpose::Host).await?;
        let locked = lock(session.client(), settings).await.map_err(failed)?;
        session.go_to_work(settings, Purpose::Host).await?;
        if !locked {
            let sql = "SELECT holder FROM fence";
            let found = session.client().query_one(sql, &[]).await;
            let found: Id = found.and_then(|row| row.try_get(0)).map_err(failed)?;
            return Ok(match found == holder {
                true => Regained::NotYet,
                false => Regained::TakenOver(session),
            });
        }
        let change = format!("UPDATE fence SET epoch = epoch + 1 WHERE holder = '{holder}'");
        let changed = change_hands(session.client(), &change).await;
        Ok(match changed.map_err(failed)? {
            Some(Changed { epoch, holder, .. }) => {
                term.go_on(epoch);
                Regained::Host(Self {
                    session,
                    epoch,
                    holder,
                    term: Arc::clone(term),
                })
            }
            None => Regained::TakenOver(session),
        })
    }

    /// Lets go of the lock at once, without waiting for the server to notice that the connection is gone.
    pub(crate) async fn end(self) {
        self.term.end();
        // If these fail the connection is gone, and the lock with it.
        let _ = lease::give_back(self.session.client(), self.epoch).await;
        let _ = self
            .session
            .client()
            .batch_execute("SELECT pg_advisory_unlock_all()")
            .await;
    }
}

/// Among the server's locks `l`, the host's.
const IS_OURS: &str = "l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
     AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND l.classid = $1::int::oid AND l.objid = hashtext($2)::oid";

async fn lock(client: &Client, settings: &Settings) -> Result<bool, Error> {
    let sql = "SELECT pg_try_advisory_lock($1, hashtext($2))";
    let row = client
        .query_one(sql, &[&LOCK_CLASS, &settings.schema])
        .await?;
    row.try_get(0)
}

/// Who holds the lock, as far as the server lets us see.
pub(crate) async fn locked(session: &Session, settings: &Settings) -> StoreError {
    let client = session.client();
    let sql = format!(
        "SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE {IS_OURS} LIMIT 1"
    );
    let found = client
        .query_opt(&sql, &[&LOCK_CLASS, &settings.schema])
        .await;
    let name: Option<String> = found.ok().flatten().and_then(|row| row.try_get(0).ok());
    StoreError::Locked {
        path: settings.place(),
        pid: name.and_then(|name| host_process(&name)),
    }
}

/// Ends the session of a host that is hung, so that the server lets go of the lock it holds.
pub(crate) async fn end_hung(session: &Session, settings: &Settings) -> Result<(), StoreError> {
    let sql = format!("SELECT pg_terminate_backend(l.pid) FROM pg_locks l WHERE {IS_OURS}");
    let ended = session
        .client()
        .query(&sql, &[&LOCK_CLASS, &settings.schema])
        .await;
    match ended {
        Ok(_) => Ok(()),
        Err(error) if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
            Err(StoreError::Refused {
                path: settings.place(),
                why: "its host is hung, and this login may not end the host's session: sign in as the same login, \
                      or grant this one `pg_signal_backend`"
                    .to_owned(),
            })
        }
        Err(error) => Err(from_request(&settings.place(), &error)),
    }
}

/// The store in new hands, or again in the same.
struct Changed {
    epoch: i64,
    holder: Id,
    former: FormerHost,
}

/// Waits for every append that is under way, then does the change: nothing of an older epoch is written later.
async fn change_hands(client: &Client, change: &str) -> Result<Option<Changed>, Error> {
    client
        .batch_execute("BEGIN; LOCK TABLE fence IN EXCLUSIVE MODE")
        .await?;
    let sql = format!("{change} RETURNING epoch, holder");
    let changed = match client.query_opt(&sql, &[]).await? {
        Some(row) => {
            let epoch = row.try_get(0)?;
            Some(Changed {
                epoch,
                holder: row.try_get(1)?,
                former: lease::hand_over(client, epoch).await?,
            })
        }
        None => None,
    };
    client.batch_execute("COMMIT").await?;
    Ok(changed)
}
