//! Missions of the catalogue from the objective to the document: with the sample dossier, with the databases stood in for,
//! without a model.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};

use adjutant_stand_ins::databases::{Server, StandIns};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::support::Place;

const DOCUMENTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../samples/velmoran/documents"
);

/// Time that goes by with every request, so that no limit is ever reached.
fn now() -> u64 {
    static NOW: AtomicU64 = AtomicU64::new(1_790_000_000_000);
    NOW.fetch_add(10_000, Ordering::Relaxed)
}

fn with_stand_ins(runtime: &Runtime) -> (Place, Server) {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let started = Server::start(address, StandIns::default(), now);
    let server = runtime.block_on(started).unwrap();
    let place = Place::new();
    let settings = format!("[lookups]\nstand_in = '{}'\n", server.url());
    place.set(settings);
    (place, server)
}

fn with_dossier(place: &Place) {
    let added = place.run(&["kb", "add", DOCUMENTS, "-n", "velmoran"]);
    assert_eq!(added.code, 0, "{}", added.err);
}

fn start(place: &Place, mission: &str, objective: &str, more: &[&str]) {
    let mut arguments = vec!["mission", "start", mission, objective, "--yes"];
    arguments.extend(more);
    let started = place.run(&arguments);
    assert_eq!(started.code, 0, "{}\n{}", started.out, started.err);
}

