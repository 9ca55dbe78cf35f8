//! `adjutant serve` as programs meet it: over HTTP, with a token, while it is killed and started again.

use std::process::Command;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::support::{Place, Ran, Running};
use adjutant_stand_ins::models::{Answer, Reply};

use crate::world::{self, DOSSIER, World};

const MODE3_CLIENT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/mode3/client.py"
);

/// A server at work, and how to speak to it.
pub(crate) struct Served {
    pub(crate) running: Running,
    pub(crate) address: String,
    pub(crate) token: String,
    client: reqwest::Client,
    runtime: Arc<Runtime>,
}

impl Served {
    pub(crate) fn start(place: &Place) -> Self {
        // Another test may have done it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let running = place.start(&["serve", "--listen", "127.0.0.1:0", "--json"]);
        let line = running.until("\"serving\"");
        let serving: Value = serde_json::from_str(&line).unwrap();
        let text = |name: &str| serving["serving"][name].as_str().unwrap().to_owned();
        Self {
            address: text("address"),
            token: text("token"),
            running,
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
            runtime: Arc::new(Runtime::new().unwrap()),
        }
    }

    /// The same server as somebody else sees it.
    pub(crate) fn with_token(self, token: &str) -> Self {
        Self {
            token: token.to_owned(),
            ..self
        }
    }

