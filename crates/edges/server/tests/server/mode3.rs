//! The four endpoints of the Mode 3 API, used as a client would that was written from its document alone.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::*;

/// The UUID of the expert who leads deep dives.
pub(crate) async fn expert(world: &World) -> String {
    let agents = world.get("/api/agents").await;
    let mut agents = agents["agents"].as_array().unwrap().iter();
    let leads = |agent: &&Value| {
        agent["level"] == "L2"
            && agent["missions"]
                .as_array()
                .unwrap()
                .contains(&json!("deep_dive"))
    };
    agents.find(leads).unwrap()["uuid"]
        .as_str()
        .unwrap()
        .to_owned()
}

async fn begun(world: &World, message: &str) -> (Stream, String) {
    let body = json!({
        "agent_id": expert(world).await,
        "message": message,
        "mission_type": "deep_dive",
        "autonomy_level": "balanced",
        "context": { "knowledge_bases": [] },
    });
    let mut stream = Stream::of(world.post("/api/mode3/stream", body).await);
    let first = stream.next().await.unwrap();
    let session = first.data["session_id"].as_str().unwrap().to_owned();
    assert_eq!(session.len(), 36, "a bare UUID: {session}");
    assert_eq!(first.data["type"], first.name.as_str());
    (stream, session)
}

async fn status(world: &World, session: &str) -> Value {
    world.get(&format!("/api/mode3/{session}/status")).await
}

#[tokio::test]
async fn a_session_is_streamed_approved_and_completed() {
    let world = World::new().await;
    let (mut stream, session) = begun(&world, "red").await;
    for name in ["plan_approval", "critical_decision", "final_review"] {
        let told = stream.until(&format!("checkpoint_{name}")).await;
        let asked = &told.last().unwrap().data["data"];
        assert_eq!(asked["checkpoint_type"], name);
        assert_eq!(asked["timeout_seconds"], 300);
        assert_eq!(asked["auto_action_on_timeout"], "reject");
        let now = status(&world, &session).await;
        assert_eq!(now["awaiting_hitl"], true, "{now}");
        assert_eq!(now["status"], "awaiting_hitl");
        assert_eq!(now["pending_checkpoint"], *asked);
        let answer = json!({ "checkpoint_id": asked["id"], "decision": "approve" });
        let path = format!("/api/mode3/hitl/{session}/respond");
        assert_eq!(world.post(&path, answer).await.status(), 200);
    }
    let told = stream.rest().await;
    let last = told.last().unwrap();
    assert_eq!(last.name, "complete");
    let said = last.data["data"]["response"].as_str().unwrap();
    let pieces = told.iter().filter(|event| event.name == "token");
    let pieces = pieces.map(|event| event.data["data"]["token"].as_str().unwrap());
    assert_eq!(pieces.collect::<String>(), said);
    assert_eq!(last.data["data"]["citations"], json!([]));
    let ended = status(&world, &session).await;
    assert_eq!(ended["status"], "complete");
    assert_eq!(ended["progress_percent"], 100.0);
    assert_eq!(ended["pending_checkpoint"], Value::Null);
    world.stop().await;
}

#[tokio::test]
async fn a_cancelled_session_is_an_error_with_its_reason() {
    let world = World::new().await;
    let (mut stream, session) = begun(&world, "red").await;
    stream.until("checkpoint_plan_approval").await;
    let path = format!("/api/mode3/{session}/cancel");
    let cancelled = world.request(Method::POST, &path).send().await.unwrap();
    assert_eq!(cancelled.status(), 200);
    let told = tokio::time::timeout(Duration::from_secs(10), stream.rest())
        .await
        .unwrap();
    assert_eq!(told.last().unwrap().name, "error");
    let ended = status(&world, &session).await;
    assert_eq!(ended["status"], "error");
    assert_eq!(ended["error"], "cancelled by ann");
    world.stop().await;
}

#[tokio::test]
async fn a_session_that_cannot_be_is_refused() {
    let world = World::new().await;
    let lead = expert(&world).await;
    let asked = |agent: &str, mission: &str| json!({ "agent_id": agent, "message": "red", "mission_type": mission });
    let nobody = "01920000-0000-7000-8000-000000000000";
    let cases = [
        (asked(nobody, "deep_dive"), 422),
        (asked(&lead, "shallow_dive"), 400),
    ];
    for (body, status) in cases {
        let response = world.post("/api/mode3/stream", body).await;
        assert_eq!(response.status(), status);
    }
    let answer = json!({ "checkpoint_id": nobody, "decision": "approve" });
    let unknown = world
        .post(&format!("/api/mode3/hitl/{nobody}/respond"), answer)
        .await;
    assert_eq!(unknown.status(), 404);
    world.stop().await;
}

/// A yes never means what nobody said: where there are several ways and none is recommended, one must be named.
#[tokio::test]
async fn a_yes_does_not_choose_by_itself() {
    let world = World::new().await;
    let (mut stream, session) = begun(&world, "left|right").await;
    let path = format!("/api/mode3/hitl/{session}/respond");
    let told = stream.until("checkpoint_plan_approval").await;
    let plan = &told.last().unwrap().data["data"]["id"];
    let yes = json!({ "checkpoint_id": plan, "decision": "approve" });
    assert_eq!(world.post(&path, yes).await.status(), 200);
    let told = stream.until("checkpoint_critical_decision").await;
    let asked = &told.last().unwrap().data["data"];
    let yes = json!({ "checkpoint_id": asked["id"], "decision": "approve" });
    let refused = world.post(&path, yes).await;
    assert_eq!(refused.status(), 422);
    assert_eq!(read(refused).await["code"], "ADJ-2016");
    let right =
        json!({ "checkpoint_id": asked["id"], "decision": "approve", "modifications": "right" });
    assert_eq!(world.post(&path, right).await.status(), 200);
    let told = stream.until("user_response_received").await;
    assert_eq!(told.last().unwrap().data["data"]["option"], "right");
    world.stop().await;
}

#[tokio::test]
async fn a_stream_is_taken_up_where_it_was_left() {
    let world = World::new().await;
    let body = json!({
        "agent_id": expert(&world).await,
        "message": "red",
        "mission_type": "deep_dive",
    });
    let post = |after: &str| {
        let request = world.request(Method::POST, "/api/mode3/stream");
        let request = request.header("Idempotency-Key", "k");
        let request = request.header("Last-Event-ID", after.to_owned());
        request.body(body.to_string()).send()
    };
    let mut stream = Stream::of(post("").await.unwrap());
    let first = stream.until("checkpoint_plan_approval").await;
    let mut again = Stream::of(post(&first[1].id).await.unwrap());
    let rest = again.until("checkpoint_plan_approval").await;
    assert_eq!(rest, first[2..]);
    world.stop().await;
}
