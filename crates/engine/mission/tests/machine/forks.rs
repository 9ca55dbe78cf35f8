//! A fork begins where another mission stood, charges nobody for what that spent, and sends nothing that may happen
//! only once without a person's leave.

use crate::support::*;
use adjutant_mission::{CheckpointNumber, *};

const LATER: Timestamp = Timestamp(90_000_000_000);

fn chain(tools: &[&str]) -> Plan {
    let mut tasks: Vec<Task> = Vec::new();
    for (n, of) in tools.iter().enumerate() {
        let before = tasks.last().map(|task| task.key.to_string());
        let after: Vec<&str> = before.iter().map(String::as_str).collect();
        tasks.push(tool(&format!("t{n}"), of, &after));
    }
    Plan::new("chain", tasks)
}

/// How many events there are right after the first that `fits`.
fn after(world: &World, fits: impl Fn(&Event) -> bool) -> usize {
    let at = world.journal.iter().position(|of| fits(&of.event));
    at.unwrap() + 1
}

#[test]
fn a_fork_inherits_what_is_recorded_and_goes_on_from_there() {
    let mut world = World::waived(chain(&["pure", "pure", "pure"]));
    world.finish("t0", done("1"));
    world.finish("t1", done("2"));
    let at = after(&world, |of| matches!(of, Event::TaskCompleted { .. }));
    let mut fork = world.fork(at, LATER, vec![]).unwrap();
    assert_eq!(fork.mission().id(), MissionId::from_bits(8));
    let forked = fork.mission().forked().unwrap();
    assert_eq!((forked.of, forked.at), (mission_id(), at as u64));
    assert_eq!(fork.journal[at].event.name(), "mission_forked/1");
    assert_eq!(fork.journal[at].actor, Some(bob()));
    assert_eq!(fork.journal[1..at], world.journal[1..at]);
    assert_eq!(fork.running(), ["t1"]);
    fork.finish("t1", done("5"));
    fork.finish("t2", done("3"));
    assert_eq!(fork.phase(), Phase::Completed);
    assert_eq!(fork.mission().turns(), 3, "each call counts once");
}

#[test]
fn what_was_under_way_is_begun_anew_and_only_that_is_charged() {
    let mut world = World::waived(chain(&["dear", "dear", "dear"]));
    let usage = cost(1_000_000, 0);
    let output = Payload::Inline(json("1"));
    world.finish("t0", Outcome::done(output, usage));
    let at = after(
        &world,
        |of| matches!(of, Event::TaskStarted { task, .. } if task.as_str() == "t1"),
    );
    let origin = world.mission();
    assert_eq!(origin.reserved(), cost(1_000_000, 0));
    let fork = Fork {
        mission: MissionId::from_bits(8),
        of: mission_id(),
        inherited: world.journal[..at].to_vec(),
        changes: vec![],
    };
    let driver = Driver::fork(LATER, &bob(), CommandId::from_bits(9), fork).unwrap();
    assert_eq!(driver.unsaved().len(), at + 2);
    let news: Vec<&str> = driver.news().iter().map(|of| of.event.name()).collect();
    assert_eq!(news, ["mission_forked/1", "task_started/1"]);
    let charges = driver.charges();
    assert_eq!(charges.len(), 1, "one reservation, of its own");
    assert_eq!(charges[0].at, LATER);
    assert_eq!(charges[0].reserve.money, MicroUsd(1_000_000));
    assert_eq!(charges[0].release, Amounts::NONE);
    let held: Vec<Charge> = driver.mission().held().collect();
    assert_eq!(held.len(), 1);
    assert_eq!(driver.mission().used(), cost(1_000_000, 0), "inherited");
    assert_eq!(driver.mission().reserved(), cost(1_000_000, 0));
    assert_eq!(driver.mission().forked().unwrap().used, cost(1_000_000, 0));
}

