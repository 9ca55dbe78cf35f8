//! Every route, as every access role, as every kind of outsider and as another tenant, over HTTP.
//!
//! The expectations come from docs/server.md and docs/http-api.md, not from the route table, so a right changed there fails.

use std::collections::BTreeSet;

use adjutant_host::{AccessKey, AccessRole, StopScope, Upkeep};
use adjutant_server::ROUTES;
use reqwest::Method;
use serde_json::{Value, json};

use crate::route_things::*;
use crate::support::*;

/// The rights of docs/server.md. `Begin` is the right *start*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Right {
    NoTokenNeeded,
    Read,
    Begin,
    Decide,
    Rate,
    Control,
    Export,
    Audit,
    ManageTokens,
}
use Right::{Audit, Begin, Control, Decide, Export, ManageTokens, NoTokenNeeded, Rate, Read};

/// The table "Access roles and rights" of docs/server.md.
#[rustfmt::skip]
const ROLES: [(&str, &[Right]); 6] = [
    ("admin", &[Read, Begin, Decide, Rate, Control, Export, Audit, ManageTokens]),
    ("operator", &[Read, Begin, Decide, Rate, Control, Export]),
    ("approver", &[Read, Decide, Rate]),
    ("analyst", &[Read, Begin, Rate]),
    ("auditor", &[Read, Export, Audit]),
    ("viewer", &[Read]),
];

/// The tables under "Routes" and "Mode 3" of docs/http-api.md: method, path, right, and what a request that succeeds is
/// answered with.
#[rustfmt::skip]
const PROMISED: &[(&str, &str, Right, u16)] = &[
    ("GET", "/api/catalogue", Read, 200),
    ("POST", "/api/missions", Begin, 201),
    ("GET", "/api/missions", Read, 200),
    ("GET", "/api/missions/{mission}", Read, 200),
    ("GET", "/api/missions/{mission}/plan", Read, 200),
    ("GET", "/api/missions/{mission}/tasks", Read, 200),
    ("GET", "/api/missions/{mission}/agents", Read, 200),
    ("GET", "/api/missions/{mission}/ledger", Read, 200),
    ("GET", "/api/missions/{mission}/tasks/{task}", Read, 200),
    ("GET", "/api/missions/{mission}/artifacts", Read, 200),
    ("GET", "/api/missions/{mission}/artifacts/{artifact}", Read, 200),
    ("GET", "/api/missions/{mission}/citations", Read, 200),
    ("GET", "/api/missions/{mission}/checks", Read, 200),
    ("GET", "/api/missions/{mission}/calls", Read, 200),
    ("GET", "/api/missions/{mission}/steps", Read, 200),
    ("GET", "/api/missions/{mission}/report", Read, 200),
    ("GET", "/api/missions/{mission}/rating", Read, 200),
    ("PUT", "/api/missions/{mission}/rating", Rate, 409), // not ended yet
    ("GET", "/api/missions/{mission}/events", Read, 200),
    ("GET", "/api/events", Read, 200),
    ("POST", "/api/missions/{mission}/commands", Control, 200),
    ("POST", "/api/missions/{mission}/fork", Begin, 201),
    ("GET", "/api/missions/{mission}/compare/{other}", Read, 200),
    ("GET", "/api/missions/{mission}/export", Export, 200),
    ("GET", "/api/inbox", Read, 200),
    ("GET", "/api/inbox/events", Read, 200),
    ("GET", "/api/missions/{mission}/checkpoints", Read, 200),
    ("POST", "/api/missions/{mission}/checkpoints/{number}/decision", Decide, 200),
    ("POST", "/api/missions/{mission}/checkpoints/{number}/claim", Decide, 200),
    ("POST", "/api/missions/{mission}/checkpoints/{number}/release", Decide, 200),
    ("GET", "/answer/{token}", NoTokenNeeded, 200),
    ("POST", "/answer/{token}", NoTokenNeeded, 200),
    ("GET", "/api/stats", Read, 200),
    ("GET", "/api/analytics", Read, 200),
    ("GET", "/api/accounts", Read, 200),
    ("PUT", "/api/accounts", Control, 200),
    ("GET", "/api/stops", Read, 200),
    ("POST", "/api/stops", Control, 201),
    ("DELETE", "/api/stops/{kind}", Control, 200),
    ("DELETE", "/api/stops/{kind}/{name}", Control, 200),
    ("GET", "/api/triggers", Read, 200),
    ("POST", "/api/triggers", Control, 201),
    ("DELETE", "/api/triggers/{trigger}", Control, 200),
    ("GET", "/api/tools", Read, 200),
    ("GET", "/api/agents", Read, 200),
    ("GET", "/api/knowledge_bases", Read, 200),
    ("GET", "/api/knowledge_bases/{base}", Read, 200),
    ("GET", "/api/knowledge_bases/{base}/search", Read, 200),
    ("GET", "/api/access", ManageTokens, 200),
    ("POST", "/api/access", ManageTokens, 201),
    ("DELETE", "/api/access/{key}", ManageTokens, 200),
    ("GET", "/api/audit", Audit, 200),
    ("GET", "/api/audit/export", Audit, 200),
    ("GET", "/api/docs", NoTokenNeeded, 200),
    ("GET", "/api/openapi.json", NoTokenNeeded, 200),
    ("GET", "/health", NoTokenNeeded, 200),
    ("GET", "/ready", NoTokenNeeded, 200),
    ("GET", "/version", NoTokenNeeded, 200),
    ("GET", "/metrics", Read, 200),
    ("POST", "/api/mode3/stream", Begin, 200),
    ("POST", "/api/mode3/hitl/{session_id}/respond", Decide, 200),
    ("GET", "/api/mode3/{session_id}/status", Read, 200),
    ("POST", "/api/mode3/{session_id}/cancel", Control, 200),
    ("POST", "/api/workflow/execute", Begin, 200),
    ("POST", "/api/workflow/{mission}/continue", Begin, 200),
    ("GET", "/api/workflow/{mission}/status", Read, 200),
    ("GET", "/api/workflow/{mission}/checkpoint", Read, 200),
    ("POST", "/mcp", Read, 200),
    ("GET", "/.well-known/oauth-protected-resource/mcp", NoTokenNeeded, 200),
];

