//! A trigger may do what whoever made it may do: when it is added, and whenever it fires.

use std::sync::Arc;

use adjutant_host::{
    AccessKey, AccessRole, Audited, Clock, Config, HostError, StartLimits, Upkeep, audit_entries,
    new_trigger_id,
};
use adjutant_mission::*;
use adjutant_tools::Permissions;
use tempfile::TempDir;

use crate::support::*;
use crate::triggers::*;

fn editor() -> Role {
    Role::new("editor").unwrap()
}

/// Only editors plan calls of `noop`.
fn editors_only() -> Permissions {
    let mut permissions = Permissions::default();
    permissions.general.roles = [("noop".to_owned(), vec![editor()])].into();
    permissions
}

fn ole() -> AgentId {
    AgentId::new("ole").unwrap()
}

async fn give_key(world: &World, id: &str, role: AccessRole, decides_for: Vec<Role>) {
    let key = AccessKey {
        who: ole(),
        role,
        decides_for,
        hash: AccessKey::hash_of(id),
        made_at: world.host.clock().now(),
        made_by: ann().id,
        expires_at: None,
        revoked_at: None,
    };
    let give = Upkeep::GiveAccess {
        id: id.into(),
        key: Box::new(key),
    };
    world.host.upkeep(&tenant(), give).await.unwrap();
}

fn with_key(world: &World, key: &str, schedule: Schedule, target: TriggerTarget) -> Trigger {
    Trigger {
        made_by: Actor::human(ole()),
        made_with: Some(key.into()),
        ..trigger(world, schedule, target)
    }
}

fn at_two() -> Schedule {
    Schedule::At("2027-03-01T02:00".into())
}

async fn refused(world: &World, trigger: Trigger) -> &'static str {
    let id = new_trigger_id(world.host.clock().now()).unwrap();
    let added = world.host.add_trigger(&tenant(), id, trigger).await;
    added.unwrap_err().code()
}

async fn held(world: &World, id: TriggerId) -> TriggerState {
    let state = until(world, id, |state| {
        state.held.is_some() && state.firing.is_none()
    });
    let state = state.await;
    assert_eq!((state.fired, &state.ended), (0, &None));
    state
}

/// What the audit says of triggers on hold: by whom they were made, and why.
async fn noted(world: &World) -> Vec<(TriggerId, Option<AgentId>, String)> {
    let journal = world.host.journal(&tenant());
    let entries = audit_entries(&journal, 0, 100).await.unwrap();
    let held = entries.into_iter().filter_map(|entry| match entry.what {
        Audited::TriggerHeld { trigger, code, .. } => Some((trigger, entry.by, code)),
        _ => None,
    });
    held.collect()
}

#[tokio::test]
async fn a_trigger_is_added_only_in_a_role_that_may() {
    let folder = Arc::new(TempDir::new().unwrap());
    let world = World::permitting(folder, at_midnight(), editors_only());
    let by_ann = trigger(&world, hourly(), starts(&world));
    assert_eq!(refused(&world, by_ann.clone()).await, "ADJ-5008");
    let by_editor = Trigger {
        made_by: ann().with_role(editor()),
        ..by_ann
    };
    add(&world, by_editor).await;

    // The role of the key counts, and not what the trigger says.
    give_key(&world, "plain", AccessRole::Operator, Vec::new()).await;
    let pretended = Trigger {
        made_by: Actor::human(ole()).with_role(editor()),
        ..with_key(&world, "plain", hourly(), starts(&world))
    };
    assert_eq!(refused(&world, pretended).await, "ADJ-5008");
    give_key(&world, "editor", AccessRole::Operator, vec![editor()]).await;
    add(&world, with_key(&world, "editor", hourly(), starts(&world))).await;
    give_key(&world, "viewer", AccessRole::Viewer, vec![editor()]).await;
    let by_viewer = with_key(&world, "viewer", hourly(), starts(&world));
    assert_eq!(refused(&world, by_viewer).await, "ADJ-6174");
    let unknown = with_key(&world, "unknown", hourly(), starts(&world));
    assert_eq!(refused(&world, unknown).await, "ADJ-6173");
}

