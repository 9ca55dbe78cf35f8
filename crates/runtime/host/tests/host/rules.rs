//! A tenant's rules in a host: which missions start, whom they ask, and which rules hold for one that runs.

use std::sync::Arc;

use adjutant_effects::{RuleBook, RuleSet};
use adjutant_host::{Config, HostError, Performs};
use adjutant_mission::*;
use adjutant_rules::{Approver, Decision as RuleDecision, RuleSource, Subject};
use serde_json::json;

use crate::support::{World, ann, tenant, waive_all};

fn rule(on: Subject, when: &str, then: RuleDecision) -> RuleSource {
    RuleSource {
        name: format!("{on}-{then}"),
        on,
        when: when.to_owned(),
        then,
        approver: Approver::Anyone,
        because: "so it was decided".to_owned(),
    }
}

fn book(rules: Vec<RuleSource>) -> RuleBook {
    RuleBook {
        general: Some(Arc::new(RuleSet::new(rules).unwrap())),
        ..RuleBook::default()
    }
}

fn config(rules: Vec<RuleSource>) -> Config {
    Config {
        rules: book(rules),
        ..Config::default()
    }
}

fn world(config: Config) -> World {
    World::with(Arc::new(tempfile::TempDir::new().unwrap()), config)
}

fn plan(money: Option<u64>) -> Plan {
    let call = ToolCall {
        tool: ToolId::new("noop").unwrap(),
        with: Json::encode(&json!({})).unwrap(),
    };
    let task = Task::new(TaskKey::new("say").unwrap(), WorkSpec::Tool(call));
    Plan {
        caps: Caps {
            money: money.map(MicroUsd),
            ..Caps::default()
        },
        ..Plan::new("Say something", vec![task])
    }
}

async fn is_listed(world: &World, mission: MissionId) -> bool {
    let listed = world.host.journal(&tenant()).summary(mission).await;
    listed.unwrap().is_some()
}

#[tokio::test]
async fn a_denied_mission_does_not_start() {
    let world = world(config(vec![rule(
        Subject::Mission,
        "has(mission.budget) && mission.budget > 10.0 && 'noop' in mission.tools && mission.started_by == 'ann'",
        RuleDecision::Deny,
    )]));
    let start = world.start(plan(Some(11_000_000)), waive_all());
    let mission = start.mission;
    let refused = world.host.open(ann(), world.command_id(), start).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code(), "ADJ-6192");
    assert_eq!(
        refused.to_string(),
        "the mission is not started: not permitted by rule `mission-deny`: so it was decided"
    );
    assert!(!is_listed(&world, mission).await);
    world.open(plan(Some(9_000_000))).await;
}

/// What was approved in advance does not go past a rule, and whoever starts it is not the second person.
#[tokio::test]
async fn a_rule_that_asks_has_the_plan_approved_by_another_person() {
    let asks = RuleSource {
        approver: Approver::AnotherPerson,
        ..rule(Subject::Mission, "!has(mission.budget)", RuleDecision::Ask)
    };
    let world = world(config(vec![asks]));
    let mission = world.open(plan(None)).await;
    let waiting = |summary: &Summary| summary.phase == Phase::AwaitingHuman;
    world.wait_for(mission, waiting).await;
    let approve = |by: Actor| {
        let command = Command::Decide {
            checkpoint: CheckpointNumber::new(0),
            decision: Decision::new(Verdict::Approve),
        };
        let (host, tenant, id) = (&world.host, tenant(), world.command_id());
        async move { host.command(&tenant, mission, id, by, command).await }
    };
    let own = approve(ann()).await;
    assert!(matches!(own, Err(HostError::Refused(_))), "{own:?}");
    let ben = Actor::human(AgentId::new("ben").unwrap());
    approve(ben).await.unwrap();
    let ended = |summary: &Summary| summary.phase == Phase::Completed;
    world.wait_for(mission, ended).await;
    // One that the rule says nothing about asks nobody.
    let small = world.open(plan(Some(1_000_000))).await;
    world.wait_for(small, ended).await;
}

