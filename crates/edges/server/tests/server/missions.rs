//! Missions are started, listed, looked at and steered.

use reqwest::Method;
use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn a_mission_is_started_asked_about_and_decided() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    assert_eq!(
        world.decide(&mission, 0, "approve").await.status(),
        200,
        "the plan"
    );
    world.asked(&mission, 1).await;
    let open = world.get("/api/inbox").await;
    assert_eq!(open["checkpoints"][0]["question"], "Is it red?");
    assert_eq!(world.decide(&mission, 1, "approve").await.status(), 200);
    world.asked(&mission, 2).await;
    assert_eq!(
        world.decide(&mission, 2, "approve").await.status(),
        200,
        "the result"
    );
    let path = format!("/api/missions/{mission}");
    let passport = world.get(&path).await;
    assert_eq!(passport["mission"]["opened"]["mission"], mission.as_str());
    let listed = world.get("/api/missions?phase=completed").await;
    assert_eq!(listed["missions"][0]["mission"], mission.as_str());
    assert_eq!(
        world.get("/api/missions?phase=failed,cancelled").await["missions"],
        json!([])
    );
    let report = world.request(Method::GET, &format!("{path}/report?format=pdf"));
    assert_eq!(
        report.send().await.unwrap().text().await.unwrap(),
        format!("{mission} as pdf")
    );
    world.stop().await;
}

#[tokio::test]
async fn a_request_that_comes_twice_does_its_work_once() {
    let world = World::new().await;
    let wanted = json!({ "mission": "deep_dive", "objective": "red" });
    let send = |key: &str, body: &serde_json::Value| {
        let request = world.request(Method::POST, "/api/missions");
        request
            .header("Idempotency-Key", key)
            .body(body.to_string())
            .send()
    };
    assert_eq!(send("two words", &wanted).await.unwrap().status(), 400);
    let first = send("k1", &wanted).await.unwrap();
    assert_eq!(first.status(), 201);
    let first = read(first).await;
    let again = send("k1", &wanted).await.unwrap();
    assert_eq!(again.status(), 200);
    assert_eq!(read(again).await["mission"], first["mission"]);
    let other = send(
        "k1",
        &json!({ "mission": "deep_dive", "objective": "blue" }),
    )
    .await
    .unwrap();
    assert_eq!(other.status(), 422);
    assert_eq!(read(other).await["code"], "ADJ-9003");
    let another = send("k2", &wanted).await.unwrap();
    assert_ne!(read(another).await["mission"], first["mission"]);

    let mission = first["mission"].as_str().unwrap();
    world.asked(mission, 0).await;
    let pause = || {
        let path = format!("/api/missions/{mission}/commands");
        let request = world.request(Method::POST, &path);
        let body = json!({ "pause": { "reason": "lunch" } }).to_string();
        request.header("Idempotency-Key", "p").body(body).send()
    };
    assert_eq!(pause().await.unwrap().status(), 200);
    assert_eq!(pause().await.unwrap().status(), 200, "it is the same pause");
    // Another command is another, whatever key it comes with.
    let path = format!("/api/missions/{mission}/commands");
    let abort = world.request(Method::POST, &path);
    let abort = abort.header("Idempotency-Key", "p");
    let abort = abort.body(json!({ "abort": { "reason": "enough" } }).to_string());
    assert_eq!(abort.send().await.unwrap().status(), 200);
    let ended = world.get("/api/missions?phase=cancelled").await;
    assert_eq!(ended["missions"][0]["mission"], mission);
    world.stop().await;
}

#[tokio::test]
async fn pages_follow_each_other() {
    let world = World::new().await;
    let mut started = Vec::new();
    for _ in 0..5 {
        started.insert(0, world.started("red").await);
    }
    for sort in ["newest", "oldest"] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("/api/missions?limit=2&sort={sort}{cursor}");
            let page = world.get(&path).await;
            let missions = page["missions"].as_array().unwrap().iter();
            seen.extend(missions.map(|row| row["mission"].as_str().unwrap().to_owned()));
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(seen, started, "{sort}");
        started.reverse();
    }
    let unknown = world.request(Method::GET, "/api/missions?sort=loudest");
    assert_eq!(unknown.send().await.unwrap().status(), 400);
    world.stop().await;
}

#[tokio::test]
async fn what_is_unchanged_is_not_sent_again() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let path = format!("/api/missions/{mission}");
    let first = world.request(Method::GET, &path).send().await.unwrap();
    let tag = first.headers()["etag"].clone();
    let again = world
        .request(Method::GET, &path)
        .header("If-None-Match", &tag);
    assert_eq!(again.send().await.unwrap().status(), 304);
    world.decide(&mission, 0, "approve").await;
    let changed = world
        .request(Method::GET, &path)
        .header("If-None-Match", &tag);
    assert_eq!(changed.send().await.unwrap().status(), 200);
    world.stop().await;
}

