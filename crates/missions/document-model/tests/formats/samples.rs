//! The sample documents, which are also what the example renders.

use adjutant_document_model::{Align, Block, Column, Section};
use adjutant_document_model::{
    Document, Made, Span, Tint, chart_files, docx, html, markdown, problems, tints,
};
use serde::Deserialize;

use crate::hostile;
use crate::reading;

#[derive(Deserialize)]
struct Sample {
    document: Document,
    made: Made,
}

fn samples() -> Vec<Sample> {
    [
        include_str!("../../samples/deep_dive.json"),
        include_str!("../../samples/risk_assessment.json"),
        include_str!("../../samples/go_no_go.json"),
    ]
    .iter()
    .map(|text| serde_json::from_str(text).unwrap())
    .collect()
}

#[test]
fn samples_are_sound() {
    for sample in samples() {
        assert_eq!(problems(&sample.document), Vec::<String>::new());
    }
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    for (once, again) in samples().into_iter().zip(samples()) {
        assert_eq!(
            markdown(&once.document, &once.made),
            markdown(&again.document, &again.made)
        );
        assert_eq!(
            html(&once.document, &once.made),
            html(&again.document, &again.made)
        );
        assert!(
            docx(&once.document, &once.made).unwrap()
                == docx(&again.document, &again.made).unwrap()
        );
    }
}

#[test]
fn charts_stand_in_every_format() {
    for sample in samples() {
        let files = chart_files(&sample.document);
        assert_eq!(files.len(), 1);
        let name = &files[0].0;
        assert!(
            name.starts_with("charts/") && name.ends_with("-1.svg"),
            "{name}"
        );
        assert!(files[0].1.starts_with("<svg "));
        let text = markdown(&sample.document, &sample.made);
        assert_eq!(text.matches(&format!("]({name})")).count(), 1);
        let page = html(&sample.document, &sample.made);
        assert_eq!(page.matches("<svg ").count(), 2, "light and dark");
        let bytes = docx(&sample.document, &sample.made).unwrap();
        let part = reading::part(&bytes, "word/document.xml");
        assert_eq!(part.matches("r:embed=\"chart1\"").count(), 1);
        assert!(part.contains("descr=\""));
        let relations = reading::part(&bytes, "word/_rels/document.xml.rels");
        assert!(relations.contains("media/chart1.png"));
    }
}

#[test]
fn strong_numbers_are_tinted_against_the_largest_of_their_column() {
    let column = |align| Column {
        heading: String::new(),
        align,
        width: 1,
    };
    let cell = |text: &str, strong| {
        vec![Span {
            text: text.to_owned(),
            strong,
            ..Span::default()
        }]
    };
    let columns = [column(Align::Left), column(Align::Right)];
    let rows = [
        vec![cell("90", true), cell("300", false)],
        vec![cell("word", true), cell("200", true)],
        vec![cell("word", false), cell("100", true)],
        vec![cell("word", false), cell("99", true)],
        vec![cell("word", false), cell("NaN", true)],
    ];
    let right: Vec<Tint> = tints(&columns, &rows).iter().map(|row| row[1]).collect();
    assert_eq!(
        right,
        [Tint::None, Tint::High, Tint::Middle, Tint::Low, Tint::None]
    );
    assert!(
        tints(&columns, &rows)
            .iter()
            .all(|row| row[0] == Tint::None)
    );
}

#[test]
fn two_hundred_sections_with_two_thousand_citations_are_written() {
    let mut document = hostile::document("text");
    let cited = |text: &str| Span {
        text: text.to_owned(),
        cites: vec![1],
        ..Span::default()
    };
    document.sections = (0..200)
        .map(|index| Section {
            heading: format!("Section {index}"),
            blocks: (0..10)
                .map(|_| Block::Paragraph(vec![cited("A sentence that is cited.")]))
                .collect(),
        })
        .collect();
    let made = hostile::made("text");
    assert!(markdown(&document, &made).matches("(#passage-1)").count() >= 2000);
    assert!(
        html(&document, &made)
            .matches("href=\"#passage-1\"")
            .count()
            >= 2000
    );
    let bytes = docx(&document, &made).unwrap();
    assert!(
        reading::part(&bytes, "word/document.xml")
            .matches("w:anchor=\"passage_1\"")
            .count()
            >= 2000
    );
}
