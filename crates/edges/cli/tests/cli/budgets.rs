//! Budgets as a person meets them: set, shown, asked about, refused, raised.

use crate::support::Place;

const PLAN: &str = "title: Three calls
tasks:
- {id: a, tool: noop, with: {value: 1}}
- {id: b, tool: noop, with: {value: 2}, after: a}
- {id: c, tool: noop, with: {value: 3}, after: b}
";

fn place() -> Place {
    let place = Place::new();
    place.write("plan.yaml", PLAN);
    place
}

fn done(place: &Place, arguments: &[&str]) -> String {
    let ran = place.run(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    ran.out
}

#[test]
fn a_soft_cap_asks_and_a_hard_cap_holds() {
    let place = place();
    done(
        &place,
        &["budget", "set", "--soft", "calls=1", "--hard", "calls=2"],
    );
    let ran = place.run(&["run", "plan.yaml", "--yes", "--campaign", "launch"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.out.contains("spend more?"), "{}", ran.out);
    done(&place, &["decide", "last", "approve"]);
    let ran = place.run(&["inbox"]);
    assert!(
        ran.out.contains("No open questions"),
        "the host is not running: {}",
        ran.out
    );

    let up = place.start(&["up"]);
    up.until("waiting for you");
    let spent = done(&place, &["budget", "show", "--json"]);
    assert_eq!(
        spent.matches(r#""used":{"calls":2,"money":0"#).count(),
        4,
        "{spent}"
    );
    assert_eq!(
        spent.matches(r#""reserved":{"calls":0,"money":0"#).count(),
        4,
        "{spent}"
    );
    let shown = done(&place, &["budget", "set", "--hard", "calls=none"]);
    assert!(shown.contains("campaign/launch"), "{shown}");
    done(&place, &["decide", "last", "approve", "--option", "retry"]);
    up.until("completed");
    drop(up);
    assert!(done(&place, &["verify", "--all"]).contains("whole"));
}

#[test]
fn a_dry_run_tells_and_starts_nothing() {
    let place = place();
    done(&place, &["budget", "set", "--hard", "calls=2"]);
    let told = done(&place, &["run", "plan.yaml", "--dry-run"]);
    assert!(told.contains("3 to 9 calls of tools"), "{told}");
    assert!(told.contains("2 questions will be asked"), "{told}");
    assert!(told.contains("the tenant has 2 calls left today"), "{told}");
    assert_eq!(done(&place, &["list", "--all", "--json"]), "");
}

#[test]
fn what_cannot_be_a_budget_is_refused_in_one_line() {
    let place = place();
    for (arguments, code) in [
        (
            &["budget", "set", "bob", "--hard", "calls=1"][..],
            "ADJ-6061",
        ),
        (&["budget", "set", "--hard", "calls=-1"], "ADJ-6061"),
        (&["budget", "set", "--hard", "luck=1"], "ADJ-6061"),
        (
            &["budget", "set", "--hard", "calls=1", "--soft", "calls=2"],
            "ADJ-6061",
        ),
        (&["budget", "set"], "ADJ-6061"),
        (&["run", "plan.yaml", "--campaign", "a b"], "ADJ-6060"),
    ] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.out);
        assert!(ran.err.contains(code), "{}", ran.err);
    }
}
