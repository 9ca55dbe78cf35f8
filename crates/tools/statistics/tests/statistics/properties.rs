//! What must hold for any data: swapping, scaling, shifting, reordering, and the same seed twice.

use adjutant_statistics::{Answer, Figure, Interval, Request, analyse};
use proptest::prelude::*;
use serde_json::{Value, json};

fn ask(request: Value) -> Answer {
    analyse(&serde_json::from_value::<Request>(request).expect("a readable request"))
        .expect("an answer")
}

fn number(answer: &Answer, name: &str) -> f64 {
    answer.figures.number(name).expect("a number")
}

fn interval(answer: &Answer, name: &str) -> Interval {
    match answer.figures.get(name) {
        Some(Figure::Interval(interval)) => *interval,
        other => panic!("{name} is {other:?}"),
    }
}

#[track_caller]
fn close(left: f64, right: f64) {
    let off = (left - right).abs();
    assert!(
        off <= 1e-9 * left.abs().max(right.abs()).max(1e-6),
        "{left} and {right}"
    );
}

/// Values in hundredths, so that ties happen.
fn values(least: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(
        (-1000i32..1000).prop_map(|value| f64::from(value) / 100.0),
        least..30,
    )
    .prop_filter("they vary", |values| {
        values.iter().any(|value| *value != values[0])
    })
}

const COMPARISONS: [&str; 4] = ["student_t", "welch_t", "mann_whitney", "difference_effect"];

