use adjutant_document_model::Document;
use adjutant_questions::{Conclude, Extract, Input, Object, Output, Source, Timeline};
use adjutant_reports::{Compose, Kind, document, judge};
use serde_json::{Map, Value, json};

use crate::dossier::{all_text, changed, source, sources};

fn pieces(objective: &str, sources: &[Source]) -> Map<String, Value> {
    let answer = |input: Input| adjutant_rule_answers::answer(&input).value();
    let extract = answer(Input::Extract(Extract {
        question: objective.to_owned(),
        sources: sources.to_vec(),
        most: 10,
        guidance: Vec::new(),
    }));
    let timeline = answer(Input::Timeline(Timeline {
        about: objective.to_owned(),
        sources: sources.to_vec(),
        guidance: Vec::new(),
    }));
    let objections = answer(Input::Object(Object {
        claims: vec!["The shelf life of the tablet is 24 months.".to_owned()],
        sources: sources.to_vec(),
        guidance: Vec::new(),
    }));
    let mut pieces = Map::new();
    pieces.insert("extracts".to_owned(), json!([extract]));
    pieces.insert("timeline".to_owned(), timeline);
    pieces.insert("objections".to_owned(), objections);
    pieces.insert(
        "looked_up".to_owned(),
        json!([{"where": "PubMed", "looked_for": "velordrostat", "total": 0}]),
    );
    pieces.insert(
        "analysis".to_owned(),
        json!({
            "summary": "The dose of 40 mg raises potassium.",
            "findings": [],
            "contradictions": [{
                "about": "patients on 40 mg with potassium above 6.0 mmol/L",
                "sides": [
                    {"text": "4 (3.8 %)", "evidence": [{"source": "clinical/cairn-2-study-report.pdf", "quote": "Above 6.0 mmol/L | 0 | 1 (1.0 %) | 4 (3.8 %)"}]},
                    {"text": "five patients", "evidence": [{"source": "minutes/risk-workshop-2026-09-10.md", "quote": "the central laboratory shows five patients above 6.0 mmol/L on 40 mg"}]}
                ]
            }],
            "not_found": ["a paediatric plan"],
            "confidence": 0.6
        }),
    );
    pieces
}

fn written(objective: &str, sources: &[Source]) -> Document {
    document(
        Kind::DeepDive,
        Compose {
            outline: None,
            title: "Potassium".to_owned(),
            objective: objective.to_owned(),
            pieces: pieces(objective, sources),
            offline: true,
            sources: sources.to_vec(),
        },
    )
}

#[test]
fn the_document_holds_and_keeps_the_contradiction() {
    let sources = sources();
    let made = written(
        "What is known about potassium above 6.0 mmol/L on 40 mg?",
        &sources,
    );
    let judged = judge(&made, &sources);
    assert!(judged.passed, "{:#?}", judged.feedback);
    let text = all_text(&made);
    for part in [
        "4 (3.8 %)",
        "five patients",
        "A paediatric plan",
        "Nothing found in PubMed",
        "How it developed",
    ] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
}

#[test]
fn passages_are_numbered_in_the_order_of_their_first_use() {
    let sources = sources();
    let made = written(
        "What is known about potassium above 6.0 mmol/L on 40 mg?",
        &sources,
    );
    let mut numbers: Vec<u32> = made
        .sources
        .iter()
        .flat_map(|at| &at.passages)
        .map(|at| at.number)
        .collect();
    let firsts: Vec<u32> = made
        .sources
        .iter()
        .map(|at| at.passages[0].number)
        .collect();
    assert!(
        firsts.is_sorted(),
        "sources stand in the order of their first use"
    );
    numbers.sort_unstable();
    let wanted: Vec<u32> = (1..=u32::try_from(numbers.len()).unwrap()).collect();
    assert_eq!(numbers, wanted);
}

#[test]
fn two_objectives_give_two_documents() {
    let sources = sources();
    let first = all_text(&written(
        "What is known about potassium above 6.0 mmol/L on 40 mg?",
        &sources,
    ));
    let second = all_text(&written(
        "When does the composition-of-matter patent expire?",
        &sources,
    ));
    assert!(second.contains("14 August 2031"));
    assert!(!first.contains("14 August 2031"));
}

#[test]
fn another_number_in_a_source_is_another_sentence() {
    let changed = changed(
        "patents/freedom-to-operate-memo.md",
        "14 August 2031",
        "14 August 2037",
    );
    let text = all_text(&written(
        "When does the composition-of-matter patent expire?",
        &changed,
    ));
    assert!(text.contains("14 August 2037") && !text.contains("14 August 2031"));
}

