//! What is done about a failed try: the same again, the alternative, a human.

use crate::support::*;
use adjutant_mission::{EffectNumber, *};

fn one(change: impl FnOnce(&mut Task)) -> Plan {
    let mut task = tool("a", "pure", &[]);
    change(&mut task);
    Plan::new("one", vec![task])
}

#[test]
fn retries_wait_longer_each_time_up_to_a_limit() {
    let mut world = World::started(one(|task| {
        task.retry = Retry {
            attempts: 5,
            backoff: Millis(100),
            factor: 3,
            backoff_max: Millis(800),
        };
    }));
    let mut waits = Vec::new();
    for _ in 0..4 {
        world.finish("a", failed(FailureKind::Temporary));
        let at = world.mission().wake_at().unwrap();
        waits.push(at.since(world.now).0);
        world.pass(Millis(waits[waits.len() - 1] - 1));
        assert!(world.running().is_empty(), "not before its time");
        world.pass(Millis(1));
        assert_eq!(world.running(), ["a"]);
    }
    assert_eq!(waits, [100, 300, 800, 800]);
    world.finish("a", failed(FailureKind::Temporary));
    assert_eq!(world.status("a"), TaskStatus::Blocked);
    assert_eq!(
        world.checkpoint(0).checkpoint.context,
        "it broke (after 5 attempts)"
    );
}

#[test]
fn every_try_is_a_new_effect_with_a_new_id_and_the_next_attempt() {
    let mut world = World::started(one(|_| {}));
    let first = world.flying[0].clone();
    world.finish("a", failed(FailureKind::TimedOut));
    world.pass(Millis::seconds(1));
    let second = &world.flying[0];
    assert_ne!(first.id, second.id);
    assert_eq!((first.attempt, second.attempt), (1, 2));
}

#[test]
fn only_failures_that_the_same_call_can_mend_are_retried() {
    use FailureKind::*;
    let retried = [
        Temporary, Permanent, BadInput, BadOutput, TimedOut, CapReached, Denied, NeedsHuman,
        Verdict,
    ]
    .map(|kind| {
        let mut world = World::started(one(|_| {}));
        world.finish("a", failed(kind));
        world.status("a") == TaskStatus::Delayed
    });
    assert_eq!(
        retried,
        [true, false, false, true, true, false, false, false, false]
    );
}

#[test]
fn denied_and_needs_human_go_straight_to_a_human() {
    for outcome in [
        Outcome::Denied {
            reason: "not allowed".into(),
        },
        Outcome::NeedsHuman {
            reason: "captcha".into(),
        },
    ] {
        let mut world = World::started(one(|_| {}));
        world.finish("a", outcome);
        assert_eq!(
            world.tale(),
            [
                "task_started a",
                "attempt_failed a: escalate",
                "checkpoint_opened: task_failed"
            ]
        );
    }
}

#[test]
fn the_alternative_is_tried_once_the_retries_are_used_up() {
    let mut world = World::started(one(|task| {
        task.retry.attempts = 2;
        task.alternative = Some(call("idempotent"));
    }));
    world.finish("a", failed(FailureKind::Temporary));
    world.pass(Millis::seconds(1));
    world.finish("a", failed(FailureKind::Temporary));
    assert_eq!(world.flying[0].class, EffectClass::Idempotent);
    assert_eq!(world.flying[0].work, Work::CallTool(call("idempotent")));
    world.finish("a", failed(FailureKind::Temporary));
    world.pass(Millis::seconds(1));
    world.finish("a", failed(FailureKind::Temporary));
    assert_eq!(
        world.tale(),
        [
            "task_started a",
            "attempt_failed a: retry at 2000",
            "task_started a",
            "attempt_failed a: alternative",
            "task_started a",
            "attempt_failed a: retry at 3000",
            "task_started a",
            "attempt_failed a: escalate",
            "checkpoint_opened: task_failed"
        ]
    );
}

