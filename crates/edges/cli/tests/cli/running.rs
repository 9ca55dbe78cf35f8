//! `run` on a pipe: what it prints, how it ends.

use insta::assert_snapshot;

use crate::support::{CHOICE, Place, SUM};

#[test]
fn a_mission_on_a_pipe() {
    let place = Place::new();
    place.write("plan.yaml", SUM);
    let ran = place.run(&[
        "run",
        "plan.yaml",
        "--yes",
        "--input",
        "b=40",
        "--input",
        "unit=7",
    ]);
    assert_snapshot!(ran.told(&place));
    let written = std::fs::read_to_string(place.home().join("files/sum.txt")).unwrap();
    assert_eq!(written, "42 7");
}

#[test]
fn a_mission_as_json_lines() {
    let place = Place::new();
    place.write("plan.yaml", SUM);
    let ran = place.run(&["run", "plan.yaml", "--yes", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<serde_json::Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let types = lines
        .iter()
        .filter_map(|line| line["event"]["type"].as_str());
    assert_snapshot!(types.collect::<Vec<_>>().join("\n"));
    let last = lines.last().unwrap();
    assert_eq!(
        (&last["exit"], &last["ending"]["delivery"]),
        (&0.into(), &"delivered".into())
    );
}

#[test]
fn without_anybody_to_ask_it_says_how_to_go_on() {
    let place = Place::new();
    place.write("plan.yaml", CHOICE);
    let ran = place.run(&["run", "plan.yaml"]);
    assert_eq!(ran.code, 3);
    assert_snapshot!(ran.told(&place));
}

#[test]
fn what_a_rule_reserves_is_not_waived() {
    let place = Place::new();
    place.write(
        "plan.yaml",
        "title: T\ntasks:\n  - {id: a, tool: noop, approval: always}\n",
    );
    assert_eq!(place.run(&["run", "plan.yaml", "--yes"]).code, 3);
}

#[test]
fn a_mission_that_fails_ends_with_one() {
    let place = Place::new();
    place.write(
        "plan.yaml",
        "title: T\non_failure: give_up\ntasks:\n  - {id: a, tool: calc, with: {expression: 1 / 0}, retry: 1}\n",
    );
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    assert_snapshot!(ran.told(&place));
}

#[test]
fn detached_it_stays_until_a_host_comes() {
    let place = Place::new();
    place.write("plan.yaml", SUM);
    let ran = place.run(&["run", "plan.yaml", "--yes", "--detach"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("`adjutant up` continues the mission"));
    let up = place.start(&["up"]);
    up.until("completed");
    up.signal("-TERM");
    assert_eq!(up.end().0, Some(0));
}

#[test]
fn help_texts() {
    let place = Place::new();
    let help = |arguments: &[&str]| place.run(arguments).told(&place);
    assert_snapshot!("help", help(&["--help"]));
    assert_snapshot!("help_run", help(&["run", "--help"]));
    assert_snapshot!("help_decide", help(&["decide", "--help"]));
    assert!(place.run(&["--version"]).out.starts_with("adjutant "));
    assert!(
        place
            .run(&["completions", "bash"])
            .out
            .contains("_adjutant")
    );
}
