use adjutant_document_model::{Block, Mark};
use adjutant_questions::Source;
use serde_json::{Map, Value, json};

use crate::{Compose, Kind, document, judge};

fn compose(pieces: Value, sections: Value) -> Compose {
    let Value::Object(pieces) = pieces else {
        return Compose::default();
    };
    Compose {
        title: "Where the knowledge ends".to_owned(),
        objective: "What is not known?".to_owned(),
        pieces,
        offline: true,
        outline: serde_json::from_value(json!({
            "name": "Gap Discovery", "first": ["matrix"], "sections": sections,
        }))
        .unwrap(),
        sources: vec![Source {
            id: "kb:a".to_owned(),
            title: "Minutes".to_owned(),
            text: "Nobody has measured the noise at night.".to_owned(),
            published: None,
        }],
    }
}

fn evidence(quote: &str) -> Value {
    json!([{"source": "kb:a", "quote": quote}])
}

#[test]
fn an_exhibit_is_shown_with_its_evidence_and_a_quote_that_is_in_no_source_is_dropped() {
    let matrix = json!({
        "headlines": [
            {"text": "Nobody has measured the noise at night", "kind": "fact",
             "evidence": evidence("Nobody has measured the noise at night.")},
            {"text": "The roof is safe", "kind": "fact", "evidence": evidence("The roof is safe.")},
        ],
        "tables": [{
            "caption": "Needs and what is known", "columns": [{"heading": "Need", "width": 2}, {"heading": "Known", "width": 3}],
            "rows": [[{"text": "Noise"}, {"text": "nothing at night", "role": "statement"}]],
        }],
    });
    let sections = json!([{"title": "The matrix", "show": "exhibit", "from": "matrix"}]);
    let made = document(
        Kind::Outline,
        compose(json!({ "matrix": matrix }), sections),
    );
    assert_eq!(made.kind, "Gap Discovery");
    let first = made.summary.iter().find_map(|block| match block {
        Block::Bullets(items) => Some(items),
        _ => None,
    });
    let first = first.unwrap();
    assert_eq!(first[0][0].cites, vec![1]);
    assert_eq!(first[0][0].mark, None);
    // Its quote is in no source, so it is no fact.
    assert_eq!(first[1][0].mark, Some(Mark::Interpretation));
    let matrix = made
        .sections
        .iter()
        .find(|section| section.heading == "The matrix")
        .unwrap();
    let row = matrix.blocks.iter().find_map(|block| match block {
        Block::Table { rows, .. } => rows.first(),
        _ => None,
    });
    let row = row.unwrap();
    assert_eq!(row[0][0].mark, None, "a label needs no evidence");
    assert_eq!(row[1][0].mark, Some(Mark::Interpretation));
}

/// What a model quotes may go on from the sentence before, which is not on the first page.
#[test]
fn a_statement_that_goes_on_from_another_is_given_as_its_documents() {
    let said = "It is planned for the second quarter of 2027.";
    let finding =
        json!({"text": said, "kind": "fact", "evidence": evidence(said), "confidence": 0.9});
    let concluded = json!({
        "summary": said, "findings": [finding], "contradictions": [], "not_found": [], "confidence": 0.9,
    });
    let mut request = compose(json!({ "matrix": concluded }), json!([]));
    request.sources[0].text = format!("The trial has a new site. {said}");
    let sources = request.sources.clone();
    let made = document(Kind::Outline, request);
    let first = serde_json::to_string(&made.summary).unwrap();
    assert!(first.contains(&format!("Minutes: “{said}”")), "{first}");
    let judged = judge(&made, &sources);
    let whole: Vec<_> = judged
        .feedback
        .iter()
        .filter(|at| at.contains("stand by itself"))
        .collect();
    assert!(whole.is_empty(), "{whole:?}");
}

#[test]
fn a_piece_that_is_missing_is_reported_as_not_done() {
    let sections = json!([{"title": "The matrix", "show": "exhibit", "from": "matrix"}]);
    let made = document(Kind::Outline, compose(Value::Object(Map::new()), sections));
    let text = serde_json::to_string(&made).unwrap();
    assert!(text.contains("This part was not done"), "{text}");
    assert!(text.contains("No source was found that addresses the objective"));
}

#[test]
fn a_row_of_labels_with_a_number_is_marked_once() {
    let matrix = json!({"tables": [{
        "caption": "Pumps", "columns": [{"heading": "Pump", "width": 2}, {"heading": "State", "width": 1}],
        "rows": [[{"text": "Pump 3000"}, {"text": "after 2 days"}], [{"text": "Pump A"}, {"text": "new"}]],
    }]});
    let sections = json!([{"title": "The matrix", "show": "exhibit", "from": "matrix"}]);
    let made = document(
        Kind::Outline,
        compose(json!({ "matrix": matrix }), sections),
    );
    let rows = made.sections[0]
        .blocks
        .iter()
        .find_map(|block| match block {
            Block::Table { rows, .. } => Some(rows),
            _ => None,
        });
    let rows = rows.unwrap();
    assert_eq!(rows[0][0][0].mark, Some(Mark::Interpretation));
    assert_eq!(rows[0][1][0].mark, None);
    assert_eq!(rows[1][0][0].mark, None);
}

