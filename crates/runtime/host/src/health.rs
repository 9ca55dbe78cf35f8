//! Looks after the store's health while the host carries on: notices a full disk, and when there is space again.

use std::sync::Arc;
use std::time::Duration;

use adjutant_store::Store;

use crate::shared::Shared;

/// While all is well. A write that fails is noticed at once.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// While nothing can be written.
const LOOK_EVERY_IN_TROUBLE: Duration = Duration::from_secs(1);

pub(crate) async fn run<S: Store>(shared: Arc<Shared<S>>) {
    let health = shared.store.health();
    while !shared.is_draining() {
        let before = health.trouble();
        shared.store.look_after_health().await;
        let now = health.trouble();
        if before.is_some() && now.is_none() {
            // Missions that had to leave are due.
            shared.look_earlier.notify_one();
        }
        let pause = match now {
            Some(_) => LOOK_EVERY_IN_TROUBLE,
            None => LOOK_EVERY,
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = health.changes_from(now.as_ref()) => tokio::time::sleep(LOOK_EVERY_IN_TROUBLE).await,
        }
    }
}
