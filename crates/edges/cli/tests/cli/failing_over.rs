//! Two real hosts on one PostgreSQL server, and one of them stands still. Whatever it was about to send, it does not
//! send once it may have lost the store.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use adjutant_postgres_cluster::Database;
use serde_json::Value;

use crate::crashes::{Service, nothing_is_lost_or_repeated, open, set_up, settle, up};
use crate::support::Place;

/// A host that hangs is given up after 8 s; the rest is for a busy machine.
const TAKEN_OVER_WITHIN: Duration = Duration::from_secs(20);
/// How often a host is lost in a row. `FAILOVERS=200` takes about half an hour.
const FAILOVERS: usize = 6;
/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// Pays, and notes each payment. Once it has said what it offers, it says that this has changed, so that it is asked
/// again right before it is called; and it does not answer that for as long as there is a file `wait` beside it.
const CASHIER: &str = r#"
import json, os, sys, time
here, asked = sys.argv[1], 0
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    method, result = request["method"], {}
    if method == "initialize":
        result = {"protocolVersion": request["params"]["protocolVersion"], "capabilities": {"tools": {"listChanged": True}},
                  "serverInfo": {"name": "cashier", "version": "1"}}
    elif method == "tools/list":
        asked += 1
        if asked > 1:
            open(os.path.join(here, "asked"), "a").write("x")
            while os.path.exists(os.path.join(here, "wait")):
                time.sleep(0.05)
        result = {"tools": [{"name": "pay", "inputSchema": {"type": "object"}}]}
    elif method == "tools/call":
        open(sys.argv[2], "a").write(here + "\n")
        result = {"content": [{"type": "text", "text": "paid"}]}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
    if asked == 1 and method == "tools/list":
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}), flush=True)
"#;

const PLAN: &str = "
title: Pay once
tasks:
  - {id: pay, tool: cashier.pay}
";

fn python() -> String {
    let found = Command::new("sh")
        .args(["-c", "command -v python3"])
        .output();
    String::from_utf8(found.unwrap().stdout)
        .unwrap()
        .trim()
        .to_owned()
}

/// A place whose payments are all noted in one file.
fn with_cashier(place: &Place, payments: &Path) {
    let folder = place.path().canonicalize().unwrap();
    place.write("cashier.py", CASHIER);
    place.write("plan.yaml", PLAN);
    let (python, folder, payments) = (python(), folder.display(), payments.display());
    place.set(format!(
        "[mcp.cashier]\ncommand = ['{python}', '{folder}/cashier.py', '{folder}', '{payments}']\nstart_seconds = 60\n\
         timeout_seconds = 120\n"
    ));
}

