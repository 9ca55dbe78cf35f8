//! Wakes missions whose time has come: at start everything unfinished, later what the store says is due.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use adjutant_mission::{MissionId, TenantId, Timestamp};
use adjutant_store::Store;

use crate::registry::{Message, Sent};
use crate::runner::{Origin, Runner};
use crate::shared::Shared;

/// Missions taken up at a time; the rest follow as these come to rest.
const WAKE_MISSIONS_MAX: u32 = 512;
/// How often the waker looks even if nothing told it to: clocks can jump.
const LOOK_AGAIN: Duration = Duration::from_secs(60);
/// Between one lot of missions and the next, so that those at work get a word in.
const NEXT_LOT: Duration = Duration::from_millis(20);
/// After trouble with the store, or with missions that cannot be loaded.
const LOOK_AGAIN_AFTER_TROUBLE: Duration = Duration::from_secs(2);

pub(crate) async fn run<S: Store>(shared: Arc<Shared<S>>) {
    loop {
        if shared.is_draining() {
            return;
        }
        let pause = match wake_due(&shared).await {
            Ok(pause) => pause,
            Err(_) => LOOK_AGAIN_AFTER_TROUBLE,
        };
        let next = shared
            .clock
            .now()
            .0
            .saturating_add(pause.as_millis() as i64);
        shared.next_look.store(next, Ordering::Release);
        tokio::select! {
            () = shared.look_earlier.notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Takes up what is due and says how long nothing else will be.
async fn wake_due<S: Store>(
    shared: &Arc<Shared<S>>,
) -> Result<Duration, adjutant_store::StoreError> {
    let now = shared.clock.now();
    // Missions at work count as due, so ask for as many more as there are of them.
    let known = u32::try_from(shared.registry.looked_after()).unwrap_or(0);
    let limit = WAKE_MISSIONS_MAX.saturating_add(known);
    let due = shared.store.due(now, limit).await?;
    let mut woken = 0;
    for due in due {
        if woken >= WAKE_MISSIONS_MAX || !shared.registry.is_absent(due.mission) {
            continue;
        }
        wake(shared, &due.tenant, due.mission);
        woken += 1;
    }
    if woken >= WAKE_MISSIONS_MAX {
        return Ok(NEXT_LOT);
    }
    let next = shared.store.next_wake(now).await?;
    let wait = next.map_or(LOOK_AGAIN, |at| Duration::from_millis(at.since(now).0));
    let floor = if woken > 0 {
        LOOK_AGAIN_AFTER_TROUBLE
    } else {
        Duration::from_millis(1)
    };
    Ok(wait.clamp(floor, LOOK_AGAIN))
}

/// Loads a mission to see what follows from the time.
pub(crate) fn wake<S: Store>(shared: &Arc<Shared<S>>, tenant: &TenantId, mission: MissionId) {
    if let Ok(Sent::Entered(inbox)) = shared.registry.send(mission, Message::Wake) {
        let origin = Origin::Stored;
        Runner::spawn(Arc::clone(shared), tenant.clone(), mission, inbox, origin);
    }
}

/// In a host that does not carry on the whole store, a mission at rest has a timer of its own.
pub(crate) fn wake_later<S: Store>(
    shared: &Arc<Shared<S>>,
    tenant: &TenantId,
    mission: MissionId,
    at: Option<Timestamp>,
) {
    let tends = shared.may_perform() && !shared.carries_on.load(Ordering::Acquire);
    let Some(at) = at.filter(|_| tends) else {
        return;
    };
    let (shared, tenant) = (Arc::clone(shared), tenant.clone());
    tokio::spawn(async move {
        // Clocks can jump, so no sleep is longer than the waker's.
        loop {
            let left = at.since(shared.clock.now()).0;
            if left == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(left).min(LOOK_AGAIN)).await;
        }
        if shared.may_perform() && shared.registry.is_absent(mission) {
            wake(&shared, &tenant, mission);
        }
    });
}
