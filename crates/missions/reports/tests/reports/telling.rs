//! How a document tells what it tells: nothing empty, nothing run together, nothing counted twice.

use adjutant_document_model::{Block, Document, markdown};
use adjutant_questions::Source;
use adjutant_reports::{Compose, Decide, Kind, Verdict, decision, document, fmea, simulation};
use serde_json::{Value, json};

use crate::dossier::source;

fn written(kind: Kind, pieces: Value, sources: &[Source]) -> Document {
    document(
        kind,
        Compose {
            outline: None,
            title: "A title".to_owned(),
            objective: "An objective".to_owned(),
            pieces: pieces.as_object().unwrap().clone(),
            offline: true,
            sources: sources.to_vec(),
        },
    )
}

fn told(document: &Document) -> String {
    markdown(document, &adjutant_document_model::Made::default())
}

fn finding(text: &str, source: &str) -> Value {
    json!({ "text": text, "kind": "fact", "confidence": 0.5, "evidence": [{ "source": source, "quote": text }] })
}

#[test]
fn lookups_are_told_by_their_answers() {
    let looked = json!([
        { "where": "PubMed", "looked_for": "Sorring", "answer": { "sources": [] } },
        { "where": "the register", "looked_for": "Sorring", "answer": { "total": 0, "sources": [] } },
        { "where": "patents", "looked_for": "Sorring", "answer": null },
        { "where": "the news", "looked_for": "Sorring", "answer": { "sources": [{ "id": "n" }] } },
    ]);
    let text = told(&written(
        Kind::DeepDive,
        json!({ "looked_up": looked }),
        &[],
    ));
    assert!(text.contains("Nothing found in PubMed."), "{text}");
    assert!(text.contains("Nothing found in the register."), "{text}");
    assert!(text.contains("Patents could not be queried."), "{text}");
    assert!(!text.contains("in the news"), "{text}");
}

#[test]
fn sentences_of_a_paragraph_do_not_run_together() {
    let (one, two) = ("The pier settles.", "The deck cracks.");
    let sources = [source("a", "2024-01-01", &format!("{one} {two}"))];
    let analysis = json!({ "summary": format!("{one} {two}"), "findings": [finding(one, "a"), finding(two, "a")] });
    let made = written(Kind::DeepDive, json!({ "analysis": analysis }), &sources);
    let Some(Block::Paragraph(spans)) = made
        .summary
        .iter()
        .find(|block| matches!(block, Block::Paragraph(_)))
    else {
        panic!("{:?}", made.summary);
    };
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    assert_eq!(text, "The pier settles. The deck cracks.");
}

#[test]
fn passages_of_one_document_are_one_document() {
    let (one, two) = ("The pier settles.", "The deck cracks.");
    let sources = [
        source("doc.md#0-17", "2024-01-01", one),
        source("doc.md#18-34", "2024-01-01", two),
    ];
    let analysis = json!({ "summary": "", "findings": [finding(one, "doc.md#0-17"), finding(two, "doc.md#18-34")] });
    let text = told(&written(
        Kind::DeepDive,
        json!({ "analysis": analysis }),
        &sources,
    ));
    assert!(text.contains("**1** documents behind them"), "{text}");
}

#[test]
fn the_same_contradiction_is_shown_once_whichever_side_is_first() {
    let side = |text: &str, id: &str| json!({ "text": text, "evidence": [{ "source": id, "quote": text }] });
    let (one, two) = ("It costs 20 euros.", "It costs 18 euros.");
    let sources = [
        source("a", "2024-01-01", one),
        source("b", "2024-01-02", two),
    ];
    let both = json!({ "contradictions": [{ "about": "cost", "sides": [side(one, "a"), side(two, "b")] }], "summary": "", "findings": [] });
    let turned = json!({ "contradictions": [{ "about": "costs", "sides": [side(two, "b"), side(one, "a")] }], "summary": "", "findings": [] });
    let text = told(&written(
        Kind::DeepDive,
        json!({ "analysis": both, "causes": turned }),
        &sources,
    ));
    assert!(text.contains("One unresolved contradiction"), "{text}");
}

