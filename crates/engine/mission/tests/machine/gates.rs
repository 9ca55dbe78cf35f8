//! Gates: verdicts and the way back.

use crate::support::*;
use adjutant_mission::*;

fn plan() -> Plan {
    Plan::new(
        "gated",
        vec![
            tool("draft", "pure", &[]),
            tool("polish", "pure", &["draft"]),
            gate("check", "draft", &["polish"]),
            tool("send", "pure", &["check"]),
        ],
    )
}

fn at_the_gate(plan: Plan) -> World {
    let mut world = World::started(plan);
    world.finish("draft", done("1"));
    world.finish("polish", done("1"));
    world
}

#[test]
fn a_valid_verdict_lets_the_next_task_start() {
    let mut world = at_the_gate(plan());
    assert_eq!(world.flying[0].class, EffectClass::Pure);
    world.finish("check", judged(GateVerdict::Valid));
    assert_eq!(world.running(), ["send"]);
}

#[test]
fn a_repairable_verdict_sends_the_work_back_as_often_as_allowed_and_then_asks() {
    let mut world = at_the_gate(plan());
    for _ in 0..2 {
        world.finish("check", judged(GateVerdict::Repairable));
        assert_eq!(world.running(), ["draft"]);
        assert_eq!(world.status("check"), TaskStatus::Waiting);
        world.finish("draft", done("2"));
        world.finish("polish", done("2"));
    }
    world.finish("check", judged(GateVerdict::Repairable));
    assert_eq!(
        world.tale()[4..],
        [
            "task_started check",
            "gate_judged check: Return",
            "tasks_returned [draft, polish, check]",
            "task_started draft",
            "task_completed draft",
            "task_started polish",
            "task_completed polish",
            "task_started check",
            "gate_judged check: Return",
            "tasks_returned [draft, polish, check]",
            "task_started draft",
            "task_completed draft",
            "task_started polish",
            "task_completed polish",
            "task_started check",
            "gate_judged check: Escalate",
            "checkpoint_opened: task_failed"
        ]
    );
    assert_eq!(
        world.checkpoint(0).checkpoint.context,
        "gate `check`: looked at it (after 3 attempts)"
    );
}

#[test]
fn a_fatal_verdict_is_final() {
    let mut world = at_the_gate(plan());
    let mark = world.mark();
    world.finish("check", judged(GateVerdict::Fatal));
    assert_eq!(
        world.since(mark),
        [
            "gate_judged check: GiveUp",
            "stop_requested: Fail",
            "mission_ended: Failed, Draft"
        ]
    );
}

#[test]
fn a_fatal_verdict_under_continue_on_block_loses_only_what_follows() {
    let mut plan = plan();
    plan.strategy = Strategy::ContinueOnBlock;
    plan.tasks.push(tool("other", "pure", &[]));
    let mut world = at_the_gate(plan);
    world.finish("check", judged(GateVerdict::Fatal));
    assert_eq!(world.status("send"), TaskStatus::Skipped);
    assert_eq!(world.running(), ["other"]);
}

#[test]
fn an_infeasible_verdict_asks_a_human_who_may_have_it_judged_again_or_leave_it_out() {
    let mut world = at_the_gate(plan());
    world.finish("check", judged(GateVerdict::Infeasible));
    assert_eq!(world.status("check"), TaskStatus::Blocked);
    assert_eq!(
        world.refused_code(|world| world.answer(0, modify("{}"))),
        "ADJ-2018",
        "a gate has no arguments"
    );
    world.choose(0, "retry").unwrap();
    world.finish("check", judged(GateVerdict::Infeasible));
    world.choose(1, "skip").unwrap();
    assert_eq!(world.status("send"), TaskStatus::Skipped);
}

#[test]
fn a_gate_that_gives_up_asks_nobody() {
    for verdict in [GateVerdict::Infeasible, GateVerdict::Fatal] {
        let mut world = at_the_gate(Plan {
            on_failure: OnFailure::GiveUp,
            ..plan()
        });
        world.finish("check", judged(verdict));
        assert_eq!(world.phase(), Phase::Failed);
    }
}

#[test]
fn a_gate_that_fails_to_judge_is_tried_again() {
    let mut world = at_the_gate(plan());
    world.finish("check", failed(FailureKind::Temporary));
    world.pass(Millis::seconds(1));
    assert_eq!(world.running(), ["check"]);
}

#[test]
fn returned_tasks_keep_what_they_used_and_their_attempts() {
    let mut plan = plan();
    plan.tasks[0] = tool("draft", "wordy", &[]);
    let mut world = World::started(plan);
    let spent = Outcome::done(Payload::Inline(json("1")), cost(5, 7));
    world.finish("draft", spent.clone());
    world.finish("polish", done("1"));
    world.finish("check", judged(GateVerdict::Repairable));
    assert_eq!(world.flying[0].attempt, 2);
    world.finish("draft", spent);
    let (_, draft) = world.mission().task("draft").unwrap();
    assert_eq!((draft.used, draft.turns), (cost(10, 14), 2));
    assert_eq!(world.mission().used(), cost(10, 14));
}

#[test]
fn a_return_under_a_barrier_opens_the_layers_again() {
    let mut world = at_the_gate(Plan {
        barrier: Barrier::Wait,
        ..plan()
    });
    world.finish("check", judged(GateVerdict::Repairable));
    assert_eq!(world.running(), ["draft"]);
    world.finish("draft", done("2"));
    world.finish("polish", done("2"));
    world.finish("check", judged(GateVerdict::Valid));
    world.finish("send", done("1"));
    assert_eq!(world.phase(), Phase::Completed);
}
