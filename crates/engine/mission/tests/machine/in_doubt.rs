//! `once` effects: announced, never repeated blindly, settled by a human when in doubt.

use crate::support::*;
use adjutant_mission::{EffectNumber, *};

fn paying() -> Plan {
    Plan::new(
        "pay",
        vec![tool("pay", "once", &[]), tool("tell", "pure", &["pay"])],
    )
}

fn doubtful() -> World {
    let mut world = World::started(paying());
    world.crash();
    assert_eq!(world.status("pay"), TaskStatus::Blocked);
    world
}

#[test]
fn a_once_effect_is_announced_before_it_is_handed_out() {
    let world = World::started(paying());
    assert_eq!(world.tale(), ["task_started pay", "effect_started"]);
    assert_eq!(world.running(), ["pay"]);
}

#[test]
fn a_crash_before_the_announcement_leaves_no_doubt() {
    let mut world = World::started(paying());
    assert_eq!(world.since(world.mark() - 1), ["effect_started"]);
    let id = world.flying[0].id;
    world.journal.pop();
    world.crash();
    assert_eq!(
        world.flying[0].id, id,
        "law 2: the same effect keeps its id"
    );
    world.finish("pay", done("1"));
    assert_eq!(world.running(), ["tell"]);
}

#[test]
fn a_crash_after_the_announcement_asks_a_human_with_three_ways_out() {
    let world = doubtful();
    let asked = &world.checkpoint(0).checkpoint;
    assert_eq!(asked.trigger, "effect_in_doubt");
    assert_eq!(asked.severity, Severity::Critical);
    let offered: Vec<_> = asked
        .options
        .iter()
        .map(|option| option.key.as_str())
        .collect();
    assert_eq!(offered, ["retry", "mark_done", "abort"]);
    assert_eq!(
        world.tale(),
        [
            "task_started pay",
            "effect_started",
            "effect_in_doubt",
            "checkpoint_opened: effect_in_doubt"
        ]
    );
}

#[test]
fn a_late_outcome_of_an_effect_in_doubt_is_refused() {
    let mut world = doubtful();
    let late = Input::Outcome {
        effect: EffectNumber::new(0),
        outcome: done("1"),
    };
    assert_eq!(
        world.refused_code(|world| world.driver.input(world.now, &late)),
        "ADJ-2020"
    );
    assert_eq!(
        world.refused_code(|world| world.driver.input(
            world.now,
            &Input::Starting {
                effect: EffectNumber::new(0)
            }
        )),
        "ADJ-2020"
    );
}

#[test]
fn retry_is_a_new_effect_with_a_new_id() {
    let mut world = doubtful();
    world.choose(0, "retry").unwrap();
    assert_eq!(world.flying[0].id.number, EffectNumber::new(1));
    assert_eq!(world.flying[0].attempt, 2);
}

