//! Commands from outside: pause, resume, abort, inform; once each, or refused and without a trace.

use crate::support::*;
use adjutant_mission::{CheckpointNumber, EffectNumber, *};

fn pause() -> Command {
    Command::Pause {
        reason: "lunch".into(),
    }
}

fn abort() -> Command {
    Command::Abort {
        reason: "enough".into(),
        undo: false,
    }
}

fn chain() -> Plan {
    Plan::new(
        "chain",
        vec![tool("a", "pure", &[]), tool("b", "pure", &["a"])],
    )
}

#[test]
fn a_paused_mission_lets_running_work_finish_and_starts_nothing() {
    let mut world = World::started(chain());
    world.command(ann(), pause()).unwrap();
    assert_eq!(world.running(), ["a"]);
    world.finish("a", done("1"));
    assert!(world.running().is_empty());
    world.pass(Millis::hours(10));
    world.crash();
    assert!(world.running().is_empty());
    world.command(ann(), Command::Resume).unwrap();
    assert_eq!(world.running(), ["b"]);
    assert_eq!(
        world.tale(),
        [
            "task_started a",
            "mission_paused",
            "task_completed a",
            "mission_resumed",
            "task_started b"
        ]
    );
}

#[test]
fn a_paused_mission_ends_only_after_it_is_resumed() {
    let mut world = World::started(Plan::new("one", vec![tool("a", "pure", &[])]));
    world.command(ann(), pause()).unwrap();
    world.finish("a", done("1"));
    assert_eq!(world.phase(), Phase::Executing);
    world.command(ann(), Command::Resume).unwrap();
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn deadlines_pass_while_a_mission_is_paused() {
    let mut world = World::started(Plan::new("one", vec![human("a", &[])]));
    world.command(ann(), pause()).unwrap();
    world.pass(Millis::hours(24));
    assert_eq!(world.phase(), Phase::Cancelled);
}

#[test]
fn a_paused_retry_is_not_woken_for() {
    let mut world = World::started(chain());
    world.finish("a", failed(FailureKind::Temporary));
    world.command(ann(), pause()).unwrap();
    assert_eq!(world.mission().wake_at(), None);
    world.pass(Millis::hours(1));
    world.command(ann(), Command::Resume).unwrap();
    assert_eq!(world.running(), ["a"]);
}

#[test]
fn a_retry_that_waits_for_an_answer_keeps_nobody_from_being_asked() {
    let tasks = vec![tool("a", "pure", &[]), tool("b", "pure", &[])];
    let mut world = World::started(Plan::new("two", tasks));
    world.finish("a", failed(FailureKind::Permanent));
    world.finish("b", failed(FailureKind::Temporary));
    assert_eq!(world.phase(), Phase::AwaitingHuman);
    world.choose(0, "skip").unwrap();
    world.pass(Millis::hours(1));
    assert_eq!(world.running(), ["b"]);
}

#[test]
fn pausing_twice_and_resuming_what_runs_do_not_fit() {
    let mut world = World::started(chain());
    assert_eq!(
        world.refused_code(|world| world.command(ann(), Command::Resume)),
        "ADJ-2002"
    );
    world.command(ann(), pause()).unwrap();
    assert_eq!(
        world.refused(|world| world.command(ann(), pause())),
        (
            "ADJ-2002",
            "`pause` is not possible now: the mission is already paused".into()
        )
    );
}

#[test]
fn abort_drops_what_is_safe_to_drop_and_withdraws_questions() {
    let tasks = vec![
        tool("a", "pure", &[]),
        human("ask", &[]),
        tool("b", "pure", &["a"]),
    ];
    let mut world = World::started(Plan::new("abort", tasks));
    let mark = world.mark();
    world.command(ann(), abort()).unwrap();
    assert_eq!(
        world.since(mark),
        [
            "stop_requested: Cancel",
            "checkpoint_withdrawn",
            "effect_abandoned",
            "mission_ended: Cancelled, Nothing"
        ]
    );
    assert!(world.running().is_empty(), "the host was told to let go");
    assert_eq!(world.status("a"), TaskStatus::Stopped);
    assert_eq!(world.ending().2, "enough");
    let late = Input::Outcome {
        effect: EffectNumber::new(0),
        outcome: done("1"),
    };
    assert_eq!(
        world.refused_code(|world| world.driver.input(world.now, &late)),
        "ADJ-2020"
    );
}

#[test]
fn abort_waits_for_a_once_effect_that_was_sent() {
    let mut world = World::started(Plan::new("pay", vec![tool("pay", "once", &[])]));
    world.command(ann(), abort()).unwrap();
    assert_eq!(world.phase(), Phase::Executing);
    for command in [abort(), pause()] {
        assert_eq!(
            world.refused_code(|world| world.command(ann(), command)),
            "ADJ-2002"
        );
    }
    let mark = world.mark();
    world.finish("pay", done("1"));
    assert_eq!(
        world.since(mark),
        ["task_completed pay", "mission_ended: Cancelled, Nothing"]
    );
}

#[test]
fn a_failure_while_stopping_is_neither_retried_nor_asked_about() {
    let mut world = World::started(Plan::new("pay", vec![tool("pay", "once", &[])]));
    world.command(ann(), abort()).unwrap();
    let mark = world.mark();
    world.finish("pay", failed(FailureKind::Temporary));
    assert_eq!(
        world.since(mark),
        [
            "attempt_failed pay: give up",
            "mission_ended: Cancelled, Nothing"
        ]
    );
}

#[test]
fn a_mission_can_be_aborted_at_every_stage() {
    let mut planning = World::open(chain(), Vec::new());
    planning.command(ann(), abort()).unwrap();
    assert_eq!(planning.phase(), Phase::Cancelled);

    let mut paused = World::started(chain());
    paused.command(ann(), pause()).unwrap();
    paused.command(ann(), abort()).unwrap();
    assert_eq!(paused.phase(), Phase::Cancelled);

    let types = [CheckpointType::PlanApproval];
    let mut reviewing = World::open(chain(), waive(&types));
    reviewing.finish("a", done("1"));
    reviewing.finish("b", done("1"));
    reviewing.command(ann(), abort()).unwrap();
    assert_eq!(reviewing.phase(), Phase::Cancelled);
}

#[test]
fn information_is_kept_with_its_topic_and_trust_and_moves_nothing() {
    let mut world = World::started(chain());
    let mark = world.mark();
    let inform = Command::Inform {
        topic: "weather".into(),
        trust: Trust::Untrusted,
        body: json(r#"{"rain":true}"#),
    };
    world.command(bob(), inform).unwrap();
    assert_eq!(world.since(mark), ["informed"]);
    let recorded = &world.journal[mark];
    assert_eq!(recorded.zone, Zone::Sensitive);
    assert_eq!(recorded.actor, Some(bob()));
    assert_eq!(
        recorded.cause,
        Some(Cause::Command(CommandId::from_bits(1)))
    );
}

#[test]
fn the_same_command_twice_is_carried_out_once_also_after_a_crash_and_the_end() {
    let mut world = World::started(chain());
    let input = Input::Command {
        id: CommandId::from_bits(77),
        by: ann(),
        command: abort(),
    };
    world.driver.input(world.now, &input).unwrap();
    world.settle();
    for _ in 0..2 {
        assert_eq!(
            world.refused_code(|world| world.driver.input(world.now, &input)),
            "ADJ-2003"
        );
        world.crash();
    }
}

#[test]
fn a_refused_command_may_be_sent_again_under_its_id() {
    let mut world = World::started(chain());
    let resume = Input::Command {
        id: CommandId::from_bits(77),
        by: ann(),
        command: Command::Resume,
    };
    assert_eq!(
        world.refused_code(|world| world.driver.input(world.now, &resume)),
        "ADJ-2002"
    );
    world.command(ann(), pause()).unwrap();
    world.driver.input(world.now, &resume).unwrap();
    world.settle();
    assert_eq!(world.running(), ["a"]);
}

#[test]
fn the_opening_command_counts_as_carried_out() {
    let mut world = World::started(chain());
    let again = Input::Command {
        id: CommandId::from_bits(0),
        by: ann(),
        command: pause(),
    };
    assert_eq!(
        world.refused_code(|world| world.driver.input(world.now, &again)),
        "ADJ-2003"
    );
}

#[test]
fn an_ended_mission_takes_no_command() {
    let mut world = World::started(chain());
    world.command(ann(), abort()).unwrap();
    let inform = Command::Inform {
        topic: "late".into(),
        trust: Trust::Trusted,
        body: json("1"),
    };
    for command in [abort(), pause(), Command::Resume, Command::Continue, inform] {
        assert_eq!(
            world.refused_code(|world| world.command(ann(), command)),
            "ADJ-2001"
        );
    }
    assert_eq!(world.mission().outstanding().count(), 0);
    assert_eq!(world.driver.rest(world.now), Rest::Ended);
}

#[test]
fn every_command_reads_back_from_its_json() {
    let decision = modify(r#"{"page":2}"#);
    let commands = [
        pause(),
        Command::Resume,
        Command::Continue,
        abort(),
        Command::Claim {
            checkpoint: CheckpointNumber::new(1),
        },
        Command::Release {
            checkpoint: CheckpointNumber::new(1),
        },
        Command::Decide {
            checkpoint: CheckpointNumber::new(1),
            decision,
        },
        Command::Inform {
            topic: "weather".into(),
            trust: Trust::Trusted,
            body: json(r#"{"rain":true}"#),
        },
    ];
    for command in commands {
        let text = serde_json::to_string(&command).unwrap();
        assert_eq!(serde_json::from_str::<Command>(&text).unwrap(), command);
    }
}
