use adjutant_mission::MicroUsd;
use adjutant_questions::{AskFailure, ProviderZone};
use adjutant_stand_ins::models::{Received, Reply, Server};
use serde_json::{Value, json};

use crate::support::{KEY, models};

fn texts() -> Vec<String> {
    ["red", "green", "blue"].map(str::to_owned).to_vec()
}

fn settings(url: &str) -> String {
    format!(
        r#"
embeddings = "p/small"
[providers.p]
kind = "compatible"
url = "{url}/v1"
key_env = "THE_KEY"
retry_wait_ms = 1
timeout = 4
[prices."p/small"]
input = "20"
output = "0"
"#
    )
}

fn status(status: u16, body: &Value) -> Reply {
    Reply::Status {
        status,
        headers: vec![("content-type".into(), "application/json".into())],
        body: body.to_string(),
    }
}

/// The last text first, as an endpoint may.
fn backwards(received: &Received) -> Reply {
    let texts = received.body["input"].as_array().unwrap();
    let rows = texts.iter().enumerate().rev().map(|(index, text)| {
        let length = text.as_str().unwrap().len();
        json!({ "object": "embedding", "index": index, "embedding": [length, 1.5] })
    });
    let rows: Vec<Value> = rows.collect();
    status(
        200,
        &json!({ "object": "list", "data": rows, "model": "small",
            "usage": { "prompt_tokens": 6, "total_tokens": 6 } }),
    )
}

#[tokio::test]
async fn each_text_gets_its_own_vector() {
    let server = Server::start(backwards).await.unwrap();
    let models = models(&settings(&server.url()));
    let embedder = models.embedder().unwrap();
    assert_eq!(embedder.name(), "p/small");
    assert_eq!(embedder.zone(), ProviderZone::Inside);
    let made = embedder.embed(&texts()).await.unwrap();
    assert_eq!(made.vectors, [[3.0, 1.5], [5.0, 1.5], [4.0, 1.5]]);
    assert_eq!(made.cost, MicroUsd(120));
    let [request] = &server.received()[..] else {
        panic!("one request");
    };
    assert_eq!(request.path, "/v1/embeddings");
    assert_eq!(request.headers["authorization"], format!("Bearer {KEY}"));
    let wanted = json!({ "model": "small", "input": texts(), "encoding_format": "float" });
    assert_eq!(request.body, wanted);
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    let server = Server::start(|received| match received.number {
        1 => status(503, &json!({ "error": { "message": "starting" } })),
        2 => status(
            429,
            &json!({ "error": { "message": "slowly", "type": "rate" } }),
        ),
        _ => backwards(received),
    });
    let server = server.await.unwrap();
    let models = models(&settings(&server.url()));
    models.embedder().unwrap().embed(&texts()).await.unwrap();
    assert_eq!(server.received().len(), 3);
}

#[tokio::test]
async fn what_is_wrong_is_told_and_the_key_is_not() {
    let vector = |index: usize| json!({ "index": index, "embedding": [1.0] });
    for (reply, said) in [
        (
            status(500, &json!({ "error": { "message": "too large" } })),
            "does not take the question (500): too large",
        ),
        (
            status(
                401,
                &json!({ "error": { "message": format!("bad key {KEY}") } }),
            ),
            "does not take the question (401): bad key (key)",
        ),
        (status(200, &json!({ "data": [] })), "not one vector"),
        (
            status(200, &json!({ "data": [vector(0), vector(0), vector(1)] })),
            "not one vector",
        ),
        (
            status(200, &json!({ "data": [vector(0), vector(1), vector(7)] })),
            "not one vector",
        ),
        (
            status(200, &json!({ "data": [{ "embedding": "AAAA" }] })),
            "does not fit",
        ),
    ] {
        let server = Server::start(move |_| reply.clone()).await.unwrap();
        let models = models(&settings(&server.url()));
        let failed = models.embedder().unwrap().embed(&texts()).await;
        let failed = failed.unwrap_err().to_string();
        assert!(failed.contains(said), "{failed}");
        assert_eq!(server.received().len(), 1, "{failed}");
    }
}

#[tokio::test]
async fn nobody_there_is_a_failure_that_may_pass() {
    // A port that was free a moment ago.
    let url = Server::start(backwards).await.unwrap().url();
    let models = models(&settings(&url));
    let failed = models.embedder().unwrap().embed(&texts()).await;
    let failed = failed.unwrap_err();
    assert!(matches!(failed, AskFailure::Unreachable { .. }), "{failed}");
}
