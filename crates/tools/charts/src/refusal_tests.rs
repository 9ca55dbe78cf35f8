use serde_json::{Value, json};

use crate::{Axis, AxisScale, BarChart, BarSeries, Chart, Position, Refusal, Theme, draw, samples};

fn refused(value: Value) -> String {
    let chart: Chart = serde_json::from_value(value).unwrap();
    draw(&chart, Theme::Light).unwrap_err().to_string()
}

/// The sample with one place changed.
fn changed(name: &str, pointer: &str, to: Value) -> Value {
    let mut value = samples::file(name);
    *value.pointer_mut(pointer).unwrap() = to;
    value
}

#[test]
fn refusals_name_the_field_and_its_index() {
    let cases = [
        (
            changed("line", "/title", json!(" \u{7} ")),
            "title is empty",
        ),
        (changed("line", "/series", json!([])), "series is empty"),
        (
            changed("line", "/series/1/points", json!([])),
            "series[1].points is empty",
        ),
        (
            changed("line", "/series/0/points/3/0", json!(7)),
            "series[0].points[0][0] is text, but the other values are numbers",
        ),
        (
            changed("line_log", "/series/1/points/2/1", json!(0)),
            "series[1].points[2][1] is not above zero, as a log axis requires",
        ),
        (
            changed("bar_grouped", "/series/2/values", json!([1, 2])),
            "series[2].values has 2 entries, but categories has 4",
        ),
        (
            changed("scatter", "/x", json!({"scale": "log"})),
            "trend is linear, but an axis is log: the line would be curved",
        ),
        (
            changed("box", "/groups/4/summary/median", json!(1)),
            "groups[4].summary.median is smaller than the number before it",
        ),
        (
            changed("box", "/groups/0", json!({"name": "x"})),
            "groups[0] needs either values or summary",
        ),
        (
            changed("heat_map", "/values/3", json!([1])),
            "values[3] has 1 entries, but columns has 8",
        ),
        (
            changed("forest", "/studies/2/estimate", json!(9)),
            "studies[2].estimate is not between low and high",
        ),
        (
            changed("timeline", "/events/1/date", json!("2023-02-30")),
            "events[1].date is not a date: write YYYY-MM-DD, YYYY-MM or YYYY",
        ),
        (
            changed("gantt", "/tasks/0/end", json!("2025-01-01")),
            "tasks[0].end is before its start",
        ),
        (
            changed("gantt", "/tasks/1/after/0", json!("zz")),
            "tasks[1].after[0] is not the id of a task",
        ),
        (
            changed("tornado", "/inputs/0/low", json!(1e305)),
            "inputs[0].low is 1e305, beyond ±1e300",
        ),
        (
            changed(
                "decision_tree",
                "/root/branches/0/then/branches/0/probability",
                json!(0.9),
            ),
            "root.branches[0].then.branches has probabilities that do not add up to 1",
        ),
        (
            changed("network_force", "/edges/0/to", json!("zz")),
            "edges[0].to is not the id of a node",
        ),
    ];
    for (value, message) in cases {
        assert_eq!(refused(value), message);
    }
}

#[test]
fn too_many_are_refused_with_the_number() {
    let series: Vec<Value> = (0..9)
        .map(|i| json!({"name": format!("s{i}"), "points": [[1, 1]]}))
        .collect();
    assert_eq!(
        refused(changed("line", "/series", json!(series))),
        "series has 9 entries; at most 8 can be drawn"
    );
    let points: Vec<Value> = (0..5001).map(|i| json!([i, 1])).collect();
    assert_eq!(
        refused(changed("line", "/series/0/points", json!(points))),
        "series[0].points has 5001 entries; at most 5000 can be drawn"
    );
}

#[test]
fn a_tree_too_deep_is_refused_before_it_is_walked() {
    let mut node = json!({"kind": "outcome", "label": "end", "value": 1});
    for _ in 0..30 {
        node = json!({"kind": "decision", "branches": [{"label": "on", "then": node}]});
    }
    let message = refused(changed("decision_tree", "/root", node));
    assert!(
        message.ends_with("is nested more than 5 branches deep"),
        "{message}"
    );
}

#[test]
fn a_chain_too_long_for_layers_is_refused() {
    let nodes: Vec<Value> = (0..9)
        .map(|i| json!({"id": i.to_string(), "label": "n"}))
        .collect();
    let edges: Vec<Value> = (0..8)
        .map(|i| json!({"from": i.to_string(), "to": (i + 1).to_string()}))
        .collect();
    let mut value = samples::file("network_layered");
    value["nodes"] = json!(nodes);
    value["edges"] = json!(edges);
    assert!(refused(value).starts_with("the edges form more than 7 layers"));
}

#[test]
fn numbers_that_are_none_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let chart = Chart::Bar(BarChart {
            title: "t".to_owned(),
            subtitle: None,
            source: None,
            categories: vec!["a".to_owned(), "b".to_owned()],
            series: vec![BarSeries {
                name: "s".to_owned(),
                values: vec![1.0, bad],
            }],
            layout: Default::default(),
            direction: Default::default(),
            value_axis: Axis::default(),
        });
        assert_eq!(
            draw(&chart, Theme::Light),
            Err(Refusal::NotFinite {
                field: "series[0].values[1]".to_owned()
            })
        );
    }
}

#[test]
fn positions_are_numbers_or_text() {
    let read: Vec<Position> = serde_json::from_str(r#"[1, "2024"]"#).unwrap();
    assert_eq!(
        read,
        [Position::Number(1.0), Position::Text("2024".to_owned())]
    );
    assert_eq!(AxisScale::default(), AxisScale::Linear);
}
