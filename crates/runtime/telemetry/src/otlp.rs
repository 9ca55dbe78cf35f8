//! Spans as OTLP/HTTP takes them in JSON: ids in hex, 64-bit numbers as text, enums as numbers.

use adjutant_mission::Timestamp;
use serde_json::{Value, json};

use crate::{Attribute, Kind, Span, Status};

const SCOPE: &str = "adjutant";
/// The GenAI conventions that the names of spans and attributes are from.
const SCHEMA: &str = "https://opentelemetry.io/schemas/1.41.0";

/// An `ExportTraceServiceRequest` of these spans.
pub fn request(service: &str, spans: &[Span]) -> Value {
    let resource = [
        ("service.name", Attribute::from(service)),
        ("service.version", env!("CARGO_PKG_VERSION").into()),
    ];
    let spans: Vec<Value> = spans.iter().map(encoded).collect();
    json!({
        "resourceSpans": [{
            "resource": { "attributes": attributes(&resource) },
            "scopeSpans": [{
                "scope": { "name": SCOPE, "version": env!("CARGO_PKG_VERSION") },
                "spans": spans,
                "schemaUrl": SCHEMA,
            }],
        }],
    })
}

/// How many spans a collector did not take, by its answer.
pub fn rejected(answer: &[u8]) -> u64 {
    let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
    // Numbers of 64 bits may be told as text.
    match &answer["partialSuccess"]["rejectedSpans"] {
        Value::String(text) => text.parse().unwrap_or(0),
        number => number.as_u64().unwrap_or(0),
    }
}

fn encoded(span: &Span) -> Value {
    let mut encoded = json!({
        "traceId": span.trace.to_string(),
        "spanId": span.id.to_string(),
        "name": span.name,
        "kind": match span.kind {
            Kind::Internal => 1,
            Kind::Client => 3,
        },
        "startTimeUnixNano": nanos(span.began),
        "endTimeUnixNano": nanos(span.ended),
        "attributes": attributes(&span.attributes),
        "status": match &span.status {
            Status::Unset => json!({}),
            Status::Error(kind) => json!({ "code": 2, "message": kind }),
        },
    });
    if let Some(parent) = span.parent {
        encoded["parentSpanId"] = parent.to_string().into();
    }
    if let Some((trace, id)) = span.link {
        encoded["links"] = json!([{ "traceId": trace.to_string(), "spanId": id.to_string() }]);
    }
    encoded
}

fn attributes(all: &[(&'static str, Attribute)]) -> Vec<Value> {
    let text = |text: &String| json!({ "stringValue": text });
    let encoded = all.iter().map(|(key, attribute)| {
        let value = match attribute {
            Attribute::Text(of) => text(of),
            Attribute::Number(number) => json!({ "intValue": number.to_string() }),
            Attribute::List(list) => {
                let values: Vec<Value> = list.iter().map(text).collect();
                json!({ "arrayValue": { "values": values } })
            }
        };
        json!({ "key": key, "value": value })
    });
    encoded.collect()
}

fn nanos(at: Timestamp) -> String {
    (i128::from(at.0.max(0)) * 1_000_000).to_string()
}