#[tokio::test]
async fn what_is_wrong_is_said_with_a_code_and_what_to_do() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let unknown = "/api/missions/msn_00000000000000000000000001";
    let decision = format!("/api/missions/{mission}/checkpoints/9/decision");
    let own = format!("/api/missions/{mission}");
    let cases = [
        (Method::GET, unknown.to_owned(), String::new(), 404),
        (Method::GET, format!("{unknown}/events"), String::new(), 404),
        (
            Method::GET,
            "/api/missions/nonsense".into(),
            String::new(),
            404,
        ),
        (
            Method::GET,
            "/api/missions?limit=0".into(),
            String::new(),
            400,
        ),
        (
            Method::GET,
            "/api/missions?limit=many".into(),
            String::new(),
            400,
        ),
        (
            Method::GET,
            "/api/missions?cursor=x".into(),
            String::new(),
            400,
        ),
        (
            Method::POST,
            format!("{unknown}/commands"),
            r#""resume""#.into(),
            404,
        ),
        (Method::GET, format!("{unknown}/report"), String::new(), 404),
        (
            Method::POST,
            "/api/missions".into(),
            " ".repeat(9 * 1024 * 1024),
            413,
        ),
        (
            Method::GET,
            "/api/missions?phase=happy".into(),
            String::new(),
            400,
        ),
        (
            Method::GET,
            format!("{own}/events?after=x"),
            String::new(),
            400,
        ),
        (Method::GET, "/api/nothing".into(), String::new(), 404),
        (Method::DELETE, own.clone(), String::new(), 405),
        (Method::POST, "/api/missions".into(), "{".into(), 400),
        (
            Method::POST,
            "/api/missions".into(),
            r#"{"mission":"x"}"#.into(),
            400,
        ),
        (
            Method::POST,
            "/api/missions".into(),
            r#"{"mission":"deep_dive","objective":" "}"#.into(),
            400,
        ),
        (
            Method::POST,
            "/api/missions".into(),
            r#"{"mission":"unheard_of","objective":"red"}"#.into(),
            422,
        ),
        (
            Method::POST,
            decision,
            r#"{"verdict":"approve"}"#.into(),
            404,
        ),
        (
            Method::POST,
            format!("{own}/commands"),
            r#"{"claim":{"checkpoint":0}}"#.into(),
            400,
        ),
        (
            Method::POST,
            format!("{own}/commands"),
            r#""resume""#.into(),
            409,
        ),
    ];
    for (method, path, body, status) in cases {
        let request = world.request(method.clone(), &path).body(body.clone());
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), status, "{method} {path} {body:.100}");
        let kind = response.headers()["content-type"].clone();
        assert_eq!(kind, "application/problem+json", "{method} {path}");
        let problem = read(response).await;
        assert!(
            problem["code"].as_str().unwrap().starts_with("ADJ-"),
            "{problem}"
        );
        for field in ["detail", "remedy", "title"] {
            assert!(!problem[field].as_str().unwrap().is_empty(), "{problem}");
        }
        assert_eq!(problem["status"], status);
    }
    world.stop().await;
}

#[tokio::test]
async fn who_says_too_much_is_told_so() {
    let world = World::new().await;
    let mission = world.started("red").await;
    let path = format!("/api/missions/{mission}/commands");
    let pause = |chars: usize| {
        let body = json!({ "pause": { "reason": "a".repeat(chars) } });
        world
            .request(Method::POST, &path)
            .body(body.to_string())
            .send()
    };
    let refused = pause(8_001).await.unwrap();
    assert_eq!(refused.status(), 400);
    assert_eq!(read(refused).await["code"], "ADJ-9001");
    assert_eq!(pause(8_000).await.unwrap().status(), 200);
    world.stop().await;
}

#[tokio::test]
async fn what_is_large_goes_out_compressed_to_those_who_take_it() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let sent = |path: String, takes: &'static str| {
        let request = world.request(Method::GET, &path);
        request.header("Accept-Encoding", takes).send()
    };
    let large = sent("/api/openapi.json".into(), "gzip").await.unwrap();
    assert_eq!(large.headers()["content-encoding"], "gzip");
    assert!(
        large.headers()["vary"]
            .to_str()
            .unwrap()
            .contains("accept-encoding")
    );
    assert_eq!(large.bytes().await.unwrap()[..2], [0x1f, 0x8b]);
    let as_it_is = sent("/api/openapi.json".into(), "identity").await.unwrap();
    assert!(!as_it_is.headers().contains_key("content-encoding"));
    let small = sent("/version".into(), "gzip").await.unwrap();
    assert!(!small.headers().contains_key("content-encoding"));
    let events = sent(format!("/api/missions/{mission}/events"), "gzip")
        .await
        .unwrap();
    assert!(
        !events.headers().contains_key("content-encoding"),
        "they are read one by one"
    );
    world.stop().await;
}

#[tokio::test]
async fn every_answer_is_logged() {
    let world = World::new().await;
    let request = world.request(Method::GET, "/api/missions/msn_00000000000000000000000001");
    let request = request.header("X-Request-Id", "mine").send().await.unwrap();
    assert_eq!(request.status(), 404);
    world.bare(Method::GET, "/health").send().await.unwrap();
    let logged = world.logged.lock().unwrap().clone();
    let has = |line: &String, words: &[&str]| words.iter().all(|word| line.contains(word));
    let words = [
        "\"mine\"",
        "/api/missions/{mission}",
        "404",
        "ann",
        "ADJ-5001",
    ];
    assert!(has(&logged[0], &words), "{logged:?}");
    assert!(
        has(&logged[1], &["/health", "200", "who: None", "code: None"]),
        "{logged:?}"
    );
    assert_eq!(logged.len(), 2, "{logged:?}");
    // What the framework refuses is logged like all else, and told in our words.
    let request = world.request(Method::GET, "/api/missions?limit=many");
    let refused = read(request.send().await.unwrap()).await;
    let detail = refused["detail"].as_str().unwrap();
    assert!(detail.starts_with("the query cannot be read"), "{detail}");
    let logged = world.logged.lock().unwrap().clone();
    let words = ["/api/missions", "400", "ann", "ADJ-9001"];
    assert!(has(&logged[2], &words), "{logged:?}");
    world.stop().await;
}
