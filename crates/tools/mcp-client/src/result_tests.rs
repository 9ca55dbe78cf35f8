use serde_json::json;

use super::*;

fn tool(output: Option<Value>) -> Tool {
    serde_json::from_value(json!({
        "name": "x", "inputSchema": { "type": "object" }, "outputSchema": output,
    }))
    .unwrap()
}

fn result(value: Value) -> CallToolResult {
    serde_json::from_value(value).unwrap()
}

#[test]
fn a_promised_shape_is_given_as_it_is() {
    let promising = tool(Some(json!({ "type": "object" })));
    let given = result(json!({ "content": [], "structuredContent": { "n": 1 } }));
    assert_eq!(read(&promising, given).unwrap(), json!({ "n": 1 }));
    let nothing = result(json!({ "content": [] }));
    let failure = read(&promising, nothing).unwrap_err();
    assert_eq!(failure.kind(), Some(FailureKind::BadOutput));
}

#[test]
fn what_nobody_promised_stands_beside_the_text() {
    let given = result(json!({
        "content": [{ "type": "text", "text": "a" }], "structuredContent": [1],
    }));
    let read = read(&tool(None), given).unwrap();
    assert_eq!(read, json!({ "text": "a", "parts": [], "structured": [1] }));
    let schema = adjutant_tools::Schema::compile(&schema()).unwrap();
    assert_eq!(schema.check(&read), []);
}

#[test]
fn too_many_parts_are_refused() {
    let link = json!({ "type": "resource_link", "uri": "a:b", "name": "b" });
    let given = result(json!({ "content": vec![link; PARTS_MAX + 1] }));
    let failure = read(&tool(None), given).unwrap_err();
    assert_eq!(failure.kind(), Some(FailureKind::BadOutput));
}

#[test]
fn a_failure_without_words_is_one_too() {
    let given = result(json!({ "content": [], "isError": true }));
    let failure = read(&tool(None), given).unwrap_err();
    assert_eq!(failure.to_string(), "the tool failed: it gave no reason");
}
