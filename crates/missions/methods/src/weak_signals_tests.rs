use serde_json::{Value, json};

use super::*;
use crate::is_drawable;

fn source(id: &str, published: &str, text: &str) -> Value {
    json!({"id": id, "title": id, "text": text, "published": published})
}

fn documents(all: &[Value]) -> Value {
    json!([{"sources": all, "complete": true}])
}

fn apply(mut input: Value) -> Exhibit {
    input["as_of"] = json!("2026-11-19");
    input["objective"] = json!("What is coming for tidal power?");
    (WEAK_SIGNALS.apply)(input).unwrap()
}

fn rows(exhibit: &Exhibit) -> Vec<Vec<&str>> {
    let rows = exhibit.tables.iter().flat_map(|table| &table.rows);
    rows.map(|row| row.iter().map(|cell| cell.text.as_str()).collect())
        .collect()
}

fn first() -> Vec<Value> {
    vec![
        source(
            "kb:t/paper.md",
            "2026-10-01",
            "A ministry proposed a new licence for tidal power. Tidal power is old.",
        ),
        source(
            "kb:t/news.md",
            "2026-11-01",
            "# Tidal power\n\nA yard launched a tidal turbine and plans ten more of them by May 2027.",
        ),
    ]
}

#[test]
fn signs_are_sorted_with_distance_strength_and_what_would_confirm_them() {
    let exhibit = apply(json!({"documents": documents(&first())}));
    assert_eq!(exhibit.data["seen"]["items"].as_array().unwrap().len(), 2);
    let rows = rows(&exhibit);
    assert_eq!(
        rows[0][1..],
        [
            "2027-05: within a year",
            "clear",
            "a second step, or a first result; a second source that says so"
        ]
    );
    assert_eq!(
        rows[1][1..],
        [
            "no date",
            "faint",
            "a decision on it by whoever proposed it; a second source that says so"
        ]
    );
    assert!(is_drawable(&exhibit));
    assert_eq!(exhibit.data["follow_up"], false);
}

#[test]
fn a_second_run_tells_only_the_new_document() {
    let before = apply(json!({"documents": documents(&first())}));
    let earlier = json!([{"known": true, "reported": "2026-11-12", "seen": before.data["seen"]}]);
    let mut more = first();
    more.insert(
        0,
        source(
            "kb:t/new.md",
            "2026-11-18",
            "A court will consider whether tidal power harms seals.",
        ),
    );
    let after = apply(json!({"documents": documents(&more), "earlier": earlier.clone()}));
    let told = rows(&after);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0][0].starts_with("A court"));
    assert_eq!(
        after.headlines[0].text,
        "Since the report of 2026-11-12: 1 new, 0 changed, 0 gone, 2 as before"
    );
    let nothing = apply(json!({"documents": documents(&first()), "earlier": earlier}));
    assert_eq!(nothing.data["nothing_new"], true);
    assert!(nothing.tables.is_empty() && nothing.charts.is_empty());
}

#[test]
fn a_choice_changes_the_order_and_what_is_told() {
    let exhibit = apply(
        json!({"documents": documents(&first()), "choices": [{"option": "confirmed_only", "note": ""}]}),
    );
    assert!(
        rows(&exhibit).is_empty(),
        "each is said by one document only"
    );
}

#[test]
fn without_a_day_it_refuses() {
    let input = json!({"objective": "x", "as_of": "soon"});
    let refused = (WEAK_SIGNALS.apply)(input).unwrap_err().to_string();
    assert!(refused.contains("write 2026-09-30"), "{refused}");
}

#[test]
fn a_date_that_passes_is_a_change_and_the_sign_is_not_gone() {
    let before = apply(json!({"documents": documents(&first())}));
    let earlier = json!([{"known": true, "reported": "2026-11-19", "seen": before.data["seen"]}]);
    let later = (WEAK_SIGNALS.apply)(json!({
        "objective": "What is coming for tidal power?", "as_of": "2030-01-01",
        "documents": documents(&first()), "earlier": earlier,
    }))
    .unwrap();
    let data = &later.data;
    assert_eq!(
        (&data["new"], &data["changed"], &data["gone"]),
        (&json!(0), &json!(1), &json!(0))
    );
}
