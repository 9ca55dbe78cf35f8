//! Every figure against scipy, statsmodels and lifelines; see reference/make.py.

use adjutant_statistics::{Request, analyse};
use serde_json::Value;

/// Relative. Figures that are zero in one place and rounding in the other are held to the absolute floor; p-values
/// have none.
const TOLERANCE: f64 = 1e-6;
const FLOOR: f64 = 1e-13;
const FLOOR_OF_P: f64 = 1e-300;

fn cases() -> Vec<Value> {
    let text = include_str!("../reference/reference.json");
    let whole: Value = serde_json::from_str(text).expect("reference.json is JSON");
    whole["cases"]
        .as_array()
        .expect("reference.json has cases")
        .clone()
}

/// The largest relative deviation below `expected`, and what is wrong.
fn compare(path: &str, expected: &Value, got: &Value, worst: &mut f64, wrong: &mut Vec<String>) {
    match (expected, got) {
        (Value::Object(fields), Value::Object(_)) => {
            for (name, value) in fields {
                compare(&format!("{path}.{name}"), value, &got[name], worst, wrong);
            }
        }
        (Value::Array(items), Value::Array(found)) if items.len() == found.len() => {
            for (index, (item, found)) in items.iter().zip(found).enumerate() {
                compare(&format!("{path}[{index}]"), item, found, worst, wrong);
            }
        }
        (Value::Number(_), Value::Number(_)) => {
            let (expected, got) = (expected.as_f64().unwrap(), got.as_f64().unwrap());
            let off = (expected - got).abs();
            let floor = if path.ends_with(".p") || path.ends_with("_p") {
                FLOOR_OF_P
            } else {
                FLOOR
            };
            if off <= floor {
                return;
            }
            let relative = off / expected.abs().max(got.abs());
            *worst = worst.max(relative);
            if relative > TOLERANCE {
                wrong.push(format!("{path}: expected {expected}, got {got}"));
            }
        }
        _ if expected == got => {}
        _ => wrong.push(format!("{path}: expected {expected}, got {got}")),
    }
}

#[test]
fn every_figure_agrees_with_its_reference() {
    let mut wrong = Vec::new();
    let mut worst = std::collections::BTreeMap::<String, f64>::new();
    for case in cases() {
        let name = case["name"].as_str().unwrap();
        let request: Request = serde_json::from_value(case["request"].clone())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let analysis = case["request"]["analysis"].as_str().unwrap().to_owned();
        let answer = match analyse(&request) {
            Ok(answer) => serde_json::to_value(&answer).unwrap(),
            Err(refusal) => {
                wrong.push(format!("{name}: refused: {refusal}"));
                continue;
            }
        };
        assert_eq!(answer["analysis"], case["request"]["analysis"], "{name}");
        let entry = worst.entry(analysis).or_default();
        compare(
            name,
            &case["expected"],
            &answer["figures"],
            entry,
            &mut wrong,
        );
    }
    println!("largest relative deviation: {worst:#?}");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