/// The tables of the first section, as text: a row to each line.
fn rows_of(made: &adjutant_document_model::Document) -> Vec<Vec<String>> {
    let rows = made.sections[0]
        .blocks
        .iter()
        .find_map(|block| match block {
            Block::Table { rows, .. } => Some(rows),
            _ => None,
        });
    let text = |spans: &Vec<adjutant_document_model::Span>| {
        let texts = spans.iter().map(|span| span.text.as_str());
        texts.collect::<Vec<_>>().concat()
    };
    let rows = rows.unwrap().iter();
    rows.map(|row| row.iter().map(text).collect()).collect()
}

fn shown_as(view: &str, piece: Value) -> adjutant_document_model::Document {
    let sections = json!([{"title": "Found", "show": view, "from": "found"}]);
    document(Kind::Outline, compose(json!({ "found": piece }), sections))
}

#[test]
fn what_workers_found_is_shown_with_its_passages() {
    let quote = evidence("Nobody has measured the noise at night.");
    let made = shown_as(
        "hypotheses",
        json!({"hypotheses": [{"statement": "The noise at night is louder", "evidence": quote,
            "would_support": "A measurement at night", "would_refute": "It is as quiet as by day",
            "test": "Measure for 7 nights", "confidence": 0.4}]}),
    );
    let rows = rows_of(&made);
    assert_eq!(rows[0][0], "The noise at night is louder");
    assert_eq!(rows[0][3], "Measure for 7 nights");
    let table = made.sections[0]
        .blocks
        .iter()
        .find_map(|block| match block {
            Block::Table { rows, .. } => Some(rows),
            _ => None,
        });
    let rows = table.unwrap();
    assert_eq!(rows[0][0][0].cites, vec![1]);
    assert_eq!(
        rows[0][0][0].mark,
        Some(Mark::Interpretation),
        "whatever it quotes"
    );
    assert_eq!(
        rows[0][3][0].mark,
        Some(Mark::Interpretation),
        "a number of nobody"
    );

    let made = shown_as(
        "causes",
        json!({"causes": [{"cause": "nobody", "effect": "noise at night", "direction": "raises",
            "strength": "denied", "evidence": quote}]}),
    );
    assert_eq!(
        rows_of(&made)[0],
        ["Nobody", "raises", "Noise at night", "denied"]
    );

    let made = shown_as(
        "flags",
        json!({"flags": [{"what": "The noise is not measured", "kind": "condition_unmet", "severity": "high",
            "because": "Nobody has measured it", "evidence": quote}]}),
    );
    assert_eq!(
        rows_of(&made)[0][..3],
        ["high", "condition not met", "The noise is not measured"]
    );

    let line = |text: &str, evidence: Value| json!({"text": text, "evidence": evidence});
    let made = shown_as(
        "scenarios",
        json!({"scenarios": [
            {"name": "a", "case": "alternative", "confidence": 0.5, "outcomes": [], "early_signs": [],
             "conditions": [line("Nobody measures", quote.clone())]},
            {"name": "b", "case": "worst", "confidence": 0.5,
             "conditions": [line("It is loud", quote.clone())],
             "outcomes": [line("People move away", quote.clone()), line("Rents fall", quote.clone())],
             "early_signs": [line("Letters to the council", json!([]))]},
        ]}),
    );
    let rows = rows_of(&made);
    assert_eq!(rows[0][0], "worst case", "stated cases come first");
    assert_eq!(rows[0][2], "People move away. Rents fall.");
    assert_eq!(rows[1][2..], ["not told", "not told"]);
}

#[test]
fn a_worker_that_found_nothing_is_told_from_one_that_was_not_asked() {
    for (view, list) in [
        ("hypotheses", "hypotheses"),
        ("causes", "causes"),
        ("flags", "flags"),
        ("scenarios", "scenarios"),
    ] {
        let text = |piece: Value| serde_json::to_string(&shown_as(view, piece)).unwrap();
        assert!(text(json!({ list: [] })).contains("None found"), "{view}");
        assert!(
            text(Value::Null).contains("This part was not done"),
            "{view}"
        );
        // What a model or an older mission left that is no such list is left out, not guessed.
        assert!(text(json!({ list: [{"what": 1}] })).contains("None found"));
    }
}

