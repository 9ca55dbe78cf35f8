use adjutant_document_model::{Decided, docx, html, markdown};
use adjutant_questions::{Extract, Input, Source as Cited};
use adjutant_redact::{Outgoing, OutgoingPolicy};
use adjutant_reports::{Compose, Kind, document, judge};
use serde_json::{Map, json};

use super::*;

const NARRATIVES: &str = "Patient K.T.W., born 14.02.1957, had a potassium of 6.4 mmol/l under Corvane and recovered.\n\n\
    Weber et al. (2019) saw a potassium above 6.0 mmol/l in 4 of 105 patients under Corvane.";
const VALUES: [&str; 2] = ["K.T.W", "14.02.1957"];

fn composed() -> (Document, Made, Vec<Cited>) {
    let objective = "Which patients had a high potassium under Corvane?";
    let source = json!({ "id": "kb:narratives.md", "title": "Narratives", "text": NARRATIVES });
    let sources: Vec<Cited> = serde_json::from_value(json!([source])).unwrap();
    let extract = adjutant_rule_answers::answer(&Input::Extract(Extract {
        question: objective.to_owned(),
        sources: sources.clone(),
        most: 10,
        guidance: Vec::new(),
    }));
    let mut pieces = Map::new();
    pieces.insert("extracts".to_owned(), json!([extract.value()]));
    let written = document(
        Kind::DeepDive,
        Compose {
            outline: None,
            title: "Potassium".to_owned(),
            objective: objective.to_owned(),
            pieces,
            offline: true,
            sources: sources.clone(),
        },
    );
    let made = Made {
        mission: "msn_1".to_owned(),
        decisions: vec![Decided {
            question: "Is K.T.W. the index case?".to_owned(),
            answer: "approved".to_owned(),
            by: "anna.weber@example.org".to_owned(),
            at: String::new(),
        }],
        ..Made::default()
    };
    (written, made, sources)
}

fn redacted(policy: OutgoingPolicy) -> (Document, Made) {
    let (mut document, mut made, _) = composed();
    let mut outgoing = Outgoing::new(policy, Some([7; 32]));
    redact(&mut document, &mut made, &mut outgoing);
    (document, made)
}

#[test]
fn a_composed_report_names_no_patients_in_any_format() {
    let (before, made, _) = composed();
    let plain = markdown(&before, &made).replace('\\', "");
    assert!(VALUES.iter().all(|value| plain.contains(value)), "{plain}");

    let (document, made) = redacted(OutgoingPolicy::Identifiers);
    let data = json!({ "document": document, "made": made }).to_string();
    for written in [markdown(&document, &made), html(&document, &made), data] {
        let written = written.replace('\\', "");
        for value in VALUES {
            assert!(!written.contains(value), "{value} is in {written}");
        }
        let kept = ["potassium of 6.4 mmol/l", "Weber et al. (2019)", "4 of 105"];
        for kept in kept.iter().chain(&["anna.weber@example.org"]) {
            assert!(written.contains(kept), "{kept} is not in {written}");
        }
        assert!(written.contains("1 date of birth, 1 name"), "{written}");
    }
    assert!(!docx(&document, &made).unwrap().is_empty());
}

#[test]
fn an_altered_quote_says_so_and_the_others_do_not() {
    let (document, _) = redacted(OutgoingPolicy::Identifiers);
    let passages = document.sources.iter().flat_map(|source| &source.passages);
    let mut altered = 0;
    for passage in passages {
        let has_mark = passage.text.contains("[NAME_") || passage.text.contains("[BORN_");
        assert_eq!(
            passage.text.ends_with(ALTERED),
            has_mark,
            "{}",
            passage.text
        );
        altered += usize::from(has_mark);
    }
    assert!(altered > 0);
}

/// Quotes are checked against their sources before anything is replaced.
#[test]
fn the_document_in_the_journal_is_still_letter_for_letter() {
    let (document, _, sources) = composed();
    let judged = judge(&document, &sources);
    let quotes = judged.checks.iter().find(|check| check.name == "quotes");
    assert!(quotes.unwrap().passed, "{quotes:?}");
}

#[test]
fn a_column_heading_says_what_a_date_is() {
    let (mut document, mut made, _) = composed();
    let cell = |text: &str| {
        vec![Span {
            text: text.to_owned(),
            ..Span::default()
        }]
    };
    let columns = json!([{ "heading": "Date of birth" }, { "heading": "Visit" }]);
    document.summary = vec![Block::Table {
        caption: String::new(),
        columns: serde_json::from_value(columns).unwrap(),
        rows: vec![vec![cell("1961-03-12"), cell("2021-03-12")]],
    }];
    let mut outgoing = Outgoing::new(OutgoingPolicy::Identifiers, None);
    redact(&mut document, &mut made, &mut outgoing);
    let told = serde_json::to_string(&document.summary).unwrap();
    assert!(
        told.contains("[BORN]") && told.contains("2021-03-12"),
        "{told}"
    );
    assert!(!told.contains("1961"), "{told}");
}

#[test]
fn a_report_stays_as_it_is_if_redaction_is_off() {
    let (before, made, _) = composed();
    assert_eq!(redacted(OutgoingPolicy::Off), (before, made));
}

/// Where a passage stands is seen by readers too. An address without a name in it would lead nowhere.
#[test]
fn headings_and_addresses_of_passages_name_nobody() {
    let (mut document, mut made, _) = composed();
    let passages = document.sources.iter_mut().flat_map(|at| &mut at.passages);
    for (at, passage) in passages.enumerate() {
        passage.place = Some("Patient K.T.W., born 14.02.1957".to_owned());
        let named = if at == 0 {
            "anna.weber@example.org"
        } else {
            "notes"
        };
        passage.address = Some(format!("kb:club/{named}.md#10-20"));
    }
    let mut outgoing = Outgoing::new(OutgoingPolicy::Identifiers, Some([7; 32]));
    redact(&mut document, &mut made, &mut outgoing);
    let told = serde_json::to_string(&document).unwrap();
    assert!(VALUES.iter().all(|value| !told.contains(value)), "{told}");
    assert!(!told.contains("anna.weber"), "{told}");
    let kept = document.sources.iter().flat_map(|at| &at.passages);
    let kept: Vec<_> = kept.map(|passage| passage.address.as_deref()).collect();
    assert_eq!(kept[0], None);
    assert!(
        kept[1..]
            .iter()
            .all(|at| *at == Some("kb:club/notes.md#10-20")),
        "{kept:?}"
    );
}
