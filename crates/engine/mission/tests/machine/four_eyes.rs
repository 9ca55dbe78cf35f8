//! Where a rule asks for four eyes, whoever began a mission does not approve it: not by a waiver, not through a
//! sub-mission, not by another answer that comes to the same.

use adjutant_mission::*;

use super::support::*;

fn approve() -> Decision {
    Decision::new(Verdict::Approve)
}

fn carl() -> Actor {
    Actor::human(AgentId::new("carl").unwrap())
}

#[test]
fn where_a_rule_asks_for_four_eyes_the_opener_only_says_no() {
    let plan = || Plan {
        four_eyes: vec![CheckpointType::CriticalDecision],
        ..Plan::new("two", vec![human("ask", &[])])
    };
    let mut world = World::started(plan());
    let (code, why) = world.refused(|world| world.answer(0, approve()));
    assert_eq!(code, "ADJ-2013");
    assert!(why.contains("someone other than"), "{why}");
    let claim = Command::Claim {
        checkpoint: CheckpointNumber::new(0),
    };
    world.command(ann(), claim).unwrap();
    let release = Command::Release {
        checkpoint: CheckpointNumber::new(0),
    };
    world.command(ann(), release).unwrap();
    world.answer_as(bob(), 0, approve()).unwrap();
    assert_eq!(world.phase(), Phase::Completed);
    let mut world = World::started(plan());
    world.decide(0, Verdict::Reject).unwrap();
    assert_eq!(world.ending().0, EndingPhase::Cancelled);
}

#[test]
fn who_opened_a_mission_cannot_waive_what_four_eyes_must_see() {
    let mut plan = Plan::new("two", vec![tool("a", "pure", &[])]);
    plan.four_eyes = vec![CheckpointType::FinalReview];
    let mut world = World::open(plan, waive_all());
    world.finish("a", done("1"));
    assert_eq!(
        world.phase(),
        Phase::AwaitingHuman,
        "it is asked all the same"
    );
    assert_eq!(
        world.refused_code(|world| world.decide(0, Verdict::Approve)),
        "ADJ-2013"
    );
    world
        .answer_as(bob(), 0, Decision::new(Verdict::Approve))
        .unwrap();
    assert_eq!(world.ending().1, Delivery::Delivered);
}

/// The host opens a sub-mission, but whoever began the mission above it began it.
#[test]
fn whoever_began_a_mission_approves_nothing_in_its_sub_missions() {
    let effect = EffectId {
        mission: mission_id(),
        number: EffectNumber::new(3),
    };
    let mut plan = Plan::new("inner", vec![tool("look", "pure", &[])]);
    plan.four_eyes = vec![CheckpointType::FinalReview];
    let opening = Start {
        mission: MissionId::of_effect(effect),
        parent: Some(Parent {
            effect,
            depth: 1,
            sandbox: Sandbox::Standard,
        }),
        began_by: vec![ann().id],
        ..start(plan, waive_all())
    };
    let mut world = World::begin_as(Actor::host(None), opening);
    world.finish("look", done("1"));
    assert_eq!(world.phase(), Phase::AwaitingHuman, "no waiver of hers");
    let code = world.refused_code(|world| world.answer(0, approve()));
    assert_eq!(code, "ADJ-2013");
    assert_eq!(world.mission().beginners(), [ann().id]);
    let at = world.journal.len();
    let mut fork = world.fork(at, Timestamp(9_000), vec![]).unwrap();
    let code = fork.refused_code(|fork| fork.answer(0, approve()));
    assert_eq!(code, "ADJ-2013", "a fork of it does not forget her");
    world.answer_as(bob(), 0, approve()).unwrap();
    assert_eq!(world.ending().1, Delivery::Delivered);
}

/// Arguments given with another answer are a call that is approved.
#[test]
fn a_way_to_recover_does_not_approve_a_call_for_whoever_began_it() {
    let mut plan = Plan::new("two", vec![tool("a", "once", &[])]);
    plan.four_eyes = vec![CheckpointType::ToolApproval];
    let mut world = World::started(plan);
    world.answer_as(bob(), 0, approve()).unwrap();
    world.finish("a", broken());
    let with = Decision {
        option: Some(OptionKey::new("retry").unwrap()),
        ..modify("{\"to\":\"elsewhere\"}")
    };
    let (code, why) = world.refused(|world| world.answer(1, with.clone()));
    assert_eq!(code, "ADJ-2013");
    assert!(why.contains("someone other than"), "{why}");
    world.choose(1, "retry").unwrap();
    assert_eq!(world.running(), ["a"], "the same call is no new one");
    world.finish("a", broken());
    world.answer_as(bob(), 2, with).unwrap();
    assert_eq!(world.running(), ["a"]);
}