/// A caller's own record of rules is none.
#[tokio::test]
async fn what_a_caller_gives_as_rules_in_force_is_not_believed() {
    let world = world(config(vec![rule(
        Subject::Mission,
        "'plan_approval' in mission.waived",
        RuleDecision::Deny,
    )]));
    let forged = json!({ "rules_in_force": {
        "sets": [], "before": { "four_eyes": [], "waived": [] }, "ruling": { "decision": "allow" },
    }});
    let plan = Plan {
        inputs: Some(Json::encode(&forged).unwrap()),
        ..plan(None)
    };
    let start = world.start(plan, waive_all());
    let refused = world.host.open(ann(), world.command_id(), start).await;
    assert_eq!(refused.unwrap_err().code(), "ADJ-6192");
}

/// The file is emptied while a mission waits: it goes on under the rules it started with. One that starts now is free.
#[tokio::test]
async fn a_running_mission_does_not_become_freer() {
    let denies = || rule(Subject::Call, "call.tool == 'noop'", RuleDecision::Deny);
    let before = world(Config {
        performs: Performs::Nothing,
        ..config(vec![denies()])
    });
    let mission = before.open(plan(None)).await;
    let folder = Arc::clone(&before.folder);
    before.host.drain().await;
    drop(before);

    let after = World::with(folder, Config::default());
    after.host.take_up(&tenant(), mission);
    let stuck = |summary: &Summary| summary.phase == Phase::AwaitingHuman;
    after.wait_for(mission, stuck).await;
    let journal = after.journal(mission).await;
    let denied = journal.iter().any(|recorded| {
        matches!(&recorded.event, Event::AttemptFailed { failure, .. }
            if failure.kind == FailureKind::Denied && failure.message.contains("`call-deny`"))
    });
    assert!(denied, "{journal:?}");
    let free = after.open(plan(None)).await;
    let ended = |summary: &Summary| summary.phase == Phase::Completed;
    after.wait_for(free, ended).await;
}

/// The other way round: rules that come into force hold for what runs already.
#[tokio::test]
async fn new_rules_hold_for_a_running_mission() {
    let before = world(Config {
        performs: Performs::Nothing,
        ..Config::default()
    });
    let mission = before.open(plan(None)).await;
    let folder = Arc::clone(&before.folder);
    before.host.drain().await;
    drop(before);
    let denies = rule(Subject::Call, "true", RuleDecision::Deny);
    let after = World::with(folder, config(vec![denies]));
    after.host.take_up(&tenant(), mission);
    let stuck = |summary: &Summary| summary.phase == Phase::AwaitingHuman;
    after.wait_for(mission, stuck).await;
}

#[tokio::test]
async fn a_tenant_without_rules_is_not_under_those_of_another() {
    let mut config = Config::default();
    let other = TenantId::new("other").unwrap();
    let denies = RuleSet::new(vec![rule(Subject::Mission, "true", RuleDecision::Deny)]).unwrap();
    config.rules.of.insert(other, Arc::new(denies));
    let world = world(config);
    let mission = world.open(plan(None)).await;
    let ended = |summary: &Summary| summary.phase == Phase::Completed;
    world.wait_for(mission, ended).await;
    let opened = world.journal(mission).await;
    let has_inputs = opened.iter().any(|recorded| {
        matches!(&recorded.event, Event::MissionOpened(opened) if opened.plan.inputs.is_some())
    });
    assert!(!has_inputs);
}

#[tokio::test]
async fn a_fork_is_asked_about_again() {
    let mut config = Config::default();
    let world_before = world(config.clone());
    let of = world_before.open(plan(None)).await;
    let ended = |summary: &Summary| summary.phase == Phase::Completed;
    world_before.wait_for(of, ended).await;
    let folder = Arc::clone(&world_before.folder);
    world_before.host.drain().await;
    drop(world_before);
    config.rules = book(vec![rule(Subject::Mission, "true", RuleDecision::Ask)]);
    let world = World::with(folder, config);
    let request = adjutant_host::ForkRequest {
        mission: world.start(plan(None), Vec::new()).mission,
        of,
        at: 1,
        changes: Vec::new(),
    };
    let refused = world
        .host
        .fork(&tenant(), ann(), world.command_id(), request)
        .await;
    assert_eq!(refused.unwrap_err().code(), "ADJ-6197");
}
