use serde_json::{Value, json};

use super::{best_order, cost};
use crate::{Exhibit, InputRefused, method};

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("curriculum").unwrap().apply)(input)
}

fn group(label: &str, source: &str, keywords: &[&str]) -> Value {
    json!({"label": label, "sources": [source], "keywords": keywords, "evidence": []})
}

fn finding(text: &str, source: &str) -> Value {
    json!({"text": text, "kind": "fact", "confidence": 0.8, "evidence": [{"source": source, "quote": text}]})
}

fn course() -> Value {
    json!({
        "groups": [{"clusters": [
            group("valves", "kb:a/valves.md#0-9", &["valve"]),
            group("pumps", "kb:a/pumps.md#0-9", &["pump"]),
            group("nothing", "kb:a/empty.md#0-9", &["nothing"]),
        ]}],
        "findings": [{"findings": [
            finding("A valve protects each pump from pressure.", "kb:a/valves.md#0-9"),
            finding("The pump moves 40 litres an hour.", "kb:a/pumps.md#20-60"),
            finding("It rained.", "kb:a/pumps.md#70-80"),
        ]}],
    })
}

#[test]
fn a_term_is_explained_before_it_is_used() {
    let exhibit = apply(course()).unwrap();
    assert_eq!(
        exhibit.data["text"],
        "The lessons, in order: Pumps; Valves."
    );
    assert_eq!(
        exhibit.headlines[0].text,
        "The course has 2 lessons and 1 question; never a term is used before the lesson that explains it, which no other order makes fewer"
    );
    let overview = &exhibit.tables[0].rows;
    assert_eq!(
        [&overview[0][3].text, &overview[1][3].text],
        ["nothing", "Pumps"]
    );
}

#[test]
fn a_question_leaves_out_a_number_or_else_a_term() {
    let exhibit = apply(course()).unwrap();
    let questions = exhibit.data["questions"].as_array().unwrap();
    assert_eq!(questions[0]["text"], "The pump moves ____ litres an hour.");
    assert_eq!(questions[0]["answer"], "40");
    // `valve` and `pump` are too short to be asked for: the lesson on valves has no other term.
    assert_eq!(questions.len(), 1);
    assert_eq!(
        exhibit.data["test"],
        "What is missing where there is a blank? 1: The pump moves ____ litres an hour."
    );
}

#[test]
fn no_order_is_better_than_the_one_that_is_found() {
    // Pseudo-random tables of uses, each order of four lessons tried.
    let mut state = 7_u64;
    for _ in 0..50 {
        let uses: Vec<Vec<usize>> = (0..4)
            .map(|row| {
                (0..4)
                    .map(|column| {
                        state = state
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1);
                        if row == column {
                            0
                        } else {
                            (state >> 61) as usize
                        }
                    })
                    .collect()
            })
            .collect();
        let least = orders(4)
            .iter()
            .map(|order| cost(order, &uses))
            .min()
            .unwrap();
        let found = best_order(&uses);
        assert_eq!(cost(&found, &uses), least, "{uses:?}");
        let mut all = found.clone();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3]);
    }
}

fn orders(count: usize) -> Vec<Vec<usize>> {
    match count {
        0 => vec![Vec::new()],
        _ => orders(count - 1)
            .into_iter()
            .flat_map(|order| {
                (0..count).map(move |at| {
                    let mut longer = order.clone();
                    longer.insert(at, count - 1);
                    longer
                })
            })
            .collect(),
    }
}

#[test]
fn without_groups_there_is_no_lesson() {
    let exhibit = apply(json!({"groups": [], "findings": []})).unwrap();
    assert_eq!(exhibit.notes[0].title, "No lessons");
    assert_eq!(exhibit.data["test"], "There is no question.");
}
