//! People are told of questions and endings: once, again after trouble, not at night, and nobody else.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use adjutant_host::{Clock, Config, ForkRequest, new_mission_id};
use adjutant_mission::*;
use adjutant_notify::*;
use adjutant_store::{RecordKind, TenantStore};
use tempfile::TempDir;
use tokio::sync::Semaphore;

use crate::receiver::Receiver;
use crate::support::*;

const PATIENCE: Duration = Duration::from_secs(20);
/// 2026-11-15 23:00:00 UTC.
const NIGHT: Timestamp = Timestamp(1_794_783_600_000);

fn channel(name: &str, receiver: &Receiver) -> Channel {
    Channel {
        name: ChannelName::new(name).unwrap(),
        tenant: tenant(),
        roles: Vec::new(),
        tells: Tells::Both,
        quiet: None,
        content: Content::Redacted,
        carrier: receiver.carrier(),
    }
}

fn telling(channels: &[&Channel]) -> Config {
    Config {
        channels: channels.iter().map(|channel| (*channel).clone()).collect(),
        ..Config::default()
    }
}

fn night() -> QuietHours {
    let utc = QuietHours::zone("UTC").unwrap();
    QuietHours::parse("22:00", "07:00", utc, Urgent::Waits).unwrap()
}

fn folder() -> Arc<TempDir> {
    Arc::new(TempDir::new().unwrap())
}

fn asks() -> Plan {
    Plan::new("ask", vec![question("ask", &[])])
}

fn short() -> Plan {
    Plan::new("short", vec![call("a", "noop", "{}", &[])])
}

async fn decide(world: &World, mission: MissionId) {
    let by = ann().with_role(Role::new("editor").unwrap());
    let command = Command::Decide {
        checkpoint: CheckpointNumber::new(0),
        decision: Decision::new(Verdict::Approve),
    };
    let id = world.command_id();
    let decided = world
        .host
        .command(&tenant(), mission, id, by, command)
        .await;
    decided.unwrap();
}

/// A host that has told all it could, and gone.
async fn stop(world: World) -> Arc<TempDir> {
    world.host.drain().await;
    world.host.store().close().await.unwrap();
    world.folder
}

async fn records(world: &World) -> Vec<(String, Progress)> {
    let journal = world.host.journal(&tenant());
    journal.records(RecordKind::Notice).await.unwrap()
}

