//! Intervals, effect sizes, several studies or tests at once, plans and simulations.

use serde_json::{Map, Value, json};

use super::fields::{
    alternative, branch, choice, count, groups, level, number, numbers, positive, resamples, seed,
    share, table,
};
use crate::checks::GROUPS_MAX;
use crate::expression::EXPRESSION_CHARACTERS_MAX;
use crate::meta::STUDIES_MAX;
use crate::power::PLANNED_N_MAX;
use crate::simulate::DRAWS_MAX;

pub(super) fn intervals() -> Vec<Value> {
    let successes = || ("successes", count("at most the trials"));
    let trials = || ("trials", count("1 or more"));
    let proportion = json!({
        "type": "object", "additionalProperties": false, "required": ["successes", "trials"],
        "properties": { "successes": successes().1, "trials": trials().1 }
    });
    vec![
        branch(
            "mean_interval",
            "interval of a mean from a summary",
            &[
                ("mean", number("the mean")),
                ("sd", positive("standard deviation")),
                ("n", count("2 or more")),
                level(),
            ],
        ),
        branch(
            "proportion_interval",
            "interval of a proportion",
            &[
                successes(),
                trials(),
                (
                    "method?",
                    choice(&["wilson", "clopper_pearson", "wald"], "wilson if omitted"),
                ),
                level(),
            ],
        ),
        branch(
            "proportion_difference",
            "difference of two independent proportions, a - b",
            &[
                ("a", proportion.clone()),
                ("b", proportion),
                alternative(),
                level(),
            ],
        ),
        branch(
            "bootstrap_interval",
            "interval of a statistic by resampling",
            &[
                ("values", numbers("two values or more")),
                (
                    "statistic?",
                    choice(&["mean", "median", "sd"], "mean if omitted"),
                ),
                resamples(),
                seed(),
                level(),
            ],
        ),
    ]
}

pub(super) fn effects() -> Vec<Value> {
    vec![
        branch(
            "difference_effect",
            "Cohen's d, Hedges' g, Glass's delta, Cliff's delta of two samples",
            &[
                ("a", numbers("values of sample a")),
                ("b", numbers("values of sample b, the control")),
                level(),
            ],
        ),
        branch(
            "variance_explained",
            "eta squared and omega squared of groups",
            &[groups()],
        ),
        branch(
            "association_effect",
            "Cramer's V and phi of a table of counts",
            &[table()],
        ),
        branch(
            "risk_effect",
            "odds ratio, risk ratio, risk difference, number needed",
            &[
                ("exposed_event", count("exposed with the event")),
                ("exposed_no_event", count("exposed without it")),
                ("unexposed_event", count("not exposed, with the event")),
                ("unexposed_no_event", count("not exposed, without it")),
                level(),
            ],
        ),
    ]
}

pub(super) fn several() -> Vec<Value> {
    let adjustments = [
        "bonferroni",
        "holm",
        "hochberg",
        "benjamini_hochberg",
        "benjamini_yekutieli",
    ];
    let study = json!({
        "type": "object", "additionalProperties": false, "required": ["name", "estimate", "standard_error"],
        "properties": { "name": { "type": "string" }, "estimate": number("ratios as logarithms"),
                        "standard_error": positive("of the estimate") }
    });
    vec![
        branch(
            "adjust_p",
            "p-values of several tests adjusted for their number",
            &[
                ("p_values", numbers("from 0 to 1")),
                ("adjustment", choice(&adjustments, "which method")),
                ("alpha?", share("0.05 if omitted")),
            ],
        ),
        branch(
            "disproportionality",
            "PRR and ROR of spontaneous reports, and whether they indicate a signal",
            &[
                ("drug_event", count("reports of the drug with the event")),
                (
                    "drug_other_events",
                    count("reports of the drug with other events"),
                ),
                (
                    "other_drugs_event",
                    count("reports of other drugs with the event"),
                ),
                (
                    "other_drugs_other_events",
                    count("reports of other drugs with other events"),
                ),
                level(),
            ],
        ),
        branch(
            "meta_analysis",
            "pooled estimates of several studies",
            &[
                (
                    "studies",
                    json!({ "type": "array", "items": study, "minItems": 2, "maxItems": STUDIES_MAX }),
                ),
                (
                    "model?",
                    choice(
                        &["fixed", "random"],
                        "random (DerSimonian-Laird) if omitted",
                    ),
                ),
                level(),
            ],
        ),
    ]
}

