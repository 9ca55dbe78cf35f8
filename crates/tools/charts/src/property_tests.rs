//! Any finite data draw, within the canvas, without labels that overlap.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::chart::sketch;
use crate::layout_tests::assert_sound;
use crate::{Chart, Theme};

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1e4..1e4f64,
        1 => -1.0..1.0f64,
        1 => -1e300..1e300f64,
        1 => prop::num::f64::NORMAL.prop_filter("within the limit", |v| v.abs() <= 1e300),
        1 => Just(0.0),
    ]
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Zäöüß]{1,12}( [a-z]{1,14}){0,6}",
        "\\PC{1,40}".prop_filter("something to see", |t| !crate::text::clean(t).is_empty()),
    ]
}

fn day() -> impl Strategy<Value = String> {
    (1900..2100u16, 1..=12u8, 1..=28u8).prop_map(|(y, m, d)| format!("{y:04}-{m:02}-{d:02}"))
}

fn values(count: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(number(), count)
}

fn names(count: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(words(), count)
}

fn one_of(two: [&'static str; 2]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(two.to_vec())
}

fn check(value: Value) {
    let chart: Chart = serde_json::from_value(value).unwrap();
    assert_sound("any", &sketch(&chart, Theme::Light).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lines_and_points(title in words(), x in values(20), y in values(20), name in words()) {
        let points: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
        let series = json!([{"name": name, "points": points}]);
        let axis = json!({"label": name, "unit": title});
        check(json!({"chart": "line", "title": title, "x": axis, "y": axis, "series": series}));
        check(json!({"chart": "scatter", "title": title, "trend": "linear", "series": series}));
    }

    #[test]
    fn lines_over_names_and_days(title in words(), x in names(30), days in prop::collection::vec(day(), 30), y in values(30)) {
        for places in [x, days] {
            let points: Vec<(String, f64)> = places.into_iter().zip(y.clone()).collect();
            check(json!({"chart": "line", "title": title, "series": [{"name": "a", "points": points}]}));
        }
    }

    #[test]
    fn log_lines(exponents in prop::collection::vec(-290.0..290.0f64, 12)) {
        let points: Vec<(usize, f64)> = exponents
            .into_iter()
            .map(|e| libm::pow(10.0, e))
            .enumerate()
            .collect();
        check(json!({"chart": "line", "title": "t", "y": {"scale": "log"}, "series": [{"name": "a", "points": points}]}));
    }

    #[test]
    fn bars(categories in (1..30usize).prop_flat_map(names), all in prop::collection::vec(values(30), 1..8), layout in one_of(["grouped", "stacked"]), direction in one_of(["vertical", "horizontal"])) {
        let series: Vec<Value> = all
            .iter()
            .map(|v| json!({"name": "series", "values": v[..categories.len()]}))
            .collect();
        check(json!({
            "chart": "bar", "title": "t", "categories": categories, "series": series,
            "layout": layout, "direction": direction
        }));
    }

    #[test]
    fn boxes_and_heat(rows in names(6), columns in names(9), all in prop::collection::vec(values(9), 6), colours in one_of(["sequential", "diverging"])) {
        let groups: Vec<Value> = rows.iter().zip(&all).map(|(n, v)| json!({"name": n, "values": v})).collect();
        check(json!({"chart": "box", "title": "t", "groups": groups}));
        check(json!({
            "chart": "heat_map", "title": "t", "rows": rows, "columns": columns, "values": all,
            "colours": colours
        }));
    }

    #[test]
    fn forests_and_tornadoes(rows in names(8), low in values(8), middle in values(8), high in values(8)) {
        let studies: Vec<Value> = (0..8)
            .map(|i| {
                let mut three = [low[i], middle[i], high[i]];
                three.sort_by(f64::total_cmp);
                json!({"name": rows[i], "low": three[0], "estimate": three[1], "high": three[2], "weight": i})
            })
            .collect();
        check(json!({"chart": "forest", "title": "t", "studies": studies, "pooled": {"name": "all", "low": -1, "estimate": 0, "high": 1}}));
        let inputs: Vec<Value> = (0..8)
            .map(|i| json!({"name": rows[i], "low": low[i], "high": high[i]}))
            .collect();
        check(json!({"chart": "tornado", "title": "t", "base": middle[0], "inputs": inputs}));
    }

    #[test]
    fn times(labels in names(12), from in prop::collection::vec(day(), 12), to in prop::collection::vec(day(), 12), today in day()) {
        let mut events = Vec::new();
        let mut tasks = Vec::new();
        for i in 0..12 {
            let (first, last) = if from[i] <= to[i] { (&from[i], &to[i]) } else { (&to[i], &from[i]) };
            let mut event = json!({"date": first, "label": labels[i]});
            let mut task = json!({"id": i.to_string(), "name": labels[i], "start": first});
            if i % 3 == 0 {
                event["end"] = json!(last);
            }
            if i % 4 != 0 {
                task["end"] = json!(last);
                task["done"] = json!(0.3);
                task["after"] = json!([(i - 1).to_string()]);
                task["group"] = json!(labels[i / 4]);
            }
            events.push(event);
            tasks.push(task);
        }
        check(json!({"chart": "timeline", "title": "t", "events": events}));
        check(json!({"chart": "gantt", "title": "t", "tasks": tasks, "today": today}));
    }

    #[test]
    fn trees(labels in names(9), worth in values(6), depth in 1..5usize) {
        let outcome = |i: usize| json!({"kind": "outcome", "label": labels[i], "value": worth[i]});
        let mut node = outcome(0);
        for level in 0..depth {
            node = if level % 2 == 0 {
                json!({"kind": "chance", "branches": [
                    {"label": labels[level + 1], "probability": 0.25, "then": node},
                    {"label": labels[level + 2], "probability": 0.75, "then": outcome(level + 1)}]})
            } else {
                json!({"kind": "decision", "branches": [
                    {"label": labels[level + 1], "then": node},
                    {"label": labels[level + 2], "then": outcome(level + 1)}]})
            };
        }
        check(json!({"chart": "decision_tree", "title": "t", "root": node}));
    }

    #[test]
    fn networks(labels in (1..60usize).prop_flat_map(names), ends in prop::collection::vec((0..60usize, 0..60usize), 0..100)) {
        let count = labels.len();
        let nodes: Vec<Value> = labels
            .iter()
            .enumerate()
            .map(|(i, l)| json!({"id": i.to_string(), "label": l, "group": (i % 5).to_string()}))
            .collect();
        let edges: Vec<Value> = ends
            .iter()
            .map(|(a, b)| (a % count, b % count))
            .filter(|(a, b)| a != b)
            .map(|(a, b)| json!({"from": a.to_string(), "to": b.to_string(), "label": "goes to"}))
            .collect();
        check(json!({"chart": "network", "title": "t", "nodes": nodes, "edges": edges}));
        // All edges within few layers: from the first third to the rest.
        let few: Vec<Value> = ends
            .iter()
            .map(|(a, b)| (a % count / 3, count / 3 + 1 + b % count))
            .filter(|(_, b)| *b < count)
            .map(|(a, b)| json!({"from": a.to_string(), "to": b.to_string(), "label": "goes to"}))
            .collect();
        check(json!({"chart": "network", "title": "t", "layout": "layered", "nodes": nodes, "edges": few}));
    }
}
