//! Agents that reason: every step is an effect of its own, a crash costs the step under way and nothing else, and what
//! is not sure enough is thought again or put to a person.

use crate::support::*;
use adjutant_mission::*;

fn reasoned(name: &str, patterns: &[Pattern]) -> Task {
    let mut task = agent(name, &[]);
    if let WorkSpec::Agent(work) = &mut task.work {
        work.purpose = PurposeId::new("conclude").unwrap();
        work.reasoning = Some(Box::new(Reasoning {
            patterns: patterns.to_vec(),
            max_iterations: 2,
            confidence_threshold: Ppm(700_000),
            tools: vec![ToolId::new("pure").unwrap()],
        }));
    }
    task
}

fn thinking(patterns: &[Pattern]) -> Plan {
    Plan::new("think", vec![reasoned("think", patterns)])
}

/// An answer to whatever step is asked: as a model would that is as sure as `sure` says.
fn answer(effect: &Effect, sure: u32) -> Outcome {
    let thought = effect.thought.as_ref().unwrap();
    let share = Some(Ppm(sure));
    let signs = match thought.step.kind {
        StepKind::Think => Signs {
            sure: share,
            ..Signs::default()
        },
        StepKind::Weigh => Signs {
            sure: share,
            scores: vec![Ppm(sure); thought.step.uses.len()],
            ..Signs::default()
        },
        StepKind::Split => Signs {
            sure: share,
            parts: 2,
            ..Signs::default()
        },
        StepKind::Act => Signs {
            sure: share,
            call: Some(ToolCall {
                tool: ToolId::new("pure").unwrap(),
                with: json("{}"),
            }),
            ..Signs::default()
        },
        StepKind::Call => Signs::default(),
        StepKind::Conclude => Signs {
            sure: share,
            rules: share,
            support: share,
            ..Signs::default()
        },
    };
    with_signs(effect, signs)
}

fn with_signs(effect: &Effect, signs: Signs) -> Outcome {
    let text = format!("{{\"of\":{}}}", effect.id.number);
    Outcome::Done {
        output: Payload::Inline(json(&text)),
        usage: cost(10, 5),
        remarks: Remarks {
            confidence: signs.sure,
            surprise: None,
            gist: Some("it holds".into()),
            signs: Some(Box::new(signs)),
        },
    }
}

/// What a step asks, apart from under which id.
type Asked = (u16, StepKind, StepRole, Vec<u16>, Option<(u16, u16)>);

fn asked(effect: &Effect) -> Asked {
    let thought = effect.thought.as_ref().unwrap();
    let Move {
        kind,
        role,
        uses,
        part,
        ..
    } = thought.step.clone();
    (thought.number, kind, role, uses, part)
}

/// Answers every step, with a crash before the answer to each step that `crashes` picks. Gives what was asked.
fn think_through(world: &mut World, crashes: impl Fn(usize) -> bool) -> Vec<Asked> {
    let mut all = Vec::new();
    while let Some(effect) = world.flying.first().cloned() {
        all.push(asked(&effect));
        if crashes(all.len()) {
            world.crash();
            let again = world.flying.first().cloned().unwrap();
            assert_eq!(asked(&again), asked(&effect), "at the very same step");
        }
        let effect = world.flying[0].clone();
        let outcome = answer(&effect, 900_000);
        world.finish("think", outcome);
        assert!(all.len() < 200, "it ends");
    }
    all
}

#[test]
fn killed_inside_any_pattern_it_goes_on_from_that_step_and_repeats_no_answered_question() {
    for pattern in Pattern::ALL {
        let mut calm = World::started(thinking(&[pattern]));
        let whole = think_through(&mut calm, |_| false);
        assert!(whole.len() > 1, "{}: {whole:?}", pattern.name());
        assert_eq!(calm.status("think"), TaskStatus::Completed);
        for at in 1..=whole.len() {
            let mut world = World::started(thinking(&[pattern]));
            let steps = think_through(&mut world, |count| count == at);
            assert_eq!(steps, whole, "{}: killed at step {at}", pattern.name());
            assert_eq!(
                world.mission().output("think").is_some(),
                calm.mission().output("think").is_some()
            );
        }
        let mut world = World::started(thinking(&[pattern]));
        assert_eq!(think_through(&mut world, |_| true), whole);
    }
}

