//! Plans that change while they are carried out: which tasks, by whom, on which occasion.

use adjutant_mission::*;

use crate::support::*;

fn three() -> Plan {
    let tasks = vec![
        tool("a", "pure", &[]),
        tool("b", "pure", &["a"]),
        tool("c", "pure", &["b"]),
    ];
    Plan::new("three", tasks)
}

fn replan(patch: PlanPatch) -> Command {
    Command::Replan {
        patch: Box::new(patch),
        why: "things changed".into(),
    }
}

fn adding(task: Task) -> PlanPatch {
    PlanPatch {
        add: vec![task],
        ..PlanPatch::default()
    }
}

fn changing(task: Task) -> PlanPatch {
    PlanPatch {
        change: vec![task],
        ..PlanPatch::default()
    }
}

fn dropping(task: &str) -> PlanPatch {
    PlanPatch {
        drop: vec![key(task)],
        ..PlanPatch::default()
    }
}

fn patched(patch: PlanPatch) -> Decision {
    Decision {
        patch: Some(Box::new(patch)),
        ..Decision::new(Verdict::Modify)
    }
}

fn unsure(share: u32) -> Outcome {
    Outcome::Done {
        output: Payload::Inline(json("1")),
        usage: Usage::NONE,
        remarks: Remarks {
            confidence: Some(Ppm(share)),
            surprise: None,
            ..Remarks::default()
        },
    }
}

/// The change touches what runs: `a` stands at another place in the plan afterwards, and its result still arrives.
#[test]
fn what_has_not_started_is_added_changed_and_dropped() {
    let mut plan = three();
    plan.tasks.insert(0, tool("first", "pure", &["c"]));
    let mut world = World::started(plan);
    let patch = PlanPatch {
        add: vec![tool("d", "pure", &["a"])],
        change: vec![tool("c", "pure", &["d"])],
        drop: vec![key("first"), key("b")],
        ..PlanPatch::default()
    };
    world.command(ann(), replan(patch)).unwrap();
    assert_eq!(world.mission().plan().tasks.len(), 3);
    world.finish("a", done("1"));
    assert_eq!(world.running(), ["d"]);
    world.crash();
    world.settle();
    world.finish("d", done("2"));
    world.finish("c", done("3"));
    assert_eq!(world.ending().0, EndingPhase::Completed);
    let told = world
        .journal
        .iter()
        .find_map(|recorded| match &recorded.event {
            Event::PlanChanged { trigger, why, .. } => {
                Some((recorded.actor.clone(), *trigger, why))
            }
            _ => None,
        });
    let (by, trigger, why) = told.unwrap();
    assert_eq!(by, Some(ann()));
    assert_eq!(trigger, ReplanTrigger::HumanIntervention);
    assert_eq!(why, "things changed");
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let mut world = World::started(three());
    let other = |task: Task| replan(changing(task));
    for (command, code) in [
        (other(tool("a", "dear", &[])), "ADJ-2018"),
        (replan(dropping("a")), "ADJ-2018"),
        (replan(dropping("nobody")), "ADJ-2018"),
        (replan(adding(tool("b", "pure", &[]))), "ADJ-2018"),
        (replan(PlanPatch::default()), "ADJ-2018"),
        (replan(dropping("b")), "ADJ-1000"),
        (other(tool("b", "pure", &["c"])), "ADJ-1000"),
        (replan(adding(tool("d", "unheard_of", &[]))), "ADJ-1000"),
    ] {
        let refused = world.refused(|world| world.command(ann(), command));
        assert_eq!(refused.0, code, "{}", refused.1);
    }
    for kind in [ActorKind::Agent, ActorKind::System] {
        let refused = world.refused(|world| world.command(actor(kind), replan(dropping("c"))));
        assert_eq!(refused.0, "ADJ-2013");
    }
}

#[test]
fn a_tool_nobody_used_yet_is_brought_along() {
    let mut world = World::started(three());
    let mut patch = adding(tool("d", "new", &["a"]));
    let facts = ToolFacts {
        class: EffectClass::Once,
        price: MicroUsd(7),
        tokens: 0,
        time_limit: Millis::ZERO,
        provenance: None,
    };
    patch.tools.insert(ToolId::new("new").unwrap(), facts);
    patch.tools.insert(ToolId::new("unused").unwrap(), facts);
    world.command(ann(), replan(patch)).unwrap();
    world.finish("a", done("1"));
    let flying = world.flying.iter().find(|effect| effect.task == key("d"));
    assert_eq!(flying.unwrap().class, EffectClass::Once);
    assert_eq!(world.mission().reserved().money, MicroUsd(7));
    let kept = world
        .journal
        .iter()
        .find_map(|recorded| match &recorded.event {
            Event::PlanChanged { patch, .. } => Some(patch.tools.len()),
            _ => None,
        });
    assert_eq!(kept, Some(1));
}

