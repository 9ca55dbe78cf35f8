//! Forks on a real store: all of one or nothing, sealed with a key of its own, and paid for once.

use adjutant_host::{ForkRequest, HostError, new_mission_id};
use adjutant_mission::*;
use adjutant_store::{Store, TenantStore};

use crate::support::*;

fn plan() -> Plan {
    let long = "x".repeat(20_000);
    Plan::new(
        "fork me",
        vec![
            call("long", "noop", &format!("{{\"value\":\"{long}\"}}"), &[]),
            question("ask", &["long"]),
            call("then", "noop", "{\"value\":\"{{long.output}}\"}", &["ask"]),
        ],
    )
}

fn answer(verdict: Verdict) -> Command {
    Command::Decide {
        checkpoint: CheckpointNumber::new(0),
        decision: Decision::new(verdict),
    }
}

fn editor() -> Actor {
    ann().with_role(Role::new("editor").unwrap())
}

async fn command(world: &World, mission: MissionId, command: Command) {
    let (tenant, id) = (tenant(), world.command_id());
    let done = world.host.command(&tenant, mission, id, editor(), command);
    done.await.unwrap();
}

async fn fork(world: &World, request: ForkRequest) -> Result<MissionId, HostError> {
    let command = world.command_id();
    world.host.fork(&tenant(), editor(), command, request).await
}

fn request(world: &World, of: MissionId, at: u64) -> ForkRequest {
    ForkRequest {
        mission: new_mission_id(world.host.clock().now()).unwrap(),
        of,
        at,
        changes: Vec::new(),
    }
}

async fn asking(world: &World) -> (MissionId, u64) {
    let mission = world.open(plan()).await;
    let asks = |summary: &Summary| summary.phase == Phase::AwaitingHuman;
    world.wait_for(mission, asks).await;
    (mission, world.journal(mission).await.len() as u64)
}

#[tokio::test]
async fn a_fork_has_its_own_key_and_blobs_and_outlives_its_origin() {
    let world = World::new();
    let (origin, at) = asking(&world).await;
    let forked = fork(&world, request(&world, origin, at)).await.unwrap();
    let store = world.host.store().tenant(&tenant());
    let (of, of_fork) = (
        store.take_out(origin).await.unwrap().unwrap(),
        store.take_out(forked).await.unwrap().unwrap(),
    );
    assert_ne!(of.row.key, of_fork.row.key);
    assert_eq!((of.blobs.len(), of_fork.blobs.len()), (1, 1));
    assert_ne!(of.blobs[0].digest, of_fork.blobs[0].digest);
    assert_eq!(of_fork.inbox.len(), 1, "its question waits too");
    let charged = store.accounts(Timestamp(0)).await.unwrap();
    assert!(
        charged.iter().all(|(_, account)| account.used.calls == 1),
        "what it inherited is not paid again: {charged:?}"
    );

    let reason = "enough".into();
    command(
        &world,
        origin,
        Command::Abort {
            reason,
            undo: false,
        },
    )
    .await;
    let ended = |summary: &Summary| summary.phase.is_ended();
    world.wait_for(origin, ended).await;
    let journal = world.host.journal(&tenant());
    let now = world.host.clock().now();
    journal
        .erase(origin, now, &ann(), "asked for")
        .await
        .unwrap();

    command(&world, forked, answer(Verdict::Approve)).await;
    let done = |summary: &Summary| summary.phase == Phase::Completed;
    world.wait_for(forked, done).await;
    let folded = Mission::fold(&world.journal(forked).await).unwrap();
    let digest = |task| match folded.output(task) {
        Some(Payload::Blob { digest, .. }) => digest.clone(),
        other => unreachable!("{other:?}"),
    };
    assert_eq!(digest("long"), digest("then"), "it reads what it inherited");
    let charged = store.accounts(Timestamp(0)).await.unwrap();
    assert!(
        charged
            .iter()
            .all(|(_, of)| of.used.calls == 2 && of.reserved == Amounts::NONE)
    );
}

/// Wherever an event keeps what is too long for the journal, a fork has it, under its own key.
#[tokio::test]
async fn what_a_step_of_reasoning_gave_is_inherited_too() {
    let world = World::new();
    let (origin, _) = asking(&world).await;
    let mut events = world.journal(origin).await;
    let done = events.iter_mut().find(|one| one.event.blob().is_some());
    let done = &mut done.unwrap().event;
    let Event::TaskCompleted { task, output, .. } = done.clone() else {
        unreachable!("{done:?}")
    };
    let before = done.blob().unwrap().to_owned();
    *done = Event::StepTaken {
        task,
        taken: Box::new(StepTaken {
            step: Move {
                kind: StepKind::Think,
                role: StepRole::Step,
                pattern: Pattern::ChainOfThought,
                iteration: 1,
                uses: Vec::new(),
                part: None,
                call: None,
            },
            signs: Signs::default(),
            output,
            usage: Usage::NONE,
        }),
    };
    let journal = world.host.journal(&tenant());
    let fork = request(&world, origin, 1).mission;
    let cursor = journal.begin(fork, "a fork", &[]).await.unwrap();
    let inherited = journal.inherit(origin, events, &cursor.seal).await;
    let inherited = inherited.unwrap();
    let kept = inherited.events.iter().find_map(|one| one.event.blob());
    let blobs: Vec<String> = inherited
        .blobs
        .iter()
        .map(|blob| blob.digest.to_string())
        .collect();
    assert_eq!(blobs, [kept.unwrap()]);
    assert_ne!(kept, Some(before.as_str()), "sealed anew");
}

#[tokio::test]
async fn asking_twice_forks_once_and_what_cannot_be_forked_leaves_nothing() {
    let world = World::new();
    let (origin, at) = asking(&world).await;
    let wanted = request(&world, origin, at);
    let first = fork(&world, wanted.clone()).await.unwrap();
    assert_eq!(fork(&world, wanted).await.unwrap(), first);

    let beyond = request(&world, origin, at + 9);
    let refused = fork(&world, beyond.clone()).await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-3061");
    let store = world.host.store().tenant(&tenant());
    assert!(store.row(beyond.mission).await.unwrap().is_none());
    let unfit = ForkRequest {
        changes: vec![ForkChange::Decision {
            checkpoint: CheckpointNumber::new(7),
            decision: Decision::new(Verdict::Approve),
        }],
        ..request(&world, origin, at)
    };
    let refused = fork(&world, unfit.clone()).await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-2010");
    assert!(store.row(unfit.mission).await.unwrap().is_none());
}

#[tokio::test]
async fn a_fork_answers_and_runs_at_once() {
    let world = World::new();
    let (origin, at) = asking(&world).await;
    let wanted = ForkRequest {
        changes: vec![ForkChange::Decision {
            checkpoint: CheckpointNumber::new(0),
            decision: Decision::new(Verdict::Approve),
        }],
        ..request(&world, origin, at)
    };
    let mut feed = world.host.subscribe();
    let forked = fork(&world, wanted).await.unwrap();
    let told = loop {
        // The host may still be telling the origin's last events.
        let told = feed.recv().await.unwrap();
        if told.mission != origin {
            break told;
        }
    };
    assert_eq!(told.mission, forked);
    assert_eq!(told.events[0].seq, at + 1, "only what is new is news");
    let done = |summary: &Summary| summary.phase == Phase::Completed;
    world.wait_for(forked, done).await;
    assert!(!world.summary(origin).await.phase.is_ended());
}