#[test]
fn what_a_tool_computed_is_shown_with_its_method() {
    let text = |piece: Value| serde_json::to_string(&shown_as("computed", piece)).unwrap();
    let share = text(json!({
        "analysis": "proportion_interval", "method": "Wilson's score interval", "notes": [],
        "figures": {"estimate": 0.0377, "interval": {"low": 0.0148, "high": 0.093, "level": 0.95}},
    }));
    for told in [
        "Estimate",
        "0.0377",
        "0.0148 to 0.093",
        "Wilson's score interval",
    ] {
        assert!(share.contains(told), "{told}: {share}");
    }
    let days = text(json!({"method": "Calendar", "parts": [
        {"name": "business_days", "text": "9", "value": 9}]}));
    assert!(
        days.contains("Business days") && days.contains("calculation"),
        "{days}"
    );
    let terms =
        text(json!({"method": "C-value", "phrases": [{"text": "noise at night", "count": 3}]}));
    assert!(terms.contains("noise at night") && terms.contains("3 times"));
    let works =
        text(json!({"method": "Vancouver", "entries": [{"text": "On locks. 2020."}], "text": "x"}));
    assert!(works.contains("On locks. 2020."));
    for nothing in [Value::Null, json!({"value": "no date"})] {
        let told = text(nothing);
        assert!(
            told.contains("This part was not done")
                || told.contains("There was nothing to compute")
        );
    }
}

#[test]
fn a_first_page_without_a_result_says_why_and_what_the_documents_say() {
    let quote = "Nobody has measured the noise at night.";
    let at = json!({"sentence": quote, "title": "Minutes", "source": "kb:a", "date": null, "address": "kb:a"});
    let pieces = json!({
        "matrix": {"notes": [{"title": "Nothing to compare", "text": "Of fewer than two pumps there are figures"}]},
        "reading": {"answers": [
            {"question": "Who measured the noise?", "verdict": "answered", "fit": 0.8, "missing": [], "passages": [at]},
        ], "today": "2031-01-01"},
    });
    let made = document(Kind::Outline, compose(pieces, json!([])));
    let text = serde_json::to_string(&made.summary).unwrap();
    let why = text.find("Of fewer than two pumps").unwrap();
    let said = text.find(quote.trim_end_matches('.')).unwrap();
    assert!(why < said, "{text}");
    assert!(!text.contains("No source was found"), "{text}");

    let told = json!({"matrix": {"headlines": [{"text": "Nobody knows", "kind": "interpretation", "evidence": []}],
        "notes": [{"title": "Nothing to compare", "text": "Of fewer than two pumps there are figures"}]}});
    let made = document(Kind::Outline, compose(told, json!([])));
    let text = serde_json::to_string(&made.summary).unwrap();
    assert!(!text.contains("fewer than two pumps"), "{text}");
}

#[test]
fn rules_put_no_paragraph_above_their_findings() {
    let finding = json!({"text": "Nobody has measured the noise at night", "kind": "fact", "confidence": 0.9,
        "evidence": evidence("Nobody has measured the noise at night.")});
    let pieces = json!({
        "reading": {"today": "2031-01-01"},
        "found": {"summary": "The pumps are loud by day.", "findings": [finding], "confidence": 0.5},
    });
    let sections = json!([{"title": "Found", "show": "findings", "from": "found"}]);
    let mut given = compose(pieces, sections);
    let made = document(Kind::Outline, given.clone());
    let text = serde_json::to_string(&made).unwrap();
    assert!(
        text.contains("measured the noise") && !text.contains("loud by day"),
        "{text}"
    );
    // A model's summary is its own.
    given.offline = false;
    let text = serde_json::to_string(&document(Kind::Outline, given)).unwrap();
    assert!(text.contains("loud by day"), "{text}");
}

#[test]
fn what_was_not_computed_says_why() {
    let sections = json!([{"title": "The day", "show": "computed", "from": "end"}]);
    let made = document(
        Kind::Outline,
        compose(json!({"end": "no first day is known"}), sections),
    );
    let text = serde_json::to_string(&made).unwrap();
    assert!(
        text.contains("No first day is known") && !text.contains("not done"),
        "{text}"
    );
}

#[test]
fn what_is_quoted_stands_without_the_number_of_its_clause() {
    let matrix = json!({
        "headlines": [{"text": "2.1 Nobody has measured the noise at night", "kind": "fact",
            "evidence": evidence("Nobody has measured the noise at night.")}],
        "tables": [{"caption": "Boxes", "columns": [{"heading": "No.", "width": 1}, {"heading": "Said", "width": 3}],
            "rows": [[{"text": "2.1 Night"}, {"text": "[ ] The noise is measured", "role": "statement"}]]}],
    });
    let sections = json!([{"title": "The matrix", "show": "exhibit", "from": "matrix"}]);
    let made = document(
        Kind::Outline,
        compose(json!({ "matrix": matrix }), sections),
    );
    let text = serde_json::to_string(&made).unwrap();
    assert!(
        text.contains("\"Nobody has measured") && text.contains("\"The noise is measured"),
        "{text}"
    );
    assert!(
        text.contains("2.1 Night"),
        "a label may be a number: {text}"
    );
}
