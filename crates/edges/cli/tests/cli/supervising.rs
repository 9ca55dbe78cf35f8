//! A supervisor's own change of a plan, through the program: what it adds, and what happens where nothing is sure enough.

use crate::support::Place;

/// Runs a mission whose supervisor wants something more when the first task has ended, and returns what the journal tells.
fn events_of(requirement: &str) -> String {
    let place = Place::new();
    let plan = format!(
        r#"title: Weigh the records
objective: Weigh the records
tasks:
  - {{ id: a, tool: noop, with: {{ value: "Guten Morgen, wie geht es Ihnen heute?" }} }}
  - {{ id: b, tool: noop, with: {{ value: 2 }}, after: [a] }}
supervisors:
  - name: more
    kind: rules
    rules: [ {{ name: one, when: mission.layers >= 1, then: replan, because: one layer ended, requirement: "{requirement}" }} ]
"#
    );
    place.write("plan.yaml", plan);
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    place.run(&["events", "last"]).out
}

#[test]
fn a_supervisor_adds_what_serves_its_requirement() {
    let events = events_of("Search PubMed for tennis elbow");
    assert!(events.contains("replanned  adds pubmed_search"), "{events}");
    assert!(
        events.contains("supervisor `more`: one layer ended"),
        "{events}"
    );
}

#[test]
fn nothing_unsure_is_added_unseen_and_the_reason_is_told() {
    for (requirement, why) in [
        ("Polish the harpsichord", "no tool serves this requirement"),
        ("Look around for ear protection", "% only"),
    ] {
        let events = events_of(requirement);
        assert!(!events.contains("replanned"), "{events}");
        assert!(events.contains(why), "{events}");
        assert!(events.contains("paused"), "{events}");
    }
}

#[test]
fn run_stays_while_a_supervisor_has_a_failed_task_tried_again() {
    let place = Place::new();
    // No such host exists anywhere (RFC 2606), and a host that is not found may be found later.
    place.write(
        "plan.yaml",
        r#"title: Ask again
supervisors:
  - { kind: background, name: night, retries: 2 }
tasks:
  - { id: a, tool: http, retry: 1, with: { url: "https://weather.invalid/" } }
"#,
    );
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("a, 3rd try"), "{}", ran.out);
    let last = ran.out.rsplit_once("[2] Task `a` cannot continue").unwrap();
    assert!(!last.1.contains("withdrawn"), "{}", ran.out);
}

#[test]
fn run_returns_from_a_pause_although_a_task_waits_for_its_time() {
    let place = Place::new();
    place.write(
        "plan.yaml",
        r"title: Wait an hour
supervisors:
  - name: limits
    kind: rules
    rules: [ { name: one, when: mission.layers >= 1, then: pause, because: one layer ended } ]
tasks:
  - { id: a, tool: noop, with: { value: 1 } }
  - { id: b, tool: noop, with: { value: 2 }, after: { task: a, lag: 1h } }
",
    );
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("Paused."), "{}{}", ran.out, ran.err);
}

/// Runs a mission whose first result tells of an exceeded limit, with a model that looks from this severity on, and returns
/// what the journal tells. Without a language model, built-in rules answer.
fn looked_at(from: &str) -> String {
    let place = Place::new();
    let plan = format!(
        r#"title: Inspect the pumps
supervisors:
  - {{ kind: model, name: reviewer, question: "Does a result tell of a failure?", then: ask, from: {from}, looks: 1 }}
tasks:
  - {{ id: a, tool: noop, with: {{ value: "Pump 3 exceeded the limit of 80 degrees." }} }}
  - {{ id: b, tool: sleep, with: {{ seconds: 1 }}, after: a }}
  - {{ id: c, tool: noop, with: {{ value: 2 }}, after: b }}
"#
    );
    place.write("plan.yaml", plan);
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    let events = place.run(&["events", "last"]).out;
    let paused = events.contains("paused");
    assert_eq!(ran.code == 3, paused, "{}{}", ran.out, ran.err);
    assert!(
        events.contains("adds watch_reviewer_1") && !events.contains("watch_reviewer_2"),
        "it looks once: {events}"
    );
    events
}

#[test]
fn a_model_that_looks_holds_a_mission_up_for_what_is_severe_enough() {
    let events = looked_at("moderate");
    assert!(
        events.contains("a model flagged: Pump 3 exceeded the limit"),
        "{events}"
    );
    let events = looked_at("high");
    assert!(!events.contains("flagged"), "{events}");
    assert!(events.contains("c → 2"), "{events}");
}
