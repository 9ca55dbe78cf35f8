//! Personal data in what is sent to clients.

use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::mode3::expert;
use crate::support::*;

/// The test's use cases make a question of every word.
const OBJECTIVE: &str = "Patient K.T.W., born 14.02.1957, recovered";

fn assert_redacted(told: &str, what: &str) {
    for value in ["K.T.W", "14.02.1957"] {
        assert!(!told.contains(value), "{what} has {value}: {told}");
    }
    assert!(told.contains("recovered"), "{what}: {told}");
    assert!(
        told.contains("[NAME_") && told.contains("[BORN_"),
        "{what}: {told}"
    );
}

#[tokio::test]
async fn events_name_no_patients() {
    let world = World::new().await;
    let mission = world.started(OBJECTIVE).await;
    world.asked(&mission, 0).await;
    for path in [
        format!("/api/missions/{mission}/events"),
        "/api/events?after=0.0".to_owned(),
    ] {
        let mut stream = Stream::of(world.request(Method::GET, &path).send().await.unwrap());
        let told = stream.until("plan_created").await;
        assert_redacted(&format!("{told:?}"), &path);
    }
    world.stop().await;
}

#[tokio::test]
async fn mode3_events_name_no_patients() {
    let world = World::new().await;
    let body = json!({
        "agent_id": expert(&world).await,
        "message": OBJECTIVE,
        "mission_type": "deep_dive",
    });
    let mut stream = Stream::of(world.post("/api/mode3/stream", body).await);
    let told = stream.until("plan_created").await;
    assert_redacted(&format!("{told:?}"), "the stream");
    world.stop().await;
}

#[tokio::test]
async fn only_those_who_may_export_a_journal_see_who_it_is_about() {
    let world = World::new().await;
    let mission = world.started(OBJECTIVE).await;
    world.asked(&mission, 0).await;
    let wanted = json!({ "who": "vic", "role": "viewer" });
    let key = read(world.post("/api/access", wanted).await).await;
    let key = key["token"].as_str().unwrap().to_owned();
    let path = format!("/api/missions/{mission}");
    let asked = |request: RequestBuilder| async move {
        request.send().await.unwrap().text().await.unwrap()
    };
    let viewer = world.bare(Method::GET, &path).bearer_auth(key);
    assert_redacted(&asked(viewer).await, "the passport");
    let admin = asked(world.request(Method::GET, &path)).await;
    assert!(
        admin.contains("K.T.W.") && admin.contains("14.02.1957"),
        "{admin}"
    );
    world.stop().await;
}
