//! Missions within missions, with real processes that are killed.

use crate::support::{Place, Ran};

const PLAN: &str = "title: Outer
tasks:
- id: child
  mission:
    plan:
      title: Inner
      tasks:
      - {id: slow, tool: sleep, with: {seconds: 1}}
      - {id: answer, tool: noop, with: {value: 42}, after: slow}
- {id: after, tool: noop, with: {value: \"{{child.output.answer}}\"}, after: child}
";

fn place() -> Place {
    let place = Place::new();
    place.write("plan.yaml", PLAN);
    place
}

/// How many missions there are in this phase.
fn count(place: &Place, phase: &str) -> usize {
    let listed = place.run(&["list", "--all", "--json"]);
    listed
        .out
        .matches(&format!("\"phase\":\"{phase}\""))
        .count()
}

#[test]
fn results_come_up_and_a_crash_in_between_loses_neither() {
    let place = place();
    let ran = place.run(&["run", "plan.yaml", "--yes", "--detach"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let up = place.start(&["up"]);
    up.until("Inner");
    up.kill();
    let up = place.start(&["up"]);
    up.until("completed        Outer");
    drop(up);
    assert_eq!(count(&place, "completed"), 2, "one parent, one child");
    let told = place.run(&["show", "last"]).out;
    assert!(place.run(&["verify", "--all"]).out.contains("whole"));
    assert!(told.contains("42"), "{told}");
    assert!(told.contains("completed  2 of 2 tasks"), "{told}");
}

#[test]
fn an_abort_goes_down() {
    let place = Place::new();
    place.write("plan.yaml", PLAN.replace("seconds: 1", "seconds: 600"));
    let ran = place.run(&["run", "plan.yaml", "--yes", "--detach"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let up = place.start(&["up"]);
    up.until("Inner");
    let shown = place.run(&["show", "last"]).out;
    assert!(shown.contains("executing  0 of 2 tasks"), "{shown}");
    // The newest mission is the one that somebody began, not its child.
    let ran = place.run(&["abort", "last"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    up.until("cancelled        Outer");
    drop(up);
    assert_eq!(count(&place, "cancelled"), 2);
}

/// The host opens the inner mission, but whoever began the outer one began it: neither their answer nor their `--yes`
/// is the second pair of eyes.
#[test]
fn four_eyes_see_through_to_whoever_began_the_outer_mission() {
    let place = Place::new();
    place.set("[rules]\nfour_eyes = ['final_review']\n");
    let inner = "    sandbox: standard\n    plan:";
    place.write("plan.yaml", PLAN.replace("    plan:", inner));
    // Under the rule everybody is their account, whatever name they take.
    let run = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        Ran::of(&command.env_remove("ADJUTANT_USER").output().unwrap())
    };
    let ran = place.run(&["run", "plan.yaml", "--yes", "--detach"]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains("ADJ-5027"), "{}", ran.err);
    let ran = run(&["run", "plan.yaml", "--yes", "--detach"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let up = place.start(&["up"]);
    up.until("Deliver the result of “Inner”");
    let asked = place.run(&["inbox", "--json"]).out;
    let asked: serde_json::Value = serde_json::from_str(asked.lines().next().unwrap()).unwrap();
    let id = asked["checkpoint"].as_str().unwrap();
    let own = run(&["decide", id, "approve"]);
    assert_eq!(own.code, 2, "{}", own.out);
    assert!(own.err.contains("ADJ-2013"), "{}", own.err);
    let claimed = place.run(&["decide", id, "approve"]);
    assert_eq!(claimed.code, 2, "{}", claimed.out);
    assert!(claimed.err.contains("ADJ-5027"), "{}", claimed.err);
    drop(up);
}
