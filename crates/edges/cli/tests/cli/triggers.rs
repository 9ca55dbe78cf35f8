//! Triggers as a person meets them: added, listed, fired by a running host, killed under it, cancelled.

use serde_json::Value;

use crate::support::{CHOICE, Place, Ran, Running};

const PLAN: &str = "title: Tidy up
tasks:
- {id: a, tool: noop, with: {value: 1}}
";

const FAR: &str = "2099-03-02T09:00";

fn place() -> Place {
    let place = Place::new();
    place.write("plan.yaml", PLAN);
    place
}

fn up(place: &Place) -> Running {
    let host = place.start(&["up"]);
    host.until("Up.");
    host
}

#[track_caller]
fn done(place: &Place, arguments: &[&str]) -> Ran {
    let ran = place.run(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    ran
}

fn rows(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A moment from now on, with its offset.
fn soon(milliseconds: i64) -> String {
    let span = jiff::SignedDuration::from_millis(milliseconds);
    (jiff::Timestamp::now() + span).to_string()
}

#[test]
fn a_trigger_starts_a_mission_while_a_host_is_up() {
    let place = place();
    let host = up(&place);
    let added = done(
        &place,
        &["trigger", "add", "plan.yaml", "--yes", "--at", &soon(2_000)],
    );
    assert!(added.out.contains("Tidy up fires next"), "{}", added.out);
    host.until("completed");
    let show = |place: &Place| {
        let list = done(place, &["trigger", "list", "--all", "--json"]).out;
        rows(&list).remove(0)
    };
    let mut trigger = show(&place);
    while trigger["state"]["ended"].is_null() {
        trigger = show(&place);
    }
    assert_eq!(trigger["state"]["fired"], 1, "{trigger}");
    let id = trigger["id"].as_str().unwrap();
    let shown = done(&place, &["trigger", "show", &id[24..]]).out;
    assert!(shown.contains("1 time, last for"), "{shown}");
    assert!(shown.contains("no times left"), "{shown}");
    let events = done(&place, &["events", "last", "--json"]).out;
    let opened = &rows(&events)[0];
    assert_eq!(opened["actor"]["id"], trigger["id"]);
    assert_eq!(opened["actor"]["on_behalf_of"], "anna");
}

#[test]
fn kills_while_triggers_fire_lose_none_and_repeat_none() {
    const TRIGGERS: i64 = 24;
    const KILLS: usize = 8;
    let place = place();
    let mut host = up(&place);
    for n in 0..TRIGGERS {
        let at = soon(4_000 + 50 * n);
        done(
            &place,
            &["trigger", "add", "plan.yaml", "--yes", "--at", &at],
        );
        if n % 8 == 7 {
            host.kill();
            host = up(&place);
        }
    }
    for _ in 0..KILLS {
        let waiting = rows(&done(&place, &["trigger", "list", "--json"]).out);
        if waiting.is_empty() {
            break;
        }
        // Somewhere in the middle of it.
        host.until("completed");
        host.kill();
        host = up(&place);
    }
    let state = loop {
        let triggers = rows(&done(&place, &["trigger", "list", "--all", "--json"]).out);
        if triggers
            .iter()
            .all(|trigger| !trigger["state"]["ended"].is_null())
        {
            break triggers;
        }
    };
    assert_eq!(state.len() as i64, TRIGGERS);
    assert!(state.iter().all(|trigger| trigger["state"]["fired"] == 1));
    loop {
        let missions = rows(&done(&place, &["list", "--all", "--json"]).out);
        assert_eq!(missions.len() as i64, TRIGGERS, "one each");
        if missions
            .iter()
            .all(|mission| mission["phase"] == "completed")
        {
            break;
        }
    }
    drop(host);
    done(&place, &["verify", "--all"]);
}

#[test]
fn a_mission_is_informed_and_information_cancels() {
    let place = place();
    place.write("choice.yaml", CHOICE);
    let host = up(&place);
    done(&place, &["run", "choice.yaml", "--detach"]);
    host.until("waiting");
    let tick = [
        "trigger",
        "add",
        "--inform",
        "last",
        "--topic",
        "tick",
        "--body",
        "{\"n\": 1}",
        "--at",
        &soon(2_000),
    ];
    done(&place, &tick);
    let reminder = [
        "trigger",
        "add",
        "--inform",
        "last",
        "--topic",
        "reminder",
        "--cron",
        "@hourly",
        "--cancel-on",
        "paper.*",
        "--name",
        "Remind",
    ];
    done(&place, &reminder);
    done(&place, &["inform", "last", "paper.signed", "yes"]);
    let list = loop {
        let list = done(&place, &["trigger", "list"]).out;
        if list.contains("no active triggers") {
            break done(&place, &["trigger", "list", "--all"]).out;
        }
    };
    assert!(list.contains("cancelled by `paper.signed`"), "{list}");
    let events = done(&place, &["events", "last", "--json"]).out;
    let told: Vec<Value> = rows(&events)
        .into_iter()
        .filter(|event| event["event"]["type"] == "informed/1")
        .collect();
    assert_eq!(told.len(), 2);
    assert!(
        told.iter()
            .any(|event| event["event"]["data"]["body"]["n"] == 1)
    );
}

#[test]
fn without_a_host_triggers_are_kept_listed_and_cancelled() {
    let place = place();
    let added = done(
        &place,
        &[
            "trigger",
            "add",
            "plan.yaml",
            "--at",
            FAR,
            "--zone",
            "Europe/Berlin",
        ],
    );
    assert!(
        added
            .out
            .contains("fires next Mon 2099-03-02 09:00:00 +01:00"),
        "{}",
        added.out
    );
    assert!(added.err.contains("`adjutant up`"), "{}", added.err);
    let kept = done(
        &place,
        &[
            "trigger",
            "add",
            "plan.yaml",
            "--rrule",
            "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0",
            "--zone",
            "America/New_York",
            "--repeat",
            "3",
            "--missed",
            "all",
            "--name",
            "Close the month",
            "--cancel-on",
            "stop",
            "--json",
        ],
    );
    let kept: Value = serde_json::from_str(&kept.out).unwrap();
    let id = kept["trigger"].as_str().unwrap();
    let shown = done(&place, &["trigger", "show", id]).out;
    assert_eq!(
        shown.matches("Fri 20").count(),
        3,
        "three fires are left: {shown}"
    );
    assert_eq!(shown.matches(" 17:00:00 -0").count(), 3, "{shown}");
    assert!(shown.contains("information about `stop`"), "{shown}");
    let json = done(&place, &["trigger", "show", id, "--json"]).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["next"].as_array().unwrap().len(), 3);
    assert_eq!(json["trigger"]["missed"], "all");

    let list = done(&place, &["trigger", "list"]);
    assert_eq!(list.out.lines().count(), 3, "{}", list.out);
    done(&place, &["trigger", "cancel", &id[20..]]);
    let again = place.run(&["trigger", "cancel", id]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("ADJ-7009"), "{}", again.err);
    assert_eq!(done(&place, &["trigger", "list"]).out.lines().count(), 2);
    let all = done(&place, &["trigger", "list", "--all"]).out;
    assert!(all.contains("cancelled by anna"), "{all}");
}

#[test]
fn a_preview_needs_no_store() {
    let place = Place::new();
    let next = [
        "trigger",
        "next",
        "--cron",
        "30 2 * * *",
        "--zone",
        "Europe/Berlin",
        "--count",
        "400",
    ];
    let told = done(&place, &next).out;
    assert_eq!(told.lines().count(), 400);
    assert_eq!(
        told.matches(" 03:00:00 +02:00").count(),
        1,
        "when the clock is put forward"
    );
    assert_eq!(told.matches(" 02:30:00 ").count(), 399);
    assert!(!place.home().exists());
    let told = done(&place, &["trigger", "next", "--at", FAR]);
    assert!(told.err.contains("Times are in UTC"), "{}", told.err);
    let json = done(
        &place,
        &[
            "trigger", "next", "--cron", "@daily", "--count", "2", "--json",
        ],
    )
    .out;
    assert_eq!(rows(&json).len(), 2);
}

#[test]
fn what_is_wrong_with_a_rule_is_told_of_the_rule_as_it_was_typed() {
    let place = place();
    for (rule, column) in [
        ("FREQ=DAILY;BYHOUR=25", 19),
        (" RRULE:FREQ=DAILY;BYHOUR=25", 26),
        ("DTSTART:20270101T090000 RRULE:FREQ=DAILY;BYHOUR=25", 49),
    ] {
        let ran = place.run(&["trigger", "next", "--rrule", rule]);
        let told = format!("the rrule `{rule}`, column {column}:");
        assert!(ran.err.contains(&told), "{}", ran.err);
    }
}

#[test]
fn what_cannot_be_a_trigger_is_refused_in_one_line() {
    let place = place();
    place.write("bad.yaml", "title: Bad\ntasks: []\n");
    for (arguments, code) in [
        (&["add", "plan.yaml", "--at", "tomorrow"][..], "ADJ-7001"),
        (&["add", "plan.yaml", "--cron", "61 * * * *"], "ADJ-7002"),
        (
            &["add", "plan.yaml", "--rrule", "FREQ=SECONDLY"],
            "ADJ-7003",
        ),
        (
            &["add", "plan.yaml", "--cron", "@daily", "--zone", "Mars"],
            "ADJ-7004",
        ),
        (
            &["add", "plan.yaml", "--at", "2020-01-01T00:00"],
            "ADJ-7005",
        ),
        (&["add", "plan.yaml", "--cron", "0 0 30 2 *"], "ADJ-7005"),
        (
            &["add", "plan.yaml", "--cron", "@daily", "--cancel-on", ""],
            "ADJ-7006",
        ),
        (&["add", "bad.yaml", "--cron", "@daily"], "ADJ-1001"),
        (&["add", "none.yaml", "--cron", "@daily"], "ADJ-6011"),
        (
            &["add", "plan.yaml", "--cron", "@daily", "--input", "a=1"],
            "ADJ-6030",
        ),
        (&["add", "plan.yaml"], "ADJ-6001"),
        (&["add", "--cron", "@daily"], "ADJ-6001"),
        (
            &[
                "add",
                "plan.yaml",
                "--inform",
                "last",
                "--topic",
                "x",
                "--cron",
                "@daily",
            ],
            "ADJ-6001",
        ),
        (
            &["add", "plan.yaml", "--cron", "@daily", "--at", FAR],
            "ADJ-6001",
        ),
        (
            &["add", "plan.yaml", "--at", FAR, "--repeat", "2"],
            "ADJ-6001",
        ),
        (&["show", "abc"], "ADJ-7007"),
        (&["cancel", "abc"], "ADJ-7007"),
    ] {
        let arguments: Vec<&str> = std::iter::once("trigger")
            .chain(arguments.iter().copied())
            .collect();
        let ran = place.run(&arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(code), "{arguments:?}: {}", ran.err);
        assert_eq!(
            ran.err.lines().count(),
            ran.err.lines().filter(|line| !line.is_empty()).count()
        );
    }
    for name in ["one", "two"] {
        done(
            &place,
            &["trigger", "add", "plan.yaml", "--at", FAR, "--name", name],
        );
    }
    let several = place.run(&["trigger", "show", "0"]);
    assert!(several.err.contains("ADJ-7008"), "{}", several.err);
    assert_eq!(
        done(&place, &["list", "--all", "--json"]).out,
        "",
        "nothing was started"
    );
}

/// The example that the documentation starts with.
#[test]
fn the_example_runs_when_its_time_comes() {
    let place = Place::new();
    let plan = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../examples/nightly.yaml"
    );
    let host = up(&place);
    done(
        &place,
        &[
            "trigger",
            "add",
            plan,
            "--yes",
            "--at",
            &soon(2_000),
            "--input",
            "keep_days=7",
        ],
    );
    host.until("completed");
    let written = std::fs::read_to_string(place.home().join("files/nightly.md")).unwrap();
    assert!(written.contains("older than 7 days"), "{written}");
}
