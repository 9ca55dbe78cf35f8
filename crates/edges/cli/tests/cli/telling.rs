//! What people are told of missions in a terminal: what was truly completed, why something rests, and what is waited for.

use crate::support::Place;

#[test]
fn a_mission_that_completes_without_some_of_its_tasks_says_so() {
    let place = Place::new();
    place.write(
        "plan.yaml",
        "title: T\nstrategy: continue_on_block\non_failure: give_up\ntasks:\n  - {id: a, tool: calc, with: {expression: 1 / 0}, retry: 1}\n  - {id: b, tool: noop}\n  - {id: c, tool: noop, after: a}\n",
    );
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    assert!(
        ran.out
            .contains("completed · 1 of 3 tasks failed, 1 skipped · "),
        "{}",
        ran.out
    );
    let shown = place.run(&["show", "last"]).out;
    assert!(
        shown.contains("1 of 3 tasks · 1 failed · 1 skipped"),
        "{shown}"
    );
    // All three have ended, which is all that the list says.
    let listed = place.run(&["list", "--all"]).out;
    assert!(
        listed.contains("ended") && listed.contains("3/3"),
        "{listed}"
    );
}

#[test]
fn a_paused_mission_says_who_paused_it_and_why_wherever_it_is_named() {
    let place = Place::new();
    place.write("plan.yaml", "title: Rests\ntasks: [{id: a, tool: noop}]\n");
    let started = place.run(&["run", "plan.yaml", "--yes", "--detach"]);
    assert_eq!(started.code, 0, "{}", started.err);
    let paused = place.run(&["pause", "last", "--reason", "waiting for the board"]);
    assert_eq!(paused.code, 0, "{}", paused.err);
    let why = "by anna: waiting for the board";
    let inbox = place.run(&["inbox"]).out;
    assert!(
        inbox.contains("paused by anna: waiting for the board"),
        "{inbox}"
    );
    assert!(place.run(&["show", "last"]).out.contains(why));
    let up = place.start(&["up"]);
    up.until(why);
    let resumed = place.run(&["resume", "last"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    up.until("completed");
    let inbox = place.run(&["inbox"]).out;
    assert!(!inbox.contains("paused"), "{inbox}");
}

#[test]
fn whoever_interrupts_is_told_at_once_what_is_waited_for() {
    let place = Place::new();
    place.set("[host]\ndrain_seconds = 1\n");
    place.write(
        "plan.yaml",
        "title: Long\ntasks: [{id: rests, tool: sleep, with: {seconds: 60}}]\n",
    );
    let run = place.start(&["run", "plan.yaml", "--yes"]);
    run.until("started");
    run.signal("-INT");
    let (code, err) = run.end();
    assert_eq!(code, Some(130), "{err}");
    assert!(
        err.contains("waiting at most 1 s for `rests` to end"),
        "{err}"
    );
}