#[tokio::test]
async fn a_role_that_no_longer_suffices_puts_a_trigger_on_hold_until_it_does() {
    let world = world(at_midnight());
    let id = add(&world, trigger(&world, hourly(), starts(&world))).await;
    let folder = crashed(world).await;
    let world = World::permitting(folder, after_five(), editors_only());
    world.host.carry_on();
    let state = held(&world, id).await;
    let problem = state.held.unwrap();
    assert_eq!(problem.code, "ADJ-5008");
    assert!(problem.message.contains("`editor`"), "{}", problem.message);
    assert_eq!(missions(&world).await, []);
    let once = [(id, Some(ann().id), "ADJ-5008".to_owned())];
    assert_eq!(noted(&world).await, once);

    let after_six = Config {
        clock: Clock::reading(|| Timestamp(MIDNIGHT + 6 * HOUR + HOUR / 6)),
        ..Config::default()
    };
    let world = World::with(crashed(world).await, after_six);
    world.host.carry_on();
    let state = until(&world, id, |state| state.fired == 1).await;
    assert_eq!(state.held, None);
    assert_eq!(missions(&world).await.len(), 1);
    assert_eq!(noted(&world).await, once);
}

#[tokio::test]
async fn a_trigger_does_not_outlive_its_key() {
    let world = world(at_midnight());
    let mission = waiting_mission(&world).await;
    give_key(&world, "gone", AccessRole::Operator, Vec::new()).await;
    let mut outlive = Vec::new();
    for schedule in [hourly(), at_two()] {
        for target in [starts(&world), informs(mission)] {
            let trigger = with_key(&world, "gone", schedule.clone(), target);
            outlive.push(add(&world, trigger).await);
        }
    }
    give_key(&world, "valid", AccessRole::Operator, Vec::new()).await;
    let valid = with_key(&world, "valid", hourly(), informs(mission));
    let valid = add(&world, valid).await;
    let revoke = Upkeep::RevokeAccess {
        which: "gone".into(),
    };
    assert_eq!(world.host.upkeep(&tenant(), revoke).await.unwrap(), 1);

    let world = World::with(crashed(world).await, after_five());
    world.host.carry_on();
    for id in &outlive {
        let why = held(&world, *id).await.held.unwrap();
        assert_eq!(why.code, "ADJ-6173");
    }
    until(&world, valid, |state| state.fired == 1).await;
    let told = told(&world, mission).await;
    let by: Vec<String> = told.iter().map(|(_, by)| by.id.to_string()).collect();
    assert_eq!(by, [valid.to_string()]);
    assert_eq!(missions(&world).await, [mission]);
    let noted = noted(&world).await;
    assert_eq!(noted.len(), outlive.len());
    assert!(noted.iter().all(|(_, by, _)| *by == Some(ole())));
}

#[tokio::test]
async fn what_a_trigger_starts_counts_for_whoever_made_it() {
    let limited = |config: Config| Config {
        starts: StartLimits {
            user_per_minute: 2,
            ..StartLimits::default()
        },
        ..config
    };
    let world = world(limited(at_midnight()));
    give_key(&world, "key", AccessRole::Operator, Vec::new()).await;
    let many = Trigger {
        missed: Missed::All,
        ..with_key(&world, "key", hourly(), starts(&world))
    };
    let id = add(&world, many).await;
    let of_owner = Trigger {
        missed: Missed::All,
        ..trigger(&world, hourly(), starts(&world))
    };
    let of_owner = add(&world, of_owner).await;
    let world = World::with(crashed(world).await, limited(after_five()));
    world.host.carry_on();
    until(&world, of_owner, |state| state.fired == 5).await;
    let state = until(&world, id, |state| {
        state.last_problem.is_some() && state.firing.is_some()
    });
    let state = state.await;
    assert_eq!(state.fired, 2);
    assert_eq!(state.last_problem.unwrap().code, "ADJ-9014");
    assert_eq!(missions(&world).await.len(), 2 + 5);
    let who = ole();
    let one_more = world
        .host
        .check_start(&tenant(), who.as_str(), limited(Config::default()).starts)
        .await;
    assert!(matches!(one_more, Err(HostError::TooManyStarts(_))));
}
