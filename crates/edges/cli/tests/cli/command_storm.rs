//! A thousand commands at once on fifty workflows: each is applied once or refused with the reason.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::serving::Served;
use crate::support::Place;

const WORKFLOWS: usize = 50;
const CHANGES: usize = 6;
const COMMANDS_EACH: usize = 20;
/// For all of it, on a slow machine that does other things as well.
const TIME_MAX: Duration = Duration::from_secs(180);

const SETTINGS: &str = r#"
[workflows]
approved_in_advance = ["plan_approval", "final_review"]

[server.limits]
user_per_minute = 1000
user_per_hour = 1000
user_at_once = 100
"#;

/// A request, and what it is in the counts below.
#[derive(Debug, Clone)]
struct Sent {
    workflow: usize,
    what: String,
    token: String,
    path: String,
    body: Value,
}

#[derive(Debug)]
struct Answered {
    sent: Sent,
    status: u16,
    told: Value,
}

async fn send(client: Client, address: String, sent: Sent) -> Answered {
    let request = client.post(format!("{address}{}", sent.path));
    let request = request.bearer_auth(&sent.token).body(sent.body.to_string());
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    let told = serde_json::from_str(&text).unwrap();
    Answered { sent, status, told }
}

async fn all_at_once(address: &str, requests: Vec<Sent>) -> Vec<Answered> {
    let client = Client::builder().no_proxy().build().unwrap();
    let mut running = JoinSet::new();
    for sent in requests {
        running.spawn(send(client.clone(), address.to_owned(), sent));
    }
    running.join_all().await
}

fn execute(token: &str, workflow: usize) -> Sent {
    let task = |id: &str, after: &[&str]| json!({ "id": id, "tool": "noop", "arguments": { "value": id }, "depends_on": after });
    Sent {
        workflow,
        what: "execute".into(),
        token: token.into(),
        path: "/api/workflow/execute".into(),
        body: json!({
            "tasks": [task("one", &[]), task("two", &["one"]), task("three", &["two"])],
            "config": { "per_layer_validation": true },
            "idempotency_key": format!("storm-{workflow}"),
        }),
    }
}

/// What is sent to one workflow: changes, each twice with the same key; its layer validated again and again, by two routes;
/// a layer that there is not; and an end, or a pause.
fn commands(workflow: usize, id: &str, checkpoint: &Value, agent: &str, person: &str) -> Vec<Sent> {
    let sent = |what: &str, token: &str, path: String, body: Value| Sent {
        workflow,
        what: what.into(),
        token: token.into(),
        path,
        body,
    };
    let go_on = || format!("/api/workflow/{id}/continue");
    let mut all = Vec::new();
    for n in 0..CHANGES {
        let task = json!({ "id": format!("t{n}"), "tool": "noop", "arguments": { "value": n }, "depends_on": ["two"] });
        let body = json!({
            "value": "replan", "tasks": [task], "idempotency_key": format!("c{n}"), "wait_seconds": 0,
        });
        for _ in 0..2 {
            all.push(sent(&format!("t{n}"), agent, go_on(), body.clone()));
        }
    }
    for number in [
        checkpoint,
        checkpoint,
        checkpoint,
        checkpoint,
        &json!(99),
        &json!(99),
    ] {
        let body = json!({ "value": "continue", "checkpoint": number, "wait_seconds": 0 });
        all.push(sent(&format!("continue {number}"), agent, go_on(), body));
    }
    let decision = format!("/api/missions/{id}/checkpoints/{checkpoint}/decision");
    let approve = json!({ "verdict": "approve" });
    all.push(sent("decision", agent, decision, approve));
    all.push(match workflow % 2 {
        0 => {
            let body = json!({ "value": "abort", "reason": "enough", "wait_seconds": 0 });
            sent("abort", agent, go_on(), body)
        }
        _ => {
            let path = format!("/api/missions/{id}/commands");
            let body = json!({ "pause": { "reason": "lunch" } });
            sent("pause", person, path, body)
        }
    });
    assert_eq!(all.len(), COMMANDS_EACH);
    all
}

