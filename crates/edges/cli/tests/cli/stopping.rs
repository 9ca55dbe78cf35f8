//! Kill switches as a person uses them, also when the host is killed in between.

use adjutant_postgres_cluster::Database;

use crate::support::Place;

const PLAN: &str = "title: Three files
tasks:
- {id: one, tool: write_file, with: {path: one.txt, text: \"1\"}}
- {id: sum, tool: calc, with: {expression: 1 + 1}, after: one}
- {id: two, tool: write_file, with: {path: two.txt, text: \"{{sum.output.text}}\"}, after: sum}
";

fn place() -> Place {
    planned(Place::new())
}

fn planned(place: Place) -> Place {
    place.write("plan.yaml", PLAN);
    place
}

fn done(place: &Place, arguments: &[&str]) -> String {
    let ran = place.run(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    ran.out
}

fn wrote(place: &Place, name: &str) -> bool {
    place.home().join("files").join(name).exists()
}

#[test]
fn a_stopped_tool_holds_missions_through_a_kill_until_it_is_allowed() {
    held_until_allowed(&place());
}

#[test]
fn a_stopped_tool_holds_missions_on_postgresql_too() {
    let database = Database::fresh().unwrap();
    held_until_allowed(&planned(Place::on(database.address())));
}

fn held_until_allowed(place: &Place) {
    done(place, &["stop", "tool", "calc", "--reason", "wrong sums"]);
    let up = place.start(&["up"]);
    up.until("tool `calc` is stopped by anna: wrong sums");
    done(place, &["run", "plan.yaml", "--yes", "--detach"]);
    up.until("paused");
    assert!(wrote(place, "one.txt"));
    up.kill();

    let up = place.start(&["up"]);
    up.until("paused");
    let shown = done(place, &["show", "last"]);
    assert!(
        shown.contains("tool `calc` is stopped by anna: wrong sums"),
        "{shown}"
    );
    assert!(done(place, &["list"]).contains("■ tool `calc` is stopped"));
    assert!(done(place, &["doctor"]).contains("tool `calc`"));
    let refused = place.run(&["resume", "last"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("ADJ-5022"), "{}", refused.err);
    assert!(!wrote(place, "two.txt"));

    let allowed = done(place, &["allow", "tool", "calc"]);
    assert!(allowed.contains("1 mission resumed"), "{allowed}");
    up.until("completed");
    assert!(wrote(place, "two.txt"));
    drop(up);
    assert!(done(place, &["verify", "--all"]).contains("whole"));
    assert_eq!(done(place, &["stops"]), "Nothing is stopped.\n");
}

#[test]
fn a_stopped_tenant_opens_nothing_and_everything_is_stopped_for_all() {
    let place = place();
    done(&place, &["stop", "tenant"]);
    let refused = place.run(&["run", "plan.yaml", "--yes"]);
    assert_eq!(refused.code, 2, "{}", refused.out);
    assert!(refused.err.contains("ADJ-5021"), "{}", refused.err);
    done(&place, &["allow", "tenant"]);
    let mut other = place.command(&["stop", "all", "--reason", "fire"]);
    let other = other.env("ADJUTANT_TENANT", "other").output().unwrap();
    assert!(other.status.success());
    let refused = place.run(&["run", "plan.yaml", "--yes"]);
    assert!(
        refused.err.contains("everything is stopped by anna: fire"),
        "{}",
        refused.err
    );
    let listed = done(&place, &["stop", "--json"]);
    assert!(
        listed.contains(r#""stopped":"all","tenant":"other""#),
        "{listed}"
    );
    done(&place, &["allow", "all", "--json"]);
    done(&place, &["run", "plan.yaml", "--yes"]);
}

#[test]
fn a_second_stop_leaves_the_first_as_it_was() {
    let place = place();
    done(&place, &["stop", "tenant", "--reason", "fire"]);
    let mut second = place.command(&["stop", "tenant", "--reason", "flood"]);
    let second = second.env("ADJUTANT_USER", "bert").output().unwrap();
    let told = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(2), "{told}");
    assert!(told.contains("ADJ-5026"), "{told}");
    let first = "the tenant is stopped by anna: fire, since ";
    assert!(told.contains(first), "{told}");
    let listed = done(&place, &["stops"]);
    assert!(
        listed.contains("anna") && listed.contains("fire"),
        "{listed}"
    );
}

#[test]
fn what_cannot_be_stopped_is_refused_in_one_line() {
    let place = place();
    for (arguments, code) in [
        (&["stop", "tool"][..], "ADJ-5024"),
        (&["stop", "tool", "levitate"], "ADJ-5024"),
        (&["stop", "provider", "a b"], "ADJ-5024"),
        (&["stop", "tenant", "acme"], "ADJ-5024"),
        (&["stop", "all", "of it"], "ADJ-5024"),
        (&["stop", "luck"], "ADJ-6001"),
        (&["allow", "tool", "calc"], "ADJ-5023"),
    ] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.out);
        assert!(ran.err.contains(code), "{}", ran.err);
    }
}
