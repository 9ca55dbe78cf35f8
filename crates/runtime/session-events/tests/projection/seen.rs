//! What a client sees of what is kept outside the journal, and of reasoning in every pattern.

use adjutant_mission::*;
use adjutant_session_events::{CONTENT_BYTES_MAX, Contents, EventType, Projection, SessionEvent};
use serde_json::{Value, json};

use crate::stories;
use crate::world::*;

const DIGEST: &str = "b3:77aa";

fn of(events: &[SessionEvent], event_type: EventType) -> Vec<&SessionEvent> {
    let events = events.iter();
    events.filter(|at| at.event_type == event_type).collect()
}

fn one(events: &[SessionEvent], event_type: EventType) -> &SessionEvent {
    let all = of(events, event_type);
    assert_eq!(all.len(), 1, "{event_type:?}: {all:?}");
    all[0]
}

/// A mission of one task whose result is a blob.
fn kept_apart(task: Task) -> World {
    let mut world = World::open(Plan::new("Blob", vec![task]), waive_all());
    let name = world.mission().plan().tasks[0].key.to_string();
    world.finish(&name, Outcome::done(blob(), Usage::NONE));
    world
}

fn three_sources() -> String {
    let source = |n: u32| {
        json!({
            "id": format!("PMID:{n}"), "title": format!("Article {n}"), "text": "long", "published": "2024",
            "url": format!("https://example.org/{n}"), "reference": { "DOI": format!("10.1/{n}") }
        })
    };
    json!({ "sources": [source(1), source(2), source(3)], "total": 41 }).to_string()
}

#[test]
fn what_a_search_found_is_counted_wherever_its_result_is_kept() {
    let world = kept_apart(tool("articles", "L5-PS", "{}"));
    let events = world.events_with(DIGEST, &three_sources());
    let found = &one(&events, EventType::PubmedArticlesFound).data;
    assert_eq!(
        (&found["count"], &found["total"]),
        (&json!(3), &json!(41)),
        "{found:?}"
    );
    assert_eq!(found["sources"][2]["title"], "Article 3");
    assert_eq!(found["blob"]["digest"], DIGEST);
    assert_eq!(found["sources"][2].get("text"), None);
    let result = &one(&events, EventType::ToolResult).data;
    assert_eq!(result["output"], Value::Null, "it stays where it is");
}

#[test]
fn a_long_list_is_cut_and_its_count_is_true() {
    let world = kept_apart(tool("articles", "L5-PS", "{}"));
    let many: Vec<Value> = (0..500).map(|n| json!({ "id": n.to_string() })).collect();
    let events = world.events_with(DIGEST, &json!({ "sources": many }).to_string());
    let found = &one(&events, EventType::PubmedArticlesFound).data;
    assert_eq!(found["count"], 500);
    assert_eq!(found["sources"].as_array().unwrap().len(), 100);
}

#[test]
fn findings_and_passages_of_a_large_answer_are_told() {
    let world = kept_apart(agent("extract"));
    let without = world.events();
    assert!(of(&without, EventType::InsightGenerated).is_empty());
    let events = world.events_with(DIGEST, FINDINGS);
    let insight = &one(&events, EventType::InsightGenerated).data;
    assert_eq!(insight["confidence"], 0.82);
    assert_eq!(insight["citations"], json!([1]));
    let citation = &one(&events, EventType::CitationAdded).data;
    assert_eq!(citation["id"], "1");
    assert_eq!(citation["confidence"], 0.82);
    assert_eq!(citation["source_type"], "rag");
}

#[test]
fn a_check_with_many_findings_is_told_wherever_it_is_kept() {
    let world = kept_apart(tool("check", "constitution", "{}"));
    assert_eq!(wanted(&world), [DIGEST]);
    let area = json!({ "area": "medical_safety", "passed": true, "triggers": [], "findings": 0 });
    let record = json!({ "areas": [area], "findings": [] });
    let events = world.events_with(DIGEST, &record.to_string());
    let check = &one(&events, EventType::ConstitutionalCheck).data;
    assert_eq!(check["check_type"], "medical_safety");
}