    pub(crate) fn ask(&self, path: &str, body: Option<&Value>) -> (u16, String) {
        let url = format!("{}{path}", self.address);
        let request = match body {
            Some(body) => self.client.post(url).body(body.to_string()),
            None => self.client.get(url),
        };
        let request = request.bearer_auth(&self.token);
        self.runtime.block_on(async {
            let response = request.send().await.unwrap();
            let status = response.status().as_u16();
            let body = response.bytes().await.unwrap();
            (status, String::from_utf8_lossy(&body).into_owned())
        })
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let (status, text) = self.ask(path, None);
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// The UUID of the expert who leads deep dives.
    fn expert(&self) -> String {
        let told = self.get("/api/agents");
        let mut agents = told["agents"].as_array().unwrap().iter();
        let expert = agents.find(|agent| {
            agent["level"] == "L2"
                && agent["missions"]
                    .as_array()
                    .unwrap()
                    .contains(&json!("deep_dive"))
        });
        expert.unwrap()["uuid"].as_str().unwrap().to_owned()
    }
}

fn world() -> World {
    let world = World::without_a_model();
    world.keep(&DOSSIER);
    world
}

/// What the client finds missing of the document, each with its reason in the README there. It may find less, and never
/// more.
const KNOWN_MISSES: &str = include_str!("../../../../../tests/mode3/known-misses.txt");

/// A real mission, with the offline model, by a client in another language whose author knew the document of that API and
/// nothing of this code. It reaches the end that the document demands.
fn client_reaches_the_end(strategy: &str, more: &[&str]) {
    let world = world();
    let served = Served::start(&world.place);
    let client = Command::new("python3")
        .args([MODE3_CLIENT, "--url", &served.address])
        .args(["--token", &served.token, "--agent-id", &served.expert()])
        .args(["--mission-type", "deep_dive", "--strategy", strategy])
        .args(["--message", "Does Velmoran 40 mg lower systolic pressure?"])
        .args(more)
        .output()
        .unwrap();
    let ran = Ran::of(&client);
    let reached = "RESULT: the demanded end was reached";
    assert!(ran.out.contains(reached), "{}{}", ran.out, ran.err);
    for line in ran.out.lines() {
        let Some((_, missed)) = line.split_once(". FAIL ") else {
            continue;
        };
        let known = KNOWN_MISSES.lines().any(|known| missed.starts_with(known));
        assert!(known, "{missed}");
    }
    served.running.signal("-TERM");
    assert_eq!(served.running.end().0, Some(0), "it stops cleanly");
}

#[test]
fn a_client_of_the_mode3_document_that_approves_reaches_the_end() {
    client_reaches_the_end("approve", &["--knowledge-base", "house"]);
}

#[test]
fn a_client_of_the_mode3_document_that_approves_without_sources_reaches_the_end() {
    client_reaches_the_end("approve", &["--no-probes", "--no-cancel"]);
}

#[test]
fn a_client_of_the_mode3_document_that_modifies_reaches_the_end() {
    let quiet = ["--no-probes", "--no-cancel"];
    client_reaches_the_end(
        "modify-once",
        &["--knowledge-base", "house", quiet[0], quiet[1]],
    );
}

#[test]
fn a_client_of_the_mode3_document_that_modifies_without_sources_reaches_the_end() {
    client_reaches_the_end("modify-once", &["--no-probes", "--no-cancel"]);
}

#[test]
fn a_client_of_the_mode3_document_that_rejects_the_plan_reaches_the_end() {
    client_reaches_the_end("reject-plan", &["--no-probes", "--no-cancel"]);
}

const MODE3_PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/mode3/page.py");
/// What the script exits with where there is no browser.
const NO_BROWSER: i32 = 3;

/// A page by an author who knew the document of that API and nothing of this code, in a real browser: no part of it stays
/// empty.
#[test]
fn a_page_of_the_mode3_document_shows_a_mission_live() {
    let world = world();
    let served = Served::start(&world.place);
    let page = Command::new("python3")
        .args([MODE3_PAGE, "--url", &served.address])
        .args(["--token", &served.token, "--agent-id", &served.expert()])
        .args(["--mission-type", "deep_dive", "--knowledge-base", "house"])
        .args(["--message", "Does Velmoran 40 mg lower systolic pressure?"])
        .output()
        .unwrap();
    let ran = Ran::of(&page);
    match ran.code {
        NO_BROWSER => eprintln!("not checked: {}", ran.out),
        code => assert_eq!(code, 0, "{}{}", ran.out, ran.err),
    }
    served.running.signal("-TERM");
    assert_eq!(served.running.end().0, Some(0), "it stops cleanly");
}

/// What was acknowledged is there after the process was killed.
#[test]
fn a_mission_that_was_started_over_http_survives_its_server() {
    let world = world();
    let served = Served::start(&world.place);
    let wanted = json!({
        "mission": "deep_dive",
        "objective": "What is known of Velmoran 40 mg and systolic pressure?",
        "knowledge_bases": ["house"],
        "budget": 2.0,
    });
    let (status, told) = served.ask("/api/missions", Some(&wanted));
    assert_eq!(status, 201, "{told}");
    let told: Value = serde_json::from_str(&told).unwrap();
    let mission = told["mission"].as_str().unwrap();
    served.running.kill();

    let served = Served::start(&world.place);
    let passport = served.get(&format!("/api/missions/{mission}"));
    assert_eq!(passport["mission"]["opened"]["mission"], mission);
    world.approve_until(|_| false);
    let (status, report) = served.ask(&format!("/api/missions/{mission}/report"), None);
    assert_eq!(status, 200, "{report}");
    assert!(report.contains("7.3 mmHg"), "{report}");
    let (status, pdf) = served.ask(&format!("/api/missions/{mission}/report?format=pdf"), None);
    assert_eq!((status, &pdf[..4]), (200, "%PDF"));
    served.running.signal("-INT");
    assert_eq!(served.running.end().0, Some(0));
}

#[test]
fn keys_are_given_and_taken_back_on_the_command_line() {
    let world = World::without_a_model();
    let served = Served::start(&world.place);
    let run = |arguments: &[&str]| {
        let ran = world.place.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.err);
        ran.out
    };
    let added = run(&["access", "add", "bea", "--role", "viewer", "--json"]);
    let added: Value = serde_json::from_str(&added).unwrap();
    let bea = served.with_token(added["token"].as_str().unwrap());
    assert_eq!(bea.ask("/api/missions", None).0, 200);
    let wanted = json!({ "mission": "deep_dive", "objective": "…" });
    assert_eq!(bea.ask("/api/missions", Some(&wanted)).0, 403);
    assert!(run(&["access", "list"]).contains("bea"));
    assert!(run(&["access", "revoke", "bea"]).contains("1 key revoked"));
    assert_eq!(bea.ask("/api/missions", None).0, 401);
    let again = world.place.run(&["access", "revoke", "bea"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("ADJ-6124"), "{}", again.err);
    bea.running.signal("-INT");
    assert_eq!(bea.running.end().0, Some(0));
}

#[test]
fn a_server_is_not_started_where_it_would_be_overheard() {
    let place = Place::new();
    let open = place.run(&["serve", "--listen", "0.0.0.0:0"]);
    assert_eq!(open.code, 2);
    assert!(open.err.contains("ADJ-6120"), "{}", open.err);
}

/// When a model plans, the mission that asks it is opened by whoever asked the server, not by its operator.
#[test]
fn a_mission_that_plans_is_opened_in_the_name_of_the_caller() {
    let world = World::with_a_model("", |received| {
        Reply::Answer(Answer::new(world::read(received).text))
    });
    world.keep(&DOSSIER);
    let mut served = Served::start(&world.place);
    let key = json!({ "who": "bea", "role": "analyst", "expires_in_days": 30 });
    let (status, given) = served.ask("/api/access", Some(&key));
    assert_eq!(status, 201, "{given}");
    let given: Value = serde_json::from_str(&given).unwrap();
    served.token = given["token"].as_str().unwrap().to_owned();
    let wanted = json!({
        "mission": "go_no_go", "objective": "Should Velmoran 40 mg go on?",
        "knowledge_bases": ["house"], "budget": 5.0,
    });
    let (status, started) = served.ask("/api/missions", Some(&wanted));
    assert_eq!(status, 201, "{started}");
    let listed = served.get("/api/missions");
    let missions = listed["missions"].as_array().unwrap();
    // A model was asked for the plan.
    let mut rows = missions.iter();
    let planning = rows.find(|row| row["title"].as_str().unwrap().starts_with("The plan of"));
    let planning = planning.unwrap();
    let id = planning["mission"].as_str().unwrap();
    served.running.kill();
    let events = world.place.run(&["events", id, "--json"]);
    let opened: Value = serde_json::from_str(events.out.lines().next().unwrap()).unwrap();
    assert_eq!(opened["actor"]["id"], "bea", "{opened}");
    let waiver = &opened["event"]["data"]["approvals"][0];
    assert!(!waiver.to_string().contains("\"you\""), "{waiver}");
}