#[test]
fn every_route_and_every_role_is_promised_once() {
    let routes = ROUTES.iter().map(|route| (route.method, route.path));
    let routes: BTreeSet<(&str, &str)> = routes.collect();
    let promised = PROMISED.iter().map(|(method, path, ..)| (*method, *path));
    assert_eq!(promised.collect::<BTreeSet<_>>(), routes);
    assert_eq!(PROMISED.len(), ROUTES.len(), "none twice");
    let roles = ROLES.map(|(name, _)| name);
    assert_eq!(roles, AccessRole::ALL.map(AccessRole::name));
}

/// A request that is refused, with its code, and changes nothing.
async fn refused(
    world: &World,
    request: reqwest::RequestBuilder,
    expected: (u16, &str),
    before: &State,
    told: &str,
) {
    let response = request.send().await.unwrap();
    assert_eq!(response.status().as_u16(), expected.0, "{told}");
    let is_challenged = response.headers().contains_key("www-authenticate");
    assert_eq!(is_challenged, expected.0 == 401, "{told}");
    let text = text_of(response).await;
    if !told.starts_with("HEAD") {
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer["code"], expected.1, "{told}");
    }
    assert!(!text.contains(MARKER), "{told}: {text}");
    assert!(
        state(world, &acme()).await == *before,
        "{told} had an effect"
    );
}

