//! Another tenant's missions, in the same store, are not there for anybody here: on no route.

use adjutant_host::{AccessKey, AccessRole, Audited, StopScope, Upkeep};
use adjutant_mission::*;
use adjutant_server::{Permit, ROUTES};
use reqwest::Method;
use serde_json::json;

use crate::support::*;

/// Says that somebody else's things were told.
const SECRET: &str = "zanzibar";

fn rival() -> TenantId {
    TenantId::new("rival").unwrap()
}

/// A mission of another tenant that waits for an answer, and everything else a tenant may have.
async fn theirs(world: &World) -> (MissionId, String, String) {
    let human = Human {
        question: format!("Is it {SECRET}?"),
        kind: CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
        deadline: None,
    };
    let task = Task::new(TaskKey::new(SECRET).unwrap(), WorkSpec::Human(human));
    let mission = MissionId::from_bits(1 << 120);
    let start = Start {
        mission,
        scope: Scope::of(rival()),
        plan: Plan::new(SECRET, vec![task]),
        tools: ToolTable::default(),
        approvals: Vec::new(),
        parent: None,
        began_by: Vec::new(),
    };
    let eve = AgentId::new(SECRET).unwrap();
    let by = Actor::human(eve.clone());
    let command = CommandId::from_bits(1);
    let host = world.host();
    host.open(by.clone(), command, start).await.unwrap();
    let stop = Upkeep::Stop {
        scope: StopScope::Tool(ToolId::new("noop").unwrap()),
        by,
        reason: SECRET.into(),
    };
    host.upkeep(&rival(), stop).await.unwrap();
    let (id, token) = AccessKey::new_token().unwrap();
    let key = AccessKey {
        who: eve.clone(),
        role: AccessRole::Admin,
        decides_for: Vec::new(),
        hash: AccessKey::hash_of(&token),
        made_at: host.clock().now(),
        made_by: eve,
        expires_at: None,
        revoked_at: None,
    };
    let give = Upkeep::GiveAccess {
        id: id.clone(),
        key: Box::new(key),
    };
    host.upkeep(&rival(), give).await.unwrap();
    let what = Audited::Export {
        mission,
        what: SECRET.into(),
    };
    host.note(&rival(), None, what).await.unwrap();
    (mission, id, token)
}

#[tokio::test]
async fn nothing_of_another_tenant_is_told_or_touched_on_any_route() {
    let world = World::new().await;
    let own = world.started("red").await;
    world.asked(&own, 0).await;
    let (mission, key, token) = theirs(&world).await;
    let id = mission.to_string();
    let uuid = format!("{:032x}", mission.bits());
    let uuid = [
        &uuid[..8],
        &uuid[8..12],
        &uuid[12..16],
        &uuid[16..20],
        &uuid[20..],
    ]
    .join("-");
    let before = world.host().journal(&rival()).read(mission).await.unwrap();
    for route in ROUTES.iter() {
        let method: Method = route.method.parse().unwrap();
        let names_theirs = route.path.contains('{');
        // Their mission is named wherever one can be, and compared with one of ours.
        let path = match route.path {
            path if path.ends_with("compare/{other}") => path.replace("{mission}", &own),
            path => path.to_owned(),
        };
        let path = path
            .replace("{mission}", &id)
            .replace("{other}", &id)
            .replace("{session_id}", &uuid)
            .replace("{number}", "0")
            .replace("{task}", SECRET)
            .replace("{artifact}", SECRET)
            .replace("{key}", &key)
            .replace("{base}", SECRET)
            .replace("{kind}/{name}", "tool/noop")
            .replace("{kind}", "tenant")
            .replace("{trigger}", SECRET);
        let path = match path.ends_with("/search") {
            true => format!("{path}?query=red"),
            false => path,
        };
        let checkpoint = format!("{id}/0");
        let body = match route.path {
            path if path.ends_with("/decision") => json!({ "verdict": "approve" }),
            path if path.ends_with("/commands") => json!({ "pause": { "reason": "" } }),
            path if path.ends_with("/respond") => {
                json!({ "checkpoint_id": checkpoint, "decision": "approve" })
            }
            _ => json!({}),
        };
        let told = format!("{method} {path}");
        let theirs = world.bare(method.clone(), &path).bearer_auth(&token);
        let theirs = theirs.body(body.to_string()).send().await.unwrap();
        if route.permit != Permit::Anybody {
            assert_eq!(theirs.status(), 401, "their key opens nothing here: {told}");
        }
        let request = world.request(method.clone(), &path).body(body.to_string());
        let answer = request.send().await.unwrap();
        let status = answer.status();
        if names_theirs {
            assert!(status.is_client_error(), "{told}: {status}");
            if method == Method::GET {
                assert_eq!(status, 404, "{told}");
            }
        }
        if answer.headers()["content-type"] == "text/event-stream" {
            // What it tells is told below.
            continue;
        }
        let text = answer.text().await.unwrap();
        // What was asked for may be named in the answer.
        let text = text.replace(&format!("`{SECRET}`"), "").replace(&path, "");
        assert!(!text.contains(SECRET), "{told}: {text}");
        if !names_theirs {
            assert!(!text.contains(&id), "{told}: {text}");
        }
    }
    let after = world.host().journal(&rival()).read(mission).await.unwrap();
    assert_eq!(before.0.len(), after.0.len(), "and nothing was done to it");
    world.stop().await;
}

#[tokio::test]
async fn streams_of_everything_tell_our_own_alone() {
    let world = World::new().await;
    let follow = |path: &str| world.request(Method::GET, path).send();
    let all = follow("/api/events?after=0.0").await.unwrap();
    let inbox = follow("/api/inbox/events?after=0.0").await.unwrap();
    let (mut all, mut inbox) = (Stream::of(all), Stream::of(inbox));
    theirs(&world).await;
    let own = world.started("red").await;
    for stream in [&mut all, &mut inbox] {
        let told = stream.until("checkpoint_plan_approval").await;
        assert!(
            told.iter()
                .all(|event| event.data["session_id"] == own.as_str())
        );
        assert!(!format!("{told:?}").contains(SECRET));
    }
    world.stop().await;
}