#[test]
fn mark_done_goes_on_with_the_result_a_human_gives() {
    let mut world = doubtful();
    let decision = Decision {
        option: Some(OptionKey::new("mark_done").unwrap()),
        ..modify(r#"{"receipt":7}"#)
    };
    world.answer(0, decision).unwrap();
    assert_eq!(
        world.mission().output("pay"),
        Some(&Payload::Inline(json(r#"{"receipt":7}"#)))
    );
    assert_eq!(world.running(), ["tell"]);
}

#[test]
fn a_change_without_saying_which_way_is_not_a_wish_to_send_again() {
    let mut world = doubtful();
    assert_eq!(
        world.refused_code(|world| world.answer(0, modify(r#"{"receipt":7}"#))),
        "ADJ-2016"
    );
}

#[test]
fn abort_ends_the_mission_and_the_doubt_stays_on_record() {
    let mut world = doubtful();
    let mark = world.mark();
    world.choose(0, "abort").unwrap();
    assert_eq!(
        world.since(mark),
        [
            "checkpoint_decided",
            "stop_requested: Cancel",
            "mission_ended: Cancelled, Nothing"
        ]
    );
    assert_eq!(world.status("pay"), TaskStatus::Blocked);
}

#[test]
fn several_effects_in_doubt_are_asked_about_one_by_one() {
    let mut world = World::started(Plan::new(
        "two",
        vec![tool("a", "once", &[]), tool("b", "once", &[])],
    ));
    world.crash();
    let asks: Vec<_> = world
        .mission()
        .open_checkpoints()
        .map(|state| {
            (
                state.checkpoint.number.get(),
                state.checkpoint.asks.task().unwrap().as_str(),
            )
        })
        .collect();
    assert_eq!(asks, [(0, "a"), (1, "b")]);
    world.choose(1, "mark_done").unwrap();
    world.choose(0, "mark_done").unwrap();
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn a_crash_during_doubt_neither_asks_again_nor_sends_again() {
    let mut world = doubtful();
    let mark = world.mark();
    world.crash();
    assert_eq!(world.since(mark), [""; 0]);
    assert!(world.running().is_empty());
}

#[test]
fn a_deferred_once_effect_was_not_sent_so_a_crash_leaves_no_doubt() {
    let mut world = World::started(paying());
    let id = world.flying[0].id;
    world.finish(
        "pay",
        Outcome::Deferred {
            until: Timestamp(9_000),
        },
    );
    world.crash();
    assert!(world.open_questions().is_empty());
    world.pass(Millis(8_000));
    assert_eq!(world.flying[0].id, id);
    assert_eq!(
        world.tale(),
        [
            "task_started pay",
            "effect_started",
            "effect_deferred",
            "effect_started"
        ]
    );
}

#[test]
fn idempotent_and_pure_effects_are_sent_again_with_the_same_id_after_any_number_of_crashes() {
    for class in ["pure", "idempotent"] {
        let mut world = World::started(Plan::new("again", vec![tool("a", class, &[])]));
        let id = world.flying[0].id;
        let mark = world.mark();
        for _ in 0..3 {
            world.crash();
            assert_eq!(world.flying[0].id, id);
        }
        assert_eq!(world.mark(), mark, "nothing needs to be recorded");
    }
}

#[test]
fn a_once_effect_in_flight_when_its_task_runs_out_of_time_is_in_doubt() {
    let mut plan = paying();
    plan.tasks[0].caps.wall_time = Some(Millis::seconds(10));
    let mut world = World::started(plan);
    world.pass(Millis::seconds(10));
    assert_eq!(
        world.tale(),
        [
            "task_started pay",
            "effect_started",
            "cap_reached",
            "effect_in_doubt",
            "checkpoint_opened: effect_in_doubt"
        ]
    );
    assert!(
        world.running().is_empty(),
        "the host is told to let go of it"
    );
    world.choose(0, "retry").unwrap();
    assert_eq!(world.running(), ["pay"], "with its time counted anew");
}

#[test]
fn a_crash_while_stopping_leaves_the_doubt_on_record_and_ends() {
    let mut world = World::started(paying());
    let abort = Command::Abort {
        reason: "enough".into(),
        undo: false,
    };
    world.command(ann(), abort).unwrap();
    assert_eq!(world.running(), ["pay"], "what was sent is waited for");
    let mark = world.mark();
    world.crash();
    assert_eq!(
        world.since(mark),
        ["effect_in_doubt", "mission_ended: Cancelled, Nothing"]
    );
}

#[test]
fn a_result_in_which_something_is_in_doubt_can_be_taken_or_left_but_not_sent_back() {
    let plan = Plan::new(
        "pay",
        vec![tool("first", "pure", &[]), tool("pay", "once", &["first"])],
    );
    let mut world = World::open(plan, waive(&[CheckpointType::PlanApproval]));
    world.finish("first", done("1"));
    world.crash();
    world.decide(0, Verdict::Reject).unwrap();
    for name in ["pay", "first"] {
        assert_eq!(
            world.refused_code(|world| world.answer(1, redo(&[name]))),
            "ADJ-2018"
        );
    }
    world.decide(1, Verdict::Approve).unwrap();
    assert_eq!(world.phase(), Phase::Completed);
}