/// Recovery level three: the task that failed gives way to another.
#[test]
fn a_failure_is_answered_with_another_plan() {
    let mut plan = three();
    plan.tasks[1].retry.attempts = 1;
    let mut world = World::started(plan);
    world.finish("a", done("1"));
    world.finish("b", broken());
    let elsewhere = world.answer(0, patched(adding(tool("d", "pure", &["a"]))));
    assert_eq!(elsewhere.unwrap_err().code(), "ADJ-2018", "b would hang");
    let patch = PlanPatch {
        add: vec![tool("d", "pure", &["a"])],
        change: vec![tool("c", "pure", &["d"])],
        drop: vec![key("b")],
        ..PlanPatch::default()
    };
    world.answer(0, patched(patch)).unwrap();
    assert_eq!(world.running(), ["d"]);
    assert!(world.open_questions().is_empty());
    world.finish("d", done("2"));
    world.finish("c", done("3"));
    assert_eq!(world.ending().0, EndingPhase::Completed);
}

#[test]
fn a_command_takes_the_question_about_what_it_changes_back() {
    let mut plan = three();
    plan.tasks[0].retry.attempts = 1;
    let mut world = World::started(plan);
    world.finish("a", broken());
    assert_eq!(world.open_questions().len(), 1);
    world
        .command(ann(), replan(changing(tool("a", "pure", &[]))))
        .unwrap();
    assert!(world.open_questions().is_empty());
    assert_eq!(world.running(), ["a"]);
}

#[test]
fn a_plan_modified_before_it_runs_is_asked_for_again() {
    let mut world = World::open(three(), Vec::new());
    world.answer(0, patched(dropping("c"))).unwrap();
    assert_eq!(world.mission().plan().tasks.len(), 2);
    assert_eq!(world.phase(), Phase::AwaitingHuman);
    world
        .command(ann(), replan(adding(tool("d", "pure", &[]))))
        .unwrap();
    assert_eq!(world.open_questions().len(), 1, "the old one is withdrawn");
    world.decide(2, Verdict::Approve).unwrap();
    assert_eq!(world.running(), ["a", "d"]);
}

#[test]
fn an_unsure_result_holds_what_follows_until_somebody_says_so() {
    let mut plan = three();
    plan.replan.on.insert(ReplanTrigger::LowConfidence);
    let mut world = World::open(plan.clone(), waive(&[CheckpointType::FinalReview]));
    world.decide(0, Verdict::Approve).unwrap();
    world.finish("a", unsure(699_999));
    assert!(world.running().is_empty());
    let asked = &world.checkpoint(1).checkpoint;
    assert_eq!(asked.trigger, "low_confidence");
    world.decide(1, Verdict::Approve).unwrap();
    world.finish("b", unsure(700_000));
    assert_eq!(world.running(), ["c"], "70% is enough");

    let mut world = World::open(plan, waive_all());
    world.finish("a", unsure(0));
    assert_eq!(world.running(), ["b"], "whoever waived was not asked");
}

#[test]
fn news_and_surprises_are_occasions_where_the_plan_says_so() {
    let news = || Command::Inform {
        topic: "prices".into(),
        trust: Trust::Untrusted,
        body: json("1"),
    };
    let surprising = || Outcome::Done {
        output: Payload::Inline(json("1")),
        usage: Usage::NONE,
        remarks: Remarks {
            confidence: None,
            surprise: Some("two of them".into()),
            ..Remarks::default()
        },
    };
    let mut quiet = World::open(three(), waive(&[CheckpointType::FinalReview]));
    quiet.decide(0, Verdict::Approve).unwrap();
    quiet.command(ann(), news()).unwrap();
    quiet.finish("a", surprising());
    assert_eq!(quiet.running(), ["b"]);

    let mut plan = three();
    plan.replan.on = ReplanTrigger::ALL.into();
    let mut world = World::open(plan, Vec::new());
    world.decide(0, Verdict::Approve).unwrap();
    world.command(ann(), news()).unwrap();
    world.finish("a", surprising());
    assert_eq!(world.open_questions().len(), 1, "asked once at a time");
    world.answer(1, patched(dropping("c"))).unwrap();
    assert_eq!(world.running(), ["b"]);
}

#[test]
fn a_plan_that_may_not_be_changed_is_not() {
    let mut plan = three();
    plan.replan.on.clear();
    let mut world = World::started(plan);
    let refused = world.refused(|world| world.command(ann(), replan(dropping("c"))));
    assert_eq!(refused.0, "ADJ-2018");
}

#[test]
fn more_budget_lets_a_mission_go_on_that_came_to_its_cap() {
    let mut plan = three();
    plan.caps.turns = Some(1);
    let mut world = World::started(plan);
    world.finish("a", done("1"));
    assert_eq!(world.status("b"), TaskStatus::Blocked);
    let patch = PlanPatch {
        change: vec![tool("b", "pure", &["a"])],
        caps: Some(Caps::default()),
        ..PlanPatch::default()
    };
    world.answer(0, patched(patch)).unwrap();
    assert_eq!(world.running(), ["b"]);
}

/// Nobody knows whether it happened: no change of plan makes that question go away.
#[test]
fn what_is_in_doubt_is_not_changed() {
    let mut plan = three();
    plan.tasks[0] = tool("a", "once", &[]);
    let mut world = World::started(plan);
    world.crash();
    world.settle();
    assert_eq!(world.status("a"), TaskStatus::Blocked);
    for patch in [changing(tool("a", "pure", &[])), dropping("a")] {
        let refused = world.refused_code(|world| world.command(ann(), replan(patch)));
        assert_eq!(refused, "ADJ-2018");
    }
    assert_eq!(world.open_questions().len(), 1);
}