/// Waits until a record is as expected. Nothing tells of records, so they are looked at again and again.
async fn recorded(world: &World, expected: impl Fn(&[(String, Progress)]) -> bool) {
    let began = Instant::now();
    loop {
        let found = records(world).await;
        if expected(&found) {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{found:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until every channel is known to the store: what ends from here on is told.
async fn begun(world: &World, channels: usize) {
    let began = Instant::now();
    let store = world.host.journal(&tenant()).store().clone();
    while store.records(RecordKind::Channel).await.unwrap().len() < channels {
        assert!(began.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_question_and_an_ending_are_told_once_and_not_again_after_a_restart() {
    let mut receiver = Receiver::answering(&[200]).await;
    let team = channel("team", &receiver);
    let world = World::with(folder(), telling(&[&team]));
    world.host.carry_on();
    begun(&world, 1).await;
    let mission = world.open(asks()).await;
    let asked = receiver.next().await;
    assert_eq!(
        asked.id,
        format!(
            "{}",
            CheckpointId {
                mission,
                number: CheckpointNumber::new(0)
            }
        )
    );
    assert_eq!(asked.body["type"], "checkpoint.opened");
    assert_eq!(asked.body["data"]["question"], "Which way?");
    assert_eq!(asked.body["data"]["role"], "editor");
    recorded(&world, |found| found.len() == 1 && found[0].1.is_settled()).await;
    decide(&world, mission).await;
    let ended = receiver.next().await;
    assert_eq!(ended.id, format!("{mission}-ended"));
    assert_eq!(ended.body["data"]["phase"], "completed");
    recorded(&world, |found| {
        found.len() == 1 && found[0].0.ends_with("-ended") && found[0].1.is_settled()
    })
    .await;
    let open = world.open(asks()).await;
    assert_eq!(
        receiver.next().await.body["data"]["mission"],
        open.to_string()
    );

    let world = World::with(stop(world).await, telling(&[&team]));
    world.host.carry_on();
    let sentinel = world.open(short()).await;
    assert_eq!(receiver.next().await.id, format!("{sentinel}-ended"));
    stop(world).await;
    assert!(receiver.rest().is_empty());
}

#[tokio::test]
async fn a_question_that_a_fork_inherited_is_told_when_it_is_forked() {
    let mut receiver = Receiver::answering(&[200]).await;
    let team = channel("team", &receiver);
    let world = World::with(folder(), telling(&[&team]));
    world.host.carry_on();
    begun(&world, 1).await;
    let of = world.open(asks()).await;
    receiver.next().await;
    let at = world.journal(of).await.len() as u64;
    let mission = new_mission_id(world.host.clock().now()).unwrap();
    let request = ForkRequest {
        mission,
        of,
        at,
        changes: Vec::new(),
    };
    let forked = world
        .host
        .fork(&tenant(), ann(), world.command_id(), request)
        .await;
    forked.unwrap();
    let asked = receiver.next().await;
    assert_eq!(
        asked.id,
        format!(
            "{}",
            CheckpointId {
                mission,
                number: CheckpointNumber::new(0)
            }
        )
    );
}

#[tokio::test]
async fn what_fails_is_tried_again_by_the_next_host_under_the_same_id() {
    static NOW: AtomicI64 = AtomicI64::new(NIGHT.0);
    let clock = Clock::reading(|| Timestamp(NOW.load(Ordering::Acquire)));
    let mut receiver = Receiver::answering(&[500, 503, 200]).await;
    let team = channel("team", &receiver);
    let config = || Config {
        clock,
        ..telling(&[&team])
    };
    let world = World::with(folder(), config());
    world.host.carry_on();
    world.open(asks()).await;
    let first = receiver.next().await;
    recorded(&world, |found| found.len() == 1 && found[0].1.tries == 1).await;
    let mut folder = stop(world).await;
    let mut next_try = None;
    for tries in 2..=3 {
        // The next host does not try too early, and knows how often it was tried.
        NOW.fetch_add(Millis::hours(1).0 as i64, Ordering::AcqRel);
        let world = World::with(folder, config());
        world.host.carry_on();
        let again = receiver.next().await;
        assert_eq!(again.id, first.id);
        assert_eq!(again.body, first.body);
        assert!(again.at > first.at, "each try has its own time");
        recorded(&world, |found| found[0].1.tries == tries).await;
        next_try = Some(records(&world).await.remove(0).1);
        folder = stop(world).await;
    }
    let state = next_try.unwrap().state;
    assert!(matches!(state, State::Delivered { .. }), "{state:?}");
    assert!(receiver.rest().is_empty());
}

#[tokio::test]
async fn who_asks_for_patience_gets_it_from_the_whole_channel() {
    static NOW: AtomicI64 = AtomicI64::new(NIGHT.0);
    let clock = Clock::reading(|| Timestamp(NOW.load(Ordering::Acquire)));
    let mut receiver = Receiver::answering(&[429, 200]).await;
    let team = channel("team", &receiver);
    let mut other = Receiver::answering(&[200]).await;
    let unmoved = channel("unmoved", &other);
    let config = Config {
        clock,
        ..telling(&[&team, &unmoved])
    };
    let world = World::with(folder(), config);
    world.host.carry_on();
    let first = world.open(asks()).await;
    receiver.next().await;
    other.next().await;
    recorded(&world, |found| {
        found.len() == 2 && found.iter().all(|(_, progress)| progress.tries == 1)
    })
    .await;
    NOW.fetch_add(Millis::hours(1).0 as i64 / 2, Ordering::AcqRel);
    let second = world.open(asks()).await;
    // The other channel was told of it, so that this one could have been.
    other.next().await;
    assert!(receiver.rest().is_empty());
    NOW.fetch_add(Millis::hours(1).0 as i64 / 2, Ordering::AcqRel);
    let third = world.open(asks()).await;
    let mut told = Vec::new();
    for _ in 0..3 {
        told.push(receiver.next().await.id);
    }
    let number = CheckpointNumber::new(0);
    let asked = [first, second, third];
    let mut expected = asked.map(|mission| CheckpointId { mission, number }.to_string());
    told.sort();
    expected.sort();
    assert_eq!(told, expected);
    stop(world).await;
}

#[tokio::test]
async fn nights_are_quiet_and_what_is_answered_by_morning_is_not_told() {
    static NOW: AtomicI64 = AtomicI64::new(NIGHT.0);
    let clock = Clock::reading(|| Timestamp(NOW.load(Ordering::Acquire)));
    let (mut at_night, mut by_day) = (
        Receiver::answering(&[200]).await,
        Receiver::answering(&[200]).await,
    );
    let watch = channel("watch", &at_night);
    let office = Channel {
        quiet: Some(night()),
        tells: Tells::Checkpoints,
        ..channel("office", &by_day)
    };
    let config = Config {
        clock,
        ..telling(&[&watch, &office])
    };
    let world = World::with(folder(), config);
    world.host.carry_on();
    let answered = world.open(asks()).await;
    let left = world.open(asks()).await;
    at_night.next().await;
    at_night.next().await;
    decide(&world, answered).await;
    // It has ended: whoever may know at night knows.
    assert_eq!(at_night.next().await.id, format!("{answered}-ended"));
    assert!(by_day.rest().is_empty());
    NOW.fetch_add(Millis::hours(8).0 as i64, Ordering::AcqRel);
    // Something happens, so that the host looks at the clock.
    let late = world.open(asks()).await;
    let mut told = [by_day.next().await, by_day.next().await].map(|came| came.id);
    told.sort();
    let number = CheckpointNumber::new(0);
    let mut expected = [left, late].map(|mission| CheckpointId { mission, number }.to_string());
    expected.sort();
    assert_eq!(told, expected);
    stop(world).await;
    assert!(by_day.rest().is_empty());
}

#[tokio::test]
async fn a_question_goes_to_its_role_and_not_to_another_tenant() {
    let mut receivers = Vec::new();
    for _ in 0..4 {
        receivers.push(Receiver::answering(&[200]).await);
    }
    let role = |name: &str| vec![Role::new(name).unwrap()];
    let channels = [
        channel("everyone", &receivers[0]),
        Channel {
            roles: role("editor"),
            ..channel("editors", &receivers[1])
        },
        Channel {
            roles: role("finance"),
            ..channel("money", &receivers[2])
        },
        Channel {
            tenant: TenantId::new("other").unwrap(),
            ..channel("others", &receivers[3])
        },
    ];
    let channels: Vec<&Channel> = channels.iter().collect();
    let world = World::with(folder(), telling(&channels));
    world.host.carry_on();
    begun(&world, 3).await;
    let mission = world.open(asks()).await;
    for receiver in &mut receivers[..2] {
        assert_eq!(receiver.next().await.body["type"], "checkpoint.opened");
    }
    decide(&world, mission).await;
    for receiver in &mut receivers[..3] {
        assert_eq!(receiver.next().await.body["type"], "mission.ended");
    }
    stop(world).await;
    for receiver in &mut receivers {
        assert!(receiver.rest().is_empty());
    }
}

#[tokio::test]
async fn what_ended_while_nobody_told_is_told_later_and_what_ended_before_is_not() {
    let mut receiver = Receiver::answering(&[200]).await;
    let team = channel("team", &receiver);
    let world = World::new();
    let before = world.open(short()).await;
    world
        .wait_for(before, |summary| summary.phase == Phase::Completed)
        .await;
    // The channel is there, but cannot be used yet.
    let broken = Channel {
        carrier: Carrier::Unusable {
            why: "its secret is missing".into(),
        },
        ..team.clone()
    };
    let world = World::with(stop(world).await, telling(&[&broken]));
    world.host.carry_on();
    begun(&world, 1).await;
    let unused = world.open(short()).await;
    world
        .wait_for(unused, |summary| summary.phase == Phase::Completed)
        .await;
    // A host that tells nobody anything.
    let world = World::reopened(stop(world).await);
    let untold = world.open(short()).await;
    world
        .wait_for(untold, |summary| summary.phase == Phase::Completed)
        .await;
    let asked = world.open(asks()).await;
    world
        .wait_for(asked, |summary| summary.phase == Phase::AwaitingHuman)
        .await;
    let mut newcomer = Receiver::answering(&[200]).await;
    let new = channel("new", &newcomer);
    let world = World::with(stop(world).await, telling(&[&team, &new]));
    world.host.carry_on();
    let mut told = Vec::new();
    for _ in 0..3 {
        told.push(receiver.next().await.id);
    }
    let mut expected = [
        format!("{unused}-ended"),
        format!("{untold}-ended"),
        CheckpointId {
            mission: asked,
            number: CheckpointNumber::new(0),
        }
        .to_string(),
    ];
    told.sort();
    expected.sort();
    assert_eq!(told, expected);
    let to_newcomer = newcomer.next().await.body;
    assert_eq!(to_newcomer["type"], "checkpoint.opened");
    stop(world).await;
    assert!(receiver.rest().is_empty());
    assert!(newcomer.rest().is_empty());
}

#[tokio::test]
async fn a_clean_stop_waits_for_the_answer() {
    let may = Arc::new(Semaphore::new(0));
    let mut receiver = Receiver::hesitating(&[200], Arc::clone(&may)).await;
    let team = channel("team", &receiver);
    let world = World::with(folder(), telling(&[&team]));
    world.host.carry_on();
    world.open(asks()).await;
    receiver.next().await;
    let stopping = tokio::spawn(stop(world));
    may.add_permits(1);
    let world = World::with(stopping.await.unwrap(), telling(&[&team]));
    let found = records(&world).await;
    assert!(
        matches!(found.as_slice(), [(_, progress)] if progress.is_settled()),
        "{found:?}"
    );
    assert!(receiver.rest().is_empty());
}

#[tokio::test]
async fn one_who_wants_no_more_is_left_alone_until_the_next_start() {
    let mut receiver = Receiver::answering(&[410, 200]).await;
    let team = channel("team", &receiver);
    let world = World::with(folder(), telling(&[&team]));
    world.host.carry_on();
    let first = world.open(asks()).await;
    receiver.next().await;
    recorded(
        &world,
        |found| matches!(found, [(_, progress)] if matches!(progress.state, State::GivenUp { .. })),
    )
    .await;
    let states = world.host.journal(&tenant());
    let states = states.records::<ChannelState>(RecordKind::Channel).await;
    assert!(states.unwrap()[0].1.gone.is_some());
    let second = world.open(asks()).await;
    let world = World::with(stop(world).await, telling(&[&team]));
    assert!(receiver.rest().is_empty());
    world.host.carry_on();
    let mut told = [receiver.next().await.id, receiver.next().await.id];
    told.sort();
    let number = CheckpointNumber::new(0);
    let mut expected = [first, second].map(|mission| CheckpointId { mission, number }.to_string());
    expected.sort();
    assert_eq!(told, expected);
    stop(world).await;
}

#[tokio::test]
async fn records_of_channels_that_are_gone_go_too() {
    let mut receiver = Receiver::answering(&[200]).await;
    let (team, other) = (channel("team", &receiver), channel("other", &receiver));
    let world = World::with(folder(), telling(&[&team]));
    world.host.carry_on();
    world.open(asks()).await;
    receiver.next().await;
    recorded(&world, |found| found.len() == 1 && found[0].1.is_settled()).await;
    let world = World::with(stop(world).await, telling(&[&other]));
    world.host.carry_on();
    receiver.next().await;
    recorded(&world, |found| {
        found.len() == 1 && found[0].0.starts_with("other/") && found[0].1.is_settled()
    })
    .await;
    let states = world.host.journal(&tenant());
    let states = states.records::<ChannelState>(RecordKind::Channel).await;
    let names: Vec<String> = states.unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["other"]);
    stop(world).await;
}
