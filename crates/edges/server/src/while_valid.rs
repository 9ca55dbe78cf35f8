//! Ends an event stream when the access token that opened it is revoked or expires. The server's own token ends with the
//! server and is not checked.

use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use adjutant_host::AccessKey;
use adjutant_journal::JournalError;
use adjutant_store::{RecordKind, Store};
use bytes::Bytes;
use futures::stream::{self, Stream, StreamExt as _};
use serde_json::json;

use crate::App;

/// Longest time for which a key that was valid is taken to be valid still. A stream without events ends as late.
const RECHECK: Duration = Duration::from_secs(1);

/// Which keys were valid, and when that was looked up: all streams of a key share one look.
#[derive(Debug, Default)]
pub(crate) struct KeyChecks(Mutex<HashMap<String, (Instant, bool)>>);

impl KeyChecks {
    fn recent(&self, key: &str) -> Option<bool> {
        let checks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, is_valid) = checks.get(key)?;
        (at.elapsed() < RECHECK).then_some(*is_valid)
    }

    fn note(&self, key: &str, is_valid: bool) {
        let mut checks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Keys without streams are forgotten.
        checks.retain(|_, (at, _)| at.elapsed() < 2 * RECHECK);
        checks.insert(key.to_owned(), (Instant::now(), is_valid));
    }
}

type Events = Pin<Box<dyn Stream<Item = Result<Bytes, Infallible>> + Send>>;

struct Guarded<S: Store> {
    events: Events,
    app: Arc<App<S>>,
    /// The key's id; none for the server's own token.
    key: Option<String>,
    is_over: bool,
}

/// The events for as long as the key is valid, and then why there are no more.
pub(crate) fn while_valid<S: Store>(
    app: Arc<App<S>>,
    key: Option<String>,
    events: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static,
) -> impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static {
    let guarded = Guarded {
        events: Box::pin(events),
        app,
        key,
        is_over: false,
    };
    stream::unfold(guarded, |mut guarded| async move {
        let bytes = guarded.next().await?;
        Some((Ok(bytes), guarded))
    })
}

impl<S: Store> Guarded<S> {
    async fn next(&mut self) -> Option<Bytes> {
        if self.is_over {
            return None;
        }
        loop {
            let came = match self.key {
                None => self.events.next().await,
                Some(_) => match tokio::time::timeout(RECHECK, self.events.next()).await {
                    Ok(came) => came,
                    Err(_) if self.is_still_valid().await => continue,
                    Err(_) => return Some(self.farewell()),
                },
            };
            let Some(Ok(bytes)) = came else { return None };
            return match self.is_still_valid().await {
                true => Some(bytes),
                false => Some(self.farewell()),
            };
        }
    }

    async fn is_still_valid(&mut self) -> bool {
        let Some(key) = &self.key else { return true };
        if let Some(is_valid) = self.app.key_checks.recent(key) {
            return is_valid;
        }
        let journal = self.app.host.journal(&self.app.tenant);
        let kept = match journal.record::<AccessKey>(RecordKind::Access, key).await {
            Ok(kept) => kept,
            // While the store is unavailable, no new events are committed, so none can leak.
            Err(JournalError::Store(_)) => return true,
            // A key that somebody changed in the database lets nobody listen.
            Err(_) => None,
        };
        let now = self.app.host.clock().now();
        let is_valid = kept.is_some_and(|kept| kept.is_valid(now));
        self.app.key_checks.note(key, is_valid);
        is_valid
    }

    fn farewell(&mut self) -> Bytes {
        self.is_over = true;
        let told = json!({
            "code": "ADJ-9006",
            "reason": "the access token was revoked or has expired",
            "remedy": "Ask an administrator for a new key, and reconnect with `Last-Event-ID`.",
        });
        format!("event: dropped\ndata: {told}\n\n").into()
    }
}
