//! Who is let in, and to what.

use std::time::Duration;

use adjutant_host::AccessRole;
use adjutant_server::{Permit, ROUTES, Route, may};
use reqwest::Method;
use serde_json::json;

use crate::support::*;

/// A path with something in every place.
fn filled(path: &str) -> String {
    path.replace("{mission}", "msn_00000000000000000000000001")
        .replace("{number}", "0")
        .replace("{key}", "000000000000")
        .replace("{task}", "none")
        .replace("{artifact}", "none")
        .replace("{other}", "msn_00000000000000000000000002")
        .replace("{base}", "none")
        .replace("{kind}", "tool")
        .replace("{name}", "none")
        .replace("{trigger}", "none")
        .replace("{session_id}", "01920000-0000-7000-8000-000000000000")
}

#[tokio::test]
async fn nobody_gets_anywhere_without_a_token() {
    let world = World::new().await;
    for route in ROUTES.iter() {
        let method: Method = route.method.parse().unwrap();
        let path = filled(route.path);
        let bare = world.bare(method.clone(), &path).send().await.unwrap();
        let wrong = world.bare(method.clone(), &path).bearer_auth("guessed");
        let wrong = wrong.send().await.unwrap();
        if route.permit == Permit::Anybody {
            // A token in the path is looked at by the route itself.
            let expected = if path.contains("{token}") { 404 } else { 200 };
            assert_eq!(bare.status(), expected, "{path}");
            continue;
        }
        for refused in [bare, wrong] {
            assert_eq!(refused.status(), 401, "{} {path}", route.method);
            let challenge = refused.headers()["www-authenticate"].to_str().unwrap();
            // A program that speaks MCP is told where it learns how to be let in.
            match path.as_str() {
                "/mcp" => assert!(
                    challenge.starts_with("Bearer resource_metadata=\"http://")
                        && challenge.ends_with("/.well-known/oauth-protected-resource/mcp\""),
                    "{challenge}"
                ),
                _ => assert_eq!(challenge, "Bearer"),
            }
            assert_eq!(read(refused).await["code"], "ADJ-9006");
        }
        let known = world.request(method, &path).send().await.unwrap();
        assert_ne!(known.status(), 401, "{path}");
        assert_ne!(known.status(), 405, "{path} is served");
        if known.headers()["content-type"] == "text/event-stream" {
            // It goes on until the server stops.
            continue;
        }
        let told = known.text().await.unwrap();
        assert!(!told.contains("ADJ-9008"), "{path} is served");
    }
    world.stop().await;
}

/// Of every path, every method that the table does not list: denied before any handler runs, also to an admin.
#[tokio::test]
async fn routes_that_are_not_listed_are_denied() {
    let world = World::new().await;
    for path in ROUTES.iter().map(|route| route.path) {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let listed = |route: &&Route| route.path == path && route.method == method;
            if ROUTES.iter().find(listed).is_some() {
                continue;
            }
            let told = format!("{method} {path}");
            let method: Method = method.parse().unwrap();
            let bare = world.bare(method.clone(), &filled(path)).send();
            assert_eq!(bare.await.unwrap().status(), 401, "{told}");
            let refused = world.request(method, &filled(path)).send().await.unwrap();
            assert_eq!(refused.status(), 405, "{told}");
            assert_eq!(read(refused).await["code"], "ADJ-9009", "{told}");
        }
    }
    world.stop().await;
}

