//! The thirteen tools of agents in one plan, against the stand-ins of public databases.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};

use adjutant_stand_ins::databases::{Server, StandIns};
use tokio::runtime::Runtime;

use crate::support::Place;

const PLAN: &str = include_str!("../../../../../examples/thirteen-tools.yaml");
const DOCUMENTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../samples/velmoran/documents"
);

/// Which stand-ins each task asks.
const ASKS: [(&str, &[&str]); 7] = [
    ("literature", &["pubmed"]),
    ("trials", &["trials"]),
    ("reports", &["fda"]),
    ("rivals", &["ema"]),
    ("patents", &["uspto", "epo"]),
    ("press", &["newsapi", "feeds"]),
    ("pages", &["tavily"]),
];

/// Time that goes by with every request, so that no limit is ever reached.
fn now() -> u64 {
    static NOW: AtomicU64 = AtomicU64::new(1_790_000_000_000);
    NOW.fetch_add(10_000, Ordering::Relaxed)
}

fn with_stand_ins(runtime: &Runtime) -> (Place, Server) {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let started = Server::start(address, StandIns::default(), now);
    let server = runtime.block_on(started).unwrap();
    let place = Place::new();
    let settings = format!("[lookups]\nstand_in = '{}'\n", server.url());
    place.set(settings);
    place.write("plan.yaml", PLAN);
    let added = place.run(&["kb", "add", DOCUMENTS, "-n", "velmoran"]);
    assert_eq!(added.code, 0, "{}", added.err);
    (place, server)
}

/// How often each task's databases were asked.
fn asked(server: &Server) -> BTreeMap<&'static str, usize> {
    let answered = server.answered(0);
    let count = |names: &[&str]| {
        let of = |line: &&String| names.contains(&line.split('/').nth(1).unwrap_or_default());
        answered.iter().filter(of).count()
    };
    ASKS.iter()
        .map(|(task, names)| (*task, count(names)))
        .collect()
}

#[test]
fn all_thirteen_run_survive_a_kill_and_repeat_no_call() {
    let runtime = Runtime::new().unwrap();
    let (place, server) = with_stand_ins(&runtime);
    let undisturbed = place.run(&["run", "plan.yaml", "--yes"]);
    assert_eq!(undisturbed.code, 0, "{}", undisturbed.err);
    let once = asked(&server);
    assert!(once.values().all(|count| *count > 0), "{once:?}");
    let page = place.home().join("files/thirteen-tools.md");
    let whole = std::fs::read_to_string(&page).unwrap();
    assert!(whole.contains("PMID: 99000101"), "{whole}");

    let (place, server) = with_stand_ins(&runtime);
    let running = place.start(&["run", "plan.yaml", "--yes"]);
    let mut done = Vec::new();
    while !done.iter().any(|task| task == "references") {
        let line = running.until(" done ");
        let task = line
            .split_whitespace()
            .skip_while(|word| *word != "done")
            .nth(1);
        done.extend(task.map(str::to_owned));
    }
    running.kill();
    let up = place.start(&["up"]);
    up.until("completed");
    let page = place.home().join("files/thirteen-tools.md");
    assert_eq!(std::fs::read_to_string(&page).unwrap(), whole);
    let both = asked(&server);
    for (task, count) in &once {
        // What was cut off on its way is asked again; what had come is not.
        if done.iter().any(|known| known == task) {
            assert_eq!(both[task], *count, "{task}, done before: {done:?}");
        }
    }
    assert!(done.len() > 3, "{done:?}");
    up.signal("-INT");
    assert_eq!(up.end().0, Some(0));
    assert_eq!(place.run(&["verify", "--all"]).code, 0);
}
