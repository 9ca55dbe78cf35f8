//! Reports of documents that were read completely: what was read comes first, and what no longer holds is no headline.

use adjutant_document_model::{Block, Document};
use adjutant_reports::{Compose, DocumentsRead, Kind, document, judge_with};
use serde_json::{Map, Value, json};

use crate::dossier::all_text;

const FEE_NOW: &str = "The yearly fee is 900 crowns.";
const FEE_BEFORE: &str = "The yearly fee is 700 crowns.";
const FEE_DRAFTED: &str = "The yearly fee will perhaps be 1,200 crowns.";

fn stated(document: &str, sentence: &str, start: usize) -> Value {
    let end = start + sentence.len();
    json!({
        "sentence": sentence, "title": format!("{document} · Fees"), "source": document, "date": null,
        "address": format!("kb:club/{document}#{start}-{end}"),
    })
}

fn with_value(mut stated: Value, value: &str) -> Value {
    stated["value"] = json!(value);
    stated
}

fn of_document(name: &str, is_draft: bool, replaced_by: Option<&str>) -> Value {
    json!({
        "id": format!("kb:club/{name}"), "title": name, "date": null, "genre": "policy or handbook",
        "strength": "moderate", "is_draft": is_draft, "replaced_by": replaced_by,
    })
}

fn read() -> Value {
    json!({
        "answers": [
            {"question": "What is the yearly fee?", "verdict": "answered", "fit": 0.9, "missing": [],
             "passages": [stated("draft.md", FEE_DRAFTED, 0), stated("rules-2.md", FEE_NOW, 10)]},
            {"question": "Who keeps the boats?", "verdict": "not_found", "fit": 0.2, "missing": ["boats"], "passages": []},
            {"question": "Have all promises been kept?", "verdict": "owed", "fit": 1.0, "missing": [], "passages": []}
        ],
        "documents": [
            of_document("rules-1.md", false, Some("rules-2.md")),
            of_document("rules-2.md", false, None),
            of_document("draft.md", true, None),
            of_document("minutes.md", false, None)
        ],
        "changed": [[with_value(stated("rules-1.md", FEE_BEFORE, 10), "700 crowns"), with_value(stated("rules-2.md", FEE_NOW, 10), "900 crowns")]],
        "owed": [
            {"who": "The treasurer", "what": "send the accounts by 1 May", "due": "2031-05-01", "status": "overdue",
             "at": stated("minutes.md", "The treasurer will send the accounts by 1 May.", 40)},
            {"who": null, "what": "paint the shed", "due": null, "status": "fulfilled",
             "at": stated("minutes.md", "Somebody will paint the shed.", 90),
             "fulfilled_by": stated("rules-2.md", "The shed has been painted.", 60)}
        ],
        "missing": [{"kind": "referred to, and not among the documents", "what": "annex B", "at": stated("rules-2.md", "See annex B for boats.", 90)}],
        "today": "2031-06-01",
        "documents_found": 4
    })
}

/// Findings that rules drew out of the replaced rules before those that hold.
fn pieces() -> Map<String, Value> {
    let finding = |document: &str, text: &str, start: usize| {
        let source = stated(document, text, start);
        json!({"text": text, "kind": "fact", "confidence": 0.9,
               "evidence": [{"source": source["address"], "quote": text}]})
    };
    let mut pieces = Map::new();
    let findings = [
        finding("rules-1.md", FEE_BEFORE, 10),
        finding("rules-2.md", "Members vote in June.", 200),
    ];
    let contradiction = json!({"about": "the fee", "sides": [
        {"text": FEE_BEFORE, "evidence": [{"source": "kb:club/rules-1.md#10-39", "quote": FEE_BEFORE}]},
        {"text": FEE_NOW, "evidence": [{"source": "kb:club/rules-2.md#10-39", "quote": FEE_NOW}]}
    ]});
    pieces.insert(
        "analysis".to_owned(),
        json!({"summary": FEE_BEFORE, "findings": findings, "contradictions": [contradiction], "confidence": 0.5}),
    );
    pieces.insert("reading".to_owned(), read());
    pieces
}

fn sources() -> Vec<adjutant_questions::Source> {
    let read: DocumentsRead = serde_json::from_value(read()).unwrap();
    let mut sources = read.sources();
    for (document, text, start) in [
        ("rules-1.md", FEE_BEFORE, 10),
        ("rules-2.md", "Members vote in June.", 200),
    ] {
        let at = stated(document, text, start);
        sources.push(adjutant_questions::Source {
            id: at["address"].as_str().unwrap().to_owned(),
            title: document.to_owned(),
            text: text.to_owned(),
            published: None,
        });
    }
    sources
}

fn written(kind: Kind, offline: bool) -> Document {
    document(
        kind,
        Compose {
            outline: None,
            title: "The fee".to_owned(),
            objective: "What is the yearly fee? Who keeps the boats? Have all promises been kept?"
                .to_owned(),
            pieces: pieces(),
            offline,
            sources: sources(),
        },
    )
}

