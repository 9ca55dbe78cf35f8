//! Decisions by conditions and risks by registers, as documents that were read give them, and a judge that knows the difference.

use adjutant_document_model::{Block, Document, Span, Tone};
use adjutant_reports::{Compose, DocumentsRead, Kind, document, judge_with};
use serde_json::{Map, Value, json};

use crate::dossier::all_text;

const MAST: &str = "(a) the mast has been surveyed";
const BALLAST: &str = "(b) at least 20 days are left before the regatta";
const CRACK: &str = "The survey of the mast was stopped because of a crack.";
const OTHERWISE: &str = "If a condition is not met, the boat stays in the yard.";
const RISK: &str = "R-1 | The mast breaks | 12";

fn stated(document: &str, sentence: &str) -> Value {
    json!({
        "sentence": sentence, "title": document, "source": document, "date": "2031-04-01",
        "address": format!("kb:club/{document}#0-{}", sentence.len()),
    })
}

fn of_document(name: &str, genre: &str) -> Value {
    json!({
        "id": format!("kb:club/{name}"), "title": name, "date": "2031-04-01", "genre": genre,
        "strength": "moderate", "is_draft": false, "replaced_by": null,
    })
}

fn condition(words: &str, state: &str, grounds: &[Value], days: Value) -> Value {
    json!({
        "label": null, "at": stated("minutes.md", words), "lead": stated("minutes.md", "She sails only if:"),
        "otherwise": stated("minutes.md", OTHERWISE), "is_must": true, "state": state, "grounds": grounds,
        "claimed": null, "days": days,
    })
}

fn read(first_state: &str) -> Value {
    let counted = json!({"needed": 20, "there": 8, "from": "2031-05-02", "to": "2031-05-10", "event": null, "is_enough": false});
    let second = if first_state == "met" {
        "met"
    } else {
        "not_met"
    };
    let days = if first_state == "met" {
        Value::Null
    } else {
        counted
    };
    json!({
        "documents": [of_document("minutes.md", "minutes"), of_document("survey.md", "report"), of_document("risks.md", "register")],
        "noticed": {
            "first": [stated("survey.md", CRACK)],
            "conditions": [
                condition(MAST, first_state, &[stated("survey.md", CRACK)], Value::Null),
                condition(BALLAST, second, &[], days)
            ],
            "planned": {"day": "2031-05-02", "within": []},
            "registers": [{"title": "risks.md", "date": "2031-04-01", "columns": ["Id", "Risk", "Score"], "rows": [
                {"code": "R-1", "name": "The mast breaks", "score": 12.0, "scored_in": null, "cells": ["R-1", "The mast breaks", "12"],
                 "at": stated("risks.md", RISK), "notes": [], "because": [stated("survey.md", CRACK)]}
            ]}],
            "shortfalls": [stated("survey.md", CRACK)]
        },
        "today": "2031-04-20",
        "documents_found": 3
    })
}

fn written(kind: Kind, state: &str) -> (Document, DocumentsRead) {
    let read: DocumentsRead = serde_json::from_value(read(state)).unwrap();
    let mut pieces = Map::new();
    pieces.insert("reading".to_owned(), serde_json::to_value(&read).unwrap());
    let compose = Compose {
        outline: None,
        title: "The regatta".to_owned(),
        objective: "Should the boat sail on 2 May 2031?".to_owned(),
        pieces,
        offline: true,
        sources: read.sources(),
    };
    (document(kind, compose), read)
}

fn failed(document: &Document, read: &DocumentsRead) -> Vec<String> {
    let judged = judge_with(document, &read.sources(), Some(read));
    let failed = judged.checks.iter().filter(|check| !check.passed);
    failed
        .map(|check| format!("{}: {:?}", check.name, judged.feedback))
        .collect()
}

fn title(document: &Document) -> &str {
    let title = document.summary.iter().find_map(|block| match block {
        Block::Callout(callout) if callout.tone != Tone::Note => Some(callout.title.as_str()),
        _ => None,
    });
    title.unwrap()
}

#[test]
fn a_condition_that_is_not_met_is_enough_against_it() {
    let (no, read) = written(Kind::GoNoGo, "not_met");
    assert_eq!(title(&no), "No-Go as things stand");
    let text = all_text(&no);
    for told in [
        CRACK.trim_end_matches('.'),
        OTHERWISE,
        "there are 8 days, and 20 are needed",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert_eq!(failed(&no, &read), Vec::<String>::new());
    assert_eq!(title(&written(Kind::GoNoGo, "met").0), "Go");
    // Counting days is enough against it.
    assert_eq!(
        title(&written(Kind::GoNoGo, "not_shown").0),
        "No-Go as things stand"
    );
}

#[test]
fn a_verdict_that_its_conditions_deny_is_refused() {
    let (mut document, read) = written(Kind::GoNoGo, "not_met");
    for block in &mut document.summary {
        if let Block::Callout(callout) = block
            && callout.tone != Tone::Note
        {
            callout.title = "Go".to_owned();
        }
    }
    let failed = failed(&document, &read);
    assert!(
        failed.len() == 1 && failed[0].starts_with("verdict"),
        "{failed:?}"
    );
}

#[test]
fn risks_are_those_of_the_register_with_its_own_scores() {
    let (document, read) = written(Kind::RiskAssessment, "not_met");
    let text = all_text(&document);
    assert!(text.contains("R-1 The mast breaks: 12"), "{text}");
    assert!(!text.contains("Severity"), "{text}");
    assert_eq!(failed(&document, &read), Vec::<String>::new());
}

#[test]
fn a_score_of_nobody_is_refused() {
    let (mut document, read) = written(Kind::RiskAssessment, "not_met");
    let table = document
        .sections
        .iter_mut()
        .flat_map(|section| &mut section.blocks);
    for block in table {
        if let Block::Table { columns, rows, .. } = block
            && let Some(at) = columns.iter().position(|column| column.heading == "Score")
        {
            rows[0][at][0].text = "15".to_owned();
        }
    }
    let failed = failed(&document, &read);
    assert!(
        failed.iter().any(|check| check.starts_with("scores")),
        "{failed:?}"
    );
}

#[test]
fn a_fragment_is_no_summary() {
    for text in [
        "It was stopped because of a crack.",
        "stopped | crack | mast",
        "Because of a crack",
    ] {
        let (mut document, read) = written(Kind::DeepDive, "not_met");
        assert_eq!(failed(&document, &read), Vec::<String>::new());
        let cites = document.sources[0]
            .passages
            .iter()
            .map(|passage| passage.number)
            .collect();
        let span = Span {
            text: text.to_owned(),
            cites,
            ..Span::default()
        };
        document.summary.push(Block::Paragraph(vec![span]));
        let failed = failed(&document, &read);
        assert!(
            failed
                .iter()
                .any(|check| check.starts_with("whole sentences")),
            "{text}: {failed:?}"
        );
    }
}
