//! What the operator permits of tools: who may plan calls of them, and how often they are called.

use std::sync::Arc;

use adjutant_host::{Clock, Config, HostError};
use adjutant_mission::*;
use adjutant_tools::{Limit, Permissions};
use tempfile::TempDir;

use crate::support::*;

fn limited(tool: &str, limit: Limit) -> Permissions {
    let mut permissions = Permissions::default();
    permissions.general.limits = [(tool.to_owned(), limit)].into();
    permissions
}

fn world(permissions: Permissions) -> World {
    let folder = Arc::new(TempDir::new().unwrap());
    World::permitting(folder, Config::default(), permissions)
}

fn noop() -> Plan {
    Plan::new("one", vec![call("one", "noop", "{\"value\":1}", &[])])
}

/// As many calls of one tool, one after the other.
fn calls(count: usize) -> Plan {
    let keys: Vec<String> = (0..count).map(|number| format!("call-{number}")).collect();
    let tasks = keys.iter().enumerate().map(|(at, key)| {
        let after: Vec<&str> = at
            .checked_sub(1)
            .map(|at| keys[at].as_str())
            .into_iter()
            .collect();
        call(key, "noop", "{\"value\":1}", &after)
    });
    Plan::new("calls", tasks.collect())
}

async fn open(world: &World, by: Actor, plan: Plan) -> Result<MissionId, HostError> {
    let start = world.start(plan, waive_all());
    world.host.open(by, world.command_id(), start).await
}

#[tokio::test]
async fn a_plan_is_opened_only_in_a_role_that_may() {
    let mut permissions = Permissions::default();
    let editors = vec![Role::new("editor").unwrap()];
    permissions.general.roles = [("noop".to_owned(), editors)].into();
    let world = world(permissions);
    let refused = open(&world, ann(), noop()).await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-5008");
    assert_eq!(
        refused.to_string(),
        "the plan calls tools that are not permitted: planning calls of `noop` requires the role `editor`; yours is \
         none"
    );
    let editor = ann().with_role(Role::new("editor").unwrap());
    let mission = open(&world, editor, noop()).await.unwrap();
    let done = |summary: &Summary| summary.phase == Phase::Completed;
    world.wait_for(mission, done).await;
}

#[tokio::test]
async fn a_change_of_the_plan_is_held_to_the_same() {
    let mut permissions = Permissions::default();
    permissions.general.deny = vec!["sleep".into()];
    let world = world(permissions);
    let waits = Plan::new("waits", vec![question("ask", &[])]);
    let mission = open(&world, ann(), waits).await.unwrap();
    let patch = PlanPatch {
        add: vec![call("nap", "sleep", "{\"seconds\":0}", &[])],
        tools: world.registry.table(),
        ..PlanPatch::default()
    };
    let replan = Command::Replan {
        patch: Box::new(patch),
        why: "rest".into(),
    };
    let id = world.command_id();
    let refused = world
        .host
        .command(&tenant(), mission, id, ann(), replan)
        .await;
    assert_eq!(refused.unwrap_err().code(), "ADJ-5008");
}

/// A caller that says what a tool is could have it called without approval.
#[tokio::test]
async fn what_a_tool_is_comes_from_the_registry_and_not_from_the_caller() {
    let world = world(Permissions::default());
    let real = world.registry.table();
    let post = ToolId::new("http_post").unwrap();
    let lie = ToolFacts {
        class: EffectClass::Pure,
        price: MicroUsd::ZERO,
        ..real[&post]
    };
    assert_ne!(real[&post], lie);
    for lies in [ToolTable::from([(post.clone(), lie)]), ToolTable::new()] {
        let patch = Box::new(PlanPatch {
            add: vec![call(
                "send",
                "http_post",
                "{\"url\":\"http://127.0.0.1:9\"}",
                &["ask"],
            )],
            tools: lies,
            ..PlanPatch::default()
        });
        let replan = Command::Replan {
            patch: patch.clone(),
            why: "send it".into(),
        };
        let modify = Command::Decide {
            checkpoint: CheckpointNumber::new(0),
            decision: Decision {
                patch: Some(patch),
                ..Decision::new(Verdict::Modify)
            },
        };
        let strict = |plan: Plan| Plan {
            autonomy: Autonomy::Strict,
            ..plan
        };
        let waits = strict(Plan::new("waits", vec![question("ask", &[])]));
        for (command, waivers) in [(replan, waive_all()), (modify, Vec::new())] {
            let start = Start {
                tools: ToolTable::new(),
                ..world.start(waits.clone(), waivers)
            };
            let opened = world.host.open(ann(), world.command_id(), start);
            let mission = opened.await.unwrap();
            let id = world.command_id();
            let tenant = tenant();
            let sent = world.host.command(&tenant, mission, id, ann(), command);
            sent.await.unwrap();
            let journal = world.journal(mission).await;
            let changed = journal.iter().find_map(|recorded| match &recorded.event {
                Event::PlanChanged { patch, .. } => Some(patch.tools.clone()),
                _ => None,
            });
            assert_eq!(changed.unwrap()[&post], real[&post]);
        }
    }
}

