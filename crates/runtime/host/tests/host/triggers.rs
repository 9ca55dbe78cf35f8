//! Triggers in a host: fired on time and after downtime, once whatever crashes, cancelled by what missions are told.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use adjutant_host::{
    Clock, Config, HostError, Quotas, Signing, TriggerError, Upkeep, mission_of_fire,
    new_trigger_id,
};
use adjutant_journal::SigningKey;
use adjutant_mission::*;
use adjutant_store::{ListOrder, ListQuery, RecordKind, Store, TenantStore};
use tempfile::TempDir;

use crate::support::*;

/// 1 March 2027, 00:00 UTC.
pub const MIDNIGHT: i64 = 1_803_859_200_000;
const MINUTE: i64 = 60_000;
pub const HOUR: i64 = 60 * MINUTE;

fn at_clock(clock: Clock) -> Config {
    Config {
        clock,
        ..Config::default()
    }
}

pub fn at_midnight() -> Config {
    at_clock(Clock::reading(|| Timestamp(MIDNIGHT)))
}

/// Ten past five, five hours later.
pub fn after_five() -> Config {
    at_clock(Clock::reading(|| {
        Timestamp(MIDNIGHT + 5 * HOUR + 10 * MINUTE)
    }))
}

pub fn world(config: Config) -> World {
    World::with(Arc::new(TempDir::new().unwrap()), config)
}

pub async fn crashed(world: World) -> Arc<TempDir> {
    world.host.store().close().await.unwrap();
    Arc::clone(&world.folder)
}

pub fn trigger(world: &World, schedule: Schedule, target: TriggerTarget) -> Trigger {
    Trigger {
        name: "test".into(),
        schedule,
        zone: "UTC".into(),
        repeat_max: None,
        cancel_on: None,
        missed: Missed::Once,
        target,
        made_by: ann(),
        made_with: None,
        made_at: world.host.clock().now(),
    }
}

pub fn starts(world: &World) -> TriggerTarget {
    let plan = Plan::new("woken", vec![call("a", "noop", "{}", &[])]);
    TriggerTarget::StartMission(Box::new(world.start(plan, waive_all()).into()))
}

pub fn informs(mission: MissionId) -> TriggerTarget {
    TriggerTarget::InformMission {
        mission,
        topic: "tick".into(),
        trust: Trust::Trusted,
        body: Json::parse("{\"n\":1}").unwrap(),
    }
}

pub fn hourly() -> Schedule {
    Schedule::Cron("@hourly".into())
}

pub async fn add(world: &World, trigger: Trigger) -> TriggerId {
    let id = new_trigger_id(world.host.clock().now()).unwrap();
    world
        .host
        .add_trigger(&tenant(), id, trigger)
        .await
        .unwrap();
    id
}

pub async fn record(world: &World, id: TriggerId) -> TriggerRecord {
    let records = world.host.journal(&tenant());
    let records = records.records(RecordKind::Trigger).await.unwrap();
    let mut found = records.into_iter();
    found.find(|(name, _)| *name == id.to_string()).unwrap().1
}

