//! After the connection that writes was lost: finding out what became of what was sent, and being the host again
//! if nobody else has been it since.

use std::time::Duration;

use adjutant_store::StoreError;
use tokio::sync::{mpsc, oneshot};

use crate::Settings;
use crate::error::from_request;
use crate::rows::Id;
use crate::session::{Params, Session};
use crate::tenure::{Regained, Tenure};
use crate::writer::{Append, Appends, Job, Writer};

/// How often a host that stands by asks whether it may take over.
pub(crate) const STAND_BY_EVERY: Duration = Duration::from_millis(500);
/// A host that lost its connection lets one that stands by come first: that one is known to be well.
const REGAIN_AFTER: Duration = Duration::from_secs(2);
const REGAIN_EVERY: Duration = Duration::from_millis(500);

const IS_WRITTEN: &str = "SELECT FROM events
    WHERE tenant = $1 AND mission = $2 AND seq = $3 AND hash = $4";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[IS_WRITTEN];

/// How it ended.
pub(crate) enum Recovered {
    Host(Box<Tenure>),
    TakenOver,
    Closing(Option<oneshot::Sender<()>>),
}

/// What was sent before the connection broke is all there or all not: it was one transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Written,
    NotWritten,
}

/// Tries for as long as it takes. Those in doubt wait for the truth; what is asked meanwhile is refused, since it
/// can be asked again later.
pub(crate) async fn recover(
    writer: &Writer,
    holder: Id,
    in_doubt: Appends,
    waiting: &mut mpsc::Receiver<Job>,
) -> Recovered {
    let trying = keep_trying(writer.settings(), holder, in_doubt.first());
    let mut trying = Box::pin(trying);
    let closing = loop {
        tokio::select! {
            (recovered, found) = &mut trying => {
                drop(trying);
                answer(writer, in_doubt, found);
                return recovered;
            }
            job = waiting.recv() => match job {
                Some(Job::Append(append)) => {
                    let error = writer.unreachable("the connection was lost");
                    writer.refuse(*append, &error);
                }
                Some(Job::Close(answer)) => break Some(answer),
                None => break None,
            }
        }
    };
    drop(trying);
    let error = writer.unconfirmed();
    for append in in_doubt {
        writer.refuse(append, &error);
    }
    Recovered::Closing(closing)
}

fn answer(writer: &Writer, in_doubt: Appends, found: Found) {
    for append in in_doubt {
        match found {
            Found::Written => writer.confirm(append),
            Found::NotWritten => {
                let error = writer.unreachable("the connection was lost, and nothing was written");
                writer.refuse(append, &error);
            }
        }
    }
}

async fn keep_trying(
    settings: &Settings,
    holder: Id,
    in_doubt: Option<&Append>,
) -> (Recovered, Found) {
    let mut pause = REGAIN_AFTER;
    loop {
        tokio::time::sleep(pause).await;
        pause = REGAIN_EVERY;
        // Whatever the trouble is, it may pass; appends are refused until then.
        if let Ok(Some(done)) = attempt(settings, holder, in_doubt).await {
            return done;
        }
    }
}

async fn attempt(
    settings: &Settings,
    holder: Id,
    in_doubt: Option<&Append>,
) -> Result<Option<(Recovered, Found)>, StoreError> {
    match Tenure::regain(settings, holder).await? {
        Regained::Host(mut tenure) => {
            let found = look(settings, &mut tenure.session, in_doubt).await?;
            Ok(Some((Recovered::Host(Box::new(tenure)), found)))
        }
        Regained::TakenOver(mut session) => {
            let found = look(settings, &mut session, in_doubt).await?;
            Ok(Some((Recovered::TakenOver, found)))
        }
        Regained::NotYet => Ok(None),
    }
}

/// Looks for the last event of a batch. Its hash stands for everything before it.
async fn look(
    settings: &Settings,
    session: &mut Session,
    in_doubt: Option<&Append>,
) -> Result<Found, StoreError> {
    let Some(Append { tenant, batch, .. }) = in_doubt else {
        return Ok(Found::NotWritten);
    };
    let Some(last) = batch.events.last() else {
        return Ok(Found::NotWritten);
    };
    let (mission, seq) = (Id::from(batch.mission), last.seq.cast_signed());
    let hash: &[u8] = last.hash.as_bytes();
    let params: Params<'_> = &[&tenant.as_str(), &mission, &seq, &hash];
    let rows = session.rows(Some(tenant), IS_WRITTEN, params).await;
    let rows = rows.map_err(|error| from_request(&settings.place(), &error))?;
    Ok(match rows.is_empty() {
        true => Found::NotWritten,
        false => Found::Written,
    })
}