#[tokio::test]
async fn the_limit_of_a_day_holds_over_a_restart() {
    let folder = Arc::new(TempDir::new().unwrap());
    let limit = Limit {
        per_day: Some(3),
        ..Limit::default()
    };
    let world = || {
        let config = Config {
            clock: Clock::reading(|| Timestamp(1_750_075_200_000)),
            ..Config::default()
        };
        World::permitting(Arc::clone(&folder), config, limited("noop", limit))
    };
    let first = world();
    let mission = first.open(calls(2)).await;
    let done = |summary: &Summary| summary.phase == Phase::Completed;
    first.wait_for(mission, done).await;
    drop(first);

    let second = world();
    let mission = second.open(calls(2)).await;
    let asks = |summary: &Summary| summary.phase == Phase::AwaitingHuman;
    second.wait_for(mission, asks).await;
    let folded = Mission::fold(&second.journal(mission).await).unwrap();
    assert_eq!(
        folded.task("call-0").unwrap().1.status,
        TaskStatus::Completed
    );
    assert_ne!(
        folded.task("call-1").unwrap().1.status,
        TaskStatus::Completed
    );
}

#[tokio::test]
async fn a_rule_for_four_eyes_holds_for_whatever_is_opened() {
    let config = Config {
        four_eyes: vec![CheckpointType::FinalReview],
        ..Config::default()
    };
    let world = World::with(Arc::new(TempDir::new().unwrap()), config);
    let mission = world.open(noop()).await;
    let asks = |summary: &Summary| summary.phase == Phase::AwaitingHuman;
    world.wait_for(mission, asks).await;
    let approve = |by: Actor| {
        let decision = Decision::new(Verdict::Approve);
        let command = Command::Decide {
            checkpoint: CheckpointNumber::new(0),
            decision,
        };
        let id = world.command_id();
        let host = world.host.clone();
        async move { host.command(&tenant(), mission, id, by, command).await }
    };
    let refused = approve(ann()).await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-2013", "{refused}");
    let bea = Actor::human(AgentId::new("bea").unwrap());
    approve(bea).await.unwrap();
    let ended = |summary: &Summary| summary.phase == Phase::Completed;
    world.wait_for(mission, ended).await;
}

/// The autonomy that a mission was opened with.
async fn autonomy_of(world: &World, mission: MissionId) -> Autonomy {
    let journal = world.journal(mission).await;
    Mission::fold(&journal).unwrap().plan().autonomy
}

#[tokio::test]
async fn no_mission_asks_less_than_the_rule_or_the_mission_above_it() {
    let config = Config {
        autonomy: Some(Autonomy::Balanced),
        ..Config::default()
    };
    let world = World::with(Arc::new(TempDir::new().unwrap()), config);
    let lax = Plan {
        autonomy: Autonomy::Permissive,
        ..noop()
    };
    let mission = world.open(lax.clone()).await;
    assert_eq!(autonomy_of(&world, mission).await, Autonomy::Balanced);
    let inner = SubMission {
        plan: lax,
        with: None,
        sandbox: Sandbox::Light,
    };
    let task = Task::new(key("inner"), WorkSpec::Mission(Box::new(inner)));
    let strict = Plan {
        autonomy: Autonomy::Strict,
        ..Plan::new("outer", vec![task])
    };
    let outer = world.open(strict).await;
    let ended = |summary: &Summary| summary.phase == Phase::Completed;
    world.wait_for(outer, ended).await;
    let journal = world.journal(outer).await;
    let mut begun = journal.iter().filter_map(|recorded| match recorded.event {
        Event::TaskStarted { effect, .. } => effect,
        _ => None,
    });
    let effect = EffectId {
        mission: outer,
        number: begun.next().unwrap(),
    };
    let child = MissionId::of_effect(effect);
    assert_eq!(autonomy_of(&world, child).await, Autonomy::Strict);
}
