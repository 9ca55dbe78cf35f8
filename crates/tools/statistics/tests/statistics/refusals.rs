//! What is refused, and how that reads.

use adjutant_statistics::{
    Answer, Correlation, Describe, Level, Refusal, Request, TwoSampleT, VALUES_MAX, analyse,
};
use serde_json::{Value, json};

fn ask(request: Value) -> Result<Answer, Refusal> {
    analyse(&serde_json::from_value(request).expect("a readable request"))
}

#[track_caller]
fn refused(request: Value, message: &str) {
    let refusal = ask(request).expect_err("a refusal");
    assert_eq!(refusal.to_string(), message);
}

#[test]
fn empty_and_short_lists() {
    refused(
        json!({"analysis": "describe", "values": []}),
        "`values` has 0 values and needs at least 2: give more",
    );
    refused(
        json!({"analysis": "welch_t", "a": [1, 2], "b": [1]}),
        "`b` has 1 values and needs at least 2: give more",
    );
    refused(
        json!({"analysis": "anova", "groups": [[1, 2], []]}),
        "`groups[1]` has 0 values and needs at least 1: give more",
    );
    refused(
        json!({"analysis": "anova", "groups": [[1], [2]]}),
        "`groups` has 2 values and needs at least 3: give more",
    );
    refused(
        json!({"analysis": "linear_regression", "y": [1, 2], "predictors": [{"name": "x", "values": [1, 3]}]}),
        "`y` has 2 values and needs at least 3: give more",
    );
}

#[test]
fn values_that_are_no_numbers() {
    let mut values = vec![1.0, 2.0, 3.0];
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        values[1] = bad;
        let request = Request::Describe(Describe {
            values: values.clone(),
            level: Level::default(),
        });
        let refusal = analyse(&request).expect_err("a refusal");
        assert_eq!(
            refusal,
            Refusal::NotFinite {
                field: "values".to_owned(),
                index: 1
            }
        );
        assert_eq!(
            refusal.to_string(),
            "`values[1]` is not a finite number: leave it out or correct it"
        );
    }
    refused(
        json!({"analysis": "describe", "values": [1, 1e200]}),
        "`values[1]` is 1e200, beyond 1e100: use a larger unit",
    );
}

#[test]
fn lists_that_are_too_long() {
    let request = Request::Describe(Describe {
        values: vec![1.0; VALUES_MAX + 1],
        level: Level::default(),
    });
    assert_eq!(
        analyse(&request).expect_err("a refusal").to_string(),
        "`values` has 100001 values; the limit is 100000: send fewer, or a summary"
    );
}

#[test]
fn lists_of_different_lengths() {
    refused(
        json!({"analysis": "paired_t", "a": [1, 2, 3], "b": [1, 2]}),
        "`a` has 3 values and `b` has 2: give the same number of both",
    );
    refused(
        json!({"analysis": "chi_square_independence", "table": [[1, 2], [3, 4, 5]]}),
        "`table[0]` has 2 values and `table[1]` has 3: give the same number of both",
    );
    refused(
        json!({"analysis": "kaplan_meier", "times": [1, 2], "events": [1]}),
        "`times` has 2 values and `events` has 1: give the same number of both",
    );
}

#[test]
fn values_that_do_not_vary() {
    let text = |field: &str, what: &str| {
        format!(
            "`{field}` does not vary beyond rounding, so {what} is not defined: use values that differ"
        )
    };
    refused(
        json!({"analysis": "student_t", "a": [0.1, 0.1, 0.1], "b": [0.3, 0.3]}),
        &text("a and b", "t"),
    );
    // The differences are 0.1 and differ in their last digit only.
    refused(
        json!({"analysis": "paired_t", "a": [0.3, 0.4, 1.1, 7.1], "b": [0.2, 0.3, 1.0, 7.0]}),
        &text("a - b", "t"),
    );
    refused(
        json!({"analysis": "pearson", "x": [1, 1, 1, 1], "y": [1, 2, 3, 4]}),
        &text("x", "a correlation"),
    );
    refused(
        json!({"analysis": "anova", "groups": [[0.1, 0.1, 0.1], [0.7, 0.7, 0.7]]}),
        &text("groups", "the variance within groups"),
    );
    refused(
        json!({"analysis": "kruskal_wallis", "groups": [[2, 2], [2]]}),
        &text("groups", "a rank test"),
    );
    refused(
        json!({"analysis": "wilcoxon", "a": [1.5, 2.5], "b": [1.5, 2.5]}),
        &text("a - b", "a signed-rank test"),
    );
}

