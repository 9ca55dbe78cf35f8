//! Questions that named people must answer, and questions that several must approve.

use adjutant_mission::*;

use super::support::*;

fn approve() -> Decision {
    Decision::new(Verdict::Approve)
}

fn person(name: &str) -> Actor {
    Actor::human(AgentId::new(name).unwrap())
}

fn approvers(by: &[&str], needed: u8) -> Approvers {
    Approvers {
        by: by.iter().map(|name| AgentId::new(*name).unwrap()).collect(),
        needed,
    }
}

fn plan(kind: CheckpointType, who: Approvers, tasks: Vec<Task>) -> Plan {
    Plan {
        approvers: [(kind, who)].into(),
        ..Plan::new("several", tasks)
    }
}

#[test]
fn two_of_three_must_approve_and_nobody_twice() {
    let who = approvers(&["ann", "bob", "cem"], 2);
    let plan = plan(
        CheckpointType::FinalReview,
        who,
        vec![tool("a", "pure", &[])],
    );
    // Waiving everything does not waive this.
    let mut world = World::waived(plan);
    world.finish("a", done("1"));
    assert_eq!(world.phase(), Phase::AwaitingHuman);
    let eve = |world: &mut World| world.answer_as(person("eve"), 0, approve());
    assert_eq!(world.refused_code(eve), "ADJ-2013");
    world.answer(0, approve()).unwrap();
    assert_eq!(world.phase(), Phase::AwaitingHuman, "one is not enough");
    let (code, why) = world.refused(|world| world.answer(0, approve()));
    assert_eq!(code, "ADJ-2018");
    assert!(why.contains("1 of 2"), "{why}");
    let behind = Actor {
        on_behalf_of: Some(AgentId::new("ann").unwrap()),
        ..person("cem")
    };
    let same = |world: &mut World| world.answer_as(behind, 0, approve());
    assert_eq!(
        world.refused_code(same),
        "ADJ-2018",
        "ann again, through cem"
    );
    world.crash();
    world.answer_as(bob(), 0, approve()).unwrap();
    assert_eq!(world.ending().1, Delivery::Delivered);
}

#[test]
fn one_no_is_enough() {
    let who = approvers(&[], 2);
    let plan = plan(
        CheckpointType::FinalReview,
        who,
        vec![tool("a", "pure", &[])],
    );
    let mut world = World::waived(plan);
    world.finish("a", done("1"));
    world.answer(0, approve()).unwrap();
    world
        .answer_as(bob(), 0, Decision::new(Verdict::Reject))
        .unwrap();
    assert_eq!(world.ending().1, Delivery::Draft);
}

#[test]
fn they_must_agree_on_the_same() {
    let ask = question("ask", &[], |human| {
        human.options = vec![option("left"), option("right")];
        human.recommend = Some(OptionKey::new("left").unwrap());
        human.approvers = Some(approvers(&[], 2));
    });
    let mut world = World::waived(Plan::new("which", vec![ask]));
    let choose = |option: &str| Decision {
        option: Some(OptionKey::new(option).unwrap()),
        ..approve()
    };
    world.answer(0, choose("left")).unwrap();
    let other = |world: &mut World| world.answer_as(bob(), 0, choose("right"));
    let (code, why) = world.refused(other);
    assert_eq!(code, "ADJ-2018");
    assert!(why.contains("option `left`"), "{why}");
    let change = |world: &mut World| world.answer_as(bob(), 0, modify("{}"));
    assert_eq!(world.refused_code(change), "ADJ-2018", "nobody saw that");
    world.answer_as(bob(), 0, choose("left")).unwrap();
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn a_plan_that_several_approved_is_not_changed_by_one() {
    let kind = CheckpointType::PlanApproval;
    let tasks = || vec![tool("a", "pure", &[]), tool("b", "once", &["a"])];
    let replan = || Command::Replan {
        patch: Box::new(PlanPatch {
            drop: vec![key("b")],
            ..PlanPatch::default()
        }),
        why: "not needed".into(),
    };
    let mut world = World::waived(plan(kind, approvers(&[], 2), tasks()));
    world.answer(0, approve()).unwrap();
    world.answer_as(bob(), 0, approve()).unwrap();
    assert_eq!(world.running(), ["a"]);
    let alone = |world: &mut World| world.command(ann(), replan());
    assert_eq!(world.refused_code(alone), "ADJ-2018");

    let mut world = World::waived(plan(kind, approvers(&["bob"], 1), tasks()));
    world.answer_as(bob(), 0, approve()).unwrap();
    let other = |world: &mut World| world.command(ann(), replan());
    assert_eq!(world.refused_code(other), "ADJ-2013");
    world.command(bob(), replan()).unwrap();
}

#[test]
fn plans_that_nobody_could_approve_are_refused() {
    for (who, place) in [
        (approvers(&["ann"], 2), "approvers.final_review"),
        (approvers(&[], 0), "approvers.final_review"),
        (approvers(&["ann", "ann"], 1), "approvers.final_review"),
    ] {
        let plan = plan(
            CheckpointType::FinalReview,
            who,
            vec![tool("a", "pure", &[])],
        );
        let problems = plan.problems(&tools());
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].place, place);
        assert_eq!(problems[0].kind.code(), "ADJ-1018");
    }
}
