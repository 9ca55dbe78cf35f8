//! Nothing unapproved happens: plans, tool calls, results, and what may be waived.

use crate::support::*;
use CheckpointType::{CriticalDecision, FinalReview, PlanApproval, ToolApproval};
use adjutant_mission::*;

fn one(tool_name: &str) -> Plan {
    Plan::new("one", vec![tool("a", tool_name, &[])])
}

fn strict(plan: Plan) -> Plan {
    Plan {
        autonomy: Autonomy::Strict,
        ..plan
    }
}

fn guarded(tool_name: &str) -> Plan {
    let mut plan = one(tool_name);
    plan.tasks[0].approval = Approval::Always;
    plan
}

#[test]
fn nothing_runs_before_the_plan_is_approved() {
    let mut world = World::open(one("pure"), Vec::new());
    assert_eq!(world.story(), ["mission_opened", "checkpoint_opened"]);
    assert_eq!(world.open_questions(), ["Run the plan “one” (1 task)?"]);
    assert_eq!(world.phase(), Phase::AwaitingHuman);
    world.decide(0, Verdict::Approve).unwrap();
    assert_eq!(world.running(), ["a"]);
}

#[test]
fn a_plan_that_is_rejected_or_not_answered_is_cancelled_and_nothing_ever_runs() {
    let acts: [fn(&mut World); 2] = [
        |world| world.decide(0, Verdict::Reject).unwrap(),
        |world| world.pass(Millis::hours(24)),
    ];
    for act in acts {
        let mut world = World::open(one("once"), Vec::new());
        act(&mut world);
        assert_eq!(world.phase(), Phase::Cancelled);
        world.pass(Millis::hours(100));
        world.crash();
        assert!(!world.story().contains(&"task_started".to_owned()));
        assert_eq!(world.mission().turns(), 0);
    }
}

#[test]
fn strict_asks_before_every_call_that_changes_something_and_balanced_does_not() {
    let asked = |plan: Plan| !World::started(plan).open_questions().is_empty();
    let classes = ["pure", "idempotent", "once"];
    assert_eq!(classes.map(|class| asked(one(class))), [false; 3]);
    assert_eq!(
        classes.map(|class| asked(strict(one(class)))),
        [false, true, true]
    );
    assert_eq!(classes.map(|class| asked(guarded(class))), [true; 3]);
}

#[test]
fn an_approved_call_runs_and_is_not_asked_about_again_for_its_retries() {
    let mut world = World::started(guarded("pure"));
    assert_eq!(world.open_questions(), ["Let task `a` call `pure`?"]);
    assert_eq!(world.status("a"), TaskStatus::AwaitingApproval);
    world.decide(0, Verdict::Approve).unwrap();
    world.finish("a", failed(FailureKind::Temporary));
    world.pass(Millis::seconds(1));
    assert_eq!(
        world.tale(),
        [
            "checkpoint_opened: tool_call",
            "checkpoint_decided",
            "tool_call_approved a",
            "task_started a",
            "attempt_failed a: retry at 2000",
            "task_started a"
        ]
    );
}