#[test]
fn patterns_follow_one_another_and_conclude_once() {
    let patterns = [
        Pattern::TreeOfThought,
        Pattern::ChainOfThought,
        Pattern::Reflection,
    ];
    let mut world = World::started(thinking(&patterns));
    let steps = think_through(&mut world, |_| false);
    let conclusions = steps.iter().filter(|step| step.1 == StepKind::Conclude);
    assert_eq!(conclusions.count(), 1);
    assert_eq!(world.status("think"), TaskStatus::Completed);
}

#[test]
fn each_step_is_reserved_and_settled_and_a_failed_step_is_tried_again() {
    let mut world = World::started(thinking(&[Pattern::ChainOfThought]));
    assert_eq!(world.mission().reserved(), cost(1_000_000, 1_000));
    let first = world.flying[0].clone();
    world.finish("think", answer(&first, 900_000));
    assert_eq!(world.mission().used(), cost(10, 5));
    let second = world.flying[0].clone();
    assert_ne!(second.id, first.id, "law 2");
    assert_eq!(second.thought.as_ref().unwrap().number, 1);
    assert_eq!(second.thought.as_ref().unwrap().earlier.len(), 1);
    world.finish("think", failed(FailureKind::BadOutput));
    world.pass(Millis::seconds(5));
    let again = world.flying[0].clone();
    assert_eq!(asked(&again), asked(&second));
    assert_ne!(again.id, second.id);
}

/// Answers all steps but the conclusions, which are as sure as `sure` says in turn.
fn conclude_with(world: &mut World, sure: &[u32]) {
    let mut left = sure.iter();
    while let Some(effect) = world.flying.first().cloned() {
        let concludes = asked(&effect).1 == StepKind::Conclude;
        let share = match concludes {
            true => left.next().copied().unwrap(),
            false => 900_000,
        };
        world.finish("think", answer(&effect, share));
    }
    assert_eq!(left.next(), None, "a conclusion too few");
}

fn assessments(world: &World) -> Vec<(u32, AfterAssessment)> {
    let found = world.journal.iter().filter_map(|at| match &at.event {
        Event::ConfidenceAssessed {
            assessment, then, ..
        } => Some((assessment.composite.0, *then)),
        _ => None,
    });
    found.collect()
}

#[test]
fn a_middling_conclusion_is_thought_through_again() {
    let mut world = World::started(thinking(&[Pattern::ChainOfThought]));
    conclude_with(&mut world, &[600_000, 800_000]);
    use AfterAssessment::{Again, GoOn};
    assert_eq!(assessments(&world), [(600_000, Again), (800_000, GoOn)]);
    assert_eq!(world.status("think"), TaskStatus::Completed);
}

#[test]
fn a_poor_conclusion_is_put_to_a_person_at_once_and_a_middling_one_in_the_end() {
    for sure in [&[399_999][..], &[600_000, 600_000, 690_000]] {
        let mut world = World::started(thinking(&[Pattern::ChainOfThought]));
        conclude_with(&mut world, sure);
        assert_eq!(world.phase(), Phase::AwaitingHuman);
        let open: Vec<_> = world.mission().open_checkpoints().collect();
        let asked = &open[0].checkpoint;
        assert_eq!(asked.checkpoint_type, CheckpointType::CriticalDecision);
        assert_eq!(asked.trigger, "low_confidence");
        assert!(
            asked.context.starts_with("It says: it holds\n"),
            "{}",
            asked.context
        );
        assert_eq!(asked.options.len(), 3);
        assert!(asked.options.iter().all(|option| !option.pros.is_empty()
            && !option.cons.is_empty()
            && option.risk.is_some()));
        assert!(asked.recommendation.is_some());
        let number = asked.number.get();
        let accept = Decision {
            option: Some(OptionKey::new("accept").unwrap()),
            ..Decision::new(Verdict::Approve)
        };
        world.answer(number, accept).unwrap();
        assert_eq!(world.status("think"), TaskStatus::Completed);
        assert!(world.mission().output("think").is_some());
    }
}

