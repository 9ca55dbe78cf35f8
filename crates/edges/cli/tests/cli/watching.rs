//! Missions that are repeated, from the approval over the trigger to the report that tells only what is new.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};

use adjutant_stand_ins::databases::{Server, StandIns};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::support::{Place, Ran};

const OBJECTIVE: &str = "Which signs are there for tidal power?";
const FIRST: &str = "# Tidal power\n\nA yard launched a tidal turbine in May 2026 and plans ten more of them by May 2030. A ministry \
                     proposed a new licence for tidal power plants on this coast.\n";
const SECOND: &str = "# Tidal power, later\n\nA court expects to consider in March 2030 whether tidal power harms the seals of the bay.\n";

fn now() -> u64 {
    static NOW: AtomicU64 = AtomicU64::new(1_790_000_000_000);
    NOW.fetch_add(10_000, Ordering::Relaxed)
}

fn place(runtime: &Runtime) -> (Place, Server) {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = runtime
        .block_on(Server::start(address, StandIns::default(), now))
        .unwrap();
    let place = Place::new();
    place.set(format!("[lookups]\nstand_in = '{}'\n", server.url()));
    place.write("first.md", FIRST);
    place.write("second.md", SECOND);
    (place, server)
}

#[track_caller]
fn done(place: &Place, arguments: &[&str]) -> Ran {
    let ran = place.run(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    ran
}

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn triggers(place: &Place) -> Vec<Value> {
    rows(&done(place, &["trigger", "list", "--all", "--json"]).out)
}

fn report(place: &Place, mission: &str) -> Value {
    let told = done(place, &["report", mission, "--format", "json"]).out;
    serde_json::from_str::<Value>(&told).unwrap()["document"].clone()
}

/// The texts of what a report says, without its sources.
fn told(document: &Value) -> String {
    format!("{}{}", document["summary"], document["sections"])
}

fn last_id(place: &Place) -> String {
    let missions = rows(&done(place, &["list", "--all", "--json"]).out);
    missions[0]["mission"].as_str().unwrap().to_owned()
}

#[test]
fn a_watch_leaves_a_trigger_and_its_repetition_tells_only_what_is_new() {
    let runtime = Runtime::new().unwrap();
    let (place, _server) = place(&runtime);
    done(&place, &["kb", "add", "first.md", "-n", "tides"]);
    let start = [
        "mission",
        "start",
        "horizon_scanning",
        OBJECTIVE,
        "--yes",
        "--kb",
        "tides",
    ];
    // By the minute, so that the time comes soon; at most three times.
    done(
        &place,
        &[
            &start[..],
            &["--input", "every=FREQ=MINUTELY", "--input", "runs=3"],
        ]
        .concat(),
    );
    let first = last_id(&place);
    let document = told(&report(&place, &first));
    assert!(
        document.contains("ten more of them") && document.contains("a new licence"),
        "{document}"
    );
    let left = triggers(&place);
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["trigger"]["repeat_max"], 3);
    let shown = done(&place, &["trigger", "list"]).out;
    assert!(
        shown.contains(&format!("left by {}", &first[first.len() - 6..])),
        "{shown}"
    );

    done(&place, &["kb", "add", "second.md", "-n", "tides"]);
    let host = place.start(&["up"]);
    host.until("Up.");
    while triggers(&place)[0]["state"]["fired"] != 1 {
        std::thread::yield_now();
    }
    host.until("completed");
    host.signal("-INT");
    assert_eq!(host.end().0, Some(0));
    let second = last_id(&place);
    assert_ne!(second, first);
    let document = report(&place, &second);
    let news = told(&document);
    assert!(news.contains("1 new, 0 changed, 0 gone"), "{news}");
    assert!(news.contains("harms the seals"), "{news}");
    assert!(!news.contains("ten more of them"), "{news}");
    let inputs = &triggers(&place)[0]["trigger"]["target"]["start_mission"]["plan"]["inputs"];
    assert_eq!(
        inputs["follows"].as_str(),
        Some(second.as_str()),
        "{inputs}"
    );

    // By hand, without a change: a short report that says so. With a document removed: that it is gone.
    done(
        &place,
        &[&start[..], &["--input", &format!("follows={second}")]].concat(),
    );
    let document = report(&place, "last");
    assert!(
        told(&document).contains("Nothing new since the report of"),
        "{document}"
    );
    assert!(
        document["sections"].as_array().unwrap().len() <= 4,
        "{document}"
    );
    assert_eq!(triggers(&place).len(), 1, "nobody asked for another");
    let listed = done(&place, &["kb", "list", "tides", "--json"]).out;
    let source = listed.split('"').find(|text| text.ends_with("first.md"));
    done(&place, &["kb", "remove", "tides", source.unwrap()]);
    done(
        &place,
        &[&start[..], &["--input", &format!("follows={second}")]].concat(),
    );
    let document = told(&report(&place, "last"));
    assert!(document.contains("0 new, 0 changed, 2 gone"), "{document}");
    let id = left[0]["id"].as_str().unwrap();
    done(&place, &["trigger", "cancel", id]);
    assert_eq!(done(&place, &["trigger", "list", "--json"]).out, "");
}

#[test]
fn what_cannot_be_repeated_is_refused_before_anything_is_done() {
    let place = Place::new();
    place.write("first.md", FIRST);
    for (input, code) in [
        ("every=sometimes", "ADJ-6210"),
        ("until=1999-01-01", "ADJ-6211"),
        ("runs=0", "ADJ-6212"),
        ("zone=Mars/Olympus", "ADJ-7004"),
    ] {
        let start = [
            "mission",
            "start",
            "trigger_monitoring",
            "x",
            "--yes",
            "--attach",
            "first.md",
            "--input",
            input,
        ];
        let ran = place.run(&start);
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains(code), "{input}: {}", ran.err);
    }
    assert!(triggers(&place).is_empty());
}
