//! Forking and comparing as a person does, on the example that the documentation tells of.

use adjutant_postgres_cluster::Database;

use crate::support::Place;

const EXAMPLE: &str = include_str!("../../../../../examples/fork.yaml");

fn done(place: &Place, arguments: &[&str]) -> String {
    let ran = place.run(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    ran.out
}

fn id(json: &str, field: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(json.trim()).unwrap();
    value[field].as_str().unwrap().to_owned()
}

/// The number of the event that `events` tells of with these words.
fn event(place: &Place, mission: &str, words: &str) -> String {
    let told = done(place, &["events", mission]);
    let line = told.lines().find(|line| line.contains(words));
    let line = line.unwrap_or_else(|| panic!("no `{words}` in {told}"));
    line.split_whitespace().next().unwrap().to_owned()
}

/// Runs the example, with `van` at its question.
fn chosen(place: &Place) -> String {
    place.write("plan.yaml", EXAMPLE);
    let ran = place.run(&["run", "plan.yaml", "--json"]);
    assert_eq!(ran.code, 3);
    done(place, &["decide", "last", "approve"]);
    let up = place.start(&["up"]);
    up.until("waiting for you");
    done(place, &["decide", "last", "approve", "--option", "van"]);
    up.until("waiting for you");
    done(place, &["decide", "last", "approve"]);
    up.until("completed");
    drop(up);
    let listed = done(place, &["list", "--json"]);
    id(&listed, "mission")
}

#[test]
fn a_fork_goes_the_other_way_and_is_put_beside_its_origin() {
    goes_the_other_way(&Place::new());
}

#[test]
fn a_fork_goes_the_other_way_on_postgresql_too() {
    let database = Database::fresh().unwrap();
    goes_the_other_way(&Place::on(database.address()));
}

fn goes_the_other_way(place: &Place) {
    let origin = chosen(place);
    let at = event(place, &origin, "How do we deliver them?");
    let forked = done(
        place,
        &[
            "fork",
            &origin,
            "--at",
            &at,
            "--set",
            "decision=courier",
            "--set",
            "input=customer=Hill School",
            "--json",
        ],
    );
    let fork = id(&forked, "fork");
    let up = place.start(&["up"]);
    up.until("waiting for you");
    done(place, &["decide", &fork, "approve"]);
    up.until("completed");
    drop(up);
    let files = place.home().join("files");
    let read = |name| std::fs::read_to_string(files.join(name)).unwrap();
    assert_eq!(
        read("offer-van.txt"),
        "Riverside School: 288 lamps for 5299.2, by van"
    );
    assert_eq!(
        read("offer-courier.txt"),
        "Hill School: 288 lamps for 5299.2, by courier"
    );

    let compared = place.run(&["compare", &origin, &fork]);
    let end = |id: &str| id[id.len() - 6..].to_owned();
    let told = compared.told(place);
    let told = told
        .replace(&end(&origin), "aaaaaa")
        .replace(&end(&fork), "bbbbbb");
    // How long it took is told last, and differs.
    let (told, time) = told.split_once("     time").unwrap();
    assert!(time.contains("<time>"), "{time}");
    let name = "a_fork_goes_the_other_way_and_is_put_beside_its_origin";
    insta::assert_snapshot!(name, told);
    let json = done(place, &["compare", &origin, &fork, "--json"]);
    let told: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(told["events_shared"].to_string(), at);
    assert_eq!(told["plan"][0]["what"], "inputs.customer");
    assert_eq!(told["results"][0]["b"]["shared"], true);
    assert_eq!(told["results"][2]["same"], false);

    assert!(done(place, &["verify", "--all"]).contains("whole"));
    done(place, &["replay", &fork]);
    let (file, key) = ("fork.journal", "fork.key");
    done(place, &["export", &fork, "-o", file, "--key", key]);
    done(place, &["verify", "--file", file, "--key", key]);
    let elsewhere = Place::new();
    for name in [file, key] {
        let content = std::fs::read(place.path().join(name)).unwrap();
        elsewhere.write(name, content);
    }
    done(&elsewhere, &["import", file, "--key", key]);
    let shown = done(&elsewhere, &["show", &fork]);
    assert!(shown.contains("Delivery of the new lamps"), "{shown}");
}

#[test]
fn what_cannot_be_forked_is_refused_with_what_can() {
    let place = Place::new();
    let origin = chosen(&place);
    let at = event(&place, &origin, "How do we deliver them?");
    let decided = event(&place, &origin, "[1] approve van");
    let at_decision = |set: &'static str| vec!["fork", &*origin, "--at", &*at, "--set", set];
    for (arguments, code) in [
        (vec!["fork", &origin], "ADJ-3062"),
        (vec!["fork", &origin, "--at", "999"], "ADJ-3061"),
        (vec!["fork", &origin, "--at", &decided], "ADJ-3063"),
        (
            vec!["fork", &origin, "--at", "1", "--set", "decision=approve"],
            "ADJ-3064",
        ),
        (at_decision("input=colour=red"), "ADJ-3065"),
        (at_decision("input=mission_type=go_no_go"), "ADJ-6200"),
        (at_decision("model=small"), "ADJ-3067"),
        (at_decision("luck=good"), "ADJ-3068"),
        (at_decision("decision"), "ADJ-3068"),
        (at_decision("decision=train"), "ADJ-2017"),
        (at_decision("decision=7:van"), "ADJ-2010"),
    ] {
        let ran = place.run(&arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(code), "{arguments:?}: {}", ran.err);
    }
    let listed = done(&place, &["list", "--all", "--json"]);
    assert_eq!(listed.lines().count(), 1, "nothing was left behind");
}
