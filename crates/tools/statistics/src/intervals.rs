//! Intervals for means and proportions.

use libm::sqrt;
use serde::Deserialize;

use crate::checks::{self, Count};
use crate::distributions::{beta_quantile, normal_p, normal_reach, t_reach};
use crate::{Alternative, Answer, Figures, Interval, Level, Refusal};

/// Which interval of a proportion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProportionMethod {
    #[default]
    Wilson,
    ClopperPearson,
    Wald,
}

/// The interval of a proportion.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProportionInterval {
    pub successes: Count,
    pub trials: Count,
    #[serde(default)]
    pub method: ProportionMethod,
    #[serde(default)]
    pub level: Level,
}

/// Successes among trials.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proportion {
    pub successes: Count,
    pub trials: Count,
}

/// The difference of two independent proportions, a - b.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProportionDifference {
    pub a: Proportion,
    pub b: Proportion,
    #[serde(default)]
    pub alternative: Alternative,
    #[serde(default)]
    pub level: Level,
}

/// The interval of a mean from a summary.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeanInterval {
    pub mean: f64,
    pub sd: f64,
    pub n: Count,
    #[serde(default)]
    pub level: Level,
}

const COUNT_FEW: f64 = 5.0;

impl Proportion {
    fn check(self, field: &str) -> Result<f64, Refusal> {
        if self.trials.0 == 0 {
            return Err(checks::out_of_range(
                format!("{field}trials"),
                0.0,
                "at least 1",
            ));
        }
        if self.successes.0 > self.trials.0 {
            return Err(checks::out_of_range(
                format!("{field}successes"),
                self.successes.value(),
                format!("at most the {} trials", self.trials.0),
            ));
        }
        Ok(self.successes.value() / self.trials.value())
    }

    fn failures(self) -> f64 {
        self.trials.value() - self.successes.value()
    }

    fn few(self) -> bool {
        self.successes.value().min(self.failures()) < COUNT_FEW
    }
}

pub(crate) fn wilson(share: f64, n: f64, level: f64) -> Interval {
    let z = normal_reach(level);
    let square = z * z / n;
    let middle = (share + square / 2.0) / (1.0 + square);
    let reach = z / (1.0 + square) * sqrt(share * (1.0 - share) / n + square / (4.0 * n));
    Interval {
        level,
        low: if share == 0.0 { 0.0 } else { middle - reach },
        high: if share == 1.0 { 1.0 } else { middle + reach },
    }
}

/// Newcombe's hybrid of two Wilson intervals.
pub(crate) fn newcombe(a: f64, n_a: f64, b: f64, n_b: f64, level: f64) -> Interval {
    let (wilson_a, wilson_b) = (wilson(a, n_a, level), wilson(b, n_b, level));
    let apart = |x: f64, y: f64| sqrt(x * x + y * y);
    Interval {
        level,
        low: a - b - apart(a - wilson_a.low, wilson_b.high - b),
        high: a - b + apart(wilson_a.high - a, b - wilson_b.low),
    }
}

pub(crate) fn proportion(request: &ProportionInterval) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    let given = Proportion {
        successes: request.successes,
        trials: request.trials,
    };
    let share = given.check("")?;
    let (x, n) = (given.successes.value(), given.trials.value());
    let tail = (1.0 - level) / 2.0;
    let mut notes = Vec::new();
    let (interval, how) = match request.method {
        ProportionMethod::Wilson => (
            wilson(share, n, level),
            "Wilson's score interval without continuity correction",
        ),
        ProportionMethod::ClopperPearson => (
            Interval {
                level,
                low: if x == 0.0 {
                    0.0
                } else {
                    beta_quantile(tail, x, n - x + 1.0)
                },
                high: if x == n {
                    1.0
                } else {
                    1.0 - beta_quantile(tail, n - x, x + 1.0)
                },
            },
            "Clopper-Pearson's exact interval by beta quantiles",
        ),
        ProportionMethod::Wald => {
            let reach = normal_reach(level) * sqrt(share * (1.0 - share) / n);
            if given.few() {
                notes.push(
                    "fewer than 5 successes or failures: Wald's interval is too short, use wilson"
                        .to_owned(),
                );
            }
            (
                Interval {
                    level,
                    low: (share - reach).max(0.0),
                    high: (share + reach).min(1.0),
                },
                "Wald's normal interval, cut at 0 and 1",
            )
        }
    };
    Ok(Answer {
        analysis: "proportion_interval",
        figures: Figures::new()
            .with("estimate", share)
            .with("interval", interval),
        method: how.to_owned(),
        notes,
    })
}

pub(crate) fn proportion_difference(request: &ProportionDifference) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    let (a, b) = (request.a.check("a.")?, request.b.check("b.")?);
    let (n_a, n_b) = (request.a.trials.value(), request.b.trials.value());
    let pooled = (request.a.successes.value() + request.b.successes.value()) / (n_a + n_b);
    let z = (a - b) / sqrt(pooled * (1.0 - pooled) * (1.0 / n_a + 1.0 / n_b));
    let mut notes = Vec::new();
    if request.a.few() || request.b.few() {
        notes.push(
            "fewer than 5 successes or failures in a group: prefer fisher_exact for p".to_owned(),
        );
    }
    let p = if z.is_finite() {
        normal_p(z, request.alternative)
    } else {
        f64::NAN
    };
    if p.is_nan() {
        notes.push("no proportion varies: the z-test is not defined".to_owned());
    }
    Ok(Answer {
        analysis: "proportion_difference",
        figures: Figures::new()
            .with("estimate", a - b)
            .with("proportion_a", a)
            .with("proportion_b", b)
            .with("interval", newcombe(a, n_a, b, n_b, level))
            .with("statistic", z)
            .with("p", p),
        method: format!(
            "difference a - b with Newcombe's hybrid score interval (two-sided, without continuity correction); \
             {} z-test with pooled variance",
            request.alternative.words()
        ),
        notes,
    })
}

pub(crate) fn mean(request: &MeanInterval) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    checks::number("mean", request.mean)?;
    checks::positive("sd", request.sd)?;
    if request.n.0 < 2 {
        return Err(checks::out_of_range("n", request.n.value(), "at least 2"));
    }
    let n = request.n.value();
    let se = request.sd / sqrt(n);
    let reach = se * t_reach(level, n - 1.0);
    let mut notes = Vec::new();
    if n < 10.0 {
        notes.push(format!("only {n} values: the interval leans on normality"));
    }
    Ok(Answer {
        analysis: "mean_interval",
        figures: Figures::new()
            .with("estimate", request.mean)
            .with("standard_error", se)
            .with("df", n - 1.0)
            .with(
                "interval",
                Interval {
                    level,
                    low: request.mean - reach,
                    high: request.mean + reach,
                },
            ),
        method: "t interval for a mean from mean, sd and n, df n - 1".to_owned(),
        notes,
    })
}
