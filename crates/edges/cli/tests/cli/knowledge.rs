//! The knowledge base as a person meets it: taken in, found, cited, changed, taken out.

use std::time::Duration;

use adjutant_postgres_cluster::Database;

use crate::support::Place;

const EXAMPLE: &str = include_str!("../../../../../examples/recall.yaml");
const DOSSIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../samples/velmoran");

fn done(place: &Place, arguments: &[&str]) -> String {
    let ran = place.run(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    ran.out
}

fn hits(place: &Place, question: &str, more: &[&str]) -> Vec<serde_json::Value> {
    let mut arguments = vec!["kb", "search", question, "--json"];
    arguments.extend(more);
    let lines = done(place, &arguments);
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

fn dossier() -> Place {
    dossier_in(Place::new())
}

fn dossier_in(place: Place) -> Place {
    let documents = format!("{DOSSIER}/documents");
    let told = done(&place, &["kb", "add", &documents, "-n", "velmoran"]);
    assert!(told.contains("60 added"), "{told}");
    place
}

/// The answer key of the dossier says which document answers which question, in which words.
#[test]
fn the_dossier_answers_its_questions_and_citations_open_the_very_passage() {
    let place = dossier();
    let key = std::fs::read_to_string(format!("{DOSSIER}/planted.json")).unwrap();
    let key: serde_json::Value = serde_json::from_str(&key).unwrap();
    let questions = key["questions"].as_array().unwrap().iter();
    let answerable = questions.filter(|question| question["unanswerable"] != true);
    let (mut all, mut found, mut missed) = (0, 0, Vec::new());
    for question in answerable {
        all += 1;
        let asked = question["question"].as_str().unwrap();
        let hits = hits(&place, asked, &["-n", "velmoran", "-m", "10"]);
        let answers = question["answers"].as_array().unwrap();
        let is_answer = |hit: &serde_json::Value| {
            let mut answers = answers.iter();
            answers.any(|answer| answer["document"] == hit["source"])
        };
        match hits.iter().any(is_answer) {
            true => found += 1,
            false => missed.push(asked),
        }
        let first = &hits[0];
        let shown = done(
            &place,
            &["kb", "show", first["address"].as_str().unwrap(), "--json"],
        );
        let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(shown["text"], first["text"], "{asked}");
    }
    assert!(found * 10 >= all * 9, "{found} of {all}; not: {missed:#?}");
}

#[test]
fn what_changed_is_read_again_and_what_is_gone_is_forgotten() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("notes")).unwrap();
    place.write("notes/a.md", "# Harbour\n\nThe quay is 410 metres long.\n");
    place.write("notes/b.txt", "The crane lifts forty tonnes.\n");
    let folder = place.path().join("notes");
    let folder = folder.to_str().unwrap();
    done(&place, &["kb", "add", folder, "--tag", "port"]);
    assert_eq!(
        hits(&place, "how long is the quay", &[])[0]["source"],
        "a.md"
    );
    let again = done(&place, &["kb", "add", folder, "--tag", "port"]);
    assert!(again.contains("2 unchanged"), "{again}");

    place.write(
        "notes/a.md",
        "# Harbour\n\nThe quay was lengthened to 520 metres.\n",
    );
    place.write("notes/c.csv", "ship,draught\nAurora,9.4\n");
    std::fs::remove_file(place.path().join("notes/b.txt")).unwrap();
    let told = done(&place, &["kb", "reindex"]);
    for part in ["1 added", "1 changed", "1 removed"] {
        assert!(told.contains(part), "{told}");
    }
    let text = hits(&place, "how long is the quay", &[])[0]["text"].to_string();
    assert!(text.contains("520") && !text.contains("410"), "{text}");
    assert!(hits(&place, "crane tonnes", &["--kind", "text"]).is_empty());
    let row = &hits(
        &place,
        "draught of the Aurora",
        &["--kind", "csv", "--tag", "port"],
    )[0];
    assert!(row["text"].to_string().contains("9.4"), "{row}");
    let before = hits(&place, "quay", &[]);
    done(&place, &["kb", "reindex", "--anew"]);
    assert_eq!(hits(&place, "quay", &[]), before);

    done(&place, &["kb", "remove", "default", "--all"]);
    let gone = place.run(&["kb", "search", "quay", "-n", "default"]);
    assert!(
        gone.code == 2 && gone.err.contains("ADJ-8002"),
        "{}",
        gone.err
    );
    for file in std::fs::read_dir(place.home()).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        let leaks = bytes.windows(10).any(|window| window == b"lengthened");
        assert!(!leaks, "{}", path.display());
    }
}

