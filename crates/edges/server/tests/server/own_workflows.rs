//! A program never approves what it made: neither with its own tool nor with the same access token on any other route.
//! What a mission was allowed elsewhere is not repeated by those who could not allow it.

use adjutant_host::AccessRole;
use adjutant_mission::*;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::route_things::*;
use crate::support::*;

fn tool(key: &str, tool: &str, with: &Value) -> Task {
    let call = WorkSpec::Tool(ToolCall {
        tool: ToolId::new(tool).unwrap(),
        with: Json::parse(&with.to_string()).unwrap(),
    });
    Task::new(TaskKey::new(key).unwrap(), call)
}

fn question(key: &str) -> Task {
    let asks = WorkSpec::Human(Human {
        question: "Is it red?".into(),
        kind: CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
        deadline: None,
    });
    Task::new(TaskKey::new(key).unwrap(), asks)
}

/// A mission that asks a person and then writes a file.
async fn mission_of(world: &World, by: Actor) -> String {
    let ask = TaskKey::new("ask").unwrap();
    let file = json!({ "path": "lamp.txt", "text": "red" });
    let tasks = vec![
        question("ask"),
        tool("save", "write_file", &file).after([ask]),
    ];
    let mission = adjutant_host::new_mission_id(world.host().clock().now()).unwrap();
    let start = Start {
        mission,
        scope: Scope::of(acme()),
        plan: Plan::new("Lamp", tasks),
        tools: world.tools(),
        approvals: Vec::new(),
        parent: None,
        began_by: Vec::new(),
    };
    let command = CommandId::from_bits(mission.bits());
    world.host().open(by, command, start).await.unwrap();
    let mission = mission.to_string();
    world.asked(&mission, 0).await;
    mission
}

/// As `execute_workflow` starts it for somebody.
fn program_of(person: &str) -> Actor {
    Actor {
        kind: ActorKind::Agent,
        id: agent("program:coder"),
        role: None,
        on_behalf_of: Some(agent(person)),
    }
}

async fn token_for(world: &World, who: &str, role: AccessRole) -> String {
    give_key(world, &acme(), key_of(world, who, role)).await.1
}

async fn post(world: &World, token: &str, path: &str, body: &Value) -> Response {
    let request = world.bare(Method::POST, path).bearer_auth(token);
    request.body(body.to_string()).send().await.unwrap()
}

#[track_caller]
fn assert_code(told: &Value, status: u16, code: &str, what: &str) {
    assert_eq!(told["status"], status, "{what}: {told}");
    assert_eq!(told["code"], code, "{what}: {told}");
}

fn session_of(mission: &str) -> String {
    let mission: MissionId = mission.parse().unwrap();
    let hex = format!("{:032x}", mission.bits());
    let cuts = [0..8, 8..12, 12..16, 16..20, 20..32];
    cuts.map(|cut| hex[cut].to_owned()).join("-")
}

/// Every route by which a question is answered or a plan changed, as a program would try them one after the other.
async fn attempts(world: &World, mission: &str) -> Vec<(String, Value, &'static str)> {
    let session = session_of(mission);
    let status = world.get(&format!("/api/mode3/{session}/status")).await;
    let checkpoint = &status["pending_checkpoint"]["id"];
    let question = format!("/api/missions/{mission}/checkpoints/0");
    let drop = json!({ "drop": ["save"] });
    vec![
        (
            format!("{question}/decision"),
            json!({ "verdict": "approve" }),
            "ADJ-6236",
        ),
        (
            format!("{question}/decision"),
            json!({ "verdict": "modify", "patch": drop }),
            "ADJ-6236",
        ),
        (format!("{question}/claim"), json!({}), "ADJ-6236"),
        (
            format!("/api/mode3/hitl/{session}/respond"),
            json!({ "checkpoint_id": checkpoint, "decision": "approve" }),
            "ADJ-6236",
        ),
        (
            format!("/api/missions/{mission}/fork"),
            json!({ "decisions": [{ "decision": { "verdict": "approve" } }] }),
            "ADJ-6236",
        ),
        (
            format!("/api/missions/{mission}/commands"),
            json!({ "replan": { "patch": drop, "why": "faster" } }),
            "ADJ-6237",
        ),
    ]
}

#[tokio::test]
async fn nobody_answers_for_their_program_with_the_token_that_it_holds() {
    let world = World::new().await;
    let cody = token_for(&world, "cody", AccessRole::Operator).await;
    let bea = token_for(&world, "bea", AccessRole::Approver).await;
    for (person, token) in [("ann", TOKEN), ("cody", cody.as_str())] {
        let mission = mission_of(&world, program_of(person)).await;
        let attempts = attempts(&world, &mission).await;
        let before = state(&world, &acme()).await;
        for (path, body, code) in &attempts {
            let told = read(post(&world, token, path, body).await).await;
            assert_code(&told, 403, code, &format!("{person} at {path}"));
        }
        assert!(
            state(&world, &acme()).await == before,
            "nothing was changed"
        );

        // Somebody else approves it with a token of their own, and is asked again where it matters.
        for number in [0, 1] {
            world.asked(&mission, number).await;
            let path = format!("/api/missions/{mission}/checkpoints/{number}/decision");
            let approve = json!({ "verdict": "approve" });
            let own = read(post(&world, token, &path, &approve).await).await;
            assert_code(&own, 403, "ADJ-6236", person);
            let others = post(&world, &bea, &path, &approve).await;
            assert_eq!(others.status(), 200, "{person}");
        }
        // It rests before the next one begins.
        world.asked(&mission, 2).await;
    }
    world.stop().await;
}

