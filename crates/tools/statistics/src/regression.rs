//! Linear and logistic regression.

use core::f64::consts::PI;

use libm::{exp, log, log1p, sqrt};
use serde::Deserialize;

use crate::checks::{self, GROUPS_MAX};
use crate::distributions::{f_upper, normal_p, normal_reach, t_p, t_reach};
use crate::matrix::{Dependent, Fit, least_squares};
use crate::moments::{deviation, mean, seen_from, squares};
use crate::{Alternative, Answer, Figures, Interval, Level, Refusal};

/// A named column of a regression.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predictor {
    pub name: String,
    pub values: Vec<f64>,
}

/// An outcome explained by predictors and an intercept.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regression {
    /// Numbers; for a logistic regression 0 or 1.
    pub y: Vec<f64>,
    pub predictors: Vec<Predictor>,
    #[serde(default)]
    pub level: Level,
}

/// Numbers in all columns together.
pub const REGRESSION_CELLS_MAX: u64 = 1_000_000;
const ITERATIONS_MAX: usize = 50;
/// A step that moves no linear predictor farther than this ends the fit.
const CONVERGED: f64 = 1e-9;
/// Residuals smaller than this share of the outcome are rounding.
const PERFECT: f64 = 1e-13;
/// Fewer events per predictor make a logistic fit unreliable.
const EVENTS_PER_PREDICTOR: f64 = 10.0;
const OBSERVATIONS_PER_PREDICTOR: f64 = 10.0;

/// The columns, each less its mean, so that values far from zero keep their digits.
struct Design {
    columns: Vec<Vec<f64>>,
    centres: Vec<f64>,
}

impl Design {
    fn of(request: &Regression) -> Result<Self, Refusal> {
        let width = request.predictors.len() + 1;
        checks::length("predictors", request.predictors.len(), 1, GROUPS_MAX)?;
        checks::sample("y", &request.y, width + 1)?;
        let cells = (request.y.len() * width) as u64;
        if cells > REGRESSION_CELLS_MAX {
            return Err(Refusal::TooMuchWork {
                work: "the length of `y` times the number of coefficients",
                got: cells,
                max: REGRESSION_CELLS_MAX,
                remedy: "remove predictors or use a sample",
            });
        }
        checks::varied("y", &request.y, "a regression")?;
        let mut design = Self {
            columns: vec![vec![1.0; request.y.len()]],
            centres: vec![0.0],
        };
        for (index, predictor) in request.predictors.iter().enumerate() {
            let field = format!("predictors[{index}].values");
            checks::name(&format!("predictors[{index}].name"), &predictor.name)?;
            checks::sample(&field, &predictor.values, 0)?;
            checks::same_length("y", request.y.len(), &field, predictor.values.len())?;
            checks::varied(&field, &predictor.values, "its coefficient")?;
            let centre = mean(&predictor.values);
            design.columns.push(seen_from(centre, &predictor.values));
            design.centres.push(centre);
        }
        Ok(design)
    }

    /// A coefficient of the columns as they were given, and its variance for residuals of variance one.
    fn coefficient(&self, fit: &Fit, index: usize) -> (f64, f64) {
        let mut contrast = vec![0.0; self.columns.len()];
        if index == 0 {
            contrast = self.centres.iter().map(|centre| -centre).collect();
        }
        contrast[index] = 1.0;
        let estimate = contrast
            .iter()
            .zip(&fit.coefficients)
            .map(|(weight, coefficient)| weight * coefficient)
            .sum();
        (estimate, fit.variance(&contrast))
    }
}

fn collinear(Dependent { index }: Dependent) -> Refusal {
    Refusal::Collinear {
        field: format!("predictors[{}]", index.saturating_sub(1)),
    }
}

fn linear_predictor(columns: &[Vec<f64>], coefficients: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; columns[0].len()];
    for (column, coefficient) in columns.iter().zip(coefficients) {
        for (sum, value) in sums.iter_mut().zip(column) {
            *sum += coefficient * value;
        }
    }
    sums
}

