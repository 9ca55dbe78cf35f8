//! Which events missions send, by real missions over HTTP: between them they send every name of the specification.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

use adjutant_stand_ins::models::{Asked, Misbehaviour, Reply};
use serde_json::Value;

use crate::serving::Served;
use crate::world::{DOSSIER, World, read};

/// A mission that goes well, after its plan was changed and one agent had to hand its task up.
const GOES_WELL: &[&str] = &[
    "agent_completed",
    "agent_escalated",
    "agent_spawned",
    "agent_started",
    "checkpoint_critical_decision",
    "checkpoint_final_review",
    "checkpoint_plan_approval",
    "citation_added",
    "complete",
    "confidence_update",
    "constitutional_check",
    "insight_generated",
    "iteration_complete",
    "iteration_start",
    "phase_complete",
    "phase_start",
    "plan_created",
    "plan_updated",
    "progress_update",
    "pubmed_articles_found",
    "pubmed_search_started",
    "rag_documents_found",
    "rag_search_started",
    "reasoning_step",
    "task_status_change",
    "thinking",
    "token",
    "tool_invoked",
    "tool_result",
    "user_response_received",
    "web_search_started",
    "web_sources_found",
];
/// What a mission sends besides that asks before everything it does, until nobody answers.
const ASKS_BEFORE_ALL: &[&str] = &[
    "checkpoint_subagent_approval",
    "checkpoint_timeout",
    "checkpoint_tool_approval",
];
/// What a mission sends besides whose call fails, and that is given up.
const FAILS: &[&str] = &["error", "tool_error"];
const NAMES: usize = 37;

const STRICT: &str = r#"
title: Asked before everything
autonomy: strict
strategy: sequential
checkpoint_deadline: 10s
tasks:
  - id: think
    agent: extract
    with:
      question: How many quays does the harbour have?
      sources: [{id: guide, text: The harbour has four quays.}]
  - {id: write, after: think, tool: write_file, with: {path: quays.txt, text: four}}
"#;

const FAILING: &str = r#"
title: What cannot be divided
autonomy: permissive
tasks:
  - {id: divide, tool: calc, with: {expression: 1 / 0}}
"#;

/// A part of the newest mission.
fn part(served: &Served, name: &str) -> (u16, String) {
    let listed = served.get("/api/missions");
    let mission = listed["missions"][0]["mission"].as_str().unwrap();
    served.ask(&format!("/api/missions/{mission}/{name}"), None)
}

/// The list in a part of the newest mission that is called like it.
fn records(served: &Served, name: &str) -> Vec<Value> {
    let (status, text) = part(served, name);
    assert_eq!(status, 200, "{name}: {text}");
    let mut told: Value = serde_json::from_str(&text).unwrap();
    told[name].as_array_mut().map(std::mem::take).unwrap()
}

/// What the newest mission sent, by name.
fn sent(world: &World, served: &Served) -> BTreeMap<String, Vec<Value>> {
    let (status, stream) = part(served, "events");
    assert_eq!(status, 200, "{stream}");
    assert!(world.ending().is_some());
    let mut sent: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in stream.lines() {
        if let Some(data) = line.strip_prefix("data: ") {
            let mut event: Value = serde_json::from_str(data).unwrap();
            let name = event["type"].as_str().unwrap().to_owned();
            sent.entry(name).or_default().push(event["data"].take());
        }
    }
    sent
}

fn has(sent: &BTreeMap<String, Vec<Value>>, names: &[&str]) {
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !sent.contains_key(**name))
        .collect();
    assert!(missing.is_empty(), "{missing:?} of {:?}", sent.keys());
}

#[test]
fn the_lists_name_every_event_of_the_specification_once() {
    let lists = [GOES_WELL, ASKS_BEFORE_ALL, FAILS];
    let all: Vec<&str> = lists.concat();
    let once: BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!((all.len(), once.len()), (NAMES, NAMES));
}

#[test]
fn a_deep_dive_sends_its_events_with_what_was_found_wherever_it_is_kept() {
    let refused = AtomicBool::new(false);
    let world = World::with_a_model("", move |received| {
        let is_timeline = Asked::read(received).unwrap().purpose == "timeline";
        match is_timeline && !refused.swap(true, Ordering::SeqCst) {
            true => Reply::Misbehave(Misbehaviour::Refusal, read(received)),
            false => Reply::Answer(read(received)),
        }
    });
    world.keep(&DOSSIER);
    let log: Vec<String> = (1..200)
        .map(|day| {
            format!(
                "Day {day}: on Velmoran 40 mg the systolic pressure was {} mmHg.",
                110 + day % 40
            )
        })
        .collect();
    world.keep(&[("pressure-log.txt", &log.join("\n\n"))]);
    let served = Served::start(&world.place);
    let objective = "Does Velmoran 40 mg lower systolic pressure?";
    let started = world.start("deep_dive", objective, &["--kb", "house", "--detach"]);
    assert_eq!(started.code, 0, "{}", started.err);
    let plan = world.approve_until(|_| true).unwrap();
    let id = format!("last-{}", plan["number"]);
    let changed = ["decide", &id, "modify", "--note", "Say what is weak."];
    assert_eq!(world.place.run(&changed).code, 0);
    assert_eq!(world.approve_until(|_| false), None);

    let sent = sent(&world, &served);
    has(&sent, GOES_WELL);
    let found = &sent["rag_documents_found"];
    let apart = found.iter().filter(|search| search["blob"].is_object());
    assert_ne!(apart.count(), 0, "no result is large: nothing is shown");
    for search in found {
        let listed = search["sources"].as_array().unwrap().len();
        assert_eq!(search["count"], listed, "{search}");
    }
    assert!(found.iter().any(|search| search["count"] != 0));
    for citation in &sent["citation_added"] {
        assert_ne!(citation["title"], "", "{citation}");
        assert!(citation["confidence"].is_number(), "{citation}");
    }
    records_agree(&served, &sent);
    served.running.signal("-TERM");
}