#[tokio::test]
async fn a_no_and_an_answer_by_mail_are_the_persons_own() {
    let world = World::new().await;
    let mission = mission_of(&world, program_of("ann")).await;
    // The link is in a mail to ann; no token opens it.
    let link = format!("/answer/{}", world.answer_token("own", &mission, 0));
    let form = world.bare(Method::POST, &link).body("verdict=approve");
    let form = form.header("Content-Type", "application/x-www-form-urlencoded");
    assert_eq!(form.send().await.unwrap().status(), 200);
    world.asked(&mission, 1).await;
    let path = format!("/api/missions/{mission}/checkpoints/1/decision");
    let no = json!({ "verdict": "reject", "note": "not now" });
    assert_eq!(post(&world, TOKEN, &path, &no).await.status(), 200);
    world.stop().await;
}

#[tokio::test]
async fn what_people_start_they_still_answer_with_their_token() {
    let world = World::new().await;
    let mission = mission_of(&world, Actor::human(agent("ann"))).await;
    assert_eq!(world.decide(&mission, 0, "approve").await.status(), 200);
    world.asked(&mission, 1).await;
    let question = format!("/api/missions/{mission}/checkpoints/1");
    let claim = post(&world, TOKEN, &format!("{question}/claim"), &json!({})).await;
    assert_eq!(claim.status(), 200);
    assert_eq!(world.decide(&mission, 1, "approve").await.status(), 200);
    world.stop().await;
}

/// The last event of a mission as it stands.
async fn last_event(world: &World, mission: &str) -> u64 {
    let mission = mission.parse().unwrap();
    let (_, head) = world.host().journal(&acme()).read(mission).await.unwrap();
    head.seq
}

#[tokio::test]
async fn a_fork_repeats_an_approved_change_only_for_those_who_may_approve() {
    let world = World::new().await;
    let analyst = token_for(&world, "lea", AccessRole::Analyst).await;
    let operator = token_for(&world, "otto", AccessRole::Operator).await;
    let mission = mission_of(&world, Actor::human(agent("ann"))).await;
    let asked = last_event(&world, &mission).await;
    assert_eq!(world.decide(&mission, 0, "approve").await.status(), 200);
    world.asked(&mission, 1).await;

    let path = format!("/api/missions/{mission}/fork");
    let told = read(post(&world, &analyst, &path, &json!({})).await).await;
    assert_code(&told, 403, "ADJ-9007", "the plan was approved");
    assert!(
        told["detail"].as_str().unwrap().contains("`save`"),
        "{told}"
    );
    // Where its plan is asked about again, nothing is repeated unasked.
    let earlier = post(&world, &analyst, &path, &json!({ "at": asked })).await;
    assert_eq!(earlier.status(), 201);
    let by_operator = post(&world, &operator, &path, &json!({})).await;
    assert_eq!(by_operator.status(), 201);
    world.stop().await;
}

#[tokio::test]
async fn a_program_does_not_repeat_by_a_fork_what_others_approved() {
    let world = World::new().await;
    let bea = token_for(&world, "bea", AccessRole::Approver).await;
    let mission = mission_of(&world, program_of("ann")).await;
    let decision = format!("/api/missions/{mission}/checkpoints/0/decision");
    let approve = json!({ "verdict": "approve" });
    let approved = post(&world, &bea, &decision, &approve).await;
    assert_eq!(approved.status(), 200);
    world.asked(&mission, 1).await;
    let before = state(&world, &acme()).await;
    let path = format!("/api/missions/{mission}/fork");
    let told = read(post(&world, TOKEN, &path, &json!({})).await).await;
    assert_code(&told, 403, "ADJ-6236", "fork");
    assert!(
        state(&world, &acme()).await == before,
        "nothing was changed"
    );

    // A fork that somebody else makes is as little the program's to approve.
    let operator = token_for(&world, "otto", AccessRole::Operator).await;
    let forked = read(post(&world, &operator, &path, &json!({})).await).await;
    let forked = forked["mission"].as_str().unwrap();
    world.asked(forked, 1).await;
    let path = format!("/api/missions/{forked}/checkpoints/1/decision");
    let told = read(post(&world, TOKEN, &path, &approve).await).await;
    assert_code(&told, 403, "ADJ-6236", "its fork");
    assert_eq!(post(&world, &operator, &path, &approve).await.status(), 200);
    world.stop().await;
}

/// Clients that have no token learn where to ask for one.
#[tokio::test]
async fn a_program_without_a_token_is_told_where_it_learns_how_to_get_in() {
    let world = World::new().await;
    let refused = world.bare(Method::POST, "/mcp").body("{}").send().await;
    let refused = refused.unwrap();
    assert_eq!(refused.status(), 401);
    let challenge = refused.headers()["www-authenticate"].to_str().unwrap();
    let address = challenge
        .strip_prefix("Bearer resource_metadata=\"")
        .unwrap();
    let address = address.strip_suffix('"').unwrap();
    let path = address.strip_prefix(&world.base).unwrap();
    let told = read(world.bare(Method::GET, path).send().await.unwrap()).await;
    assert_eq!(told["resource"], format!("{}/mcp", world.base));
    assert_eq!(told["bearer_methods_supported"], json!(["header"]));
    assert!(told["authorization_servers"].is_null(), "{told}");
    world.stop().await;
}