/// The option that a question recommends, as an approval.
fn as_recommended(world: &World) -> (u32, Decision) {
    let open = world.mission().open_checkpoints().next().unwrap();
    let told = open.checkpoint.recommendation.as_ref().unwrap();
    let approve = Decision {
        option: Some(told.option.clone()),
        ..Decision::new(Verdict::Approve)
    };
    (open.checkpoint.number.get(), approve)
}

#[test]
fn approving_what_is_recommended_moves_a_poor_conclusion_on() {
    for sure in [0, 100_000, 399_999] {
        let mut world = World::started(thinking(&[Pattern::ChainOfThought]));
        conclude_with(&mut world, &[sure]);
        let (number, approve) = as_recommended(&world);
        world.answer(number, approve).unwrap();
        assert_eq!(world.status("think"), TaskStatus::Completed);
    }
}

#[test]
fn people_send_a_conclusion_back_only_so_often() {
    let mut world = World::started(thinking(&[Pattern::ChainOfThought]));
    conclude_with(&mut world, &[100_000]);
    let again = || Decision {
        option: Some(OptionKey::new("again").unwrap()),
        ..Decision::new(Verdict::Approve)
    };
    for number in 0..HUMAN_RETRIES_MAX {
        world.answer(number, again()).unwrap();
        conclude_with(&mut world, &[100_000]);
    }
    let refused = world.answer(HUMAN_RETRIES_MAX, again()).unwrap_err();
    assert!(
        matches!(refused, Refused::OptionUnknown { .. }),
        "{refused:?}"
    );
    let with_a_change = modify("{\"question\":\"else\"}");
    let refused = world.answer(HUMAN_RETRIES_MAX, with_a_change).unwrap_err();
    assert!(
        matches!(refused, Refused::ChangeUnfit { .. }),
        "{refused:?}"
    );
    let (number, approve) = as_recommended(&world);
    world.answer(number, approve).unwrap();
    assert_eq!(world.status("think"), TaskStatus::Completed);
}

#[test]
fn a_person_can_have_it_thought_again_with_guidance_left_out_or_stopped() {
    let ask = || {
        let mut world = World::started(thinking(&[Pattern::ChainOfThought]));
        conclude_with(&mut world, &[100_000]);
        world
    };
    let choose = |key: &str, note: &str| Decision {
        option: Some(OptionKey::new(key).unwrap()),
        note: note.into(),
        ..Decision::new(Verdict::Approve)
    };
    let mut again = ask();
    again
        .answer(0, choose("again", "look at the registry"))
        .unwrap();
    let effect = again.flying[0].clone();
    assert_eq!(asked(&effect).2, StepRole::Critique);
    assert_eq!(effect.guidance, ["look at the registry"]);
    let mut changed = ask();
    changed
        .answer(0, modify("{\"question\":\"else\"}"))
        .unwrap();
    let Work::AskModel(work) = &changed.flying[0].work else {
        panic!("a question")
    };
    assert_eq!(work.with, json("{\"question\":\"else\"}"));
    let mut out = ask();
    out.answer(0, choose("skip", "")).unwrap();
    assert_eq!(out.status("think"), TaskStatus::Skipped);
    let mut no = ask();
    no.answer(0, Decision::new(Verdict::Reject)).unwrap();
    assert!(no.story().contains(&"stop_requested".to_owned()));
    let mut silent = ask();
    silent.pass(Millis::hours(25));
    assert!(silent.story().contains(&"checkpoint_expired".to_owned()));
}

#[test]
fn permissive_missions_go_on_and_say_how_sure_they_are() {
    let plan = Plan {
        autonomy: Autonomy::Permissive,
        ..thinking(&[Pattern::ChainOfThought])
    };
    let mut world = World::started(plan);
    conclude_with(&mut world, &[100_000]);
    assert_eq!(assessments(&world), [(100_000, AfterAssessment::GoOn)]);
    assert_eq!(world.status("think"), TaskStatus::Completed);
}

