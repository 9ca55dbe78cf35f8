//! Several processes: one host, other terminals, signals and `kill -9`.

use insta::assert_snapshot;

use crate::support::{CHOICE, Place};

/// Steps that take a while, one after the other.
const SLOW: &str = r#"
title: Slow
tasks:
  - {id: first, tool: noop}
  - {id: slow, after: first, tool: sleep, with: {seconds: 2}}
  - {id: last, after: slow, tool: write_file, with: {path: done.txt, text: done}}
"#;

#[test]
fn questions_are_answered_from_a_second_terminal() {
    let place = Place::new();
    place.write("plan.yaml", CHOICE);
    let up = place.start(&["up"]);
    up.until("Up.");
    assert_eq!(place.run(&["run", "plan.yaml", "--detach"]).code, 0);
    let watching = place.start(&["watch", "last"]);
    watching.until("asks");
    assert_eq!(place.run(&["decide", "last", "approve"]).code, 0);
    watching.until("Which way?");
    let unchosen = place.run(&["decide", "last", "approve"]);
    assert_snapshot!(unchosen.told(&place));
    assert_eq!(place.run(&["claim", "last"]).code, 0);
    assert_eq!(
        place
            .run(&[
                "decide", "last", "approve", "--option", "right", "--note", "fair"
            ])
            .code,
        0
    );
    watching.until("Deliver the result");
    assert_eq!(place.run(&["decide", "last", "approve"]).code, 0);
    assert_eq!(watching.end().0, Some(0));
    let stale = place.run(&["decide", &question(&place, 1), "reject"]);
    assert_snapshot!(stale.told(&place));
    up.signal("-TERM");
    let (code, err) = up.end();
    assert_eq!(code, Some(0));
    assert!(err.contains("Every mission is safe"), "{err}");
}

/// A command that found no host holds the store while it runs.
#[test]
fn a_host_that_starts_waits_for_a_command_to_end() {
    let place = Place::new();
    place.write("plan.yaml", CHOICE);
    assert_eq!(place.run(&["run", "plan.yaml", "--detach"]).code, 0);
    let store = place.home().join("adjutant.db");
    let held = adjutant_store_sqlite::SqliteStore::open(store, adjutant_store_sqlite::Access::Host);
    let held = held.unwrap();
    let up = place.start(&["up"]);
    up.until("waiting for it to end");
    drop(held);
    up.until("Up.");
}

fn question(place: &Place, number: u32) -> String {
    let list = place.run(&["list", "--json", "--all"]).out;
    let row: serde_json::Value = serde_json::from_str(list.lines().next().unwrap()).unwrap();
    format!("{}-{number}", &row["mission"].as_str().unwrap()[24..])
}

#[test]
fn a_late_answer_is_refused_with_the_reason() {
    let place = Place::new();
    place.write("plan.yaml", CHOICE);
    assert_eq!(place.run(&["run", "plan.yaml"]).code, 3);
    assert_eq!(place.run(&["decide", "last", "approve"]).code, 0);
    let stale = place.run(&["decide", &question(&place, 0), "reject"]);
    assert_eq!(stale.code, 2);
    assert!(stale.err.contains("ADJ-2011"), "{}", stale.err);
}

#[test]
fn there_is_one_host_at_a_time() {
    let place = Place::new();
    let up = place.start(&["up"]);
    up.until("Up.");
    let second = place.run(&["up"]);
    assert_snapshot!(second.told(&place));
    let doctor = place.run(&["doctor"]);
    assert!(doctor.out.contains("running, process"), "{}", doctor.out);
    up.signal("-INT");
    assert_eq!(up.end().0, Some(0));
}

#[test]
fn a_killed_host_loses_nothing() {
    let place = Place::new();
    place.write("plan.yaml", SLOW);
    let running = place.start(&["run", "plan.yaml", "--yes"]);
    running.until("started    slow");
    running.kill();
    assert!(!place.home().join("files/done.txt").exists());
    let up = place.start(&["up"]);
    up.until("1 mission to continue");
    up.until("completed");
    up.signal("-TERM");
    assert_eq!(up.end().0, Some(0));
    assert_eq!(
        std::fs::read_to_string(place.home().join("files/done.txt")).unwrap(),
        "done"
    );
    assert_eq!(place.run(&["verify", "--all"]).code, 0);
}

#[test]
fn interrupted_it_says_that_the_mission_is_safe() {
    let place = Place::new();
    place.set("[host]\ndrain_seconds = 0\n");
    place.write("plan.yaml", SLOW);
    let running = place.start(&["run", "plan.yaml", "--yes"]);
    running.until("started    slow");
    running.signal("-INT");
    running.until("`adjutant up` continues it");
    assert_eq!(running.end().0, Some(130));
}

#[test]
fn a_run_takes_over_from_a_host_that_stops() {
    let place = Place::new();
    place.write("plan.yaml", SLOW);
    let up = place.start(&["up"]);
    up.until("Up.");
    let running = place.start(&["run", "plan.yaml", "--yes"]);
    running.until("started    slow");
    up.kill();
    running.until("completed · delivered");
    assert_eq!(running.end().0, Some(0));
}

#[test]
fn steering_without_a_host() {
    let place = Place::new();
    place.write("plan.yaml", CHOICE);
    assert_eq!(place.run(&["run", "plan.yaml"]).code, 3);
    assert_eq!(place.run(&["pause", "last", "--reason", "lunch"]).code, 0);
    assert_eq!(place.run(&["pause", "last"]).code, 2);
    assert_eq!(place.run(&["resume", "last"]).code, 0);
    assert_eq!(place.run(&["inform", "last", "weather", "rain"]).code, 0);
    assert_eq!(place.run(&["abort", "last"]).code, 0);
    let events = place.run(&["events", "last"]);
    assert_snapshot!(events.told(&place));
}
