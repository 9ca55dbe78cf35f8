//! Journals are signed without anybody asking.

use std::sync::Arc;
use std::time::{Duration, Instant};

use adjutant_host::{Config, Signing};
use adjutant_journal::SigningKey;
use adjutant_mission::*;
use tempfile::TempDir;

use crate::support::*;

const PATIENCE: Duration = Duration::from_secs(20);

fn signing() -> Config {
    let key = SigningKey::parse(&"a7".repeat(32)).unwrap();
    Config {
        signing: Some(Signing {
            key: Arc::new(key),
            every: Duration::from_millis(20),
        }),
        ..Config::default()
    }
}

/// Waits until the mission is signed for up to its end.
async fn signed(world: &World, mission: MissionId) {
    let journal = world.host.journal(&tenant());
    let began = Instant::now();
    loop {
        let verified = journal.verify(mission, &[], None).await.unwrap().unwrap();
        if verified.attested == Some(verified.head.seq) {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{verified:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn what_moves_is_signed_on_schedule() {
    let world = World::with(Arc::new(TempDir::new().unwrap()), signing());
    world.host.carry_on();
    let mission = world
        .open(Plan::new("one", vec![call("a", "noop", "{}", &[])]))
        .await;
    world
        .wait_for(mission, |summary| summary.phase == Phase::Completed)
        .await;
    signed(&world, mission).await;
}

#[tokio::test]
async fn what_a_killed_host_left_unsigned_is_signed_by_the_next() {
    let killed = World::new();
    let mission = killed
        .open(Plan::new("one", vec![call("a", "noop", "{}", &[])]))
        .await;
    killed
        .wait_for(mission, |summary| summary.phase == Phase::Completed)
        .await;
    killed.host.store().close().await.unwrap();
    let next = World::with(Arc::clone(&killed.folder), signing());
    next.host.carry_on();
    signed(&next, mission).await;
}