#[test]
fn a_call_that_was_not_offered_is_refused_recorded_and_not_made() {
    let mut world = World::started(thinking(&[Pattern::React]));
    let act = loop {
        let effect = world.flying[0].clone();
        if asked(&effect).1 == StepKind::Act {
            break effect;
        }
        world.finish("think", answer(&effect, 900_000));
    };
    let signs = Signs {
        call: Some(ToolCall {
            tool: ToolId::new("once").unwrap(),
            with: json("{}"),
        }),
        ..Signs::default()
    };
    world.finish("think", with_signs(&act, signs));
    let refused = world.tale();
    assert!(
        refused.contains(&"breach_refused: once was not offered to it".to_owned()),
        "{refused:?}"
    );
    assert!(matches!(world.flying[0].work, Work::AskModel(_)));
}

#[test]
fn strict_missions_ask_before_a_thinker_calls_and_only_a_person_allows_what_happens_once() {
    for (autonomy, tool, asks) in [
        (Autonomy::Strict, "pure", true),
        (Autonomy::Balanced, "pure", false),
        (Autonomy::Balanced, "once", true),
        (Autonomy::Permissive, "once", true),
    ] {
        let mut plan = Plan {
            autonomy,
            ..thinking(&[Pattern::React])
        };
        if let WorkSpec::Agent(work) = &mut plan.tasks[0].work {
            work.reasoning.as_mut().unwrap().tools = vec![ToolId::new(tool).unwrap()];
        }
        let waived = [
            CheckpointType::PlanApproval,
            CheckpointType::FinalReview,
            CheckpointType::SubagentApproval,
        ];
        let mut world = World::open(plan, waive(&waived));
        loop {
            let effect = world.flying[0].clone();
            if asked(&effect).1 == StepKind::Act {
                let call = Some(ToolCall {
                    tool: ToolId::new(tool).unwrap(),
                    with: json("{}"),
                });
                let signs = Signs {
                    call,
                    ..Signs::default()
                };
                world.finish("think", with_signs(&effect, signs));
                break;
            }
            world.finish("think", answer(&effect, 100_000));
        }
        let open = world.open_questions();
        assert_eq!(!open.is_empty(), asks, "{autonomy:?} {tool}: {open:?}");
        if asks {
            world.decide(0, Verdict::Approve).unwrap();
        }
        assert!(
            matches!(&world.flying[0].work, Work::CallTool(call) if call.tool.as_str() == tool)
        );
    }
}

fn staffed(lifetime: Option<u64>) -> Plan {
    let id = |name: &str| AgentId::new(name).unwrap();
    let spec = |name: &str, level, by: Option<&str>, tokens_lifetime| AgentSpec {
        id: id(name),
        level,
        name: name.into(),
        started_by: by.map(id),
        tokens_lifetime,
    };
    let mut task = agent("work", &[]);
    task.by = Some(id("worker"));
    task.retry.attempts = 1;
    Plan {
        agents: vec![
            spec("lead", AgentLevel::L2, None, None),
            spec("worker", AgentLevel::L4, Some("lead"), lifetime),
        ],
        ..Plan::new("staffed", vec![task])
    }
}

fn with_expert(plan: Plan) -> World {
    let mut begin = start(
        plan,
        waive(&[CheckpointType::PlanApproval, CheckpointType::FinalReview]),
    );
    let facts = begin.tools[&ToolId::new("ask:L4").unwrap()];
    begin.tools.insert(ToolId::new("ask:L2").unwrap(), facts);
    World::begin(begin)
}

#[test]
fn an_agent_begins_after_those_above_it_and_hands_up_what_it_cannot_do() {
    let mut world = with_expert(staffed(None));
    assert_eq!(
        world.tale(),
        [
            "agent_started lead",
            "agent_started worker",
            "task_started work",
            "effect_started"
        ]
    );
    world.finish("work", failed(FailureKind::BadOutput));
    assert!(
        world
            .tale()
            .contains(&"attempt_failed work: up to lead".to_owned())
    );
    let Work::AskModel(asked) = &world.flying[0].work else {
        panic!("a question")
    };
    assert_eq!(asked.level, AgentLevel::L2);
    world.finish("work", failed(FailureKind::BadOutput));
    assert!(
        world
            .tale()
            .contains(&"attempt_failed work: escalate".to_owned()),
        "nobody stands above an L2 here but people"
    );
}

