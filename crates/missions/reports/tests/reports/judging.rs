//! Each kind of fault, one at a time, in a document that has none.

use adjutant_document_model::{Block, Column, Document, Mark, Passage, Section, Span};
use adjutant_questions::Source;
use adjutant_reports::{CheckKind, Judgement, judge};

use crate::dossier::source;

fn sources() -> Vec<Source> {
    vec![
        source(
            "a",
            "2024",
            "The valve failed 4 of 106 times. It was replaced.",
        ),
        source("b", "2025", "The pump costs EUR 12 million."),
        source("c", "2026", "Delivery takes 9 months."),
    ]
}

fn span(text: &str, cites: &[u32], mark: Option<Mark>) -> Span {
    Span {
        text: text.to_owned(),
        cites: cites.to_vec(),
        mark,
        ..Span::default()
    }
}

fn column(heading: &str) -> Column {
    Column {
        heading: heading.to_owned(),
        align: adjutant_document_model::Align::Left,
        width: 1,
    }
}

fn cells(texts: &[&str]) -> Vec<Vec<Span>> {
    let mut row: Vec<Vec<Span>> = texts
        .iter()
        .map(|text| vec![span(text, &[], None)])
        .collect();
    row[0][0].cites = vec![1];
    row
}

fn sound() -> Document {
    let passage = |id: &str, number: u32, text: &str| adjutant_document_model::Source {
        id: id.to_owned(),
        title: id.to_owned(),
        published: None,
        place: None,
        grade: None,
        passages: vec![Passage {
            number,
            text: text.to_owned(),
            ..Passage::default()
        }],
    };
    Document {
        kind: "Deep Dive".to_owned(),
        title: "Valves".to_owned(),
        objective: "Are the valves sound?".to_owned(),
        summary: vec![Block::Paragraph(vec![
            span("The valve failed 4 of 106 times.", &[1], None),
            span("That is 4 / 106 = 3.8 %.", &[], Some(Mark::Calculation)),
        ])],
        sections: vec![
            Section {
                heading: "Cost".to_owned(),
                blocks: vec![Block::Bullets(vec![vec![span(
                    "The pump costs EUR 12 million.",
                    &[2],
                    None,
                )]])],
            },
            Section {
                heading: "Risks".to_owned(),
                blocks: vec![
                    Block::Table {
                        caption: "Risks".to_owned(),
                        columns: ["Risk", "S", "O", "D", "RPN"].map(column).to_vec(),
                        rows: vec![cells(&["The valve", "8", "6", "2", "96"])],
                    },
                    Block::Table {
                        caption: "Criteria".to_owned(),
                        columns: ["Criterion", "Weight", "Score", "Weighted"]
                            .map(column)
                            .to_vec(),
                        rows: vec![
                            cells(&["Cost", "30", "50", "15"]),
                            cells(&["Time", "70", "100", "70"]),
                            cells(&["Total", "100", "", "85"]),
                        ],
                    },
                    Block::Quote {
                        text: "Delivery takes 9 months.".to_owned(),
                        cites: vec![3],
                    },
                ],
            },
        ],
        sources: vec![
            passage("a", 1, "The valve failed 4 of 106 times."),
            passage("b", 2, "The pump costs EUR 12 million."),
            passage("c", 3, "Delivery takes 9 months."),
        ],
        offline: true,
    }
}

fn of(document: &Document) -> Judgement {
    judge(document, &sources())
}

/// Only the named check fails, and there is something to do about it.
fn fails(document: &Document, name: &str) {
    let judged = of(document);
    let failed: Vec<&str> = judged
        .checks
        .iter()
        .filter(|at| !at.passed)
        .map(|at| at.name.as_str())
        .collect();
    assert_eq!(failed, [name], "{:#?}", judged.feedback);
    assert!(!judged.passed && !judged.feedback.is_empty());
}

fn first(document: &mut Document) -> &mut Vec<Span> {
    match &mut document.summary[0] {
        Block::Paragraph(spans) => spans,
        other => panic!("{other:?}"),
    }
}