#[test]
fn what_needs_a_human_gets_one_and_not_the_alternative() {
    let mut world = World::started(one(|task| task.alternative = Some(call("pure"))));
    world.finish(
        "a",
        Outcome::NeedsHuman {
            reason: "captcha".into(),
        },
    );
    assert_eq!(world.status("a"), TaskStatus::Blocked);
}

#[test]
fn a_human_can_have_it_tried_again_with_fresh_retries() {
    let mut world = World::started(one(|_| {}));
    world.finish("a", broken());
    let mark = world.mark();
    world.choose(0, "retry").unwrap();
    world.finish("a", failed(FailureKind::Temporary));
    assert_eq!(
        world.since(mark),
        [
            "checkpoint_decided",
            "task_requeued a",
            "task_started a",
            "attempt_failed a: retry at 2000"
        ]
    );
}

#[test]
fn a_human_can_change_the_arguments_and_have_it_tried_again() {
    let mut world = World::started(one(|_| {}));
    world.finish("a", broken());
    world.answer(0, modify(r#"{"page":2}"#)).unwrap();
    let Work::CallTool(call) = &world.flying[0].work else {
        panic!("a tool is called");
    };
    assert_eq!(
        (call.tool.as_str(), call.with.text()),
        ("pure", r#"{"page":2}"#)
    );
}

#[test]
fn a_change_that_is_no_object_is_refused() {
    let mut world = World::started(one(|_| {}));
    world.finish("a", broken());
    assert_eq!(
        world.refused(|world| world.answer(0, modify("[1]"))),
        (
            "ADJ-2018",
            "the change is not valid: the arguments must be a JSON object".into()
        )
    );
}

#[test]
fn a_human_can_leave_it_out_with_all_that_depends_on_it() {
    let mut world = World::started(Plan::new(
        "skip",
        vec![
            tool("a", "pure", &[]),
            tool("b", "pure", &["a"]),
            tool("c", "pure", &[]),
        ],
    ));
    world.finish("a", broken());
    world.finish("c", done("1"));
    let mark = world.mark();
    world.choose(0, "skip").unwrap();
    assert_eq!(
        world.since(mark),
        [
            "checkpoint_decided",
            "task_skipped a",
            "task_skipped b",
            "synthesis_started",
            "checkpoint_waived",
            "mission_ended: Completed, Delivered"
        ]
    );
}

#[test]
fn approving_what_is_recommended_gets_past_a_task_that_always_fails() {
    for kind in [FailureKind::Temporary, FailureKind::Permanent] {
        let mut world = World::started(one(|task| task.retry.attempts = 1));
        for number in 0..=HUMAN_RETRIES_MAX {
            if world.status("a") == TaskStatus::Skipped {
                assert!(number <= 2, "one retry at most, then on");
                break;
            }
            world.finish("a", failed(kind));
            let told = world
                .checkpoint(number as usize)
                .checkpoint
                .recommendation
                .clone();
            let approve = Decision {
                option: Some(told.unwrap().option),
                ..Decision::new(Verdict::Approve)
            };
            world.answer(number, approve).unwrap();
        }
        assert_eq!(world.status("a"), TaskStatus::Skipped);
    }
}

#[test]
fn people_have_a_failed_task_done_again_only_so_often() {
    let mut world = World::started(one(|task| task.retry.attempts = 1));
    for number in 0..HUMAN_RETRIES_MAX {
        world.finish("a", broken());
        world.choose(number, "retry").unwrap();
    }
    world.finish("a", broken());
    let refused = world.choose(HUMAN_RETRIES_MAX, "retry");
    assert!(
        matches!(refused, Err(Refused::OptionUnknown { .. })),
        "{refused:?}"
    );
    world.choose(HUMAN_RETRIES_MAX, "skip").unwrap();
    assert_eq!(world.status("a"), TaskStatus::Skipped);
}

#[test]
fn a_no_or_silence_to_a_failed_task_synthesises_what_exists() {
    let after = |act: fn(&mut World)| {
        let mut world = World::started(Plan::new(
            "two",
            vec![tool("a", "pure", &[]), tool("b", "pure", &["a"])],
        ));
        world.finish("a", done("1"));
        world.finish("b", broken());
        act(&mut world);
        assert_eq!(
            world.phase(),
            Phase::AwaitingHuman,
            "a partial result is reviewed"
        );
        world.decide(1, Verdict::Approve).unwrap();
        let (phase, delivery, reason) = world.ending();
        (phase, delivery, reason.to_owned())
    };
    let completed = (EndingPhase::Completed, Delivery::Delivered);
    let (phase, delivery, reason) = after(|world| world.decide(0, Verdict::Reject).unwrap());
    assert_eq!((phase, delivery), completed);
    assert_eq!(reason, "a way to recover was rejected by human:ann");
    let (phase, delivery, reason) = after(|world| world.pass(Millis::hours(24)));
    assert_eq!((phase, delivery), completed);
    assert_eq!(reason, "a way to recover was not answered in time");
}

#[test]
fn giving_up_asks_nobody() {
    let mut world = World::started(Plan {
        on_failure: OnFailure::GiveUp,
        ..one(|_| {})
    });
    world.finish("a", broken());
    assert_eq!(
        world.tale(),
        [
            "task_started a",
            "attempt_failed a: give up",
            "stop_requested: Fail",
            "mission_ended: Failed, Nothing"
        ]
    );
}

#[test]
fn deferred_only_moves_the_time_of_the_same_effect() {
    let mut world = World::started(one(|_| {}));
    let id = world.flying[0].id;
    let until = Timestamp(5_000);
    world.finish("a", Outcome::Deferred { until });
    assert!(world.running().is_empty());
    assert_eq!(world.driver.wake_at(), Some(until));
    assert_eq!(world.driver.rest(world.now), Rest::Until(Some(until)));
    world.pass(Millis(3_999));
    assert!(world.running().is_empty());
    world.pass(Millis(1));
    assert_eq!(world.flying[0].id, id);
    assert_eq!(world.flying[0].attempt, 1);
    assert_eq!(
        world.tale(),
        ["task_started a", "effect_deferred"],
        "no try was used up"
    );
}

#[test]
fn a_second_outcome_for_the_same_effect_is_refused() {
    let mut world = World::started(Plan::new(
        "two",
        vec![tool("a", "pure", &[]), tool("b", "pure", &[])],
    ));
    world.finish("a", done("1"));
    let again = Input::Outcome {
        effect: EffectNumber::new(0),
        outcome: done("2"),
    };
    assert_eq!(
        world.refused_code(|world| world.driver.input(world.now, &again)),
        "ADJ-2020"
    );
    let unknown = Input::Outcome {
        effect: EffectNumber::new(99),
        outcome: done("2"),
    };
    assert_eq!(
        world.refused_code(|world| world.driver.input(world.now, &unknown)),
        "ADJ-2020"
    );
}

#[test]
fn an_outcome_of_the_wrong_sort_is_refused() {
    let mut world = World::started(Plan::new(
        "sorts",
        vec![tool("a", "pure", &[]), gate("g", "a", &["a"])],
    ));
    let verdict = Input::Outcome {
        effect: EffectNumber::new(0),
        outcome: judged(GateVerdict::Valid),
    };
    assert_eq!(
        world.refused_code(|world| world.driver.input(world.now, &verdict)),
        "ADJ-2021"
    );
    world.finish("a", done("1"));
    let result = Input::Outcome {
        effect: EffectNumber::new(1),
        outcome: done("1"),
    };
    assert_eq!(
        world.refused_code(|world| world.driver.input(world.now, &result)),
        "ADJ-2021"
    );
}

#[test]
fn a_mission_of_which_nothing_was_done_has_failed_and_delivers_nothing() {
    let mut world = World::waived(Plan {
        strategy: Strategy::ContinueOnBlock,
        on_failure: OnFailure::GiveUp,
        ..Plan::new("nothing", vec![tool("a", "pure", &[])])
    });
    world.finish("a", failed(FailureKind::Permanent));
    let ending = world.driver.mission().ending().unwrap();
    assert_eq!(
        (ending.phase, ending.delivery),
        (EndingPhase::Failed, Delivery::Nothing)
    );
}