/// Waits until the record of a trigger is as wanted. Records have no feed, so this looks again and again.
pub async fn until(
    world: &World,
    id: TriggerId,
    wanted: impl Fn(&TriggerState) -> bool,
) -> TriggerState {
    let waiting = async {
        loop {
            let state = record(world, id).await.state;
            if wanted(&state) {
                return state;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), waiting)
        .await
        .unwrap()
}

pub async fn missions(world: &World) -> Vec<MissionId> {
    let query = ListQuery {
        phases: None,
        limit: 1_000,
        order: ListOrder::NewestFirst,
        past: None,
    };
    let store = world.host.store().tenant(&tenant());
    let rows = store.list(query);
    let mut ids: Vec<MissionId> = rows
        .await
        .unwrap()
        .iter()
        .map(|row| row.summary.mission)
        .collect();
    ids.sort();
    ids
}

fn hours(id: TriggerId, hours: impl IntoIterator<Item = i64>) -> Vec<MissionId> {
    let at = |hour| Timestamp(MIDNIGHT + hour * HOUR);
    hours
        .into_iter()
        .map(|hour| mission_of_fire(id, at(hour)))
        .collect()
}

/// A mission that waits for its plan to be approved, and so can be told things.
pub async fn waiting_mission(world: &World) -> MissionId {
    let plan = Plan {
        checkpoint_deadline: Millis::hours(1_000),
        ..Plan::new("waits", vec![call("a", "noop", "{}", &[])])
    };
    world.open_with(plan, Vec::new()).await
}

pub async fn told(world: &World, mission: MissionId) -> Vec<(String, Actor)> {
    let journal = world.journal(mission).await;
    let told = journal
        .into_iter()
        .filter_map(|recorded| match recorded.event {
            Event::Informed { topic, .. } => Some((topic, recorded.actor.unwrap())),
            _ => None,
        });
    told.collect()
}

async fn tell(world: &World, mission: MissionId, topic: &str) {
    let inform = Command::Inform {
        topic: topic.into(),
        trust: Trust::Trusted,
        body: Json::null(),
    };
    let id = world.command_id();
    let acme = tenant();
    let told = world.host.command(&acme, mission, id, ann(), inform);
    told.await.unwrap();
}

#[tokio::test]
async fn a_mission_is_started_when_its_time_comes() {
    let world = World::new();
    world.host.carry_on();
    let soon = world.host.clock().now().plus(Millis(150));
    let soon = jiff::Timestamp::from_millisecond(soon.0)
        .unwrap()
        .to_string();
    let id = add(&world, trigger(&world, Schedule::At(soon), starts(&world))).await;
    let state = until(&world, id, |state| state.ended.is_some()).await;
    assert_eq!((state.fired, state.passed_over), (1, 0));
    assert!(matches!(state.ended, Some((_, TriggerEnd::NoMoreTimes))));
    let mission = mission_of_fire(id, state.last_fired.unwrap());
    world
        .wait_for(mission, |summary| summary.phase == Phase::Completed)
        .await;
    let opened = &world.journal(mission).await[0];
    let by = opened.actor.as_ref().unwrap();
    assert_eq!(
        (by.kind, by.id.to_string()),
        (ActorKind::System, id.to_string())
    );
    assert_eq!(by.on_behalf_of, Some(ann().id));
}

#[tokio::test]
async fn missed_fires_follow_the_policy() {
    for (missed, fired, passed_over) in [
        (Missed::Skip, 0..0, 5),
        (Missed::Once, 5..6, 4),
        (Missed::All, 1..6, 0),
    ] {
        let world = world(at_midnight());
        let mut trigger = trigger(&world, hourly(), starts(&world));
        trigger.missed = missed;
        let id = add(&world, trigger).await;
        let world = World::with(crashed(world).await, after_five());
        world.host.carry_on();
        let six = Timestamp(MIDNIGHT + 6 * HOUR);
        let state = until(&world, id, |state| {
            state.next_at == Some(six) && state.firing.is_none()
        })
        .await;
        assert_eq!(
            i64::from(state.fired),
            fired.end - fired.start,
            "{missed:?}"
        );
        assert_eq!(state.passed_over, passed_over, "{missed:?}");
        assert_eq!(missions(&world).await, hours(id, fired), "{missed:?}");
    }
}

#[tokio::test]
async fn a_crash_between_firing_and_noting_it_fires_the_same_again() {
    let world = world(at_midnight());
    let one = Trigger {
        repeat_max: Some(1),
        ..trigger(&world, hourly(), starts(&world))
    };
    let id = add(&world, one).await;
    // As a host leaves it that announced the fire of two o'clock, opened the mission, and was killed.
    let two = Timestamp(MIDNIGHT + 2 * HOUR);
    let mut announced = record(&world, id).await;
    announced.state.announce(
        two,
        Due {
            fire: Some(two),
            passed_over: 1,
            next_at: Some(two.plus(Millis::hours(1))),
        },
    );
    let TriggerTarget::StartMission(prepared) = announced.trigger.target.clone() else {
        unreachable!()
    };
    let journal = world.host.journal(&tenant());
    let name = id.to_string();
    journal
        .put_record(RecordKind::Trigger, &name, &announced)
        .await
        .unwrap();
    let start = prepared.start(mission_of_fire(id, two));
    let opened = world.host.open(ann(), world.command_id(), start);
    let mission = opened.await.unwrap();
    world
        .wait_for(mission, |summary| summary.phase == Phase::Completed)
        .await;

    let world = World::with(crashed(world).await, after_five());
    world.host.carry_on();
    let state = until(&world, id, |state| state.ended.is_some()).await;
    assert_eq!(state.last_fired, Some(two), "that fire and no other");
    assert!(matches!(state.ended, Some((_, TriggerEnd::RepeatReached))));
    assert_eq!(missions(&world).await, hours(id, [2]));
}

#[tokio::test]
async fn a_mission_is_told_once_also_after_a_crash_and_what_it_is_told_is_the_triggers() {
    let world = world(at_midnight());
    let mission = waiting_mission(&world).await;
    let id = add(&world, trigger(&world, hourly(), informs(mission))).await;
    let world = World::with(crashed(world).await, after_five());
    world.host.carry_on();
    let state = until(&world, id, |state| {
        state.fired == 1 && state.firing.is_none()
    })
    .await;
    // As if it had been killed before it noted that.
    let mut again = record(&world, id).await;
    again.state.firing = Some(Firing {
        at: state.last_fired.unwrap(),
        refused: 0,
        again_at: None,
    });
    again.state.fired = 0;
    let journal = world.host.journal(&tenant());
    journal
        .put_record(RecordKind::Trigger, &id.to_string(), &again)
        .await
        .unwrap();
    let world = World::with(crashed(world).await, after_five());
    world.host.carry_on();
    until(&world, id, |state| state.fired == 1).await;
    let told = told(&world, mission).await;
    let [(topic, by)] = told.as_slice() else {
        unreachable!("{told:?}")
    };
    assert_eq!(
        (topic.as_str(), by.id.to_string()),
        ("tick", id.to_string())
    );
}

#[tokio::test]
async fn a_mission_that_has_ended_ends_its_trigger() {
    let world = world(at_midnight());
    let mission = waiting_mission(&world).await;
    let id = add(&world, trigger(&world, hourly(), informs(mission))).await;
    let abort = Command::Abort {
        reason: "enough".into(),
        undo: false,
    };
    let command = world.command_id();
    let acme = tenant();
    let aborted = world.host.command(&acme, mission, command, ann(), abort);
    aborted.await.unwrap();
    world
        .wait_for(mission, |summary| summary.phase.is_ended())
        .await;
    let world = World::with(crashed(world).await, after_five());
    world.host.carry_on();
    let state = until(&world, id, |state| state.ended.is_some()).await;
    let Some((_, TriggerEnd::MissionGone { code, .. })) = state.ended else {
        unreachable!("{state:?}")
    };
    assert_eq!((code.as_str(), state.fired), ("ADJ-2001", 0));

    let late = trigger(&world, hourly(), informs(mission));
    let id = new_trigger_id(Timestamp(1)).unwrap();
    let refused = world.host.add_trigger(&tenant(), id, late).await;
    assert!(matches!(
        refused,
        Err(HostError::Refused(Refused::MissionEnded { .. }))
    ));
}

#[tokio::test]
async fn a_full_store_is_waited_for_and_shown() {
    let first = world(at_midnight());
    let id = add(&first, trigger(&first, hourly(), starts(&first))).await;
    let full = Config {
        quotas: Quotas {
            general: Some(0),
            ..Quotas::default()
        },
        ..after_five()
    };
    let second = World::with(crashed(first).await, full);
    second.host.carry_on();
    let state = until(&second, id, |state| state.last_problem.is_some()).await;
    assert_eq!(state.last_problem.unwrap().code, "ADJ-5006");
    let firing = state.firing.unwrap();
    assert_eq!(firing.at, Timestamp(MIDNIGHT + 5 * HOUR));
    assert!(missions(&second).await.is_empty());

    let later = at_clock(Clock::reading(|| {
        Timestamp(MIDNIGHT + 5 * HOUR + 20 * MINUTE)
    }));
    let third = World::with(crashed(second).await, later);
    third.host.carry_on();
    let state = until(&third, id, |state| state.fired == 1).await;
    assert_eq!(state.last_problem, None);
    assert_eq!(missions(&third).await, hours(id, [5]));
}

fn cancelled_on(state: &TriggerState) -> Option<&str> {
    match &state.ended {
        Some((_, TriggerEnd::CancelledOn { topic, .. })) => Some(topic),
        _ => None,
    }
}

#[tokio::test]
async fn information_cancels_as_it_is_committed() {
    let world = world(at_midnight());
    world.host.carry_on();
    let (mission, other) = (waiting_mission(&world).await, waiting_mission(&world).await);
    let pattern = || Some(TopicPattern::new("paper.*").unwrap());
    let aimed = Trigger {
        cancel_on: pattern(),
        ..trigger(&world, hourly(), informs(mission))
    };
    let anywhere = Trigger {
        cancel_on: pattern(),
        ..trigger(&world, hourly(), starts(&world))
    };
    let (aimed, anywhere) = (add(&world, aimed).await, add(&world, anywhere).await);
    tell(&world, other, "weather").await;
    tell(&world, other, "paper.signed").await;
    let state = until(&world, anywhere, |state| state.ended.is_some()).await;
    assert_eq!(cancelled_on(&state), Some("paper.signed"));
    assert_eq!(
        record(&world, aimed).await.state.ended,
        None,
        "another mission's"
    );
    tell(&world, mission, "paper.lost").await;
    let state = until(&world, aimed, |state| state.ended.is_some()).await;
    assert_eq!(cancelled_on(&state), Some("paper.lost"));
}

#[tokio::test]
async fn a_cancellation_is_not_lost_when_nobody_watched() {
    // Told in a host that fires no triggers, as after a crash between the telling and the cancelling.
    let first = world(at_midnight());
    let (mission, other) = (waiting_mission(&first).await, waiting_mission(&first).await);
    tell(&first, mission, "paper.early").await;
    let now = Timestamp(MIDNIGHT);
    let pattern = || Some(TopicPattern::new("paper.*").unwrap());
    let made_at = now.plus(Millis(1));
    let aimed = Trigger {
        cancel_on: pattern(),
        made_at,
        ..trigger(&first, hourly(), informs(mission))
    };
    let anywhere = Trigger {
        cancel_on: pattern(),
        made_at,
        ..trigger(&first, hourly(), starts(&first))
    };
    let (aimed, anywhere) = (add(&first, aimed).await, add(&first, anywhere).await);

    let half_past = at_clock(Clock::reading(|| Timestamp(MIDNIGHT + 30 * MINUTE)));
    let second = World::with(crashed(first).await, half_past.clone());
    second.host.carry_on();
    until(&second, anywhere, |state| state.looked_until.is_some()).await;
    let state = until(&second, aimed, |state| state.looked_until.is_some()).await;
    assert_eq!(state.ended, None, "what was said before does not count");

    let third = World::with(crashed(second).await, half_past);
    tell(&third, mission, "paper.signed").await;
    tell(&third, other, "paper.found").await;
    let fourth = World::with(crashed(third).await, after_five());
    fourth.host.carry_on();
    let state = until(&fourth, aimed, |state| state.ended.is_some()).await;
    assert_eq!(
        (cancelled_on(&state), state.fired),
        (Some("paper.signed"), 0)
    );
    let state = until(&fourth, anywhere, |state| state.ended.is_some()).await;
    assert!(cancelled_on(&state).is_some());
    assert_eq!(missions(&fourth).await.len(), 2, "none was started");
}

#[tokio::test]
async fn what_a_trigger_says_itself_does_not_cancel_it() {
    let world = world(at_midnight());
    let mission = waiting_mission(&world).await;
    let loud = Trigger {
        cancel_on: Some(TopicPattern::new("*").unwrap()),
        missed: Missed::All,
        ..trigger(&world, hourly(), informs(mission))
    };
    let id = add(&world, loud).await;
    let world = World::with(crashed(world).await, after_five());
    world.host.carry_on();
    until(&world, id, |state| state.fired == 5).await;
    let world = World::with(crashed(world).await, after_five());
    world.host.carry_on();
    tell(&world, mission, "enough").await;
    let state = until(&world, id, |state| state.ended.is_some()).await;
    assert_eq!(cancelled_on(&state), Some("enough"));
}

#[tokio::test]
async fn a_zone_whose_rules_have_changed_brings_a_time_nearer() {
    static NOW: AtomicI64 = AtomicI64::new(MIDNIGHT);
    let clock = || at_clock(Clock::reading(|| Timestamp(NOW.load(Ordering::SeqCst))));
    let first = world(clock());
    let watched = Trigger {
        cancel_on: Some(TopicPattern::new("never").unwrap()),
        ..trigger(&first, hourly(), starts(&first))
    };
    let id = add(&first, watched).await;
    // As it was kept when the clocks there were to be three hours behind.
    let mut late = record(&first, id).await;
    late.state.next_at = Some(Timestamp(MIDNIGHT + 4 * HOUR));
    let journal = first.host.journal(&tenant());
    let name = id.to_string();
    let kept = journal.put_record(RecordKind::Trigger, &name, &late);
    kept.await.unwrap();

    let second = World::with(crashed(first).await, clock());
    second.host.carry_on();
    until(&second, id, |state| state.looked_until.is_some()).await;
    NOW.store(MIDNIGHT + HOUR, Ordering::SeqCst);
    // Something new makes it look at the clock.
    add(&second, trigger(&second, hourly(), starts(&second))).await;
    let state = until(&second, id, |state| state.fired == 1).await;
    assert_eq!(state.last_fired, Some(Timestamp(MIDNIGHT + HOUR)));
}

#[tokio::test]
async fn cancelling_by_hand_and_forgetting() {
    let key = SigningKey::parse(&"a7".repeat(32)).unwrap();
    let world = world(Config {
        signing: Some(Signing {
            key: Arc::new(key),
            every: Duration::from_secs(3_600),
        }),
        ..at_midnight()
    });
    world.host.carry_on();
    let id = add(&world, trigger(&world, hourly(), starts(&world))).await;
    let again = trigger(&world, hourly(), starts(&world));
    world.host.add_trigger(&tenant(), id, again).await.unwrap();
    let acme = tenant();
    let cancel = || world.host.cancel_trigger(&acme, id, ann());
    cancel().await.unwrap();
    assert!(matches!(
        cancel().await,
        Err(HostError::Trigger(TriggerError::Ended(_)))
    ));
    let unknown = TriggerId::from_bits(9);
    let cancelled = world.host.cancel_trigger(&tenant(), unknown, ann()).await;
    assert!(matches!(
        cancelled,
        Err(HostError::Trigger(TriggerError::Unknown(_)))
    ));
    let other = TenantId::new("other").unwrap();
    let cancelled = world.host.cancel_trigger(&other, id, ann()).await;
    assert!(matches!(
        cancelled,
        Err(HostError::Trigger(TriggerError::Unknown(_)))
    ));
    let state = record(&world, id).await.state;
    assert!(matches!(
        state.ended,
        Some((_, TriggerEnd::Cancelled { .. }))
    ));

    let kept = add(&world, trigger(&world, hourly(), starts(&world))).await;
    let names = async |before: i64| {
        let prune = Upkeep::Prune {
            before: Timestamp(before),
            reason: "old".into(),
        };
        world.host.upkeep(&acme, prune).await.unwrap();
        let store = world.host.store().tenant(&acme);
        let rows = store.records(RecordKind::Trigger).await.unwrap();
        rows.into_iter().map(|row| row.name).collect::<Vec<_>>()
    };
    assert_eq!(names(MIDNIGHT).await.len(), 2, "it ended only just");
    assert_eq!(names(MIDNIGHT + 1).await, [kept.to_string()]);
}

#[tokio::test]
async fn what_can_never_fire_is_refused_when_it_is_added() {
    let world = world(at_midnight());
    let id = || new_trigger_id(Timestamp(MIDNIGHT)).unwrap();
    let add = async |schedule: &str, zone: &str| {
        let trigger = Trigger {
            zone: zone.into(),
            ..trigger(&world, Schedule::Cron(schedule.into()), starts(&world))
        };
        let added = world.host.add_trigger(&tenant(), id(), trigger).await;
        added.unwrap_err().code()
    };
    assert_eq!(add("0 0 30 2 *", "UTC").await, "ADJ-7005");
    assert_eq!(add("0 0 30 *", "UTC").await, "ADJ-7002");
    assert_eq!(add("@daily", "Europe/Atlantis").await, "ADJ-7004");
    let past = trigger(
        &world,
        Schedule::At("2027-02-28T23:59".into()),
        starts(&world),
    );
    let past = world.host.add_trigger(&tenant(), id(), past).await;
    assert_eq!(past.unwrap_err().code(), "ADJ-7005");
    let nobody = trigger(&world, hourly(), informs(MissionId::from_bits(5)));
    let nobody = world.host.add_trigger(&tenant(), id(), nobody).await;
    assert_eq!(nobody.unwrap_err().code(), "ADJ-5001");
    let theirs = TenantId::new("theirs").unwrap();
    let foreign = trigger(&world, hourly(), starts(&world));
    let foreign = world.host.add_trigger(&theirs, id(), foreign).await;
    assert!(matches!(
        foreign,
        Err(HostError::Refused(Refused::NotAllowed { .. }))
    ));
}