fn term_name(request: &Regression, index: usize) -> &str {
    match index.checked_sub(1) {
        Some(index) => &request.predictors[index].name,
        None => "intercept",
    }
}

pub(crate) fn linear(request: &Regression) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    let design = Design::of(request)?;
    let columns = &design.columns;
    let fit = least_squares(columns.clone(), request.y.clone()).map_err(collinear)?;
    let n = request.y.len() as f64;
    let width = columns.len() as f64;
    let df = n - width;
    let fitted = linear_predictor(columns, &fit.coefficients);
    let residual: f64 = request
        .y
        .iter()
        .zip(&fitted)
        .map(|(y, fitted)| (y - fitted) * (y - fitted))
        .sum();
    let total = squares(&request.y);
    if sqrt(residual / n) <= PERFECT * checks::magnitude(&request.y) {
        return Err(Refusal::Unsuitable {
            field: "y".to_owned(),
            problem: "is fitted without any error".to_owned(),
            remedy: "leave out the predictor it was computed from",
        });
    }
    let r_squared = 1.0 - residual / total;
    let f = ((total - residual) / (width - 1.0)) / (residual / df);
    let ln_likelihood = -n / 2.0 * (log(2.0 * PI * residual / n) + 1.0);
    let reach = t_reach(level, df);
    let terms: Vec<Figures> = (0..columns.len())
        .map(|index| {
            let (estimate, variance) = design.coefficient(&fit, index);
            let se = sqrt(residual / df * variance);
            Figures::new()
                .with("name", term_name(request, index))
                .with("estimate", estimate)
                .with("standard_error", se)
                .with("statistic", estimate / se)
                .with("p", t_p(estimate / se, df, Alternative::TwoSided))
                .with("interval", around(estimate, se * reach, level))
        })
        .collect();
    let mut notes = Vec::new();
    if n < OBSERVATIONS_PER_PREDICTOR * (width - 1.0) {
        notes.push(
            "fewer than 10 observations per predictor: the fit may not carry over".to_owned(),
        );
    }
    Ok(Answer {
        analysis: "linear_regression",
        figures: Figures::new()
            .with("n", request.y.len())
            .with("coefficients", terms)
            .with("r_squared", r_squared)
            .with("r_squared_adjusted", 1.0 - (1.0 - r_squared) * (n - 1.0) / df)
            .with("statistic", checks::computable("F", f)?)
            .with("df_model", width - 1.0)
            .with("df_residual", df)
            .with("p", f_upper(f, width - 1.0, df))
            .with("residual_sd", sqrt(residual / df))
            .with("log_likelihood", ln_likelihood)
            .with("aic", 2.0 * width - 2.0 * ln_likelihood)
            .with("bic", width * log(n) - 2.0 * ln_likelihood),
        method: "ordinary least squares with intercept by QR; t-tests and t intervals; AIC and BIC count the \
                 coefficients and not the residual variance"
            .to_owned(),
        notes,
    })
}

fn around(estimate: f64, reach: f64, level: f64) -> Interval {
    Interval {
        level,
        low: estimate - reach,
        high: estimate + reach,
    }
}

