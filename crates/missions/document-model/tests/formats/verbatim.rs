//! What comes from outside is shown letter for letter and never becomes markup.

use adjutant_document_model::{docx, html, markdown};

use crate::hostile::{self, TEXTS};
use crate::reading::{self, Reading};

/// A text that is nothing but a text, to compare with.
const PLAIN: &str = "Plainword";
/// So that a test which compares nothing with nothing is noticed.
const TIMES_MIN: usize = 50;

fn check(format: &str, write: impl Fn(&str) -> Reading) {
    let plain = write(PLAIN);
    assert!(plain.times(PLAIN) > TIMES_MIN, "{format}");
    for text in TEXTS {
        // Letters around it, or else a text might melt into its neighbour.
        for text in [(*text).to_owned(), format!("q{text}q")] {
            let hostile = write(&text);
            assert_eq!(
                hostile.times(&text),
                plain.times(PLAIN),
                "{format}: {text}\n{}",
                hostile.words
            );
            assert_eq!(hostile.shape, plain.shape, "{format}: {text}");
        }
    }
}

#[test]
fn markdown_shows_every_text_as_it_is() {
    check("Markdown", |text| {
        let mut reading =
            reading::of_markdown(&markdown(&hostile::document(text), &hostile::made(text)));
        // Strong type is written with stars or with tags, whichever holds.
        reading.shape.retain(|shape| !shape.contains("trong"));
        reading
    });
}

#[test]
fn html_shows_every_text_as_it_is() {
    check("HTML", |text| {
        let mut document = hostile::document(text);
        // An address becomes a link: tested apart.
        document.sources[0].place = Some(format!("file {text}"));
        reading::of_html(&html(&document, &hostile::made(text)))
    });
}

#[test]
fn word_shows_every_text_as_it_is() {
    check("DOCX", |text| {
        let mut document = hostile::document(text);
        document.sources[0].place = Some(format!("file {text}"));
        let bytes = docx(&document, &hostile::made(text)).unwrap();
        reading::of_xml(&reading::part(&bytes, "word/document.xml"))
    });
}

#[test]
fn every_part_of_a_word_document_is_sound_xml() {
    for text in TEXTS {
        let text = format!("{text}\u{0}\u{8}\u{FFFF}\r\n\t");
        let bytes = docx(&hostile::document(&text), &hostile::made(&text)).unwrap();
        for name in [
            "[Content_Types].xml",
            "_rels/.rels",
            "docProps/core.xml",
            "word/document.xml",
            "word/_rels/document.xml.rels",
            "word/styles.xml",
            "word/numbering.xml",
            "word/settings.xml",
            "word/header1.xml",
            "word/footer1.xml",
        ] {
            let part = reading::part(&bytes, name);
            let reading = reading::of_xml(&part);
            assert!(!reading.shape.is_empty(), "{name}");
            assert!(
                !part.contains(['\u{0}', '\u{8}', '\u{FFFF}']),
                "{name} has characters that XML forbids"
            );
        }
    }
}

#[test]
fn only_web_addresses_become_links() {
    let with = |place: &str| {
        let mut document = hostile::document(PLAIN);
        document.sources[0].place = Some(place.to_owned());
        html(&document, &hostile::made(PLAIN))
    };
    assert!(
        with("https://example.org/a?b=c&d").contains("href=\"https://example.org/a?b=c&amp;d\"")
    );
    for place in [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "https://example.org/\" onclick=\"x",
        " https://example.org/a b",
        "https://",
    ] {
        let page = with(place);
        let links = reading::of_html(&page)
            .shape
            .iter()
            .filter(|tag| tag.starts_with("a ") && !tag.contains("href=#"))
            .count();
        assert_eq!(links, 0, "{place}");
    }
}

#[test]
fn a_page_has_no_scripts_and_fetches_nothing() {
    for text in TEXTS {
        let page = html(&hostile::document(text), &hostile::made(text));
        let shape = reading::of_html(&page).shape;
        for tag in ["script", "link", "img", "iframe", "object"] {
            assert!(
                !shape
                    .iter()
                    .any(|it| it == tag || it.starts_with(&format!("{tag} "))),
                "{tag} in {text}"
            );
        }
        assert!(page.contains("default-src 'none'"));
    }
}

#[test]
fn a_word_of_ten_thousand_letters_is_whole() {
    let word = "abcdefghij".repeat(1000);
    let (document, made) = (hostile::document(&word), hostile::made(&word));
    let plain = reading::of_html(&html(&hostile::document(PLAIN), &hostile::made(PLAIN)));
    assert_eq!(
        reading::of_html(&html(&document, &made)).times(&word),
        plain.times(PLAIN)
    );
    let bytes = docx(&document, &made).unwrap();
    let reading = reading::of_xml(&reading::part(&bytes, "word/document.xml"));
    assert!(reading.times(&word) > TIMES_MIN);
    assert!(reading::of_markdown(&markdown(&document, &made)).times(&word) > TIMES_MIN);
}

#[test]
fn a_passage_keeps_its_lines() {
    let mut document = hostile::document(PLAIN);
    document.sources[0].passages[0].text = "first line\nsecond line\n\n- third".to_owned();
    let text = markdown(&document, &hostile::made(PLAIN));
    let reading = reading::of_markdown(&text);
    assert!(reading.words.contains("first line\nsecond line\n- third"));
    let bytes = docx(&document, &hostile::made(PLAIN)).unwrap();
    let part = reading::part(&bytes, "word/document.xml");
    assert!(part.contains("first line</w:t><w:br/><w:t xml:space=\"preserve\">second line"));
}
