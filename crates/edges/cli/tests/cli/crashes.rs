//! Real crashes: the real program with many missions under way, killed without warning, on both stores; and the
//! database server killed under it.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use adjutant_postgres_cluster::{Cluster, Database, Durability};
use serde_json::Value;

use crate::support::{Place, Running};

const MISSIONS: usize = 40;
const KILLS: usize = 20;
/// How long a host that stands by may take once the other one is dead.
const TAKES_OVER_WITHIN: Duration = Duration::from_secs(5);
/// How long a host may take to find its database server again.
const BACK_WITHIN: Duration = Duration::from_secs(60);
/// How long what is left may take once nothing is killed any more.
const SETTLED_WITHIN: Duration = Duration::from_secs(120);
/// Longest wait for the world to move on before the next kill: everything may have come to rest.
const STILL: Duration = Duration::from_secs(1);
/// The same where a new host pays nothing before the lease of the former one has run out.
const STILL_WITH_LEASES: Duration = Duration::from_secs(5);

/// A service that counts what reaches it, and takes its time to answer so that a kill finds calls under way.
pub(crate) struct Service {
    port: u16,
    still: Duration,
    seen: Arc<(Mutex<Seen>, Condvar)>,
}

#[derive(Default)]
struct Seen {
    requests: usize,
    /// How often each `once` call came, by its idempotency key and by what it paid for.
    by_key: BTreeMap<String, usize>,
    by_path: BTreeMap<String, usize>,
}

impl Service {
    /// For hosts that have leases.
    pub(crate) fn patient() -> Self {
        Self {
            still: STILL_WITH_LEASES,
            ..Self::start()
        }
    }

    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new((Mutex::new(Seen::default()), Condvar::new()));
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let seen = Arc::clone(&shared);
                std::thread::spawn(move || answer(stream, &seen));
            }
        });
        Self {
            port,
            still: STILL,
            seen,
        }
    }

    pub(crate) fn requests(&self) -> usize {
        self.seen.0.lock().unwrap().requests
    }

    /// Waits until so many requests have come in all, or none comes any more.
    pub(crate) fn wait_for(&self, requests: usize) {
        let (seen, moved) = &*self.seen;
        let mut seen = seen.lock().unwrap();
        while seen.requests < requests {
            let (next, timeout) = moved.wait_timeout(seen, self.still).unwrap();
            seen = next;
            if timeout.timed_out() {
                return;
            }
        }
    }
}

