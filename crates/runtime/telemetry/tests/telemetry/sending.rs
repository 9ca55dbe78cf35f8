//! How traces are sent. The collector here is a stand-in on this machine: it gives the answers that the OTLP
//! specification documents, and is no collector.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use adjutant_stand_ins::http::{Request, read, response};
use adjutant_telemetry::{Destination, Queue, Span, Tell, rejected, spans_of};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;

use crate::world::World;

pub(crate) type Answer = (u16, &'static [(&'static str, &'static str)], &'static str);

/// Gives these answers in turn, and hands out what it was asked.
pub(crate) async fn collector(
    answers: Vec<Answer>,
) -> (String, tokio::task::JoinHandle<Vec<Request>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        let mut asked = Vec::new();
        for (status, headers, body) in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            asked.push(read(&mut stream).await.unwrap());
            let headers = headers.iter().copied();
            let bytes = response(status, headers, body.as_bytes());
            stream.write_all(&bytes).await.unwrap();
        }
        asked
    });
    (base, task)
}

pub(crate) fn destination(endpoint: &str) -> Destination {
    let endpoint = endpoint.to_owned();
    let get = move |name: &str| match name {
        "OTEL_EXPORTER_OTLP_ENDPOINT" => Some(endpoint.clone()),
        "OTEL_EXPORTER_OTLP_HEADERS" => Some("x-key=a%20secret, x-other=b".to_owned()),
        "OTEL_SERVICE_NAME" => Some("house".to_owned()),
        _ => None,
    };
    let destination = Destination::of(get).unwrap().unwrap();
    destination.pausing(Duration::from_millis(1))
}

fn spans() -> Vec<Span> {
    spans_of(&World::whole()).unwrap()
}

/// Sends one mission's spans; gives what was asked, how many were lost, and what was told of it.
async fn sent(answers: Vec<Answer>) -> (Vec<Request>, u64, Vec<String>) {
    let (base, collector) = collector(answers).await;
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let tell: Tell = {
        let lines = Arc::clone(&lines);
        Arc::new(move |line: &str| lines.lock().unwrap().push(line.to_owned()))
    };
    let (queue, posting) = Queue::start(destination(&base), tell).unwrap();
    queue.offer(spans());
    let dropped = queue.dropped();
    drop(queue);
    posting.await.unwrap();
    let asked = collector.await.unwrap();
    let lines = lines.lock().unwrap().clone();
    (asked, dropped.count(), lines)
}

#[tokio::test]
async fn a_batch_is_posted_as_json_with_the_headers_that_are_asked_for() {
    let (asked, dropped, lines) = sent(vec![(200, &[], "{}")]).await;
    let request = &asked[0];
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/v1/traces")
    );
    assert_eq!(request.headers["content-type"], "application/json");
    assert_eq!(request.headers["x-key"], "a secret");
    assert_eq!(request.headers["x-other"], "b");
    let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
    let written = &body["resourceSpans"][0]["scopeSpans"][0]["spans"];
    assert_eq!(written.as_array().unwrap().len(), spans().len());
    assert_eq!((dropped, lines.len()), (0, 0));
}

#[tokio::test]
async fn it_is_sent_again_only_where_the_specification_says_so() {
    let again: Vec<Answer> = vec![
        (429, &[("retry-after", "0")], ""),
        (502, &[], ""),
        (503, &[], ""),
        (504, &[], ""),
        (200, &[], "{}"),
    ];
    let (asked, dropped, _) = sent(again).await;
    assert_eq!((asked.len(), dropped), (5, 0));
    assert!(asked.iter().all(|request| request.body == asked[0].body));
    for status in [400, 401, 404, 413, 500] {
        let (asked, dropped, lines) = sent(vec![(status, &[], "{}")]).await;
        assert_eq!(asked.len(), 1, "{status}");
        assert_eq!(dropped, spans().len() as u64, "{status}");
        assert!(lines[0].contains(&status.to_string()), "{lines:?}");
        assert!(lines[0].contains("ADJ-9040") && !lines[0].contains("secret"));
    }
}

#[tokio::test]
async fn a_collector_that_stays_away_costs_the_batch_and_nothing_else() {
    let (asked, dropped, lines) = sent(vec![(503, &[], ""); 5]).await;
    assert_eq!((asked.len(), lines.len()), (5, 1));
    assert_eq!(dropped, spans().len() as u64);
}

#[tokio::test]
async fn what_a_collector_rejects_is_counted_and_not_sent_again() {
    let answer = r#"{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}"#;
    let (asked, dropped, _) = sent(vec![(200, &[], answer)]).await;
    assert_eq!((asked.len(), dropped), (1, 2));
    assert_eq!(rejected(br#"{"partialSuccess":{"rejectedSpans":3}}"#), 3);
    assert_eq!(rejected(b"{}"), 0);
    assert_eq!(rejected(b"not json"), 0);
}

#[tokio::test]
async fn whoever_offers_never_waits_and_what_has_no_room_is_counted() {
    let nobody = destination("http://127.0.0.1:1");
    let nobody = nobody.pausing(Duration::from_secs(3_600));
    let (queue, posting) = Queue::start(nobody, Arc::new(|_: &str| {})).unwrap();
    let one = spans();
    let times = 10_000 / one.len() + 2;
    for _ in 0..times {
        queue.offer(one.clone());
    }
    // Nothing ran in between, so the queue has 10,000.
    let offered = times * one.len();
    assert_eq!(queue.dropped().count(), (offered - 10_000) as u64);
    posting.abort();
}

#[test]
fn where_traces_go_is_said_by_the_usual_variables() {
    let of = |pairs: &'static [(&'static str, &'static str)]| {
        Destination::of(|name| {
            let found = pairs.iter().find(|(given, _)| *given == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    };
    assert!(of(&[]).unwrap().is_none());
    let both = of(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318/"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://b/own/path"),
    ]);
    assert_eq!(both.unwrap().unwrap().place(), "https://b");
    let off = of(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318"),
        ("OTEL_SDK_DISABLED", "true"),
    ]);
    assert!(off.unwrap().is_none());
    let wrong = of(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317")]);
    assert_eq!(wrong.unwrap_err().variable, "OTEL_EXPORTER_OTLP_ENDPOINT");
    let wrong = of(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "hunter2"),
    ]);
    let wrong = wrong.unwrap_err();
    assert!(!wrong.why.contains("hunter2"), "{wrong:?}");
}
