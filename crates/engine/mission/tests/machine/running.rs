//! Whole missions through the machine: order, limits, strategies, barriers.

use crate::support::*;
use adjutant_mission::*;

#[test]
fn a_chain_runs_one_after_the_other_with_two_events_a_step() {
    let mut world = World::waived(Plan::new(
        "chain",
        vec![tool("a", "pure", &[]), tool("b", "pure", &["a"])],
    ));
    assert_eq!(world.running(), ["a"]);
    world.finish("a", done("1"));
    assert_eq!(world.running(), ["b"]);
    world.finish("b", done("2"));
    assert_eq!(world.phase(), Phase::Completed);
    let story = world.story();
    assert_eq!(
        story,
        [
            "mission_opened",
            "checkpoint_waived",
            "execution_started",
            "task_started",
            "task_completed",
            "task_started",
            "task_completed",
            "synthesis_started",
            "checkpoint_waived",
            "mission_ended"
        ]
    );
}

#[test]
fn a_once_effect_that_was_sent_is_in_doubt_after_a_crash_and_never_sent_again_by_itself() {
    let mut world = World::waived(Plan::new("pay", vec![tool("pay", "once", &[])]));
    assert_eq!(world.running(), ["pay"]);
    world.crash();
    assert!(world.running().is_empty());
    assert_eq!(world.phase(), Phase::AwaitingHuman);
    world.crash();
    assert_eq!(world.open_questions().len(), 1);
    world.choose(0, "mark_done").unwrap();
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn a_pure_effect_under_way_is_simply_performed_again_after_a_crash() {
    let mut world = World::waived(Plan::new("look", vec![tool("look", "pure", &[])]));
    let before = world.flying[0].id;
    world.crash();
    assert_eq!(
        world.flying[0].id, before,
        "law 2: the same effect keeps its id"
    );
    world.finish("look", done("1"));
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn a_once_effect_whose_result_was_lost_on_the_way_is_in_doubt_and_not_retried() {
    for kind in [
        FailureKind::OutcomeUnknown,
        FailureKind::TimedOut,
        FailureKind::BadOutput,
    ] {
        let mut world = World::waived(Plan::new("pay", vec![tool("pay", "once", &[])]));
        world.finish("pay", failed(kind));
        assert_eq!(world.status("pay"), TaskStatus::Blocked, "{kind:?}");
        assert!(world.running().is_empty());
        world.choose(0, "retry").unwrap();
        assert_eq!(world.running(), ["pay"]);
    }
}
