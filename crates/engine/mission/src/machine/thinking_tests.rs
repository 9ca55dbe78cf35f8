#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use super::*;
use crate::{Json, Pattern, Ppm, ToolCall, ToolId};

/// The plan's own check refuses tools for other levels; should one slip through, the call is refused all the same.
#[test]
fn who_may_not_act_calls_nothing_though_it_was_offered() {
    let tool = ToolId::new("search").unwrap();
    let reasoning = Reasoning {
        patterns: vec![Pattern::React],
        max_iterations: 1,
        confidence_threshold: Ppm(700_000),
        tools: vec![tool.clone()],
    };
    let signs = Signs {
        call: Some(ToolCall {
            tool,
            with: Json::null(),
        }),
        ..Signs::default()
    };
    assert!(breach(&signs, &reasoning, false).is_some());
    assert!(breach(&signs, &reasoning, true).is_none());
}