pub(crate) fn logistic(request: &Regression) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    if let Some(index) = request.y.iter().position(|&y| y != 0.0 && y != 1.0) {
        return Err(checks::out_of_range(
            format!("y[{index}]"),
            request.y[index],
            "0 or 1",
        ));
    }
    let design = Design::of(request)?;
    let columns = &design.columns;
    let fit = iterate(request, columns)?;
    let n = request.y.len() as f64;
    let share = mean(&request.y);
    let reach = normal_reach(level);
    let terms: Vec<Figures> = (0..columns.len())
        .map(|index| {
            let (estimate, variance) = design.coefficient(&fit, index);
            let se = sqrt(variance);
            let interval = around(estimate, se * reach, level);
            Figures::new()
                .with("name", term_name(request, index))
                .with("estimate", estimate)
                .with("standard_error", se)
                .with("statistic", estimate / se)
                .with("p", normal_p(estimate / se, Alternative::TwoSided))
                .with("interval", interval)
                .with("odds_ratio", exp(estimate))
                .with(
                    "odds_ratio_interval",
                    Interval {
                        level,
                        low: exp(interval.low),
                        high: exp(interval.high),
                    },
                )
        })
        .collect();
    let ln_likelihood = ln_likelihood(request, &linear_predictor(columns, &fit.coefficients));
    let ln_null = n * (share * log(share) + (1.0 - share) * log1p(-share));
    let predictors = columns.len() as f64 - 1.0;
    let ratio = 2.0 * (ln_likelihood - ln_null);
    let mut notes = Vec::new();
    if n * share.min(1.0 - share) < EVENTS_PER_PREDICTOR * predictors {
        notes.push(
            "fewer than 10 of the rarer outcome per predictor: coefficients are biased away from zero"
                .to_owned(),
        );
    }
    Ok(Answer {
        analysis: "logistic_regression",
        figures: Figures::new()
            .with("n", request.y.len())
            .with("coefficients", terms)
            .with("log_likelihood", ln_likelihood)
            .with("log_likelihood_null", ln_null)
            .with("statistic", ratio)
            .with("df", predictors)
            .with("p", crate::distributions::chi_square_upper(ratio, predictors))
            .with("mcfadden_r_squared", 1.0 - ln_likelihood / ln_null)
            .with("aic", 2.0 * (predictors + 1.0) - 2.0 * ln_likelihood)
            .with("bic", (predictors + 1.0) * log(n) - 2.0 * ln_likelihood),
        method: "logistic regression with intercept by iteratively reweighted least squares; Wald z-tests and \
                 intervals; statistic and p are of the likelihood-ratio test against the intercept alone"
            .to_owned(),
        notes,
    })
}

fn ln_likelihood(request: &Regression, predicted: &[f64]) -> f64 {
    request
        .y
        .iter()
        .zip(predicted)
        .map(|(&y, &eta)| {
            let toward = if y == 1.0 { eta } else { -eta };
            if toward > 0.0 {
                -log1p(exp(-toward))
            } else {
                toward - log1p(exp(toward))
            }
        })
        .sum()
}

/// Newton's steps, each a weighted least-squares fit. When the outcomes are separated the steps never shrink.
fn iterate(request: &Regression, columns: &[Vec<f64>]) -> Result<Fit, Refusal> {
    // Dependence is found before weights can hide it.
    least_squares(columns.to_vec(), request.y.clone()).map_err(collinear)?;
    let mut coefficients = vec![0.0; columns.len()];
    for _ in 0..ITERATIONS_MAX {
        let predicted = linear_predictor(columns, &coefficients);
        let shares: Vec<f64> = predicted
            .iter()
            .map(|eta| 1.0 / (1.0 + exp(-eta)))
            .collect();
        let roots: Vec<f64> = shares
            .iter()
            .map(|share| sqrt(share * (1.0 - share)))
            .collect();
        if roots.iter().any(|&root| root < 1e-150) {
            break;
        }
        let weighted = columns
            .iter()
            .map(|column| column.iter().zip(&roots).map(|(x, w)| x * w).collect())
            .collect();
        let pulls = request
            .y
            .iter()
            .zip(&shares)
            .zip(&roots)
            .map(|((y, share), root)| (y - share) / root)
            .collect();
        let Ok(step) = least_squares(weighted, pulls) else {
            break;
        };
        for (coefficient, change) in coefficients.iter_mut().zip(&step.coefficients) {
            *coefficient += change;
        }
        let moved = checks::magnitude(&linear_predictor(columns, &step.coefficients));
        if moved < CONVERGED {
            return Ok(step.with_coefficients(coefficients));
        }
    }
    let widest = (1..columns.len())
        .max_by(|&left, &right| {
            let size = |index: usize| coefficients[index].abs() * deviation(&columns[index]);
            size(left).total_cmp(&size(right))
        })
        .unwrap_or(1);
    Err(Refusal::Separation {
        field: format!("predictors[{}]", widest - 1),
    })
}
