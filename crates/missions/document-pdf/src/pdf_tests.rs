//! The pages as they are set, before they are written, and the bytes.

use adjutant_document_model::{Block, Document, Made, Section, Span, Standing};
use serde::Deserialize;
use typst::layout::{Frame, FrameItem};

use crate::hostile::{self, TEXTS};
use crate::{pdf, set};

/// Points; A4 is 595.28 wide and the margins are 27 mm.
const TEXT_RIGHT_MAX: f64 = 595.28 - 27.0 * 72.0 / 25.4;
/// Superscripts and rounding may reach over the edge by so much.
const SLACK: f64 = 6.0;

struct Set {
    /// The words of each page, without spaces.
    pages: Vec<String>,
    right: f64,
}

fn read(document: &Document, made: &Made) -> Set {
    let pages = set(document, made).unwrap();
    let mut right: f64 = 0.0;
    let pages = pages
        .pages()
        .iter()
        .map(|page| {
            let mut words = String::new();
            walk(&page.frame, 0.0, &mut words, &mut right);
            squeezed(&words)
        })
        .collect();
    comemo::evict(0);
    Set { pages, right }
}

fn walk(frame: &Frame, left: f64, words: &mut String, right: &mut f64) {
    for (place, item) in frame.items() {
        let x = left + place.x.to_pt();
        match item {
            FrameItem::Group(group) => walk(&group.frame, x, words, right),
            FrameItem::Text(text) => {
                words.push_str(&text.text);
                *right = right.max(x + text.width().to_pt());
            }
            _ => {}
        }
    }
}

/// Lines end where they must: spaces, hyphens and places to break say nothing about the words.
fn squeezed(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !"-\u{2010}\u{AD}\u{200B}".contains(*c))
        .collect()
}

#[derive(Deserialize)]
struct Sample {
    document: Document,
    made: Made,
}

fn samples() -> Vec<Sample> {
    [
        include_str!("../../document-model/samples/deep_dive.json"),
        include_str!("../../document-model/samples/risk_assessment.json"),
        include_str!("../../document-model/samples/go_no_go.json"),
    ]
    .iter()
    .map(|text| serde_json::from_str(text).unwrap())
    .collect()
}

/// Texts at the edge of a page: the kind, the title and the mission.
const EDGE_TEXTS: usize = 3;

#[test]
fn every_text_is_set_as_it_is() {
    let times = |text: &str| {
        let set = read(&hostile::document(text), &hostile::made(text));
        let all = set.pages.concat().matches(&squeezed(text)).count();
        // What stands at the edge of every page is told as often as there are pages.
        all - EDGE_TEXTS * set.pages.len()
    };
    let plain = times("plainword");
    assert!(plain > 40);
    // What is written from right to left is set run by run: its order on the page is another matter.
    for text in TEXTS
        .iter()
        .filter(|text| !text.contains(['\u{202E}', '\u{5E9}', '\u{1F469}']))
    {
        // A letter in front, because the kind is also set in capitals, where it must not count.
        assert_eq!(times(&format!("q{text}")), plain, "{text}");
    }
}

#[test]
fn what_is_written_from_right_to_left_is_whole() {
    let set = read(
        &hostile::document("\u{5E9}\u{5DC}\u{5D5}\u{5DD}"),
        &hostile::made("x"),
    );
    assert!(
        set.pages
            .concat()
            .matches("\u{5E9}\u{5DC}\u{5D5}\u{5DD}")
            .count()
            > 20
    );
}

#[test]
fn a_very_long_word_stays_on_the_page() {
    let with = |word: &str| {
        let mut document = hostile::document("text");
        document.title = "abcdefghij".repeat(20);
        if let Block::Paragraph(spans) = &mut document.sections[0].blocks[1] {
            spans[0].text = word.to_owned();
        }
        if let Block::Table { rows, .. } = &mut document.sections[0].blocks[3] {
            rows[0][0][0].text = word.to_owned();
        }
        document.sources[0].passages[0].text = word.to_owned();
        read(&document, &hostile::made("text"))
    };
    // Pages end within the word, so it is counted letter by letter.
    let letters = |set: &Set| set.pages.concat().matches('z').count();
    let (short, long) = (with("text"), with(&"xz".repeat(5000)));
    assert_eq!(letters(&long) - letters(&short), 3 * 5000);
    assert!(long.pages.len() > short.pages.len());
    assert!(long.right < TEXT_RIGHT_MAX + SLACK, "{}", long.right);
}

