//! Whatever is sent, the answer is an answer or a refusal: no panic, no share outside 0 to 1, no interval upside down.

use adjutant_statistics::{Request, analyse};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => select(vec![
            0.0, -0.0, 1.0, -1.0, 2.0, 3.0, 0.1, 0.3, 0.1 + 0.2, 1e-300, -1e-300, 1e-160, 1e-17, 1e15, 1e15 + 1.0,
            1e50, 1e99, -1e99, 1e100, 1e101, 0.5, 7.25,
        ]),
        2 => -10.0..10.0f64,
        1 => (-5i32..5).prop_map(f64::from),
    ]
}

fn values() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        3 => prop::collection::vec(value(), 0..12),
        1 => (value(), 0usize..9).prop_map(|(value, length)| vec![value; length]),
        2 => prop::collection::vec((-3i32..3).prop_map(f64::from), 2..40),
    ]
}

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![0u64..4, 0u64..200, select(vec![1_000_000, 1_000_000_000])]
}

fn side() -> impl Strategy<Value = &'static str> {
    select(vec!["two_sided", "less", "greater"])
}

fn level() -> impl Strategy<Value = f64> {
    select(vec![0.5, 0.95, 0.9999])
}

fn samples() -> impl Strategy<Value = Value> {
    let names = select(vec![
        "student_t",
        "welch_t",
        "paired_t",
        "mann_whitney",
        "wilcoxon",
        "permutation_test",
        "difference_effect",
        "pearson",
        "spearman",
        "kendall",
        "describe",
        "one_sample_t",
        "bootstrap_interval",
    ]);
    (names, values(), values(), any::<bool>(), side(), level()).prop_map(|(name, a, mut b, even, side, level)| {
        if even {
            b = a.iter().zip(b.iter().cycle()).map(|(_, b)| *b).collect();
        }
        match name {
            "describe" => json!({"analysis": name, "values": a, "level": level}),
            "one_sample_t" => json!({"analysis": name, "values": a, "mean": b.first().unwrap_or(&0.0), "level": level}),
            "bootstrap_interval" => json!({"analysis": name, "values": a, "seed": 3, "resamples": 100, "statistic": "sd"}),
            "difference_effect" => json!({"analysis": name, "a": a, "b": b, "level": level}),
            "permutation_test" => json!({"analysis": name, "a": a, "b": b, "seed": 3, "resamples": 100, "alternative": side}),
            "mann_whitney" | "wilcoxon" => json!({"analysis": name, "a": a, "b": b, "alternative": side}),
            "pearson" | "spearman" | "kendall" => {
                json!({"analysis": name, "x": a, "y": b, "alternative": side, "level": level})
            }
            _ => json!({"analysis": name, "a": a, "b": b, "alternative": side, "level": level}),
        }
    })
}

fn layouts() -> impl Strategy<Value = Value> {
    let outcome = prop::collection::vec(0u8..2, 0..40);
    (
        select(vec!["anova", "kruskal_wallis", "variance_explained", "linear_regression", "logistic_regression",
                    "kaplan_meier", "log_rank", "adjust_p"]),
        prop::collection::vec(values(), 0..5),
        outcome,
    )
        .prop_map(|(name, groups, outcome)| {
            let cut = |values: &[f64]| -> Vec<f64> {
                outcome.iter().zip(values.iter().cycle()).map(|(_, value)| *value).collect()
            };
            let columns: Vec<Value> = groups
                .iter()
                .enumerate()
                .map(|(index, values)| json!({"name": format!("x{index}"), "values": cut(values)}))
                .collect();
            let first = groups.first().map(|values| cut(values)).unwrap_or_default();
            let times: Vec<f64> = first.iter().map(|value| value.abs()).collect();
            let events = &outcome[..times.len().min(outcome.len())];
            let half = times.len() / 2;
            match name {
                "linear_regression" => json!({"analysis": name, "y": first, "predictors": columns.get(1..).unwrap_or(&[])}),
                "logistic_regression" => json!({"analysis": name, "y": outcome, "predictors": columns}),
                "kaplan_meier" => json!({"analysis": name, "times": times, "events": events}),
                "log_rank" => json!({"analysis": name, "groups": [
                    {"name": "a", "times": times[..half], "events": events[..half]},
                    {"name": "b", "times": times[half..], "events": events[half..]}]}),
                "adjust_p" => json!({"analysis": name, "p_values": times, "adjustment": "holm"}),
                _ => json!({"analysis": name, "groups": groups}),
            }
        })
}

