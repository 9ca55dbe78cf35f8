//! Validation: every problem, each at its place.

use crate::support::*;
use DependencyKind::{FinishToFinish, FinishToStart, StartToFinish, StartToStart};
use adjutant_mission::*;

/// The plan's problems as a person would read them, each with its code.
fn problems(plan: &Plan) -> Vec<String> {
    let show = |problem: &Problem| format!("{} {problem}", problem.kind.code());
    plan.problems(&tools()).iter().map(show).collect()
}

fn of(tasks: Vec<Task>) -> Vec<String> {
    problems(&Plan::new("plan", tasks))
}

fn bound(name: &str, after: Vec<Dependency>) -> Task {
    Task {
        after,
        ..tool(name, "pure", &[])
    }
}

fn with(name: &str, arguments: &str, after: &[&str]) -> Task {
    let mut task = tool(name, "pure", after);
    task.work = WorkSpec::Tool(ToolCall {
        with: json(arguments),
        ..call("pure")
    });
    task
}

const NONE: [&str; 0] = [];

#[test]
fn a_plan_needs_a_title_tasks_and_room_to_run_them() {
    let plan = Plan {
        concurrency: 0,
        ..Plan::new(" ", Vec::new())
    };
    assert_eq!(
        problems(&plan),
        [
            "ADJ-1012 title: the title must not be empty",
            "ADJ-1002 concurrency: concurrency: 0 is below the minimum of 1",
            "ADJ-1001 tasks: a plan needs at least one task"
        ]
    );
}

#[test]
fn what_is_over_a_limit_is_named_with_the_number() {
    let mut task = tool("a", "pure", &[]);
    task.title = "x".repeat(limits::TEXT_BYTES_MAX + 1);
    task.retry.attempts = 21;
    task.retry.backoff_max = Millis(limits::DURATION_MAX.0 + 1);
    task.resources = (0..21)
        .map(|n| ResourceKey::new(format!("r{n}")).unwrap())
        .collect();
    task.tags = vec!["tag".into(); 21];
    let plan = Plan {
        objective: "x".repeat(limits::TEXT_BYTES_MAX + 1),
        concurrency: 257,
        checkpoint_deadline: Millis(limits::DURATION_MAX.0 + 1),
        ..Plan::new("limits", vec![task])
    };
    assert_eq!(
        problems(&plan),
        [
            "ADJ-1002 objective: bytes of objective: 8193 exceeds the limit of 8192",
            "ADJ-1002 concurrency: concurrency: 257 exceeds the limit of 256",
            "ADJ-1002 checkpoint_deadline: milliseconds: 31622400001 exceeds the limit of 31622400000",
            "ADJ-1002 tasks[0].title: bytes of title: 8193 exceeds the limit of 8192",
            "ADJ-1002 tasks[0].retry.attempts: tries: 21 exceeds the limit of 20",
            "ADJ-1002 tasks[0].retry.backoff_max: milliseconds: 31622400001 exceeds the limit of 31622400000",
            "ADJ-1002 tasks[0].resources: resources: 21 exceeds the limit of 20",
            "ADJ-1002 tasks[0].tags: tags: 21 exceeds the limit of 20"
        ]
    );
}

#[test]
fn too_many_tasks_are_counted_and_not_looked_into() {
    let tasks: Vec<_> = (0..=limits::TASKS_MAX)
        .map(|n| tool(&format!("t{n}"), "nowhere", &["missing"]))
        .collect();
    assert_eq!(
        of(tasks),
        ["ADJ-1002 tasks: tasks: 10001 exceeds the limit of 10000"]
    );
}

#[test]
fn too_many_dependencies_are_counted_for_a_task_and_in_all() {
    let first: Vec<_> = (0..1_001)
        .map(|n| tool(&format!("t{n}"), "pure", &[]))
        .collect();
    let all: Vec<_> = first
        .iter()
        .map(|task| on(task.key.as_str(), FinishToStart, 0))
        .collect();
    let tasks: Vec<_> = first
        .into_iter()
        .chain((0..101).map(|n| bound(&format!("u{n}"), all.clone())))
        .collect();
    let found = of(tasks);
    assert_eq!(
        found[..2],
        [
            "ADJ-1002 tasks: dependencies in all: 101101 exceeds the limit of 100000",
            "ADJ-1002 tasks[1001].after: dependencies: 1001 exceeds the limit of 1000"
        ]
    );
    assert_eq!(found.len(), 102);
}