proptest! {
    #[test]
    fn swapping_two_samples_turns_the_sign(a in values(2), b in values(2)) {
        for analysis in COMPARISONS {
            let there = ask(json!({"analysis": analysis, "a": a, "b": b}));
            let back = ask(json!({"analysis": analysis, "a": b, "b": a}));
            match analysis {
                "mann_whitney" => {
                    close(number(&there, "p"), number(&back, "p"));
                    close(number(&there, "rank_biserial"), -number(&back, "rank_biserial"));
                }
                "difference_effect" => {
                    close(number(&there, "hedges_g"), -number(&back, "hedges_g"));
                    close(number(&there, "cliff_delta"), -number(&back, "cliff_delta"));
                    let (one, other) = (interval(&there, "hedges_g_interval"), interval(&back, "hedges_g_interval"));
                    close(one.low, -other.high);
                    close(one.high, -other.low);
                }
                _ => {
                    close(number(&there, "p"), number(&back, "p"));
                    close(number(&there, "statistic"), -number(&back, "statistic"));
                    close(number(&there, "estimate"), -number(&back, "estimate"));
                }
            }
        }
    }

    #[test]
    fn the_unit_and_the_origin_do_not_matter(a in values(2), b in values(2), scale in 1u32..1000, shift in -50i32..50) {
        let moved = |values: &[f64]| -> Vec<f64> {
            values.iter().map(|value| value * f64::from(scale) + f64::from(shift)).collect()
        };
        for analysis in ["student_t", "welch_t"] {
            let here = ask(json!({"analysis": analysis, "a": a, "b": b}));
            let there = ask(json!({"analysis": analysis, "a": moved(&a), "b": moved(&b)}));
            close(number(&here, "p"), number(&there, "p"));
            close(number(&here, "estimate") * f64::from(scale), number(&there, "estimate"));
        }
        let groups = json!({"analysis": "anova", "groups": [a, b]});
        let moved_groups = json!({"analysis": "anova", "groups": [moved(&a), moved(&b)]});
        close(number(&ask(groups), "p"), number(&ask(moved_groups), "p"));
    }

    #[test]
    fn order_within_a_sample_does_not_matter(a in values(4), b in values(4)) {
        let mut turned = a.clone();
        turned.reverse();
        for analysis in ["welch_t", "mann_whitney", "permutation_test"] {
            let mut request = json!({"analysis": analysis, "a": a, "b": b});
            let mut other = json!({"analysis": analysis, "a": turned, "b": b});
            if analysis == "permutation_test" {
                if a.len() + b.len() > 12 {
                    continue;
                }
                request["seed"] = json!(1);
                other["seed"] = json!(2);
            }
            close(number(&ask(request), "p"), number(&ask(other), "p"));
        }
        close(
            number(&ask(json!({"analysis": "describe", "values": a})), "sd"),
            number(&ask(json!({"analysis": "describe", "values": turned})), "sd"),
        );
    }

    #[test]
    fn two_groups_are_a_t_test_and_a_rank_test(a in values(3), b in values(3)) {
        let t = number(&ask(json!({"analysis": "student_t", "a": a, "b": b})), "statistic");
        let f = number(&ask(json!({"analysis": "anova", "groups": [a, b]})), "statistic");
        close(t * t, f);
    }

    #[test]
    fn p_values_are_shares_and_intervals_are_in_order(a in values(2), b in values(2)) {
        let requests = [
            json!({"analysis": "student_t", "a": a, "b": b}),
            json!({"analysis": "welch_t", "a": a, "b": b, "alternative": "less"}),
            json!({"analysis": "mann_whitney", "a": a, "b": b, "alternative": "greater"}),
            json!({"analysis": "kruskal_wallis", "groups": [a, b]}),
            json!({"analysis": "wilcoxon", "a": a}),
        ];
        for request in requests.into_iter().filter(|request| request["a"] != json!([0.0])) {
            let answer = ask(request);
            prop_assert!((0.0..=1.0).contains(&number(&answer, "p")), "{:?}", answer);
            prop_assert!(!answer.method.contains('\n') && !answer.method.is_empty());
        }
        let effect = ask(json!({"analysis": "difference_effect", "a": a, "b": b}));
        let around = interval(&effect, "cohen_d_interval");
        let d = number(&effect, "cohen_d");
        prop_assert!(around.low < d && d < around.high, "{:?}", effect);
    }

    #[test]
    fn one_sided_p_values_make_up_one_without_continuity(x in values(4), noise in values(4)) {
        let y: Vec<f64> = x.iter().zip(&noise).map(|(x, noise)| x + noise).collect();
        let x = &x[..y.len()];
        prop_assume!(y.iter().any(|value| (value - y[0]).abs() > 1e-6) && x.iter().any(|value| *value != x[0]));
        prop_assume!(x.len() >= 4);
        for analysis in ["pearson", "spearman"] {
            let side = |alternative: &str| {
                number(&ask(json!({"analysis": analysis, "x": x, "y": y, "alternative": alternative})), "p")
            };
            close(side("less") + side("greater"), 1.0);
            close(side("two_sided"), (2.0 * side("less").min(side("greater"))).min(1.0));
        }
    }

    #[test]
    fn adjusting_never_lowers_a_p_value(p_values in prop::collection::vec(0.0..=1.0f64, 1..40)) {
        let adjusted = |adjustment: &str| match ask(json!({"analysis": "adjust_p", "p_values": p_values, "adjustment": adjustment}))
            .figures.get("adjusted") {
            Some(Figure::List(items)) => items.iter().map(|item| match item {
                Figure::Number(value) => *value,
                other => panic!("{other:?}"),
            }).collect::<Vec<f64>>(),
            other => panic!("{other:?}"),
        };
        let (bonferroni, holm, hochberg, bh) =
            (adjusted("bonferroni"), adjusted("holm"), adjusted("hochberg"), adjusted("benjamini_hochberg"));
        for (index, p) in p_values.iter().enumerate() {
            prop_assert!(*p <= bh[index] + 1e-15);
            prop_assert!(bh[index] <= hochberg[index] + 1e-15);
            prop_assert!(hochberg[index] <= holm[index] + 1e-15);
            prop_assert!(holm[index] <= bonferroni[index] + 1e-15);
        }
    }

    #[test]
    fn turning_a_table_leaves_its_tests_alone(cells in prop::array::uniform4(1u64..200)) {
        let [a, b, c, d] = cells;
        for analysis in ["chi_square_independence", "fisher_exact"] {
            let p = |table: Value| number(&ask(json!({"analysis": analysis, "table": table})), "p");
            let first = p(json!([[a, b], [c, d]]));
            close(first, p(json!([[a, c], [b, d]])));
            close(first, p(json!([[d, c], [b, a]])));
        }
        let odds = |table: Value| number(&ask(json!({"analysis": "fisher_exact", "table": table})), "odds_ratio");
        close(odds(json!([[a, b], [c, d]])) * odds(json!([[b, a], [d, c]])), 1.0);
    }

    #[test]
    fn the_same_seed_gives_the_same_answer(seed: u64) {
        let request = json!({"analysis": "monte_carlo", "seed": seed, "draws": 200, "model": {"expression": "a / (1 + b)"},
            "inputs": [{"name": "a", "distribution": {"kind": "lognormal", "log_mean": 0, "log_sd": 1}},
                       {"name": "b", "distribution": {"kind": "beta", "alpha": 2, "beta": 5}}]});
        prop_assert_eq!(ask(request.clone()), ask(request));
    }
}

