//! Every format says what the others say.

use adjutant_document_model::{Document, Made, Passage, Standing, docx, html, markdown};

use crate::hostile;
use crate::reading::{self, Reading};

fn every_format(document: &Document, made: &Made) -> [(&'static str, Reading); 3] {
    let bytes = docx(document, made).unwrap();
    [
        ("Markdown", reading::of_markdown(&markdown(document, made))),
        ("HTML", reading::of_html(&html(document, made))),
        (
            "DOCX",
            reading::of_xml(&reading::part(&bytes, "word/document.xml")),
        ),
    ]
}

#[test]
fn a_draft_says_so_and_what_was_delivered_does_not() {
    let document = hostile::document("text");
    for (standing, times) in [(Standing::Draft, 1), (Standing::Delivered, 0)] {
        let mut made = hostile::made("text");
        made.standing = standing;
        for (format, reading) in every_format(&document, &made) {
            assert_eq!(
                reading.times("This document has not been reviewed or approved"),
                times,
                "{format}, {standing:?}"
            );
        }
        let header = reading::part(&docx(&document, &made).unwrap(), "word/header1.xml");
        assert_eq!(header.matches("not approved").count(), times);
        assert_eq!(
            html(&document, &made).matches("class=\"draft\"").count(),
            times
        );
    }
}

#[test]
fn what_nobody_looked_at_says_so() {
    let document = hostile::document("text");
    let mut made = hostile::made("text");
    made.standing = Standing::Unreviewed;
    for (format, reading) in every_format(&document, &made) {
        let told = reading.times("This document has not been reviewed");
        assert_eq!(told, 1, "{format}");
    }
    let header = reading::part(&docx(&document, &made).unwrap(), "word/header1.xml");
    assert!(header.contains("Not reviewed"), "{header}");
}

#[test]
fn what_was_rejected_says_so_and_not_that_nobody_looked() {
    let document = hostile::document("text");
    let mut made = hostile::made("text");
    made.standing = Standing::Rejected;
    for (format, reading) in every_format(&document, &made) {
        assert_eq!(reading.times("rejected this document"), 1, "{format}");
        assert_eq!(
            reading.times("has not been reviewed or approved"),
            0,
            "{format}"
        );
    }
    let header = reading::part(&docx(&document, &made).unwrap(), "word/header1.xml");
    assert!(header.contains("Rejected"), "{header}");
}

#[test]
fn an_offline_document_says_so_and_no_other_does() {
    for (offline, times) in [(true, 1), (false, 0)] {
        let mut document = hostile::document("text");
        document.offline = offline;
        for (format, reading) in every_format(&document, &hostile::made("text")) {
            assert_eq!(
                reading.times("No language model was used"),
                times,
                "{format}, {offline}"
            );
        }
    }
}

#[test]
fn the_parts_stand_in_their_order() {
    let document = hostile::document("text");
    for (format, reading) in every_format(&document, &hostile::made("text")) {
        let parts = [
            "has not been reviewed or approved",
            "No language model",
            "Summary",
            "Sources and passages",
            "How this document was made",
            "Models used",
            "Tools used",
            "Decisions taken",
            "What was not checked",
        ];
        let places: Vec<usize> = parts
            .iter()
            .map(|part| reading.words.find(part).ok_or(part).unwrap())
            .collect();
        assert!(places.is_sorted(), "{format}: {places:?}");
        assert_eq!(reading.times("1\u{202F}234\u{202F}567"), 1, "{format}");
    }
}

#[test]
fn citations_lead_to_passages_and_back() {
    let (document, made) = (hostile::document("text"), hostile::made("text"));
    let text = markdown(&document, &made);
    assert_eq!(text.matches("id=\"passage-1\"").count(), 1);
    assert!(text.matches("(#passage-1)").count() > 20);

    let page = html(&document, &made);
    assert_eq!(page.matches("id=\"passage-1\"").count(), 1);
    let there = page.matches("href=\"#passage-1\"").count();
    assert!(there > 20);
    for turn in 1..=12 {
        assert_eq!(page.matches(&format!("id=\"cite-1-{turn}\"")).count(), 1);
        assert_eq!(page.matches(&format!("href=\"#cite-1-{turn}\"")).count(), 1);
    }

    let part = reading::part(&docx(&document, &made).unwrap(), "word/document.xml");
    assert_eq!(part.matches("w:name=\"passage_1\"").count(), 1);
    assert_eq!(part.matches("w:anchor=\"passage_1\"").count(), there);
    for turn in 1..=12 {
        assert_eq!(
            part.matches(&format!("w:name=\"cite_1_{turn}\"")).count(),
            1
        );
        assert_eq!(
            part.matches(&format!("w:anchor=\"cite_1_{turn}\"")).count(),
            1
        );
    }
}

#[test]
fn every_format_says_where_a_passage_stands() {
    let place = "3 Causes of the fire";
    let address = "kb:inc/incident_reports/post-mortem-final.md#1200-1310";
    let mut document = hostile::document("text");
    let passage = &mut document.sources[0].passages[0];
    passage.place = Some(place.to_owned());
    passage.address = Some(address.to_owned());
    let made = hostile::made("text");
    for (format, reading) in every_format(&document, &made) {
        assert_eq!(reading.times(place), 1, "{format}");
        assert_eq!(reading.times(address), 1, "{format}");
        assert_eq!(
            reading.times(&format!("{place} \u{B7} {address}")),
            1,
            "{format}"
        );
    }
    // Copied from the file itself, not only from what a viewer shows.
    let text = markdown(&document, &made);
    assert!(text.contains(&format!("{place} \u{B7} `{address}`\n")));
    assert!(text.contains("<a id=\"passage-1\"></a>**\\[1\\]**\n"));
    assert!(html(&document, &made).contains(&format!("<code dir=\"ltr\">{address}</code>")));
}

#[test]
fn a_passage_of_which_nothing_more_is_known_has_no_line_for_it() {
    let mut document = hostile::document("text");
    let mut counts = Vec::new();
    for (place, address) in [
        (None, None),
        (Some(" ".to_owned()), Some(String::new())),
        (None, Some("kb:a/b#1-2".to_owned())),
    ] {
        let passage = &mut document.sources[0].passages[0];
        (passage.place, passage.address) = (place, address);
        let page = html(&document, &hostile::made("text"));
        let bytes = docx(&document, &hostile::made("text")).unwrap();
        let part = reading::part(&bytes, "word/document.xml");
        assert!(!page.contains("\u{B7} <code"));
        counts.push((
            page.matches("class=\"where\"").count(),
            part.matches("\"Whereabouts\"").count(),
        ));
    }
    assert_eq!(counts, [(0, 0), (0, 0), (1, 1)]);
}

#[test]
fn documents_stored_before_passages_had_a_place_are_read() {
    let old = r#"{"number": 1, "text": "A passage."}"#;
    let passage: Passage = serde_json::from_str(old).unwrap();
    assert_eq!(
        (passage.place.as_ref(), passage.address.as_ref()),
        (None, None)
    );
    let written = serde_json::to_string(&passage).unwrap();
    assert_eq!(written, r#"{"number":1,"text":"A passage."}"#);
    let whole = Passage {
        place: Some("3 Causes".to_owned()),
        address: Some("kb:a/b#1-2".to_owned()),
        ..passage
    };
    let written = serde_json::to_string(&whole).unwrap();
    let again: Passage = serde_json::from_str(&written).unwrap();
    assert_eq!(again, whole);
}