#[test]
fn what_an_agent_may_use_in_all_is_a_cap_and_the_one_above_goes_on() {
    let mut world = with_expert(staffed(Some(500)));
    assert!(world.tale().iter().any(|line| line == "cap_reached"));
    let Work::AskModel(asked) = &world.flying[0].work else {
        panic!("a question")
    };
    assert_eq!(asked.level, AgentLevel::L2);
    world.finish("work", answered_plainly());
    let used: Vec<_> = world
        .mission()
        .agents()
        .map(|(agent, state)| (agent.as_str(), state.tokens))
        .collect();
    assert_eq!(used, [("lead", 5)]);
}

fn answered_plainly() -> Outcome {
    Outcome::done(Payload::Inline(json("{}")), cost(10, 5))
}

#[test]
fn plans_that_break_law_6_are_refused() {
    let id = |name: &str| AgentId::new(name).unwrap();
    let codes = |plan: &Plan| -> Vec<&'static str> {
        let problems = plan.problems(&tools());
        problems.iter().map(|problem| problem.kind.code()).collect()
    };
    assert_eq!(codes(&staffed(None)), Vec::<&str>::new());
    let mut skips = staffed(None);
    skips.agents[0].level = AgentLevel::L1;
    assert_eq!(codes(&skips), ["ADJ-1017"], "an L1 starts no L4");
    let mut alone = staffed(None);
    alone.agents[1].started_by = None;
    assert_eq!(codes(&alone), ["ADJ-1017"], "nobody starts the worker");
    let mut stranger = staffed(None);
    stranger.tasks[0].by = Some(id("nobody"));
    assert_eq!(codes(&stranger), ["ADJ-1016"]);
    let mut calls = staffed(None);
    calls.tasks.push(Task {
        by: Some(id("lead")),
        ..tool("call", "pure", &[])
    });
    assert_eq!(codes(&calls), ["ADJ-1017"], "an L2 calls no tool");
    let mut thinks = thinking(&[Pattern::React]);
    if let WorkSpec::Agent(work) = &mut thinks.tasks[0].work {
        work.level = AgentLevel::L3;
    }
    assert!(
        codes(&thinks).contains(&"ADJ-1014"),
        "an L3 acts on nothing"
    );
}

/// Thinks until its agent has chosen `tool`, and a person has allowed the call.
fn called(tool: &str, patterns: &[Pattern]) -> World {
    let mut world = chosen(tool, patterns);
    if !world.open_questions().is_empty() {
        world.decide(0, Verdict::Approve).unwrap();
    }
    world
}

/// Thinks until its agent has chosen `tool`.
fn chosen(tool: &str, patterns: &[Pattern]) -> World {
    let mut plan = thinking(patterns);
    if let WorkSpec::Agent(work) = &mut plan.tasks[0].work {
        work.reasoning.as_mut().unwrap().tools = vec![ToolId::new(tool).unwrap()];
    }
    let mut world = World::started(plan);
    loop {
        let effect = world.flying[0].clone();
        let acts = asked(&effect).1 == StepKind::Act;
        if !acts {
            world.finish("think", answer(&effect, 100_000));
            continue;
        }
        let call = ToolCall {
            tool: ToolId::new(tool).unwrap(),
            with: json("{}"),
        };
        let signs = Signs {
            call: Some(call),
            ..Signs::default()
        };
        world.finish("think", with_signs(&effect, signs));
        return world;
    }
}

#[test]
fn a_call_in_doubt_that_was_made_is_a_step_and_the_thought_goes_on() {
    let mut world = called("once", &[Pattern::React]);
    world.crash();
    let number = world.mission().open_checkpoints().next();
    let number = number.unwrap().checkpoint.number.get();
    let made = Decision {
        option: Some(OptionKey::new("mark_done").unwrap()),
        change: Some(json("{\"sent\":true}")),
        ..Decision::new(Verdict::Approve)
    };
    world.answer(number, made).unwrap();
    assert_eq!(world.status("think"), TaskStatus::Running, "not concluded");
    let next = world.flying[0].clone();
    let thought = next.thought.as_ref().unwrap();
    assert_eq!(thought.step.role, StepRole::Postcondition);
    let observed = thought.earlier.last().unwrap();
    assert_eq!(observed.step.kind, StepKind::Call);
    assert_eq!(observed.output, Payload::Inline(json("{\"sent\":true}")));
}

