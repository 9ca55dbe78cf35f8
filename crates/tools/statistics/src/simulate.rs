//! Monte Carlo: uncertain inputs through a model, by a seed. Inputs are drawn independently, by inverting their
//! distributions, one uniform number each in the order they are given.

use libm::{exp, sqrt};
use serde::Deserialize;

use crate::checks::{self, Count, GROUPS_MAX};
use crate::distributions::{beta_quantile, normal_quantile};
use crate::expression::Expression;
use crate::moments::{deviation, mean, quantile, sorted};
use crate::random::Random;
use crate::refusal::shown;
use crate::{Answer, Figures, Refusal};

/// How an input is distributed.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum InputDistribution {
    Normal {
        mean: f64,
        sd: f64,
    },
    /// Its logarithm is normal.
    Lognormal {
        log_mean: f64,
        log_sd: f64,
    },
    Uniform {
        low: f64,
        high: f64,
    },
    Triangular {
        low: f64,
        mode: f64,
        high: f64,
    },
    Beta {
        alpha: f64,
        beta: f64,
    },
    /// A beta distribution from low to high, its mean (low + 4 mode + high) / 6.
    Pert {
        low: f64,
        mode: f64,
        high: f64,
    },
}

impl InputDistribution {
    /// How many numbers' worth of work a draw is.
    fn cost(&self) -> u64 {
        match self {
            Self::Beta { .. } | Self::Pert { .. } => 10,
            _ => 1,
        }
    }
}

/// A named uncertain input.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    pub name: String,
    pub distribution: InputDistribution,
}

/// What is made of the inputs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    Sum,
    Product,
    Expression(String),
}

/// A simulation.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MonteCarlo {
    pub inputs: Vec<Input>,
    pub model: Model,
    #[serde(default = "usual_draws")]
    pub draws: Count,
    pub seed: u64,
    /// In percent.
    #[serde(default = "usual_percentiles")]
    pub percentiles: Vec<f64>,
    /// For each the probability that the result is below it.
    #[serde(default)]
    pub thresholds: Vec<f64>,
}

fn usual_draws() -> Count {
    Count(10_000)
}

fn usual_percentiles() -> Vec<f64> {
    vec![2.5, 5.0, 25.0, 50.0, 75.0, 95.0, 97.5]
}

/// Draws of the model in one request.
pub const DRAWS_MAX: u64 = 1_000_000;
const DRAWS_MIN: u64 = 100;
/// Draws of all inputs together, where beta and pert count ten times.
pub const DRAWN_NUMBERS_MAX: u64 = 2_000_000;
/// Larger parameters of a beta distribution cost too much to invert.
const BETA_PARAMETER_MAX: f64 = 10_000.0;
const BETA_PARAMETER_MIN: f64 = 0.1;

/// An input's distribution, checked and prepared.
enum Drawer {
    Normal {
        mean: f64,
        sd: f64,
    },
    Lognormal {
        log_mean: f64,
        log_sd: f64,
    },
    Uniform {
        low: f64,
        width: f64,
    },
    Triangular {
        low: f64,
        mode: f64,
        high: f64,
    },
    Beta {
        low: f64,
        width: f64,
        alpha: f64,
        beta: f64,
    },
}

impl Drawer {
    fn of(distribution: InputDistribution, field: &str) -> Result<Self, Refusal> {
        let number = |name: &str, value| checks::number(&format!("{field}.{name}"), value);
        let positive = |name: &str, value| checks::positive(&format!("{field}.{name}"), value);
        let ordered = |low: f64, mode: f64, high: f64| {
            number("low", low)?;
            number("high", high)?;
            if low >= high {
                return Err(checks::out_of_range(
                    format!("{field}.high"),
                    high,
                    format!("above low, {}", shown(low)),
                ));
            }
            if !(low..=high).contains(&mode) {
                return Err(checks::out_of_range(
                    format!("{field}.mode"),
                    mode,
                    format!("from low, {}, to high, {}", shown(low), shown(high)),
                ));
            }
            Ok(())
        };
        let parameter = |name: &str, value: f64| {
            if (BETA_PARAMETER_MIN..=BETA_PARAMETER_MAX).contains(&value) {
                Ok(value)
            } else {
                Err(checks::out_of_range(
                    format!("{field}.{name}"),
                    value,
                    format!("from {BETA_PARAMETER_MIN} to {BETA_PARAMETER_MAX}"),
                ))
            }
        };
        Ok(match distribution {
            InputDistribution::Normal { mean, sd } => Self::Normal {
                mean: number("mean", mean)?,
                sd: positive("sd", sd)?,
            },
            InputDistribution::Lognormal { log_mean, log_sd } => Self::Lognormal {
                log_mean: number("log_mean", log_mean)?,
                log_sd: positive("log_sd", log_sd)?,
            },
            InputDistribution::Uniform { low, high } => {
                ordered(low, low, high)?;
                Self::Uniform {
                    low,
                    width: high - low,
                }
            }
            InputDistribution::Triangular { low, mode, high } => {
                ordered(low, mode, high)?;
                Self::Triangular { low, mode, high }
            }
            InputDistribution::Beta { alpha, beta } => Self::Beta {
                low: 0.0,
                width: 1.0,
                alpha: parameter("alpha", alpha)?,
                beta: parameter("beta", beta)?,
            },
            InputDistribution::Pert { low, mode, high } => {
                ordered(low, mode, high)?;
                Self::Beta {
                    low,
                    width: high - low,
                    alpha: 1.0 + 4.0 * (mode - low) / (high - low),
                    beta: 1.0 + 4.0 * (high - mode) / (high - low),
                }
            }
        })
    }