#[test]
fn a_key_stands_for_one_task_and_never_for_the_inputs() {
    assert_eq!(
        of(vec![
            tool("a", "pure", &[]),
            tool("inputs", "pure", &[]),
            tool("a", "pure", &[])
        ]),
        [
            "ADJ-1003 tasks[1].id: `inputs` names the mission's inputs and cannot be a task's key",
            "ADJ-1003 tasks[2].id: task `a` is defined twice; the first is tasks[0]"
        ]
    );
}

#[test]
fn dependencies_point_at_other_tasks_once_each() {
    let lag = Dependency {
        lag: Millis(limits::DURATION_MAX.0 + 1),
        ..on("fetch", FinishToStart, 0)
    };
    assert_eq!(
        of(vec![
            tool("fetch", "pure", &["fetch"]),
            tool("b", "pure", &["fetsch", "nothing_like_it"]),
            tool("c", "pure", &["fetch", "fetch"]),
            bound("d", vec![lag]),
        ]),
        [
            "ADJ-1005 tasks[0].after[0]: task `fetch` waits for itself",
            "ADJ-1004 tasks[1].after[0]: task `b` waits for `fetsch`, which is not in the plan; did you mean `fetch`?",
            "ADJ-1004 tasks[1].after[1]: task `b` waits for `nothing_like_it`, which is not in the plan",
            "ADJ-1005 tasks[2].after[1]: task `c` waits for `fetch` twice",
            "ADJ-1002 tasks[3].after[0].lag: milliseconds: 31622400001 exceeds the limit of 31622400000"
        ]
    );
}

#[test]
fn names_are_guessed_for_the_first_problems_only_so_that_a_bad_plan_cannot_cost_minutes() {
    let tasks = (0..1_000).map(|n| tool(&format!("task_{n}"), "pure", &["tusk_1"]));
    let found = of(tasks.collect());
    assert_eq!(found.len(), 1_000);
    let guessed = found.iter().filter(|line| line.contains("did you mean"));
    assert_eq!(guessed.count(), 20);
}

#[test]
fn circles_are_named_and_so_is_what_waits_for_one() {
    assert_eq!(
        of(vec![
            tool("a", "pure", &["c"]),
            tool("b", "pure", &["a"]),
            tool("c", "pure", &["b"]),
            tool("d", "pure", &["c"]),
            tool("e", "pure", &["f"]),
            tool("f", "pure", &["e"]),
            tool("free", "pure", &[]),
        ]),
        [
            "ADJ-1006 tasks[0].after: these tasks wait for each other in a cycle: a -> b -> c -> a",
            "ADJ-1006 tasks[4].after: these tasks wait for each other in a cycle: e -> f -> e",
            "ADJ-1007 tasks[3]: task `d` can never start: it waits for a cycle or for a task that is not in the plan"
        ]
    );
}

#[test]
fn mixed_kinds_are_judged_by_what_they_really_demand() {
    let pair = |one: DependencyKind, other: DependencyKind| {
        let found = of(vec![
            bound("a", vec![on("b", one, 0)]),
            bound("b", vec![on("a", other, 0)]),
        ]);
        found.is_empty()
    };
    let kinds = [FinishToStart, StartToStart, FinishToFinish, StartToFinish];
    let sound = kinds.map(|one| kinds.map(|other| pair(one, other)));
    assert_eq!(
        sound,
        [
            [false, false, false, false],
            [false, false, true, true],
            [false, true, false, true],
            [false, true, true, true],
        ]
    );
}

