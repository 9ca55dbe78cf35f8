//! Tests, correlations, regressions, survival.

use serde_json::{Value, json};

use super::fields::{
    alternative, branch, choice, count, groups, level, number, numbers, resamples, seed, table,
};
use crate::checks::{GROUPS_MAX, VALUES_MAX};

pub(super) fn samples() -> Vec<Value> {
    let a = || ("a", numbers("values of sample a"));
    let b = || ("b", numbers("values of sample b"));
    let two = || [a(), b(), alternative(), level()];
    let method = || {
        let names = ["auto", "exact", "asymptotic"];
        (
            "method?",
            choice(
                &names,
                "auto if omitted: exact for small samples without ties",
            ),
        )
    };
    let continuity = || {
        (
            "continuity?",
            choice(
                &["corrected", "plain"],
                "of an asymptotic p-value; corrected if omitted",
            ),
        )
    };
    vec![
        branch(
            "describe",
            "n, mean, sd, quartiles, shape and an interval of the mean",
            &[("values", numbers("two values or more")), level()],
        ),
        branch(
            "one_sample_t",
            "does the mean differ from a given one?",
            &[
                ("values", numbers("two values or more")),
                ("mean?", number("mean of the hypothesis; 0 if omitted")),
                alternative(),
                level(),
            ],
        ),
        branch(
            "student_t",
            "do two independent samples of equal variance differ in mean?",
            &two(),
        ),
        branch(
            "welch_t",
            "do two independent samples differ in mean, whatever their variances?",
            &two(),
        ),
        branch("paired_t", "do pairs (a[i], b[i]) differ in mean?", &two()),
        branch(
            "mann_whitney",
            "do values of a tend to be larger than those of b? by ranks",
            &[a(), b(), alternative(), method(), continuity()],
        ),
        branch(
            "wilcoxon",
            "are the differences of pairs centred on 0? by signed ranks",
            &[
                a(),
                (
                    "b?",
                    numbers("as many as a; if omitted, a contains the differences"),
                ),
                alternative(),
                method(),
                continuity(),
            ],
        ),
        branch(
            "permutation_test",
            "could the difference of means come from random assignment?",
            &[a(), b(), alternative(), resamples(), seed()],
        ),
    ]
}

pub(super) fn counts_and_groups() -> Vec<Value> {
    vec![
        branch(
            "chi_square_independence",
            "are rows and columns of a table of counts independent?",
            &[
                table(),
                (
                    "correction?",
                    choice(&["yates", "none"], "for two by two only; yates if omitted"),
                ),
            ],
        ),
        branch(
            "chi_square_fit",
            "do counts follow given expectations?",
            &[
                (
                    "observed",
                    json!({ "type": "array", "items": count("a count"), "minItems": 2, "maxItems": VALUES_MAX }),
                ),
                (
                    "expected?",
                    numbers(
                        "counts or shares above 0, scaled to the observed total; equal if omitted",
                    ),
                ),
            ],
        ),
        branch(
            "fisher_exact",
            "is a two-by-two table independent? exact, with the odds ratio",
            &[table(), alternative(), level()],
        ),
        branch(
            "anova",
            "do groups differ in mean? one-way, equal variances",
            &[groups()],
        ),
        branch("kruskal_wallis", "do groups differ? by ranks", &[groups()]),
    ]
}

pub(super) fn relations() -> Vec<Value> {
    let pairs = || {
        [
            ("x", numbers("values")),
            ("y", numbers("as many as x")),
            alternative(),
            level(),
        ]
    };
    let predictor = json!({
        "type": "object", "additionalProperties": false, "required": ["name", "values"],
        "properties": { "name": { "type": "string" }, "values": numbers("as many as y") }
    });
    let regression = |outcome: &str| {
        [
            ("y", numbers(outcome)),
            (
                "predictors",
                json!({ "type": "array", "items": predictor, "minItems": 1, "maxItems": GROUPS_MAX,
                                   "description": "columns; an intercept is always added" }),
            ),
            level(),
        ]
    };
    vec![
        branch("pearson", "linear correlation", &pairs()),
        branch("spearman", "correlation of ranks", &pairs()),
        branch("kendall", "agreement in order, tau-b", &pairs()),
        branch(
            "linear_regression",
            "a number explained by predictors, least squares",
            &regression("the outcome"),
        ),
        branch(
            "logistic_regression",
            "an outcome of 0 or 1 explained by predictors",
            &regression("0 or 1"),
        ),
    ]
}

pub(super) fn survival() -> Vec<Value> {
    let times = || {
        (
            "times",
            numbers("time of the event or of the end of observation, 0 or more"),
        )
    };
    let events = || {
        (
            "events",
            json!({ "type": "array", "items": { "enum": [0, 1] }, "minItems": 1, "maxItems": VALUES_MAX,
                                       "description": "1 if the event happened then, 0 if observation ended" }),
        )
    };
    let group = json!({
        "type": "object", "additionalProperties": false, "required": ["name", "times", "events"],
        "properties": { "name": { "type": "string" }, "times": times().1, "events": events().1 }
    });
    vec![
        branch(
            "kaplan_meier",
            "a survival curve with its median",
            &[
                times(),
                events(),
                (
                    "interval?",
                    choice(
                        &["log_log", "plain"],
                        "scale of the curve's interval; log_log if omitted",
                    ),
                ),
                level(),
            ],
        ),
        branch(
            "log_rank",
            "do groups differ in survival?",
            &[(
                "groups",
                json!({ "type": "array", "items": group, "minItems": 2, "maxItems": GROUPS_MAX }),
            )],
        ),
    ]
}
