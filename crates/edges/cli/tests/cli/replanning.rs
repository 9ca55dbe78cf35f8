//! Plans that change while they are carried out, and missions that are undone, from the command line.

use crate::support::Place;

fn example(name: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/");
    format!("{root}{name}")
}

#[test]
fn a_running_plan_is_changed_by_a_patch() {
    let place = Place::new();
    let (plan, patch) = (example("replan.yaml"), example("patches/replan.yaml"));
    let ran = place.run(&["run", &plan, "--yes", "--detach"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let shown = place.run(&["replan", "last", &patch, "--dry-run"]);
    assert!(shown.out.contains("+ appendix"), "{}", shown.out);
    let ran = place.run(&[
        "replan",
        "last",
        &patch,
        "--reason",
        "an appendix is wanted",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let up = place.start(&["up"]);
    up.until("completed");
    drop(up);
    let told = place.run(&["events", "last"]).out;
    assert!(told.contains("an appendix is wanted"), "{told}");
    assert!(told.contains("a draft with twelve sources"), "{told}");
    assert!(place.run(&["verify", "last"]).out.contains("whole"));
    let again = place.run(&["replan", "last", &patch]);
    assert_eq!(again.code, 2, "{}", again.out);
    assert!(again.err.contains("ended"), "{}", again.err);
    assert!(!again.err.contains("task"), "{}", again.err);
}

#[test]
fn a_failure_is_answered_with_a_patch_and_its_problems_have_lines() {
    let place = Place::new();
    place.write(
        "plan.yaml",
        "title: Broken\ntasks:\n- {id: a, tool: calc, with: {expression: 1 / 0}, retry: 1}\n- {id: b, tool: noop, with: {value: \"{{a.output}}\"}, after: a}\n",
    );
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    place.write("wrong.yaml", "change:\n- {id: a, tool: nop}\n");
    let wrong = place.run(&["decide", "last", "modify", "--patch", "wrong.yaml"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("wrong.yaml:2:"), "{}", wrong.err);
    let nothing = place.run(&["decide", "last", "modify"]);
    assert_eq!(nothing.code, 2, "{}", nothing.out);
    assert!(nothing.err.contains("ADJ-6037"), "{}", nothing.err);
    let both = ["--patch", "wrong.yaml", "--change", "{}"];
    let both = place.run(&[&["decide", "last", "modify"], &both[..]].concat());
    assert_eq!(both.code, 2, "{}", both.out);
    assert!(both.err.contains("ADJ-6001"), "{}", both.err);
    place.write(
        "patch.yaml",
        "change:\n- {id: a, tool: noop, with: {value: 7}}\n",
    );
    let ran = place.run(&["decide", "last", "modify", "--patch", "patch.yaml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let up = place.start(&["up"]);
    up.until("completed");
}

#[test]
fn what_was_done_is_undone_newest_first() {
    let place = Place::new();
    let run = place.start(&["run", &example("undo.yaml"), "--yes"]);
    run.until("started    wait");
    let ran = place.run(&["abort", "last", "--undo", "--reason", "the trip is off"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    run.until("not undone: letter");
    drop(run);
    let told = place.run(&["show", "last"]).out;
    let said = "undone: hotel, flight; not undone: letter (the task has no undo)";
    assert!(told.contains(said), "{told}");
    assert!(told.contains("↶ hotel"), "{told}");
    assert!(told.contains("✓ letter"), "{told}");
    assert!(place.run(&["verify", "last"]).out.contains("whole"));
}

#[test]
fn an_undo_that_a_stop_holds_says_so_wherever_it_is_looked_at() {
    let place = Place::new();
    let run = place.start(&["run", &example("undo.yaml"), "--yes"]);
    run.until("started    wait");
    let stop = ["stop", "tool", "replace_file", "--reason", "leaks"];
    assert_eq!(place.run(&stop).code, 0);
    assert_eq!(place.run(&["abort", "last", "--undo"]).code, 0);
    run.until("undoes     hotel");
    let held = "tool `replace_file` is stopped by anna: leaks";
    let remedy = "lift it with `adjutant allow tool replace_file`";
    let shown = place.run(&["show", "last"]).out;
    assert!(shown.contains("undoing 0 of 2"), "{shown}");
    assert!(shown.contains("being undone"), "{shown}");
    assert!(shown.contains(held) && shown.contains(remedy), "{shown}");
    let listed = place.run(&["list"]).out;
    assert!(listed.contains("undoing 0 of 2"), "{listed}");
    assert!(listed.contains(held) && listed.contains(remedy), "{listed}");
    let watch = place.start(&["watch", "last"]);
    watch.until(held);
    watch.until(remedy);
    assert_eq!(place.run(&["allow", "tool", "replace_file"]).code, 0);
    watch.until("undone: hotel, flight");
    run.until("undone: hotel, flight");
}