pub(super) fn powers() -> Vec<Value> {
    let size = || {
        (
            "n_a?",
            json!({ "type": "integer", "minimum": 2, "maximum": PLANNED_N_MAX,
                                   "description": "size of group a: give this or power" }),
        )
    };
    let common = || {
        [
            size(),
            ("power?", share("wanted power: give this or n_a")),
            ("ratio?", positive("n_b for each n_a; 1 if omitted")),
            ("alpha?", share("0.05 if omitted")),
            ("sides?", choice(&["two", "one"], "two if omitted")),
        ]
    };
    let means = [
        ("difference", number("of the means, not 0")),
        ("sd", positive("of the values in each group")),
    ];
    let proportions = [
        ("proportion_a", share("planned")),
        ("proportion_b", share("planned, other than a")),
    ];
    vec![
        branch(
            "power_two_means",
            "power or sample size of a two-sample t-test",
            &[&means[..], &common()].concat(),
        ),
        branch(
            "power_two_proportions",
            "power or sample size of a z-test of two proportions",
            &[&proportions[..], &common()].concat(),
        ),
    ]
}

pub(super) fn monte_carlo() -> Value {
    branch(
        "monte_carlo",
        "propagates uncertain inputs through a model",
        &[
            (
                "inputs",
                json!({ "type": "array", "minItems": 1, "maxItems": GROUPS_MAX, "items": {
                "type": "object", "additionalProperties": false, "required": ["name", "distribution"],
                "properties": { "name": { "type": "string", "minLength": 1 }, "distribution": distribution() } } }),
            ),
            (
                "model",
                json!({ "oneOf": [
                { "enum": ["sum", "product"], "description": "of all inputs" },
                { "type": "object", "additionalProperties": false, "required": ["expression"], "properties": {
                    "expression": { "type": "string", "minLength": 1, "maxLength": EXPRESSION_CHARACTERS_MAX,
                                    "description": "of input names and numbers: + - * / ^ ( ) exp ln sqrt abs min(x, y) max(x, y)" } } }
            ] }),
            ),
            (
                "draws?",
                json!({ "type": "integer", "minimum": 100, "maximum": DRAWS_MAX, "description": "10000 if omitted" }),
            ),
            seed(),
            (
                "percentiles?",
                json!({ "type": "array", "maxItems": GROUPS_MAX,
                                     "items": { "type": "number", "minimum": 0, "maximum": 100 }, "description": "in percent" }),
            ),
            (
                "thresholds?",
                json!({ "type": "array", "maxItems": GROUPS_MAX, "items": { "type": "number" },
                                    "description": "for each, the probability of a result below it" }),
            ),
        ],
    )
}

fn distribution() -> Value {
    let kind = |name: &str, fields: &[(&str, Value)]| {
        let mut properties = Map::new();
        properties.insert("kind".to_owned(), json!({ "const": name }));
        let mut required = vec!["kind"];
        for (field, schema) in fields {
            required.push(field);
            properties.insert((*field).to_owned(), schema.clone());
        }
        json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties })
    };
    let low = || ("low", number("least value"));
    let mode = || ("mode", number("likeliest value"));
    let high = || ("high", number("greatest value, above low"));
    json!({ "oneOf": [
        kind("normal", &[("mean", number("the mean")), ("sd", positive("standard deviation"))]),
        kind("lognormal", &[("log_mean", number("mean of the logarithm")), ("log_sd", positive("sd of the logarithm"))]),
        kind("uniform", &[low(), high()]),
        kind("triangular", &[low(), mode(), high()]),
        kind("beta", &[("alpha", positive("0.1 to 10000")), ("beta", positive("0.1 to 10000"))]),
        kind("pert", &[low(), mode(), high()]),
    ] })
}