#[test]
fn an_account_that_refuses_a_fork_its_next_call_leaves_it_forked() {
    let mut world = World::waived(chain(&["pure", "dear"]));
    world.finish("t0", done("1"));
    let at = after(&world, |of| matches!(of, Event::TaskCompleted { .. }));
    let fork = Fork {
        mission: MissionId::from_bits(8),
        of: mission_id(),
        inherited: world.journal[..at].to_vec(),
        changes: vec![],
    };
    let mut driver = Driver::fork(LATER, &bob(), CommandId::from_bits(9), fork).unwrap();
    let refusal = AccountRefusal {
        charge: 0,
        account: AccountKey {
            owner: AccountOwner::Tenant,
            window: Window::Total,
            from: Timestamp(0),
        },
        resource: Resource::Money,
        cap: 5,
        kind: CapKind::Hard,
    };
    assert!(driver.redecide_without(None, refusal).is_empty());
    assert_eq!(driver.fault(), None);
    assert!(driver.charges().is_empty());
    let news: Vec<&str> = driver.news().iter().map(|of| of.event.name()).collect();
    assert_eq!(
        news,
        [
            "mission_forked/1",
            "cap_reached/1",
            "attempt_failed/1",
            "checkpoint_opened/1"
        ]
    );
    assert_eq!(
        Mission::fold(driver.unsaved()).unwrap().passport().unwrap(),
        { driver.mission().passport().unwrap() }
    );
}

#[test]
fn in_a_fork_no_waiver_covers_what_may_happen_only_once() {
    let mut world = World::waived(chain(&["pure", "once", "once"]));
    world.finish("t0", done("1"));
    let at = after(&world, |of| matches!(of, Event::TaskCompleted { .. }));
    let mut fork = world.fork(at, LATER, vec![]).unwrap();
    assert!(fork.running().is_empty());
    assert_eq!(fork.open_questions(), ["Let task `t1` call `once`?"]);
    let context = &fork.checkpoint(0).checkpoint.context;
    assert!(context.starts_with("This is a fork of msn_"), "{context}");
    fork.decide(0, Verdict::Approve).unwrap();
    assert_eq!(fork.running(), ["t1"]);
    fork.finish("t1", done("2"));
    assert_eq!(
        fork.open_questions(),
        ["Let task `t2` call `once`?"],
        "each"
    );
    fork.crash();
    assert!(fork.running().is_empty());
}

#[test]
fn leave_that_was_given_in_the_origin_is_asked_for_again() {
    let plan = Plan {
        autonomy: Autonomy::Strict,
        concurrency: 1,
        ..Plan::new("two", vec![tool("a", "pure", &[]), tool("b", "once", &[])])
    };
    let mut world = World::started(plan);
    assert_eq!(world.running(), ["a"]);
    world.finish("a", done("1"));
    world.decide(0, Verdict::Approve).unwrap();
    let at = after(&world, |of| matches!(of, Event::ToolCallApproved { .. }));
    let fork = world.fork(at, LATER, vec![]).unwrap();
    assert!(fork.running().is_empty());
    assert_eq!(fork.open_questions(), ["Let task `b` call `once`?"]);
}

#[test]
fn what_was_sent_and_had_no_result_is_asked_about_in_the_fork_too() {
    let world = World::waived(chain(&["once", "pure"]));
    let at = after(&world, |of| matches!(of, Event::EffectStarted { .. }));
    for answer in ["retry", "mark_done", "abort"] {
        let mut fork = world.fork(at, LATER, vec![]).unwrap();
        assert!(fork.running().is_empty());
        assert_eq!(fork.status("t0"), TaskStatus::Blocked);
        assert_eq!(fork.open_questions().len(), 1);
        fork.crash();
        fork.choose(0, answer).unwrap();
        match answer {
            "retry" => {
                let asks = "Let task `t0` call `once`?";
                assert_eq!(fork.open_questions(), [asks], "and that asks for leave");
            }
            "mark_done" => assert_eq!(fork.running(), ["t1"]),
            _ => assert_eq!(fork.phase(), Phase::Cancelled),
        }
        assert_eq!(
            fork.mission().held().count(),
            usize::from(answer == "mark_done")
        );
    }
}

#[test]
fn what_was_in_doubt_stays_so() {
    let mut world = World::waived(chain(&["once", "pure"]));
    world.crash();
    assert_eq!(world.open_questions().len(), 1);
    let at = world.journal.len();
    let mut fork = world.fork(at, LATER, vec![]).unwrap();
    assert_eq!(fork.open_questions(), world.open_questions());
    fork.choose(0, "mark_done").unwrap();
    assert_eq!(fork.running(), ["t1"]);
    fork.finish("t1", done("1"));
    assert_eq!(fork.phase(), Phase::Completed);
}

