//! The words that stand for a chart, and with them what each kind computes.

use serde_json::{Value, json};

use crate::{Chart, Theme, draw, samples};

fn alt(value: Value) -> String {
    let chart: Chart = serde_json::from_value(value).unwrap();
    draw(&chart, Theme::Light).unwrap().alt
}

#[test]
fn a_tree_is_rolled_back_to_its_best_choice() {
    let mut value = samples::file("decision_tree");
    let words = alt(value.clone());
    // 0.55 * 9.5 + 0.3 * 2 - 0.15 * 6, and 0.7 * 6.2 + 0.3 * max(1, -1.5)
    assert!(words.contains("Build it ourselves: 4.93 € million, the best choice."));
    assert!(words.contains("Buy and adapt: 4.64 € million."), "{words}");
    value["better"] = json!("lower");
    assert!(alt(value).contains("Wait a year: 1.2 € million, the best choice."));
}

#[test]
fn a_box_has_quartiles_whiskers_and_outliers() {
    let words = alt(json!({
        "chart": "box", "title": "t",
        "groups": [{"name": "g", "values": [1, 2, 3, 4, 5, 6, 7, 8, 100]}]
    }));
    assert_eq!(
        words,
        "Box plot: t. g: median 5, middle half 3 to 7, whiskers 1 to 8, 1 outliers."
    );
}

#[test]
fn a_trend_says_how_much_it_explains() {
    let points = json!([[0, 1], [1, 3], [2, 5], [3, 7]]);
    let words = alt(json!({
        "chart": "scatter", "title": "t", "trend": "linear",
        "series": [{"name": "s", "points": points}]
    }));
    assert!(words.ends_with("The linear trend rises and explains 100% of the variance."));
}

#[test]
fn a_tornado_is_told_widest_first() {
    let words = alt(samples::file("tornado"));
    let place = |name: &str| words.find(name).unwrap();
    assert!(place("Price per unit") < place("Units sold"));
    assert!(place("Units sold") < place("Start delayed"));
}

#[test]
fn a_heat_map_says_where_its_extremes_are() {
    let words = alt(json!({
        "chart": "heat_map", "title": "t", "rows": ["a", "b"], "columns": ["x", "y"],
        "values": [[1, 9], [null, -3]]
    }));
    assert_eq!(
        words,
        "Heat map: t. 2 rows and 2 columns. Lowest −3 at b, y. Highest 9 at a, y."
    );
}

#[test]
fn a_plan_says_dates_progress_and_today() {
    let words = alt(samples::file("gantt"));
    assert!(words.contains("Trial run: 12 May 2025 to 23 May 2025."));
    assert!(words.contains("Sign-off: milestone on 26 May 2025."));
    assert!(words.contains("24 Mar 2025 to 18 Apr 2025, 60% done."));
    assert!(words.ends_with("Today is 10 Apr 2025."));
}

#[test]
fn words_have_an_end() {
    let nodes: Vec<Value> = (0..60)
        .map(|i| json!({"id": i.to_string(), "label": format!("node number {i}")}))
        .collect();
    let edges: Vec<Value> = (0..59)
        .map(|i| json!({"from": i.to_string(), "to": (i + 1).to_string()}))
        .collect();
    let words = alt(json!({"chart": "network", "title": "t", "nodes": nodes, "edges": edges}));
    assert_eq!(words.chars().count(), 1500);
    assert!(words.ends_with('…'));
}
