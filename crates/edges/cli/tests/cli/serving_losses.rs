//! What a server loses when it is killed, and when its database is: nothing that it has acknowledged or told.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use adjutant_postgres_cluster::{Cluster, Database, Durability};
use serde_json::{Value, json};

use crate::serving::Served;
use crate::support::Place;

const PATIENCE: Duration = Duration::from_secs(60);
const CLIENTS: usize = 4;
/// Acknowledged commands after which the server is killed.
const ENOUGH: usize = 60;

/// A mission of the data folder that waits in steps, one after the other.
fn teach(place: &Place, steps: usize, seconds: f64) {
    let mut text = String::from(
        "id: waits\nname: Waits\ncategory: understand\nversion: 1\nabout: Waits in small steps\n\
         expert: L2-research-coordinator\nspecialists: []\nworkers: [L4-DE]\ntools: []\n\
         reasoning: {patterns: [chain_of_thought], max_iterations: 1, confidence_threshold: 0.5}\n\
         methods: []\nestimate: {cost: {from: $0.00, to: $0.01}, time: {from: 1m, to: 2m}}\n\
         deliverable: {kind: deep_dive, sections: [None]}\ninputs: []\ncheckpoints: []\ntasks:\n",
    );
    for n in 0..steps {
        let after = match n {
            0 => String::new(),
            n => format!("after: s{}, ", n - 1),
        };
        writeln!(
            text,
            "  - {{id: s{n}, {after}tool: sleep, with: {{seconds: {seconds}}}}}"
        )
        .unwrap();
    }
    let folder = place.home().join("missions");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("waits.yaml"), text).unwrap();
}

/// A client that is told when the server is gone, and does not mind.
struct Client {
    address: String,
    token: String,
}

impl Client {
    /// The status, the headers and the body, or nothing if no whole answer came.
    fn ask(&self, path: &str, body: Option<&Value>) -> Option<(u16, String, Value)> {
        let host = self.address.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let method = if body.is_some() { "POST" } else { "GET" };
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.token,
            body.len()
        );
        stream.write_all(request.as_bytes()).ok()?;
        let answer = std::io::read_to_string(stream).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        // A body that was cut off is no JSON.
        let body = serde_json::from_str(body).ok()?;
        Some((status, head.to_ascii_lowercase(), body))
    }

    fn status(&self, path: &str, body: Option<&Value>) -> u16 {
        self.ask(path, body).map_or(0, |(status, _, _)| status)
    }

    /// The ids and names of a mission's events, as they come, until the stream ends.
    fn follow(&self, mission: &str) -> Receiver<(String, String)> {
        let host = self.address.trim_start_matches("http://").to_owned();
        let mut stream = TcpStream::connect(&host).unwrap();
        let request = format!(
            "GET /api/missions/{mission}/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
            self.token
        );
        stream.write_all(request.as_bytes()).unwrap();
        let (to, events) = mpsc::channel();
        std::thread::spawn(move || {
            let mut id = String::new();
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                if let Some(told) = line.strip_prefix("id: ") {
                    told.clone_into(&mut id);
                }
                if let Some(name) = line.strip_prefix("event: ")
                    && to.send((id.clone(), name.to_owned())).is_err()
                {
                    return;
                }
            }
        });
        events
    }
}

fn client(served: &Served) -> Client {
    Client {
        address: served.address.clone(),
        token: served.token.clone(),
    }
}

/// Starts a mission, approves its plan, and pauses and resumes it until the server is gone. What is told is what was
/// acknowledged: the mission, and a text that its journal must hold.
fn command(client: &Client, name: usize, did: &mpsc::Sender<(String, String)>) -> Option<()> {
    let wanted = json!({ "mission": "waits", "objective": "To be paused" });
    let (status, _, told) = client.ask("/api/missions", Some(&wanted))?;
    assert_eq!(status, 201, "{told}");
    let mission = told["mission"].as_str()?.to_owned();
    did.send((mission.clone(), "mission_opened/1".to_owned()))
        .ok()?;
    let note = format!("yes of {name}.");
    let path = format!("/api/missions/{mission}/checkpoints/0/decision");
    let yes = json!({ "verdict": "approve", "note": note });
    let (status, _, told) = client.ask(&path, Some(&yes))?;
    assert_eq!(status, 200, "{told}");
    did.send((mission.clone(), note)).ok()?;
    let path = format!("/api/missions/{mission}/commands");
    for n in 0.. {
        let reason = format!("pause {n} of {name}.");
        let pause = json!({ "pause": { "reason": reason } });
        let (status, _, told) = client.ask(&path, Some(&pause))?;
        assert_eq!(status, 200, "{told}");
        did.send((mission.clone(), reason)).ok()?;
        let (status, _, told) = client.ask(&path, Some(&json!("resume")))?;
        assert_eq!(status, 200, "{told}");
    }
    None
}