/// What can be fetched says what was sent.
fn records_agree(served: &Served, sent: &BTreeMap<String, Vec<Value>>) {
    let titles = |of: &[Value]| -> BTreeSet<String> {
        let of = of.iter();
        of.map(|at| format!("{} {} {}", at["id"], at["title"], at["url"]))
            .collect()
    };
    let cited = records(served, "citations");
    assert!(!cited.is_empty());
    assert!(titles(&cited).is_subset(&titles(&sent["citation_added"])));
    let agents = records(served, "agents");
    let spawned = sent["agent_spawned"].len();
    let begun = agents.iter().filter(|agent| agent["status"] != "pending");
    assert_eq!(begun.count(), spawned, "{agents:?}");
    let lead = agents.iter().find(|agent| agent["level"] == "L2").unwrap();
    assert_eq!(lead["status"], "completed");
    assert!(lead["token_budget"].as_u64() >= lead["tokens_used"].as_u64());
    assert!(lead["started_at"].as_str() <= lead["completed_at"].as_str());
    for task in records(served, "tasks") {
        assert!(task["started_at"].as_str() <= task["completed_at"].as_str());
        assert!(task["dependencies"].is_array(), "{task}");
    }
    let calls = records(served, "calls");
    let searches = calls.iter().filter(|call| call["tool_id"] == "L5-RAG");
    for search in searches {
        assert_eq!(search["tool_name"], "RAG Knowledge Search");
        assert!(search["input"]["question"].is_string(), "{search}");
        assert!(search["output"].is_object() || search["blob"].is_object());
    }
}

#[test]
fn a_mission_that_asks_before_everything_sends_what_it_asks() {
    let world = World::without_a_model();
    world.place.write("plan.yaml", STRICT);
    let served = Served::start(&world.place);
    let ran = world.place.run(&["run", "plan.yaml", "--detach"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let call = world.approve_until(|question| question["kind"] == "tool_approval");
    world.expired(&call.unwrap());
    world.approve_until(|_| false);
    has(&sent(&world, &served), ASKS_BEFORE_ALL);
    served.running.signal("-TERM");
}

#[test]
fn a_mission_that_fails_sends_why() {
    let world = World::without_a_model();
    world.place.write("plan.yaml", FAILING);
    let served = Served::start(&world.place);
    let ran = world.place.run(&["run", "plan.yaml", "--detach"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    world.approve_until(|question| question["asks"]["recover_task"].is_object());
    let stopped = world.place.run(&["abort", "last", "--reason", "enough"]);
    assert_eq!(stopped.code, 0, "{}", stopped.err);
    world.ended();
    has(&sent(&world, &served), FAILS);
    served.running.signal("-TERM");
}

fn names_nobody(told: &str) {
    for value in ["K.T.W", "14.02.1957"] {
        assert!(!told.contains(value), "{value}: {told}");
    }
}

const ABOUT_A_PATIENT: &str = r#"
title: What is told of the patient
tasks:
  - {id: search, tool: L5-RAG, with: {question: "How did patient K.T.W., born 14.02.1957, recover?", namespaces: [house]}}
  - id: extract
    after: search
    agent: extract
    with: {question: "How did the patient recover?", sources: "{{search.output.sources}}"}
"#;

/// What is read from large results leaves without the patients in it, as everything else does.
#[test]
fn what_is_read_from_large_results_names_no_patient() {
    let world = World::without_a_model();
    let calm = "The ward was calm, and nothing else of note happened that day. ".repeat(12);
    let days = (1..20).map(|day| {
        format!("Day {day}: patient K.T.W., born 14.02.1957, recovered by {day} points. {calm}\n\n")
    });
    world.keep(&[("case.txt", &days.collect::<String>())]);
    world.place.write("plan.yaml", ABOUT_A_PATIENT);
    let served = Served::start(&world.place);
    let ran = world.place.run(&["run", "plan.yaml", "--detach"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    world.approve_until(|_| false);
    let sent = sent(&world, &served);
    assert!(sent["rag_documents_found"][0]["blob"].is_object());
    assert!(sent["rag_documents_found"][0]["count"].as_u64() > Some(0));
    let cited = format!(
        "{:?}{:?}",
        sent["insight_generated"], sent["citation_added"]
    );
    assert!(cited.contains("[BORN_"), "nothing was redacted: {cited}");
    names_nobody(&format!("{sent:?}"));
    let added = ["access", "add", "vic", "--role", "viewer", "--json"];
    let added: Value = serde_json::from_str(&world.place.run(&added).out).unwrap();
    let viewer = served.with_token(added["token"].as_str().unwrap());
    for name in ["calls", "citations", "steps", "tasks/extract"] {
        let (status, text) = part(&viewer, name);
        assert_eq!(status, 200, "{name}: {text}");
        names_nobody(&text);
    }
    assert!(part(&viewer, "calls").1.contains("[BORN_"));
    viewer.running.signal("-TERM");
}
