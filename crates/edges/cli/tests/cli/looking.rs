//! Commands that only look.

use insta::assert_snapshot;

use crate::support::{CHOICE, Place, SUM};

#[test]
fn an_empty_place() {
    let place = Place::new();
    let all = [
        place.run(&["list"]),
        place.run(&["inbox"]),
        place.run(&["doctor"]),
    ];
    assert_snapshot!(all.map(|ran| ran.told(&place)).concat());
}

#[test]
fn a_mission_that_waits() {
    let place = Place::new();
    place.write("plan.yaml", CHOICE);
    assert_eq!(place.run(&["run", "plan.yaml"]).code, 3);
    let show = place.run(&["show", "last"]);
    assert_snapshot!("waiting_show", show.told(&place));
    assert_snapshot!("waiting_watch", place.run(&["watch", "last"]).told(&place));
    assert_eq!(place.run(&["inbox", "--json"]).out.lines().count(), 1);
    assert_eq!(
        place.run(&["list", "--phase", "completed", "--json"]).out,
        ""
    );
    assert_eq!(
        place
            .run(&["list", "--phase", "awaiting_human", "--json"])
            .out
            .lines()
            .count(),
        1
    );
}

#[test]
fn a_mission_that_has_ended() {
    let place = Place::new();
    place.write("plan.yaml", SUM);
    assert_eq!(place.run(&["run", "plan.yaml", "--yes"]).code, 0);
    assert_snapshot!("ended_show", place.run(&["show", "last"]).told(&place));
    assert_snapshot!("ended_verify", place.run(&["verify", "last"]).told(&place));
    assert_snapshot!(
        "ended_replay",
        place.run(&["replay", "last", "--at", "5"]).told(&place)
    );
    assert_eq!(place.run(&["replay", "last", "--at", "500"]).code, 2);
    let passport = place.run(&["show", "last", "--json"]).out;
    assert_eq!(passport, place.run(&["replay", "last", "--json"]).out);
    let events = place.run(&["events", "last", "--json"]).out;
    let first: serde_json::Value = serde_json::from_str(events.lines().next().unwrap()).unwrap();
    let id = first["event"]["data"]["mission"].as_str().unwrap();
    for part in [id, &id[4..], &id[id.len() - 6..]] {
        assert_eq!(place.run(&["events", part, "--json"]).out, events, "{part}");
    }
}
