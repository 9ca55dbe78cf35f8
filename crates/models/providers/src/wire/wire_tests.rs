//! What both formats are tested with.

use adjutant_mission::Ppm;
use serde_json::{Value, json};

use super::{
    Caching, Decoder, Ending, Ordered, Question, RawCall, Reply, Said, ToolResult, Turn, WireError,
};
use crate::settings::{ModelSettings, Provider, ProviderKind};
use crate::sse::Parser;
use crate::tools::ToolDefinition;

pub(super) fn provider(kind: &str, more: &str) -> Provider {
    let text = format!("[providers.a]\nkind = \"{kind}\"\nurl = \"http://127.0.0.1:1\"\n{more}");
    let settings: ModelSettings = toml::from_str(&text).unwrap();
    settings.checked().unwrap().providers.remove("a").unwrap()
}

pub(super) fn body(provider: &Provider, model: &str, caching: Caching) -> Value {
    let call = RawCall {
        id: "call_A".to_owned(),
        name: "look_up".to_owned(),
        arguments: "{\"query\": \"sky\"}".to_owned(),
    };
    let said = Said {
        calls: vec![call],
        ..Said::default()
    };
    let result = ToolResult {
        id: "call_A".to_owned(),
        text: "blue".to_owned(),
        ending: Ending::Done,
    };
    let turns = [
        Turn::User("What is the sky?".to_owned()),
        Turn::Model(said),
        Turn::Results(vec![result]),
    ];
    let tools = [ToolDefinition {
        name: "look_up".to_owned(),
        description: "Looks up.".to_owned(),
        schema: json!({ "type": "object" }),
    }];
    let schema = json!({
        "type": "object",
        "properties": { "sure": { "type": "number", "minimum": 0, "maximum": 1 } },
        "required": ["sure"],
        "additionalProperties": false,
    });
    let schema = Ordered::from(schema);
    let body = super::body(
        provider,
        &Question {
            model,
            system: "You are careful.",
            turns: &turns,
            schema_name: "extract",
            schema: &schema,
            tools: &tools,
            output_tokens_max: 500,
            temperature: Ppm(300_000),
            caching,
        },
    );
    serde_json::from_str(&body.to_string()).unwrap()
}

#[test]
fn fields_stay_in_the_order_of_the_schema() {
    let text = adjutant_questions::Purpose::Extract.output_schema_text();
    let schema: Ordered = serde_json::from_str(text).unwrap();
    for kind in ["openai", "azure", "anthropic"] {
        let question = Question {
            model: "m",
            system: "",
            turns: &[],
            schema_name: "extract",
            schema: &schema,
            tools: &[],
            output_tokens_max: 1,
            temperature: Ppm(0),
            caching: Caching::Off,
        };
        let body = super::body(&provider(kind, ""), &question).to_string();
        let at = |name: &str| body.find(&format!("\"{name}\":{{")).unwrap();
        assert!(at("findings") < at("not_found"), "{kind}: {body}");
        let sure = body.rfind("\"confidence\":{").unwrap();
        assert!(at("not_found") < sure, "{kind}: {body}");
    }
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&schema.to_string()).unwrap(),
        value
    );
}

/// Decodes a recorded stream; the texts it brought, and the reply.
pub(super) fn decode(kind: ProviderKind, bytes: &[u8]) -> (Vec<String>, Result<Reply, WireError>) {
    let (mut parser, mut decoder, mut texts) = (Parser::default(), Decoder::new(kind), Vec::new());
    for event in parser.feed(bytes).unwrap() {
        match decoder.take(&event) {
            Ok(text) if text.is_empty() => {}
            Ok(text) => texts.push(text),
            Err(error) => return (texts, Err(error)),
        }
    }
    (texts, decoder.finish())
}

#[test]
fn errors_are_read_in_every_form_they_come_in() {
    let read = |body: &str| {
        let (kind, message) = super::error_of(body);
        format!("{kind}|{message}")
    };
    let openai = r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#;
    assert_eq!(read(openai), "invalid_api_key|Incorrect API key provided");
    let azure =
        r#"{"error":{"code":"content_filter","message":"The response was filtered","status":400}}"#;
    assert_eq!(read(azure), "content_filter|The response was filtered");
    let anthropic = r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-y"},"request_id":"req_1"}"#;
    assert_eq!(read(anthropic), "not_found_error|model: claude-y");
    assert_eq!(read(r#"{"error":"model not found"}"#), "|model not found");
    assert_eq!(
        read(r#"{"object":"error","message":"too long","type":"BadRequestError","code":400}"#),
        "BadRequestError|too long"
    );
    assert_eq!(read("<html>\n 502 </html>"), "|<html> 502 </html>");
    assert_eq!(read(""), "|");
}

#[test]
fn a_stream_cut_anywhere_is_an_error_and_no_panic() {
    let golden = [
        (
            include_str!("../../golden/openai_tools.sse"),
            ProviderKind::Openai,
        ),
        (
            include_str!("../../golden/anthropic_answer.sse"),
            ProviderKind::Anthropic,
        ),
    ];
    for (text, kind) in golden {
        let frames: Vec<&str> = text.split_inclusive("\n\n").collect();
        for cut in 0..text.len() {
            // The last frames bring only usage, and the word that it is over.
            let is_whole = cut
                > text.len()
                    - frames
                        .iter()
                        .rev()
                        .take(3)
                        .map(|at| at.len())
                        .sum::<usize>();
            let reply = decode(kind, &text.as_bytes()[..cut]).1;
            assert!(is_whole || reply.is_err(), "{cut}: {reply:?}");
        }
    }
}
