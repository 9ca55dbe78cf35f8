use serde_json::{Value, json};

use crate::{Exhibit, method};

fn apply(input: Value) -> Exhibit {
    (method("next_moves").unwrap().apply)(input).unwrap()
}

fn finding(text: &str) -> Value {
    json!({"text": text, "kind": "fact", "evidence": [{"source": "kb:1", "quote": text}], "confidence": 0.8})
}

fn at(sentence: &str) -> Value {
    json!({"sentence": sentence, "address": "kb:9"})
}

fn headlines(exhibit: &Exhibit) -> Vec<&str> {
    exhibit
        .headlines
        .iter()
        .map(|one| one.text.as_str())
        .collect()
}

fn stuck() -> Value {
    json!({
        "objective": "The pump permit is stuck",
        "tried": [
            finding("A second letter to the county had no answer."),
            finding("A second letter to the county had no answer!"),
            finding("The pump was tested on the quay."),
        ],
        "ideas": [finding("A second letter to the county had no answer."), finding("Another county accepts the old form.")],
        "assumptions": ["The form of last year is still accepted."],
        "reading": [{
            "owed": [
                {"who": "Mara", "what": "send the drawings of the pump", "due": "2026-03-01", "status": "overdue", "at": at("Mara sends the drawings.")},
                {"who": "Ilo", "what": "sign", "due": null, "status": "fulfilled", "at": at("Ilo signed.")},
            ],
            "missing": [{"kind": "asked, and not answered", "what": "Which form does the county want?", "at": at("Which form does the county want?")}],
        }],
    })
}

#[test]
fn what_is_overdue_comes_first_and_nothing_that_was_tried_again() {
    let exhibit = apply(stuck());
    assert_eq!(
        headlines(&exhibit),
        [
            "First: Ask Mara for what is owed: send the drawings of the pump",
            "Then: Get an answer to: Which form does the county want?",
            "After that: Try what no document reports as tried: Another county accepts the old form",
            "2 attempts found: 1 failed, 0 worked, of 1 no end is stated",
        ]
    );
    assert_eq!(exhibit.headlines[0].evidence[0].source, "kb:9");
    assert_eq!(
        exhibit.tables[0].rows[0][2].text,
        "it is overdue, due 2026-03-01"
    );
    // What rests on no passage cites none.
    let left = exhibit.tables.last().unwrap();
    assert_eq!(left.caption, "What else is left");
    assert!(left.rows[0][1].evidence.is_empty());
}

#[test]
fn a_person_may_prefer_a_kind_of_move_and_put_the_problem_into_words() {
    let mut input = stuck();
    input["answers"] = json!([{"option": "try_first"}, {"option": "in_my_words", "note": "The county has the wrong form."}]);
    let exhibit = apply(input);
    assert!(
        headlines(&exhibit)[0].starts_with("First: Try"),
        "{:?}",
        headlines(&exhibit)
    );
    assert_eq!(exhibit.data["problem"], "The county has the wrong form.");
}

#[test]
fn nothing_is_padded() {
    let exhibit = apply(json!({"objective": "Stuck"}));
    assert_eq!(
        headlines(&exhibit),
        [
            "No next move was found: nothing is owed or missing, and no idea is left that was not tried",
            "No document reports an attempt",
        ]
    );
    assert!(exhibit.tables.is_empty());
}