#[test]
fn numbers_out_of_range() {
    refused(
        json!({"analysis": "describe", "values": [1, 2], "level": 95}),
        "`level` is 95: it must be from 0.5 to 0.9999",
    );
    refused(
        json!({"analysis": "proportion_interval", "successes": 5, "trials": 4}),
        "`successes` is 5: it must be at most the 4 trials",
    );
    refused(
        json!({"analysis": "kaplan_meier", "times": [1, -2], "events": [1, 1]}),
        "`times[1]` is -2: it must be 0 or more",
    );
    refused(
        json!({"analysis": "adjust_p", "p_values": [0.1, 1.2], "adjustment": "holm"}),
        "`p_values[1]` is 1.2: it must be from 0 to 1",
    );
    refused(
        json!({"analysis": "logistic_regression", "y": [0, 1, 2, 1], "predictors": [{"name": "x", "values": [1, 2, 3, 4]}]}),
        "`y[2]` is 2: it must be 0 or 1",
    );
    refused(
        json!({"analysis": "meta_analysis", "studies": [
            {"name": "one", "estimate": 1, "standard_error": 0.1}, {"name": "two", "estimate": 1, "standard_error": 0}]}),
        "`studies[1].standard_error` is 0: it must be above 0 and at most 1e100",
    );
}

#[test]
fn predictors_that_say_the_same() {
    refused(
        json!({"analysis": "linear_regression", "y": [1, 2, 4, 3, 6], "predictors": [
            {"name": "x", "values": [1, 2, 3, 4, 5]}, {"name": "twice", "values": [2, 4, 6, 8, 10]}]}),
        "`predictors[1]` is a combination of the intercept and the predictors before it: leave it out",
    );
    refused(
        json!({"analysis": "linear_regression", "y": [3, 5, 7, 9], "predictors": [{"name": "x", "values": [1, 2, 3, 4]}]}),
        "`y` is fitted without any error: leave out the predictor it was computed from",
    );
}

#[test]
fn outcomes_that_are_separated() {
    let message = "`predictors[0]` separates the outcomes, so its coefficient has no finite estimate: leave it out or \
                   merge its categories";
    let complete = json!({"analysis": "logistic_regression", "y": [0, 0, 0, 1, 1, 1],
        "predictors": [{"name": "x", "values": [1, 2, 3, 4, 5, 6]}]});
    refused(complete, message);
    let quasi = json!({"analysis": "logistic_regression", "y": [0, 0, 0, 1, 0, 1, 1, 1],
        "predictors": [{"name": "x", "values": [1, 1, 2, 2, 2, 2, 3, 3]}]});
    refused(quasi, message);
    let empty_category = json!({"analysis": "logistic_regression", "y": [0, 1, 0, 1, 0, 1, 1, 1],
        "predictors": [{"name": "late", "values": [0, 0, 0, 0, 0, 0, 1, 1]}]});
    refused(empty_category, message);
}

#[test]
fn tables_that_cannot_be_tested() {
    refused(
        json!({"analysis": "chi_square_independence", "table": [[1, 2], [0, 0]]}),
        "`table` has nothing in row 1: leave it out",
    );
    refused(
        json!({"analysis": "fisher_exact", "table": [[1, 2, 3], [4, 5, 6]]}),
        "`table` is 2 by 3: give two rows of two counts, or use chi_square_independence",
    );
    refused(
        json!({"analysis": "disproportionality", "drug_event": 0, "drug_other_events": 1, "other_drugs_event": 1,
               "other_drugs_other_events": 1}),
        "`drug_event` is zero, so a ratio or its interval is not defined: wait for more reports or use risk_effect, \
         which corrects for zeros",
    );
}

#[test]
fn exact_tests_that_cannot_be_exact() {
    refused(
        json!({"analysis": "mann_whitney", "a": [1, 2, 2], "b": [3, 4], "method": "exact"}),
        "`a and b` has ties, which the exact distribution does not allow: use the asymptotic method",
    );
    let many: Vec<f64> = (0..200).map(f64::from).collect();
    let more: Vec<f64> = many.iter().map(|value| value + 0.5).collect();
    refused(
        json!({"analysis": "mann_whitney", "a": many, "b": more, "method": "exact"}),
        "`a and b` has too many values to count exactly: use the asymptotic method",
    );
}

#[test]
fn groups_never_at_risk_together() {
    refused(
        json!({"analysis": "log_rank", "groups": [
            {"name": "a", "times": [1, 2], "events": [0, 0]}, {"name": "b", "times": [3, 4], "events": [0, 0]}]}),
        "`groups[0]` is never at risk together with the others when an event happens: leave it out or merge it",
    );
}

