//! Two missions side by side.

use std::collections::BTreeMap;

use crate::support::*;
use adjutant_mission::{CheckpointNumber, *};

const LATER: Timestamp = Timestamp(90_000_000_000);

fn compare(a: &World, b: &World) -> Comparison {
    compare_with(a, b, &BTreeMap::new())
}

fn compare_with(a: &World, b: &World, blobs: &BTreeMap<String, Json>) -> Comparison {
    Comparison::of(looked(a, blobs), looked(b, blobs))
}

fn looked<'a>(world: &'a World, blobs: &'a BTreeMap<String, Json>) -> Look<'a> {
    Look {
        events: &world.journal,
        mission: world.mission(),
        blobs,
    }
}

fn choice() -> Plan {
    let ask = question("ask", &["first"], |human| {
        human.options = vec![option("left"), option("right")];
    });
    let tasks = vec![
        tool("first", "dear", &[]),
        ask,
        tool("then", "dear", &["ask"]),
    ];
    Plan {
        inputs: Some(json("{\"topic\":\"lamps\"}")),
        ..Plan::new("choice", tasks)
    }
}

fn dear(output: &str) -> Outcome {
    Outcome::done(Payload::Inline(json(output)), cost(1_000_000, 0))
}

#[test]
fn a_fork_beside_its_origin_tells_what_was_inherited_and_what_came_out_otherwise() {
    let mut world = World::started(choice());
    world.finish("first", dear("1"));
    world.pass(Millis(60_000));
    let at = world.journal.len();
    world.choose(0, "left").unwrap();
    world.finish("then", dear("\"left\""));
    let decision = Decision {
        option: Some(OptionKey::new("right").unwrap()),
        ..Decision::new(Verdict::Approve)
    };
    let changes = vec![
        ForkChange::Input {
            name: "topic".into(),
            value: json("\"chairs\""),
        },
        ForkChange::Decision {
            checkpoint: CheckpointNumber::new(0),
            decision,
        },
    ];
    let mut fork = world.fork_as(ann(), at, LATER, changes).unwrap();
    fork.pass(Millis(2_000));
    fork.finish("then", dear("\"right\""));

    let told = compare(&world, &fork);
    assert_eq!(told.events_shared, at as u64);
    let forked = told.b.forked.unwrap();
    assert_eq!((forked.of, forked.at), (mission_id(), at as u64));
    assert_eq!(told.a.inherited, Spent::default());
    assert_eq!(told.a.own.usage, cost(2_000_000, 0));
    assert_eq!((told.a.own.calls, told.a.own.time), (2, Millis(60_000)));
    assert_eq!(told.b.inherited.usage, cost(1_000_000, 0));
    assert_eq!(told.b.own.usage, cost(1_000_000, 0));
    assert_eq!((told.b.inherited.calls, told.b.own.calls), (1, 1));
    assert_eq!(told.b.own.time, Millis(2_000));

    let [topic] = told.plan.as_slice() else {
        panic!("{:?}", told.plan);
    };
    assert_eq!(topic.what, "inputs.topic");
    assert_eq!(topic.b, Some(json("\"chairs\"")));

    let same: Vec<(&str, bool)> = told
        .decisions
        .iter()
        .map(|pair| (pair.question.as_str(), pair.same))
        .collect();
    assert_eq!(
        same,
        [
            ("Run the plan “choice”?", true),
            ("Which way?", false),
            ("Deliver the result of “choice”?", true)
        ]
    );
    let results: Vec<(&str, bool, bool)> = told
        .results
        .iter()
        .map(|pair| {
            (
                pair.task.as_str(),
                pair.same,
                pair.b.as_ref().unwrap().shared,
            )
        })
        .collect();
    assert_eq!(
        results,
        [
            ("first", true, true),
            ("ask", false, false),
            ("then", false, false)
        ]
    );
}

#[test]
fn two_runs_of_changed_plans_share_nothing_and_differ_where_they_were_changed() {
    let mut a = World::waived(choice());
    a.finish("first", dear("1"));
    let mut plan = choice();
    plan.tasks[2].priority = 3;
    plan.tasks.remove(0);
    plan.tasks[0].after.clear();
    plan.tasks.push(tool("more", "pure", &[]));
    let mut b = World::open(plan, vec![]);
    b.decide(0, Verdict::Approve).unwrap();
    let told = compare(&a, &b);
    let what: Vec<&str> = told.plan.iter().map(|of| of.what.as_str()).collect();
    assert_eq!(
        what,
        [
            "tasks.first",
            "tasks.ask.after",
            "tasks.then.priority",
            "tasks.more"
        ]
    );
    assert_eq!(told.plan[0].b, None);
    assert_eq!(told.plan[3].a, None);
    let plan_asked = &told.decisions[0];
    assert!(plan_asked.same, "a waiver is a yes");
    assert_eq!(
        plan_asked.a,
        Some(Answer::Waived {
            by: AgentId::new("ann").unwrap()
        })
    );
    assert!(told.results.iter().any(|pair| pair.a.is_none()));
}

#[test]
fn forks_of_forks_share_what_they_share() {
    let mut world = World::waived(Plan::new(
        "chain",
        vec![
            tool("a", "pure", &[]),
            tool("b", "pure", &["a"]),
            tool("c", "pure", &["b"]),
        ],
    ));
    world.finish("a", done("1"));
    let at = world.journal.len();
    world.finish("b", done("2"));
    let mut fork = world.fork(at, LATER, vec![]).unwrap();
    fork.finish("b", done("3"));
    let again = fork.fork(fork.journal.len(), LATER, vec![]).unwrap();
    assert_eq!(compare(&world, &again).events_shared, at as u64);
    assert_eq!(compare(&again, &world).events_shared, at as u64);
}

#[test]
fn what_is_stored_in_blobs_is_compared_by_what_it_says() {
    let blob = |digest: &str| {
        let (digest, bytes) = (digest.into(), 9);
        let shown = BTreeMap::new();
        let output = Payload::Blob {
            digest,
            bytes,
            shown,
        };
        Outcome::done(output, Usage::NONE)
    };
    let run = |digest| {
        let mut world = World::waived(Plan::new("one", vec![tool("a", "pure", &[])]));
        world.finish("a", blob(digest));
        world
    };
    let (a, b) = (run("aa"), run("bb"));
    let blobs: BTreeMap<String, Json> = [("aa".into(), json("5")), ("bb".into(), json("5"))].into();
    let told = compare_with(&a, &b, &blobs);
    assert!(told.results[0].same);
}