#[test]
fn tools_exist_and_their_arguments_have_a_size() {
    let mut huge = with("b", "{}", &[]);
    huge.work = WorkSpec::Tool(ToolCall {
        with: json(&format!("\"{}\"", "x".repeat(limits::ARGUMENTS_BYTES_MAX))),
        ..call("pure")
    });
    let mut other = tool("c", "pure", &[]);
    other.alternative = Some(call("twice"));
    assert_eq!(
        of(vec![tool("a", "pur", &[]), huge, other]),
        [
            "ADJ-1008 tasks[0].tool: there is no tool `pur`; did you mean `pure`?",
            "ADJ-1002 tasks[1].tool: bytes of arguments: 262146 exceeds the limit of 262144",
            "ADJ-1008 tasks[2].otherwise.tool: there is no tool `twice`"
        ]
    );
}

#[test]
fn references_point_at_what_has_certainly_finished() {
    let tasks = vec![
        with("a", r#""{{inputs.name}}""#, &[]),
        with("b", r#""{{a.output.x}}""#, &["a"]),
        with("c", r#""{{ a.output }}""#, &["b"]),
        with("side", r#""{{c.output}}""#, &["a"]),
        with(
            "odd",
            r#""{{a.result}} {{}} {{aa.output}} {{inputs}}""#,
            &["a"],
        ),
        bound("early", vec![on("a", StartToStart, 0)]),
    ];
    let mut tasks = tasks;
    tasks[5].work = with("early", r#""{{a.output}}""#, &[]).work;
    assert_eq!(
        of(tasks),
        [
            "ADJ-1009 tasks[3].with: `{{c.output}}` cannot be resolved: `c` may not have finished; add it to `after`",
            "ADJ-1009 tasks[4].with: `{{a.result}}` cannot be resolved: write `{{task.output.field}}` or \
             `{{inputs.name}}`",
            "ADJ-1009 tasks[4].with: `{{}}` cannot be resolved: write `{{task.output.field}}` or `{{inputs.name}}`",
            "ADJ-1009 tasks[4].with: `{{aa.output}}` cannot be resolved: there is no task `aa`; did you mean `a`?",
            "ADJ-1009 tasks[4].with: `{{inputs}}` cannot be resolved: write `{{task.output.field}}` or \
             `{{inputs.name}}`",
            "ADJ-1009 tasks[5].with: `{{a.output}}` cannot be resolved: `a` may not have finished; add it to `after`"
        ]
    );
}

#[test]
fn references_in_alternatives_and_questions_are_looked_at_too() {
    let mut other = tool("a", "pure", &[]);
    other.alternative = Some(ToolCall {
        with: json(r#""{{x.output}}""#),
        ..call("pure")
    });
    let asks = question("b", &[], |human| human.question = "{{y.output}}?".into());
    let places: Vec<_> = Plan::new("plan", vec![other, asks])
        .problems(&tools())
        .into_iter()
        .map(|problem| problem.place)
        .collect();
    assert_eq!(
        places,
        ["tasks[0].otherwise.with", "tasks[1].human.question"]
    );
}

#[test]
fn references_reach_behind_tasks_that_are_bound_to_each_other() {
    let tasks = vec![
        bound("left", vec![on("right", FinishToFinish, 0)]),
        bound("right", vec![on("left", StartToStart, 0)]),
        tool("x", "pure", &[]),
        tool("c", "pure", &["left", "x"]),
        tool("d", "pure", &["c"]),
        with("e", r#""{{x.output}} {{left.output}}""#, &["d"]),
    ];
    assert_eq!(of(tasks), NONE);
}

#[test]
fn a_gate_returns_to_a_task_before_it_that_nothing_goes_around() {
    let sound = vec![
        tool("a", "pure", &[]),
        tool("b", "pure", &["a"]),
        gate("g", "a", &["b"]),
        tool("after", "pure", &["g"]),
    ];
    assert_eq!(of(sound.clone()), NONE);
    let mut around = sound.clone();
    around.push(tool("around", "pure", &["a"]));
    around.push(gate("h", "nobody", &["a"]));
    around.push(gate("i", "after", &["a"]));
    let found = of(around);
    assert_eq!(
        found,
        [
            "ADJ-1010 tasks[2].gate.return_to: task `around` follows `a` without passing this gate, so `a` cannot be \
             repeated",
            "ADJ-1010 tasks[5].gate.return_to: there is no task `nobody` to return to",
            "ADJ-1010 tasks[6].gate.return_to: a gate can only return to a task it waits for, directly or indirectly; \
             `after` is not one"
        ]
    );
    let mut started_with = sound;
    started_with.push(bound("beside", vec![on("a", StartToStart, 0)]));
    assert_eq!(of(started_with).len(), 1, "a start counts as going around");
}

#[test]
fn a_gate_has_rules_and_a_way_back_if_it_needs_one() {
    let mut task = gate("g", "a", &["a"]);
    let mut no_rules = gate("h", "a", &["a"]);
    if let WorkSpec::Gate(gate) = &mut task.work {
        gate.return_to = None;
        gate.returns_max = 11;
    }
    if let WorkSpec::Gate(gate) = &mut no_rules.work {
        gate.rules.clear();
        gate.return_to = None;
    }
    assert_eq!(
        of(vec![tool("a", "pure", &[]), task, no_rules]),
        [
            "ADJ-1002 tasks[1].gate.returns_max: returns: 11 exceeds the limit of 10",
            "ADJ-1010 tasks[1].gate.rules: a `repairable` verdict needs `return_to`",
            "ADJ-1012 tasks[2].gate.rules: the rules must not be empty"
        ]
    );
}

#[test]
fn a_question_has_words_and_sound_options() {
    let asks = question("a", &[], |human| {
        human.question = " ".into();
        human.options = vec![option("x"), option("x")];
        human.recommend = Some(OptionKey::new("y").unwrap());
    });
    let many = question("b", &[], |human| {
        human.options = (0..21).map(|n| option(&format!("o{n}"))).collect();
    });
    assert_eq!(
        of(vec![asks, many]),
        [
            "ADJ-1012 tasks[0].human.question: the question must not be empty",
            "ADJ-1011 tasks[0].human.options[1]: option `x` is offered twice",
            "ADJ-1011 tasks[0].human.recommend: the recommended option `y` is not among the options",
            "ADJ-1002 tasks[1].human.options: options: 21 exceeds the limit of 20"
        ]
    );
}

#[test]
fn only_tool_tasks_have_alternatives_and_approvals() {
    let mut task = human("a", &[]);
    task.alternative = Some(call("pure"));
    task.approval = Approval::Always;
    assert_eq!(
        of(vec![task]),
        [
            "ADJ-1013 tasks[0].otherwise: only a tool task can have an alternative",
            "ADJ-1013 tasks[0].approval: only a tool task can have an approval"
        ]
    );
}

#[test]
fn zero_tries_are_too_few() {
    let mut task = tool("a", "pure", &[]);
    task.retry.attempts = 0;
    assert_eq!(
        of(vec![task]),
        ["ADJ-1002 tasks[0].retry.attempts: tries: 0 is below the minimum of 1"]
    );
}

#[test]
fn problems_of_outside_checkers_have_a_code_too() {
    let kind = ProblemKind::Unfit {
        text: "the tool wants a number".into(),
    };
    assert_eq!(kind.code(), "ADJ-1014");
    assert_eq!(kind.to_string(), "the tool wants a number");
}

#[test]
fn a_mission_of_an_unsound_plan_does_not_open() {
    let plan = Plan::new("bad", vec![tool("a", "nothing", &[])]);
    let refused = Mission::open(start(plan, Vec::new())).unwrap_err();
    assert_eq!(
        (refused.code(), refused.to_string()),
        (
            "ADJ-1000",
            "the plan has 1 problems, the first: tasks[0].tool: there is no tool `nothing`".into()
        )
    );
}

#[test]
fn a_gate_that_judges_nothing_is_worth_a_warning() {
    let mut lonely = gate("g", "a", &[]);
    if let WorkSpec::Gate(gate) = &mut lonely.work {
        gate.return_to = None;
    }
    let warnings = Plan::new("w", vec![lonely]).warnings();
    assert_eq!(
        (warnings[0].place.as_str(), warnings[0].text.as_str()),
        (
            "tasks[0]",
            "gate `g` waits for no task, so it has nothing to judge"
        )
    );
}