#[tokio::test]
async fn whoever_lacks_the_right_is_refused_and_changes_nothing() {
    let world = World::new().await;
    let things = things(&world, 1).await;
    let bodies = [b"{".to_vec(), b"{}".to_vec()];
    let mut tokens = Vec::new();
    for (role, rights) in ROLES {
        tokens.push((role, rights, token_of(&world, role).await));
    }
    let (before, done) = (state(&world, &acme()).await, audited(&world).await);
    let mut held = 0;
    for (role, rights, token) in &tokens {
        for (method, path, right, _) in PROMISED {
            if *right == NoTokenNeeded || rights.contains(right) {
                continue;
            }
            let mut bodies = bodies.to_vec();
            let plausible = things.body(method, path);
            bodies.extend(plausible.map(String::into_bytes));
            let also = (*method == "GET").then_some("HEAD");
            for method in [*method].into_iter().chain(also) {
                for body in &bodies {
                    let told = format!("{method} {path} as {role}");
                    let request = world.bare(method.parse().unwrap(), &things.path(path));
                    let request = request.bearer_auth(token).body(body.clone());
                    let request = request.header("Idempotency-Key", "once");
                    refused(&world, request, (403, "ADJ-9007"), &before, &told).await;
                    held += 1;
                }
            }
        }
    }
    assert!(held > 200, "{held}");
    // Rights that the body decides.
    let answered = json!({ "decisions": [{ "decision": { "verdict": "approve" } }] });
    let fork = things.path("/api/missions/{mission}/fork");
    let all = json!({ "what": "all" });
    for (role, method, path, body) in [
        ("analyst", Method::POST, fork.as_str(), answered),
        ("operator", Method::POST, "/api/stops", all),
        ("operator", Method::DELETE, "/api/stops/all", json!({})),
    ] {
        let told = format!("{method} {path} as {role}");
        let token = tokens.iter().find(|(name, ..)| *name == role).unwrap();
        let request = world.bare(method, path).bearer_auth(&token.2);
        let request = request.body(body.to_string());
        refused(&world, request, (403, "ADJ-9007"), &before, &told).await;
    }
    assert_eq!(audited(&world).await, done);
    world.stop().await;
}

#[tokio::test]
async fn outsiders_are_refused_everywhere_and_change_nothing() {
    let world = World::new().await;
    let things = things(&world, 1).await;
    let admin = |who: &str| key_of(&world, who, AccessRole::Admin);
    let (revoked_id, revoked) = give_key(&world, &acme(), admin("gone")).await;
    let revoke = Upkeep::RevokeAccess { which: revoked_id };
    world.host().upkeep(&acme(), revoke).await.unwrap();
    let late = AccessKey {
        expires_at: Some(world.host().clock().now()),
        ..admin("late")
    };
    let (_, expired) = give_key(&world, &acme(), late).await;
    let (_, foreign) = give_key(&world, &rival(), admin("eve")).await;
    let (_, valid) = give_key(&world, &acme(), admin("bea")).await;
    let cut = &valid[..valid.len() - 1];
    let outsiders = [
        ("no token", None),
        ("an empty token", Some("Bearer ".to_owned())),
        ("a guessed token", Some("Bearer guessed".to_owned())),
        (
            "a valid token of another scheme",
            Some(format!("Basic {valid}")),
        ),
        ("most of a valid token", Some(format!("Bearer {cut}"))),
        ("a revoked token", Some(format!("Bearer {revoked}"))),
        ("an expired token", Some(format!("Bearer {expired}"))),
        (
            "a token of another tenant",
            Some(format!("Bearer {foreign}")),
        ),
    ];
    let (before, done) = (state(&world, &acme()).await, audited(&world).await);
    for (who, header) in &outsiders {
        for (method, path, right, _) in PROMISED {
            if *right == NoTokenNeeded {
                continue;
            }
            let plausible = things.body(method, path).unwrap_or_default();
            for body in [plausible, "{".to_owned()] {
                let told = format!("{method} {path} with {who}");
                let request = world.bare(method.parse().unwrap(), &things.path(path));
                let request = match header {
                    Some(header) => request.header("Authorization", header),
                    None => request,
                };
                let request = request.body(body);
                refused(&world, request, (401, "ADJ-9006"), &before, &told).await;
            }
        }
    }
    assert_eq!(audited(&world).await, done);
    world.stop().await;
}

/// What a request needs that is not in its body: a claim to release, a stop to lift.
async fn prepare(world: &World, things: &Things, token: &str, path: &str) {
    if path.ends_with("/release") {
        let claim = things.path(&path.replace("/release", "/claim"));
        let claim = world.bare(Method::POST, &claim).bearer_auth(token).send();
        assert_eq!(claim.await.unwrap().status(), 200);
    }
    if path == "/api/stops/{kind}" {
        stop(world, StopScope::Tenant).await;
    }
}

