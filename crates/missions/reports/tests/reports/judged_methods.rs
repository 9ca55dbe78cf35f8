//! What methods return, in reports by an outline: the judge must find nothing wrong with it.

use adjutant_methods::method;
use adjutant_questions::Source;
use adjutant_reports::{Compose, DocumentsRead, Kind, document, judge_with};
use serde_json::{Value, json};

const TEST: &str = "The noise of the pump was 38 dB at night.";
const OFFER: &str = "The pump is quiet and costs 1,200 EUR.";
const LETTER: &str = "The pump is not quiet, said 3 of 4 neighbours.";
const STEEL: &str = "Bert orders the steel by 1 April 2026.";
const PERMIT: &str = "Ann sends the permit of the council by 2 January 2026.";

fn sources() -> Vec<Source> {
    let source = |name: &str, text: &str| Source {
        id: format!("kb:a/{name}.md#0-{}", text.len()),
        title: name.to_owned(),
        text: text.to_owned(),
        published: None,
    };
    vec![
        source("test", TEST),
        source("offer", OFFER),
        source("letter", LETTER),
    ]
}

fn address(name: &str, text: &str) -> String {
    format!("kb:a/{name}.md#0-{}", text.len())
}

fn evidence(name: &str, text: &str) -> Value {
    json!([{"source": address(name, text), "quote": text}])
}

fn stated(name: &str, text: &str) -> Value {
    json!({"sentence": text, "title": name, "source": name, "date": "2026-01-01", "address": address(name, text)})
}

fn finding(name: &str, text: &str) -> Value {
    json!({"text": text, "kind": "fact", "evidence": evidence(name, text), "confidence": 0.7})
}

fn reading() -> Value {
    let document = |name: &str, strength: &str| {
        json!({"id": format!("kb:a/{name}.md"), "title": name, "date": "2026-01-01", "genre": "letter",
            "strength": strength, "is_draft": false, "replaced_by": null})
    };
    json!({
        "documents": [document("test", "high"), document("offer", "low"), document("letter", "low"), document("minutes", "moderate")],
        "contradicting": [[stated("offer", OFFER), stated("letter", LETTER)]],
        "owed": [{"who": "Ann", "what": "send the permit", "due": "2026-01-02", "status": "overdue", "at": stated("minutes", PERMIT)},
            {"who": "Bert", "what": "order the steel", "due": "2026-04-01", "status": "open", "at": stated("orders", STEEL)}],
        "missing": [{"kind": "asked, and not answered", "what": "the permit", "at": stated("minutes", PERMIT)}],
        "today": "2026-03-01", "documents_found": 4,
    })
}

fn points() -> Value {
    json!([{"points": [
        {"key": "noise", "found": "yes", "evidence": evidence("test", TEST), "missing": ""},
        {"key": "cost", "found": "partly", "evidence": evidence("offer", OFFER), "missing": "who pays the 1,200 EUR"},
        {"key": "permit", "found": "no", "evidence": [], "missing": "permit of the council"},
    ]}])
}

fn wanted() -> Value {
    json!([
        {"key": "noise", "wants": "noise of the pump over 8 hours"},
        {"key": "cost", "wants": "cost of the pump"},
        {"key": "permit", "wants": "permit of the council"},
    ])
}

fn findings() -> Value {
    json!([{"findings": [finding("test", TEST), finding("offer", OFFER), finding("letter", LETTER)]}])
}

/// Each method with an input that has something of everything.
fn inputs() -> Vec<(&'static str, Value)> {
    let part = |score: Option<f64>, name: &str, text: &str| json!({"criterion": "Noise 24", "score": score, "reason": "A source says 38 dB.", "evidence": evidence(name, text)});
    let option = |name: &str, score: Option<f64>, of: Value| json!({"item": name, "score": score, "parts": [of]});
    let group = json!([{"clusters": [{"label": "pumps", "sources": [address("test", TEST), address("offer", OFFER)],
        "keywords": ["pump", "noise"], "evidence": []}]}]);
    let objection = json!([{"objections": [{"claim": OFFER, "text": "It is not.", "kind": "contradicted", "evidence": evidence("letter", LETTER)}]}]);
    let question = json!({"lesson": "Pumps", "text": TEST.replace("38", "____"), "answer": "38", "statement": finding("test", TEST)});
    vec![
        (
            "claim_review",
            json!({"claims": findings(), "objections": objection, "standards": wanted(), "met": points(),
            "reading": [reading()], "answers": [{"option": "strict"}]}),
        ),
        (
            "coverage_map",
            json!({"topics": wanted(), "findings": findings(), "sources": sources(), "reading": [reading()],
            "answers": [{"option": "list_requests"}]}),
        ),
        (
            "curriculum",
            json!({"groups": group, "findings": findings(), "reading": [reading()]}),
        ),
        (
            "graded_test",
            json!({"questions": [question], "answers": [{"option": "answered", "note": "1: 40"}, {"option": "repeat_missed"}]}),
        ),
        (
            "need_matrix",
            json!({"needs": wanted(), "here": points(), "elsewhere": points(), "public": [{"sources": [1]}],
            "against": findings(), "reading": [reading()]}),
        ),
        (
            "need_matrix",
            json!({"needs": wanted(), "here": points(), "reading": [reading()], "answers": [{"option": "overdue_first"}]}),
        ),
        (
            "requirement_check",
            json!({"requirements": wanted(), "met": points(), "reading": [reading()], "by": "2026-06-01",
            "limits": [{"name": "Budget 2026", "needed": 1200.0, "available": 1000.0, "unit": "EUR"}]}),
        ),
        (
            "stable_ranking",
            json!({"scores": [{"ranking": [
                option("Pump 7", Some(60.0), part(Some(60.0), "test", TEST)), option("Pump 8", Some(80.0), part(Some(80.0), "offer", OFFER)),
            ]}], "criteria": [{"name": "Noise 24"}], "own": "Pump 7"}),
        ),
    ]
}

#[test]
fn the_judge_accepts_what_methods_show() {
    for (id, input) in inputs() {
        let shown = (method(id).unwrap().apply)(input).unwrap();
        assert!(!shown.is_empty(), "{id}");
        let read: DocumentsRead = serde_json::from_value(reading()).unwrap();
        let mut all = sources();
        all.extend(read.sources());
        let request = Compose {
            title: "The pump".to_owned(),
            objective: "Is the pump good?".to_owned(),
            pieces: json!({"shown": shown.clone(), "reading": reading(), "conclusion": {"summary": "", "findings": findings()[0]["findings"].clone()}})
                .as_object()
                .cloned()
                .unwrap(),
            offline: true,
            outline: serde_json::from_value(json!({"name": "A method", "first": ["shown"], "sections": [
                {"title": "Result", "show": "exhibit", "from": "shown"},
                {"title": "Findings", "show": "findings", "from": "conclusion"},
            ]}))
            .unwrap(),
            sources: all.clone(),
        };
        let made = document(Kind::Outline, request);
        // The graded test is shown beside the course, which names what is overdue.
        let read = (id != "graded_test").then_some(&read);
        let judged = judge_with(&made, &all, read);
        assert!(judged.passed, "{id}: {:#?}", judged.feedback);
    }
}
