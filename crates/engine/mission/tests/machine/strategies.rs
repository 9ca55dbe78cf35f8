//! Which tasks run when: limits, order, and what a task that cannot go on means for the others.

use crate::support::*;
use adjutant_mission::*;

fn plan(strategy: Strategy, tasks: Vec<Task>) -> Plan {
    Plan {
        strategy,
        ..Plan::new("strategies", tasks)
    }
}

fn giving_up(strategy: Strategy, tasks: Vec<Task>) -> Plan {
    Plan {
        on_failure: OnFailure::GiveUp,
        ..plan(strategy, tasks)
    }
}

#[test]
fn no_more_tasks_run_at_once_than_the_plan_allows() {
    let tasks = ["a", "b", "c"].map(|name| tool(name, "pure", &[]));
    let mut world = World::started(Plan {
        concurrency: 2,
        ..Plan::new("narrow", tasks.into())
    });
    assert_eq!(world.running(), ["a", "b"]);
    world.finish("b", done("1"));
    assert_eq!(world.running(), ["a", "c"]);
}

#[test]
fn higher_priority_goes_first_and_plan_order_breaks_ties() {
    let urgent = Task {
        priority: 5,
        ..tool("urgent", "pure", &[])
    };
    let idle = Task {
        priority: -1,
        ..tool("idle", "pure", &[])
    };
    let tasks = vec![idle, tool("a", "pure", &[]), tool("b", "pure", &[]), urgent];
    let mut world = World::started(Plan {
        concurrency: 1,
        ..Plan::new("order", tasks)
    });
    for name in ["urgent", "a", "b", "idle"] {
        assert_eq!(world.running(), [name]);
        world.finish(name, done("1"));
    }
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn sequential_runs_one_at_a_time_and_counts_a_question_as_work() {
    let tasks = vec![
        tool("a", "pure", &[]),
        human("ask", &[]),
        tool("b", "pure", &[]),
    ];
    let mut world = World::started(plan(Strategy::Sequential, tasks));
    assert_eq!(world.running(), ["a"]);
    world.finish("a", done("1"));
    assert!(world.running().is_empty());
    assert_eq!(world.phase(), Phase::AwaitingHuman);
    world.decide(0, Verdict::Approve).unwrap();
    assert_eq!(world.running(), ["b"]);
}

#[test]
fn sequential_holds_everything_behind_a_blocked_task() {
    let tasks = vec![tool("a", "pure", &[]), tool("b", "pure", &[])];
    let mut world = World::started(plan(Strategy::Sequential, tasks));
    world.finish("a", broken());
    assert_eq!(world.status("a"), TaskStatus::Blocked);
    assert!(world.running().is_empty());
    world.choose(0, "skip").unwrap();
    assert_eq!(world.running(), ["b"]);
}

#[test]
fn parallel_safe_lets_running_work_finish_and_holds_the_rest() {
    let tasks = vec![
        tool("a", "pure", &[]),
        tool("b", "pure", &[]),
        tool("c", "pure", &["b"]),
    ];
    let mut world = World::started(plan(Strategy::ParallelSafe, tasks));
    world.finish("a", broken());
    assert_eq!(world.running(), ["b"]);
    world.finish("b", done("1"));
    assert!(world.running().is_empty());
    assert_eq!(world.status("c"), TaskStatus::Ready);
    assert_eq!(world.phase(), Phase::AwaitingHuman);
    world.choose(0, "retry").unwrap();
    assert_eq!(world.running(), ["a", "c"]);
}

#[test]
fn parallel_safe_never_runs_two_tasks_on_one_resource() {
    let using = |name, resources: &[&str]| Task {
        resources: resources
            .iter()
            .map(|text| ResourceKey::new(*text).unwrap())
            .collect(),
        ..tool(name, "pure", &[])
    };
    let tasks = vec![
        using("a", &["db", "disk"]),
        using("b", &["db"]),
        using("c", &["disk"]),
        using("d", &["net"]),
    ];
    let mut world = World::started(plan(Strategy::ParallelSafe, tasks));
    assert_eq!(world.running(), ["a", "d"]);
    world.finish("a", done("1"));
    assert_eq!(world.running(), ["b", "c", "d"]);
}

#[test]
fn a_resource_is_free_while_its_task_waits_to_try_again_and_no_one_is_woken_for_nothing() {
    let using = |name| Task {
        resources: vec![ResourceKey::new("db").unwrap()],
        ..tool(name, "pure", &[])
    };
    let mut world = World::started(Plan::new("db", vec![using("a"), using("b")]));
    world.finish("a", failed(FailureKind::Temporary));
    assert_eq!(world.running(), ["b"]);
    world.pass(Millis::seconds(5));
    assert_eq!(world.status("a"), TaskStatus::Delayed);
    world.finish("b", done("1"));
    assert_eq!(world.running(), ["a"]);
}

#[test]
fn a_retry_that_is_due_while_every_slot_is_taken_waits_for_a_slot() {
    let tasks = vec![tool("a", "pure", &[]), tool("b", "pure", &[])];
    let mut world = World::started(Plan {
        concurrency: 1,
        ..Plan::new("narrow", tasks)
    });
    world.finish("a", failed(FailureKind::Temporary));
    assert_eq!(world.running(), ["b"]);
    world.pass(Millis::seconds(5));
    assert_eq!(world.running(), ["b"]);
    world.finish("b", done("1"));
    assert_eq!(world.running(), ["a"]);
}

#[test]
fn continue_on_block_goes_on_with_everything_that_does_not_depend_on_it() {
    let tasks = vec![
        tool("a", "pure", &[]),
        tool("b", "pure", &["a"]),
        tool("c", "pure", &[]),
        tool("d", "pure", &["c"]),
    ];
    let mut world = World::started(plan(Strategy::ContinueOnBlock, tasks));
    world.finish("a", broken());
    world.finish("c", done("1"));
    assert_eq!(world.running(), ["d"]);
    assert_eq!(world.status("a"), TaskStatus::Blocked);
    assert_eq!(world.phase(), Phase::Executing);
}

#[test]
fn continue_on_block_leaves_out_what_depends_on_a_lost_task_all_the_way_down() {
    let tasks = vec![
        tool("a", "pure", &[]),
        tool("b", "pure", &["a"]),
        tool("c", "pure", &["b", "x"]),
        tool("x", "pure", &[]),
    ];
    let mut world = World::started(giving_up(Strategy::ContinueOnBlock, tasks));
    world.finish("a", broken());
    world.finish("x", done("1"));
    assert_eq!(
        world.tale(),
        [
            "task_started a",
            "task_started x",
            "attempt_failed a: give up",
            "task_skipped b",
            "task_skipped c",
            "task_completed x",
            "synthesis_started",
            "checkpoint_waived",
            "mission_ended: Completed, Delivered"
        ]
    );
}

#[test]
fn continue_on_block_stops_once_more_tasks_are_lost_than_it_may_leave_out() {
    let tasks = ["a", "b", "c"].map(|name| tool(name, "pure", &[])).into();
    let mut world = World::started(Plan {
        skips_max: 1,
        ..giving_up(Strategy::ContinueOnBlock, tasks)
    });
    world.finish("a", broken());
    assert_eq!(world.running(), ["b", "c"]);
    world.finish("b", broken());
    let (phase, delivery, reason) = world.ending();
    assert_eq!((phase, delivery), (EndingPhase::Failed, Delivery::Nothing));
    assert_eq!(
        reason,
        "more than 1 tasks failed, the last one `b`: it broke"
    );
    assert!(world.running().is_empty(), "what ran is dropped");
}

#[test]
fn doomed_tasks_do_not_count_towards_the_skip_cap() {
    let tasks = vec![
        tool("a", "pure", &[]),
        tool("b", "pure", &["a"]),
        tool("c", "pure", &["a"]),
        tool("d", "pure", &[]),
    ];
    let mut world = World::started(Plan {
        skips_max: 1,
        ..giving_up(Strategy::ContinueOnBlock, tasks)
    });
    world.finish("a", broken());
    world.finish("d", done("1"));
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn tasks_a_human_skips_count_towards_the_skip_cap() {
    let tasks = vec![tool("a", "pure", &[]), tool("b", "pure", &[])];
    let mut world = World::started(Plan {
        skips_max: 0,
        ..plan(Strategy::ContinueOnBlock, tasks)
    });
    world.finish("a", broken());
    world.choose(0, "skip").unwrap();
    assert_eq!(world.phase(), Phase::Failed);
}

#[test]
fn without_continue_on_block_a_task_given_up_fails_the_mission() {
    for strategy in [Strategy::Sequential, Strategy::ParallelSafe] {
        let tasks = vec![tool("a", "pure", &[]), tool("b", "pure", &["a"])];
        let mut world = World::started(giving_up(strategy, tasks));
        world.finish("a", broken());
        assert_eq!(
            world.ending(),
            (
                EndingPhase::Failed,
                Delivery::Nothing,
                "task `a` failed: it broke"
            )
        );
    }
}

#[test]
fn a_failed_mission_keeps_what_it_completed_as_a_draft() {
    let tasks = vec![tool("a", "pure", &[]), tool("b", "pure", &["a"])];
    let mut world = World::started(giving_up(Strategy::ParallelSafe, tasks));
    world.finish("a", done("1"));
    world.finish("b", broken());
    assert_eq!(world.ending().1, Delivery::Draft);
}
