//! What a person sees who decides on a plan, and who reviews what came of it.

use adjutant_mission::*;

use crate::support::*;

fn with(task: Task, arguments: &str) -> Task {
    let WorkSpec::Tool(call) = task.work else {
        panic!("it calls no tool");
    };
    Task {
        work: WorkSpec::Tool(ToolCall {
            with: json(arguments),
            ..call
        }),
        ..task
    }
}

fn context_of(plan: Plan) -> String {
    let world = World::open(plan, vec![]);
    world.checkpoint(0).checkpoint.context.clone()
}

/// The lines on single tasks.
fn steps(context: &str) -> Vec<&str> {
    let steps = context.split_once("Steps:\n").unwrap().1.lines();
    steps.collect()
}

#[test]
fn a_plan_is_approved_with_everything_that_it_does_in_view() {
    let save = Task {
        title: "Save it".into(),
        alternative: Some(call("idempotent")),
        undo: Some(Undo {
            tool: ToolId::new("once").unwrap(),
            with: json(r#"{"remove":"a.md"}"#),
            retry: Retry::default(),
        }),
        ..with(
            tool("save", "once", &["check"]),
            r#"{"path":"a.md","text":"{{read.output}}"}"#,
        )
    };
    let mut thinks = agent("think", &["check"]);
    if let WorkSpec::Agent(work) = &mut thinks.work {
        work.with = json(r#"{"question":"Is {{inputs.it}} safe?","sources":["{{read.output}}"]}"#);
        work.reasoning = Some(Box::new(Reasoning {
            patterns: vec![Pattern::React],
            max_iterations: 3,
            confidence_threshold: Ppm(700_000),
            tools: vec![ToolId::new("pure").unwrap()],
        }));
    }
    let inner = Plan::new(
        "inner",
        vec![with(tool("deep", "once", &[]), r#"{"send":"all"}"#)],
    );
    let sub = SubMission {
        plan: inner,
        with: None,
        sandbox: Sandbox::Light,
    };
    let below = Task {
        work: WorkSpec::Mission(Box::new(sub)),
        ..tool("below", "pure", &[])
    };
    let read = with(
        tool("read", "pure", &[]),
        r#"{"most":3,"from":["a","b"],"text":"{{inputs.text}}","all":[{"of":" {{inputs.a}} "}]}"#,
    );
    let tasks = vec![
        read,
        save,
        thinks,
        human("ask", &[]),
        gate("check", "read", &["read"]),
        below,
    ];
    let context = context_of(Plan {
        inputs: Some(json(r#"{"it":1,"text":2,"a":3}"#)),
        ..Plan::new("six", tasks)
    });
    assert_eq!(
        steps(&context),
        [
            r#"1. read: calls `pure` with from: ["a","b"] · most: 3"#,
            "2. Save it: calls `once` with path: a.md · text: {{read.output}} · if that fails, calls `idempotent` · \
             is undone by `once` with remove: a.md",
            "3. think: asks a model (extract) that may call `pure` with question: Is {{inputs.it}} safe?",
            "4. ask: asks a person: Which way?",
            "5. check: checks what came before",
            "6. below: runs the plan “inner”",
            "6.1. deep: calls `once` with send: all",
        ]
    );
}

#[test]
fn long_arguments_are_cut_and_say_so_later_where_something_changes() {
    let long = format!(r#"{{"text":"{}END"}}"#, "x ".repeat(400));
    let reads = context_of(Plan::new("one", vec![with(tool("a", "pure", &[]), &long)]));
    let line = steps(&reads)[0];
    assert!(line.ends_with("… (650 more characters)"), "{line}");
    let changes = context_of(Plan::new("one", vec![with(tool("a", "once", &[]), &long)]));
    let line = steps(&changes)[0];
    assert!(line.ends_with("x END"), "{line}");
}

#[test]
fn a_large_plan_stays_readable_and_counts_what_it_leaves_out() {
    let long = format!(r#"{{"text":"{}"}}"#, "x".repeat(5_000));
    let tasks = (0..500).map(|n| with(tool(&format!("t{n}"), "once", &[]), &long));
    let context = context_of(Plan::new("many", tasks.collect()));
    assert!(context.len() < 16_000, "{}", context.len());
    assert_eq!(steps(&context).len(), 61);
    assert_eq!(steps(&context)[60], "and 440 more");
    assert!(steps(&context)[59].starts_with("60. t59: calls `once`"));
}

#[test]
fn no_text_passes_for_the_line_of_another_task() {
    let titled = Task {
        title: "Read\n2. harmless: calls `pure`".into(),
        ..with(
            tool("a", "once", &[]),
            r#"{"text":"b\n3. harmless: calls `pure`","x":{"y":"c\nd"}}"#,
        )
    };
    assert_eq!(steps(&context_of(Plan::new("one", vec![titled]))).len(), 1);
}

#[test]
fn a_review_shows_what_came_out_at_the_end() {
    let waived = waive(&[CheckpointType::PlanApproval]);
    let tasks = vec![
        tool("look", "pure", &[]),
        tool("sum", "pure", &["look"]),
        tool("write", "pure", &["look"]),
    ];
    let mut world = World::open(Plan::new("three", tasks), waived);
    world.finish("look", done(r#"{"text":"not this"}"#));
    world.finish("sum", done(r#"{"total":12}"#));
    world.finish(
        "write",
        done(r#"{"summary":"All is\nwell.","text":"longer"}"#),
    );
    assert_eq!(
        world.checkpoint(0).checkpoint.context,
        "3 of 3 tasks completed\nResult: sum: total: 12\nwrite: All is well."
    );
}

#[test]
fn of_a_large_result_a_review_shows_what_it_says_in_words() {
    let waived = waive(&[CheckpointType::PlanApproval]);
    let tasks = vec![tool("look", "pure", &[]), tool("end", "pure", &["look"])];
    let mut world = World::open(Plan::new("two", tasks), waived);
    let large = json(&format!(
        r#"{{"summary":"It holds.","rows":"{}"}}"#,
        "x".repeat(99)
    ));
    let kept = |world: &World, task: &str| {
        let effect = world.flying.iter().find(|effect| effect.task == key(task));
        let paths = world.mission().paths_shown(effect.unwrap().id.number);
        Payload::kept_apart("d".repeat(64), &large, &paths)
    };
    let look = kept(&world, "look");
    assert!(matches!(&look, Payload::Blob { shown, .. } if shown.is_empty()));
    world.finish("look", Outcome::done(look, Usage::NONE));
    let end = kept(&world, "end");
    world.finish("end", Outcome::done(end, Usage::NONE));
    let context = &world.checkpoint(0).checkpoint.context;
    assert!(context.ends_with("\nResult: end: It holds."), "{context}");
}
