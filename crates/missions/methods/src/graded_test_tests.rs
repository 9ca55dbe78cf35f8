use serde_json::{Value, json};

use crate::{Exhibit, InputRefused, method};

fn question(text: &str, answer: &str) -> Value {
    json!({"lesson": format!("Lesson on {answer}"), "text": text, "answer": answer,
        "statement": {"text": text.replace("____", answer), "kind": "fact", "confidence": 0.8,
            "evidence": [{"source": "kb:a/b.md#0-9", "quote": text.replace("____", answer)}]}})
}

fn apply(answers: Value) -> Result<Exhibit, InputRefused> {
    let questions = [
        question("The pump moves ____ litres.", "1,200"),
        question("Steel is protected by ____.", "galvanising"),
        question("It lasts ____ years.", "8"),
    ];
    (method("graded_test").unwrap().apply)(json!({"questions": questions, "answers": answers}))
}

fn grades(exhibit: &Exhibit) -> Vec<&str> {
    exhibit.tables[0]
        .rows
        .iter()
        .map(|row| row[4].text.as_str())
        .collect()
}

#[test]
fn numbers_and_terms_are_graded_and_what_is_missing_is_not_right() {
    let exhibit =
        apply(json!([{"option": "answered", "note": "1: 1200 litres; 2) it is galvanised"}]))
            .unwrap();
    assert_eq!(grades(&exhibit), ["right", "right", "not answered"]);
    assert_eq!(
        exhibit.headlines[0].text,
        "2 of 3 questions were answered right"
    );
    let exhibit = apply(json!([{"note": "1: 1,2000\n2: paint\n3. 8 years"}])).unwrap();
    assert_eq!(grades(&exhibit), ["wrong", "wrong", "right"]);
    assert_eq!(
        exhibit.data["text"],
        "1 of 3 questions were answered right. Missed were: Lesson on 1,200; Lesson on galvanising."
    );
}

#[test]
fn two_numbers_are_no_answer() {
    let exhibit = apply(json!([{"note": "3: 8 or 9"}])).unwrap();
    assert_eq!(grades(&exhibit), ["not answered", "not answered", "wrong"]);
}

#[test]
fn what_was_missed_is_read_again_if_that_is_wanted() {
    let answer = json!({"option": "answered", "note": "1: 1200"});
    let again = apply(json!([answer, {"option": "repeat_missed"}])).unwrap();
    assert_eq!(again.tables[1].rows.len(), 2);
    assert_eq!(again.tables[1].rows[1][1].text, "It lasts 8 years.");
    let on = apply(json!([answer, {"option": "go_on"}])).unwrap();
    assert_eq!(on.tables.len(), 1);
}

#[test]
fn a_test_that_was_not_taken_has_no_grade() {
    let exhibit =
        apply(json!([{"option": "later", "note": ""}, {"option": "repeat_missed"}])).unwrap();
    assert_eq!(
        exhibit.headlines[0].text,
        "The test was not taken: 3 questions with their answers are for self-study"
    );
    assert!(exhibit.figures.is_empty());
    assert_eq!(exhibit.tables.len(), 1);
}