/// It is no effect of the fork's own, and still nobody knows what became of it.
#[test]
fn what_the_origin_had_sent_is_neither_planned_away_nor_sent_back() {
    let waived = waive(&[CheckpointType::PlanApproval]);
    let mut world = World::open(chain(&["pure", "once"]), waived);
    world.finish("t0", done("1"));
    let at = after(&world, |of| matches!(of, Event::EffectStarted { .. }));
    let mut fork = world.fork(at, LATER, vec![]).unwrap();
    let drop = PlanPatch {
        drop: vec![key("t1")],
        ..PlanPatch::default()
    };
    let replan = Command::Replan {
        patch: Box::new(drop),
        why: "it is not wanted any more".into(),
    };
    assert_eq!(
        fork.refused_code(|fork| fork.command(ann(), replan)),
        "ADJ-2018"
    );
    fork.decide(0, Verdict::Reject).unwrap();
    for name in ["t0", "t1"] {
        assert_eq!(
            fork.refused_code(|fork| fork.answer(1, redo(&[name]))),
            "ADJ-2018"
        );
    }
    fork.decide(1, Verdict::Approve).unwrap();
    assert_eq!(fork.phase(), Phase::Completed);
}

#[test]
fn time_stood_still_for_questions_caps_and_waits() {
    let plan = Plan {
        caps: Caps {
            wall_time: Some(Millis::hours(2)),
            ..Caps::default()
        },
        ..Plan::new("ask", vec![human("ask", &[]), tool("a", "pure", &["ask"])])
    };
    let mut world = World::started(plan);
    world.pass(Millis::hours(1));
    let at = world.journal.len();
    let mut fork = world.fork(at, LATER, vec![]).unwrap();
    assert_eq!(fork.phase(), Phase::AwaitingHuman);
    let (origin, asked) = (world.checkpoint(0), fork.checkpoint(0));
    let left = |state: &CheckpointState, now| state.checkpoint.deadline.since(now);
    let last = world.mission().updated_at();
    assert_eq!(left(origin, last), left(asked, LATER));
    fork.pass(Millis(3_600_000));
    assert_eq!(fork.phase(), Phase::AwaitingHuman, "an hour is left");
    fork.decide(0, Verdict::Approve).unwrap();
    assert_eq!(fork.running(), ["a"]);
    fork.pass(Millis::hours(1));
    assert_eq!(fork.phase(), Phase::Failed, "two hours in all");
}

#[test]
fn a_fork_answers_differently_and_with_other_inputs() {
    let ask = question("ask", &[], |human| {
        human.options = vec![option("left"), option("right")];
    });
    let plan = Plan {
        inputs: Some(json("{\"b\":1,\"a\":2}")),
        ..Plan::new("choice", vec![ask, tool("then", "pure", &["ask"])])
    };
    let mut world = World::started(plan);
    world.choose(0, "left").unwrap();
    let at = after(&world, |of| matches!(of, Event::CheckpointOpened(_)));
    let state = fork_point(&world.journal, at as u64).unwrap();
    let checkpoint = forked_question(&state, None).unwrap();
    let decision = Decision {
        option: Some(OptionKey::new("right").unwrap()),
        ..Decision::new(Verdict::Approve)
    };
    let changes = vec![
        ForkChange::Input {
            name: "a".into(),
            value: json("\"x\""),
        },
        ForkChange::Decision {
            checkpoint,
            decision,
        },
    ];
    let fork = world.fork_as(ann(), at, LATER, changes).unwrap();
    assert_eq!(fork.running(), ["then"]);
    let Some(Closed::Decided { by, decision }) = &fork.checkpoint(0).closed else {
        panic!("the question is answered");
    };
    assert_eq!(*by, ann());
    assert_eq!(decision.option.as_ref().unwrap().as_str(), "right");
    assert_eq!(
        fork.mission().plan().inputs,
        Some(json("{\"a\":\"x\",\"b\":1}"))
    );
    assert_eq!(
        world.mission().plan().inputs,
        Some(json("{\"b\":1,\"a\":2}"))
    );
}

#[test]
fn a_fork_can_be_forked_again() {
    let mut world = World::waived(chain(&["pure", "pure"]));
    world.finish("t0", done("1"));
    let at = after(&world, |of| matches!(of, Event::TaskCompleted { .. }));
    let first = world.fork(at, LATER, vec![]).unwrap();
    let at = first.journal.len();
    let mut second = first.fork(at, LATER.plus(Millis(5)), vec![]).unwrap();
    assert_eq!(second.mission().forked().unwrap().at, at as u64);
    assert_eq!(second.running(), ["t1"]);
    second.finish("t1", done("2"));
    assert_eq!(second.phase(), Phase::Completed);
}

