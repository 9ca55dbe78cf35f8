//! One transaction of many statements in one round trip, and what can be said about it when the connection breaks.

use std::future::Future;
use std::pin::Pin;
use std::task::Poll;

use tokio_postgres::Error;
use tokio_postgres::types::ToSql;

use crate::error::is_lost;
use crate::session::Session;
use crate::writes::Request;

/// Comes first in every transaction that writes: see the migrations.
const HOLD_FENCE: &str = "SELECT hold_fence($1)";

/// What became of a transaction.
pub(crate) enum Outcome {
    Committed,
    /// Nothing of it was written.
    Failed(Error),
    /// All of it was written or nothing was: the connection broke before the server said which.
    Unknown(Error),
}

type Asked<'s> = Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 's>>;

/// Writes it all, if the store is still ours, or nothing.
pub(crate) async fn run(session: &mut Session, epoch: i64, requests: &[Request<'_>]) -> Outcome {
    match prepare(session, requests).await {
        Ok(statements) => send(session, epoch, requests, &statements).await,
        // Not even the beginning was sent.
        Err(error) => Outcome::Failed(error),
    }
}

async fn prepare(
    session: &mut Session,
    requests: &[Request<'_>],
) -> Result<Vec<tokio_postgres::Statement>, Error> {
    let mut statements = vec![session.prepare(HOLD_FENCE).await?];
    for request in requests {
        statements.push(session.prepare(request.sql).await?);
    }
    Ok(statements)
}

async fn send(
    session: &Session,
    epoch: i64,
    requests: &[Request<'_>],
    statements: &[tokio_postgres::Statement],
) -> Outcome {
    let client = session.client();
    let fence: Vec<&(dyn ToSql + Sync)> = vec![&epoch];
    let params: Vec<Vec<&(dyn ToSql + Sync)>> = std::iter::once(fence)
        .chain(requests.iter().map(|request| {
            let params = request.params.iter();
            params
                .map(|param| &**param as &(dyn ToSql + Sync))
                .collect()
        }))
        .collect();
    let mut asked: Vec<Asked<'_>> = vec![Box::pin(client.batch_execute("BEGIN"))];
    for (statement, params) in statements.iter().zip(&params) {
        let done = client.execute(statement, params);
        asked.push(Box::pin(async { done.await.map(drop) }));
    }
    // A request is sent when it is polled first. Answers are waited for when everything is sent.
    let mut unanswered = Vec::with_capacity(asked.len());
    for mut request in asked {
        match futures::poll!(request.as_mut()) {
            Poll::Pending => unanswered.push(request),
            Poll::Ready(Ok(())) => {}
            Poll::Ready(Err(error)) => {
                // It could not be sent, and the rest must not be committed without it. If this cannot be sent
                // either, the connection is gone, and the transaction with it.
                let _ = client.batch_execute("ROLLBACK").await;
                return Outcome::Failed(error);
            }
        }
    }
    let mut commit: Asked<'_> = Box::pin(client.batch_execute("COMMIT"));
    let committed = futures::poll!(commit.as_mut());
    let mut failed = None;
    for request in unanswered {
        if let Err(error) = request.await {
            failed.get_or_insert(error);
        }
    }
    let committed = match committed {
        Poll::Ready(committed) => committed,
        Poll::Pending => commit.await,
    };
    judge(failed, committed)
}

/// The first failure decides: after it the server did nothing more, or we do not know what it did.
fn judge(failed: Option<Error>, committed: Result<(), Error>) -> Outcome {
    match (failed, committed) {
        // What the server says of a statement before the commit, it says having committed nothing; and it ends a
        // transaction that has failed by undoing it, though asked to commit.
        (Some(error), _) if error.as_db_error().is_some() => Outcome::Failed(error),
        (Some(error), _) | (None, Err(error)) if is_lost(&error) => Outcome::Unknown(error),
        (Some(error), _) | (None, Err(error)) => Outcome::Failed(error),
        (None, Ok(())) => Outcome::Committed,
    }
}
