//! Missions from opening to their end, through pauses, restarts and trouble.

use std::sync::Arc;

use adjutant_host::HostError;
use adjutant_mission::*;
use adjutant_store::{Store, TenantStore};

use crate::support::*;

fn editor() -> Actor {
    ann().with_role(Role::new("editor").unwrap())
}

#[tokio::test]
async fn outputs_flow_along_references_and_large_ones_through_blobs() {
    let world = World::new();
    let long = "x".repeat(20_000);
    let plan = Plan::new(
        "flow",
        vec![
            call("long", "noop", &format!("{{\"value\":\"{long}\"}}"), &[]),
            call("short", "noop", "{\"value\":{\"n\":[1,2,3]}}", &[]),
            call(
                "join",
                "noop",
                "{\"value\":[\"{{short.output.n.1}}\",\"{{long.output}}\"]}",
                &["long", "short"],
            ),
        ],
    );
    let mission = world.open(plan).await;
    world
        .wait_for(mission, |summary| summary.phase == Phase::Completed)
        .await;
    let folded = Mission::fold(&world.journal(mission).await).unwrap();
    let Some(Payload::Blob { digest, bytes, .. }) = folded.output("join") else {
        unreachable!("the joined output is large")
    };
    let journal = world.host.journal(&tenant());
    let digest = digest.parse().unwrap();
    let stored = journal.store().blob(mission, digest).await.unwrap();
    let sealed = String::from_utf8_lossy(&stored.unwrap()).into_owned();
    assert!(!sealed.contains("xxxx"), "it is sealed");
    let seal = journal.load(mission).await.unwrap().1.seal;
    let output = journal.output(&seal, mission, digest).await.unwrap();
    let output = output.unwrap();
    assert_eq!(output.text().len() as u64, *bytes);
    assert_eq!(output.text(), format!("[2,\"{long}\"]"));
}

#[tokio::test]
async fn a_mission_that_waits_for_a_person_leaves_memory_and_comes_back_for_the_answer() {
    let world = World::new();
    let plan = Plan::new(
        "ask",
        vec![question("ask", &[]), call("then", "noop", "{}", &["ask"])],
    );
    let mission = world.open(plan).await;
    world
        .wait_for(mission, |summary| summary.phase == Phase::AwaitingHuman)
        .await;
    while world.host.active() > 0 {
        tokio::task::yield_now().await;
    }
    let inbox = world
        .host
        .store()
        .tenant(&tenant())
        .inbox(10)
        .await
        .unwrap();
    assert_eq!(inbox.len(), 1);
    let decision = Decision::new(Verdict::Approve);
    let command = Command::Decide {
        checkpoint: CheckpointNumber::new(0),
        decision,
    };
    let id = world.command_id();
    let refused = world
        .host
        .command(&tenant(), mission, id, ann(), command.clone())
        .await;
    assert!(matches!(
        refused,
        Err(HostError::Refused(Refused::RoleMissing { .. }))
    ));
    let id = world.command_id();
    world
        .host
        .command(&tenant(), mission, id, editor(), command.clone())
        .await
        .unwrap();
    let again = world
        .host
        .command(&tenant(), mission, id, editor(), command)
        .await;
    assert!(matches!(
        again,
        Err(HostError::Refused(Refused::CommandRepeated))
    ));
    world
        .wait_for(mission, |summary| summary.phase == Phase::Completed)
        .await;
    assert!(
        world
            .host
            .store()
            .tenant(&tenant())
            .inbox(10)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn opening_the_same_mission_twice_opens_one() {
    let world = World::new();
    let start = world.start(
        Plan::new("one", vec![call("a", "noop", "{}", &[])]),
        waive_all(),
    );
    let first = world
        .host
        .open(ann(), world.command_id(), start.clone())
        .await
        .unwrap();
    world
        .wait_for(first, |summary| summary.phase == Phase::Completed)
        .await;
    let second = world
        .host
        .open(ann(), world.command_id(), start)
        .await
        .unwrap();
    assert_eq!(first, second);
    let openings = world
        .journal(first)
        .await
        .into_iter()
        .filter(|recorded| matches!(recorded.event, Event::MissionOpened(_)))
        .count();
    assert_eq!(openings, 1);
}

#[tokio::test]
async fn of_many_who_open_the_same_mission_at_once_all_find_one() {
    let world = World::new();
    let start = world.start(
        Plan::new("one", vec![call("a", "noop", "{}", &[])]),
        waive_all(),
    );
    let opening = (0..16).map(|_| world.host.open(ann(), world.command_id(), start.clone()));
    for opened in futures::future::join_all(opening).await {
        assert_eq!(opened.unwrap(), start.mission);
    }
    let openings = world
        .journal(start.mission)
        .await
        .into_iter()
        .filter(|recorded| matches!(recorded.event, Event::MissionOpened(_)))
        .count();
    assert_eq!(openings, 1);
}

#[tokio::test]
async fn a_second_host_takes_up_what_the_first_left_unfinished() {
    let folder = {
        let world = World::new();
        let plan = Plan::new(
            "cut off",
            vec![
                call("first", "noop", "{\"value\":1}", &[]),
                call("slow", "sleep", "{\"seconds\":3600}", &["first"]),
            ],
        );
        let mission = world.open(plan).await;
        world
            .wait_for(mission, |summary| summary.tasks_ended == 1)
            .await;
        // The host is dropped with the runtime still holding its runner: abort it with a command through
        // the next one. Here the store is closed under it, as a crash would.
        world.host.store().close().await.unwrap();
        (Arc::clone(&world.folder), mission)
    };
    let (folder, mission) = folder;
    let world = World::reopened(folder);
    world.host.carry_on();
    world
        .wait_for(mission, |summary| summary.phase == Phase::Executing)
        .await;
    let command = Command::Abort {
        reason: "enough".into(),
        undo: false,
    };
    world
        .host
        .command(&tenant(), mission, world.command_id(), ann(), command)
        .await
        .unwrap();
    world
        .wait_for(mission, |summary| summary.phase == Phase::Cancelled)
        .await;
}

#[tokio::test]
async fn a_deadline_passes_even_when_nobody_holds_the_mission_in_memory() {
    let world = World::new();
    let plan = Plan {
        checkpoint_deadline: Millis(2_600),
        ..Plan::new("silence", vec![call("a", "noop", "{}", &[])])
    };
    world.host.carry_on();
    let mission = world.open_with(plan, Vec::new()).await;
    let ended = world
        .wait_for(mission, |summary| summary.phase.is_ended())
        .await;
    assert_eq!(
        ended.phase,
        Phase::Cancelled,
        "silence about the plan is a no"
    );
}

#[tokio::test]
async fn a_drained_host_waits_for_what_runs_and_refuses_what_is_new() {
    let world = World::new();
    let plan = Plan::new(
        "drain",
        vec![
            call("nap", "sleep", "{\"seconds\":0.2}", &[]),
            call("after", "noop", "{}", &["nap"]),
        ],
    );
    let mission = world.open(plan).await;
    world.host.drain().await;
    let summary = world.summary(mission).await;
    assert_eq!((summary.tasks_ended, summary.phase), (1, Phase::Executing));
    let start = world.start(
        Plan::new("new", vec![call("a", "noop", "{}", &[])]),
        waive_all(),
    );
    let refused = world.host.open(ann(), world.command_id(), start).await;
    assert!(matches!(refused, Err(HostError::Draining)));
}
