//! Tasks that are missions: what they may spend, how they are ended, and what a child does differently.

use adjutant_mission::{EffectNumber, *};

use crate::support::*;

fn inner(caps: Caps) -> Plan {
    Plan {
        caps,
        ..Plan::new("inner", vec![tool("look", "pure", &[])])
    }
}

fn money(micro_usd: u64) -> Caps {
    Caps {
        money: Some(MicroUsd(micro_usd)),
        ..Caps::default()
    }
}

fn sub(name: &str, after: &[&str], plan: Plan) -> Task {
    let sub = SubMission {
        plan,
        with: None,
        sandbox: Sandbox::Light,
    };
    Task {
        work: WorkSpec::Mission(Box::new(sub)),
        ..tool(name, "pure", after)
    }
}

fn run(world: &World, task: &str) -> (SubMission, bool) {
    let flying = world.flying.iter().find(|effect| effect.task == key(task));
    match &flying.unwrap().work {
        Work::RunMission { sub, ends } => ((**sub).clone(), *ends),
        other => panic!("{other:?}"),
    }
}

#[test]
fn its_budget_is_carved_out_of_its_parents() {
    let mut task = sub("child", &[], inner(money(900)));
    task.caps = money(500);
    let mut plan = Plan::new("outer", vec![task, tool("after", "pure", &["child"])]);
    plan.caps = money(500);
    let mut world = World::started(plan);
    assert_eq!(world.mission().reserved().money, MicroUsd(500));
    let (carved, _) = run(&world, "child");
    assert_eq!(carved.plan.caps.money, Some(MicroUsd(500)));
    assert_eq!(carved.plan.caps.tokens, Some(0), "nobody allowed any");
    let spent = Outcome::done(Payload::Inline(json("1")), cost(120, 0));
    world.finish("child", spent);
    assert_eq!(world.mission().used().money, MicroUsd(120));
    assert_eq!(world.mission().reserved(), Usage::NONE);
    assert_eq!(world.running(), ["after"]);
}

#[test]
fn an_abort_goes_down_and_waits_for_its_end() {
    let mut world = World::started(Plan::new("outer", vec![sub("child", &[], inner(money(0)))]));
    let first = world.flying[0].id;
    assert!(!run(&world, "child").1);
    let reason = "enough".into();
    let abort = Command::Abort {
        reason,
        undo: false,
    };
    world.command(ann(), abort).unwrap();
    assert!(world.mission().ending().is_none(), "the child is not over");
    assert_eq!(world.flying.len(), 1);
    assert_eq!(world.flying[0].id, first, "the same child");
    assert!(run(&world, "child").1, "it is to be ended");
    world.crash();
    world.settle();
    assert!(run(&world, "child").1);
    world.finish("child", failed(FailureKind::Permanent));
    assert_eq!(world.ending().0, EndingPhase::Cancelled);
}

fn child(sandbox: Sandbox) -> Driver {
    let effect = EffectId {
        mission: mission_id(),
        number: EffectNumber::new(3),
    };
    let opening = Start {
        mission: MissionId::of_effect(effect),
        parent: Some(Parent {
            effect,
            depth: 1,
            sandbox,
        }),
        ..start(
            Plan::new("inner", vec![tool("look", "dear", &[])]),
            Vec::new(),
        )
    };
    let by = Actor::host(None);
    Driver::open(Timestamp(1_000), &by, CommandId::from_bits(1), opening).unwrap()
}

#[test]
fn a_light_one_closes_on_its_answer_and_a_standard_one_asks() {
    let mut light = child(Sandbox::Light);
    light.saved();
    let effect = light.take_effects(Timestamp(1_000))[0].id.number;
    let outcome = done("7");
    let input = Input::Outcome { effect, outcome };
    light.input(Timestamp(2_000), &input).unwrap();
    let ending = light.mission().ending().unwrap();
    assert_eq!(ending.delivery, Delivery::Delivered);
    let standard = child(Sandbox::Standard);
    assert_eq!(standard.mission().phase(), Phase::AwaitingHuman);
}

/// What it spends is held in its parent's name already; its calls are its own.
#[test]
fn a_childs_money_is_charged_once() {
    let light = child(Sandbox::Light);
    let charges = light.charges();
    assert_eq!(charges.len(), 1);
    assert_eq!(charges[0].reserve.money, MicroUsd::ZERO);
    assert_eq!(charges[0].reserve.calls, 1);
    assert!(light.mission().reserved().money > MicroUsd::ZERO);
}

#[test]
fn depth_and_number_are_capped() {
    let mut plan = inner(Caps::default());
    for _ in 0..limits::SUB_MISSION_DEPTH_MAX {
        plan = Plan::new("around", vec![sub("child", &[], plan)]);
    }
    assert!(plan.problems(&tools()).is_empty());
    let deeper = Plan::new("around", vec![sub("child", &[], plan)]);
    assert_eq!(deeper.problems(&tools())[0].kind.code(), "ADJ-1002");
    let many = (0..=limits::SUB_MISSIONS_MAX)
        .map(|n| sub(&format!("child{n}"), &[], inner(Caps::default())));
    let wide = Plan::new("wide", many.collect());
    assert_eq!(wide.problems(&tools())[0].kind.code(), "ADJ-1002");
    let broken = Plan::new("inner", vec![tool("look", "unheard_of", &[])]);
    let problems = Plan::new("outer", vec![sub("child", &[], broken)]).problems(&tools());
    assert_eq!(problems[0].place, "tasks[0].mission.plan.tasks[0].tool");
}

#[test]
fn ids_follow_from_the_effect_and_differ() {
    let of = |number| {
        let (mission, number) = (mission_id(), EffectNumber::new(number));
        MissionId::of_effect(EffectId { mission, number })
    };
    let ids: std::collections::BTreeSet<MissionId> = (0..10_000).map(of).collect();
    assert_eq!(ids.len(), 10_000);
    assert_eq!(of(7), of(7));
}
