use serde_json::{Value, json};

use super::spreads;
use crate::{Exhibit, InputRefused, method};

fn item(name: &str, scores: &[Option<f64>]) -> Value {
    let parts: Vec<Value> = scores
        .iter()
        .zip(["cost", "speed", "noise"])
        .map(|(score, criterion)| json!({"criterion": criterion, "score": score, "reason": "", "evidence": []}))
        .collect();
    json!({"item": name, "score": null, "parts": parts})
}

fn apply(items: Vec<Value>, criteria: &[&str], more: Value) -> Result<Exhibit, InputRefused> {
    let criteria: Vec<Value> = criteria.iter().map(|name| json!({"name": name})).collect();
    let mut input = json!({"scores": [{"ranking": items}], "criteria": criteria});
    for (name, value) in more.as_object().unwrap() {
        input[name] = value.clone();
    }
    (method("stable_ranking").unwrap().apply)(input)
}

#[test]
fn every_spread_of_the_weight_is_tried_once() {
    // Tenths over n criteria: (10 + n - 1 over n - 1).
    assert_eq!(
        [1, 2, 3, 6].map(|count| spreads(count).len()),
        [1, 11, 66, 3003]
    );
    for spread in spreads(3) {
        assert_eq!(spread.iter().sum::<f64>(), 10.0);
    }
    let mut all = spreads(3);
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    all.dedup();
    assert_eq!(all.len(), 66);
}

#[test]
fn the_order_is_as_firm_as_the_weights_leave_it() {
    // A leads by the weight w of cost in tenths if 90 w + 40 (10 - w) >= 50 w + 60 (10 - w): from w = 10/3 on, so for 4 to 10.
    let items = vec![
        item("A", &[Some(90.0), Some(40.0)]),
        item("B", &[Some(50.0), Some(60.0)]),
    ];
    let exhibit = apply(items, &["cost", "speed"], json!({"own": "B"})).unwrap();
    assert_eq!(
        exhibit.headlines[0].text,
        "A comes first with 65 of 100, before B with 55"
    );
    assert_eq!(
        exhibit.headlines[1].text,
        "Of 11 ways to spread the weight in tenths, A comes first in 7; it can fall to rank 2"
    );
    assert_eq!(exhibit.data["order"][1]["first_in"], 4);
    let gap = &exhibit.tables[1].rows[0];
    assert_eq!(
        [&gap[0].text, &gap[2].text, &gap[3].text],
        ["cost", "40", "other criteria can make up for it"]
    );
}

#[test]
fn a_gap_that_weights_close_is_not_clear() {
    let items = || {
        vec![
            item("A", &[Some(90.0), Some(40.0)]),
            item("B", &[Some(50.0), Some(60.0)]),
        ]
    };
    let answers = json!({"own": "B", "answers": [{"option": "clear_only"}]});
    let exhibit = apply(items(), &["cost", "speed"], answers.clone()).unwrap();
    assert!(
        !exhibit
            .tables
            .iter()
            .any(|table| table.caption.starts_with("Where"))
    );
    let behind = vec![
        item("A", &[Some(90.0), Some(80.0)]),
        item("B", &[Some(50.0), Some(60.0)]),
    ];
    let exhibit = apply(behind, &["cost", "speed"], answers).unwrap();
    assert_eq!(exhibit.tables[1].rows.len(), 2);
    assert_eq!(
        exhibit.headlines[1].text,
        "Of 11 ways to spread the weight in tenths, A comes first in 11; the order at the top does not depend on the weights"
    );
}

#[test]
fn ranks_can_tell_another_story_than_scores() {
    let items = vec![
        item("A", &[Some(100.0), Some(10.0), Some(10.0)]),
        item("B", &[Some(0.0), Some(20.0), Some(20.0)]),
    ];
    let exhibit = apply(items, &["cost", "speed", "noise"], json!({})).unwrap();
    assert_eq!(
        exhibit.headlines[2].text,
        "With ranks in the place of scores B would come first, so the distances decide"
    );
}

#[test]
fn the_unknown_has_a_worst_and_a_best() {
    let items = || {
        vec![
            item("A", &[Some(60.0), Some(60.0)]),
            item("B", &[Some(80.0), None]),
            item("C", &[None, None]),
        ]
    };
    let exhibit = apply(items(), &["cost", "speed"], json!({})).unwrap();
    let table = exhibit
        .tables
        .iter()
        .find(|it| it.caption.starts_with("What the unknown"))
        .unwrap();
    let row: Vec<&str> = table.rows[0]
        .iter()
        .map(|cell| cell.text.as_str())
        .collect();
    assert_eq!(row, ["B", "1 score", "40", "90"]);
    assert_eq!(exhibit.notes[0].text, "Too little is known of C");
    let strict = apply(
        items(),
        &["cost", "speed", "noise"],
        json!({"answers": [{"option": "documented_only"}]}),
    )
    .unwrap();
    assert_eq!(strict.notes[0].text, "Too little is known of B, C");
    assert_eq!(strict.notes[1].title, "Nothing to compare");
}

#[test]
fn too_many_criteria_are_refused() {
    let refused = apply(vec![], &["a", "b", "c", "d", "e", "f", "g"], json!({})).unwrap_err();
    assert_eq!(refused.to_string(), "give 1 to 6 criteria");
}
