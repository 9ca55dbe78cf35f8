//! What missions share: numbers, accounts, stops, triggers, tools and documents.

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::*;

async fn sent(world: &World, method: Method, path: &str, key: &str, body: Value) -> Response {
    let request = world.request(method, path).header("Idempotency-Key", key);
    request.body(body.to_string()).send().await.unwrap()
}

#[tokio::test]
async fn what_there_is_is_counted() {
    let world = World::new().await;
    let before = world.get("/api/stats").await;
    assert_eq!(before["missions"], 0);
    let mission = world.started("!noop red").await;
    world.asked(&mission, 0).await;
    assert_eq!(world.decide(&mission, 0, "approve").await.status(), 200);
    world.asked(&mission, 1).await;
    let stats = world.get("/api/stats").await;
    assert_eq!(stats["missions"], 1);
    assert_eq!(stats["phases"]["awaiting_human"], 1);
    assert_eq!(stats["phases"]["completed"], 0);
    assert_eq!(stats["open_questions"], 1);
    assert_eq!(stats["used"]["calls"], 1);
    let inbox = world.get("/api/inbox").await;
    let asked = &inbox["checkpoints"][0];
    let opened = asked["opened"].as_str().unwrap();
    assert!(opened.ends_with('Z') && opened.contains('T'), "{opened}");
    assert!(asked["answer_by"].as_str().unwrap() > opened);
    world.stop().await;
}

#[tokio::test]
async fn caps_are_set_as_a_whole() {
    let world = World::new().await;
    let put = |body: Value| {
        let request = world.request(Method::PUT, "/api/accounts");
        request.body(body.to_string()).send()
    };
    let caps = json!({ "account": "tenant", "per": "day", "hard": { "money": 5_000_000 }, "soft": { "money": 1_000_000 } });
    assert_eq!(put(caps.clone()).await.unwrap().status(), 200);
    let accounts = world.get("/api/accounts").await;
    let account = &accounts["accounts"][0];
    assert_eq!(account["account"], "tenant");
    assert_eq!(account["per"], "day");
    assert_eq!(account["hard"], caps["hard"]);
    let lifted = json!({ "account": "tenant", "per": "day" });
    assert_eq!(put(lifted).await.unwrap().status(), 200);
    let accounts = world.get("/api/accounts").await;
    assert_eq!(accounts["accounts"], json!([]), "lifted, and nothing used");
    for wrong in [
        json!({ "account": "elsewhere", "per": "day" }),
        json!({ "account": "tenant", "per": "day", "hard": { "money": 1 }, "soft": { "money": 2 } }),
        json!({ "account": "tenant", "per": "day", "hard": { "luck": 1 } }),
    ] {
        assert_eq!(put(wrong.clone()).await.unwrap().status(), 400, "{wrong}");
    }
    world.stop().await;
}

#[tokio::test]
async fn what_is_stopped_stays_so_until_it_is_allowed() {
    let world = World::new().await;
    let body = json!({ "what": "tool/noop", "reason": "it does nothing" });
    let stop = |key: &'static str| sent(&world, Method::POST, "/api/stops", key, body.clone());
    let first = stop("one").await;
    assert_eq!(first.status(), 201);
    let told = read(first).await;
    let again = stop("one").await;
    assert_eq!(again.status(), 200, "the same request");
    assert_eq!(read(again).await, told);
    let other = stop("two").await;
    assert_eq!(other.status(), 409, "another request: it is stopped");
    assert_eq!(read(other).await["code"], "ADJ-5026");
    let stops = world.get("/api/stops").await;
    assert_eq!(stops["stops"][0]["what"], "tool/noop");
    assert_eq!(stops["stops"][0]["by"], "ann");
    let allow = |what: &str| world.request(Method::DELETE, &format!("/api/stops/{what}"));
    assert_eq!(allow("tool/noop").send().await.unwrap().status(), 200);
    assert_eq!(allow("tool/noop").send().await.unwrap().status(), 404);
    assert_eq!(world.get("/api/stops").await["stops"], json!([]));
    let late = stop("one").await;
    assert_eq!(late.status(), 200);
    let stops = world.get("/api/stops").await;
    assert_eq!(stops["stops"], json!([]), "a late repetition stops nothing");
    for wrong in ["tool/unheard_of", "weather"] {
        let refused = world.post("/api/stops", json!({ "what": wrong })).await;
        assert_eq!(refused.status(), 422, "{wrong}");
        assert_eq!(read(refused).await["code"], "ADJ-9022");
    }
    world.stop().await;
}

#[tokio::test]
async fn only_an_admin_stops_everything() {
    let world = World::new().await;
    let wanted = json!({ "who": "bea", "role": "operator" });
    let given = read(world.post("/api/access", wanted).await).await;
    let token = given["token"].as_str().unwrap();
    let stop = |what: &str| {
        let request = world.bare(Method::POST, "/api/stops").bearer_auth(token);
        request.body(json!({ "what": what }).to_string()).send()
    };
    assert_eq!(stop("all").await.unwrap().status(), 403);
    assert_eq!(stop("tenant").await.unwrap().status(), 201);
    let refused = world
        .post(
            "/api/missions",
            json!({ "mission": "deep_dive", "objective": "red" }),
        )
        .await;
    assert_eq!(refused.status(), 409, "nothing is begun");
    assert_eq!(
        world
            .post("/api/stops", json!({ "what": "all" }))
            .await
            .status(),
        201
    );
    let allow = world.request(Method::DELETE, "/api/stops/all");
    assert_eq!(allow.send().await.unwrap().status(), 200);
    world.stop().await;
}