fn summary(document: &Document) -> String {
    let only = Document {
        sections: Vec::new(),
        sources: Vec::new(),
        ..document.clone()
    };
    all_text(&only)
}

fn failed(document: &Document) -> Vec<String> {
    let read: DocumentsRead = serde_json::from_value(read()).unwrap();
    let judged = judge_with(document, &sources(), Some(&read));
    let failed = judged.checks.iter().filter(|check| !check.passed);
    failed.map(|check| check.name.clone()).collect()
}

#[test]
fn each_question_gets_its_answer_first_or_that_there_is_none() {
    let document = written(Kind::DeepDive, true);
    let told = summary(&document);
    let place = |text: &str| {
        told.find(text)
            .unwrap_or_else(|| panic!("no `{text}` in {told}"))
    };
    let fee = "The yearly fee is 900 crowns (Rules-2).";
    assert!(place("What is the yearly fee?") < place(fee));
    assert!(place(fee) < place("In a draft or a replaced document"));
    assert!(place("Who keeps the boats?") < place("do not clearly answer"));
    assert!(
        told.contains("1 of them are past their date and 0 open"),
        "{told}"
    );
    assert_eq!(failed(&document), Vec::<String>::new());
    // A model's report answers them too, and is not let through with the old fee in its summary.
    assert_eq!(failed(&written(Kind::DeepDive, false)), ["still holds"]);
}

#[test]
fn what_a_person_wrote_instead_of_the_draft_is_shown() {
    for (text, shown) in [
        (FEE_NOW, false),
        ("The board may look at this again in spring.", true),
    ] {
        let mut pieces = pieces();
        let citation = json!({"source": "kb:club/rules-2.md#10-39", "quote": FEE_NOW});
        pieces.insert(
            "draft".to_owned(),
            json!({"text": text, "citations": [citation], "confidence": 0.5}),
        );
        let compose = Compose {
            outline: None,
            title: "The fee".to_owned(),
            objective: "What is the yearly fee?".to_owned(),
            pieces,
            offline: true,
            sources: sources(),
        };
        let document = document(Kind::GoNoGo, compose);
        let has = document
            .sections
            .iter()
            .any(|at| at.heading == "Overall result");
        assert_eq!(has, shown, "{text}");
    }
}

#[test]
fn what_was_replaced_is_neither_a_headline_nor_a_contradiction() {
    for kind in [Kind::DeepDive, Kind::RiskAssessment, Kind::GoNoGo] {
        let document = written(kind, true);
        assert!(!summary(&document).contains("700"), "{kind:?}");
        let whole = all_text(&document);
        // A Deep Dive lists what has changed, the others count it.
        let told = match kind {
            Kind::DeepDive => "What has changed",
            _ => "1 value that has changed",
        };
        assert!(whole.contains(told), "{kind:?}: {whole}");
        assert!(
            !whole.contains("unresolved contradiction"),
            "{kind:?}: {whole}"
        );
    }
    // Also where a model found the contradiction.
    assert!(!all_text(&written(Kind::DeepDive, false)).contains("unresolved contradiction"));
}

#[test]
fn what_is_owed_and_missing_is_listed_with_its_passage() {
    for kind in [Kind::DeepDive, Kind::RiskAssessment, Kind::GoNoGo] {
        let document = written(kind, true);
        let owed = document
            .sections
            .iter()
            .find(|at| at.heading.starts_with("What is owed"))
            .unwrap();
        let Block::Table { rows, .. } = &owed.blocks[0] else {
            panic!("{owed:?}")
        };
        assert_eq!(rows.len(), 1, "what is done is not waiting: {rows:?}");
        assert_eq!(rows[0][0][0].text, "overdue");
        assert!(!rows[0][3][0].cites.is_empty());
        let missing = match kind {
            Kind::DeepDive => "Annex B",
            _ => "1 gap",
        };
        assert!(all_text(&document).contains(missing), "{kind:?}");
    }
}

#[test]
fn the_judge_misses_an_answer_that_was_taken_out() {
    let mut document = written(Kind::DeepDive, true);
    document
        .summary
        .retain(|block| !matches!(block, Block::Heading(text) if text.contains("boats")));
    assert_eq!(failed(&document), ["complete"]);
}

#[test]
fn the_judge_misses_what_is_overdue() {
    let mut document = written(Kind::DeepDive, true);
    document
        .sections
        .retain(|section| !section.heading.starts_with("What is owed"));
    document
        .sections
        .retain(|section| !section.heading.starts_with("What to ask"));
    for source in &mut document.sources {
        source
            .passages
            .retain(|passage| !passage.text.contains("accounts"));
    }
    document
        .sources
        .retain(|source| !source.passages.is_empty());
    assert_eq!(failed(&document), ["complete"]);
}

