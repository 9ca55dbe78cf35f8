use adjutant_questions::{Finish, Tokens};
use serde_json::{Value, json};

use super::super::tests::{body, decode, provider};
use super::super::{Caching, RawCall, WireError};
use crate::settings::ProviderKind;

const ANTHROPIC: ProviderKind = ProviderKind::Anthropic;

fn golden_request() -> Value {
    serde_json::from_str(include_str!("../../golden/anthropic_request.json")).unwrap()
}

#[test]
fn a_request_is_as_documented() {
    let built = body(&provider("anthropic", ""), "claude-x", Caching::On);
    assert_eq!(built, golden_request());
}

#[test]
fn without_cache_prices_nothing_is_cached_and_temperature_is_sent_only_if_set() {
    let mut wanted = golden_request();
    wanted["system"][0]
        .as_object_mut()
        .unwrap()
        .remove("cache_control");
    wanted["temperature"] = json!(0.3);
    let built = body(
        &provider("anthropic", "temperature = true"),
        "claude-x",
        Caching::Off,
    );
    assert_eq!(built, wanted);
}

#[test]
fn an_answer_is_put_together_and_its_cached_input_counted() {
    let (texts, reply) = decode(
        ANTHROPIC,
        include_bytes!("../../golden/anthropic_answer.sse"),
    );
    let reply = reply.unwrap();
    assert_eq!(texts, ["{\"sky\":", " \"blue\"}"]);
    assert_eq!(reply.said.text, "{\"sky\": \"blue\"}");
    assert_eq!(reply.finish, Finish::Stop);
    let thinking = json!({ "type": "thinking", "thinking": "What colour?", "signature": "EqQB" });
    assert_eq!(reply.said.kept, [thinking]);
    let tokens = Tokens {
        input: 1_525,
        output: 15,
        cache_read: 1_200,
        cache_write: 300,
    };
    assert_eq!(reply.usage, Some(tokens));
}

#[test]
fn tool_use_is_put_together_from_partial_json() {
    let (_, reply) = decode(
        ANTHROPIC,
        include_bytes!("../../golden/anthropic_tools.sse"),
    );
    let reply = reply.unwrap();
    assert_eq!(reply.finish, Finish::ToolCalls);
    assert_eq!(reply.said.text, "I look it up.");
    let call = RawCall {
        id: "toolu_1".to_owned(),
        name: "look_up".to_owned(),
        arguments: "{\"query\": \"sky\"}".to_owned(),
    };
    assert_eq!(reply.said.calls, [call]);
}

#[test]
fn an_error_in_the_stream_is_what_its_status_would_have_been() {
    let (_, reply) = decode(
        ANTHROPIC,
        include_bytes!("../../golden/anthropic_overloaded.sse"),
    );
    assert_eq!(
        reply,
        Err(WireError::Told {
            status: 529,
            kind: "overloaded_error".to_owned(),
            message: "Overloaded".to_owned(),
        })
    );
}

#[test]
fn events_out_of_order_are_not_guessed_at() {
    let golden = include_str!("../../golden/anthropic_answer.sse");
    let events: Vec<&str> = golden.split_inclusive("\n\n").collect();
    let mut twice = events.clone();
    twice.insert(0, events[0]);
    let mut swapped = events.clone();
    swapped.swap(6, 7);
    let mut unfinished = events.clone();
    unfinished.truncate(events.len() - 2);
    let end = |events: Vec<&str>| decode(ANTHROPIC, events.concat().as_bytes()).1;
    assert!(matches!(end(twice), Err(WireError::Malformed(_))));
    assert!(matches!(end(swapped), Err(WireError::Malformed(_))));
    assert_eq!(end(unfinished), Err(WireError::Unfinished));
}
