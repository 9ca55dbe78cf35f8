//! Kill switches: what is stopped is begun by nobody, missions pause for it, and go on when it is allowed.

use std::sync::Arc;

use adjutant_host::{HostError, StopNote, StopScope};
use adjutant_mission::*;
use adjutant_store::RecordKind;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::support::*;

fn tool(name: &str) -> StopScope {
    StopScope::Tool(ToolId::new(name).unwrap())
}

/// Two steps, the second of which leaves a file.
fn plan() -> Plan {
    Plan::new(
        "writes",
        vec![
            call("first", "noop", "{\"value\":1}", &[]),
            call(
                "write",
                "write_file",
                "{\"path\":\"out.txt\",\"text\":\"hello\"}",
                &["first"],
            ),
        ],
    )
}

fn wrote(world: &World) -> bool {
    world.folder.path().join("files-acme/out.txt").exists()
}

async fn stop(world: &World, scope: StopScope) -> usize {
    let tenant = tenant();
    let stopped = world.host.stop(&tenant, scope, ann(), "leaking".into());
    stopped.await.unwrap()
}

async fn allow(world: &World, scope: StopScope) -> usize {
    world.host.allow(&tenant(), scope, ann()).await.unwrap()
}

async fn command(world: &World, mission: MissionId, command: Command) -> Result<(), HostError> {
    let id = world.command_id();
    let by = ann().with_role(Role::new("editor").unwrap());
    world
        .host
        .command(&tenant(), mission, id, by, command)
        .await
}

async fn paused(world: &World, mission: MissionId) -> Mission {
    world.wait_for(mission, |summary| summary.paused).await;
    Mission::fold(&world.journal(mission).await).unwrap()
}

async fn completed(world: &World, mission: MissionId) {
    let done = |summary: &Summary| summary.phase == Phase::Completed;
    world.wait_for(mission, done).await;
}

async fn records(world: &World) -> Vec<(String, StopNote)> {
    let journal = world.host.journal(&tenant());
    journal.records(RecordKind::Stop).await.unwrap()
}

async fn answer(asked: &mut TcpStream) {
    let mut request = [0; 4096];
    assert!(asked.read(&mut request).await.unwrap() > 0);
    let nothing = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
    asked.write_all(nothing).await.unwrap();
    asked.shutdown().await.unwrap();
}

#[tokio::test]
async fn a_stopped_tool_is_not_called_until_it_is_allowed() {
    let world = World::new();
    assert_eq!(stop(&world, tool("write_file")).await, 0);
    let mission = world.open(plan()).await;
    let held = paused(&world, mission).await;
    assert!(held.is_stopped());
    let pause = held.pause().unwrap();
    assert_eq!(pause.reason, "tool `write_file` is stopped by ann: leaking");
    assert_eq!(pause.by, Some(Actor::host(Some(ann().id))));
    assert_eq!(held.task("first").unwrap().1.status, TaskStatus::Completed);
    assert!(!wrote(&world));
    assert_eq!(world.summary(mission).await.wake_at, None, "it is not due");

    let refused = command(&world, mission, Command::Resume).await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-5022");
    assert!(!wrote(&world));

    assert_eq!(allow(&world, tool("write_file")).await, 1);
    completed(&world, mission).await;
    assert!(wrote(&world));
    assert_eq!(records(&world).await, []);
    let again = world.host.allow(&tenant(), tool("write_file"), ann()).await;
    assert_eq!(again.unwrap_err().code(), "ADJ-5023");
}

