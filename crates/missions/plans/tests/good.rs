//! Files that are right: everything they say arrives in the plan.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod support;

use adjutant_mission::Plan;
use adjutant_plans::{Loaded, read, schema};
use support::BuiltIn;

fn load(text: &str) -> Loaded {
    read(text.as_bytes(), &BuiltIn::new()).unwrap()
}

fn pretty(plan: &Plan) -> String {
    let value = serde_json::to_value(plan).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}

const EVERY_FIELD: &str = include_str!("good/every_field.yaml");
const AGENTS: &str = include_str!("good/agents.yaml");

#[test]
fn every_field_arrives() {
    let loaded = load(EVERY_FIELD);
    assert_eq!(loaded.warnings, []);
    insta::assert_snapshot!(pretty(&loaded.plan));
}

#[test]
fn agents_arrive_and_what_they_ask_may_be_called() {
    let loaded = load(AGENTS);
    insta::assert_snapshot!(pretty(&loaded.plan));
    let routes = loaded
        .tools
        .keys()
        .filter(|id| id.as_str().starts_with("ask:"));
    let routes: Vec<_> = routes.map(|id| id.as_str()).collect();
    assert_eq!(routes, ["ask:L2.d:law.c:complex.m:openai:gpt-5", "ask:L4"]);
}

#[test]
fn a_plan_survives_storing() {
    for text in [EVERY_FIELD, AGENTS] {
        let plan = load(text).plan;
        let stored = serde_json::to_string(&plan).unwrap();
        assert_eq!(serde_json::from_str::<Plan>(&stored).unwrap(), plan);
    }
}

#[test]
fn line_ends_and_byte_order_marks_change_nothing() {
    let plan = load(EVERY_FIELD).plan;
    assert_eq!(load(&EVERY_FIELD.replace('\n', "\r\n")).plan, plan);
    assert_eq!(load(&format!("\u{feff}{EVERY_FIELD}")).plan, plan);
    assert_eq!(load(&format!("---\n{EVERY_FIELD}...\n")).plan, plan);
}

#[test]
fn json_is_yaml() {
    let json = r#"{"title": "T", "inputs": {"n": 1.10}, "tasks": [
        {"id": "a", "tool": "noop", "with": {"value": "\u00e9\n{{inputs.n}}"}},
        {"id": "b", "tool": "noop", "after": ["a"]}]}"#;
    let yaml = "title: T\ninputs:\n  n: 1.10\ntasks:\n- id: a\n  tool: noop\n  with:\n    value: |-\n      é\n      {{inputs.n}}\n- id: b\n  tool: noop\n  after: a\n";
    assert_eq!(load(json).plan, load(yaml).plan);
}

#[test]
fn anchors_repeat_values() {
    let text = "title: T\ntasks:\n- id: a\n  tool: noop\n  retry: &often {attempts: 7}\n- id: b\n  tool: noop\n  retry: *often\n";
    let plan = load(text).plan;
    assert_eq!(plan.tasks[1].retry.attempts, 7);
}

#[test]
fn scalars_follow_yaml_1_2() {
    let text = "title: T\ninputs: {a: no, b: on, c: 012, d: 0x1F, e: 0o17, f: 1e3, g: .5, h: ~, i: 1_000, j: 2024-01-02, k: '7', l: True, m: -0.0, n: !!str 7, o: 123456789012345678901234567890}\ntasks: [{id: a, tool: noop}]\n";
    let inputs = load(text).plan.inputs.unwrap();
    insta::assert_snapshot!(inputs.text());
}

#[test]
fn warnings_have_a_place() {
    let text = "title: T\ntasks:\n- id: a\n  tool: noop\n  with: {value: '{{inputs.city}}'}\n- id: g\n  gate: {rules: [{when: 'true', verdict: valid}]}\n";
    let warnings = load(text).warnings;
    let lines: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn the_schema_is_stable() {
    insta::assert_snapshot!(serde_json::to_string_pretty(&schema(&BuiltIn::new())).unwrap());
}