#[test]
fn a_killed_server_has_kept_every_command_that_it_acknowledged() {
    let place = Place::new();
    teach(&place, 100, 0.5);
    let served = Served::start(&place);
    let (to, did) = mpsc::channel();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|name| {
            let (client, to) = (client(&served), to.clone());
            std::thread::spawn(move || command(&client, name, &to))
        })
        .collect();
    drop(to);
    let mut acknowledged: Vec<(String, String)> = (0..ENOUGH)
        .map(|_| did.recv_timeout(PATIENCE).unwrap())
        .collect();
    served.running.kill();
    for client in clients {
        client.join().unwrap();
    }
    acknowledged.extend(did.iter());

    let served = Served::start(&place);
    for (mission, trace) in &acknowledged {
        served.get(&format!("/api/missions/{mission}"));
        let told = place.run(&["events", mission, "--json"]);
        assert_eq!(told.code, 0, "{}", told.err);
        assert!(told.out.contains(trace), "`{trace}` is lost: {}", told.out);
    }
    drop(served);
    let verified = place.run(&["verify", "--all"]);
    assert_eq!(verified.code, 0, "{}", verified.out);
}

#[test]
fn a_server_says_so_while_its_database_is_away_and_goes_on_after_it() {
    let mut cluster = Cluster::start(Durability::Full).unwrap();
    let database = Database::fresh_in(&cluster).unwrap();
    let place = Place::on(database.address());
    teach(&place, 10, 0.3);
    let served = Served::start(&place);
    let client = client(&served);
    let wanted = json!({ "mission": "waits", "objective": "To be interrupted" });
    let (status, _, told) = client.ask("/api/missions", Some(&wanted)).unwrap();
    assert_eq!(status, 201, "{told}");
    let mission = told["mission"].as_str().unwrap().to_owned();
    let about = format!("/api/missions/{mission}");
    let yes = json!({ "verdict": "approve" });
    let events = client.follow(&mission);
    let plan = format!("{about}/checkpoints/0/decision");
    assert_eq!(client.status(&plan, Some(&yes)), 200);
    let mut heard = Vec::new();
    let mut hear_until = |name: &str| {
        loop {
            let event = events.recv_timeout(PATIENCE).unwrap();
            let is_it = event.1 == name;
            heard.push(event);
            if is_it {
                return;
            }
        }
    };
    hear_until("tool_result");

    cluster.kill_9().unwrap();
    let pause = json!({ "pause": { "reason": "while it is away" } });
    let commands = format!("{about}/commands");
    let asked = [
        ("/api/missions", None),
        ("/api/inbox", None),
        (&*about, None),
        (&*commands, Some(&pause)),
        ("/api/missions", Some(&wanted)),
        ("/ready", None),
    ];
    for (path, body) in asked {
        let (status, head, told) = client.ask(path, body).unwrap();
        assert_eq!(status, 503, "{path}: {told}");
        assert!(head.contains("\r\nretry-after: "), "{path}: {head}");
        let code = told["code"].as_str().unwrap();
        assert!(code.starts_with("ADJ-"), "{path}: {told}");
    }
    assert_eq!(client.status("/health", None), 200, "it is alive");

    cluster.restart().unwrap();
    let back = Instant::now();
    while client.status("/ready", None) != 200 {
        assert!(back.elapsed() < PATIENCE, "it does not come back");
    }
    assert_eq!(client.status(&about, None), 200);
    hear_until("checkpoint_final_review");
    let review = format!("{about}/checkpoints/1/decision");
    assert_eq!(client.status(&review, Some(&yes)), 200);
    hear_until("complete");
    let whole: Vec<_> = client.follow(&mission).iter().collect();
    assert_eq!(heard, whole, "every event once, in order");
    served.running.signal("-TERM");
    assert_eq!(served.running.end().0, Some(0));
}
