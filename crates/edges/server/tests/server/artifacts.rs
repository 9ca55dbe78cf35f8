//! What a mission made, told in parts.

use reqwest::Method;
use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn what_was_called_and_judged_and_given_is_told() {
    let world = World::new().await;
    let mission = world.started("!noop !gate red").await;
    world.asked(&mission, 0).await;
    assert_eq!(world.decide(&mission, 0, "approve").await.status(), 200);
    world.asked(&mission, 1).await;
    let part = |name: &str| format!("/api/missions/{mission}/{name}");
    let calls = world.get(&part("calls")).await;
    let calls = calls["calls"].as_array().unwrap().clone();
    let kinds: Vec<&str> = calls
        .iter()
        .map(|of| of["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["tool", "gate"]);
    assert_eq!(calls[0]["what"], "noop");
    assert_eq!(calls[0]["task"], "q0");
    assert_eq!(calls[0]["outcome"], "done");
    assert!(calls[0]["duration_ms"].is_u64());
    assert_eq!(calls[0]["used"], json!({ "money": 0, "tokens": 0 }));
    let checks = world.get(&part("checks")).await;
    let checks = checks["checks"].as_array().unwrap().clone();
    assert_eq!(checks.len(), 1);
    assert_eq!(checks[0]["kind"], "gate");
    assert_eq!(checks[0]["passed"], true);
    assert_eq!(checks[0]["found"]["verdict"], "valid");
    let artifacts = world.get(&part("artifacts")).await;
    let first = &artifacts["artifacts"][0];
    assert_eq!(first["name"], "q0");
    assert_eq!(first["address"], format!("artifact:{mission}/q0"));
    assert_eq!(first["is_result"], false);
    let given = world.get(&part("artifacts/q0")).await;
    assert_eq!(given, world.get(&part("tasks/q0")).await["output"]);
    assert_eq!(world.get(&part("steps")).await["steps"], json!([]));
    assert_eq!(world.get(&part("citations")).await["citations"], json!([]));
    world.stop().await;
}

#[tokio::test]
async fn what_is_not_there_is_told_so() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    for name in ["q0", "none"] {
        let path = format!("/api/missions/{mission}/artifacts/{name}");
        let refused = world.request(Method::GET, &path).send().await.unwrap();
        assert_eq!(refused.status(), 404, "nothing yet, or never");
        assert_eq!(read(refused).await["code"], "ADJ-9020");
    }
    for part in ["artifacts", "calls", "checks", "citations", "steps"] {
        let path = format!("/api/missions/msn_00000000000000000000000001/{part}");
        let refused = world.request(Method::GET, &path).send().await.unwrap();
        assert_eq!(refused.status(), 404, "{part}");
        let told = read(refused).await;
        assert_eq!(told["code"], "ADJ-5001", "{part}");
        assert_eq!(told["remedy"], "GET /api/missions lists the missions.");
    }
    world.stop().await;
}