/// What is wanted of which event, in order.
fn wanted(world: &World) -> Vec<String> {
    let mut projection = Projection::new();
    let mut mission: Option<Mission> = None;
    let mut all = Vec::new();
    for recorded in &world.journal {
        let now = match mission.take() {
            None => Mission::begin(recorded).unwrap(),
            Some(mut before) => {
                before.apply(recorded).unwrap();
                before
            }
        };
        all.extend(projection.wanted(&now, recorded).map(str::to_owned));
        let _told = projection.take(&now, recorded, &Contents::none());
        mission = Some(now);
    }
    all
}

#[test]
fn only_what_events_tell_of_is_wanted_and_only_once() {
    assert_eq!(wanted(&kept_apart(agent("extract"))), [DIGEST]);
    assert_eq!(wanted(&kept_apart(tool("a", "L5-RAG", "{}"))), [DIGEST]);
    assert!(wanted(&kept_apart(tool("a", "L5-CALC", "{}"))).is_empty());
    assert!(wanted(&stories::research()).is_empty(), "it is all inline");
}

#[test]
fn what_is_too_large_is_not_wanted() {
    let plan = Plan::new("Blob", vec![tool("a", "L5-RAG", "{}")]);
    let mut world = World::open(plan, waive_all());
    let large = Payload::Blob {
        digest: DIGEST.into(),
        bytes: CONTENT_BYTES_MAX + 1,
        shown: Default::default(),
    };
    world.finish("a", Outcome::done(large, Usage::NONE));
    assert!(wanted(&world).is_empty());
}

const CITES_TWO: &str = r#"{"findings":[{"text":"So it is.","kind":"fact","evidence":[
    {"source":"PMID:3","quote":"third"},{"source":"NCT:9","quote":"of nobody's search"}]}],"confidence":0.6}"#;

#[test]
fn a_citation_says_what_the_search_knew_of_its_source() {
    let plan = Plan::new(
        "Cite",
        vec![
            tool("articles", "L5-PS", "{}"),
            agent("extract").after([key("articles")]),
        ],
    );
    let mut world = World::open(plan, waive_all());
    world.finish("articles", done(&three_sources()));
    world.finish("extract", done(CITES_TWO));
    let events = world.events();
    let cited = of(&events, EventType::CitationAdded);
    let (known, unknown) = (&cited[0].data, &cited[1].data);
    let expected = [
        ("source_type", json!("pubmed")),
        ("title", json!("Article 3")),
        ("url", json!("https://example.org/3")),
        ("pmid", json!("3")),
        ("doi", json!("10.1/3")),
        ("citation_text", json!("third")),
        ("confidence", json!(0.6)),
        ("relevance_score", json!(0.333_333)),
    ];
    for (field, value) in expected {
        assert_eq!(known[field], value, "{field}");
    }
    assert_eq!(unknown["title"], "NCT:9");
    assert_eq!(unknown["relevance_score"], Value::Null);
    assert_eq!(unknown["url"], Value::Null);
}

#[test]
fn every_step_of_every_pattern_has_a_phase_words_and_a_confidence() {
    for pattern in Pattern::ALL {
        let plan = Plan::new("Think", vec![thinker("think", &[pattern])]);
        let mut world = World::open(plan, waive_all());
        while let Some(effect) = world.flying.first().cloned() {
            world.finish("think", answer(&effect, 900_000));
        }
        let events = world.events();
        let steps = of(&events, EventType::ReasoningStep);
        assert!(!steps.is_empty(), "{pattern:?}");
        for step in steps {
            let place = step.data["phase"].as_u64().unwrap();
            assert!((1..=7).contains(&place), "{pattern:?}: {step:?}");
            assert_ne!(step.data["content"].as_str().unwrap().trim(), "");
            let confidence = step.data["confidence"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&confidence), "{step:?}");
        }
    }
}

#[test]
fn agents_and_tools_are_told_by_kind_and_name() {
    let events = stories::research().events();
    let spawned = of(&events, EventType::AgentSpawned);
    assert_eq!(spawned[1].data["type"], "extractor");
    let calls = of(&events, EventType::ToolInvoked);
    let names = ["PubMed Search", "RAG Knowledge Search", "News Search"];
    for (call, name) in calls.iter().zip(names) {
        assert_eq!(call.data["tool_name"], name);
    }
}
