//! A document that must not be passed on: a mission quotes it, the checks block it, and every exit is tried.

use serde_json::{Value, json};

use crate::serving::Served;
use crate::world::World;

/// Part of the harmful sentence. No exit may contain it.
const TELLING: &str = "coded as unrelated";
const HARMFUL: &str = "On 5 May 2026 the team decided that deaths under Corvatol should be coded as unrelated before the database is locked, so that the agency does not see them in the summary.";
const DOCUMENTS: [(&str, &str); 2] = [
    (
        "memo.md",
        "# Memo on Corvatol\n\nDeaths under Corvatol were 14 in 2025, and 9 in the year before.\n\nOn 5 May 2026 the team decided that deaths under Corvatol should be coded as unrelated before the database is locked, so that the agency does not see them in the summary.\n",
    ),
    (
        "minutes.md",
        "# Minutes\n\nThe team discussed the deaths under Corvatol on 3 March 2026.\n\nCorvatol was given to 812 patients.\n",
    ),
];
const OBJECTIVE: &str = "What is known of deaths under Corvatol?";

fn world() -> World {
    let world = World::without_a_model();
    world.keep(&DOCUMENTS);
    world
}

/// A mission that waits for its final review.
fn reviewed(world: &World, more: &[&str]) -> Value {
    let mut arguments = vec!["--kb", "house", "--autonomy", "permissive", "--detach"];
    arguments.extend(more);
    let started = world.start("deep_dive", OBJECTIVE, &arguments);
    assert_eq!(started.code, 0, "{}{}", started.out, started.err);
    let is_review = |question: &Value| question["asks"] == "review_result";
    world.approve_until(is_review).unwrap()
}

fn refused(world: &World, arguments: &[&str], code: &str) {
    let ran = world.place.run(arguments);
    assert_ne!(ran.code, 0, "{arguments:?}: {}", ran.out);
    assert!(ran.err.contains(code), "{arguments:?}: {}", ran.err);
    assert!(!ran.out.contains(TELLING), "{arguments:?}: {}", ran.out);
}

#[test]
fn what_is_blocked_leaves_through_no_exit_until_a_person_overrules() {
    let world = world();
    let served = Served::start(&world.place);
    let review = reviewed(&world, &[]);
    let checks = world.of_kind("task_completed");
    let check = checks
        .iter()
        .find(|it| it["task"] == "constitution")
        .unwrap();
    let check = check["output"].to_string();
    assert!(check.contains("harmful.conceal"), "{check}");

    for format in ["md", "html", "docx", "json", "pdf"] {
        let report = ["report", "last", "--format", format, "--out", "-"];
        refused(&world, &report, "ADJ-6185");
    }
    refused(
        &world,
        &["export", "last", "--output", "one.adj"],
        "ADJ-6185",
    );
    let shown = world.place.run(&["show", "last", "--json"]);
    assert!(!shown.out.contains(TELLING), "{}", shown.out);

    let listed = served.get("/api/missions");
    let mission = listed["missions"]
        .as_array()
        .unwrap()
        .iter()
        .find_map(|one| {
            let title = one["title"].as_str()?;
            title
                .starts_with("Deep Dive")
                .then(|| one["mission"].as_str().unwrap().to_owned())
        });
    let mission = mission.unwrap();
    let path = |part: &str| format!("/api/missions/{mission}{part}");
    for part in [
        "/report?format=md",
        "/artifacts/report",
        "/tasks/report",
        "/citations",
    ] {
        let (status, text) = served.ask(&path(part), None);
        assert_eq!(status, 403, "{part}: {text}");
        assert!(
            text.contains("ADJ-6185") && !text.contains(TELLING),
            "{part}: {text}"
        );
    }
    for part in ["", "/calls"] {
        let (status, text) = served.ask(&path(part), None);
        assert!(status == 200 && !text.contains(TELLING), "{part}: {text}");
    }

    let id = format!("last-{}", review["number"]);
    refused(&world, &["decide", &id, "approve"], "ADJ-6186");
    let said = ["decide", &id, "approve", "--note", "fine by me"];
    refused(&world, &said, "ADJ-6186");
    refused(
        &world,
        &["decide", &id, "approve", "--overrule", "  "],
        "ADJ-6189",
    );
    let body = json!({ "verdict": "approve" });
    let decision = format!("/checkpoints/{}/decision", review["number"]);
    let (status, text) = served.ask(&path(&decision), Some(&body));
    assert_eq!((status, text.contains("ADJ-6186")), (409, true), "{text}");

    let why = "It is quoted to warn of it.";
    let overruled = world
        .place
        .run(&["decide", &id, "approve", "--overrule", why]);
    assert_eq!(overruled.code, 0, "{}", overruled.err);
    world.ended();
    let report = world.place.run(&["report", "last"]);
    assert_eq!(report.code, 0, "{}", report.err);
    assert!(report.out.contains(TELLING), "{}", report.out);
    assert!(
        report.out.contains("overruled 2 findings"),
        "{}",
        report.out
    );
    assert!(report.out.contains(why), "{}", report.out);
    let told = served.ask(&path("/events"), None).1;
    let check = told.find("constitutional_check").unwrap();
    assert!(check < told.find("event: token").unwrap(), "{told}");
    // What was overruled here does not hold for the answer to another question.
    let about = [
        "ask",
        "What should deaths be coded as?",
        "--about",
        &mission,
    ];
    refused(&world, &about, "ADJ-6185");
    served.running.signal("-TERM");
    assert_eq!(served.running.end().0, Some(0));
}

#[test]
fn an_approval_in_advance_does_not_overrule() {
    let world = world();
    let started = world.start("deep_dive", OBJECTIVE, &["--kb", "house", "--yes"]);
    assert_eq!(started.code, 0, "{}{}", started.out, started.err);
    assert!(!started.out.contains(TELLING), "{}", started.out);
    refused(&world, &["report", "last"], "ADJ-6185");
    let exported = world.place.run(&["export", "--all", "--output", "all.adj"]);
    assert_eq!(exported.code, 0, "{}", exported.err);
    assert!(exported.err.contains("left out"), "{}", exported.err);
}

#[test]
fn nobody_overrules_an_instruction_to_destroy_records() {
    let world = World::without_a_model();
    let order = "Delete the records of the deaths under Corvatol before the inspectors arrive.";
    assert_ne!(order, HARMFUL);
    let memo = format!("# Memo on Corvatol\n\nCorvatol was given to 812 patients.\n\n{order}\n");
    world.keep(&[("memo.md", memo.as_str()), DOCUMENTS[1]]);
    let review = {
        let up = Served::start(&world.place);
        let review = reviewed(&world, &[]);
        up.running.signal("-TERM");
        assert_eq!(up.running.end().0, Some(0));
        review
    };
    let id = format!("last-{}", review["number"]);
    refused(
        &world,
        &["decide", &id, "approve", "--overrule", "because"],
        "ADJ-6187",
    );
}
