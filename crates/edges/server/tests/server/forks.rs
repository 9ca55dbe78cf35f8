//! Missions beside one another: forked, compared, exported.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::*;

#[tokio::test]
async fn a_fork_goes_its_own_way() {
    let world = World::new().await;
    let mission = world.started("left|right red").await;
    world.asked(&mission, 0).await;
    assert_eq!(world.decide(&mission, 0, "approve").await.status(), 200);
    world.asked(&mission, 1).await;
    let path = format!("/api/missions/{mission}/fork");
    let decided = json!({ "decision": { "verdict": "approve", "option": "right" } });
    let body = json!({ "decisions": [decided] });
    let fork = |key: &str, body: &Value| {
        let request = world.request(Method::POST, &path);
        let request = request.header("Idempotency-Key", key);
        request.body(body.to_string()).send()
    };
    let first = fork("one", &body).await.unwrap();
    assert_eq!(first.status(), 201);
    assert_eq!(first.headers()["ratelimit-limit"], "10");
    let first = read(first).await;
    assert_eq!(first["of"], mission);
    let forked = first["mission"].as_str().unwrap();
    assert_ne!(forked, mission);
    let again = fork("one", &body).await.unwrap();
    assert_eq!(again.status(), 200);
    assert_eq!(read(again).await["mission"], forked);
    let other = fork("one", &json!({})).await.unwrap();
    assert_eq!(read(other).await["code"], "ADJ-9003");
    assert_eq!(world.get("/api/stats").await["missions"], 2);
    world.asked(forked, 2).await;
    let path = format!("/api/missions/{mission}/compare/{forked}");
    let told = world.get(&path).await;
    assert_eq!(told["a"]["mission"], mission);
    assert_eq!(told["b"]["mission"], forked);
    assert_eq!(told["b"]["forked"]["of"], mission);
    let unknown = format!("/api/missions/{mission}/compare/msn_00000000000000000000000001");
    let unknown = world.request(Method::GET, &unknown).send().await.unwrap();
    assert_eq!(unknown.status(), 404);
    world.stop().await;
}

#[tokio::test]
async fn what_cannot_be_forked_is_told_why() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let path = format!("/api/missions/{mission}/fork");
    for (body, code) in [
        (json!({ "at": 9_999 }), "ADJ-3061"),
        (json!({ "inputs": { "unheard_of": 1 } }), "ADJ-3065"),
        (
            json!({ "inputs": { "mission_type": "go_no_go" } }),
            "ADJ-6200",
        ),
        (json!({ "model": "someone/else" }), "ADJ-3067"),
    ] {
        let refused = world.post(&path, body.clone()).await;
        assert_eq!(refused.status(), 422, "{body}");
        let told = read(refused).await;
        assert_eq!(told["code"], code, "{told}");
        assert!(!told["remedy"].as_str().unwrap().contains("`adjutant"));
    }
    let wanted = json!({ "who": "bea", "role": "analyst" });
    let given = read(world.post("/api/access", wanted).await).await;
    let token = given["token"].as_str().unwrap();
    let decided = json!({ "decisions": [{ "decision": { "verdict": "approve" } }] });
    let fork = |body: Value| {
        let request = world.bare(Method::POST, &path).bearer_auth(token);
        request.body(body.to_string()).send()
    };
    assert_eq!(fork(decided).await.unwrap().status(), 403, "may not decide");
    assert_eq!(fork(json!({})).await.unwrap().status(), 201, "may start");
    world.stop().await;
}

#[tokio::test]
async fn a_journal_is_taken_along_sealed() {
    let world = World::new().await;
    let mission = world.started("crimson").await;
    world.asked(&mission, 0).await;
    let path = format!("/api/missions/{mission}/export");
    let file = world.request(Method::GET, &path).send().await.unwrap();
    assert_eq!(file.status(), 200);
    assert_eq!(file.headers()["content-type"], "application/x-ndjson");
    let text = file.text().await.unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["adjutant"]["kind"], "export");
    assert!(lines.iter().any(|line| line["event"]["seq"] == 1));
    assert!(lines.last().unwrap()["end"].is_object());
    assert!(!text.contains("crimson"), "the content stays sealed");
    let unknown = "/api/missions/msn_00000000000000000000000001/export";
    let unknown = world.request(Method::GET, unknown).send().await.unwrap();
    assert_eq!(unknown.status(), 404);
    world.stop().await;
}