/// The whole table, so that whoever changes it says so here.
#[test]
fn each_role_may_do_what_it_is_there_for() {
    let may = |permit| {
        let roles = AccessRole::ALL
            .into_iter()
            .filter(|role| may(*role, permit));
        roles.map(AccessRole::name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        may(Permit::Read),
        "admin operator approver analyst auditor viewer"
    );
    assert_eq!(may(Permit::Start), "admin operator analyst");
    assert_eq!(may(Permit::Decide), "admin operator approver");
    assert_eq!(may(Permit::Rate), "admin operator approver analyst");
    assert_eq!(may(Permit::Steer), "admin operator");
    assert_eq!(may(Permit::Export), "admin operator auditor");
    assert_eq!(may(Permit::Audit), "admin auditor");
    assert_eq!(may(Permit::Admit), "admin");
}

#[tokio::test]
async fn a_page_elsewhere_cannot_speak_through_a_browser() {
    let world = World::new().await;
    let rebound = world
        .request(Method::GET, "/api/missions")
        .header("Host", "evil.example");
    let rebound = rebound.send().await.unwrap();
    assert_eq!(rebound.status(), 421);
    let foreign = world
        .request(Method::POST, "/api/missions")
        .header("Origin", "https://evil.example");
    assert_eq!(foreign.send().await.unwrap().status(), 403);
    let own = world
        .request(Method::GET, "/api/missions")
        .header("Origin", &world.base);
    let own = own.send().await.unwrap();
    assert_eq!(own.status(), 200);
    assert_eq!(own.headers()["x-frame-options"], "DENY");
    assert_eq!(own.headers()["x-content-type-options"], "nosniff");
    world.stop().await;
}

#[tokio::test]
async fn every_answer_has_an_id() {
    let world = World::new().await;
    let given = world
        .request(Method::GET, "/health")
        .header("X-Request-Id", "mine-1");
    assert_eq!(
        given.send().await.unwrap().headers()["x-request-id"],
        "mine-1"
    );
    let strange = world
        .request(Method::GET, "/health")
        .header("X-Request-Id", "a b");
    let strange = strange.send().await.unwrap();
    assert_eq!(strange.headers()["x-request-id"].len(), 16);
    world.stop().await;
}

async fn given(world: &World, who: &str, role: &str) -> (String, String) {
    let wanted = json!({ "who": who, "role": role, "expires_in_days": 30 });
    let response = world.post("/api/access", wanted).await;
    assert_eq!(response.status(), 201);
    let key = read(response).await;
    let text = |name: &str| key[name].as_str().unwrap().to_owned();
    (text("id"), text("token"))
}

/// Every route against every role, over the wire: whoever may not is told so before anything else is looked at.
#[tokio::test]
async fn every_route_lets_in_the_roles_it_is_for() {
    let world = World::new().await;
    for role in AccessRole::ALL {
        let (_, token) = given(&world, &format!("the-{}", role.name()), role.name()).await;
        for route in ROUTES.iter() {
            let method: Method = route.method.parse().unwrap();
            let request = world.bare(method, &filled(route.path)).bearer_auth(&token);
            let response = request.send().await.unwrap();
            let is_refused = response.status() == 403;
            let told = format!("{} {} as {}", route.method, route.path, role.name());
            assert_ne!(response.status(), 401, "{told}");
            assert_eq!(is_refused, !may(role, route.permit), "{told}");
            if is_refused {
                assert_eq!(read(response).await["code"], "ADJ-9007", "{told}");
            }
        }
    }
    world.stop().await;
}

#[tokio::test]
async fn a_key_is_shown_once_and_holds_until_it_is_revoked() {
    let world = World::new().await;
    let (id, token) = given(&world, "bea", "analyst").await;
    let list = || {
        world
            .bare(Method::GET, "/api/missions")
            .bearer_auth(&token)
            .send()
    };
    assert_eq!(list().await.unwrap().status(), 200);
    let keys = world.get("/api/access").await;
    assert_eq!(keys["keys"][0]["who"], "bea");
    assert!(!keys.to_string().contains(token.rsplit('_').next().unwrap()));
    let path = format!("/api/access/{id}");
    let revoked = world.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(revoked.status(), 200);
    assert_eq!(list().await.unwrap().status(), 401);
    let again = world.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(again.status(), 404);
    world.stop().await;
}

/// Whoever loses a key hears nothing more, also on streams that are open already.
#[tokio::test]
async fn open_streams_end_when_their_key_is_revoked() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    for path in [
        "/api/events".to_owned(),
        "/api/inbox/events".to_owned(),
        format!("/api/missions/{mission}/events"),
    ] {
        let (id, token) = given(&world, "bea", "analyst").await;
        let opened = world.bare(Method::GET, &path).bearer_auth(&token);
        let opened = opened.send().await.unwrap();
        assert_eq!(opened.status(), 200, "{path}");
        let revoke = world.request(Method::DELETE, &format!("/api/access/{id}"));
        assert_eq!(revoke.send().await.unwrap().status(), 200);
        // The whole answer is there only when the stream has ended.
        let told = tokio::time::timeout(Duration::from_secs(20), opened.text());
        let told = told.await.expect("the stream ends").unwrap();
        let last = told.trim_end().rsplit("\n\n").next().unwrap();
        assert!(last.starts_with("event: dropped\n"), "{path}: {last}");
        assert!(last.contains("ADJ-9006"), "{path}: {last}");
    }
    world.stop().await;
}

