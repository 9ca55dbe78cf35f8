//! The JSON Schema of a request, one branch per analysis.

use serde_json::{Map, Value, json};

use crate::checks::{COUNT_MAX, GROUPS_MAX, VALUES_MAX};
use crate::expression::EXPRESSION_CHARACTERS_MAX;
use crate::meta::STUDIES_MAX;
use crate::power::PLANNED_N_MAX;
use crate::resample::RESAMPLES_MAX;
use crate::simulate::DRAWS_MAX;

/// The JSON Schema of a request.
pub fn schema() -> Value {
    let branches: Vec<Value> = [tests(), relations(), estimates(), plans()].concat();
    json!({
        "type": "object",
        "required": ["analysis"],
        "properties": { "analysis": { "type": "string", "description": "which analysis" } },
        "oneOf": branches
    })
}

/// One analysis: its name, what it answers, its fields; a name with `?` may be left out.
fn branch(name: &str, description: &str, fields: &[(&str, Value)]) -> Value {
    let mut properties = Map::new();
    properties.insert("analysis".to_owned(), json!({ "const": name }));
    let mut required = vec!["analysis"];
    for (field, schema) in fields {
        let bare = field.trim_end_matches('?');
        if bare == *field {
            required.push(bare);
        }
        properties.insert(bare.to_owned(), schema.clone());
    }
    json!({
        "title": name,
        "description": description,
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": properties
    })
}

fn numbers(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "number" }, "minItems": 1, "maxItems": VALUES_MAX,
            "description": description })
}

fn number(description: &str) -> Value {
    json!({ "type": "number", "description": description })
}

fn share(description: &str) -> Value {
    json!({ "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "description": description })
}

fn positive(description: &str) -> Value {
    json!({ "type": "number", "exclusiveMinimum": 0, "description": description })
}

fn count(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": COUNT_MAX, "description": description })
}

fn choice(names: &[&str], description: &str) -> Value {
    json!({ "enum": names, "description": description })
}

fn level() -> (&'static str, Value) {
    (
        "level?",
        json!({ "type": "number", "minimum": 0.5, "maximum": 0.9999,
                "description": "confidence of the interval as a share; 0.95 if left out" }),
    )
}

fn alternative() -> (&'static str, Value) {
    let names = ["two_sided", "less", "greater"];
    (
        "alternative?",
        choice(
            &names,
            "two_sided if left out; less and greater are of a against b, or of the value",
        ),
    )
}

fn groups() -> (&'static str, Value) {
    (
        "groups",
        json!({ "type": "array", "items": numbers("one group's values"), "minItems": 2, "maxItems": GROUPS_MAX,
                "description": "two or more groups of values" }),
    )
}

fn table() -> (&'static str, Value) {
    let row =
        json!({ "type": "array", "items": count("a cell"), "minItems": 2, "maxItems": GROUPS_MAX });
    (
        "table",
        json!({ "type": "array", "items": row, "minItems": 2, "maxItems": GROUPS_MAX,
                "description": "rows of counts, all of the same length" }),
    )
}

fn seed() -> (&'static str, Value) {
    let maximum = u64::MAX;
    (
        "seed",
        json!({ "type": "integer", "minimum": 0, "maximum": maximum, "description": "the same seed gives the same answer" }),
    )
}

fn resamples() -> (&'static str, Value) {
    (
        "resamples?",
        json!({ "type": "integer", "minimum": 100, "maximum": RESAMPLES_MAX, "description": "10000 if left out" }),
    )
}

fn tests() -> Vec<Value> {
    let a = || ("a", numbers("values of sample a"));
    let b = || ("b", numbers("values of sample b"));
    let two = || [a(), b(), alternative(), level()];
    let method = || {
        let names = ["auto", "exact", "asymptotic"];
        (
            "method?",
            choice(
                &names,
                "auto if left out: exact for small samples without ties",
            ),
        )
    };
    let continuity = || {
        (
            "continuity?",
            choice(
                &["corrected", "plain"],
                "of an asymptotic p-value; corrected if left out",
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
            "is the mean other than a given one?",
            &[
                ("values", numbers("two values or more")),
                ("mean?", number("mean of the hypothesis; 0 if left out")),
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
                    numbers("as many as a; if left out, a holds the differences"),
                ),
                alternative(),
                method(),
                continuity(),
            ],
        ),
        branch(
            "permutation_test",
            "could the difference of means come from dealing the values at random?",
            &[a(), b(), alternative(), resamples(), seed()],
        ),
        branch(
            "chi_square_independence",
            "are rows and columns of a table of counts independent?",
            &[
                table(),
                (
                    "correction?",
                    choice(&["yates", "none"], "for two by two only; yates if left out"),
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
                        "counts or shares above 0, scaled to the observed total; all alike if left out",
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

fn relations() -> Vec<Value> {
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
                        "scale of the curve's interval; log_log if left out",
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

fn estimates() -> Vec<Value> {
    let successes = || ("successes", count("at most the trials"));
    let trials = || ("trials", count("1 or more"));
    let proportion = json!({
        "type": "object", "additionalProperties": false, "required": ["successes", "trials"],
        "properties": { "successes": successes().1, "trials": trials().1 }
    });
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
                    choice(&["wilson", "clopper_pearson", "wald"], "wilson if left out"),
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
                    choice(&["mean", "median", "sd"], "mean if left out"),
                ),
                resamples(),
                seed(),
                level(),
            ],
        ),
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
        branch(
            "adjust_p",
            "p-values of several tests adjusted for their number",
            &[
                ("p_values", numbers("from 0 to 1")),
                ("adjustment", choice(&adjustments, "which method")),
                ("alpha?", share("0.05 if left out")),
            ],
        ),
        branch(
            "disproportionality",
            "PRR and ROR of spontaneous reports, and whether they make a signal",
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
            "estimates of several studies put together",
            &[
                (
                    "studies",
                    json!({ "type": "array", "items": study, "minItems": 2, "maxItems": STUDIES_MAX }),
                ),
                (
                    "model?",
                    choice(
                        &["fixed", "random"],
                        "random (DerSimonian-Laird) if left out",
                    ),
                ),
                level(),
            ],
        ),
    ]
}

fn plans() -> Vec<Value> {
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
            ("ratio?", positive("n_b for each n_a; 1 if left out")),
            ("alpha?", share("0.05 if left out")),
            ("sides?", choice(&["two", "one"], "two if left out")),
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
        branch(
            "monte_carlo",
            "uncertain inputs through a model",
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
                    json!({ "type": "integer", "minimum": 100, "maximum": DRAWS_MAX, "description": "10000 if left out" }),
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
        ),
    ]
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
