//! After the connection that writes was lost: finding out what became of what was sent, and being the host again
//! if nobody else has been it since.

use std::sync::Arc;
use std::time::Duration;

use adjutant_store::StoreError;
use tokio::sync::{mpsc, oneshot};
use tokio_postgres::types::ToSql;

use crate::Settings;
use crate::error::unreachable;
use crate::in_doubt::{InDoubt, Trace};
use crate::jobs::Job;
use crate::lease::Term;
use crate::rows::Id;
use crate::session::Session;
use crate::tenure::{Regained, Tenure};

/// How often a host that stands by asks whether it may take over.
pub(crate) const STAND_BY_EVERY: Duration = Duration::from_millis(500);
/// A host that lost its connection lets one that stands by come first: that one is known to be well.
const REGAIN_AFTER: Duration = Duration::from_secs(2);
const REGAIN_EVERY: Duration = Duration::from_millis(500);

/// How it ended.
pub(crate) enum Recovered {
    Host(Box<Tenure>),
    TakenOver,
    Closing(Option<oneshot::Sender<()>>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Written,
    NotWritten,
}

/// Tries for as long as it takes. What is in doubt waits for the truth; what is asked meanwhile is refused, since
/// it can be asked again later.
pub(crate) async fn recover(
    settings: &Settings,
    holder: Id,
    term: &Arc<Term>,
    in_doubt: Option<InDoubt>,
    waiting: &mut mpsc::Receiver<Job>,
) -> Recovered {
    let place = settings.place();
    let (trace, answer) = in_doubt.map(|doubt| (doubt.trace, doubt.answer)).unzip();
    let mut trying = Box::pin(keep_trying(settings, holder, term, trace));
    let closing = loop {
        tokio::select! {
            (recovered, found) = &mut trying => {
                if let Some(answer) = answer {
                    answer(match found {
                        Found::Written => Ok(()),
                        Found::NotWritten => {
                            let why = "the connection was lost, and nothing was written";
                            Err(unreachable(&place, why.to_owned()))
                        }
                    });
                }
                return recovered;
            }
            job = waiting.recv() => match job {
                Some(Job::Close(answer)) => break Some(answer),
                Some(job) => {
                    job.refuse(&unreachable(&place, "the connection was lost".to_owned()));
                }
                None => break None,
            }
        }
    };
    if let Some(answer) = answer {
        answer(Err(StoreError::Unconfirmed { path: place }));
    }
    Recovered::Closing(closing)
}

async fn keep_trying(
    settings: &Settings,
    holder: Id,
    term: &Arc<Term>,
    trace: Option<Trace>,
) -> (Recovered, Found) {
    let mut pause = REGAIN_AFTER;
    loop {
        tokio::time::sleep(pause).await;
        pause = REGAIN_EVERY;
        // Whatever the trouble is, it may pass; appends are refused until then.
        if let Ok(Some(done)) = attempt(settings, holder, term, trace.as_ref()).await {
            return done;
        }
    }
}

async fn attempt(
    settings: &Settings,
    holder: Id,
    term: &Arc<Term>,
    trace: Option<&Trace>,
) -> Result<Option<(Recovered, Found)>, StoreError> {
    match Tenure::regain(settings, holder, term).await? {
        Regained::Host(mut tenure) => {
            let found = look(&mut tenure.session, trace).await?;
            Ok(Some((Recovered::Host(Box::new(tenure)), found)))
        }
        Regained::TakenOver(mut session) => {
            let found = look(&mut session, trace).await?;
            Ok(Some((Recovered::TakenOver, found)))
        }
        Regained::NotYet => Ok(None),
    }
}

async fn look(session: &mut Session, trace: Option<&Trace>) -> Result<Found, StoreError> {
    let Some(trace) = trace else {
        return Ok(Found::NotWritten);
    };
    let params = trace.params.iter();
    let params: Vec<&(dyn ToSql + Sync)> = params.map(|param| &**param as _).collect();
    let rows = session.read(&trace.tenant, trace.sql, &params).await?;
    Ok(match rows.is_empty() {
        true => Found::NotWritten,
        false => Found::Written,
    })
}