#[test]
fn other_seeds_give_other_answers_around_the_same_truth() {
    let run = |seed: u64| {
        ask(
            json!({"analysis": "monte_carlo", "seed": seed, "draws": 20_000, "model": "sum", "thresholds": [10],
            "inputs": [{"name": "a", "distribution": {"kind": "normal", "mean": 4, "sd": 3}},
                       {"name": "b", "distribution": {"kind": "normal", "mean": 6, "sd": 4}}]}),
        )
    };
    let (one, other) = (run(1), run(2));
    assert_ne!(one.figures, other.figures);
    for answer in [one, other] {
        let error = number(&answer, "standard_error");
        assert!((number(&answer, "mean") - 10.0).abs() < 5.0 * error);
        assert!((number(&answer, "sd") - 5.0).abs() < 0.2);
    }
}

#[test]
fn every_answer_says_how_and_doubts_where_it_should() {
    let doubts = [
        (
            json!({"analysis": "student_t", "a": [1, 2, 3], "b": [10, 40, 90]}),
            "use welch_t",
        ),
        (
            json!({"analysis": "chi_square_independence", "table": [[1, 2], [3, 4]]}),
            "below 5",
        ),
        (
            json!({"analysis": "mann_whitney", "a": [1, 2, 2], "b": [2, 3]}),
            "tied",
        ),
        (
            json!({"analysis": "wilcoxon", "a": [0, 1, 2, 3]}),
            "left out",
        ),
        (
            json!({"analysis": "proportion_interval", "successes": 1, "trials": 9, "method": "wald"}),
            "use wilson",
        ),
        (
            json!({"analysis": "risk_effect", "exposed_event": 0, "exposed_no_event": 9, "unexposed_event": 3,
                "unexposed_no_event": 7}),
            "0.5 was added",
        ),
        (
            json!({"analysis": "kaplan_meier", "times": [1, 2], "events": [0, 0]}),
            "no median",
        ),
    ];
    for (request, doubt) in doubts {
        let answer = ask(request);
        assert!(
            answer.notes.iter().any(|note| note.contains(doubt)),
            "{doubt}: {answer:?}"
        );
    }
}

#[test]
fn one_against_very_many_is_dealt_out_without_deep_recursion() {
    let many: Vec<f64> = (0..15_000).map(f64::from).collect();
    let side = |a: &[f64], b: &[f64], alternative: &str| {
        let request = json!({"analysis": "permutation_test", "a": a, "b": b, "alternative": alternative, "seed": 1,
                             "resamples": 1000});
        number(&ask(request), "p")
    };
    let lone = [14_990.5];
    close(side(&lone, &many, "greater"), 10.0 / 15_001.0);
    close(side(&many, &lone, "less"), 10.0 / 15_001.0);
}