/// The document of the newest mission, as data.
fn document(place: &Place) -> Value {
    let told = place.run(&["report", "last", "--format", "json"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let whole: Value = serde_json::from_str(&told.out).unwrap();
    whole["document"].clone()
}

/// Every span of a document: its text, what it cites, how it is marked.
fn spans(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(fields) if fields.contains_key("text") && !fields.contains_key("number") => {
            match &fields["text"] {
                Value::String(_) => found.push(value.clone()),
                other => spans(other, found),
            }
        }
        Value::Object(fields) => fields.values().for_each(|field| spans(field, found)),
        Value::Array(items) => items.iter().for_each(|item| spans(item, found)),
        _ => {}
    }
}

/// What must hold of every document: at least three sources, every citation a passage.
fn holds_up(document: &Value) {
    let sources = document["sources"].as_array().unwrap();
    assert!(sources.len() >= 3, "{} sources", sources.len());
    let numbers: Vec<u64> = sources
        .iter()
        .flat_map(|source| source["passages"].as_array().unwrap())
        .map(|passage| passage["number"].as_u64().unwrap())
        .collect();
    let mut all = Vec::new();
    spans(&document["summary"], &mut all);
    spans(&document["sections"], &mut all);
    let cites = all.iter().flat_map(|span| span["cites"].as_array());
    let cites: Vec<u64> = cites.flatten().filter_map(Value::as_u64).collect();
    assert!(cites.len() > 5, "{} citations", cites.len());
    assert!(cites.iter().all(|cited| numbers.contains(cited)));
}

#[test]
fn a_deep_dive_runs_without_a_model_and_its_report_is_written_in_every_format() {
    let runtime = Runtime::new().unwrap();
    let (place, server) = with_stand_ins(&runtime);
    with_dossier(&place);
    let objective = "What is known of potassium and hyperkalaemia on Velmoran 40 mg?";
    start(&place, "deep_dive", objective, &["--kb", "velmoran"]);
    assert!(!server.answered(0).is_empty(), "the databases were asked");
    let document = document(&place);
    holds_up(&document);
    assert_eq!(document["offline"], true);
    let text = document.to_string();
    assert!(text.contains("potassium"), "{text}");
    for (format, begins) in [("md", "#"), ("html", "<!"), ("pdf", "%PDF"), ("docx", "PK")] {
        let file = format!("report.{format}");
        let told = place.run(&["report", "last", "--format", format, "--out", &file]);
        assert_eq!(told.code, 0, "{}", told.err);
        let bytes = std::fs::read(place.path().join(&file)).unwrap();
        assert!(bytes.starts_with(begins.as_bytes()), "{format}");
    }
    let markdown = std::fs::read_to_string(place.path().join("report.md")).unwrap();
    assert!(
        markdown.contains("language model"),
        "it says that none was used"
    );
    assert_eq!(place.run(&["verify", "--all"]).code, 0);

    // Asked about, it answers from what it found; another objective finds something else.
    let asked = place.run(&[
        "ask",
        "--about",
        "last",
        "Which deaths were there in the trial?",
    ]);
    assert_eq!(asked.code, 0, "{}", asked.err);
    let objective = "What is known of the shelf life of Velmoran tablets?";
    start(&place, "deep_dive", objective, &["--kb", "velmoran"]);
    let other = self::document(&place);
    holds_up(&other);
    let findings = |document: &Value| {
        // What is owed, changed and missing is that of the documents, whatever is asked. The summary answers the objective.
        let mut all = Vec::new();
        spans(&document["summary"], &mut all);
        assert!(!all.is_empty());
        all.into_iter()
            .filter(|span| {
                span["cites"]
                    .as_array()
                    .is_some_and(|cites| !cites.is_empty())
            })
            .map(|span| span["text"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let (first, second) = (findings(&document), findings(&other));
    let shared = first.iter().filter(|text| second.contains(text)).count();
    assert!(
        shared * 2 < first.len(),
        "{shared} of {} are the same",
        first.len()
    );
}

#[test]
fn the_risks_and_the_decision_of_the_dossier_are_found_and_a_changed_source_changes_them() {
    let runtime = Runtime::new().unwrap();
    let (place, _server) = with_stand_ins(&runtime);
    with_dossier(&place);
    let objective = "What may go wrong with CAIRN-3?";
    start(&place, "risk_assessment", objective, &["--kb", "velmoran"]);
    let risks = document(&place);
    holds_up(&risks);
    let text = risks.to_string();
    // The register's first risk, with the register's own score.
    assert!(text.contains("Potassium above 6.0 mmol/L"), "{text}");
    assert!(text.contains("\"324\""), "{text}");
    let objective = "Should CAIRN-3 begin?";
    start(&place, "go_no_go", objective, &["--kb", "velmoran"]);
    let decision = document(&place);
    holds_up(&decision);
}

#[test]
fn with_nothing_to_read_no_decision_is_possible_and_it_says_why() {
    let place = Place::new();
    place.write("note.txt", "The canteen closes at three.");
    let deny =
        "[tools]\ndeny = ['L5-PS', 'L5-FDA', 'L5-EMA', 'L5-CT', 'L5-PT', 'L5-NEWS', 'L5-WEB']\n";
    place.set(deny);
    let with = ["--attach", "note.txt"];
    start(&place, "go_no_go", "Should CAIRN-3 begin?", &with);
    let document = document(&place);
    let text = document.to_string().to_lowercase();
    assert!(text.contains("no decision"), "{text}");
}

#[test]
fn a_mission_that_is_killed_while_it_thinks_goes_on_from_that_step() {
    let runtime = Runtime::new().unwrap();
    let (place, _server) = with_stand_ins(&runtime);
    with_dossier(&place);
    let objective = "What is known of site 11?";
    let arguments = [
        "mission",
        "start",
        "deep_dive",
        objective,
        "--yes",
        "--kb",
        "velmoran",
    ];
    let running = place.start(&arguments);
    for _ in 0..4 {
        running.until(" thought ");
    }
    running.kill();
    let up = place.start(&["up"]);
    up.until("completed");
    up.signal("-INT");
    assert_eq!(up.end().0, Some(0));
    let told = place.run(&["events", "last", "--json"]);
    let mut asked = Vec::new();
    for line in told.out.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        let event = &event["event"];
        if event["type"] == "step_taken/1" {
            let step = &event["data"]["taken"]["step"];
            let task = event["data"]["task"].as_str().unwrap_or_default();
            asked.push((task.to_owned(), step.to_string(), asked.len()));
        }
    }
    assert!(asked.len() > 8, "{} steps", asked.len());
    assert_eq!(place.run(&["verify", "--all"]).code, 0);
}

#[test]
fn what_is_wrong_is_told_with_its_code() {
    let place = Place::new();
    let told = |arguments: &[&str]| {
        let ran = place.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        ran.err
    };
    assert!(told(&["mission", "start", "deap_dive", "x"]).contains("ADJ-6102"));
    let listed = place.run(&["mission", "list", "--json"]);
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    let mut missions = listed["missions"].as_array().unwrap().iter();
    if let Some(planned) = missions.find(|mission| mission["ready"] == false) {
        let id = planned["id"].as_str().unwrap();
        assert!(told(&["mission", "start", id, "x"]).contains("ADJ-6103"));
    }
    assert!(told(&["mission", "start", "deep_dive", " "]).contains("ADJ-6104"));
    assert!(told(&["mission", "start", "deep_dive", "x", "--kb", "nowhere"]).contains("ADJ-6106"));
    assert!(told(&["mission", "start", "deep_dive", "x", "--budget", "much"]).contains("ADJ-6105"));
    assert!(
        told(&["mission", "start", "deep_dive", "x", "--attach", "none.txt"]).contains("ADJ-6110")
    );
    assert!(told(&["ask", " ", "--about", "last"]).contains("ADJ-6111"));
}

#[test]
fn the_catalogue_is_listed_shown_and_extended_by_templates_of_ones_own() {
    let place = Place::new();
    let listed = place.run(&["mission", "list", "--json"]);
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    let missions = listed["missions"].as_array().unwrap();
    assert_eq!(missions.len(), 24);
    let ready = missions.iter().filter(|mission| mission["ready"] == true);
    assert_eq!(ready.count(), adjutant_catalogue::BUILT_IN.len());
    let shown = place.run(&["mission", "show", "risk_assessment"]);
    assert!(shown.out.contains("Risk Analyst"), "{}", shown.out);
    let schema = place.run(&["mission", "schema"]);
    assert!(serde_json::from_str::<Value>(&schema.out).is_ok());
    let folder = place.home().join("missions");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("own.yaml"), "id: [").unwrap();
    let broken = place.run(&["mission", "list"]);
    assert!(broken.err.contains("ADJ-6101"), "{}", broken.err);
}