/// Otherwise whoever starts a mission would choose an autonomy under which nobody is asked.
#[test]
fn what_a_rule_is_about_is_asked_with_every_autonomy() {
    let calls = vec![tool("a", "idempotent", &[]), tool("b", "pure", &["a"])];
    let permissive = || Plan {
        autonomy: Autonomy::Permissive,
        ..Plan::new("two", calls.clone())
    };
    let other_eyes = Plan {
        four_eyes: vec![CheckpointType::ToolApproval],
        ..permissive()
    };
    let several = Approvers {
        by: Vec::new(),
        needed: 1,
    };
    let approvers = Plan {
        approvers: [(CheckpointType::ToolApproval, several)].into(),
        ..permissive()
    };
    for plan in [other_eyes, approvers] {
        let mut world = World::waived(plan);
        assert_eq!(world.running(), Vec::<&str>::new());
        world.answer_as(bob(), 0, approve()).unwrap();
        assert_eq!(world.running(), ["a"]);
        world.finish("a", done("1"));
        assert_eq!(world.running(), ["b"], "it changes nothing");
    }
    let world = World::waived(permissive());
    assert_eq!(world.running(), ["a"]);
}

#[test]
fn whoever_began_a_mission_does_not_change_its_plan_once_it_is_approved() {
    let mut plan = Plan::new(
        "two",
        vec![tool("a", "pure", &[]), tool("b", "pure", &["a"])],
    );
    plan.four_eyes = vec![CheckpointType::PlanApproval];
    let patch = PlanPatch {
        drop: vec![key("b")],
        ..PlanPatch::default()
    };
    let replan = || Command::Replan {
        patch: Box::new(patch.clone()),
        why: "less".into(),
    };
    let mut world = World::open(plan.clone(), vec![]);
    world.command(ann(), replan()).unwrap();
    assert_eq!(
        world.phase(),
        Phase::AwaitingHuman,
        "whoever approves it sees it"
    );
    let mut world = World::open(plan, vec![]);
    world.answer_as(bob(), 0, approve()).unwrap();
    let code = world.refused_code(|world| world.command(ann(), replan()));
    assert_eq!(code, "ADJ-2013");
    world.command(carl(), replan()).unwrap();
    assert_eq!(world.mission().plan().tasks.len(), 1);
}

fn with_input() -> World {
    let plan = Plan {
        inputs: Some(json("{\"a\":1}")),
        ..Plan::new("inputs", vec![tool("t", "idempotent", &[])])
    };
    let plan = Plan {
        autonomy: Autonomy::Strict,
        ..plan
    };
    let all_but_review = [CheckpointType::PlanApproval, CheckpointType::ToolApproval];
    World::open(plan, waive(&all_but_review))
}

fn changed_input() -> Vec<ForkChange> {
    vec![ForkChange::Input {
        name: "a".into(),
        value: json("2"),
    }]
}

/// Bob forks what ann began: her approval and her waivers were for her inputs.
#[test]
fn a_fork_with_other_inputs_is_approved_anew_and_loses_the_waivers_of_others() {
    let world = with_input();
    assert_eq!(world.running(), ["t"]);
    let at = world.journal.len();
    let same = world.fork(at, Timestamp(9_000), vec![]).unwrap();
    assert_eq!(same.running(), ["t"], "nothing was changed");
    let mut fork = world.fork(at, Timestamp(9_000), changed_input()).unwrap();
    assert_eq!(fork.open_questions(), ["Continue with the plan as it is?"]);
    let asked = &fork.checkpoint(0).checkpoint;
    assert_eq!(asked.checkpoint_type, CheckpointType::PlanApproval);
    assert!(
        asked.context.contains("input `a` is now 2"),
        "{}",
        asked.context
    );
    assert_eq!(fork.running(), Vec::<&str>::new(), "nothing runs before");
    fork.answer_as(carl(), 0, approve()).unwrap();
    assert_eq!(fork.open_questions(), ["Let task `t` call `idempotent`?"]);
}

#[test]
fn whoever_approved_the_plan_forks_with_other_inputs_unasked_unless_another_has_to() {
    let plan = |four_eyes: Vec<CheckpointType>| Plan {
        inputs: Some(json("{\"a\":1}")),
        four_eyes,
        ..Plan::new("inputs", vec![tool("t", "pure", &[])])
    };
    let mut world = World::open(plan(vec![]), vec![]);
    world.answer_as(bob(), 0, approve()).unwrap();
    let at = world.journal.len();
    let later = Timestamp(9_000);
    let own = world.fork_as(bob(), at, later, changed_input()).unwrap();
    assert_eq!(own.running(), ["t"]);
    let other = world.fork_as(ann(), at, later, changed_input()).unwrap();
    assert_eq!(other.open_questions().len(), 1);
    let mut world = World::open(plan(vec![CheckpointType::PlanApproval]), vec![]);
    world.answer_as(bob(), 0, approve()).unwrap();
    let at = world.journal.len();
    let mut own = world.fork_as(bob(), at, later, changed_input()).unwrap();
    assert_eq!(
        own.open_questions(),
        Vec::<String>::new(),
        "he did not begin it"
    );
    own.finish("t", done("1"));
    let again = own.fork_as(bob(), at + 1, later, changed_input()).unwrap();
    assert_eq!(again.open_questions().len(), 1, "now he has begun it");
}

#[test]
fn whoever_waived_the_questions_forks_with_other_inputs_unasked() {
    let world = with_input();
    let at = world.journal.len();
    let fork = world
        .fork_as(ann(), at, Timestamp(9_000), changed_input())
        .unwrap();
    assert_eq!(fork.open_questions(), Vec::<String>::new());
    assert_eq!(fork.running(), ["t"]);
}
