//! Whether a store takes what is written: kept by the store, watched by its host.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::StoreError;

/// Clones share one state. A store that cannot tell is always well.
#[derive(Debug, Clone)]
pub struct Health(Arc<watch::Sender<Option<Trouble>>>);

#[derive(Debug, Clone)]
struct Trouble {
    error: StoreError,
    /// When something last failed for it.
    at: Instant,
}

impl Default for Health {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(None)))
    }
}

impl Health {
    /// Notes why a write failed, if the next one would fail too. One that succeeds ends no trouble: a small one may
    /// still fit where larger ones do not.
    pub fn write_failed(&self, error: &StoreError) {
        if !error.stops_all_writes() {
            return;
        }
        let at = Instant::now();
        self.0.send_if_modified(|trouble| {
            let is_news = trouble.as_ref().map(|trouble| &trouble.error) != Some(error);
            let error = error.clone();
            *trouble = Some(Trouble { error, at });
            is_news
        });
    }

    /// Writing works again.
    pub fn well_again(&self) {
        self.0.send_if_modified(|trouble| trouble.take().is_some());
    }

    /// Why nothing can be written, if that is so.
    pub fn trouble(&self) -> Option<StoreError> {
        let trouble = self.0.borrow();
        trouble.as_ref().map(|trouble| trouble.error.clone())
    }

    /// Whether there is trouble, and nothing has failed for so long.
    pub fn is_quiet_for(&self, long: Duration) -> bool {
        let trouble = self.0.borrow();
        trouble.as_ref().is_some_and(|it| it.at.elapsed() >= long)
    }

    /// Returns when what `trouble` says is no longer what the caller knows.
    pub async fn changes_from(&self, known: Option<&StoreError>) {
        let mut state = self.0.subscribe();
        // The sender lives as long as we do.
        let _ = state
            .wait_for(|trouble| trouble.as_ref().map(|trouble| &trouble.error) != known)
            .await;
    }

    /// Returns when the trouble that there is now has ended; never, if there is none.
    pub async fn recovers(&self) {
        if self.trouble().is_none() {
            return std::future::pending().await;
        }
        let mut state = self.0.subscribe();
        let _ = state.wait_for(Option::is_none).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> StoreError {
        StoreError::DiskFull {
            path: "store".into(),
        }
    }

    #[tokio::test]
    async fn trouble_lasts_until_the_store_is_found_well() {
        let health = Health::default();
        let watched = health.clone();
        health.write_failed(&StoreError::Closed);
        assert_eq!(watched.trouble(), None, "one write failed, not all");
        health.write_failed(&full());
        watched.changes_from(None).await;
        assert_eq!(watched.trouble(), Some(full()));
        assert!(watched.is_quiet_for(Duration::ZERO));
        assert!(!watched.is_quiet_for(Duration::from_secs(600)));
        let recovered = tokio::spawn(async move { watched.recovers().await });
        tokio::task::yield_now().await;
        health.well_again();
        assert!(recovered.await.is_ok());
        assert_eq!(health.trouble(), None);
        assert!(!health.is_quiet_for(Duration::ZERO));
    }
}
