use adjutant_questions::{Finish, Tokens};
use serde_json::{Value, json};

use super::super::tests::{body, decode, provider};
use super::super::{Caching, RawCall, WireError};
use crate::settings::ProviderKind;

const OPENAI: ProviderKind = ProviderKind::Openai;

fn golden_request() -> Value {
    serde_json::from_str(include_str!("../../golden/openai_request.json")).unwrap()
}

#[test]
fn a_request_is_as_documented() {
    let built = body(&provider("openai", ""), "gpt-x", Caching::On);
    assert_eq!(built, golden_request());
}

#[test]
fn azure_is_told_limits_in_words() {
    let mut wanted = golden_request();
    wanted["response_format"]["json_schema"]["schema"]["properties"]["sure"] =
        json!({ "type": "number", "description": "(maximum 1, minimum 0)" });
    let built = body(&provider("azure", ""), "gpt-x", Caching::Off);
    assert_eq!(built, wanted);
}

#[test]
fn servers_that_know_less_are_asked_for_less() {
    let mut wanted = golden_request();
    let limit = wanted
        .as_object_mut()
        .unwrap()
        .remove("max_completion_tokens");
    wanted["max_tokens"] = limit.unwrap();
    wanted["temperature"] = json!(0.3);
    let built = body(&provider("compatible", ""), "gpt-x", Caching::Off);
    assert_eq!(built, wanted);

    let schema = wanted["response_format"]["json_schema"]["schema"].to_string();
    wanted["response_format"] = json!({ "type": "json_object" });
    wanted["messages"][0]["content"] = json!(format!(
        "You are careful.\n\nThe JSON Schema of the answer:\n{schema}"
    ));
    let built = body(
        &provider("compatible", "structured = \"json\""),
        "gpt-x",
        Caching::Off,
    );
    assert_eq!(built, wanted);

    wanted.as_object_mut().unwrap().remove("response_format");
    let built = body(
        &provider("compatible", "structured = \"prompt\""),
        "gpt-x",
        Caching::Off,
    );
    assert_eq!(built, wanted);
}

#[test]
fn an_answer_is_put_together_with_its_usage() {
    let (texts, reply) = decode(OPENAI, include_bytes!("../../golden/openai_answer.sse"));
    let reply = reply.unwrap();
    assert_eq!(texts, ["{\"sky\":", " \"blue\"}"]);
    assert_eq!(reply.said.text, "{\"sky\": \"blue\"}");
    assert_eq!(reply.finish, Finish::Stop);
    let tokens = Tokens {
        input: 2_006,
        output: 300,
        cache_read: 1_920,
        cache_write: 0,
    };
    assert_eq!(reply.usage, Some(tokens));
}

#[test]
fn azures_filter_counts_as_a_refusal() {
    let (_, reply) = decode(OPENAI, include_bytes!("../../golden/azure_answer.sse"));
    let reply = reply.unwrap();
    assert_eq!(reply.finish, Finish::Refusal);
    assert_eq!(reply.usage, None);
}

#[test]
fn tool_calls_are_put_together_from_their_pieces() {
    let (texts, reply) = decode(OPENAI, include_bytes!("../../golden/openai_tools.sse"));
    let reply = reply.unwrap();
    assert!(texts.is_empty());
    assert_eq!(reply.finish, Finish::ToolCalls);
    let call = |id: &str, name: &str, arguments: &str| RawCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    assert_eq!(
        reply.said.calls,
        [
            call("call_A", "look_up", "{\"query\": \"sky\"}"),
            call("call_B", "add", "{}"),
        ]
    );
}

#[test]
fn what_breaks_a_stream_is_told_apart() {
    let error = |frames: &str| decode(OPENAI, frames.as_bytes()).1.unwrap_err();
    let text = r#"data: {"choices":[{"index":0,"delta":{"content":"a"}}]}"#;
    assert_eq!(error(&format!("{text}\n\n")), WireError::Unfinished);
    assert_eq!(error(""), WireError::Unfinished);
    assert!(matches!(
        error("data: {\"choi\n\n"),
        WireError::Malformed(_)
    ));
    let finish = r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let on = error(&format!("{finish}\n\n{text}\n\n"));
    assert!(matches!(on, WireError::Malformed(_)), "{on:?}");
    let told = r#"data: {"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}"#;
    assert_eq!(
        error(&format!("{text}\n\n{told}\n\n")),
        WireError::Told {
            status: 429,
            kind: "rate_limit_exceeded".to_owned(),
            message: "Rate limit reached".to_owned(),
        }
    );
    let long = "x".repeat(10_000);
    let frame =
        format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{long}\"}}}}]}}\n\n");
    assert_eq!(error(&frame.repeat(110)), WireError::TooLarge);
}

#[test]
fn usage_that_cannot_be_true_is_no_usage() {
    let frames = |usage: &str| {
        format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"stop\"}}]}}\n\ndata: {{\"choices\":null,\"usage\":{usage}}}\n\n"
        )
    };
    for usage in [
        "null",
        "{}",
        r#"{"prompt_tokens":-1,"completion_tokens":5}"#,
        r#"{"prompt_tokens":1.5,"completion_tokens":5}"#,
        r#"{"prompt_tokens":"many","completion_tokens":5}"#,
    ] {
        let (_, reply) = decode(OPENAI, frames(usage).as_bytes());
        assert_eq!(reply.unwrap().usage, None, "{usage}");
    }
}