/// What is done with a key is done by its owner, and a question for a role is theirs who hold it.
#[tokio::test]
async fn who_did_it_stands_in_the_journal() {
    let world = World::new().await;
    let (_, token) = given(&world, "bea", "operator").await;
    let wanted = json!({ "mission": "deep_dive", "objective": "red" }).to_string();
    let start = world
        .bare(Method::POST, "/api/missions")
        .bearer_auth(&token)
        .body(wanted);
    let mission = read(start.send().await.unwrap()).await["mission"]
        .as_str()
        .unwrap()
        .to_owned();
    world.asked(&mission, 0).await;
    let path = format!("/api/missions/{mission}/checkpoints/0/decision");
    let decide = world.bare(Method::POST, &path).bearer_auth(&token);
    let decided = decide
        .body(r#"{"verdict":"approve"}"#)
        .send()
        .await
        .unwrap();
    assert_eq!(decided.status(), 200);
    let passport = world.get(&format!("/api/missions/{mission}")).await;
    let decided = &passport["mission"]["checkpoints"][0]["closed"]["decided"];
    assert_eq!(decided["by"]["id"], "bea", "{passport}");
    world.stop().await;
}

#[tokio::test]
async fn nobody_starts_more_than_they_may() {
    let world = World::new().await;
    let wanted = json!({ "mission": "deep_dive", "objective": "red" });
    let first = world.post("/api/missions", wanted.clone()).await;
    assert_eq!(first.headers()["ratelimit-limit"], "10");
    assert_eq!(first.headers()["ratelimit-remaining"], "9");
    for _ in 0..5 {
        assert_eq!(
            world.post("/api/missions", wanted.clone()).await.status(),
            201
        );
    }
    let seventh = world.post("/api/missions", wanted.clone()).await;
    assert_eq!(seventh.status(), 429);
    assert_eq!(read(seventh).await["code"], "ADJ-9015");
    // A restart forgets nothing.
    let world = World::reopened(world.stop().await).await;
    let after = world.post("/api/missions", wanted.clone()).await;
    assert_eq!(read(after).await["code"], "ADJ-9015");
    let missions = world.get("/api/missions").await;
    for row in missions["missions"].as_array().unwrap() {
        let path = format!(
            "/api/missions/{}/commands",
            row["mission"].as_str().unwrap()
        );
        let abort = json!({ "abort": { "reason": "enough" } });
        assert_eq!(world.post(&path, abort).await.status(), 200);
    }
    for _ in 0..4 {
        assert_eq!(
            world.post("/api/missions", wanted.clone()).await.status(),
            201
        );
    }
    let eleventh = world.post("/api/missions", wanted).await;
    assert_eq!(eleventh.status(), 429);
    let wait: u64 = eleventh.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(read(eleventh).await["code"], "ADJ-9014");
    world.stop().await;
}

/// A trigger remembers the key, so that it fires only while the key is valid.
#[tokio::test]
async fn a_trigger_is_made_with_the_key_of_whoever_asks() {
    let world = World::new().await;
    let (id, token) = given(&world, "bea", "operator").await;
    let body = json!({
        "schedule": { "cron": "0 8 * * 1" },
        "start": { "mission": "deep_dive", "objective": "red" },
    });
    let with_key = world
        .bare(Method::POST, "/api/triggers")
        .bearer_auth(&token)
        .body(body.to_string())
        .send()
        .await
        .unwrap();
    assert_eq!(with_key.status(), 201);
    let with_key = read(with_key).await;
    assert_eq!(with_key["made_with"], id.as_str());
    assert_eq!(with_key["held"], serde_json::Value::Null);
    let of_owner = read(world.post("/api/triggers", body).await).await;
    assert_eq!(of_owner["made_with"], serde_json::Value::Null);
    world.stop().await;
}