#[test]
fn a_quote_that_is_not_in_its_source_is_dropped_and_told() {
    let sources = sources();
    let mut pieces = Map::new();
    pieces.insert(
        "extracts".to_owned(),
        json!([{"findings": [{
            "text": "Nobody was harmed.",
            "kind": "fact",
            "evidence": [{"source": "board/finance-memo-2026-08-31.txt", "quote": "nobody was harmed"}],
            "confidence": 0.9
        }], "not_found": [], "confidence": 0.9}]),
    );
    let made = document(
        Kind::DeepDive,
        Compose {
            outline: None,
            title: "Harm".to_owned(),
            pieces,
            sources,
            ..Compose::default()
        },
    );
    assert!(made.sources.is_empty());
    let text = all_text(&made);
    assert!(
        text.contains("Quotes that could not be confirmed") && text.contains("“nobody was harmed”")
    );
    assert!(
        text.contains("\"text\":\"Nobody was harmed.\",\"mark\":\"interpretation\""),
        "{text}"
    );
}

#[test]
fn a_draft_keeps_its_citations() {
    let sources = sources();
    let mut pieces = pieces("What is known about cash?", &sources);
    pieces.insert(
        "draft".to_owned(),
        json!({
            "text": "## Money\n\nThe covenant is breached in the fourth quarter of 2027. [1] Nobody has an answer.",
            "citations": [{"source": "board/finance-memo-2026-08-31.txt", "quote": "The covenant is breached in the fourth quarter of 2027"}],
            "confidence": 0.8,
            "answered_by": {"purpose": "draft", "provider": "offline", "model": "offline"}
        }),
    );
    for kind in [Kind::DeepDive, Kind::RiskAssessment, Kind::GoNoGo] {
        holds_the_draft(kind, pieces.clone(), &sources);
    }
}

fn holds_the_draft(kind: Kind, pieces: Map<String, Value>, sources: &[Source]) {
    let made = document(
        kind,
        Compose {
            outline: None,
            title: "Cash".to_owned(),
            pieces,
            sources: sources.to_vec(),
            ..Compose::default()
        },
    );
    let judged = judge(&made, sources);
    assert!(judged.passed, "{:#?}", judged.feedback);
    let section = made
        .sections
        .iter()
        .find(|at| at.heading == "Overall result")
        .unwrap();
    let adjutant_document_model::Block::Paragraph(spans) = &section.blocks[1] else {
        panic!("{:?}", section.blocks);
    };
    assert_eq!(
        spans[0].text,
        "The covenant is breached in the fourth quarter of 2027."
    );
    assert_eq!(spans[0].cites.len(), 1);
    assert!(spans[1].mark.is_some(), "an uncited sentence is marked");
}

#[test]
fn what_contradicts_itself_in_the_dossier_is_found_and_little_else() {
    let mut all = sources();
    all.push(source(
        "safety/integrated-safety-summary.pdf",
        "2025-11-21",
        "In CAIRN-2 there were 14 serious adverse events in 13 patients.",
    ));
    all.push(source(
        "email/2025-06-24-sae-reconciliation.eml",
        "2025-06-24",
        "- Safety database: 16 serious adverse events in 15 patients.",
    ));
    let concluded = adjutant_rule_answers::answer(&Input::Conclude(Conclude {
        question: "What is known of the safety of Velmoran 40 mg, and may CAIRN-3 begin?"
            .to_owned(),
        sources: all,
        thoughts: Vec::new(),
        guidance: Vec::new(),
        most: 15,
    }));
    let Output::Conclude(concluded) = concluded else {
        panic!("{concluded:?}");
    };
    let about: Vec<&str> = concluded
        .contradictions
        .iter()
        .map(|at| at.about.as_str())
        .collect();
    for planted in [
        "agency agreed that a single",
        "serious adverse events: 14 or 16",
    ] {
        assert!(
            about.iter().any(|at| at.contains(planted)),
            "{planted}: {about:#?}"
        );
    }
    // Doses are no results, and an earlier run is not the later one.
    for wrong in [" mg or ", "first run", "Without site", "mmHg or 8.6 mmHg"] {
        assert!(
            !about.iter().any(|at| at.contains(wrong)),
            "{wrong}: {about:#?}"
        );
    }
}

/// A mission that was cut short has not looked at everything, and does not say that there is nothing.
#[test]
fn what_nobody_looked_for_is_not_told_as_absent() {
    let all = sources();
    let objective = "What is known of velordrostat and potassium?";
    let mut pieces = pieces(objective, &all);
    pieces.remove("analysis");
    let written = document(
        Kind::DeepDive,
        Compose {
            outline: None,
            title: "Potassium".to_owned(),
            objective: objective.to_owned(),
            pieces,
            offline: true,
            sources: all,
        },
    );
    let text = all_text(&written);
    assert!(!text.contains("No contradictions"), "{text}");
    assert!(!text.contains("leave a question open"), "{text}");
    assert!(text.contains("The sources had not been compared"), "{text}");
}
