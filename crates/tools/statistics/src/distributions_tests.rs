#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails may panic"
)]

use serde_json::Value;

use super::*;

/// Relative, far into both tails.
const TOLERANCE: f64 = 1e-8;
/// The noncentral t is used for power and intervals of effects, where a share this small is nothing.
const NONCENTRAL_FLOOR: f64 = 1e-11;

#[test]
fn tails_and_quantiles_agree_with_scipy() {
    let text = include_str!("../tests/reference/distributions.json");
    let whole: Value = serde_json::from_str(text).expect("distributions.json is JSON");
    let points = whole["points"].as_array().expect("there are points");
    let mut wrong = Vec::new();
    let mut worst = std::collections::BTreeMap::<&str, f64>::new();
    for point in points {
        let name = point["name"].as_str().expect("a name");
        let arguments: Vec<f64> = point["arguments"]
            .as_array()
            .expect("arguments")
            .iter()
            .map(|value| value.as_f64().expect("a number"))
            .collect();
        let expected = point["value"].as_f64().expect("a number");
        let got = match (name, arguments.as_slice()) {
            ("normal_upper", &[z]) => normal_upper(z),
            ("normal_quantile", &[p]) => normal_quantile(p),
            ("t_upper", &[t, df]) => t_upper(t, df),
            ("t_above", &[tail, df]) => t_above(tail, df),
            ("chi_square_upper", &[x, df]) => chi_square_upper(x, df),
            ("f_upper", &[f, above, below]) => f_upper(f, above, below),
            ("beta_quantile", &[p, a, b]) => beta_quantile(p, a, b),
            ("noncentral_t", &[t, df, shift]) => noncentral_t(t, df, shift).lower,
            _ => panic!("no function for {name} {arguments:?}"),
        };
        let off = (got - expected).abs();
        if off == 0.0 || (name == "noncentral_t" && off < NONCENTRAL_FLOOR) {
            continue;
        }
        let relative = off / expected.abs();
        let entry = worst.entry(name).or_default();
        *entry = entry.max(relative);
        if relative > TOLERANCE {
            wrong.push(format!(
                "{name} {arguments:?}: expected {expected}, got {got}"
            ));
        }
    }
    println!("largest relative deviation: {worst:#?}");
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        points.len(),
        wrong.join("\n")
    );
}
