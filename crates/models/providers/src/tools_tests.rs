use serde_json::json;

use super::{TOOL_RESULT_BYTES_MAX, ToolCall, ToolDefinition, ToolFuture, ToolHandler, Tools};
use crate::wire::{Ending, RawCall};

struct Echo;

impl ToolHandler for Echo {
    fn call(&self, call: ToolCall) -> ToolFuture<'_> {
        Box::pin(async move {
            match call.arguments["fail"].as_bool() {
                Some(true) => Err("as asked".to_owned()),
                _ => Ok("\u{e9}".repeat(TOOL_RESULT_BYTES_MAX)),
            }
        })
    }
}

#[tokio::test]
async fn every_call_has_a_result_of_bounded_size() {
    let definitions = [ToolDefinition {
        name: "echo".to_owned(),
        description: String::new(),
        schema: json!({}),
    }];
    let tools = Tools {
        definitions: &definitions,
        handler: &Echo,
    };
    let call = |name: &str, arguments: &str| RawCall {
        id: format!("{name}{arguments}"),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    let calls = [
        call("echo", ""),
        call("echo", "{\"fail\": true}"),
        call("echo", "[1]"),
        call("echo", "{"),
        call("other", "{}"),
    ];
    let results = tools.answer(&calls).await;
    assert_eq!(results.len(), calls.len());
    for (result, call) in results.iter().zip(&calls) {
        assert_eq!(result.id, call.id);
        assert!(result.text.len() < TOOL_RESULT_BYTES_MAX + 50);
    }
    let endings: Vec<Ending> = results.iter().map(|result| result.ending).collect();
    let failed = Ending::Failed;
    assert_eq!(endings, [Ending::Done, failed, failed, failed, failed]);
    assert!(results[0].text.ends_with("(cut off here)"));
    assert_eq!(results[1].text, "as asked");
}