#[tokio::test]
async fn a_stop_pauses_what_runs_and_lets_what_is_under_way_finish() {
    let world = World::new();
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let post = format!("{{\"url\":\"http://{}\"}}", server.local_addr().unwrap());
    let tasks = vec![
        call("post", "http_post", &post, &[]),
        call("again", "http_post", &post, &["post"]),
    ];
    let mission = world.open(Plan::new("posts", tasks)).await;
    let (mut asked, _) = server.accept().await.unwrap();
    assert_eq!(stop(&world, StopScope::Tenant).await, 1);
    let summary = world.summary(mission).await;
    assert!(summary.paused, "when the stop returns, it is paused");
    answer(&mut asked).await;
    world
        .wait_for(mission, |summary| summary.tasks_ended == 1)
        .await;
    let held = paused(&world, mission).await;
    assert_eq!(held.task("again").unwrap().1.status, TaskStatus::Ready);
    assert_eq!(allow(&world, StopScope::Tenant).await, 1);
    let (mut asked, _) = server.accept().await.unwrap();
    answer(&mut asked).await;
    completed(&world, mission).await;
}

#[tokio::test]
async fn in_a_stopped_tenant_nothing_opens_and_people_may_still_speak() {
    let world = World::new();
    let tasks = vec![question("ask", &[]), call("then", "noop", "{}", &["ask"])];
    let mission = world.open(Plan::new("ask", tasks)).await;
    let asks = |summary: &Summary| summary.phase == Phase::AwaitingHuman;
    world.wait_for(mission, asks).await;
    stop(&world, StopScope::Tenant).await;

    let start = world.start(plan(), waive_all());
    let refused = world.host.open(ann(), world.command_id(), start).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code(), "ADJ-5021");
    assert_eq!(
        refused.to_string(),
        "no mission can be started: the tenant is stopped by ann: leaking"
    );

    let decision = Decision::new(Verdict::Approve);
    let answer = Command::Decide {
        checkpoint: CheckpointNumber::new(0),
        decision,
    };
    command(&world, mission, answer).await.unwrap();
    let held = paused(&world, mission).await;
    assert_eq!(held.task("ask").unwrap().1.status, TaskStatus::Completed);
    assert_eq!(held.task("then").unwrap().1.status, TaskStatus::Ready);
    assert_eq!(allow(&world, StopScope::Tenant).await, 1);
    completed(&world, mission).await;
}

#[tokio::test]
async fn what_a_person_paused_stays_paused() {
    let world = World::new();
    stop(&world, tool("write_file")).await;
    let mission = world.open(plan()).await;
    paused(&world, mission).await;
    let lunch = Command::Pause {
        reason: "lunch".into(),
    };
    command(&world, mission, lunch).await.unwrap();
    assert_eq!(allow(&world, tool("write_file")).await, 0);
    let held = Mission::fold(&world.journal(mission).await).unwrap();
    assert!(held.is_paused() && !held.is_stopped());
    command(&world, mission, Command::Resume).await.unwrap();
    completed(&world, mission).await;
}

#[tokio::test]
async fn of_two_stops_the_last_one_lifted_lets_go() {
    let world = World::new();
    stop(&world, tool("write_file")).await;
    let mission = world.open(plan()).await;
    paused(&world, mission).await;
    stop(&world, StopScope::Tenant).await;
    assert_eq!(allow(&world, tool("write_file")).await, 0);
    assert!(world.summary(mission).await.paused);
    assert_eq!(allow(&world, StopScope::Tenant).await, 1);
    completed(&world, mission).await;
}

#[tokio::test]
async fn everything_stops_whoever_said_so_and_anybody_may_lift_it() {
    let world = World::new();
    let other = TenantId::new("other").unwrap();
    let everything = world
        .host
        .stop(&other, StopScope::All, ann(), String::new());
    everything.await.unwrap();
    let start = world.start(plan(), waive_all());
    let refused = world
        .host
        .open(ann(), world.command_id(), start.clone())
        .await;
    assert_eq!(refused.unwrap_err().code(), "ADJ-5021");
    assert_eq!(allow(&world, StopScope::All).await, 0);
    let opened = world.host.open(ann(), world.command_id(), start).await;
    completed(&world, opened.unwrap()).await;
}

