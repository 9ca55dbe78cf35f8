//! Which spans a journal tells, and how they are written.

use adjutant_mission::*;
use adjutant_telemetry::{Attribute, Kind, Span, Status, request, spans_of};
use serde_json::Value;

use crate::world::*;

fn named<'a>(spans: &'a [Span], name: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name == name).collect()
}

fn text<'a>(span: &'a Span, key: &str) -> Option<&'a str> {
    let found = span.attributes.iter().find(|(name, _)| *name == key);
    match &found?.1 {
        Attribute::Text(text) => Some(text),
        _ => None,
    }
}

fn number(span: &Span, key: &str) -> Option<i64> {
    let found = span.attributes.iter().find(|(name, _)| *name == key);
    match &found?.1 {
        Attribute::Number(number) => Some(*number),
        _ => None,
    }
}

#[test]
fn a_mission_is_a_trace_of_its_tasks_calls_and_questions() {
    let spans = spans_of(&World::whole()).unwrap();
    let root = named(&spans, "invoke_agent adjutant")[0];
    assert_eq!(root.trace.to_string(), "019200000000700080000000000000a7");
    assert_eq!(root.parent, None);
    assert_eq!(root.began, MORNING);
    assert_eq!(text(root, "adjutant.mission.phase"), Some("completed"));
    assert_eq!(spans.last(), Some(root), "it ends last");

    let tool = named(&spans, "execute_tool L5-RAG")[0];
    assert_eq!(text(tool, "gen_ai.operation.name"), Some("execute_tool"));
    assert_eq!(text(tool, "gen_ai.tool.name"), Some("L5-RAG"));
    assert!(
        text(tool, "gen_ai.tool.call.id")
            .unwrap()
            .starts_with("eff_")
    );
    assert_eq!(tool.ended.since(tool.began), Millis(1_500));
    assert_eq!(tool.kind, Kind::Internal);

    let failed = named(&spans, "chat")[0];
    assert_eq!(failed.status, Status::Error("temporary".into()));
    assert_eq!(text(failed, "error.type"), Some("temporary"));
    let chat = named(&spans, "chat claude-x")[0];
    assert_eq!(chat.kind, Kind::Client);
    assert_eq!(chat.status, Status::Unset);
    assert_eq!(text(chat, "gen_ai.provider.name"), Some("anthropic"));
    assert_eq!(text(chat, "gen_ai.response.model"), Some("claude-x"));
    assert_eq!(number(chat, "gen_ai.usage.input_tokens"), Some(812));
    assert_eq!(number(chat, "gen_ai.usage.output_tokens"), Some(64));
    assert_eq!(number(chat, "adjutant.cost.micro_usd"), Some(1_200));

    let tasks: Vec<&Span> = ["task search", "task read", "task ask"]
        .map(|name| named(&spans, name)[0])
        .to_vec();
    for task in &tasks {
        assert_eq!(task.parent, Some(root.id));
    }
    assert_eq!(tool.parent, Some(tasks[0].id));
    assert_eq!(chat.parent, Some(tasks[1].id));
    assert_eq!(failed.parent, chat.parent, "two tries of one task");

    let asked: Vec<&Span> = spans
        .iter()
        .filter(|span| span.name.starts_with("human_decision"))
        .collect();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].parent, Some(tasks[2].id));
    assert_eq!(asked[0].ended.since(asked[0].began), Millis(60_000));
    assert_eq!(
        text(asked[0], "adjutant.checkpoint.verdict"),
        Some("approve")
    );
}

#[test]
fn ids_are_the_same_every_time_and_no_two_alike() {
    let journal = World::whole();
    let spans = spans_of(&journal).unwrap();
    assert_eq!(spans, spans_of(&journal).unwrap());
    let mut ids: Vec<_> = spans.iter().map(|span| span.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), spans.len());
}

#[test]
fn nothing_that_was_asked_or_answered_is_told() {
    let journal = World::whole();
    let has = |text: &str| text.contains(SECRET);
    assert!(journal.iter().any(|recorded| {
        let bytes = recorded.encode().unwrap();
        has(&String::from_utf8(bytes).unwrap())
    }));
    let told = request("adjutant", &spans_of(&journal).unwrap()).to_string();
    assert!(!has(&told), "{told}");
}

/// The deviations of OTLP's JSON from that of protobuf, and what protobuf's own says of 64-bit numbers.
#[test]
fn it_is_written_as_otlp_writes_json() {
    let spans = spans_of(&World::whole()).unwrap();
    let told = request("house", &spans);
    let of = &told["resourceSpans"][0];
    let resource = &of["resource"]["attributes"];
    assert_eq!(resource[0]["key"], "service.name");
    assert_eq!(resource[0]["value"]["stringValue"], "house");
    let written = of["scopeSpans"][0]["spans"].as_array().unwrap();
    assert_eq!(written.len(), spans.len());
    let hex = |value: &Value, digits: usize| {
        let text = value.as_str().unwrap();
        let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(is_hex && text.len() == digits, "{text}");
        assert!(text.bytes().any(|byte| byte != b'0'), "{text}");
    };
    for span in written {
        hex(&span["traceId"], 32);
        hex(&span["spanId"], 16);
        if !span["parentSpanId"].is_null() {
            hex(&span["parentSpanId"], 16);
        }
        assert!([1, 3].contains(&span["kind"].as_i64().unwrap()));
        for time in ["startTimeUnixNano", "endTimeUnixNano"] {
            let nanos: u64 = span[time].as_str().unwrap().parse().unwrap();
            assert_eq!(nanos % 1_000_000, 0);
            assert!(nanos >= 1_794_812_400_000_000_000);
        }
        let code = &span["status"]["code"];
        assert!(code.is_null() || code == 2, "{code}");
        for attribute in span["attributes"].as_array().unwrap() {
            let value = attribute["value"].as_object().unwrap();
            assert_eq!(value.len(), 1, "one of its kinds: {attribute}");
            if let Some(number) = value.get("intValue") {
                number.as_str().unwrap().parse::<i64>().unwrap();
            }
        }
    }
    keys_are_camel_case(&told);
}

fn keys_are_camel_case(value: &Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                assert!(!name.contains('_'), "{name}");
                keys_are_camel_case(value);
            }
        }
        Value::Array(all) => all.iter().for_each(keys_are_camel_case),
        _ => {}
    }
}