#[test]
fn a_mission_recalls_and_its_claims_cite_the_passages() {
    let place = dossier();
    place.write("recall.yaml", EXAMPLE);
    let ran = place.run(&["run", "recall.yaml", "--yes"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let events = done(&place, &["events", "last", "--json"]);
    assert!(events.contains("kb:velmoran/"), "{events}");
}

#[test]
fn a_host_takes_in_what_others_add() {
    let place = Place::new();
    place.write("one.md", "# One\n\nThe lighthouse was built in 1911.\n");
    let up = place.start(&["up"]);
    up.until("Ctrl-C");
    done(
        &place,
        &["kb", "add", place.path().join("one.md").to_str().unwrap()],
    );
    assert_eq!(
        hits(&place, "when was the lighthouse built", &[])[0]["source"],
        "one.md"
    );
    drop(up);
}

#[test]
fn what_cannot_be_taken_in_is_named_and_the_rest_is_taken() {
    let place = Place::new();
    place.write("good.txt", "A ferry crosses every hour.\n");
    std::fs::write(
        place.path().join("bad.bin"),
        [0_u8, 159, 146, 150, 0, 1, 2, 3],
    )
    .unwrap();
    let (good, bad) = (place.path().join("good.txt"), place.path().join("bad.bin"));
    let ran = place.run(&["kb", "add", good.to_str().unwrap(), bad.to_str().unwrap()]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.out.contains("1 added") && ran.out.contains("ADJ-8012"),
        "{}",
        ran.out
    );
    let cases: [(&[&str], &str); 6] = [
        (&["kb", "add", "nowhere.md"], "ADJ-8010"),
        (&["kb", "add", "good.txt", "-n", "no name"], "ADJ-8001"),
        (&["kb", "list", "other"], "ADJ-8002"),
        (&["kb", "show", "default/other.txt"], "ADJ-8003"),
        (&["kb", "show", "default/good.txt#500-600"], "ADJ-8013"),
        (
            &["kb", "search", "ferry", "--from", "yesterday"],
            "ADJ-8014",
        ),
    ];
    for (arguments, code) in cases {
        let ran = place.run(arguments);
        assert!(
            ran.code == 2 && ran.err.contains(code),
            "{arguments:?}: {}",
            ran.err
        );
    }
}

#[test]
fn both_stores_find_the_same_in_the_same_order() {
    let database = Database::fresh().unwrap();
    let (sqlite, postgres) = (dossier(), dossier_in(Place::on(database.address())));
    for question in [
        "serious adverse events by dose",
        "shelf life of the modified release tablet",
        "who decides on phase 3 and by which criteria",
        "Kaliumwerte",
    ] {
        let asked = ["-m", "20", "--explain"];
        assert_eq!(
            hits(&sqlite, question, &asked),
            hits(&postgres, question, &asked)
        );
    }
}

/// Killed anywhere, what was taken in is whole, and the rest is taken in by the next try.
#[test]
fn taking_in_survives_being_killed() {
    let place = Place::new();
    let documents = format!("{DOSSIER}/documents");
    for pause in [80, 200, 350, 500] {
        let adding = place.start(&["kb", "add", &documents, "-n", "velmoran"]);
        std::thread::sleep(Duration::from_millis(pause));
        adding.kill();
        let known = place.run(&["kb", "search", "potassium", "--json"]);
        assert!([0, 2].contains(&known.code), "{}", known.err);
        assert!(!known.err.contains("ADJ-8004"), "{}", known.err);
    }
    done(&place, &["kb", "add", &documents, "-n", "velmoran"]);
    let listed = done(&place, &["kb", "list", "velmoran", "--json"]);
    assert_eq!(listed.lines().count(), 60);
    assert_eq!(
        hits(&place, "potassium", &[]),
        hits(&dossier(), "potassium", &[])
    );
}

#[test]
fn a_file_never_takes_the_place_of_another_of_its_name() {
    let place = Place::new();
    for (folder, text) in [("a", "The quay is long.\n"), ("b", "The crane is tall.\n")] {
        std::fs::create_dir(place.path().join(folder)).unwrap();
        place.write(&format!("{folder}/notes.txt"), text);
    }
    done(&place, &["kb", "add", "a"]);
    let told = done(&place, &["kb", "add", "b"]);
    assert!(
        told.contains("ADJ-8016") && told.contains("a/notes.txt"),
        "{told}"
    );
    let named = place.run(&["kb", "add", "b/notes.txt"]);
    assert_eq!(named.code, 2, "{}{}", named.out, named.err);
    assert!(done(&place, &["kb", "reindex"]).contains("ADJ-8016"));
    // Nor where both come at once.
    let told = done(&place, &["kb", "add", "a", "b", "-n", "both"]);
    assert!(
        told.contains("1 added") && told.contains("ADJ-8016"),
        "{told}"
    );
    done(&place, &["kb", "remove", "both", "--all"]);
    assert_eq!(hits(&place, "quay", &[]).len(), 1);
    assert_eq!(hits(&place, "crane", &[]).len(), 0);
    // What was moved is the same document.
    std::fs::rename(place.path().join("a"), place.path().join("moved")).unwrap();
    let told = done(&place, &["kb", "add", "moved/notes.txt"]);
    assert!(told.contains("1 unchanged"), "{told}");
}

/// What a careful reader would notice, with the place of each thing.
#[test]
fn a_review_lists_what_changed_what_is_wrong_what_is_owed_and_what_is_missing() {
    let place = Place::new();
    let papers = place.path().join("papers");
    std::fs::create_dir(&papers).unwrap();
    let write = |name: &str, text: &str| std::fs::write(papers.join(name), text).unwrap();
    write(
        "plan-v1.md",
        "# Plan\n\nThe repair of the chapel roof costs EUR 48,000.\n",
    );
    write(
        "plan-v2.md",
        "# Plan\n\nThe repair of the chapel roof costs EUR 52,500.\n\n| item | EUR |\n|---|---|\n| Slates | 1,200 |\n| Wages | 2,450 |\n| Total | 3,750 |\n",
    );
    write(
        "letter.md",
        "# Letter\n\nDate: 3 March 2026\n\nThe surveyor will submit the drawings of the tower by 30 April 2026.\n",
    );
    done(
        &place,
        &["kb", "add", papers.to_str().unwrap(), "-n", "chapel"],
    );
    let json = done(
        &place,
        &["kb", "review", "chapel", "--today", "2026-06-01", "--json"],
    );
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let review = &json["review"];
    assert_eq!(review["replaced"][0]["by"], "plan-v2.md");
    assert_eq!(review["changed"][0][0]["value"], "EUR 48,000");
    assert_eq!(review["changed"][0][1]["value"], "EUR 52,500");
    assert_eq!(review["wrong_sums"][0]["computed"], 3650.0);
    assert_eq!(review["owed"][0]["status"], "overdue");
    assert_eq!(review["owed"][0]["due"], "2026-04-30");
    let address = review["changed"][0][1]["address"].as_str().unwrap();
    let shown = done(&place, &["kb", "show", address]);
    assert!(shown.contains("EUR 52,500"), "{shown}");
    let text = done(&place, &["kb", "review", "--today", "2026-03-15"]);
    for told in [
        "Changed since (1)",
        "3,650",
        "open, due 2026-04-30",
        "3 documents read",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    for (arguments, code) in [
        (
            &["kb", "review", "chapel", "--today", "soon"][..],
            "ADJ-8014",
        ),
        (&["kb", "review", "steeple"], "ADJ-6106"),
    ] {
        let ran = place.run(arguments);
        assert!(ran.code != 0 && ran.err.contains(code), "{}", ran.err);
    }
}