#[test]
fn a_fork_lets_go_of_pauses_and_claims() {
    let mut world = World::started(Plan::new("ask", vec![human("ask", &[])]));
    world
        .command(
            ann(),
            Command::Claim {
                checkpoint: CheckpointNumber::new(0),
            },
        )
        .unwrap();
    let reason = "lunch".into();
    world.command(ann(), Command::Pause { reason }).unwrap();
    let mut fork = world.fork(world.journal.len(), LATER, vec![]).unwrap();
    assert!(!fork.mission().is_paused());
    fork.answer_as(bob(), 0, Decision::new(Verdict::Approve))
        .unwrap();
    assert_eq!(fork.phase(), Phase::Completed);
}

#[test]
fn not_every_event_is_a_place_to_fork_at() {
    let plan = Plan {
        autonomy: Autonomy::Strict,
        ..chain(&["once"])
    };
    let mut world = World::started(plan);
    world.decide(0, Verdict::Approve).unwrap();
    world.finish("t0", done("1"));
    let code = |at| {
        let refused = world.fork(at, LATER, vec![]).err();
        refused.map(|refused| (refused.code(), refused.to_string()))
    };
    let last = world.journal.len();
    assert_eq!(code(0).unwrap().0, "ADJ-3061");
    assert_eq!(code(last + 1).unwrap().0, "ADJ-3061");
    assert_eq!(code(last).unwrap().0, "ADJ-3062");
    let decided = after(&world, |of| matches!(of, Event::CheckpointDecided { .. }));
    let why = format!(
        "event {decided} is inside a step that ends with event {}",
        decided + 1
    );
    assert_eq!(code(decided), Some(("ADJ-3063", why)));
    assert_eq!(code(decided - 1), None);
    let state = fork_point(&world.journal, 1).unwrap();
    assert_eq!(
        forked_question(&state, None).unwrap_err().code(),
        "ADJ-3064"
    );
    assert_eq!(
        forked_question(&state, Some(CheckpointNumber::new(4)))
            .unwrap_err()
            .code(),
        "ADJ-2010"
    );
    let answered = forked_question(world.mission(), Some(CheckpointNumber::new(0))).unwrap_err();
    assert_eq!(answered.code(), "ADJ-3064");
    assert_eq!(
        answered.to_string(),
        format!("question 0 was already answered at event {last}")
    );
    let unknown = vec![ForkChange::Input {
        name: "x".into(),
        value: json("1"),
    }];
    let refused = world.fork(1, LATER, unknown).err().unwrap();
    assert_eq!(
        refused.to_string(),
        "the plan has no input `x`: it has none"
    );
}

#[test]
fn a_question_that_is_begun_and_not_yet_asked_is_inside_a_step() {
    let world = World::started(Plan::new("ask", vec![human("ask", &[])]));
    let at = after(&world, |of| matches!(of, Event::TaskStarted { .. }));
    let refused = world.fork(at, LATER, vec![]).err().unwrap();
    let until = at as u64 + 1;
    assert_eq!(
        refused,
        ForkRefused::InsideStep {
            at: at as u64,
            until
        }
    );
}

/// A fork between the two would have no question open and no answer to it.
#[test]
fn a_question_that_expired_is_inside_a_step_until_that_has_its_consequence() {
    let mut world = World::started(Plan::new("ask", vec![human("ask", &[])]));
    world.pass(Millis::hours(25));
    let at = after(&world, |of| matches!(of, Event::CheckpointExpired { .. }));
    let refused = world.fork(at, LATER, vec![]).err().unwrap();
    let (at, until) = (at as u64, at as u64 + 2);
    assert_eq!(refused, ForkRefused::InsideStep { at, until });
}