#[test]
fn of_a_thousand_commands_at_once_each_is_applied_once_or_refused_with_the_reason() {
    let began = Instant::now();
    let place = Place::new();
    place.set(SETTINGS);
    let served = Served::start(&place);
    let (address, person) = (served.address.clone(), served.token.clone());
    let wanted = json!({ "who": "coder", "role": "operator" });
    let (status, key) = served.ask("/api/access", Some(&wanted));
    assert_eq!(status, 201, "{key}");
    let key: Value = serde_json::from_str(&key).unwrap();
    let agent = key["token"].as_str().unwrap().to_owned();
    let runtime = Runtime::new().unwrap();

    // Each is started twice with the same key, at the same time.
    let starts = (0..2 * WORKFLOWS).map(|n| execute(&agent, n % WORKFLOWS));
    let started = runtime.block_on(all_at_once(&address, starts.collect()));
    let mut workflows: BTreeMap<usize, (String, Value)> = BTreeMap::new();
    for answered in &started {
        assert_eq!(answered.status, 200, "{answered:?}");
        let id = answered.told["workflow_id"].as_str().unwrap().to_owned();
        let rests = answered.told["status"] == "layer_complete";
        let (known, checkpoint) = workflows
            .entry(answered.sent.workflow)
            .or_insert((id.clone(), Value::Null));
        assert_eq!(*known, id, "the same key is the same workflow");
        if rests {
            *checkpoint = answered.told["checkpoint"].clone();
        }
    }
    assert_eq!(workflows.len(), WORKFLOWS);
    for (id, checkpoint) in workflows.values_mut() {
        while checkpoint.is_null() {
            assert!(began.elapsed() < TIME_MAX, "{id} never rests");
            let told = served.get(&format!("/api/workflow/{id}/status?wait_seconds=25"));
            if told["status"] == "layer_complete" {
                *checkpoint = told["checkpoint"].clone();
            }
        }
    }

    let requests: Vec<Sent> = workflows
        .iter()
        .flat_map(|(n, (id, checkpoint))| commands(*n, id, checkpoint, &agent, &person))
        .collect();
    assert_eq!(requests.len(), 1_000);
    let answers = runtime.block_on(all_at_once(&address, requests));
    let mut applied = 0;
    for answered in &answers {
        match answered.status {
            200 => applied += 1,
            status => {
                assert!([403, 404, 409, 422].contains(&status), "{answered:?}");
                let code = answered.told["code"].as_str().unwrap();
                assert!(code.starts_with("ADJ-"), "{answered:?}");
                assert!(!answered.told["remedy"].as_str().unwrap().is_empty());
            }
        }
    }
    assert!(applied >= WORKFLOWS, "{applied}");

    for (n, (id, checkpoint)) in &workflows {
        let own = |what: &str| -> Vec<&Answered> {
            let of = |one: &&Answered| one.sent.workflow == *n && one.sent.what == what;
            answers.iter().filter(of).collect()
        };
        let taken = |what: &str| own(what).iter().any(|one| one.status == 200);
        let told = served.get(&format!("/api/missions/{id}/plan"));
        let tasks = told["plan"]["tasks"].as_array().unwrap();
        let mut changes = 0;
        for change in 0..CHANGES {
            let name = format!("t{change}");
            let there = tasks.iter().filter(|task| task["key"] == name.as_str());
            let there = there.count();
            assert!(there <= 1, "{id}: {name} is there {there} times");
            assert_eq!(there == 1, taken(&name), "{id}: {:?}", own(&name));
            changes += there;
        }
        assert_eq!(told["replans"], changes, "{id}");
        assert!(!taken("continue 99"), "{id}");

        let told = served.get(&format!("/api/missions/{id}/checkpoints"));
        let asked = &told["checkpoints"][checkpoint.as_u64().unwrap() as usize];
        let passed = taken(&format!("continue {checkpoint}")) || taken("decision");
        let is_decided = asked["closed"]["decided"].is_object();
        assert_eq!(is_decided, passed, "{id}: {asked}");
        let stops = if n % 2 == 0 { "abort" } else { "pause" };
        assert!(taken(stops), "{id}: {:?}", own(stops));
    }
    assert!(began.elapsed() < TIME_MAX, "{:?}", began.elapsed());
    drop(served);
    assert_eq!(place.run(&["verify", "--all"]).code, 0);
}
