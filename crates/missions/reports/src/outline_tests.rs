use adjutant_document_model::{Block, Mark};
use adjutant_questions::Source;
use serde_json::{Map, Value, json};

use crate::{Compose, Kind, document};

fn compose(pieces: Value, sections: Value) -> Compose {
    let Value::Object(pieces) = pieces else {
        return Compose::default();
    };
    Compose {
        title: "Where the knowledge ends".to_owned(),
        objective: "What is not known?".to_owned(),
        pieces,
        offline: true,
        outline: serde_json::from_value(json!({
            "name": "Gap Discovery", "first": ["matrix"], "sections": sections,
        }))
        .unwrap(),
        sources: vec![Source {
            id: "kb:a".to_owned(),
            title: "Minutes".to_owned(),
            text: "Nobody has measured the noise at night.".to_owned(),
            published: None,
        }],
    }
}

fn evidence(quote: &str) -> Value {
    json!([{"source": "kb:a", "quote": quote}])
}

#[test]
fn an_exhibit_is_shown_with_its_evidence_and_a_quote_that_is_in_no_source_is_dropped() {
    let matrix = json!({
        "headlines": [
            {"text": "Nobody has measured the noise at night", "kind": "fact",
             "evidence": evidence("Nobody has measured the noise at night.")},
            {"text": "The roof is safe", "kind": "fact", "evidence": evidence("The roof is safe.")},
        ],
        "tables": [{
            "caption": "Needs and what is known", "columns": [{"heading": "Need", "width": 2}, {"heading": "Known", "width": 3}],
            "rows": [[{"text": "Noise"}, {"text": "nothing at night", "role": "statement"}]],
        }],
    });
    let sections = json!([{"title": "The matrix", "show": "exhibit", "from": "matrix"}]);
    let made = document(
        Kind::Outline,
        compose(json!({ "matrix": matrix }), sections),
    );
    assert_eq!(made.kind, "Gap Discovery");
    let first = made.summary.iter().find_map(|block| match block {
        Block::Bullets(items) => Some(items),
        _ => None,
    });
    let first = first.unwrap();
    assert_eq!(first[0][0].cites, vec![1]);
    assert_eq!(first[0][0].mark, None);
    // Its quote is in no source, so it is no fact.
    assert_eq!(first[1][0].mark, Some(Mark::Interpretation));
    let matrix = made
        .sections
        .iter()
        .find(|section| section.heading == "The matrix")
        .unwrap();
    let row = matrix.blocks.iter().find_map(|block| match block {
        Block::Table { rows, .. } => rows.first(),
        _ => None,
    });
    let row = row.unwrap();
    assert_eq!(row[0][0].mark, None, "a label needs no evidence");
    assert_eq!(row[1][0].mark, Some(Mark::Interpretation));
}

#[test]
fn a_piece_that_is_missing_is_reported_as_not_done() {
    let sections = json!([{"title": "The matrix", "show": "exhibit", "from": "matrix"}]);
    let made = document(Kind::Outline, compose(Value::Object(Map::new()), sections));
    let text = serde_json::to_string(&made).unwrap();
    assert!(text.contains("This part was not done"), "{text}");
    assert!(text.contains("No source was found that addresses the objective"));
}

#[test]
fn a_row_of_labels_with_a_number_is_marked_once() {
    let matrix = json!({"tables": [{
        "caption": "Pumps", "columns": [{"heading": "Pump", "width": 2}, {"heading": "State", "width": 1}],
        "rows": [[{"text": "Pump 3000"}, {"text": "after 2 days"}], [{"text": "Pump A"}, {"text": "new"}]],
    }]});
    let sections = json!([{"title": "The matrix", "show": "exhibit", "from": "matrix"}]);
    let made = document(
        Kind::Outline,
        compose(json!({ "matrix": matrix }), sections),
    );
    let rows = made.sections[0]
        .blocks
        .iter()
        .find_map(|block| match block {
            Block::Table { rows, .. } => Some(rows),
            _ => None,
        });
    let rows = rows.unwrap();
    assert_eq!(rows[0][0][0].mark, Some(Mark::Interpretation));
    assert_eq!(rows[0][1][0].mark, None);
    assert_eq!(rows[1][0][0].mark, None);
}