fn answer(stream: TcpStream, seen: &(Mutex<Seen>, Condvar)) {
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    loop {
        let mut request = String::new();
        if reader.read_line(&mut request).unwrap_or(0) == 0 {
            return;
        }
        let (mut key, mut length) = (String::new(), 0);
        loop {
            let mut header = String::new();
            if reader.read_line(&mut header).unwrap_or(0) == 0 {
                return;
            }
            let header = header.trim().to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(value) = header.strip_prefix("idempotency-key: ") {
                key = value.to_owned();
            }
            if let Some(value) = header.strip_prefix("content-length: ") {
                length = value.parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let slowness = {
            let mut seen_now = seen.0.lock().unwrap();
            seen_now.requests += 1;
            if request.starts_with("POST") {
                *seen_now.by_key.entry(key).or_default() += 1;
                let path = request.split(' ').nth(1).unwrap().to_owned();
                *seen_now.by_path.entry(path).or_default() += 1;
            }
            seen_now.requests % 7
        };
        seen.1.notify_all();
        std::thread::sleep(Duration::from_millis(3 * slowness as u64));
        let ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: application/json\r\n\r\n{}";
        if writer.write_all(ok.as_bytes()).is_err() {
            return;
        }
    }
}

fn plan(port: u16) -> String {
    let mut text = String::from("title: Crash me\ninputs: {n: 0}\ntasks:\n");
    let mut after = String::new();
    for step in 0..4 {
        let (tool, verb) = if step % 2 == 0 {
            ("http", "look")
        } else {
            ("http_post", "pay")
        };
        let url = format!("http://127.0.0.1:{port}/{verb}/{{{{inputs.n}}}}/{step}");
        text.push_str(&format!(
            "- {{id: t{step}, {after}tool: {tool}, with: {{url: '{url}'}}}}\n"
        ));
        after = format!("after: t{step}, ");
    }
    text
}

pub(crate) fn set_up(place: &Place, service: &Service) {
    place.set("[tools]\nprivate_hosts = ['127.0.0.1']\n[tools.http]\nhosts = ['127.0.0.1']\n");
    place.write("plan.yaml", plan(service.port));
}

pub(crate) fn up(place: &Place) -> Running {
    let host = place.start(&["up"]);
    host.until("Up.");
    host
}

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub(crate) fn open(place: &Place, n: usize) {
    let input = format!("n={n}");
    let opened = place.run(&["run", "plan.yaml", "--yes", "--detach", "--input", &input]);
    assert_eq!(opened.code, 0, "{}", opened.err);
}

#[test]
fn twenty_kills_lose_nothing_and_repeat_nothing() {
    twenty_kills(&Place::new(), &Service::start());
}

#[test]
fn twenty_kills_lose_nothing_and_repeat_nothing_on_postgresql() {
    let database = Database::fresh().unwrap();
    twenty_kills(&Place::on(database.address()), &Service::patient());
}

fn twenty_kills(place: &Place, service: &Service) {
    set_up(place, service);
    let mut host = up(place);
    for n in 0..MISSIONS {
        open(place, n);
        if n % 2 == 1 && n / 2 < KILLS {
            // A different distance each time, so that the kill lands somewhere else each time.
            service.wait_for(service.requests() + 1 + (n * 7) % 11);
            host.kill();
            host = up(place);
        }
    }
    let doubts = settle(place, MISSIONS);
    drop(host);
    nothing_is_lost_or_repeated(place, service, MISSIONS, doubts);
}

/// Three hosts after one another, each killed under load while the next one stands by.
#[test]
fn who_stands_by_takes_over_under_load() {
    let database = Database::fresh().unwrap();
    let service = Service::start();
    let first = Place::on(database.address());
    set_up(&first, &service);
    let mut host = up(&first);
    let places = [first.another(), first.another()];
    for place in &places {
        set_up(place, &service);
    }
    let mut place = &first;
    for (turn, next) in places.iter().enumerate() {
        let standing_by = next.start(&["up", "--json"]);
        standing_by.until("standing_by");
        for n in 0..MISSIONS / 4 {
            open(place, turn * (MISSIONS / 4) + n);
        }
        service.wait_for(service.requests() + 5);
        host.kill();
        let killed = std::time::Instant::now();
        standing_by.until("unfinished");
        let away = killed.elapsed();
        assert!(away < TAKES_OVER_WITHIN, "it took {away:?}");
        (host, place) = (standing_by, next);
    }
    for n in MISSIONS / 2..MISSIONS {
        open(place, n);
    }
    let doubts = settle(place, MISSIONS);
    drop(host);
    nothing_is_lost_or_repeated(place, &service, MISSIONS, doubts);
}

/// A host that slept while its sessions were ended finds another one at work, and goes.
#[test]
fn who_was_taken_over_stops() {
    let database = Database::fresh().unwrap();
    let service = Service::start();
    let place = Place::on(database.address());
    set_up(&place, &service);
    let first = up(&place);
    for n in 0..4 {
        open(&place, n);
    }
    service.wait_for(2);
    first.signal("-STOP");
    database.end_sessions().unwrap();
    let other = place.another();
    set_up(&other, &service);
    let second = up(&other);
    first.signal("-CONT");
    let (code, told) = first.end();
    assert_eq!(code, Some(4), "{told}");
    assert!(told.contains("ADJ-3016"), "{told}");
    let found = other.run(&["list"]);
    assert_eq!(found.code, 0, "{}", found.err);
    drop(second);
}

/// The host waits out a server that dies under load, and what it had confirmed is there.
#[test]
fn a_killed_database_server_loses_nothing() {
    let mut cluster = Cluster::start(Durability::Full).unwrap();
    let database = Database::fresh_in(&cluster).unwrap();
    let place = Place::on(database.address());
    let service = Service::start();
    set_up(&place, &service);
    let host = up(&place);
    for n in 0..MISSIONS {
        open(&place, n);
        if n % 10 == 9 {
            service.wait_for(service.requests() + 3);
            cluster.kill_9().unwrap();
            cluster.restart().unwrap();
            // Until the host has found the server again, it refuses, and says so.
            let killed = std::time::Instant::now();
            loop {
                let signed = place.run(&["sign"]);
                if signed.code == 0 {
                    break;
                }
                assert!(killed.elapsed() < BACK_WITHIN, "{}", signed.err);
            }
        }
    }
    let doubts = settle(&place, MISSIONS);
    drop(host);
    nothing_is_lost_or_repeated(&place, &service, MISSIONS, doubts);
}

pub(crate) fn nothing_is_lost_or_repeated(
    place: &Place,
    service: &Service,
    missions: usize,
    doubts: usize,
) {
    let verified = place.run(&["verify", "--all"]);
    assert_eq!(verified.code, 0, "{}", verified.out);
    for row in rows(&place.run(&["list", "--all", "--json"]).out) {
        assert_eq!(row["phase"], "completed", "{row}");
        let mission = row["mission"].as_str().unwrap();
        let events = rows(&place.run(&["events", mission, "--json"]).out);
        let completed = |event: &&Value| event["event"]["type"] == "task_completed/1";
        let mut done: Vec<&str> = events
            .iter()
            .filter(completed)
            .map(|event| event["event"]["data"]["task"].as_str().unwrap())
            .collect();
        done.sort_unstable();
        assert_eq!(
            done,
            ["t0", "t1", "t2", "t3"],
            "each recorded once, in {mission}"
        );
    }
    let seen = service.seen.0.lock().unwrap();
    let repeated = |counts: &BTreeMap<String, usize>| {
        counts
            .iter()
            .filter(|(_, count)| **count > 1)
            .map(|(what, _)| what.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        repeated(&seen.by_key),
        Vec::<String>::new(),
        "sent twice without a human"
    );
    assert_eq!(
        repeated(&seen.by_path),
        Vec::<String>::new(),
        "paid twice without a human"
    );
    // Every payment either arrived or was in doubt and answered for by a human.
    assert!(seen.by_path.len() + doubts >= 2 * missions);
    println!("{} requests, {doubts} effects in doubt", seen.requests);
}

/// Answers what only a human can, until every mission has ended; says how often that was.
pub(crate) fn settle(place: &Place, missions: usize) -> usize {
    let mut doubts = 0;
    let began = std::time::Instant::now();
    loop {
        assert!(began.elapsed() < SETTLED_WITHIN, "missions hang");
        for question in rows(&place.run(&["inbox", "--json"]).out) {
            let checkpoint = question["checkpoint"].as_str().unwrap();
            let looked = [
                "decide",
                checkpoint,
                "approve",
                "--option",
                "mark_done",
                "--note",
                "looked",
            ];
            let decided = place.run(&looked);
            assert_eq!(decided.code, 0, "{}", decided.err);
            doubts += 1;
        }
        let found = rows(&place.run(&["list", "--all", "--json"]).out);
        assert_eq!(found.len(), missions, "{found:#?}");
        let ended = |row: &Value| {
            ["completed", "failed", "cancelled"].contains(&row["phase"].as_str().unwrap())
        };
        if found.iter().all(ended) {
            return doubts;
        }
    }
}
