//! Questions: who may answer, by when, and what an answer or silence does.

use crate::support::*;
use adjutant_mission::{CheckpointNumber, *};

fn asking(change: impl FnOnce(&mut Human)) -> World {
    World::started(Plan::new("ask", vec![question("ask", &[], change)]))
}

#[test]
fn a_question_carries_what_its_plan_says() {
    let mut world = asking(|human| {
        human.options = vec![option("left"), option("right")];
        human.recommend = Some(OptionKey::new("left").unwrap());
        human.because = "it is shorter".into();
        human.deadline = Some(Millis::seconds(300));
    });
    let asked = &world.checkpoint(0).checkpoint;
    assert_eq!(asked.checkpoint_type, CheckpointType::CriticalDecision);
    assert_eq!(asked.trigger, "human_task");
    assert_eq!(asked.options.len(), 2);
    assert_eq!(asked.deadline, Timestamp(301_000));
    assert_eq!(
        asked.recommendation.as_ref().unwrap().reason,
        "it is shorter"
    );
    world.choose(0, "right").unwrap();
    let Payload::Inline(output) = world.mission().output("ask").unwrap() else {
        panic!("an answer is small");
    };
    assert_eq!(
        output.text(),
        r#"{"verdict":"approve","option":"right","note":"","by":"ann"}"#
    );
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn a_question_shows_what_other_tasks_found() {
    let plan = Plan {
        inputs: Some(json(r#"{"who":"Eve"}"#)),
        ..Plan::new(
            "found",
            vec![
                tool("look", "pure", &[]),
                question("ask", &["look"], |human| {
                    human.question =
                        "Is {{ look.output.hits.1 }} for {{inputs.who}}, {{look.output.none}}?"
                            .into();
                }),
            ],
        )
    };
    let mut world = World::started(plan);
    world.finish("look", done(r#"{"hits":["a","b"]}"#));
    assert_eq!(world.open_questions(), ["Is b for Eve, (not there)?"]);
}

#[test]
fn several_questions_are_open_at_once_and_answered_in_any_order() {
    let tasks = vec![human("a", &[]), human("b", &[]), tool("c", "pure", &["b"])];
    let mut world = World::started(Plan::new("several", tasks));
    assert_eq!(world.open_questions().len(), 2);
    assert_eq!(
        world.mission().outstanding().count(),
        3,
        "two questions and a deadline"
    );
    world.decide(1, Verdict::Approve).unwrap();
    assert_eq!(world.running(), ["c"]);
    assert_eq!(
        world.phase(),
        Phase::Executing,
        "only when nothing else is outstanding"
    );
    world.finish("c", done("1"));
    assert_eq!(world.phase(), Phase::AwaitingHuman);
    world.decide(0, Verdict::Approve).unwrap();
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn a_no_to_one_question_withdraws_the_others_and_synthesises_what_exists() {
    let tasks = vec![tool("z", "pure", &[]), human("a", &[]), human("b", &[])];
    let mut world = World::started(Plan::new("several", tasks));
    world.finish("z", done("1"));
    let mark = world.mark();
    world.decide(1, Verdict::Reject).unwrap();
    assert_eq!(
        world.since(mark),
        [
            "checkpoint_decided",
            "stop_requested: Synthesize",
            "checkpoint_withdrawn",
            "synthesis_started",
            "checkpoint_opened: result_ready"
        ]
    );
    assert_eq!(
        world.refused_code(|world| world.decide(0, Verdict::Approve)),
        "ADJ-2011"
    );
}

#[test]
fn with_nothing_completed_a_no_leaves_nothing_to_deliver() {
    let mut world = asking(|_| {});
    world.decide(0, Verdict::Reject).unwrap();
    assert_eq!(
        world.ending(),
        (
            EndingPhase::Cancelled,
            Delivery::Nothing,
            "a question was rejected by human:ann"
        )
    );
}

#[test]
fn a_claim_keeps_others_out_until_it_lapses() {
    let mut world = asking(|_| {});
    let claim = Command::Claim {
        checkpoint: CheckpointNumber::new(0),
    };
    world.command(ann(), claim.clone()).unwrap();
    let approve = || Decision::new(Verdict::Approve);
    assert_eq!(
        world.refused(|world| world.answer_as(bob(), 0, approve())),
        ("ADJ-2012", "checkpoint 0 is claimed by human:ann".into())
    );
    assert_eq!(
        world.refused_code(|world| world.command(bob(), claim.clone())),
        "ADJ-2012"
    );
    world.pass(Millis(CLAIM_LASTS.0 - 1));
    assert_eq!(
        world.refused_code(|world| world.answer_as(bob(), 0, approve())),
        "ADJ-2012"
    );
    world.pass(Millis(1));
    world.command(bob(), claim).unwrap();
    assert_eq!(
        world.refused_code(|world| world.answer(0, approve())),
        "ADJ-2012",
        "the lapsed claim passed on"
    );
    world.answer_as(bob(), 0, approve()).unwrap();
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn a_released_claim_lets_others_in() {
    let mut world = asking(|_| {});
    let release = Command::Release {
        checkpoint: CheckpointNumber::new(0),
    };
    assert_eq!(
        world.refused_code(|world| world.command(ann(), release.clone())),
        "ADJ-2002"
    );
    world
        .command(
            ann(),
            Command::Claim {
                checkpoint: CheckpointNumber::new(0),
            },
        )
        .unwrap();
    assert_eq!(
        world.refused_code(|world| world.command(bob(), release.clone())),
        "ADJ-2012"
    );
    world.command(ann(), release).unwrap();
    world
        .answer_as(bob(), 0, Decision::new(Verdict::Approve))
        .unwrap();
    assert_eq!(
        world.since(world.mark() - 8)[..3],
        [
            "checkpoint_opened: human_task",
            "checkpoint_claimed",
            "checkpoint_released"
        ]
    );
}

#[test]
fn only_the_named_role_may_answer() {
    let role = || Role::new("qa").unwrap();
    let mut world = asking(|human| human.role = Some(role()));
    let approve = || Decision::new(Verdict::Approve);
    assert_eq!(
        world.refused(|world| world.answer(0, approve())),
        (
            "ADJ-2014",
            "only someone with the role `qa` may decide this".into()
        )
    );
    let legal = bob().with_role(Role::new("legal").unwrap());
    assert_eq!(
        world.refused_code(|world| world.answer_as(legal, 0, approve())),
        "ADJ-2014"
    );
    world
        .answer_as(bob().with_role(role()), 0, approve())
        .unwrap();
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn neither_an_agent_nor_the_system_may_answer_claim_or_release() {
    for kind in [ActorKind::Agent, ActorKind::System] {
        let mut world = asking(|_| {});
        let commands = [
            Command::Claim {
                checkpoint: CheckpointNumber::new(0),
            },
            Command::Release {
                checkpoint: CheckpointNumber::new(0),
            },
            Command::Decide {
                checkpoint: CheckpointNumber::new(0),
                decision: Decision::new(Verdict::Approve),
            },
            Command::Decide {
                checkpoint: CheckpointNumber::new(0),
                decision: Decision::new(Verdict::Reject),
            },
        ];
        for command in commands {
            assert_eq!(
                world.refused_code(|world| world.command(actor(kind), command)),
                "ADJ-2013"
            );
        }
    }
}

#[test]
fn a_checkpoint_that_is_not_there_or_closed_takes_no_answer() {
    let tasks = vec![human("a", &[]), human("b", &[])];
    let mut world = World::started(Plan::new("two", tasks));
    assert_eq!(
        world.refused_code(|world| world.decide(7, Verdict::Approve)),
        "ADJ-2010"
    );
    world.decide(0, Verdict::Approve).unwrap();
    assert_eq!(
        world.refused(|world| world.decide(0, Verdict::Reject)),
        (
            "ADJ-2011",
            "checkpoint 0 is closed: approved by human:ann".into()
        )
    );
}

#[test]
fn an_option_is_needed_where_there_are_some_and_must_be_one_of_them() {
    let mut world = asking(|human| human.options = vec![option("left"), option("right")]);
    assert_eq!(
        world.refused(|world| world.decide(0, Verdict::Approve)),
        (
            "ADJ-2016",
            "a choice is needed: give one of left, right".into()
        )
    );
    assert_eq!(
        world.refused(|world| world.choose(0, "up")),
        (
            "ADJ-2017",
            "`up` is not among this checkpoint's options: left, right".into()
        )
    );
}

#[test]
fn only_the_final_review_sends_tasks_back() {
    let mut world = World::open(
        Plan {
            autonomy: Autonomy::Strict,
            ..Plan::new("redo", vec![tool("a", "once", &[])])
        },
        waive(&[CheckpointType::PlanApproval]),
    );
    assert_eq!(
        world.refused_code(|world| world.answer(0, redo(&["a"]))),
        "ADJ-2018",
        "what is no change must not count as a yes"
    );
}

#[test]
fn an_answer_at_or_after_the_deadline_is_refused_even_before_the_clock_was_looked_at() {
    let mut world = asking(|human| human.deadline = Some(Millis::seconds(1)));
    world.now = Timestamp(2_000);
    let input = Input::Command {
        id: CommandId::from_bits(99),
        by: ann(),
        command: Command::Decide {
            checkpoint: CheckpointNumber::new(0),
            decision: Decision::new(Verdict::Approve),
        },
    };
    let refusal = world.driver.input(world.now, &input).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "checkpoint 0 is closed: its deadline passed"
    );
}

#[test]
fn silence_is_a_no_to_every_kind_of_question() {
    let day = Millis::hours(24);
    let plan_of = |task| Plan::new("silence", vec![tool("first", "pure", &[]), task]);
    let after_first = |plan: Plan, act: fn(&mut World)| {
        let mut world = World::started(plan);
        world.finish("first", done("1"));
        act(&mut world);
        world.pass(day);
        // What is left of a result is never waived through: somebody looks at it.
        let review = world.driver.mission().checkpoints().len() - 1;
        world.decide(review as u32, Verdict::Approve).unwrap();
        world.ending().2.to_owned()
    };
    assert_eq!(
        after_first(plan_of(human("x", &["first"])), |_| {}),
        "a question was not answered in time"
    );
    let guarded = Task {
        approval: Approval::Always,
        ..tool("x", "pure", &["first"])
    };
    assert_eq!(
        after_first(plan_of(guarded), |_| {}),
        "a tool call was not answered in time"
    );
    assert_eq!(
        after_first(plan_of(tool("x", "pure", &["first"])), |world| {
            world.finish("x", broken());
        }),
        "a way to recover was not answered in time"
    );
    assert_eq!(
        after_first(plan_of(tool("x", "once", &["first"])), World::crash),
        "an effect in doubt was not answered in time"
    );
    let layered = Plan {
        barrier: Barrier::Ask,
        ..plan_of(tool("x", "pure", &["first"]))
    };
    assert_eq!(
        after_first(layered, |_| {}),
        "the next layer was not answered in time"
    );

    let mut unapproved = World::open(plan_of(tool("x", "pure", &[])), Vec::new());
    unapproved.pass(day);
    assert_eq!(
        unapproved.ending(),
        (
            EndingPhase::Cancelled,
            Delivery::Nothing,
            "the plan was not answered in time"
        )
    );
    let mut unreviewed = World::open(
        Plan::new("silence", vec![tool("x", "pure", &[])]),
        waive(&[CheckpointType::PlanApproval]),
    );
    unreviewed.finish("x", done("1"));
    unreviewed.pass(day);
    assert_eq!(
        unreviewed.ending(),
        (
            EndingPhase::Completed,
            Delivery::Draft,
            "the result was not answered in time"
        )
    );
}
