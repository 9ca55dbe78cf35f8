//! The four kinds of dependency, with lag.

use crate::support::*;
use DependencyKind::{FinishToFinish, FinishToStart, StartToFinish, StartToStart};
use adjutant_mission::*;

fn pair(kind: DependencyKind, lag_ms: u64) -> Plan {
    let second = Task {
        after: vec![on("first", kind, lag_ms)],
        ..tool("second", "pure", &[])
    };
    Plan::new("pair", vec![tool("first", "pure", &[]), second])
}

#[test]
fn finish_to_start_waits_for_the_end_and_the_lag() {
    let mut world = World::started(pair(FinishToStart, 500));
    world.finish("first", done("1"));
    assert_eq!(world.status("second"), TaskStatus::Delayed);
    assert_eq!(world.mission().wake_at(), Some(Timestamp(1_500)));
    world.pass(Millis(499));
    assert!(world.running().is_empty());
    world.pass(Millis(1));
    assert_eq!(world.running(), ["second"]);
}

#[test]
fn start_to_start_waits_for_the_start_and_the_lag() {
    let mut world = World::started(pair(StartToStart, 0));
    assert_eq!(world.running(), ["first", "second"]);
    let mut world_with_lag = World::started(pair(StartToStart, 500));
    assert_eq!(world_with_lag.running(), ["first"]);
    world_with_lag.pass(Millis(500));
    assert_eq!(world_with_lag.running(), ["first", "second"]);
    world.finish("second", done("1"));
    world.finish("first", done("1"));
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn finish_to_finish_holds_what_is_done_until_the_other_is() {
    let mut world = World::started(pair(FinishToFinish, 0));
    assert_eq!(world.running(), ["first", "second"]);
    world.finish("second", done("2"));
    assert_eq!(world.status("second"), TaskStatus::Held);
    let mark = world.mark();
    world.finish("first", done("1"));
    assert_eq!(
        world.since(mark)[..2],
        ["task_completed first", "task_released second"]
    );
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn finish_to_finish_counts_its_lag_from_the_other_end() {
    let mut world = World::started(pair(FinishToFinish, 500));
    world.finish("second", done("2"));
    world.finish("first", done("1"));
    assert_eq!(world.status("second"), TaskStatus::Held);
    assert_eq!(world.mission().wake_at(), Some(Timestamp(1_500)));
    world.pass(Millis(500));
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn start_to_finish_holds_what_is_done_until_the_other_starts() {
    let second = Task {
        after: vec![on("first", StartToFinish, 0)],
        ..tool("second", "pure", &[])
    };
    let tasks = vec![
        tool("zeroth", "pure", &[]),
        tool("first", "pure", &["zeroth"]),
        second,
    ];
    let mut world = World::started(Plan::new("sf", tasks));
    world.finish("second", done("2"));
    assert_eq!(world.status("second"), TaskStatus::Held);
    let mark = world.mark();
    world.finish("zeroth", done("0"));
    assert_eq!(
        world.since(mark),
        [
            "task_completed zeroth",
            "task_started first",
            "task_released second"
        ]
    );
}

#[test]
fn a_task_with_several_dependencies_waits_for_the_last_of_them() {
    let third = Task {
        after: vec![
            on("first", FinishToStart, 1_000),
            on("second", FinishToStart, 0),
        ],
        ..tool("third", "pure", &[])
    };
    let mut world = World::started(Plan::new(
        "three",
        vec![
            tool("first", "pure", &[]),
            tool("second", "pure", &[]),
            third,
        ],
    ));
    world.finish("first", done("1"));
    world.pass(Millis(100));
    world.finish("second", done("1"));
    assert_eq!(world.mission().wake_at(), Some(Timestamp(2_000)));
}

#[test]
fn what_only_must_finish_after_a_lost_task_is_let_go() {
    let mut world = World::started(Plan {
        strategy: Strategy::ContinueOnBlock,
        on_failure: OnFailure::GiveUp,
        ..pair(FinishToFinish, 0)
    });
    world.finish("second", done("2"));
    world.finish("first", broken());
    assert_eq!(world.status("second"), TaskStatus::Completed);
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn what_may_start_with_a_task_that_then_fails_is_not_lost_with_it() {
    let mut world = World::started(Plan {
        strategy: Strategy::ContinueOnBlock,
        on_failure: OnFailure::GiveUp,
        ..pair(StartToStart, 500)
    });
    world.finish("first", broken());
    world.pass(Millis(500));
    assert_eq!(world.running(), ["second"]);
}

#[test]
fn a_second_try_of_a_task_is_not_a_second_start_for_those_who_wait_for_its_start() {
    let third = Task {
        after: vec![on("a", StartToStart, 0), on("b", FinishToStart, 0)],
        ..tool("third", "pure", &[])
    };
    let mut world = World::started(Plan {
        strategy: Strategy::ContinueOnBlock,
        ..Plan::new(
            "twice",
            vec![tool("a", "pure", &[]), tool("b", "pure", &[]), third],
        )
    });
    world.finish("a", broken());
    world.choose(0, "retry").unwrap();
    assert_eq!(world.running(), ["a", "b"], "`b` has not finished");
    world.finish("b", done("1"));
    assert_eq!(world.running(), ["a", "third"]);
}
