//! Tasks that ask a model: announced, paid for in full when an answer is lost, asked anew and never in doubt.

use crate::support::*;
use adjutant_mission::*;

fn asking() -> Plan {
    Plan::new(
        "ask",
        vec![agent("ask", &[]), tool("tell", "pure", &["ask"])],
    )
}

fn answered(micro_usd: u64, tokens: u64) -> Outcome {
    Outcome::done(Payload::Inline(json("{}")), cost(micro_usd, tokens))
}

#[test]
fn a_question_is_announced_reserved_and_settled_at_what_it_cost() {
    let mut world = World::started(asking());
    assert_eq!(world.tale(), ["task_started ask", "effect_started"]);
    assert!(
        matches!(&world.flying[0].work, Work::AskModel(agent) if agent.purpose.as_str() == "extract")
    );
    assert_eq!(world.mission().reserved(), cost(1_000_000, 1_000));
    world.finish("ask", answered(20_000, 300));
    assert_eq!(world.mission().used(), cost(20_000, 300));
    assert_eq!(world.mission().reserved(), Usage::NONE);
    assert_eq!(world.running(), ["tell"]);
}

#[test]
fn a_question_whose_answer_is_lost_counts_in_full_and_is_asked_anew() {
    let mut world = World::started(asking());
    let first = world.flying[0].id;
    world.crash();
    assert_eq!(
        world.tale(),
        [
            "task_started ask",
            "effect_started",
            "effect_lost",
            "task_started ask",
            "effect_started"
        ]
    );
    assert!(
        world.open_questions().is_empty(),
        "nobody is asked about a question"
    );
    assert_ne!(
        world.flying[0].id, first,
        "law 2: a new try is a new effect"
    );
    assert_eq!(world.mission().used(), cost(1_000_000, 1_000));
    let tries = world.mission().task("ask").unwrap().1.tries;
    assert_eq!(tries, 1, "the host failed, not the model");
    world.finish("ask", answered(1, 1));
    assert_eq!(world.mission().used(), cost(1_000_001, 1_001));
    assert_eq!(world.status("ask"), TaskStatus::Completed);
}

#[test]
fn an_answer_that_was_recorded_is_not_asked_for_again() {
    let mut world = World::started(asking());
    world.finish("ask", answered(5, 5));
    world.crash();
    assert_eq!(world.running(), ["tell"]);
    assert_eq!(
        world
            .story()
            .iter()
            .filter(|name| *name == "effect_lost")
            .count(),
        0
    );
}

#[test]
fn a_question_that_took_too_long_or_came_back_unfit_is_tried_again_and_not_in_doubt() {
    for kind in [FailureKind::TimedOut, FailureKind::BadOutput] {
        let mut world = World::started(asking());
        world.finish("ask", failed(kind));
        assert_eq!(world.status("ask"), TaskStatus::Delayed, "{kind:?}");
        world.pass(Millis::seconds(1));
        assert_eq!(world.running(), ["ask"]);
    }
}

#[test]
fn lost_answers_never_pass_a_cap() {
    let mut plan = asking();
    plan.caps.money = Some(MicroUsd(2_500_000));
    let mut world = World::started(plan);
    world.crash();
    world.crash();
    assert_eq!(world.mission().used(), cost(2_000_000, 2_000));
    assert_eq!(world.status("ask"), TaskStatus::Blocked);
    assert!(world.story().contains(&"cap_reached".to_owned()));
}

#[test]
fn stopping_drops_a_question_under_way_and_counts_it_in_full() {
    let mut world = World::started(asking());
    let reason = "enough".to_owned();
    world
        .command(
            ann(),
            Command::Abort {
                reason,
                undo: false,
            },
        )
        .unwrap();
    assert_eq!(world.ending().0, EndingPhase::Cancelled);
    assert_eq!(world.mission().used(), cost(1_000_000, 1_000));
    assert_eq!(world.mission().reserved(), Usage::NONE);
}

#[test]
fn a_question_that_was_put_off_and_not_sent_costs_nothing_when_dropped() {
    let mut world = World::started(asking());
    let until = world.now.plus(Millis::hours(1));
    world.finish("ask", Outcome::Deferred { until });
    let reason = "enough".to_owned();
    world
        .command(
            ann(),
            Command::Abort {
                reason,
                undo: false,
            },
        )
        .unwrap();
    assert_eq!(world.ending().0, EndingPhase::Cancelled);
    assert_eq!(world.mission().used(), Usage::NONE);
    assert_eq!(world.mission().reserved(), Usage::NONE);
}

#[test]
fn a_question_out_of_time_fails_at_what_was_reserved() {
    let mut plan = asking();
    plan.tasks[0].caps.wall_time = Some(Millis::seconds(5));
    let mut world = World::started(plan);
    world.pass(Millis::seconds(5));
    assert_eq!(world.status("ask"), TaskStatus::Blocked);
    assert_eq!(world.mission().used(), cost(1_000_000, 1_000));
    assert_eq!(world.checkpoint(0).checkpoint.trigger, "task_failed");
}

#[test]
fn the_alternative_of_a_question_is_a_tool() {
    let mut plan = asking();
    plan.tasks[0].alternative = Some(call("idempotent"));
    let mut world = World::started(plan);
    world.finish("ask", broken());
    assert!(
        matches!(&world.flying[0].work, Work::CallTool(call) if call.tool.as_str() == "idempotent")
    );
    assert_eq!(world.mission().reserved(), Usage::NONE);
}

