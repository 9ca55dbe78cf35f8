//! How well missions go, over HTTP: of the own tenant only, and with what people said of them.

use adjutant_host::Upkeep;
use adjutant_mission::*;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::*;

fn figure<'a>(told: &'a Value, measure: &str) -> &'a Value {
    let mut figures = told["all"]["figures"].as_array().unwrap().iter();
    figures
        .find(|figure| figure["measure"] == measure)
        .unwrap_or_else(|| panic!("no {measure} in {told}"))
}

async fn token_of(world: &World, who: &str, role: &str) -> String {
    let wanted = json!({ "who": who, "role": role });
    let given = read(world.post("/api/access", wanted).await).await;
    given["token"].as_str().unwrap().to_owned()
}

async fn rate(world: &World, token: Option<&str>, mission: &str, body: Value) -> Response {
    let path = format!("/api/missions/{mission}/rating");
    let request = match token {
        Some(token) => world.bare(Method::PUT, &path).bearer_auth(token),
        None => world.request(Method::PUT, &path),
    };
    request.body(body.to_string()).send().await.unwrap()
}

#[tokio::test]
async fn a_mission_counts_when_it_has_ended() {
    let world = World::new().await;
    let empty = world.get("/api/analytics?by=agent&since=30d").await;
    assert_eq!(empty["all"]["missions"], 0);
    assert_eq!(empty["groups"], json!([]));
    assert_eq!(figure(&empty, "completion")["value"], Value::Null);
    let mission = world.started("!noop red").await;
    world.asked(&mission, 0).await;
    let running = world.get("/api/analytics").await;
    assert_eq!(running["coverage"]["running"], 1);
    assert_eq!(running["all"]["missions"], 0);
    world.approved(&mission, 1).await;
    let told = world.get("/api/analytics?by=type").await;
    assert_eq!(told["tenant"], "acme");
    assert_eq!(
        (&told["coverage"]["counted"], &told["all"]["completed"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(told["groups"][0]["name"], "plan files");
    let completion = figure(&told, "completion");
    assert_eq!(completion["value"], 1.0);
    assert_eq!(completion["cases"], 1);
    assert_eq!(completion["reading"], "too_few");
    assert_eq!(completion["target"], json!({ "above": 0.95 }));
    assert_eq!(figure(&told, "tool_success")["cases"], 1);
    assert_eq!(figure(&told, "response_time")["cases"], 3);
    // Missions that ended before are not told again.
    let weeks = world.get("/api/analytics?by=week").await;
    assert_eq!(weeks["groups"].as_array().unwrap().len(), 1);
    world.stop().await;
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_with_what_does() {
    let world = World::new().await;
    for query in [
        "by=planet",
        "by=",
        "since=2999-01-01",
        "since=yesterday",
        "since=",
        "since=-3d",
        "since=30",
    ] {
        let path = format!("/api/analytics?{query}");
        let refused = world.request(Method::GET, &path).send().await.unwrap();
        assert_eq!(refused.status(), 422, "{query}");
        assert_eq!(read(refused).await["code"], "ADJ-6201", "{query}");
    }
    let unknown = world.request(Method::GET, "/api/analytics?tenant=rival");
    assert_eq!(unknown.send().await.unwrap().status(), 400);
    world.stop().await;
}

#[tokio::test]
async fn each_person_rates_a_mission_once_and_only_when_it_has_ended() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let early = rate(&world, None, &mission, json!({ "stars": 5 })).await;
    assert_eq!(early.status(), 409);
    assert_eq!(read(early).await["code"], "ADJ-6203");
    world.approved(&mission, 1).await;
    for wrong in [
        json!({}),
        json!({ "stars": 0 }),
        json!({ "stars": 6 }),
        json!({ "stars": 4, "useful": [1] }),
        json!({ "remark": "x".repeat(2_001) }),
    ] {
        let refused = rate(&world, None, &mission, wrong.clone()).await;
        assert_eq!(refused.status(), 422, "{wrong}");
        assert_eq!(read(refused).await["code"], "ADJ-6202", "{wrong}");
    }
    for malformed in [
        json!({ "stars": "4" }),
        json!({ "stars": 4.5 }),
        json!({ "by": "bea" }),
    ] {
        let refused = rate(&world, None, &mission, malformed).await;
        assert_eq!(refused.status(), 400);
    }
    let first = rate(
        &world,
        None,
        &mission,
        json!({ "stars": 2, "remark": "thin" }),
    )
    .await;
    assert_eq!(first.status(), 200);
    assert_eq!(read(first).await["replaced"], false);
    let second = rate(&world, None, &mission, json!({ "stars": 4 })).await;
    assert_eq!(read(second).await["replaced"], true);
    let bea = token_of(&world, "bea", "analyst").await;
    assert_eq!(
        rate(&world, Some(&bea), &mission, json!({ "stars": 5 }))
            .await
            .status(),
        200
    );
    let vic = token_of(&world, "vic", "viewer").await;
    assert_eq!(
        rate(&world, Some(&vic), &mission, json!({ "stars": 1 }))
            .await
            .status(),
        403
    );
    let kept = world.get(&format!("/api/missions/{mission}/rating")).await;
    let ratings = kept["ratings"].as_array().unwrap();
    assert_eq!(ratings.len(), 2, "one of each person");
    assert_eq!(
        (&ratings[0]["stars"], &ratings[0]["remark"]),
        (&json!(4), &json!("thin"))
    );
    let told = world.get("/api/analytics").await;
    let satisfaction = figure(&told, "satisfaction");
    assert_eq!(
        (&satisfaction["value"], &satisfaction["cases"]),
        (&json!(4.5), &json!(2))
    );
    let audit = world.get("/api/audit?kind=configuration").await.to_string();
    assert_eq!(audit.matches("rate_mission").count(), 3, "{audit}");
    assert!(
        !audit.contains("thin"),
        "remarks can be erased, and stay out: {audit}"
    );

    // What is erased takes what was said of it along.
    let erase = Upkeep::Erase {
        missions: vec![mission.parse().unwrap()],
        triggers: Vec::new(),
        by: Actor::human(AgentId::new("ann").unwrap()),
        reason: "asked to".into(),
    };
    let acme = TenantId::new("acme").unwrap();
    world.host().upkeep(&acme, erase).await.unwrap();
    let told = world.get("/api/analytics").await;
    assert_eq!(
        (&told["coverage"]["erased"], &told["all"]["missions"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(figure(&told, "satisfaction")["cases"], 0);
    assert_eq!(
        rate(&world, None, &mission, json!({ "stars": 5 }))
            .await
            .status(),
        410
    );
    world.stop().await;
}

#[tokio::test]
async fn another_tenants_missions_are_in_nobodys_figures() {
    let world = World::new().await;
    let rival = TenantId::new("rival").unwrap();
    let start = Start {
        mission: MissionId::from_bits(1 << 120),
        scope: Scope::of(rival.clone()),
        plan: Plan::new(
            "Theirs",
            vec![Task::new(
                TaskKey::new("nothing").unwrap(),
                WorkSpec::Tool(ToolCall {
                    tool: ToolId::new("noop").unwrap(),
                    with: Json::parse("{}").unwrap(),
                }),
            )],
        ),
        tools: world.tools(),
        approvals: Vec::new(),
        parent: None,
        began_by: Vec::new(),
    };
    let by = Actor::human(AgentId::new("eve").unwrap());
    let host = world.host();
    host.open(by.clone(), CommandId::from_bits(1), start)
        .await
        .unwrap();
    let abort = Command::Abort {
        reason: "enough".into(),
        undo: false,
    };
    let mission = MissionId::from_bits(1 << 120);
    let id = CommandId::from_bits(2);
    host.command(&rival, mission, id, by, abort).await.unwrap();
    for query in ["", "?by=tenant", "?by=type"] {
        let told = world.get(&format!("/api/analytics{query}")).await;
        assert_eq!(told["all"]["missions"], 0, "{query}");
        assert_eq!(told["groups"], json!([]), "{query}");
    }
    let theirs = mission.to_string();
    assert_eq!(
        rate(&world, None, &theirs, json!({ "stars": 1 }))
            .await
            .status(),
        404
    );
    world.stop().await;
}
