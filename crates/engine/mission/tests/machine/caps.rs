//! Nothing runs away: money, tokens, turns and time.

use crate::support::*;
use adjutant_mission::*;

fn capped(caps: Caps, tasks: Vec<Task>) -> Plan {
    Plan {
        caps,
        ..Plan::new("capped", tasks)
    }
}

fn money(dollars: u64) -> Caps {
    Caps {
        money: Some(MicroUsd(dollars * 1_000_000)),
        ..Caps::default()
    }
}

fn spending(micro_usd: u64, tokens: u64) -> Outcome {
    Outcome::done(Payload::Inline(json("1")), cost(micro_usd, tokens))
}

fn reasons(world: &World) -> Vec<&str> {
    let reason = |recorded| match recorded {
        &Recorded {
            event: Event::CapReached { ref reason, .. },
            ..
        } => Some(reason.as_str()),
        _ => None,
    };
    world.journal.iter().filter_map(reason).collect()
}

#[test]
fn money_is_reserved_before_a_call_and_settled_after_it() {
    let mut world = World::started(capped(money(1), vec![tool("a", "dear", &[])]));
    assert_eq!(world.mission().reserved(), cost(1_000_000, 0));
    world.finish("a", spending(300_000, 0));
    assert_eq!(world.mission().reserved(), Usage::NONE);
    assert_eq!(world.mission().used(), cost(300_000, 0));
}

#[test]
fn a_call_that_could_pass_the_missions_cap_does_not_start() {
    let tasks = vec![tool("a", "dear", &[]), tool("b", "dear", &[])];
    let world = World::started(capped(money(1), tasks));
    assert_eq!(world.running(), ["a"], "what is reserved counts as spent");
    assert_eq!(
        world.tale(),
        [
            "task_started a",
            "cap_reached",
            "attempt_failed b: escalate",
            "checkpoint_opened: task_failed"
        ]
    );
    assert_eq!(
        reasons(&world),
        ["task `b` would exceed the mission's limit on money"]
    );
}

#[test]
fn what_is_given_back_can_be_spent_once_a_human_says_so() {
    let tasks = vec![tool("a", "dear", &[]), tool("b", "dear", &[])];
    let mut world = World::started(capped(money(1), tasks));
    world.finish("a", spending(0, 0));
    world.choose(0, "retry").unwrap();
    assert_eq!(world.running(), ["b"]);
}

#[test]
fn a_task_has_caps_of_its_own() {
    let mut task = tool("a", "dear", &[]);
    task.caps = money(1);
    let mut world = World::started(Plan::new("own", vec![task]));
    world.finish(
        "a",
        Outcome::Failed {
            failure: Failure {
                kind: FailureKind::Temporary,
                message: "busy".into(),
            },
            usage: cost(1, 0),
        },
    );
    world.pass(Millis::seconds(1));
    assert_eq!(
        reasons(&world),
        ["task `a` would exceed its own limit on money"]
    );
    assert_eq!(world.status("a"), TaskStatus::Blocked);
}

#[test]
fn a_cap_on_money_turns_to_a_cheaper_alternative() {
    let mut task = tool("a", "dear", &[]);
    task.alternative = Some(call("pure"));
    let world = World::started(capped(money(0), vec![task]));
    assert_eq!(world.flying[0].work, Work::CallTool(call("pure")));
}

#[test]
fn tokens_and_turns_are_capped_for_the_mission_and_for_a_task() {
    let tokens = Caps {
        tokens: Some(30),
        ..Caps::default()
    };
    let turns = Caps {
        turns: Some(1),
        ..Caps::default()
    };
    let two = || vec![tool("a", "wordy", &[]), tool("b", "wordy", &["a"])];
    for (caps, what) in [(tokens, "tokens"), (turns, "turns")] {
        let mut world = World::started(capped(caps.clone(), two()));
        world.finish("a", spending(0, 11));
        assert_eq!(
            reasons(&world),
            [format!(
                "task `b` would exceed the mission's limit on {what}"
            )]
        );
        assert!(world.running().is_empty());

        let mut task = tool("a", "wordy", &[]);
        task.caps = caps;
        let mut own = World::started(Plan::new("own", vec![task]));
        own.finish(
            "a",
            Outcome::Failed {
                failure: Failure {
                    kind: FailureKind::Temporary,
                    message: "busy".into(),
                },
                usage: cost(0, 11),
            },
        );
        own.pass(Millis::seconds(1));
        assert_eq!(
            reasons(&own),
            [format!("task `a` would exceed its own limit on {what}")]
        );
    }
}

#[test]
fn a_mission_out_of_time_fails_and_keeps_a_draft() {
    let caps = Caps {
        wall_time: Some(Millis::seconds(60)),
        ..Caps::default()
    };
    let tasks = vec![tool("a", "pure", &[]), tool("b", "pure", &["a"])];
    let mut world = World::started(capped(caps, tasks));
    world.finish("a", done("1"));
    assert_eq!(world.mission().wake_at(), Some(Timestamp(61_000)));
    let mark = world.mark();
    world.pass(Millis::seconds(60));
    assert_eq!(
        world.since(mark),
        [
            "cap_reached",
            "stop_requested: Fail",
            "effect_abandoned",
            "mission_ended: Failed, Draft"
        ]
    );
    assert!(world.running().is_empty());
}

#[test]
fn a_missions_time_passes_while_it_is_paused_and_while_people_think() {
    let caps = Caps {
        wall_time: Some(Millis::seconds(60)),
        ..Caps::default()
    };
    let mut world = World::started(capped(caps, vec![human("a", &[])]));
    let pause = Command::Pause {
        reason: String::new(),
    };
    world.command(ann(), pause).unwrap();
    world.pass(Millis::seconds(60));
    assert_eq!(world.phase(), Phase::Failed);
}

#[test]
fn a_mission_out_of_time_waits_for_a_once_effect_that_was_sent() {
    let caps = Caps {
        wall_time: Some(Millis::seconds(60)),
        ..Caps::default()
    };
    let mut world = World::started(capped(caps, vec![tool("pay", "once", &[])]));
    world.pass(Millis::seconds(60));
    assert_eq!(world.running(), ["pay"]);
    world.finish("pay", done("1"));
    assert_eq!(world.phase(), Phase::Failed);
}

#[test]
fn a_task_out_of_time_is_let_go_and_a_human_is_asked() {
    let mut task = tool("a", "pure", &[]);
    task.caps.wall_time = Some(Millis::seconds(10));
    let mut world = World::started(Plan::new("slow", vec![task]));
    world.pass(Millis::seconds(10));
    assert_eq!(
        world.tale(),
        [
            "task_started a",
            "cap_reached",
            "attempt_failed a: escalate",
            "checkpoint_opened: task_failed"
        ]
    );
    assert!(world.running().is_empty());
    world.choose(0, "retry").unwrap();
    assert_eq!(world.running(), ["a"]);
    assert_eq!(
        world.mission().wake_at(),
        Some(Timestamp(21_000)),
        "counted anew"
    );
}

#[test]
fn a_tasks_time_runs_over_its_retries() {
    let mut task = tool("a", "pure", &[]);
    task.caps.wall_time = Some(Millis(1_500));
    let mut world = World::started(Plan::new("slow", vec![task]));
    world.finish("a", failed(FailureKind::Temporary));
    world.pass(Millis(1_000));
    assert_eq!(world.running(), ["a"]);
    world.pass(Millis(500));
    assert_eq!(world.status("a"), TaskStatus::Blocked);
}