fn until(what: &str, mut happened: impl FnMut() -> bool) {
    let began = Instant::now();
    while !happened() {
        assert!(began.elapsed() < PATIENCE, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn payments(file: &Path) -> usize {
    std::fs::read_to_string(file).map_or(0, |text| text.lines().count())
}

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The host is about to pay, stands still, loses its sessions, and another takes over. A person has the payment made
/// again there. When the first host moves on, it must not pay as well.
#[test]
fn a_host_that_stood_still_does_not_send_what_another_has_sent() {
    let database = Database::fresh().unwrap();
    let first = Place::on(database.address());
    let paid = first.path().canonicalize().unwrap().join("payments");
    with_cashier(&first, &paid);
    let host = up(&first);
    first.write("wait", "");
    let opened = first.run(&["run", "plan.yaml", "--yes", "--detach"]);
    assert_eq!(opened.code, 0, "{}", opened.err);
    let asked = first.path().join("asked");
    until("the call", || {
        let started = first.run(&["events", "last", "--json"]).out;
        started.contains("effect_started") && asked.exists()
    });
    host.signal("-STOP");
    database.end_sessions().unwrap();

    let second = first.another();
    with_cashier(&second, &paid);
    let other = up(&second);
    until("the question whether it was paid", || {
        !rows(&second.run(&["inbox", "--json"]).out).is_empty()
    });
    assert_eq!(payments(&paid), 0);
    let retried = second.run(&["decide", "last", "approve", "--option", "retry"]);
    assert_eq!(retried.code, 0, "{}", retried.err);
    until("the payment", || payments(&paid) == 1);

    // The first one's server answers at last, and the host moves on.
    std::fs::remove_file(first.path().join("wait")).unwrap();
    host.signal("-CONT");
    let (code, told) = host.end();
    assert_eq!(code, Some(4), "{told}");
    assert!(told.contains("ADJ-3016"), "{told}");
    assert_eq!(payments(&paid), 1, "it was paid twice");
    until("the end", || {
        rows(&second.run(&["list", "--all", "--json"]).out)[0]["phase"] == "completed"
    });
    assert_eq!(second.run(&["verify", "--all"]).code, 0);
    drop(other);
}

/// A host that hangs keeps its connections. The one that stands by does not wait for it for ever.
#[test]
fn who_stands_by_takes_over_from_a_host_that_hangs() {
    let database = Database::fresh().unwrap();
    let first = Place::on(database.address());
    let paid = first.path().canonicalize().unwrap().join("payments");
    with_cashier(&first, &paid);
    let host = up(&first);
    let second = first.another();
    with_cashier(&second, &paid);
    let other = second.start(&["up", "--json"]);
    other.until("standing_by");
    host.signal("-STOP");
    let hung = Instant::now();
    other.until("unfinished");
    let away = hung.elapsed();
    assert!(away < TAKEN_OVER_WITHIN, "it took {away:?}");
    println!("a host that hangs was replaced after {away:?}");
    let opened = second.run(&["run", "plan.yaml", "--yes", "--detach"]);
    assert_eq!(opened.code, 0, "{}", opened.err);
    until("the payment", || payments(&paid) == 1);
    host.signal("-CONT");
    let (code, told) = host.end();
    assert_eq!(code, Some(4), "{told}");
    assert_eq!(payments(&paid), 1);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loss {
    Killed,
    Paused,
    Disconnected,
}

/// The same numbers each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// Two hosts in turns: the one at work is killed, paused or cut off, and the one that stands by goes on.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "how long a test takes is no setting of the product"
)]
fn random_kills_pauses_and_lost_connections_send_nothing_twice() {
    let failovers = std::env::var("FAILOVERS").map_or(FAILOVERS, |text| text.parse().unwrap());
    let database = Database::fresh().unwrap();
    let service = Service::patient();
    let first = Place::on(database.address());
    set_up(&first, &service);
    let mut host = up(&first);
    let second = first.another();
    set_up(&second, &service);
    let places = [&first, &second];
    let (mut missions, mut took) = (0, Vec::new());
    let mut random = Random(23);
    for turn in 0..failovers {
        let (place, next) = (places[turn % 2], places[(turn + 1) % 2]);
        let standing_by = next.start(&["up", "--json"]);
        standing_by.until("standing_by");
        for _ in 0..=random.below(3) {
            open(place, missions);
            missions += 1;
        }
        service.wait_for(service.requests() + random.below(8));
        let loss = [Loss::Killed, Loss::Paused, Loss::Disconnected][random.below(3)];
        let lost = Instant::now();
        match loss {
            Loss::Killed => host.signal("-KILL"),
            Loss::Paused => host.signal("-STOP"),
            Loss::Disconnected => database.end_sessions().unwrap(),
        }
        standing_by.until("unfinished");
        took.push((loss, lost.elapsed()));
        // A host that moves on does so at any time, also when the other one has long been at work.
        std::thread::sleep(Duration::from_millis(random.below(2_000) as u64));
        host.signal("-CONT");
        // It stops by itself once it notices.
        let (code, told) = host.end();
        host = standing_by;
        assert!(loss == Loss::Killed || code == Some(4), "{loss:?}: {told}");
    }
    let place = places[failovers % 2];
    let doubts = settle(place, missions);
    drop(host);
    nothing_is_lost_or_repeated(place, &service, missions, doubts);
    for wanted in [Loss::Killed, Loss::Paused, Loss::Disconnected] {
        let mut times: Vec<_> = took.iter().filter(|(loss, _)| *loss == wanted).collect();
        times.sort_by_key(|(_, took)| *took);
        let at = |percent: usize| times.get((times.len().saturating_sub(1)) * percent / 100);
        println!(
            "{wanted:?}: {} times, p50 {:?}, p99 {:?}",
            times.len(),
            at(50).map(|(_, took)| *took),
            at(99).map(|(_, took)| *took)
        );
    }
}
