//! One list of values in figures.

use libm::{pow, sqrt};
use serde::Deserialize;

use crate::distributions::t_reach;
use crate::moments::{central_moment, mean, quantile, sorted, squares};
use crate::{Answer, Figures, Interval, Level, Refusal, checks};

/// What a list of values looks like.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Describe {
    pub values: Vec<f64>,
    #[serde(default)]
    pub level: Level,
}

/// Below this an interval for the mean leans wholly on the values being normal.
const FEW: usize = 10;

pub(crate) fn describe(request: &Describe) -> Result<Answer, Refusal> {
    let values = &request.values;
    let level = request.level.check()?;
    checks::sample("values", values, 2)?;
    let n = values.len() as f64;
    let centre = checks::computable("the mean", mean(values))?;
    let variance = checks::computable("the variance", squares(values) / (n - 1.0))?;
    let sd = sqrt(variance);
    let se = sd / sqrt(n);
    let reach = se * t_reach(level, n - 1.0);
    let order = sorted(values);
    let mut notes = Vec::new();
    if values.len() < FEW {
        notes.push(format!(
            "only {n} values: the interval of the mean holds only if they come from a normal distribution"
        ));
    }
    if checks::constant(values, checks::magnitude(values)) {
        notes.push("all values are equal: skewness and kurtosis are not defined".to_owned());
    } else if values.len() < 4 {
        notes.push("skewness needs 3 values and kurtosis 4".to_owned());
    }
    let figures = Figures::new()
        .with("n", values.len())
        .with("mean", centre)
        .with("sd", sd)
        .with("variance", variance)
        .with("standard_error", se)
        .with(
            "interval",
            Interval {
                level,
                low: centre - reach,
                high: centre + reach,
            },
        )
        .with("min", order[0])
        .with("quartile_1", quantile(&order, 0.25))
        .with("median", quantile(&order, 0.5))
        .with("quartile_3", quantile(&order, 0.75))
        .with("max", order[order.len() - 1])
        .with("skewness", skewness(values))
        .with("excess_kurtosis", excess_kurtosis(values));
    Ok(Answer {
        analysis: "describe",
        figures,
        method: "sd and variance with n - 1; quartiles by linear interpolation (Hyndman-Fan type 7); adjusted \
                 Fisher-Pearson skewness and excess kurtosis; t interval for the mean"
            .to_owned(),
        notes,
    })
}

pub(crate) fn skewness(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let spread = central_moment(values, 2);
    if n < 3.0 || checks::constant(values, checks::magnitude(values)) {
        return f64::NAN;
    }
    sqrt(n * (n - 1.0)) / (n - 2.0) * central_moment(values, 3) / pow(spread, 1.5)
}

fn excess_kurtosis(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let spread = central_moment(values, 2);
    if n < 4.0 || checks::constant(values, checks::magnitude(values)) {
        return f64::NAN;
    }
    let plain = central_moment(values, 4) / (spread * spread) - 3.0;
    (n - 1.0) / ((n - 2.0) * (n - 3.0)) * ((n + 1.0) * plain + 6.0)
}