#[test]
fn a_comparison_shows_only_what_is_told() {
    let cell =
        |item: &str, text: Option<&str>| json!({ "item": item, "text": text, "evidence": [] });
    let rows = |other: Option<&str>| {
        json!({ "confidence": 0.5, "rows": [
            { "criterion": "cost", "differs": true, "cells": [cell("North", Some("It is dear.")), cell("South", other)] },
            { "criterion": "dose", "differs": false, "cells": [cell("North", None), cell("South", None)] } ] })
    };
    let text = told(&written(
        Kind::DeepDive,
        json!({ "comparison": rows(None) }),
        &[],
    ));
    assert!(
        text.contains("do not contain enough for a comparison"),
        "{text}"
    );
    assert!(!text.contains("No difference seen"), "{text}");
    let both = rows(Some("It is cheap."));
    let text = told(&written(Kind::DeepDive, json!({ "comparison": both }), &[]));
    assert!(
        text.contains("It is cheap.") && !text.contains("Dose"),
        "{text}"
    );
}

#[test]
fn a_risk_that_is_only_named_gets_no_product() {
    let register = "no. | risk | severity | occurrence | detection\nR1 | Pier 3 settles | 10 | 4 | 6\nR2 | Piles are late | 7 | 7 | 4";
    let sources = vec![
        source("register", "2025-08-01", register),
        source(
            "note",
            "2025-08-02",
            "There is a risk of flooding at the Sorring bridge.",
        ),
    ];
    let asked = json!({ "objective": "risks of the Sorring bridge", "sources": sources });
    let table = fmea(serde_json::from_value(asked).unwrap());
    let ids: Vec<_> = table
        .rows
        .iter()
        .filter_map(|row| row.id.as_deref())
        .collect();
    assert_eq!(ids, ["R1", "R2"], "{table:#?}");
    assert_eq!(table.rows.len(), 2, "{table:#?}");
    assert!(table.unscored[0].text.contains("flooding"), "{table:#?}");
    let text = told(&written(
        Kind::RiskAssessment,
        json!({ "fmea": table }),
        &sources,
    ));
    assert!(text.contains("Named, but not scored"), "{text}");
    assert!(
        !text.contains("Effect"),
        "no source tells an effect: {text}"
    );
}

#[test]
fn ranges_in_millions_of_euros_are_read_as_such_and_summed_once() {
    let by_part = "item | low (million euros) | most likely (million euros) | high (million euros)\nPiles | 4.0 | 5.0 | 7.0\nDeck | 7.0 | 8.0 | 9.0";
    let again = "year | low (EUR million) | most likely (EUR million) | high (EUR million)\n2026 | 5.5 | 6.5 | 8.0\n2027 | 5.5 | 6.5 | 8.0";
    let sources = vec![
        source("files/cost-estimate.csv", "2025-05-01", by_part),
        source("memo", "2025-04-01", again),
    ];
    let asked = json!({ "objective": "cost", "sources": sources, "seed": 7 });
    let all = simulation(serde_json::from_value(asked).unwrap());
    assert_eq!(all.runs.len(), 1, "{all:#?}");
    assert_eq!(all.runs[0].name, "Sum of cost estimate");
    assert!(
        (12e6..15e6).contains(&all.runs[0].mean),
        "{}",
        all.runs[0].mean
    );
}

#[test]
fn a_threshold_in_millions_of_euros_is_held_against_the_cost() {
    let criteria = "criterion | weight | threshold\ntotal cost | 60 | at most 19.0 million euros\nprotection after launch | 40 | at least eight years of protection after launch";
    let sources = vec![
        source("council", "2024-11-19", criteria),
        source(
            "letter",
            "2025-06-02",
            "The total cost of the new bridge is now 20.1 million euros.",
        ),
        source(
            "case",
            "2025-06-03",
            "With a launch one year later the value falls.",
        ),
    ];
    let table = decision(Decide {
        objective: "Release the money?".to_owned(),
        sources,
        ..Decide::default()
    });
    let measured = table.criteria[0].measured.as_ref().unwrap();
    assert_eq!(measured.value, "EUR 20.1 million", "{table:#?}");
    assert!(
        table.criteria[1].measured.is_none(),
        "a year is no protection: {table:#?}"
    );
}

#[test]
fn a_threshold_in_numbers_is_not_missed_by_words() {
    let criteria = "criterion | weight | threshold | must\nEfficacy | 60 | effect on systolic pressure of at least 5 mmHg | yes\nSupply | 40 | tablets are supplied | no";
    let sources = vec![
        source("board", "2024-11-19", criteria),
        source(
            "protocol",
            "2025-06-02",
            "The effect on systolic pressure is shown in adults whose pressure is not controlled.",
        ),
    ];
    let table = decision(Decide {
        objective: "Go on?".to_owned(),
        sources,
        ..Decide::default()
    });
    assert_eq!(table.criteria[0].verdict, Verdict::Unclear, "{table:#?}");
    assert!(table.criteria[0].opposes.is_empty());
}
