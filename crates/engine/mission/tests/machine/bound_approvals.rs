//! An approval holds for exactly what was asked. What changes the call, its arguments, its class, its price or its agent
//! brings the question back, and says what has changed.

use adjutant_mission::*;

use super::support::*;

fn approve() -> Decision {
    Decision::new(Verdict::Approve)
}

fn strict(tasks: Vec<Task>) -> Plan {
    Plan {
        autonomy: Autonomy::Strict,
        ..Plan::new("strict", tasks)
    }
}

fn with(mut task: Task, arguments: &str) -> Task {
    if let WorkSpec::Tool(call) = &mut task.work {
        call.with = json(arguments);
    }
    task
}

fn replan(change: Task) -> Command {
    Command::Replan {
        patch: Box::new(PlanPatch {
            change: vec![change],
            tools: tools(),
            ..PlanPatch::default()
        }),
        why: "things changed".into(),
    }
}

/// Its one call was approved while the mission is paused, so it has not begun.
fn approved_and_paused(task: Task) -> World {
    let mut world = World::started(strict(vec![task]));
    let pause = Command::Pause {
        reason: "wait".into(),
    };
    world.command(ann(), pause).unwrap();
    world.answer(0, approve()).unwrap();
    world
}

#[test]
fn another_plan_asks_again_only_about_what_it_changes() {
    let send = || with(tool("send", "once", &[]), r#"{"to":"ann","text":"hello"}"#);
    let mut titled = send();
    titled.title = "Send it".into();
    let mut world = approved_and_paused(send());
    world.command(ann(), replan(titled)).unwrap();
    world.command(ann(), Command::Resume).unwrap();
    assert_eq!(world.running(), ["send"], "the call is the same");

    let other = with(send(), r#"{"to":"eve","text":"hello"}"#);
    let mut world = approved_and_paused(send());
    world.command(ann(), replan(other)).unwrap();
    world.command(ann(), Command::Resume).unwrap();
    assert!(world.running().is_empty(), "nobody approved this call");
    let asked = &world.checkpoint(1).checkpoint;
    assert_eq!(
        asked.context,
        "Approved before, and changed since: `to` was “ann”.\nIts class is `once`.\ntext: hello\nto: eve"
    );
    assert_eq!(asked.similar.len(), 1, "{:?}", asked.similar);
    world.answer(1, approve()).unwrap();
    assert_eq!(world.running(), ["send"]);
}

#[test]
fn another_tool_class_or_price_asks_again() {
    let call = |name: &str| tool("send", name, &[]);
    for (other, says) in [
        (
            "dear",
            "it called `once`; its class was `once`; it cost at most",
        ),
        ("idempotent", "it called `once`; its class was `once`"),
    ] {
        let mut other = call(other);
        other.approval = Approval::Always;
        let mut world = approved_and_paused(call("once"));
        world.command(ann(), replan(other)).unwrap();
        world.command(ann(), Command::Resume).unwrap();
        assert!(world.running().is_empty());
        let context = &world.checkpoint(1).checkpoint.context;
        assert!(context.contains(says), "{context}");
    }
}

#[test]
fn what_was_approved_for_the_alternative_does_not_let_the_first_way_begin() {
    let mut task = tool("send", "idempotent", &[]);
    task.retry.attempts = 1;
    task.alternative = Some(ToolCall {
        tool: ToolId::new("once").unwrap(),
        with: json("{}"),
    });
    let mut world = World::started(strict(vec![task]));
    world.answer(0, approve()).unwrap();
    world.finish("send", broken());
    assert_eq!(world.open_questions(), ["Let task `send` call `once`?"]);
    world.answer(1, approve()).unwrap();
    assert_eq!(world.running(), ["send"]);
}

/// The task's own agent was approved. Another, of a higher level, is another one.
#[test]
fn an_agent_that_takes_over_is_named_and_asked_about() {
    let id = |name: &str| AgentId::new(name).unwrap();
    let spec = |name: &str, level, by: Option<&str>| AgentSpec {
        id: id(name),
        level,
        name: name.into(),
        started_by: by.map(id),
        tokens_lifetime: None,
    };
    let mut task = agent("work", &[]);
    task.by = Some(id("worker"));
    task.retry.attempts = 1;
    let plan = Plan {
        agents: vec![
            spec("lead", AgentLevel::L2, None),
            spec("worker", AgentLevel::L4, Some("lead")),
        ],
        ..strict(vec![task])
    };
    let types = [CheckpointType::PlanApproval, CheckpointType::FinalReview];
    let mut begin = start(plan, waive(&types));
    let facts = begin.tools[&ToolId::new("ask:L4").unwrap()];
    begin.tools.insert(ToolId::new("ask:L2").unwrap(), facts);
    let mut world = World::begin(begin);
    assert_eq!(
        world.open_questions(),
        [
            "Let agent `lead` (L2) and agent `worker` (L4) ask a model for task `work` (extract, L4)?"
        ]
    );
    world.answer(0, approve()).unwrap();
    world.finish("work", broken());
    assert!(world.running().is_empty());
    assert_eq!(
        world.open_questions(),
        ["Let agent `lead` (L2) ask a model for task `work` (extract, L2)?"]
    );
    world.answer(1, approve()).unwrap();
    assert_eq!(world.running(), ["work"]);
}

#[test]
fn an_agent_whose_first_task_is_a_tool_call_is_named_before_it_starts() {
    let id = AgentId::new("clerk").unwrap();
    let lead = AgentId::new("lead").unwrap();
    let mut look = tool("look", "pure", &[]);
    look.by = Some(id.clone());
    let mut again = tool("again", "pure", &["look"]);
    again.by = Some(id.clone());
    let plan = Plan {
        agents: vec![
            AgentSpec {
                id: lead.clone(),
                level: AgentLevel::L2,
                name: "lead".into(),
                started_by: None,
                tokens_lifetime: None,
            },
            AgentSpec {
                id,
                level: AgentLevel::L4,
                name: "clerk".into(),
                started_by: Some(lead),
                tokens_lifetime: None,
            },
        ],
        ..strict(vec![look, again])
    };
    let mut world = World::started(plan);
    assert_eq!(
        world.open_questions(),
        ["Let agent `lead` (L2) and agent `clerk` (L4) start, with task `look`?"]
    );
    assert_eq!(
        world.checkpoint(0).checkpoint.checkpoint_type,
        CheckpointType::SubagentApproval
    );
    world.answer(0, approve()).unwrap();
    world.finish("look", done("1"));
    assert_eq!(world.running(), ["again"], "it has started already");
}

#[test]
fn questions_show_every_argument_and_what_large_results_say() {
    let long = "x".repeat(2_000);
    let send = with(
        tool("send", "once", &["find"]),
        &format!(r#"{{"about":"{long}","what":"{{{{find.output.says}}}}"}}"#),
    );
    let ask = question("ask", &["find"], |human| {
        human.question = "Is it so? {{find.output.says}}".into();
    });
    let mut world = World::started(strict(vec![tool("find", "pure", &[]), send, ask]));
    let effect = world.flying[0].id.number;
    let paths = world.mission().paths_shown(effect);
    assert_eq!(paths, [vec![String::from("says")]]);
    let says = format!("so it is: {}", "y".repeat(5_000));
    let output = json(&format!(r#"{{"says":"{says}","more":[1,2,3]}}"#));
    let output = Payload::kept_apart("b3:12".into(), &output, &paths);
    world.finish("find", Outcome::done(output, Usage::NONE));
    let asked: Vec<_> = world.mission().open_checkpoints().collect();
    let [send, ask] = asked.as_slice() else {
        panic!("{asked:?}");
    };
    assert!(send.checkpoint.context.contains(&long));
    assert!(send.checkpoint.context.contains(&says));
    assert_eq!(ask.checkpoint.question, format!("Is it so? {says}"));
}

#[test]
fn a_very_long_result_is_cut_and_says_so() {
    let output = json(&format!(r#""{}""#, "ü".repeat(SHOWN_BYTES_MAX)));
    let Payload::Blob { shown, .. } = Payload::kept_apart("b3:12".into(), &output, &[vec![]])
    else {
        panic!("inline");
    };
    let text = shown[""].to_plain_text();
    assert!(text.ends_with("… (the first 16384 of 32768 bytes)"));
}

#[test]
fn a_plan_that_was_changed_is_shown_with_its_changes() {
    let tasks = vec![tool("a", "pure", &[]), tool("b", "once", &["a"])];
    let mut world = World::open(Plan::new("two", tasks), Vec::new());
    let patch = PlanPatch {
        change: vec![with(tool("b", "once", &[]), r#"{"to":"bob"}"#)],
        drop: vec![key("a")],
        add: vec![tool("c", "dear", &["b"])],
        caps: Some(Caps {
            money: Some(MicroUsd(2_000_000)),
            ..Caps::default()
        }),
        tools: tools(),
        ..PlanPatch::default()
    };
    let change = Decision {
        patch: Some(Box::new(patch)),
        ..Decision::new(Verdict::Modify)
    };
    world.answer(0, change).unwrap();
    let context = &world.checkpoint(1).checkpoint.context;
    let changes = context.split_once("first proposed:\n").unwrap().1;
    assert_eq!(
        changes,
        "~ b (`b`): other arguments, another order\n+ c (`c`): calls `dear`\n- a (`a`)\n~ limits: $2.00"
    );
}

#[test]
fn a_fork_with_another_input_asks_again_about_calls_that_read_it() {
    let send = with(tool("send", "idempotent", &[]), r#"{"to":"{{inputs.to}}"}"#);
    let plan = Plan {
        inputs: Some(json(r#"{"to":"ann","other":1}"#)),
        ..strict(vec![send])
    };
    let mut world = World::started(plan);
    let pause = Command::Pause {
        reason: "wait".into(),
    };
    world.command(ann(), pause).unwrap();
    world.answer(0, approve()).unwrap();
    let fork = |name: &str, value: &str| {
        let change = ForkChange::Input {
            name: name.into(),
            value: json(value),
        };
        let (events, now) = (world.journal.len(), world.now);
        world.fork_as(ann(), events, now, vec![change]).unwrap()
    };
    assert_eq!(fork("other", "2").running(), ["send"]);
    let other = fork("to", r#""eve""#);
    assert!(other.running().is_empty());
    assert_eq!(
        other.open_questions(),
        ["Let task `send` call `idempotent`?"]
    );
}