#[test]
fn models_that_cannot_be_run() {
    let simulate = |model: Value, draws: u64| {
        json!({"analysis": "monte_carlo", "seed": 1, "draws": draws, "model": model,
               "inputs": [{"name": "x", "distribution": {"kind": "uniform", "low": -1, "high": 1}}]})
    };
    let expression = |text: &str| simulate(json!({ "expression": text }), 1000);
    refused(
        expression("x + "),
        "`model.expression` at character 4: it ends prematurely: a number or name is missing",
    );
    refused(
        expression("2 * z"),
        "`model.expression` at character 4: there is no input `z`",
    );
    refused(
        expression("log(x)"),
        "`model.expression` at character 0: there is no function `log`; use exp, ln, sqrt, abs, min, max",
    );
    refused(
        expression("(x + 1"),
        "`model.expression` at character 6: `)` is missing",
    );
    refused(
        expression("x 2"),
        "`model.expression` at character 2: `2` is not expected here",
    );
    refused(
        expression(&"(".repeat(60)),
        "`model.expression` at character 50: it is nested deeper than 50: simplify it",
    );
    // A square root of a negative number must not vanish in what is made of it.
    let refusal = ask(expression("min(sqrt(x), 5)")).expect_err("a refusal");
    assert!(
        matches!(refusal, Refusal::DrawNotFinite { .. }),
        "{refusal}"
    );
    refused(
        simulate(json!("sum"), 5),
        "`draws` is 5: it must be from 100 to 1000000",
    );
    let upside_down = json!({"analysis": "monte_carlo", "seed": 1, "model": "sum",
        "inputs": [{"name": "x", "distribution": {"kind": "pert", "low": 3, "mode": 2, "high": 9}}]});
    refused(
        upside_down,
        "`inputs[0].distribution.mode` is 2: it must be from low, 3, to high, 9",
    );
}

#[test]
fn too_much_work() {
    let values: Vec<f64> = (0..1000).map(f64::from).collect();
    refused(
        json!({"analysis": "bootstrap_interval", "values": values, "seed": 1, "resamples": 1_000_000}),
        "`resamples` times the number of values is 1000000000; the limit is 50000000: request fewer resamples",
    );
    refused(
        json!({"analysis": "power_two_means", "difference": 1, "sd": 1}),
        "`n_a` and `power` are both given or both missing: give one of them; the other is computed",
    );
    refused(
        json!({"analysis": "power_two_means", "difference": 1e-9, "sd": 1, "power": 0.9}),
        "`power` is 0.9: it must be reachable with at most 10000000 in group a",
    );
}

#[test]
fn requests_that_cannot_be_read() {
    let read = |request: Value| {
        serde_json::from_value::<Request>(request)
            .expect_err("an error")
            .to_string()
    };
    assert!(read(json!({"analysis": "guess"})).starts_with("unknown variant `guess`"));
    assert_eq!(
        read(json!({"analysis": "welch_t", "a": [1, 2]})),
        "missing field `b`"
    );
    assert!(
        read(json!({"analysis": "anova", "groups": [[1]], "tails": 2}))
            .starts_with("unknown field `tails`")
    );
    assert_eq!(
        read(json!({"analysis": "fisher_exact", "table": [[1.5, 2], [3, 4]]})),
        "1.5 is not a count: give a whole number from 0 to 1000000000"
    );
}

#[test]
fn huge_and_tiny_values_are_answered_or_refused_but_never_nonsense() {
    for scale in [1e-160, 1e-90, 1e90, 9e99] {
        let (a, b): (Vec<f64>, Vec<f64>) = [(1.0, 2.5), (2.0, 2.0), (4.0, 9.0), (3.5, 1.0)]
            .iter()
            .map(|(a, b)| (a * scale, b * scale))
            .unzip();
        let two = TwoSampleT {
            a: a.clone(),
            b: b.clone(),
            alternative: Default::default(),
            level: Level::default(),
        };
        let pairs = Correlation {
            x: a,
            y: b,
            alternative: Default::default(),
            level: Level::default(),
        };
        for request in [
            Request::WelchT(two.clone()),
            Request::StudentT(two.clone()),
            Request::PairedT(two),
            Request::Pearson(pairs),
        ] {
            if let Ok(answer) = analyse(&request) {
                let p = answer.figures.number("p").expect("a p-value");
                assert!((0.01..0.99).contains(&p), "{scale}: {answer:?}");
            }
        }
    }
}