fn counts() -> impl Strategy<Value = Value> {
    let names = select(vec![
        "chi_square_independence",
        "chi_square_fit",
        "fisher_exact",
        "association_effect",
        "risk_effect",
        "disproportionality",
        "proportion_interval",
        "proportion_difference",
    ]);
    let method = select(vec!["wilson", "clopper_pearson", "wald"]);
    (names, prop::array::uniform4(count()), method, side(), level()).prop_map(|(name, [a, b, c, d], method, side, level)| {
        let table = json!([[a, b], [c, d]]);
        match name {
            "chi_square_fit" => json!({"analysis": name, "observed": [a, b, c]}),
            "fisher_exact" => json!({"analysis": name, "table": table, "alternative": side, "level": level}),
            "risk_effect" => json!({"analysis": name, "exposed_event": a, "exposed_no_event": b, "unexposed_event": c,
                                    "unexposed_no_event": d, "level": level}),
            "disproportionality" => json!({"analysis": name, "drug_event": a, "drug_other_events": b,
                                           "other_drugs_event": c, "other_drugs_other_events": d}),
            "proportion_interval" => json!({"analysis": name, "successes": a, "trials": b, "method": method, "level": level}),
            "proportion_difference" => json!({"analysis": name, "a": {"successes": a, "trials": b},
                                              "b": {"successes": c, "trials": d}, "alternative": side}),
            _ => json!({"analysis": name, "table": table}),
        }
    })
}

fn summaries() -> impl Strategy<Value = Value> {
    let share = select(vec![0.0, 1e-12, 0.01, 0.3, 0.5, 0.95, 1.0 - 1e-12, 1.0]);
    let kind = select(vec![
        "normal",
        "lognormal",
        "uniform",
        "triangular",
        "beta",
        "pert",
    ]);
    (0u8..5, prop::array::uniform6(value()), share.clone(), share, count(), kind).prop_map(
        |(which, [a, b, c, d, e, f], p, q, n, kind)| match which {
            0 => json!({"analysis": "mean_interval", "mean": a, "sd": b, "n": n}),
            1 => json!({"analysis": "power_two_means", "difference": a, "sd": b, "power": p, "alpha": q}),
            2 => json!({"analysis": "power_two_proportions", "proportion_a": p, "proportion_b": q, "n_a": n}),
            3 => json!({"analysis": "meta_analysis", "studies": [
                {"name": "1", "estimate": a, "standard_error": b}, {"name": "2", "estimate": c, "standard_error": d},
                {"name": "3", "estimate": e, "standard_error": f}]}),
            _ => {
                let distribution = match kind {
                    "normal" => json!({"kind": kind, "mean": a, "sd": b}),
                    "lognormal" => json!({"kind": kind, "log_mean": a, "log_sd": b}),
                    "uniform" => json!({"kind": kind, "low": a, "high": b}),
                    "beta" => json!({"kind": kind, "alpha": a, "beta": b}),
                    _ => json!({"kind": kind, "low": a, "mode": b, "high": c}),
                };
                json!({"analysis": "monte_carlo", "seed": n, "draws": 100, "model": {"expression": "x / (x - 1) + x ^ 2"},
                       "inputs": [{"name": "x", "distribution": distribution}]})
            }
        },
    )
}

fn check_figures(path: &str, figures: &Value) -> Result<(), TestCaseError> {
    match figures {
        Value::Object(fields) => {
            if let (Some(low), Some(high)) = (fields.get("low"), fields.get("high"))
                && let (Some(low), Some(high)) = (low.as_f64(), high.as_f64())
            {
                prop_assert!(low <= high, "{path}: {low} is above {high}");
            }
            for (name, value) in fields {
                let is_share = [
                    "p",
                    "q_p",
                    "power",
                    "survival",
                    "superiority",
                    "below",
                    "i_squared",
                ]
                .contains(&name.as_str());
                if let (true, Some(value)) = (is_share, value.as_f64()) {
                    prop_assert!(
                        (0.0..=1.0 + 1e-12).contains(&value),
                        "{path}.{name} is {value}"
                    );
                }
                check_figures(&format!("{path}.{name}"), value)?;
            }
        }
        Value::Array(items) => {
            for item in items {
                check_figures(path, item)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn check(request: &Value) -> Result<(), TestCaseError> {
    let read: Request = serde_json::from_value(request.clone()).expect("a readable request");
    match analyse(&read) {
        Ok(answer) => {
            let answer = serde_json::to_value(&answer).expect("JSON");
            let name = request["analysis"].as_str().expect("a name");
            check_figures(name, &answer["figures"])
        }
        Err(refusal) => {
            let text = refusal.to_string();
            prop_assert!(!text.contains('\n') && text.chars().count() < 300, "{text}");
            Ok(())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn of_samples(request in samples()) {
        check(&request)?;
    }

    #[test]
    fn of_layouts(request in layouts()) {
        check(&request)?;
    }

    #[test]
    fn of_counts(request in counts()) {
        check(&request)?;
    }

    #[test]
    fn of_summaries(request in summaries()) {
        check(&request)?;
    }
}
