//! Rules as an operator puts them in force: checked, tested, in the way of missions and calls, and tried on the past.

use serde_json::Value;

use crate::support::{Place, SUM};
use crate::world::{DOSSIER, World};

const CAREFUL: &str = r#"
rules:
  - name: no-cheap-start
    on: mission
    when: has(mission.budget) && mission.budget < 0.01
    then: deny
    because: a mission needs a budget that means something
  - name: files-are-approved
    on: call
    when: call.tool == "write_file" && call.arguments.text.contains("lamps")
    then: ask
    because: a person looks at every file
tests:
  - name: a file about lamps
    on: call
    given: {call: {tool: write_file, arguments: {text: 5 lamps}}}
    expect: ask
    rule: files-are-approved
"#;

fn place_with(rules: &str) -> Place {
    let place = Place::new();
    place.set("[rules]\nfile = 'rules.yaml'\n");
    std::fs::write(place.home().join("rules.yaml"), rules).unwrap();
    place.write("sum.yaml", SUM);
    place
}

#[test]
fn a_file_is_checked_and_tested() {
    let place = Place::new();
    place.write("rules.yaml", CAREFUL);
    let checked = place.run(&["rules", "check", "rules.yaml"]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    assert!(checked.out.contains("2 rules"), "{}", checked.out);
    let tested = place.run(&["rules", "test", "rules.yaml"]);
    assert_eq!(tested.code, 0, "{}", tested.err);
    assert!(
        tested.out.contains("✓ a file about lamps"),
        "{}",
        tested.out
    );

    place.write("rules.yaml", CAREFUL.replace("expect: ask", "expect: deny"));
    let tested = place.run(&["rules", "test", "rules.yaml"]);
    assert_eq!(tested.code, 1);
    assert!(tested.err.contains("ADJ-6193"), "{}", tested.err);
    place.write("rules.yaml", CAREFUL.replace("call.tool", "call.tol"));
    let checked = place.run(&["rules", "check", "rules.yaml"]);
    assert_eq!(checked.code, 2);
    for told in ["ADJ-6190", "rules.yaml:10:", "`call.tol` does not exist"] {
        assert!(checked.err.contains(told), "{told}: {}", checked.err);
    }
}

/// Rules that were asked for and cannot be had: nothing runs, and what runs can still be stopped.
#[test]
fn nothing_runs_without_the_rules_that_the_settings_name() {
    let place = place_with(CAREFUL);
    std::fs::remove_file(place.home().join("rules.yaml")).unwrap();
    let refused = place.run(&["run", "sum.yaml", "--yes"]);
    assert_eq!(refused.code, 2, "{}", refused.out);
    assert!(refused.err.contains("ADJ-6191"), "{}", refused.err);
    let called = place.run(&["tools", "call", "noop", "{}"]);
    assert!(called.err.contains("ADJ-6191"), "{}", called.err);
    let listed = place.run(&["list", "--json"]);
    assert!(!listed.out.contains("msn_"), "{}", listed.out);
}

#[test]
fn a_mission_is_refused_asked_about_and_carried_out() {
    let place = place_with(CAREFUL);
    place.write("cheap.yaml", format!("{SUM}\ncaps: {{money: $0.001}}\n"));
    let refused = place.run(&["run", "cheap.yaml", "--yes"]);
    assert_eq!(refused.code, 2, "{}{}", refused.out, refused.err);
    assert!(refused.err.contains("ADJ-6192"), "{}", refused.err);
    assert!(refused.err.contains("no-cheap-start"), "{}", refused.err);

    let waits = place.run(&["run", "sum.yaml", "--yes"]);
    assert_eq!(waits.code, 3, "{}{}", waits.out, waits.err);
    assert!(!place.home().join("files/sum.txt").exists());
    // Whoever is asked sees the rule, its reason, and the call that they would approve.
    for told in [
        "`files-are-approved`: a person looks at every file",
        "write_file with",
        "5 lamps",
    ] {
        assert!(waits.out.contains(told), "{told}: {}", waits.out);
    }
    let decided = place.run(&["decide", "last", "approve", "--option", "retry"]);
    assert_eq!(decided.code, 0, "{}{}", decided.out, decided.err);
    let up = place.start(&["up"]);
    up.until("completed");
    drop(up);
    assert!(place.home().join("files/sum.txt").exists());
}

/// What a dry run says is what happens; what depends on what other tasks find is left open.
#[test]
fn a_dry_run_says_what_the_rules_would_decide() {
    let place = place_with(CAREFUL);
    let dry = |plan: &str| {
        let ran = place.run(&["run", plan, "--yes", "--dry-run"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let told = dry("sum.yaml");
    for part in [
        "The mission may start.",
        "1 call depends on what the mission finds: write_file (note)",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    place.write("cheap.yaml", format!("{SUM}\ncaps: {{money: $0.001}}\n"));
    let told = dry("cheap.yaml");
    assert!(
        told.contains("The mission does not start: rule `no-cheap-start`"),
        "{told}"
    );

    // What is written in the plan, or in its inputs, is known; and whom a rule asks is among the questions.
    let strict = CAREFUL
        .replace(
            "has(mission.budget) && mission.budget < 0.01",
            "mission.tasks > 1",
        )
        .replacen("then: deny", "then: ask\n    approver: another_person", 1);
    std::fs::write(place.home().join("rules.yaml"), strict).unwrap();
    place.write(
        "known.yaml",
        "title: Known\ninputs: {text: five lamps}\ntasks:\n  \
        - {id: note, tool: write_file, with: {path: note.txt, text: \"{{inputs.text}}\"}}\n  \
        - {id: same, tool: noop, after: note}\n",
    );
    let told = dry("known.yaml");
    for part in [
        "Another person must approve the plan: rule `no-cheap-start`",
        "note: a person must approve write_file: rule `files-are-approved`",
        "1 call allowed.",
        "? the plan",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let json = place.run(&["run", "known.yaml", "--dry-run", "--json"]).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["rules"]["calls"][0]["ruling"]["decision"], "ask",
        "{json}"
    );
    let listed = place.run(&["list", "--all", "--json"]);
    assert!(!listed.out.contains("msn_"), "{}", listed.out);

    let without = Place::new();
    without.write("sum.yaml", SUM);
    let told = without.run(&["run", "sum.yaml", "--dry-run"]).out;
    assert!(!told.contains("rules"), "{told}");
}

/// What ran before the rules were written, under them.
#[test]
fn a_backtest_lists_what_would_have_been_decided_otherwise() {
    let place = Place::new();
    place.write("sum.yaml", SUM);
    for _ in 0..2 {
        let done = place.run(&["run", "sum.yaml", "--yes"]);
        assert_eq!(done.code, 0, "{}", done.err);
    }
    place.write("rules.yaml", CAREFUL);
    let told = place.run(&["rules", "backtest", "rules.yaml"]);
    assert_eq!(told.code, 0, "{}", told.err);
    for part in [
        "call of write_file, task note: allow → ask",
        "by rule `files-are-approved`: a person looks at every file",
        "2 decisions of 2 missions would differ.",
    ] {
        assert!(told.out.contains(part), "{part}: {}", told.out);
    }
    // What a mission was about stays where it is.
    assert!(!told.out.contains("lamps") && !told.out.contains("A small sum"));

    let json = place.run(&["rules", "backtest", "rules.yaml", "--json"]);
    let found: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(found["missions"], 2);
    // The mission, two calls and two results of each.
    assert_eq!(found["decisions"], 10);
    assert_eq!(found["differences"][0]["after"]["decision"], "ask");

    let same = ["rules", "backtest", "rules.yaml", "--against", "rules.yaml"];
    let told = place.run(&same);
    assert!(
        told.out.contains("No decision would differ."),
        "{}",
        told.out
    );
    let later = ["rules", "backtest", "rules.yaml", "--since", "2999-01-01"];
    assert!(place.run(&later).out.contains("in 0 missions"));
    let wrong = place.run(&["rules", "backtest", "rules.yaml", "--since", "monday"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("ADJ-6194"), "{}", wrong.err);
}

/// Questions of a reasoning, results too large for the journal, and the report: all can be judged again.
#[test]
fn a_ready_made_mission_is_compared_call_by_call() {
    let world = World::without_a_model();
    world.keep(&DOSSIER);
    let more = ["--kb", "house", "--yes"];
    let done = world.start("go_no_go", "Should Velmoran 40 mg go on?", &more);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    world.place.write(
        "rules.yaml",
        "rules:\n\
         - name: thoughts\n  on: call\n  when: call.tool == 'think' && has(call.arguments.question)\n  \
         then: deny\n  because: nobody thinks\n\
         - name: reports\n  on: report\n  when: mission.type == 'go_no_go' && report.sources > 0\n  \
         then: ask\n  because: a person reads it\n",
    );
    let told = world
        .place
        .run(&["rules", "backtest", "rules.yaml", "--json"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let found: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(
        (&found["unclear"], &found["withheld"]),
        (&0.into(), &0.into())
    );
    let differences = found["differences"].as_array().unwrap();
    let on = |subject: &str| {
        differences
            .iter()
            .filter(|one| one["on"] == subject)
            .count()
    };
    assert!(on("call") > 5, "{differences:?}");
    assert_eq!(on("report"), 1, "{differences:?}");
}