#[test]
fn every_page_of_a_draft_says_so_and_no_other_page_does() {
    for mut sample in samples() {
        for standing in [Standing::Draft, Standing::Delivered] {
            sample.made.standing = standing;
            let set = read(&sample.document, &sample.made);
            assert!(set.pages.len() > 1);
            for page in &set.pages {
                assert_eq!(
                    page.contains("DRAFT\u{2013}NOTAPPROVED"),
                    standing == Standing::Draft
                );
            }
        }
    }
}

#[test]
fn an_offline_document_says_so_and_no_other_does() {
    for offline in [true, false] {
        let mut document = hostile::document("text");
        document.offline = offline;
        let words = read(&document, &hostile::made("text")).pages.concat();
        assert_eq!(words.contains("Nolanguagemodelwasused"), offline);
    }
}

#[test]
fn samples_stay_within_the_margins_and_give_the_same_bytes_twice() {
    for Sample { document, made } in samples() {
        let set = read(&document, &made);
        assert!(set.right < TEXT_RIGHT_MAX + SLACK, "{}", set.right);
        let bytes = pdf(&document, &made).unwrap();
        assert!(bytes.starts_with(b"%PDF-"));
        assert!(bytes == pdf(&document, &made).unwrap());
    }
}

#[test]
fn a_flawed_document_is_set_and_shows_its_flaws() {
    let mut document = hostile::document("text");
    let again = document.sources[0].clone();
    document.sources.push(again);
    if let Block::Paragraph(spans) = &mut document.sections[0].blocks[1] {
        spans[0].cites = vec![77];
    }
    if let Block::Table { rows, .. } = &mut document.sections[0].blocks[3] {
        rows[0].pop();
        rows[1].push(vec![Span {
            text: "surplus".to_owned(),
            ..Span::default()
        }]);
    }
    let words = read(&document, &hostile::made("text")).pages.concat();
    assert!(words.contains("77:nosuchpassage"));
    assert!(words.contains("surplus"));
}

#[test]
fn two_hundred_sections_with_two_thousand_citations_are_set() {
    let mut document = hostile::document("text");
    let cited = || {
        Block::Paragraph(vec![Span {
            text: "A sentence that is cited.".to_owned(),
            cites: vec![1],
            ..Span::default()
        }])
    };
    document.sections = (0..200)
        .map(|index| Section {
            heading: format!("Section {index}"),
            blocks: (0..10).map(|_| cited()).collect(),
        })
        .collect();
    let set = read(&document, &hostile::made("text"));
    assert!(set.pages.len() > 40);
    assert_eq!(
        set.pages.concat().matches("Asentencethatiscited.1").count(),
        2000
    );
}

#[test]
fn addresses_break_at_their_slashes_and_nothing_is_put_into_them() {
    let folder = "kb:incidents/reports/2025/lisbon/";
    let address = format!("{}{}", folder.repeat(6), "post-mortem-final.md#1200-1310");
    let name = format!("kb:incidents/{}.md#1-2", "xz".repeat(300));
    let mut document = hostile::document("text");
    let mut second = document.sources[0].passages[0].clone();
    let first = &mut document.sources[0].passages[0];
    first.place = Some("3 Causes".to_owned());
    first.address = Some(address.clone());
    second.number = 2;
    second.address = Some(name.clone());
    document.sources[0].passages.push(second);
    let pages = set(&document, &hostile::made("text")).unwrap();
    let (mut words, mut right) = (String::new(), 0.0);
    for page in pages.pages() {
        walk(&page.frame, 0.0, &mut words, &mut right);
    }
    comemo::evict(0);
    assert!(words.contains(&address), "{words}");
    assert!(words.contains(&name), "{words}");
    assert!(right < TEXT_RIGHT_MAX + SLACK, "{right}");
}
