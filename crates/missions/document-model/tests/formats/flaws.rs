//! What is wrong with a document is said, and shown where it is.

use adjutant_document_model::{
    Align, Block, Column, Document, Figure, Passage, Section, Source, Span, docx, html, markdown,
    problems,
};

use crate::hostile;
use crate::reading;

fn spans(text: &str, cites: &[u32]) -> Vec<Span> {
    vec![Span {
        text: text.to_owned(),
        cites: cites.to_vec(),
        ..Span::default()
    }]
}

fn source(id: &str, numbers: &[u32]) -> Source {
    Source {
        id: id.to_owned(),
        title: "A source".to_owned(),
        published: None,
        place: None,
        grade: None,
        passages: numbers
            .iter()
            .map(|number| Passage {
                number: *number,
                text: "A passage.".to_owned(),
                ..Passage::default()
            })
            .collect(),
    }
}

fn document(blocks: Vec<Block>, sources: Vec<Source>) -> Document {
    Document {
        kind: "Deep Dive".to_owned(),
        title: "A title".to_owned(),
        objective: String::new(),
        summary: Vec::new(),
        sections: vec![Section {
            heading: "Findings".to_owned(),
            blocks,
        }],
        sources,
        offline: false,
    }
}

#[test]
fn a_sound_document_has_no_problems() {
    assert_eq!(problems(&hostile::document("text")), Vec::<String>::new());
    let document = document(
        vec![Block::Paragraph(spans("Said.", &[1, 2]))],
        vec![source("a", &[1]), source("b", &[2])],
    );
    assert_eq!(problems(&document), Vec::<String>::new());
}

#[test]
fn every_citation_must_lead_to_a_passage() {
    let table = Block::Table {
        caption: "Costs".to_owned(),
        columns: vec![Column {
            heading: "Cost".to_owned(),
            align: Align::Right,
            width: 1,
        }],
        rows: vec![vec![spans("5", &[13])]],
    };
    let figure = Figure {
        value: "1".to_owned(),
        label: "one".to_owned(),
        cites: vec![14],
    };
    let document = document(
        vec![
            Block::Paragraph(spans("Said.", &[1, 11])),
            Block::Bullets(vec![spans("Said.", &[12])]),
            table,
            Block::Figures(vec![figure]),
            Block::Quote {
                text: "Said.".to_owned(),
                cites: vec![15],
            },
        ],
        vec![source("a", &[1])],
    );
    let found = problems(&document);
    assert_eq!(found.len(), 5, "{found:?}");
    for (problem, number) in found.iter().zip(11..) {
        assert!(
            problem.contains(&format!("cites passage {number}, which no source has")),
            "{problem}"
        );
    }
    let made = hostile::made("text");
    let said = "11: no such passage";
    assert_eq!(
        reading::of_markdown(&markdown(&document, &made)).times(said),
        1
    );
    assert_eq!(reading::of_html(&html(&document, &made)).times(said), 1);
    let bytes = docx(&document, &made).unwrap();
    let part = reading::part(&bytes, "word/document.xml");
    assert_eq!(reading::of_xml(&part).times(said), 1);
    assert!(!part.contains("passage_11"));
}

#[test]
fn numbers_and_ids_are_given_once() {
    let sources = vec![source("a", &[1, 1]), source("a", &[0])];
    let found = problems(&document(Vec::new(), sources));
    assert_eq!(
        found,
        [
            "two passages have number 1",
            "two sources have the id a",
            "a passage of a has number 0; they begin at 1",
        ]
    );
}

#[test]
fn headings_have_words_and_rows_have_as_many_cells_as_columns() {
    let column = || Column {
        heading: "Cost".to_owned(),
        align: Align::Left,
        width: 1,
    };
    let mut document = document(
        vec![
            Block::Heading(" ".to_owned()),
            Block::Table {
                caption: "Costs".to_owned(),
                columns: vec![column(), column()],
                rows: vec![
                    vec![spans("1", &[]), spans("2", &[])],
                    vec![spans("3", &[])],
                    vec![spans("4", &[]), spans("5", &[]), spans("kept", &[])],
                ],
            },
        ],
        Vec::new(),
    );
    document.sections[0].heading = "\t".to_owned();
    let found = problems(&document);
    assert_eq!(
        found,
        [
            "section 1 has an empty heading",
            "section 1 has an empty heading",
            "section 1, table \u{201C}Costs\u{201D}: row 2 has 1 cells, but there are 2 columns",
            "section 1, table \u{201C}Costs\u{201D}: row 3 has 3 cells, but there are 2 columns",
        ]
    );
    let made = hostile::made("text");
    assert!(
        reading::of_markdown(&markdown(&document, &made))
            .words
            .contains("kept")
    );
    assert!(html(&document, &made).contains("kept"));
}

#[test]
fn two_passages_of_one_number_still_give_a_document_that_word_opens() {
    let document = document(
        vec![Block::Paragraph(spans("Said.", &[1]))],
        vec![source("a", &[1, 1])],
    );
    let bytes = docx(&document, &hostile::made("text")).unwrap();
    let part = reading::part(&bytes, "word/document.xml");
    assert_eq!(part.matches("w:name=\"passage_1\"").count(), 1);
}