#[test]
fn a_strict_mission_asks_before_an_agent_starts_and_its_question_may_be_changed() {
    let mut plan = asking();
    plan.autonomy = Autonomy::Strict;
    let mut world = World::started(plan);
    assert_eq!(
        world.open_questions(),
        ["Let task `ask` ask a model (extract, L4)?"]
    );
    assert_eq!(
        world.checkpoint(0).checkpoint.checkpoint_type,
        CheckpointType::SubagentApproval
    );
    world.answer(0, modify(r#"{"question":"why?"}"#)).unwrap();
    let Work::AskModel(agent) = &world.flying[0].work else {
        panic!("{:?}", world.flying[0].work);
    };
    assert_eq!(agent.with.text(), r#"{"question":"why?"}"#);
}

#[test]
fn a_level_without_a_model_is_a_problem_of_the_plan() {
    let mut plan = asking();
    if let WorkSpec::Agent(agent) = &mut plan.tasks[0].work {
        agent.level = AgentLevel::L2;
    }
    let problems = plan.problems(&tools());
    let told: Vec<_> = problems
        .iter()
        .map(|problem| (problem.place.as_str(), problem.kind.code()))
        .collect();
    assert_eq!(told, [("tasks[0].agent", "ADJ-1015")]);
}

#[test]
fn a_fork_may_ask_another_model_and_asks_anew_what_was_under_way() {
    let world = World::started(asking());
    let model = ModelId::new("local/small").unwrap();
    let facts = |route: &str| {
        let facts = tools()[&ToolId::new("ask:L4").unwrap()];
        (
            ToolId::new(route).unwrap(),
            ToolFacts {
                price: MicroUsd(7),
                ..facts
            },
        )
    };
    let change = |route| ForkChange::Model {
        model: model.clone(),
        tools: [facts(route)].into(),
    };
    let events = world.journal.len();
    let fork = world
        .fork_as(
            ann(),
            events,
            world.now,
            vec![change("ask:L4.m:local:small")],
        )
        .unwrap();
    assert!(
        matches!(&fork.flying[0].work, Work::AskModel(agent) if agent.model == Some(model.clone()))
    );
    assert_eq!(fork.mission().reserved().money, MicroUsd(7));
    assert!(fork.open_questions().is_empty());
    let unknown = world.fork_as(ann(), events, world.now, vec![change("ask:L1")]);
    assert_eq!(unknown.err().unwrap().code(), "ADJ-3067");
}

/// It is still a question, and goes to the other model at that one's price.
#[test]
fn a_question_that_a_person_changed_goes_to_the_fork_s_model() {
    let mut plan = asking();
    plan.autonomy = Autonomy::Strict;
    let mut world = World::started(plan);
    world.answer(0, modify(r#"{"question":"why?"}"#)).unwrap();
    let model = ModelId::new("local/small").unwrap();
    let facts = ToolFacts {
        price: MicroUsd(7),
        ..tools()[&ToolId::new("ask:L4").unwrap()]
    };
    let change = ForkChange::Model {
        model: model.clone(),
        tools: [(ToolId::new("ask:L4.m:local:small").unwrap(), facts)].into(),
    };
    let mut fork = world
        .fork_as(ann(), world.journal.len(), world.now, vec![change])
        .unwrap();
    assert!(fork.flying.is_empty(), "another model is another call");
    let asked = fork.mission().open_checkpoints().next().unwrap();
    let asked = asked.checkpoint.number.get();
    fork.answer(asked, Decision::new(Verdict::Approve)).unwrap();
    let Work::AskModel(agent) = &fork.flying[0].work else {
        panic!("{:?}", fork.flying[0].work);
    };
    assert_eq!(agent.model, Some(model));
    assert_eq!(agent.with.text(), r#"{"question":"why?"}"#);
    assert_eq!(fork.mission().reserved().money, MicroUsd(7));
}

#[test]
fn routes_tell_apart_what_may_cost_differently() {
    let WorkSpec::Agent(plain) = agent("a", &[]).work else {
        panic!("no agent");
    };
    let mut routes = vec![plain.route()];
    for level in AgentLevel::ALL {
        for complexity in [
            Complexity::Simple,
            Complexity::Ordinary,
            Complexity::Complex,
        ] {
            for domain in [
                None,
                Some("law"),
                Some("a-field-of-knowledge-with-quite-a-long-name-indeed-it-is-long"),
            ] {
                for model in [
                    None,
                    Some("openai/gpt-5"),
                    Some("openai/gpt-5-mini-2025-08-07-with-a-long-name-of-its-own"),
                ] {
                    routes.push(
                        AgentWork {
                            level,
                            complexity,
                            domain: domain.map(|domain| DomainId::new(domain).unwrap()),
                            model: model.map(|model| ModelId::new(model).unwrap()),
                            ..(*plain).clone()
                        }
                        .route(),
                    );
                }
            }
        }
    }
    assert_eq!(routes[0].as_str(), "ask:L4");
    for route in &routes {
        assert_eq!(
            ToolId::new(route.as_str()).as_ref(),
            Ok(route),
            "a name like any other"
        );
    }
    let all: std::collections::BTreeSet<_> = routes.iter().collect();
    assert_eq!(all.len(), 5 * 3 * 3 * 3);
}