#[test]
fn an_approver_can_change_the_arguments() {
    let mut world = World::started(guarded("pure"));
    world.answer(0, modify(r#"{"to":"nobody"}"#)).unwrap();
    let Work::CallTool(call) = &world.flying[0].work else {
        panic!("a tool is called");
    };
    assert_eq!(call.with.text(), r#"{"to":"nobody"}"#);
}

#[test]
fn a_rejected_call_never_happens() {
    let mut world = World::started(guarded("once"));
    world.decide(0, Verdict::Reject).unwrap();
    assert_eq!(
        world.tale(),
        [
            "checkpoint_opened: tool_call",
            "checkpoint_decided",
            "stop_requested: Synthesize",
            "mission_ended: Cancelled, Nothing"
        ]
    );
}

#[test]
fn the_alternative_needs_an_approval_of_its_own() {
    let mut plan = guarded("pure");
    plan.tasks[0].alternative = Some(call("once"));
    let mut world = World::started(plan);
    world.decide(0, Verdict::Approve).unwrap();
    world.finish("a", broken());
    assert_eq!(world.open_questions(), ["Let task `a` call `once`?"]);
    assert!(world.running().is_empty());
}

#[test]
fn what_a_rule_reserves_for_a_human_is_never_waived() {
    let world = World::waived(guarded("pure"));
    assert_eq!(world.open_questions().len(), 1);
    let waived = World::waived(strict(one("once")));
    assert_eq!(waived.running(), ["a"]);
    assert_eq!(
        waived.tale(),
        ["checkpoint_waived", "task_started a", "effect_started"]
    );
}

#[test]
fn a_waiver_follows_a_recommendation_and_nothing_else() {
    let asked = |change: fn(&mut Human)| {
        let plan = Plan::new("ask", vec![question("ask", &[], change)]);
        let world = World::waived(plan);
        !world.open_questions().is_empty()
    };
    let both = |human: &mut Human| human.options = vec![option("left"), option("right")];
    assert!(!asked(|_| {}), "without options there is only a yes");
    assert!(asked(both), "nobody said which");
    assert!(!asked(|human| {
        human.options = vec![option("left"), option("right")];
        human.recommend = Some(OptionKey::new("right").unwrap());
    }));
    assert!(
        asked(|human| human.role = Some(Role::new("qa").unwrap())),
        "a role's question is the role's"
    );
}

#[test]
fn a_waived_question_is_answered_as_recommended_in_the_name_of_who_waived() {
    let plan = Plan::new(
        "ask",
        vec![question("ask", &[], |human| {
            human.options = vec![option("left"), option("right")];
            human.recommend = Some(OptionKey::new("right").unwrap());
        })],
    );
    let world = World::waived(plan);
    let Some(Payload::Inline(output)) = world.mission().output("ask") else {
        panic!("it was answered");
    };
    assert_eq!(
        output.text(),
        r#"{"verdict":"approve","option":"right","note":"","by":"ann"}"#
    );
}

#[test]
fn a_waiver_of_one_type_waives_no_other() {
    let plan = strict(Plan::new(
        "types",
        vec![tool("a", "once", &[]), human("b", &[])],
    ));
    let open = |types: &[CheckpointType]| {
        let world = World::open(plan.clone(), waive(types));
        let open = world.mission().open_checkpoints();
        open.map(|state| state.checkpoint.checkpoint_type)
            .collect::<Vec<_>>()
    };
    assert_eq!(open(&[FinalReview, ToolApproval]), [PlanApproval]);
    assert_eq!(open(&[PlanApproval]), [ToolApproval, CriticalDecision]);
    assert_eq!(open(&[PlanApproval, ToolApproval]), [CriticalDecision]);
    assert_eq!(open(&[PlanApproval, CriticalDecision]), [ToolApproval]);
}

#[test]
fn failures_and_doubt_are_never_waived() {
    let mut world = World::waived(one("pure"));
    world.finish("a", broken());
    assert_eq!(world.open_questions().len(), 1);
    let mut doubtful = World::waived(one("once"));
    doubtful.crash();
    assert_eq!(doubtful.open_questions().len(), 1);
}

fn reviewed(plan: Plan) -> World {
    World::open(plan, waive(&[PlanApproval]))
}

#[test]
fn a_result_is_delivered_only_after_review() {
    let mut world = reviewed(one("pure"));
    world.finish("a", done("1"));
    assert_eq!(world.phase(), Phase::AwaitingHuman);
    let asked = &world.checkpoint(0).checkpoint;
    assert_eq!(asked.context, "1 of 1 tasks completed\nResult: a: 1");
    world.decide(0, Verdict::Approve).unwrap();
    assert_eq!(
        world.ending(),
        (EndingPhase::Completed, Delivery::Delivered, "")
    );
}

#[test]
fn a_rejected_result_is_kept_as_a_draft() {
    let mut world = reviewed(one("pure"));
    world.finish("a", done("1"));
    world.decide(0, Verdict::Reject).unwrap();
    assert_eq!(
        world.ending(),
        (
            EndingPhase::Completed,
            Delivery::Draft,
            "the result was rejected by human:ann"
        )
    );
}

#[test]
fn a_result_is_sent_back_three_times_at_most_and_only_with_tasks_named() {
    let mut world = reviewed(Plan::new(
        "redo",
        vec![
            tool("a", "pure", &[]),
            tool("b", "pure", &["a"]),
            tool("c", "pure", &[]),
        ],
    ));
    world.finish("a", done("1"));
    world.finish("b", done("1"));
    world.finish("c", done("1"));
    assert_eq!(
        world.refused_code(|world| world.answer(0, redo(&["nobody"]))),
        "ADJ-2018"
    );
    assert_eq!(
        world.refused_code(|world| world.answer(0, modify("{}"))),
        "ADJ-2018"
    );
    for number in 0..3 {
        let mark = world.mark();
        world.answer(number, redo(&["a"])).unwrap();
        world.finish("a", done("2"));
        world.finish("b", done("2"));
        assert_eq!(
            world.since(mark),
            [
                "checkpoint_decided",
                "tasks_returned [a, b]",
                "task_started a",
                "task_completed a",
                "task_started b",
                "task_completed b",
                "synthesis_started",
                "checkpoint_opened: result_ready"
            ]
        );
    }
    assert_eq!(
        world.refused(|world| world.answer(3, redo(&["a"]))),
        (
            "ADJ-2018",
            "the change is not valid: the result was already sent back 3 times".into()
        )
    );
    world.decide(3, Verdict::Approve).unwrap();
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn a_text_that_a_person_changes_at_the_review_takes_the_place_of_the_agents() {
    let mut world = reviewed(Plan::new(
        "rewrite",
        vec![
            tool("look", "pure", &[]),
            agent("write", &["look"]),
            tool("bind", "pure", &["write"]),
        ],
    ));
    world.finish("look", done("1"));
    world.finish("write", done(r#"{"text":"long"}"#));
    world.finish("bind", done("1"));
    let rewrite = |tasks: &[&str]| Decision {
        change: Json::parse(r#"{"text":"short"}"#).ok(),
        ..redo(tasks)
    };
    for (tasks, why) in [
        (
            &["look"][..],
            "the output of `look` was not written by an agent",
        ),
        (
            &["write", "bind"],
            "name the one task whose text it replaces",
        ),
        (&["nobody"], "there is no task `nobody`"),
    ] {
        let told = world.refused(|world| world.answer(0, rewrite(tasks)));
        assert_eq!(
            told,
            ("ADJ-2018", format!("the change is not valid: {why}"))
        );
    }
    let mark = world.mark();
    world.answer(0, rewrite(&["write"])).unwrap();
    let (_, written) = world.mission().task("write").unwrap();
    let short = Json::parse(r#"{"text":"short"}"#).unwrap();
    assert_eq!(written.output, Some(Payload::Inline(short)));
    world.finish("bind", done("2"));
    assert_eq!(
        world.since(mark),
        [
            "checkpoint_decided",
            "tasks_returned [bind]",
            "task_started bind",
            "task_completed bind",
            "synthesis_started",
            "checkpoint_opened: result_ready"
        ]
    );
    world.decide(1, Verdict::Approve).unwrap();
    assert_eq!(
        world.ending(),
        (EndingPhase::Completed, Delivery::Delivered, "")
    );
}

#[test]
fn what_is_sent_back_although_something_before_it_was_lost_is_left_out_again() {
    let mut world = reviewed(Plan {
        strategy: Strategy::ContinueOnBlock,
        on_failure: OnFailure::GiveUp,
        ..Plan::new(
            "lost",
            vec![
                tool("a", "pure", &[]),
                tool("b", "pure", &["a"]),
                tool("c", "pure", &[]),
            ],
        )
    });
    world.finish("a", broken());
    world.finish("c", done("1"));
    let mark = world.mark();
    world.answer(0, redo(&["b"])).unwrap();
    assert_eq!(
        world.since(mark),
        [
            "checkpoint_decided",
            "tasks_returned [b]",
            "task_skipped b",
            "synthesis_started",
            "checkpoint_opened: result_ready"
        ]
    );
}

#[test]
fn what_must_finish_after_a_lost_task_is_not_held_when_it_is_sent_back() {
    let second = Task {
        after: vec![on("a", DependencyKind::FinishToFinish, 0)],
        ..tool("b", "pure", &[])
    };
    let mut world = reviewed(Plan {
        strategy: Strategy::ContinueOnBlock,
        on_failure: OnFailure::GiveUp,
        ..Plan::new("lost", vec![tool("a", "pure", &[]), second])
    });
    world.finish("a", broken());
    world.finish("b", done("1"));
    world.answer(0, redo(&["b"])).unwrap();
    world.finish("b", done("2"));
    assert_eq!(world.status("b"), TaskStatus::Completed);
}

#[test]
fn work_that_was_cut_short_goes_on_when_the_result_is_sent_back() {
    let tasks = vec![
        tool("a", "pure", &[]),
        tool("b", "pure", &[]),
        human("c", &[]),
    ];
    let mut world = reviewed(Plan::new("cut", tasks));
    world.finish("a", done("1"));
    world.finish("b", broken());
    world.decide(1, Verdict::Reject).unwrap();
    assert_eq!(world.checkpoint(2).checkpoint.trigger, "result_ready");
    world.answer(2, redo(&["a"])).unwrap();
    assert_eq!(world.running(), ["a", "b"], "the blocked task starts over");
    world.finish("a", done("2"));
    world.finish("b", done("2"));
    world.decide(3, Verdict::Approve).unwrap();
    world.decide(4, Verdict::Approve).unwrap();
    assert_eq!(world.ending().1, Delivery::Delivered);
}

#[test]
fn what_fails_while_the_mission_stops_starts_over_when_the_result_is_sent_back() {
    let mut world = reviewed(Plan {
        strategy: Strategy::ContinueOnBlock,
        skips_max: 0,
        ..Plan::new(
            "cut",
            vec![
                tool("a", "once", &[]),
                human("b", &[]),
                tool("c", "pure", &[]),
            ],
        )
    });
    world.finish("c", done("1"));
    world.decide(0, Verdict::Reject).unwrap();
    world.finish("a", broken());
    assert_eq!(world.status("a"), TaskStatus::Stopped, "nobody was asked");
    world.answer(1, redo(&["b"])).unwrap();
    assert_eq!(world.running(), ["a"]);
}