    fn at(&self, share: f64) -> f64 {
        match *self {
            Self::Normal { mean, sd } => mean + sd * normal_quantile(share),
            Self::Lognormal { log_mean, log_sd } => exp(log_mean + log_sd * normal_quantile(share)),
            Self::Uniform { low, width } => low + width * share,
            Self::Triangular { low, mode, high } => {
                let width = high - low;
                if share * width < mode - low {
                    low + sqrt(share * width * (mode - low))
                } else {
                    high - sqrt((1.0 - share) * width * (high - mode))
                }
            }
            Self::Beta {
                low,
                width,
                alpha,
                beta,
            } => low + width * beta_quantile(share, alpha, beta),
        }
    }
}

enum Combine {
    Sum,
    Product,
    Expression(Expression),
}

pub(crate) fn monte_carlo(request: &MonteCarlo) -> Result<Answer, Refusal> {
    let drawers = check(request)?;
    let names: Vec<&str> = request
        .inputs
        .iter()
        .map(|input| input.name.as_str())
        .collect();
    let (combine, how) = match &request.model {
        Model::Sum => (Combine::Sum, "the sum of the inputs".to_owned()),
        Model::Product => (Combine::Product, "the product of the inputs".to_owned()),
        Model::Expression(text) => (
            Combine::Expression(Expression::parse(text, &names)?),
            text.split_whitespace().collect::<Vec<_>>().join(" "),
        ),
    };
    let mut random = Random::new(request.seed);
    let mut drawn = vec![0.0; drawers.len()];
    let mut stack = Vec::new();
    let mut results = Vec::with_capacity(request.draws.0 as usize);
    for draw in 0..request.draws.0 as usize {
        for (value, drawer) in drawn.iter_mut().zip(&drawers) {
            *value = drawer.at(random.uniform());
        }
        let result: f64 = match &combine {
            Combine::Sum => drawn.iter().sum(),
            Combine::Product => drawn.iter().product(),
            Combine::Expression(expression) => expression.evaluate(&drawn, &mut stack),
        };
        if result.is_nan() || result.abs() > checks::MAGNITUDE_MAX {
            return Err(Refusal::DrawNotFinite { draw });
        }
        results.push(result);
    }
    Ok(Answer {
        analysis: "monte_carlo",
        figures: figures(request, &results),
        method: format!(
            "Monte Carlo of {how}, {} draws, inputs independent and drawn by inversion, PCG32 seed {}; percentiles by \
             linear interpolation (Hyndman-Fan type 7)",
            request.draws.0, request.seed
        ),
        notes: vec![
            "inputs are drawn independently: if they move together, the spread is wrong".to_owned(),
        ],
    })
}

fn check(request: &MonteCarlo) -> Result<Vec<Drawer>, Refusal> {
    checks::length("inputs", request.inputs.len(), 1, GROUPS_MAX)?;
    if !(DRAWS_MIN..=DRAWS_MAX).contains(&request.draws.0) {
        return Err(checks::out_of_range(
            "draws",
            request.draws.value(),
            format!("from {DRAWS_MIN} to {DRAWS_MAX}"),
        ));
    }
    let costs = request.inputs.iter().map(|input| input.distribution.cost());
    let work = request.draws.0.saturating_mul(costs.sum());
    if work > DRAWN_NUMBERS_MAX {
        return Err(Refusal::TooMuchWork {
            work: "`draws` times the number of inputs, where beta and pert count ten times,",
            got: work,
            max: DRAWN_NUMBERS_MAX,
            remedy: "request fewer draws",
        });
    }
    for (index, input) in request.inputs.iter().enumerate() {
        checks::name(&format!("inputs[{index}].name"), &input.name)?;
        if request.inputs[..index]
            .iter()
            .any(|other| other.name == input.name)
        {
            return Err(Refusal::Unsuitable {
                field: format!("inputs[{index}].name"),
                problem: format!("is `{}`, which is used before", input.name),
                remedy: "give every input its own name",
            });
        }
    }
    checks::length("percentiles", request.percentiles.len(), 0, GROUPS_MAX)?;
    if let Some(index) = request
        .percentiles
        .iter()
        .position(|p| !(0.0..=100.0).contains(p))
    {
        return Err(checks::out_of_range(
            format!("percentiles[{index}]"),
            request.percentiles[index],
            "from 0 to 100",
        ));
    }
    checks::length("thresholds", request.thresholds.len(), 0, GROUPS_MAX)?;
    checks::sample("thresholds", &request.thresholds, 0)?;
    request
        .inputs
        .iter()
        .enumerate()
        .map(|(index, input)| {
            Drawer::of(input.distribution, &format!("inputs[{index}].distribution"))
        })
        .collect()
}

fn figures(request: &MonteCarlo, results: &[f64]) -> Figures {
    let n = results.len() as f64;
    let order = sorted(results);
    let sd = deviation(results);
    let percentiles: Vec<Figures> = request
        .percentiles
        .iter()
        .map(|&percent| {
            Figures::new()
                .with("percent", percent)
                .with("value", quantile(&order, percent / 100.0))
        })
        .collect();
    let thresholds: Vec<Figures> = request
        .thresholds
        .iter()
        .map(|&threshold| {
            let below = order.partition_point(|&value| value < threshold) as f64 / n;
            Figures::new()
                .with("threshold", threshold)
                .with("below", below)
                .with("standard_error", sqrt(below * (1.0 - below) / n))
        })
        .collect();
    Figures::new()
        .with("draws", results.len())
        .with("mean", mean(results))
        .with("sd", sd)
        .with("standard_error", sd / sqrt(n))
        .with("min", order[0])
        .with("max", order[order.len() - 1])
        .with("percentiles", percentiles)
        .with("thresholds", thresholds)
}
