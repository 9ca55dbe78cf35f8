#![expect(clippy::unwrap_used, reason = "a test that fails should stop")]

use serde_json::{Value, json};

use super::*;

fn covered(tasks: Value) -> Option<Covers> {
    let plan: Plan = serde_json::from_value(json!({ "title": "t", "tasks": tasks })).unwrap();
    covers(&plan)
}

fn call(key: &str, after: Value) -> Value {
    json!({ "key": key, "work": { "tool": { "tool": "noop", "with": {} } }, "after": after })
}

#[test]
fn only_a_plan_of_calls_alone_can_be_done_again() {
    let after_a = json!([{ "task": "a" }]);
    assert_eq!(
        covered(json!([call("a", json!([])), call("b", after_a.clone())])),
        Some(Covers::Whole)
    );
    // A person decided between the calls: without that question it is not the same work.
    let asked =
        json!({ "key": "ask", "work": { "human": { "question": "Go on?" } }, "after": after_a });
    let after_ask = json!([{ "task": "ask" }]);
    assert_eq!(
        covered(json!([
            call("a", json!([])),
            asked.clone(),
            call("b", after_ask)
        ])),
        Some(Covers::ToolsOnly)
    );
    assert_eq!(covered(json!([call("a", json!([])), asked])), None);
    let at_once = json!([{ "task": "a", "kind": "SS" }]);
    assert_eq!(
        covered(json!([call("a", json!([])), call("b", at_once)])),
        Some(Covers::ToolsOnly)
    );
    assert_eq!(covered(json!([])), None);
}
