//! Who did what, and that it can be asked and taken along.

use adjutant_host::audit_broken_at;
use adjutant_mission::TenantId;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{World, read};

fn kinds(page: &Value) -> Vec<&str> {
    let lines = page["lines"].as_array().unwrap().iter();
    lines.map(|line| line["kind"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn everything_that_is_accounted_for_is_told() {
    let world = World::new().await;
    let mission = world.started("one").await;
    world.approved(&mission, 1).await;
    let bare = world.bare(Method::GET, "/api/missions");
    assert_eq!(bare.send().await.unwrap().status(), 401);
    world
        .request(Method::GET, &format!("/api/missions/{mission}/report"))
        .send()
        .await
        .unwrap();
    let wanted = json!({ "who": "bea", "role": "viewer" });
    assert_eq!(world.post("/api/access", wanted).await.status(), 201);

    let page = world.get("/api/audit").await;
    assert_eq!(page["next_cursor"], Value::Null);
    let told = kinds(&page);
    for kind in [
        "sign_in",
        "sign_in_refused",
        "mission",
        "decision",
        "export",
        "configuration",
    ] {
        assert!(told.contains(&kind), "{kind}: {page:#}");
    }
    let decisions = world.get("/api/audit?kind=decision&who=ann").await;
    assert_eq!(kinds(&decisions), ["decision"; 3]);
    assert_eq!(decisions["lines"][0]["mission"], mission);
    let others = world.get("/api/audit?kind=decision&who=bea").await;
    assert_eq!(kinds(&others), [""; 0]);
    let later = world.get("/api/audit?from=2999-01-01T00:00:00Z").await;
    assert_eq!(kinds(&later), [""; 0]);
}

#[tokio::test]
async fn pages_leave_nothing_out_and_tell_nothing_twice() {
    let world = World::new().await;
    for objective in ["one", "two"] {
        let mission = world.started(objective).await;
        world.approved(&mission, 1).await;
    }
    let whole = world.get("/api/audit").await["lines"].clone();
    let (mut lines, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = world.get(&format!("/api/audit?limit=3{cursor}")).await;
        lines.extend(page["lines"].as_array().unwrap().clone());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(lines, *whole.as_array().unwrap());
    let times: Vec<&str> = lines
        .iter()
        .map(|line| line["at"].as_str().unwrap())
        .collect();
    assert!(times.is_sorted(), "{times:?}");

    let export = world.request(Method::GET, "/api/audit/export");
    let export = export.send().await.unwrap().text().await.unwrap();
    // Taking it out is accounted for itself.
    assert_eq!(export.lines().count(), lines.len() + 1);
}

#[tokio::test]
async fn who_asks_for_what_they_may_not_is_noted_and_told_who_may() {
    let world = World::new().await;
    let wanted = json!({ "who": "vic", "role": "viewer" });
    let given = read(world.post("/api/access", wanted).await).await;
    let token = given["token"].as_str().unwrap();
    for _ in 0..3 {
        let asked = world.bare(Method::POST, "/api/stops").bearer_auth(token);
        let refused = asked.send().await.unwrap();
        assert_eq!(refused.status(), 403);
        let detail = read(refused).await["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("viewer, may not steer"), "{detail}");
        assert!(
            detail.ends_with("allowed roles: admin, operator"),
            "{detail}"
        );
    }
    let path = "/api/audit?kind=refused&who=vic";
    let noted = read(world.request(Method::GET, path).send().await.unwrap()).await;
    let noted = noted["lines"].as_array().unwrap().clone();
    assert_eq!(noted.len(), 1, "they are told together: {noted:?}");
    let told = noted[0].to_string();
    assert!(told.contains("POST /api/stops"), "{told}");
}

#[tokio::test]
async fn what_is_asked_wrongly_is_told() {
    let world = World::new().await;
    for query in [
        "kind=gossip",
        "from=noon",
        "cursor=x",
        "limit=0",
        "mission=1",
    ] {
        let path = format!("/api/audit?{query}");
        let response = world.request(Method::GET, &path).send().await.unwrap();
        assert_eq!(response.status(), 400, "{query}");
        assert_eq!(read(response).await["code"], "ADJ-9001");
    }
}

#[tokio::test]
async fn notes_are_chained() {
    let world = World::new().await;
    for who in ["bea", "carl"] {
        let wanted = json!({ "who": who, "role": "viewer" });
        assert_eq!(world.post("/api/access", wanted).await.status(), 201);
    }
    let journal = world.host().journal(&TenantId::new("acme").unwrap());
    assert_eq!(audit_broken_at(&journal).await.unwrap(), None);
    let entries = adjutant_host::audit_entries(&journal, 0, 9).await.unwrap();
    let mut changed = entries[1].clone();
    changed.by = None;
    let kind = adjutant_store::RecordKind::Audit;
    let name = format!("{:016}", changed.number);
    journal.put_record(kind, &name, &changed).await.unwrap();
    let broken = audit_broken_at(&journal).await.unwrap();
    assert_eq!(broken, Some(3), "the one after it tells");
    journal.drop_record(kind, &name).await.unwrap();
    assert_eq!(audit_broken_at(&journal).await.unwrap(), Some(2));
}