/// Whoever has the right succeeds on every route, so that no refusal above is one of the route itself; and whatever
/// nonsense they send is their mistake, not the server's.
#[tokio::test]
async fn whoever_has_the_right_succeeds_and_nonsense_is_refused() {
    let world = World::new().await;
    let known = things(&world, 1).await;
    let mut says_marker = 0;
    for (role, rights) in ROLES {
        let token = token_of(&world, role).await;
        for (method, path, right, status) in PROMISED {
            if *right != NoTokenNeeded && !rights.contains(right) {
                continue;
            }
            let told = format!("{method} {path} as {role}");
            let send = |things: &Things, body: Vec<u8>| {
                let request = world.bare(method.parse().unwrap(), &things.path(path));
                // As `curl -d` says it; only forms are read by it.
                let request = request.header("Content-Type", "application/x-www-form-urlencoded");
                request.bearer_auth(&token).body(body).send()
            };
            if *method == "GET" {
                let response = send(&known, Vec::new()).await.unwrap();
                assert_eq!(response.status().as_u16(), *status, "{told}");
                says_marker += u32::from(text_of(response).await.contains(MARKER));
                continue;
            }
            let fresh = things(&world, 0).await;
            if fresh.body(method, path).is_some() {
                for body in garbage() {
                    let what = String::from_utf8_lossy(&body)
                        .chars()
                        .take(60)
                        .collect::<String>();
                    let response = send(&fresh, body).await.unwrap();
                    let status = response.status().as_u16();
                    assert!(
                        [400, 413, 422].contains(&status),
                        "{told}: {status} to {what}"
                    );
                    let answer = text_of(response).await;
                    let has_code = ["\"code\":\"ADJ-", ">ADJ-"].map(|code| answer.contains(code));
                    assert!(has_code.contains(&true), "{told}: {answer}");
                }
            }
            prepare(&world, &fresh, &token, path).await;
            let body = fresh.body(method, path).unwrap_or_default();
            let response = send(&fresh, body.into_bytes()).await.unwrap();
            let answered = response.status().as_u16();
            assert_eq!(answered, *status, "{told}: {}", text_of(response).await);
        }
    }
    assert!(
        says_marker > 60,
        "the marker is in what may be read: {says_marker}"
    );
    world.stop().await;
}

/// Names and queries that mean nothing, sent by somebody who may do everything.
#[tokio::test]
async fn nonsense_in_an_address_is_never_a_failure_of_the_server() {
    let world = World::new().await;
    let long = "x".repeat(300);
    let names = [
        "%00",
        "..%2f..%2fetc",
        "%ff",
        "%F0%9F%A6%80",
        "-1",
        "99999999999999999999",
        &long,
        "'%20OR%201",
    ];
    let queries = [
        "limit=0",
        "limit=99999999999999999999",
        "after=soon",
        "format=exe",
        "cursor=msn_x",
        "from=never",
        "%ff=%00",
        "phase=,",
        "query=%00&limit=-1",
        "kind=%00",
    ];
    for (method, path, ..) in PROMISED {
        let mut addresses = Vec::new();
        if path.contains('{') {
            for name in names {
                let parts = path.split('/').map(|part| match part.starts_with('{') {
                    true => name,
                    false => part,
                });
                addresses.push(parts.collect::<Vec<_>>().join("/"));
            }
        }
        if *method == "GET" {
            let known = path.replace("{mission}", "msn_00000000000000000000000001");
            addresses.extend(queries.map(|query| format!("{known}?{query}")));
        }
        for address in addresses {
            let response = world.request(method.parse().unwrap(), &address).send();
            let response = response.await.unwrap();
            let status = response.status();
            assert!(!status.is_server_error(), "{method} {address}: {status}");
            let is_named = path.contains('{');
            assert!(
                !is_named || status.is_client_error(),
                "{method} {address}: {status}"
            );
        }
    }
    world.stop().await;
}

