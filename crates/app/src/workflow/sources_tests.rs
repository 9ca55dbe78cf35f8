use adjutant_mission::{
    EffectClass, Event, LOGIC_VERSION, MicroUsd, Millis, MissionId, Opened, Plan, Recorded, Scope,
    TenantId, Timestamp, ToolFacts, ToolId, ToolTable, Zone,
};
use serde_json::{Value, json};

use super::*;

fn call(tool: &str, with: Value) -> ToolCall {
    ToolCall {
        tool: ToolId::new(tool).unwrap(),
        with: Json::encode(&with).unwrap(),
    }
}

fn task(key: &str, tool: &str, with: Value) -> Task {
    Task::new(TaskKey::new(key).unwrap(), WorkSpec::Tool(call(tool, with)))
}

fn mission(tasks: Vec<Task>) -> Mission {
    let facts = |provenance| ToolFacts {
        class: EffectClass::Pure,
        price: MicroUsd::ZERO,
        tokens: 0,
        time_limit: Millis::ZERO,
        provenance,
    };
    let tools = [
        ("noop", Some(Provenance::Own)),
        ("L5-NLP", Some(Provenance::Own)),
        ("http", Some(Provenance::AnyHost)),
        ("read", Some(Provenance::Outside)),
        ("delegate.coder", Some(Provenance::Outside)),
        ("ancient", None),
    ];
    let tools: ToolTable = tools
        .into_iter()
        .map(|(id, provenance)| (ToolId::new(id).unwrap(), facts(provenance)))
        .collect();
    let opened = Opened {
        mission: MissionId::from_bits(7),
        scope: Scope::of(TenantId::new("acme").unwrap()),
        logic: LOGIC_VERSION,
        plan: Plan::new("t", tasks),
        tools,
        approvals: Vec::new(),
        parent: None,
        began_by: Vec::new(),
    };
    let first = Recorded {
        seq: 1,
        at: Timestamp(1_790_000_000_000),
        actor: None,
        cause: None,
        zone: Zone::Platform,
        event: Event::MissionOpened(Box::new(opened)),
    };
    Mission::begin(&first).unwrap()
}

fn whose(tasks: Vec<Task>, of: &str) -> (Whose, Whose) {
    let mission = mission(tasks);
    let key = TaskKey::new(of).unwrap();
    (of_output(&mission, &key), of_arguments(&mission, &key))
}

#[test]
fn what_is_made_of_the_plan_alone_is_its_authors() {
    let own = || {
        task(
            "say",
            "noop",
            json!({ "value": "Count the records in the file." }),
        )
    };
    assert_eq!(whose(vec![own()], "say"), (Whose::Authors, Whose::Authors));
    let over = task(
        "nlp",
        "L5-NLP",
        json!({ "text": "{{say.output}} {{inputs.text}}" }),
    );
    assert_eq!(
        whose(vec![own(), over], "nlp"),
        (Whose::Authors, Whose::Authors)
    );
}

#[test]
fn whatever_is_derived_from_outside_text_is_outside_text() {
    for source in ["http", "read", "delegate.coder", "ancient", "no_such_tool"] {
        let read = || task("read", source, json!({ "goal": "x" }));
        // The call is made of the authors' words; what it brings in is not.
        assert_eq!(
            whose(vec![read()], "read"),
            (Whose::Outside, Whose::Authors),
            "{source}"
        );
        let pass = task(
            "pass",
            "noop",
            json!({ "value": { "a": ["It says {{read.output.text}}"] } }),
        );
        let again = task("again", "noop", json!({ "value": "{{ pass.output }}" }));
        let tasks = || vec![read(), pass.clone(), again.clone()];
        assert_eq!(
            whose(tasks(), "again"),
            (Whose::Outside, Whose::Outside),
            "{source}"
        );
    }
    // Braces may be written as escapes.
    let mut hidden = task("hidden", "noop", json!({}));
    hidden.work = WorkSpec::Tool(ToolCall {
        tool: ToolId::new("noop").unwrap(),
        with: Json::parse(r#"{"value":"\u007b{read.output}}"}"#).unwrap(),
    });
    let tasks = vec![task("read", "read", json!({})), hidden];
    assert_eq!(whose(tasks, "hidden"), (Whose::Outside, Whose::Outside));
}

#[test]
fn any_way_that_a_task_may_have_gone_counts() {
    let mut either = task("either", "noop", json!({ "value": "x" }));
    either.alternative = Some(call("read", json!({})));
    assert_eq!(whose(vec![either.clone()], "either").0, Whose::Outside);
    let mission = mission(vec![either]);
    assert_eq!(tool_of(&mission, &TaskKey::new("either").unwrap()), None);
}

#[test]
fn a_reference_to_nothing_is_no_reason_to_trust() {
    let lost = task("lost", "noop", json!({ "value": "{{gone.output}}" }));
    assert_eq!(whose(vec![lost], "lost"), (Whose::Outside, Whose::Outside));
    assert_eq!(whose(Vec::new(), "lost"), (Whose::Outside, Whose::Outside));
}