fn rows(document: &mut Document, table: usize) -> &mut Vec<Vec<Vec<Span>>> {
    match &mut document.sections[1].blocks[table] {
        Block::Table { rows, .. } => rows,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_sound_document_passes() {
    let judged = of(&sound());
    assert!(judged.passed, "{:#?}", judged.feedback);
    assert!(judged.feedback.is_empty());
}

#[test]
fn a_citation_of_nothing() {
    let mut document = sound();
    first(&mut document)[0].cites.push(77);
    fails(&document, "citations");
}

#[test]
fn a_quote_that_is_not_in_its_source() {
    let mut document = sound();
    document.sources[1].passages[0].text = "The pump costs EUR 12 million a year.".to_owned();
    fails(&document, "quotes");
}

#[test]
fn line_ends_are_no_difference() {
    let mut document = sound();
    document.sources[1].passages[0].text = "The pump\ncosts  EUR 12 million.".to_owned();
    assert!(of(&document).passed);
}

#[test]
fn a_number_that_its_passage_does_not_have() {
    let mut document = sound();
    first(&mut document)[0].text = "The valve failed 5 of 106 times.".to_owned();
    fails(&document, "numbers");
}

#[test]
fn a_statement_that_says_the_opposite_of_its_passage() {
    let mut document = sound();
    first(&mut document)[0].text = "The valve did not fail 4 of 106 times.".to_owned();
    fails(&document, "same meaning");
    // Marked, it is an interpretation and not what the source says.
    first(&mut document)[0].mark = Some(Mark::Interpretation);
    assert!(of(&document).passed);
}

#[test]
fn a_chart_that_cannot_be_drawn() {
    let mut document = sound();
    let one_value_for_two = serde_json::json!({"name": "EUR", "values": [12]});
    let chart = serde_json::json!({
        "chart": "bar", "title": "Costs", "categories": ["Pump", "Valve"], "series": [one_value_for_two],
    });
    document.sections[0].blocks.push(Block::Chart {
        caption: "Costs".to_owned(),
        chart: serde_json::from_value(chart).unwrap(),
    });
    fails(&document, "files and charts");
}

#[test]
fn every_kind_of_check_is_made() {
    let judged = of(&sound());
    for kind in CheckKind::ALL {
        assert!(judged.checks.iter().any(|at| at.kind == kind), "{kind:?}");
    }
}

#[test]
fn a_statement_without_citation_or_mark() {
    let mut document = sound();
    first(&mut document).push(span("All is well with the valves.", &[], None));
    fails(&document, "cited or marked");
}

#[test]
fn a_number_in_a_row_that_nothing_covers() {
    let mut document = sound();
    document.sections[0].blocks.push(Block::Table {
        caption: "Prices".to_owned(),
        columns: ["Item", "Price"].map(column).to_vec(),
        rows: vec![vec![
            vec![span("Bolt", &[], None)],
            vec![span("7", &[], None)],
        ]],
    });
    fails(&document, "cited or marked");
}

#[test]
fn a_wrong_product_a_wrong_weighted_score_a_wrong_total_a_wrong_share() {
    let mut document = sound();
    rows(&mut document, 0)[0][4][0].text = "97".to_owned();
    fails(&document, "sums");
    let mut document = sound();
    rows(&mut document, 1)[0][3][0].text = "16".to_owned();
    rows(&mut document, 1)[2][3][0].text = "86".to_owned();
    fails(&document, "sums");
    let mut document = sound();
    rows(&mut document, 1)[2][3][0].text = "95".to_owned();
    fails(&document, "sums");
    let mut document = sound();
    first(&mut document)[1].text = "That is 4 / 106 = 4.7 %.".to_owned();
    fails(&document, "sums");
}

#[test]
fn a_row_with_too_few_cells_and_an_empty_heading() {
    let mut document = sound();
    rows(&mut document, 1)[0].pop();
    rows(&mut document, 1)[2][3][0].text = "70".to_owned();
    fails(&document, "shape");
    let mut document = sound();
    document.sections[0].heading = " ".to_owned();
    fails(&document, "shape");
}

#[test]
fn an_empty_section() {
    let mut document = sound();
    document.sections.push(Section {
        heading: "Gaps".to_owned(),
        blocks: Vec::new(),
    });
    fails(&document, "no empty section");
}

#[test]
fn a_sentence_said_twice() {
    let mut document = sound();
    let again = span("The pump costs EUR 12 million.", &[2], None);
    document.sections[0]
        .blocks
        .push(Block::Paragraph(vec![again]));
    fails(&document, "nothing twice");
}

#[test]
fn too_few_sources() {
    let mut document = sound();
    document.sources.pop();
    document.sections[1].blocks.pop();
    fails(&document, "distinct sources");
}

/// The sound document, its first source given as two passages of one document of a knowledge base.
fn of_a_knowledge_base() -> (Document, Vec<Source>) {
    let mut sources = sources();
    sources[0].id = "kb:plant/valves.md#0-49".to_owned();
    sources.push(source(
        "kb:plant/valves.md#50-80",
        "2024",
        "Nothing more is known.",
    ));
    let mut document = sound();
    document.sources[0].id = "kb:plant/valves.md".to_owned();
    document.sources[0].passages[0].address = Some("kb:plant/valves.md#0-49".to_owned());
    (document, sources)
}

fn quotes_hold(document: &Document, sources: &[Source]) -> bool {
    let judged = judge(document, sources);
    let others = judged.checks.iter().filter(|at| at.name != "quotes");
    assert!(others.clone().all(|at| at.passed), "{:#?}", judged.feedback);
    judged.passed
}

#[test]
fn a_quote_must_be_at_its_address() {
    let (mut document, sources) = of_a_knowledge_base();
    assert!(quotes_hold(&document, &sources));
    for wrong in [
        // Another passage of the document, none of it, another document, and no document at all.
        "kb:plant/valves.md#50-80",
        "kb:plant/valves.md#7-9",
        "kb:plant/pumps.md#0-49",
        "b",
        "",
    ] {
        document.sources[0].passages[0].address = Some(wrong.to_owned());
        assert!(!quotes_hold(&document, &sources), "{wrong}");
    }
}

#[test]
fn a_right_address_below_another_document_fails() {
    let (mut document, sources) = of_a_knowledge_base();
    document.sources[0].id = "kb:plant/pumps.md".to_owned();
    assert!(!quotes_hold(&document, &sources));
}

#[test]
fn a_quote_may_be_in_the_whole_document_or_in_a_passage_of_it() {
    let (mut document, mut sources) = of_a_knowledge_base();
    document.sources[0].passages[0].address = None;
    assert!(quotes_hold(&document, &sources));
    // As documents were written when every passage was a source.
    document.sources[0].id = "kb:plant/valves.md#0-49".to_owned();
    assert!(quotes_hold(&document, &sources));
    document.sources[0].id = "kb:plant/valves.md#50-80".to_owned();
    assert!(!quotes_hold(&document, &sources));
    document.sources[0].id = "kb:plant/valves.md".to_owned();
    document.sources[0].passages[0].address = Some("kb:plant/valves.md#0-32".to_owned());
    assert!(!quotes_hold(&document, &sources));
    sources[0].id = "kb:plant/valves.md".to_owned();
    assert!(quotes_hold(&document, &sources));
}