/// A world whose mission owes a call of a stopped tool, left by its host.
async fn left_behind() -> (Arc<tempfile::TempDir>, MissionId) {
    let world = World::new();
    stop(&world, tool("write_file")).await;
    let mission = world.open(plan()).await;
    paused(&world, mission).await;
    world.host.store().close().await.unwrap();
    (Arc::clone(&world.folder), mission)
}

#[tokio::test]
async fn a_stop_outlives_its_host() {
    let (folder, mission) = left_behind().await;
    let world = World::reopened(folder);
    world.host.carry_on();
    world.host.take_up(&tenant(), mission);
    let other = world.open(plan()).await;
    paused(&world, other).await;
    assert!(world.summary(mission).await.paused);
    assert!(!wrote(&world));
    assert_eq!(allow(&world, tool("write_file")).await, 2);
    completed(&world, mission).await;
    completed(&world, other).await;
}

#[tokio::test]
async fn a_mission_that_was_not_paused_in_time_is_paused_when_it_comes_up() {
    let folder = {
        let world = World::new();
        let tasks = vec![
            call("nap", "sleep", "{\"seconds\":3600}", &[]),
            call("after", "noop", "{}", &["nap"]),
        ];
        let mission = world.open(Plan::new("cut off", tasks)).await;
        // The stop was recorded, and the host killed before any mission heard of it.
        let note = StopNote {
            by: ann(),
            at: world.host.clock().now(),
            reason: String::new(),
            allowed_by: None,
        };
        let journal = world.host.journal(&tenant());
        let put = journal.put_record(RecordKind::Stop, "tenant", &note);
        put.await.unwrap();
        world.host.store().close().await.unwrap();
        (Arc::clone(&world.folder), mission)
    };
    let (folder, mission) = folder;
    let world = World::reopened(folder);
    world.host.carry_on();
    let held = paused(&world, mission).await;
    assert!(held.is_stopped());
}

#[tokio::test]
async fn a_host_killed_while_it_allowed_something_leaves_that_to_the_next() {
    let (folder, mission) = left_behind().await;
    {
        let world = World::reopened(Arc::clone(&folder));
        let (name, note) = records(&world).await.remove(0);
        let note = StopNote {
            allowed_by: Some(ann()),
            ..note
        };
        let journal = world.host.journal(&tenant());
        let put = journal.put_record(RecordKind::Stop, &name, &note);
        put.await.unwrap();
        world.host.store().close().await.unwrap();
    }
    let world = World::reopened(folder);
    world.host.carry_on();
    completed(&world, mission).await;
    assert!(wrote(&world));
}

#[tokio::test]
async fn an_undo_that_was_held_goes_on_in_a_host_that_does_not_carry_on() {
    let world = World::new();
    let mut write = call(
        "write",
        "write_file",
        "{\"path\":\"out.txt\",\"text\":\"hello\"}",
        &[],
    );
    write.undo = Some(Undo {
        tool: ToolId::new("noop").unwrap(),
        with: Json::parse("{}").unwrap(),
        retry: Retry::default(),
    });
    let mission = world
        .open(Plan::new("undo", vec![write, question("ask", &["write"])]))
        .await;
    let asks = |summary: &Summary| summary.phase == Phase::AwaitingHuman;
    world.wait_for(mission, asks).await;
    stop(&world, tool("noop")).await;
    let abort = Command::Abort {
        reason: "off".into(),
        undo: true,
    };
    command(&world, mission, abort).await.unwrap();
    while world.host.active() > 0 {
        tokio::task::yield_now().await;
    }
    allow(&world, tool("noop")).await;
    let ended = |summary: &Summary| summary.phase == Phase::Cancelled;
    world.wait_for(mission, ended).await;
    let folded = Mission::fold(&world.journal(mission).await).unwrap();
    let report = folded.undo_report();
    assert_eq!(report, [(key("write"), UndoOutcome::Undone)]);
}
