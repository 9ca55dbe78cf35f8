//! Supervisors in a host: what they want reaches the mission, once, whatever becomes of the host.

use std::sync::Arc;

use adjutant_host::{Config, HostError, Performs};
use adjutant_mission::*;
use adjutant_supervision::{Supervisor, check};
use serde_json::{Value, json};

use crate::support::{World, ann, call, tenant, waive_all};

fn supervised(tasks: Vec<Task>, supervisors: Value) -> Plan {
    let inputs = json!({ adjutant_supervision::SUPERVISORS_INPUT: supervisors });
    Plan {
        inputs: Some(Json::encode(&inputs).unwrap()),
        ..Plan::new("watched", tasks)
    }
}

fn rules(when: &str, then: &str) -> Value {
    json!([{"kind": "rules", "name": "limits", "rules": [
        {"name": "r", "when": when, "then": then, "because": "so it was decided"}
    ]}])
}

/// Three tasks one after the other, and the first of them fails at once and for good.
fn failing() -> Vec<Task> {
    let retry = Retry {
        attempts: 5,
        backoff: Millis(1),
        factor: 1,
        backoff_max: Millis(1),
    };
    let fails = Task {
        retry,
        ..call("fails", "http", "{\"url\":\"http://127.0.0.1:1/\"}", &[])
    };
    vec![fails, call("next", "noop", "{\"value\":1}", &["fails"])]
}

async fn commands_of(world: &World, mission: MissionId) -> Vec<String> {
    let journal = world.journal(mission).await;
    let own = journal.iter().filter(|recorded| {
        let actor = recorded.actor.as_ref();
        actor.is_some_and(|actor| actor.id.as_str() == "supervisor:limits")
    });
    own.map(|recorded| match &recorded.event {
        Event::StopRequested { reason, .. } | Event::MissionPaused { reason } => reason.clone(),
        other => other.name().to_owned(),
    })
    .collect()
}

#[tokio::test]
async fn a_failed_attempt_is_answered_by_an_abort_with_its_reason() {
    let world = World::new();
    let mission = world
        .open(supervised(failing(), rules("mission.errors > 0", "abort")))
        .await;
    let ended = |summary: &Summary| summary.phase == Phase::Cancelled;
    world.wait_for(mission, ended).await;
    let commands = commands_of(&world, mission).await;
    assert_eq!(commands.len(), 1, "{commands:?}");
    assert!(
        commands[0].starts_with("supervisor `limits`: so it was decided (event "),
        "{commands:?}"
    );
}

#[tokio::test]
async fn a_paused_mission_starts_nothing_until_a_person_resumes_it_and_stays_resumed() {
    let world = World::new();
    let tasks = vec![
        call("one", "noop", "{\"value\":1}", &[]),
        call("two", "noop", "{\"value\":2}", &["one"]),
    ];
    let plan = supervised(tasks, rules("mission.completed == 1", "pause"));
    let mission = world.open(plan).await;
    world.wait_for(mission, |summary| summary.paused).await;
    let resumed = world
        .host
        .command(
            &tenant(),
            mission,
            world.command_id(),
            ann(),
            Command::Resume,
        )
        .await;
    resumed.unwrap();
    let ended = |summary: &Summary| summary.phase == Phase::Completed;
    world.wait_for(mission, ended).await;
    assert_eq!(commands_of(&world, mission).await.len(), 1);
}

/// What gave the occasion is durable, and the host is gone before it gave the command. The mission waits for a person, so nothing
/// wakes it by itself.
#[tokio::test]
async fn a_host_that_starts_makes_up_for_a_command_that_the_last_one_did_not_give() {
    let records_only = Config {
        performs: Performs::Nothing,
        ..Config::default()
    };
    let world = World::with(Arc::new(tempfile::TempDir::new().unwrap()), records_only);
    let tasks = vec![call("one", "noop", "{\"value\":1}", &[])];
    let plan = supervised(tasks, rules("mission.tasks > 0", "pause"));
    let mission = world.open_with(plan, Vec::new()).await;
    assert_eq!(commands_of(&world, mission).await, Vec::<String>::new());
    world.host.store().close().await.unwrap();
    let folder = Arc::clone(&world.folder);
    drop(world);

    let world = World::reopened(Arc::clone(&folder));
    world.host.carry_on();
    world.wait_for(mission, |summary| summary.paused).await;
    assert_eq!(commands_of(&world, mission).await.len(), 1);
    world.host.store().close().await.unwrap();
    drop(world);

    let world = World::reopened(folder);
    world.host.carry_on();
    let resumed = world
        .host
        .command(
            &tenant(),
            mission,
            world.command_id(),
            ann(),
            Command::Resume,
        )
        .await;
    resumed.unwrap();
    assert_eq!(
        commands_of(&world, mission).await.len(),
        1,
        "a third host does not give it again"
    );
}

#[tokio::test]
async fn the_operators_watch_every_mission_whatever_its_plan_says_of_them() {
    let operators: Vec<Supervisor> = check(&rules("mission.errors > 0", "abort")).unwrap();
    let config = Config {
        supervisors: operators,
        ..Config::default()
    };
    let world = World::with(Arc::new(tempfile::TempDir::new().unwrap()), config);
    let ended = |summary: &Summary| summary.phase == Phase::Cancelled;
    let forged = json!({"of_settings": []});
    for plan in [Plan::new("plain", failing()), supervised(failing(), forged)] {
        let mission = world.open(plan).await;
        world.wait_for(mission, ended).await;
        assert_eq!(commands_of(&world, mission).await.len(), 1);
    }
}

#[tokio::test]
async fn a_mission_with_supervisors_that_cannot_be_is_not_started() {
    let world = World::new();
    for (declared, code) in [
        (rules("mission.eror > 0", "abort"), "ADJ-6270"),
        (json!({"of_plan": [{"kind": "oracle"}]}), "ADJ-6271"),
    ] {
        let start = world.start(supervised(failing(), declared), waive_all());
        let mission = start.mission;
        let refused = world.host.open(ann(), world.command_id(), start).await;
        let refused = refused.unwrap_err();
        assert!(matches!(refused, HostError::Supervisors(_)), "{refused}");
        assert_eq!(refused.code(), code);
        let listed = world.host.journal(&tenant()).summary(mission).await;
        assert!(listed.unwrap().is_none());
    }
}