#[tokio::test]
async fn what_is_not_promised_is_denied_to_every_role() {
    let world = World::new().await;
    let things = things(&world, 1).await;
    let mut tokens = vec![("nobody", String::new())];
    for (role, _) in ROLES {
        tokens.push((role, token_of(&world, role).await));
    }
    let before = state(&world, &acme()).await;
    let paths: BTreeSet<&str> = PROMISED.iter().map(|(_, path, ..)| *path).collect();
    let paths = paths.into_iter().chain([
        "/",
        "/api",
        "/api/missions/{mission}/journal",
        "/api/keys",
        "/admin",
        "/api/missions/{mission}/plan/",
    ]);
    for path in paths {
        for method in [
            "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW",
        ] {
            let is_promised =
                |(with, at, ..): &(&str, &str, Right, u16)| *with == method && *at == path;
            if PROMISED.iter().any(is_promised) {
                continue;
            }
            for (role, token) in &tokens {
                let told = format!("{method} {path} as {role}");
                let request = world.bare(method.parse().unwrap(), &things.path(path));
                let request = match *role {
                    "nobody" => request,
                    _ => request.bearer_auth(token),
                };
                let response = request.body("{}").send().await.unwrap();
                let status = response.status().as_u16();
                assert!([401, 404, 405].contains(&status), "{told}: {status}");
                assert!(!text_of(response).await.contains(MARKER), "{told}");
            }
        }
    }
    assert!(
        state(&world, &acme()).await == before,
        "nothing had an effect"
    );
    world.stop().await;
}

/// Another tenant's server, on the same store, asked for everything of ours by its admin: nothing is there.
#[tokio::test]
async fn another_tenant_finds_nothing_of_ours() {
    const THEIRS: &str = "a token that only the rival knows";
    let world = World::new().await;
    let mut ours = things(&world, 1).await;
    ours.base = MARKER;
    let mut tokens = Vec::new();
    for (role, _) in ROLES {
        tokens.push(token_of(&world, role).await);
    }
    let neighbour = world.neighbour(rival(), "eve", THEIRS).await;
    let own = open_mission(&world, rival(), "theirs").await.to_string();
    let before = state(&world, &acme()).await;
    let ask = |method: &str, path: &str, token: &str| {
        let request = world.request_to(&neighbour.base, method.parse().unwrap(), path);
        request.bearer_auth(token)
    };
    for (method, path, right, status) in PROMISED {
        let address = ours.path(path);
        let told = format!("{method} {address} as another tenant");
        if *right != NoTokenNeeded {
            for token in &tokens {
                let response = ask(method, &address, token).send().await.unwrap();
                assert_eq!(
                    response.status(),
                    401,
                    "our tokens open nothing there: {told}"
                );
            }
        }
        let body = ours.body(method, path).unwrap_or_default();
        let response = ask(method, &address, THEIRS)
            .body(body)
            .send()
            .await
            .unwrap();
        let expected = if path.contains('{') { 404 } else { *status };
        assert_eq!(response.status().as_u16(), expected, "{told}");
        // What was asked for may be named in the answer, and in the log of who asked for what.
        let mut text = text_of(response).await.replace(&ours.provider, "");
        if path.contains('{') || path.starts_with("/api/audit") {
            for asked in [
                ours.base,
                &ours.mission,
                &ours.session,
                &ours.key,
                &ours.trigger,
            ] {
                text = text.replace(asked, "");
            }
        }
        for told_of in [
            MARKER,
            &ours.mission,
            &ours.session,
            &ours.key,
            &ours.trigger,
        ] {
            assert!(!text.contains(told_of), "{told}: {text}");
        }
    }
    let missions = [(&own, &ours.mission), (&ours.mission, &own)];
    for (one, other) in missions {
        let path = format!("/api/missions/{one}/compare/{other}");
        assert_eq!(
            ask("GET", &path, THEIRS).send().await.unwrap().status(),
            404
        );
    }
    let path = format!("/api/audit?mission={}", ours.mission);
    let response = ask("GET", &path, THEIRS).send().await.unwrap();
    assert_eq!(read(response).await["lines"], json!([]));
    // Their mission was opened after ours: whatever a stream tells of ours comes before it.
    for path in ["/api/events?after=0.0", "/api/inbox/events?after=0.0"] {
        let mut stream = Stream::of(ask("GET", path, THEIRS).send().await.unwrap());
        let events = stream.until("checkpoint_plan_approval").await;
        let told = format!("{events:?}");
        assert!(
            told.contains(&own) && !told.contains(MARKER),
            "{path}: {told}"
        );
        assert!(!told.contains(&ours.mission), "{path}: {told}");
    }
    assert!(
        state(&world, &acme()).await == before,
        "nothing of ours was changed"
    );
    neighbour.stop().await;
    world.stop().await;
}