#[test]
fn a_no_to_a_call_that_an_agent_chose_reaches_the_agent_and_it_goes_on() {
    let mut world = chosen("once", &[Pattern::React]);
    let no = Decision {
        note: "ask the archive first".into(),
        ..Decision::new(Verdict::Reject)
    };
    world.answer(0, no).unwrap();
    assert_eq!(world.status("think"), TaskStatus::Running);
    let next = world.flying[0].clone();
    let observed = next.thought.as_ref().unwrap().earlier.last().unwrap();
    assert_eq!(observed.step.kind, StepKind::Call);
    let told = r#"{"refused":"once","by":"ann","why":"ask the archive first"}"#;
    assert_eq!(observed.output, Payload::Inline(json(told)));
    assert_eq!(next.guidance, ["ask the archive first"]);
    assert!(matches!(next.work, Work::AskModel(_)), "nothing was called");
}

#[test]
fn leave_for_what_a_thinker_does_once_does_not_pass_to_a_fork() {
    for (tool, asks) in [("once", true), ("pure", false)] {
        let world = called(tool, &[Pattern::React]);
        let started = |of: &Recorded| matches!(of.event, Event::TaskStarted { .. });
        let at = world.journal.iter().rposition(started).unwrap();
        let fork = world.fork(at, world.now, vec![]).unwrap();
        assert_eq!(!fork.open_questions().is_empty(), asks, "{tool}");
        assert_eq!(fork.running().is_empty(), asks, "{tool}");
    }
}

#[test]
fn a_fork_with_another_model_knows_the_way_of_whoever_took_over() {
    let mut world = with_expert(staffed(None));
    world.finish("work", failed(FailureKind::BadOutput));
    let model = ModelId::new("local/small").unwrap();
    let facts = tools()[&ToolId::new("ask:L4").unwrap()];
    let change = |routes: &[&str]| ForkChange::Model {
        model: model.clone(),
        tools: routes
            .iter()
            .map(|route| (ToolId::new(*route).unwrap(), facts))
            .collect(),
    };
    let own = "ask:L4.m:local:small";
    let at = world.journal.len();
    let refused = world.fork_as(ann(), at, world.now, vec![change(&[own])]);
    assert!(refused.is_err(), "nothing is known of its way");
    let both = change(&[own, "ask:L2.m:local:small"]);
    let fork = world.fork_as(ann(), at, world.now, vec![both]).unwrap();
    let Work::AskModel(asked) = &fork.flying[0].work else {
        panic!("a question")
    };
    assert_eq!((asked.level, &asked.model), (AgentLevel::L2, &Some(model)));
}

#[test]
fn what_a_thinker_called_on_its_way_is_among_what_was_not_undone() {
    for (tool, told) in [("once", 1), ("pure", 0)] {
        let mut world = called(tool, &[Pattern::React]);
        world.finish("think", done("1"));
        let abort = Command::Abort {
            reason: "enough".into(),
            undo: true,
        };
        world.command(ann(), abort).unwrap();
        assert_eq!(world.mission().undo_report().len(), told, "{tool}");
    }
}

/// Two thoughts and a conclusion, and three steps for each of the two rounds that it may need more.
#[test]
fn the_forecast_counts_every_step_that_may_be_taken() {
    let mut think = agent("think", &[]);
    if let WorkSpec::Agent(work) = &mut think.work {
        work.reasoning = Some(Box::new(Reasoning {
            patterns: vec![Pattern::ChainOfThought],
            max_iterations: 2,
            confidence_threshold: Ppm(700_000),
            tools: Vec::new(),
        }));
    }
    think.retry.attempts = 1;
    let forecast = Plan::new("think", vec![think]).forecast(&tools(), &[]);
    assert_eq!(forecast.cost, MicroUsd(3_000_000));
    assert_eq!(forecast.cost_max, MicroUsd(9_000_000));
    assert_eq!(forecast.calls_max, 9);
}
