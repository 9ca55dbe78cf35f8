use serde_json::{Value, json};

use crate::{Exhibit, method};

fn apply(input: Value) -> Exhibit {
    (method("decision_frame").unwrap().apply)(input).unwrap()
}

fn finding(text: &str) -> Value {
    json!({"text": text, "kind": "fact", "evidence": [{"source": "kb:1", "quote": text}], "confidence": 0.8})
}

fn headlines(exhibit: &Exhibit) -> Vec<&str> {
    exhibit
        .headlines
        .iter()
        .map(|one| one.text.as_str())
        .collect()
}

fn harbour() -> Value {
    json!({
        "objective": "Should the harbour buy a third crane?",
        "parts": ["How often do ships wait for a crane?", "Who would run the crane at night?"],
        "checklist": [{"key": "money", "wants": "what it costs"}, {"key": "law", "wants": "what the law asks for"}],
        "points": [{"key": "money", "found": "yes", "evidence": [{"source": "kb:2", "quote": "It costs EUR 4 million."}], "missing": ""}],
        "options": ["buy", "rent"],
        "criteria": [{"name": "Cost", "weight": 3}, {"name": "Speed"}],
        "stakes": [finding("The lease ends in 6 weeks."), finding("Waiting costs EUR 90,000 a year."), finding("The crane costs EUR 4 million.")],
        "deciders": [finding("The board decides in May.")],
        "findings": [finding("Ships wait for a crane on 40 days a year.")],
    })
}

#[test]
fn the_tree_shows_what_is_answered_and_what_is_open() {
    let exhibit = apply(harbour());
    assert_eq!(
        headlines(&exhibit),
        [
            "To be decided: Should the harbour buy a third crane. The choice is between buy and rent",
            "The crane costs EUR 4 million",
            "The board decides in May",
            "2 of 4 questions are open, the first: Who would run the crane at night?",
        ]
    );
    let states: Vec<(&str, &str)> = exhibit.tables[0]
        .rows
        .iter()
        .map(|row| (row[0].text.as_str(), row[2].text.as_str()))
        .collect();
    let (decided, before) = ("What is to be decided", "What must be known before");
    assert_eq!(
        states,
        [
            (decided, "answered"),
            (decided, "open"),
            (before, "answered"),
            (before, "open")
        ]
    );
    assert_eq!(exhibit.data["open"][1], "Do we know what the law asks for?");
}

#[test]
fn stakes_are_ordered_by_money_then_time_and_cite_their_passage() {
    let exhibit = apply(harbour());
    let stakes = &exhibit.tables[1];
    let amounts: Vec<&str> = stakes.rows.iter().map(|row| row[1].text.as_str()).collect();
    assert_eq!(amounts, ["EUR 4 million", "EUR 90,000", "6 weeks"]);
    assert!(stakes.rows.iter().all(|row| !row[2].evidence.is_empty()));
    assert_eq!(exhibit.tables[3].rows[0][2].text, "75 %");
}

#[test]
fn a_persons_words_become_the_decision() {
    let mut input = harbour();
    input["answers"] = json!([
        {"option": "in_my_words", "note": "Do we order the crane this year?"},
    ]);
    let exhibit = apply(input);
    assert!(headlines(&exhibit)[0].starts_with("To be decided: Do we order the crane this year. "));
}

#[test]
fn nothing_is_padded() {
    let exhibit = apply(json!({"objective": "What now?"}));
    assert_eq!(
        headlines(&exhibit),
        [
            "To be decided: What now. No option is named yet",
            "No document was found that names who decides",
            "Nothing was listed that must be known before",
        ]
    );
    assert_eq!(exhibit.tables.len(), 1);
}
