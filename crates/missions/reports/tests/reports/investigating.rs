//! What methods show, in a report by an outline: the judge finds nothing wrong with it.

use adjutant_methods::method;
use adjutant_questions::Source;
use adjutant_reports::{Compose, Kind, document, judge};
use serde_json::{Map, Value, json};

fn sources() -> Value {
    let source = |id: &str, title: &str, text: &str| json!({"id": id, "title": title, "text": text, "published": null});
    let rows: Vec<String> = (0..12)
        .map(|at| format!("| {} | {at} |", if at < 6 { "north" } else { "south" }))
        .collect();
    json!([
        source(
            "kb:log#0-1",
            "Log",
            "The pump stopped at 14:00 because the motor overheated. Who pays for the pump?"
        ),
        source(
            "kb:report#0-1",
            "Report",
            "The overheating of the motor was caused by a blocked filter of 40 mm."
        ),
        source(
            "kb:letter#0-1",
            "Letter",
            "The pump needs 3 repairs a year. The new pump saves 400 hours."
        ),
        source(
            "kb:list#0-1",
            "List",
            &format!("| Site | Days |\n{}", rows.join("\n"))
        ),
        source(
            "kb:trial#0-1",
            "Trial",
            "| Event | New (n=120) | Old (n=118) |\n| Leak | 24 | 6 |\n| Noise | 5 | 5 |"
        ),
    ])
}

fn finding(text: &str, source: &str, quote: &str) -> Value {
    json!({"text": text, "kind": "fact", "confidence": 0.7, "evidence": [{"source": source, "quote": quote}]})
}

fn inputs() -> [(&'static str, Value); 6] {
    let saves = "The new pump saves 400 hours.";
    let repairs = "The pump needs 3 repairs a year.";
    let claims = json!([{"findings": [
        finding(saves, "kb:letter#0-1", saves),
        finding(repairs, "kb:letter#0-1", repairs),
    ]}]);
    let stated = |sentence: &str, value: &str| json!({"sentence": sentence, "value": value, "title": "Letter", "address": "kb:letter#0-1"});
    let reading = json!([{
        "changed": [[stated(repairs, "3"), stated(saves, "400")]],
        "wrong_sums": [{"stated": "400 hours", "computed": 380.0, "unit": "hours", "at": stated(saves, "400")}],
    }]);
    [
        (
            "causal_tree",
            json!({"failure": "Why did the pump stop?", "sources": sources(), "findings": claims}),
        ),
        (
            "claim_check",
            json!({"claims": claims, "sources": sources(), "reading": reading}),
        ),
        (
            "question_sheet",
            json!({"purpose": "The pump", "sources": sources(), "reading": reading, "questions": ["How many of the 12 sites"]}),
        ),
        (
            "argument_map",
            json!({"thesis": "Buy the new pump", "reasons": claims, "choices": [{"note": "It costs 9000"}]}),
        ),
        ("pattern_search", json!({"sources": sources()})),
        ("report_signals", json!({"sources": sources()})),
    ]
}

#[test]
fn the_judge_accepts_what_methods_show() {
    for (id, input) in inputs() {
        let exhibit = (method(id).unwrap().apply)(input).unwrap();
        assert!(!exhibit.is_empty(), "{id}");
        let mut pieces = Map::new();
        pieces.insert("shown".to_owned(), serde_json::to_value(&exhibit).unwrap());
        let outline = json!({
            "name": "A report", "first": ["shown"],
            "sections": [{"title": "The result", "show": "exhibit", "from": "shown"}],
        });
        let sources: Vec<Source> = serde_json::from_value(sources()).unwrap();
        let made = document(
            Kind::Outline,
            Compose {
                title: "The pump".to_owned(),
                objective: "The pump".to_owned(),
                pieces,
                offline: true,
                outline: serde_json::from_value(outline).unwrap(),
                sources: sources.clone(),
            },
        );
        let judged = judge(&made, &sources);
        assert!(judged.passed, "{id}: {judged:#?}");
        let text = serde_json::to_string(&made).unwrap();
        assert!(!text.contains("Not in its source"), "{id}: {text}");
    }
}