/// Wherever a fork can begin, it can be carried to an end.
#[test]
fn every_place_to_fork_at_leads_to_an_end() {
    let tasks = vec![
        tool("a", "once", &[]),
        human("ask", &[]),
        tool("b", "pure", &["ask"]),
        gate("judge", "b", &["b"]),
        tool("c", "idempotent", &["judge", "a"]),
    ];
    let mut world = World::started(Plan::new("mixed", tasks));
    world.finish("a", done("1"));
    world.answer(0, Decision::new(Verdict::Approve)).unwrap();
    world.finish("b", failed(FailureKind::Temporary));
    world.pass(Millis::hours(1));
    world.finish("b", done("2"));
    world.finish("judge", judged(GateVerdict::Repairable));
    world.finish("b", done("3"));
    world.finish("judge", judged(GateVerdict::Valid));
    world.finish("c", done("4"));
    assert_eq!(world.phase(), Phase::Completed);
    let mut forked = 0;
    for at in 1..world.journal.len() {
        let mut fork = match world.fork(at, LATER, vec![]) {
            Ok(fork) => fork,
            Err(ForkRefused::InsideStep { .. }) => continue,
            Err(refused) => panic!("at {at}: {refused}"),
        };
        forked += 1;
        for _ in 0..40 {
            let open = fork.mission().open_checkpoints().next();
            let open = open.map(|state| (*state.checkpoint).clone());
            if let Some(effect) = fork.flying.first() {
                let task = effect.task.to_string();
                let outcome = match &effect.work {
                    Work::EvaluateGate(_) => judged(GateVerdict::Valid),
                    Work::RunMission { .. } => done("1"),
                    Work::CallTool(_) | Work::AskModel(_) => done("9"),
                };
                fork.finish(&task, outcome);
            } else if let Some(asked) = open {
                match asked.asks {
                    Asks::SettleInDoubt { .. } => fork.choose(asked.number.get(), "mark_done"),
                    _ => fork.decide(asked.number.get(), Verdict::Approve),
                }
                .unwrap();
            } else if fork.mission().ending().is_none() {
                fork.pass(Millis::hours(1));
            }
        }
        assert_eq!(fork.phase(), Phase::Completed, "forked at {at}");
    }
    assert!(forked > 12, "{forked}");
}

#[test]
fn a_fork_of_a_mission_whose_plan_was_changed_has_the_changed_plan() {
    let plan = Plan {
        inputs: Some(json("{\"a\":1}")),
        ..chain(&["pure", "pure"])
    };
    let mut world = World::waived(plan);
    let patch = PlanPatch {
        add: vec![tool("more", "once", &["t1"])],
        tools: tools(),
        ..PlanPatch::default()
    };
    let replan = Command::Replan {
        patch: Box::new(patch),
        why: "more is wanted".into(),
    };
    world.command(ann(), replan).unwrap();
    let at = world.journal.len();
    let changes = vec![ForkChange::Input {
        name: "a".into(),
        value: json("2"),
    }];
    let mut fork = world.fork_as(ann(), at, LATER, changes).unwrap();
    assert_eq!(fork.mission().plan().tasks.len(), 3);
    assert_eq!(fork.mission().plan().inputs, Some(json("{\"a\":2}")));
    fork.finish("t0", done("1"));
    fork.finish("t1", done("2"));
    fork.crash();
    assert_eq!(fork.open_questions(), ["Let task `more` call `once`?"]);
}

#[test]
fn who_forks_a_mission_answers_for_it_like_whoever_opened_it() {
    let mut plan = chain(&["pure"]);
    plan.four_eyes = vec![CheckpointType::FinalReview];
    let mut world = World::open(plan, waive_all());
    let at = world.journal.len();
    world.finish("t0", done("1"));
    let mut fork = world.fork(at, LATER, vec![]).unwrap();
    fork.finish("t0", done("2"));
    assert_eq!(fork.phase(), Phase::AwaitingHuman);
    let approve = || Decision::new(Verdict::Approve);
    for beginner in [ann(), bob()] {
        let refused = fork.refused_code(|fork| fork.answer_as(beginner, 0, approve()));
        assert_eq!(refused, "ADJ-2013");
    }
    let carl = Actor::human(AgentId::new("carl").unwrap());
    fork.answer_as(carl, 0, approve()).unwrap();
    assert_eq!(fork.ending().1, Delivery::Delivered);
}

#[test]
fn no_fork_answers_what_another_has_to() {
    let mut plan = chain(&["pure"]);
    plan.four_eyes = vec![CheckpointType::FinalReview];
    let mut world = World::open(plan, waive_all());
    world.finish("t0", done("1"));
    let decided = ForkChange::Decision {
        checkpoint: CheckpointNumber::new(0),
        decision: Decision::new(Verdict::Approve),
    };
    let refused = world.fork(world.journal.len(), LATER, vec![decided]);
    assert_eq!(
        refused.err().map(|refused| refused.code()),
        Some("ADJ-2013")
    );
}