#[test]
fn the_judge_refuses_a_replaced_value_as_a_headline() {
    let mut document = written(Kind::DeepDive, true);
    let number = document
        .sources
        .iter()
        .flat_map(|source| &source.passages)
        .find(|passage| passage.text == FEE_BEFORE)
        .unwrap()
        .number;
    let span = json!([{"text": "The fee is 700 crowns a year.", "cites": [number]}]);
    document
        .summary
        .push(Block::Paragraph(serde_json::from_value(span).unwrap()));
    assert_eq!(failed(&document), ["still holds"]);
}

#[test]
fn a_document_counts_for_what_it_is() {
    let document = written(Kind::DeepDive, true);
    let grade = |id: &str| {
        let source = document
            .sources
            .iter()
            .find(|at| at.id.ends_with(id))
            .unwrap();
        source.grade.clone().unwrap()
    };
    assert_eq!(grade("rules-2.md"), "moderate (policy or handbook)");
    assert!(grade("draft.md").ends_with("draft)"));
}

/// A report by an outline whose first page shows one finding, on the fee that holds.
fn outlined(objective: &str, sections: Value, contradicting: Value) -> (Document, DocumentsRead) {
    let mut reading = read();
    reading["contradicting"] = contradicting;
    let read: DocumentsRead = serde_json::from_value(reading.clone()).unwrap();
    let at = stated("rules-2.md", FEE_NOW, 10);
    let finding = json!({"text": FEE_NOW, "kind": "fact", "confidence": 0.9,
        "evidence": [{"source": at["address"], "quote": FEE_NOW}]});
    let mut pieces = Map::new();
    pieces.insert("reading".to_owned(), reading);
    pieces.insert(
        "analysis".to_owned(),
        json!({"summary": "", "findings": [finding], "confidence": 0.5}),
    );
    let outline = json!({"name": "The fee", "first": ["analysis"], "sections": sections});
    let made = document(
        Kind::Outline,
        Compose {
            outline: serde_json::from_value(outline).unwrap(),
            title: "The fee".to_owned(),
            objective: objective.to_owned(),
            pieces,
            offline: true,
            sources: read.sources(),
        },
    );
    (made, read)
}

fn is_complete(made: &Document, read: &DocumentsRead) -> bool {
    let judged = judge_with(made, &read.sources(), Some(read));
    let check = judged.checks.iter().find(|check| check.name == "complete");
    check.unwrap().passed
}

#[test]
fn a_report_lists_the_parts_that_belong_to_it_and_counts_the_others() {
    let (mut made, read) = outlined("What is the fee?", json!([]), json!([]));
    let text = all_text(&made);
    assert!(
        text.contains(
            "The documents have 1 value that has changed, 1 promise, task or condition past its date and 1 gap"
        ),
        "{text}"
    );
    assert!(!text.contains("send the accounts"), "{text}");
    assert!(is_complete(&made, &read));
    // Without this sentence nobody knows that something is overdue.
    made.sections
        .retain(|section| section.heading != "More in the documents");
    assert!(!is_complete(&made, &read));

    let owed = json!([{"title": "Owed", "show": "reading", "parts": ["owed"]}]);
    let (mut made, read) = outlined("What is the fee?", owed, json!([]));
    let text = all_text(&made);
    assert!(text.contains("Send the accounts by 1 May"), "{text}");
    assert!(
        text.contains("The documents have 1 value that has changed and 1 gap"),
        "{text}"
    );
    assert!(!text.contains("annex B"), "{text}");
    assert!(is_complete(&made, &read));
    // A table that leaves one out is not complete, whatever is counted.
    for source in &mut made.sources {
        source
            .passages
            .retain(|passage| !passage.text.contains("accounts"));
    }
    assert!(!is_complete(&made, &read));
}

#[test]
fn what_the_first_page_depends_on_stands_on_it() {
    let other = stated("minutes.md", "The yearly fee is 950 crowns.", 200);
    let pair = json!([[stated("rules-2.md", FEE_NOW, 10), other]]);
    let (made, read) = outlined("What is the fee?", json!([]), pair.clone());
    let first = summary(&made);
    assert!(
        first.contains("Against “The yearly fee is 900 crowns.” stands, in Minutes: “The yearly fee is 950 crowns.”"),
        "{first}"
    );
    assert!(!first.contains("accounts"), "{first}");
    let judged = judge_with(&made, &read.sources(), Some(&read));
    assert!(judged.passed, "{:#?}", judged.feedback);

    let (made, _) = outlined("Does the treasurer send accounts?", json!([]), json!([]));
    let first = summary(&made);
    assert!(
        first.contains("Due 2031-05-01, by The treasurer, and no document reports it as done"),
        "{first}"
    );

    let unlike = json!([[
        stated("draft.md", FEE_DRAFTED, 0),
        stated("minutes.md", "No.", 200)
    ]]);
    let (made, _) = outlined("What is the fee?", json!([]), unlike);
    let first = summary(&made);
    assert!(!first.contains("depends"), "{first}");
}
