//! The server describes itself, and answers as it says.

use adjutant_server::ROUTES;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::*;

async fn described(world: &World) -> Value {
    let bare = world
        .bare(Method::GET, "/api/openapi.json")
        .send()
        .await
        .unwrap();
    read(bare).await
}

#[tokio::test]
async fn every_route_is_described_and_no_other() {
    let world = World::new().await;
    let document = described(&world).await;
    assert_eq!(document["openapi"], "3.1.0");
    let mut told: Vec<(String, String)> = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            assert!(operation["responses"]["default"].is_object(), "{path}");
            told.push((method.to_uppercase(), path.clone()));
        }
    }
    let route = |route: &adjutant_server::Route| (route.method.to_owned(), route.path.to_owned());
    let mut routes: Vec<(String, String)> = ROUTES.iter().map(route).collect();
    told.sort();
    routes.sort();
    assert_eq!(told, routes);
    world.stop().await;
}

#[tokio::test]
async fn the_page_shows_every_path_and_needs_nothing_from_elsewhere() {
    let world = World::new().await;
    let page = world.bare(Method::GET, "/api/docs").send().await.unwrap();
    let policy = page.headers()["content-security-policy"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    let page = page.text().await.unwrap();
    for route in ROUTES.iter() {
        assert!(
            page.contains(&format!(">{}<", route.path)),
            "{}",
            route.path
        );
    }
    for foreign in ["<script", "https://", "http://", "<img"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    world.stop().await;
}

/// Holds an answer against what the description says of it.
fn fits(document: &Value, route: &str, status: u16, answer: &Value) {
    let responses = &document["paths"][route]["get"]["responses"];
    let content = &responses[status.to_string()]["content"];
    let schema = &content["application/json"]["schema"];
    let schema = match schema.is_null() {
        true => &content["application/problem+json"]["schema"],
        false => schema,
    };
    assert!(
        schema.is_object(),
        "{route} does not say that it answers {status}"
    );
    let schema = json!({
        "$ref": schema["$ref"],
        "components": document["components"],
    });
    let known = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = known.iter_errors(answer).map(|at| at.to_string()).collect();
    assert!(wrong.is_empty(), "{route}: {wrong:?} in {answer}");
}

#[tokio::test]
async fn what_is_answered_fits_what_is_described() {
    let world = World::new().await;
    let document = described(&world).await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    world.decide(&mission, 0, "approve").await;
    world.asked(&mission, 1).await;
    let of_json = |route: &&adjutant_server::Route| {
        let answers = &document["paths"][route.path]["get"]["responses"]["200"]["content"];
        route.method == "GET" && answers["application/json"].is_object()
    };
    let mut held = 0;
    for route in ROUTES.iter().filter(of_json) {
        for (mission, number) in [
            (mission.as_str(), "0"),
            ("msn_00000000000000000000000001", "7"),
        ] {
            let path = route
                .path
                .replace("{mission}", mission)
                .replace("{number}", number)
                .replace("{task}", "q0")
                .replace("{artifact}", "q0")
                .replace("{other}", mission)
                .replace("{base}/search", "{base}/search?query=red")
                .replace("{base}", if number == "0" { "house" } else { "none" })
                .replace("{session_id}", "01920000-0000-7000-8000-000000000000");
            let answer = world.request(Method::GET, &path).send().await.unwrap();
            let kind = answer.headers()["content-type"]
                .to_str()
                .unwrap()
                .to_owned();
            if !kind.contains("json") {
                continue;
            }
            let status = answer.status().as_u16();
            fits(&document, route.path, status, &read(answer).await);
            held += 1;
        }
    }
    assert!(held > 20, "{held}");
    world.stop().await;
}

#[tokio::test]
async fn a_mission_is_told_in_parts() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let part = |name: &str| format!("/api/missions/{mission}/{name}");
    let plan = world.get(&part("plan")).await;
    let tasks = world.get(&part("tasks")).await;
    let key = tasks["tasks"][0]["key"].as_str().unwrap();
    assert_eq!(plan["plan"]["tasks"][0]["key"], key);
    let task = world.get(&part(&format!("tasks/{key}"))).await;
    assert_eq!(task["key"], key);
    assert_eq!(task["output"], json!(null), "nothing yet");
    assert!(world.get(&part("ledger")).await["used"].is_object());
    assert!(world.get(&part("agents")).await["agents"].is_array());
    let events = world.request(Method::GET, &part("events?after=soon"));
    let events = events.header("Last-Event-ID", "1.0").send().await.unwrap();
    assert_eq!(events.status(), 400, "also where another place goes first");
    let unknown = world
        .request(Method::GET, &part("tasks/none"))
        .send()
        .await
        .unwrap();
    assert_eq!(unknown.status(), 404);
    assert_eq!(read(unknown).await["code"], "ADJ-9017");
    world.stop().await;
}
