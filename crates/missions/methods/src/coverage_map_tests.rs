use serde_json::{Value, json};

use crate::{Exhibit, InputRefused, method};

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("coverage_map").unwrap().apply)(input)
}

fn finding(text: &str, documents: &[&str]) -> Value {
    let evidence: Vec<Value> = documents
        .iter()
        .map(|document| json!({"source": format!("kb:a/{document}#0-40"), "quote": text}))
        .collect();
    json!({"text": text, "kind": "fact", "evidence": evidence, "confidence": 0.8})
}

fn collection() -> Value {
    let stated = |sentence: &str, document: &str, date: &str| json!({"sentence": sentence, "title": document, "date": date, "address": format!("kb:a/{document}#0-40")});
    json!({
        "topics": [{"key": "noise", "wants": "noise of the pump"}, {"key": "cost", "wants": "cost of the pump"}, {"key": "permit", "wants": "permit of the council"}],
        "findings": [{"findings": [
            finding("The noise of the pump is 40 dB.", &["test.md", "offer.md"]),
            finding("The cost of the pump is high.", &["offer.md"]),
            finding("It rained.", &["letter.md"]),
            finding("The noise of the pump was 60 dB.", &["draft.md"]),
            {"text": "A guess without a passage.", "kind": "interpretation", "evidence": [], "confidence": 0.2},
        ]}, {"findings": [finding("The cost of the pump is high.", &["offer.md"])]}],
        "sources": [
            {"id": "kb:a/test.md#0-40", "title": "Test · Result"}, {"id": "kb:a/test.md#50-60", "title": "Test · End"},
            {"id": "kb:a/offer.md#0-40", "title": "Offer"}, {"id": "kb:a/letter.md#0-40", "title": "Letter"},
            {"id": "pubmed:1", "title": "On pumps"},
        ],
        "reading": [{
            "documents": [
                {"id": "kb:a/test.md", "title": "Test", "genre": "test report", "strength": "high"},
                {"id": "kb:a/offer.md", "title": "Offer", "genre": "letter", "strength": "low"},
                {"id": "kb:a/draft.md", "title": "Draft", "strength": "low", "is_draft": true},
            ],
            "contradicting": [[stated("It is quiet.", "test.md", "2026-01-01"), stated("It is not quiet.", "offer.md", "2026-02-01")]],
        }],
    })
}

fn rows<'e>(exhibit: &'e Exhibit, caption: &str) -> Vec<Vec<&'e str>> {
    let table = exhibit
        .tables
        .iter()
        .find(|table| table.caption == caption)
        .unwrap();
    let texts =
        |row: &'e Vec<crate::ExhibitCell>| row.iter().map(|cell| cell.text.as_str()).collect();
    table.rows.iter().map(texts).collect()
}

#[test]
fn each_statement_is_counted_for_the_document_it_was_taken_from() {
    let exhibit = apply(collection()).unwrap();
    // Of 4 that are not outdated (test, offer, letter, the article) 3 gave something; the draft gave nothing that holds.
    assert_eq!(
        exhibit.headlines[0].text,
        "3 statements collected from 3 of 4 documents and sources; 1 stated by more than one"
    );
    assert_eq!(
        rows(&exhibit, "What was taken from where"),
        [
            ["Offer", "letter", "", "2", "noise, cost"],
            ["Letter", "public or attached source", "", "1", "other"],
            ["Test", "test report", "", "1", "noise"],
        ]
    );
    assert_eq!(exhibit.notes[0].text, "On pumps");
    assert_eq!(exhibit.data["open"], json!(["permit of the council"]));
    let collected = rows(&exhibit, "The collection, by topic");
    assert_eq!(
        collected[0],
        [
            "Noise of the pump",
            "The noise of the pump is 40 dB.",
            "high"
        ]
    );
    assert_eq!(collected.len(), 3);
}

#[test]
fn people_decide_which_of_two_statements_is_kept() {
    let kept = |option: &str| {
        let mut input = collection();
        input["answers"] = json!([{"option": option}]);
        let exhibit = apply(input).unwrap();
        rows(&exhibit, "Statements that do not agree")[0][2].to_owned()
    };
    assert_eq!(kept("keep_both"), "both, until somebody decides");
    assert_eq!(kept("newer_holds"), "the second");
    assert_eq!(kept("stronger_holds"), "the first");
}

#[test]
fn the_map_counts_what_the_table_counts() {
    let exhibit = apply(collection()).unwrap();
    let chart = serde_json::to_value(&exhibit.charts[0].chart).unwrap();
    let values = chart["values"].as_array().unwrap().iter();
    let cells: f64 = values
        .flat_map(|row| row.as_array().unwrap())
        .filter_map(Value::as_f64)
        .sum();
    let table = rows(&exhibit, "What was taken from where");
    let counted: f64 = table.iter().map(|row| row[3].parse::<f64>().unwrap()).sum();
    assert_eq!(cells, counted);
}

#[test]
fn no_topics_are_refused() {
    let refused = apply(json!({"topics": [], "findings": [], "sources": []})).unwrap_err();
    assert_eq!(refused.to_string(), "give 1 to 12 topics");
}

#[test]
fn requests_name_who_owes_what_is_open() {
    let mut input = collection();
    input["answers"] = json!([{"option": "list_requests"}]);
    let requests = |input: Value| {
        let exhibit = apply(input).unwrap();
        let rows = rows(&exhibit, "Requests for what is open");
        (rows[0][0].to_owned(), rows[0][1].to_owned())
    };
    let wanted = "Permit of the council".to_owned();
    assert_eq!(
        requests(input.clone()),
        (wanted.clone(), "nobody is named".to_owned())
    );
    input["reading"][0]["owed"] = json!([{"who": "Ann", "what": "send the permit", "due": null, "status": "open",
        "at": {"sentence": "Ann will send the permit of the council.", "address": "kb:a/offer.md#50-60"}}]);
    assert_eq!(requests(input), (wanted, "Ann".to_owned()));
}