#[tokio::test]
async fn a_trigger_is_kept_once_and_cancelled() {
    let world = World::new().await;
    let body = json!({
        "schedule": { "cron": "0 8 * * 1" }, "zone": "Europe/Vienna",
        "start": { "mission": "deep_dive", "objective": "red" },
    });
    let add = |key: &'static str| sent(&world, Method::POST, "/api/triggers", key, body.clone());
    let first = add("one").await;
    assert_eq!(first.status(), 201);
    let first = read(first).await;
    assert_eq!(first["does"], json!({ "start": "Questions" }));
    assert!(first["next_at"].as_str().unwrap().ends_with('Z'));
    let again = add("one").await;
    assert_eq!(again.status(), 200);
    assert_eq!(read(again).await["id"], first["id"]);
    let another = json!({ "schedule": { "cron": "0 9 * * 1" }, "start": body["start"] });
    let another = sent(&world, Method::POST, "/api/triggers", "one", another).await;
    assert_eq!(read(another).await["code"], "ADJ-9003");
    let noted = world.get("/api/audit?kind=configuration&who=ann").await;
    assert_eq!(noted["lines"][0]["what"]["noted"]["change"], "add_trigger");
    let kept = world.get("/api/triggers").await;
    assert_eq!(kept["triggers"].as_array().unwrap().len(), 1);
    let path = format!("/api/triggers/{}", first["id"].as_str().unwrap());
    let cancel = || world.request(Method::DELETE, &path).send();
    assert_eq!(cancel().await.unwrap().status(), 200);
    assert_eq!(cancel().await.unwrap().status(), 409, "it has ended");
    let noted = world.get("/api/audit?kind=configuration&who=ann").await;
    let not_done = world.get("/api/audit?kind=not_done&who=ann").await;
    assert_eq!(not_done["lines"].as_array().unwrap().len(), 1);
    let not_done = &not_done["lines"][0]["what"];
    let second = &noted["lines"][2]["what"];
    assert_eq!(second["noted"]["change"], "cancel_trigger");
    assert_eq!(not_done["noted"]["note"], second["number"]);
    let unknown = world.request(Method::DELETE, "/api/triggers/none");
    assert_eq!(unknown.send().await.unwrap().status(), 404);
    for (wrong, status) in [
        (json!({ "schedule": { "cron": "0 8 * * 1" } }), 400),
        (
            json!({ "schedule": { "cron": "soon" }, "start": body["start"] }),
            422,
        ),
        (
            json!({ "schedule": { "at": "1999-01-01T00:00:00Z" }, "start": body["start"] }),
            422,
        ),
        (
            json!({ "schedule": { "cron": "0 8 * * 1" }, "zone": "Middle/Earth", "start": body["start"] }),
            422,
        ),
    ] {
        let refused = world.post("/api/triggers", wrong.clone()).await;
        assert_eq!(refused.status(), status, "{wrong}");
    }
    world.stop().await;
}

#[tokio::test]
async fn tools_and_documents_are_told() {
    let world = World::new().await;
    let tools = world.get("/api/tools").await;
    let tools = tools["tools"].as_array().unwrap();
    assert!(tools.iter().any(|tool| tool["id"] == "noop"));
    let bases = world.get("/api/knowledge_bases").await;
    assert_eq!(bases["knowledge_bases"][0]["name"], "house");
    let path = "/api/knowledge_bases/house/search?query=red%20wine&limit=2";
    let found = world.get(path).await;
    assert_eq!(found["passages"].as_array().unwrap().len(), 2);
    assert_eq!(found["passages"][0]["text"], "red wine 1");
    for (path, status) in [
        ("/api/knowledge_bases/none", 404),
        ("/api/knowledge_bases/none/search?query=red", 404),
        ("/api/knowledge_bases/house/search", 400),
        ("/api/knowledge_bases/house/search?query=%20", 400),
        ("/api/knowledge_bases/house/search?query=red&limit=101", 400),
    ] {
        let refused = world.request(Method::GET, path).send().await.unwrap();
        assert_eq!(refused.status(), status, "{path}");
    }
    world.stop().await;
}

#[tokio::test]
async fn a_key_is_given_once_however_often_it_is_asked_for() {
    let world = World::new().await;
    let wanted = json!({ "who": "bea", "role": "viewer" });
    let give =
        |key: &'static str, body: Value| sent(&world, Method::POST, "/api/access", key, body);
    let first = give("one", wanted.clone()).await;
    assert_eq!(first.status(), 201);
    let first = read(first).await;
    let token = first["token"].as_str().unwrap();
    let again = give("one", wanted.clone()).await;
    assert_eq!(again.status(), 200);
    let again = read(again).await;
    assert_eq!(again["id"], first["id"]);
    assert_eq!(again["token"], Value::Null, "it was shown once");
    let list = world.bare(Method::GET, "/api/missions").bearer_auth(token);
    assert_eq!(list.send().await.unwrap().status(), 200, "it still opens");
    let other = give("one", json!({ "who": "bea", "role": "admin" })).await;
    assert_eq!(read(other).await["code"], "ADJ-9003");
    let keys = world.get("/api/access").await;
    assert_eq!(keys["keys"].as_array().unwrap().len(), 1);
    assert_eq!(give("two", wanted).await.status(), 201);
    world.stop().await;
}
