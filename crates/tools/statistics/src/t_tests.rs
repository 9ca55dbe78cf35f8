//! Means compared by Student's t.

use libm::sqrt;
use serde::Deserialize;

use crate::describe::skewness;
use crate::distributions::{t_above, t_p, t_reach};
use crate::moments::{mean, mean_difference, variance};
use crate::refusal::shown;
use crate::{Alternative, Answer, Figures, Interval, Level, Refusal, checks};

/// One sample against a given mean.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneSampleT {
    pub values: Vec<f64>,
    /// The mean of the hypothesis.
    #[serde(default)]
    pub mean: f64,
    #[serde(default)]
    pub alternative: Alternative,
    #[serde(default)]
    pub level: Level,
}

/// Two samples; for a paired analysis `a[i]` and `b[i]` belong together.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwoSampleT {
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    #[serde(default)]
    pub alternative: Alternative,
    #[serde(default)]
    pub level: Level,
}

/// Below this a t-test leans wholly on the values being normal.
const FEW: usize = 10;
/// Variances that differ by a larger factor are noted.
const VARIANCE_RATIO_NOTED: f64 = 4.0;
const SKEWNESS_NOTED: f64 = 1.0;

pub(crate) fn one_sample(request: &OneSampleT) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    checks::number("mean", request.mean)?;
    checks::sample("values", &request.values, 2)?;
    checks::varied("values", &request.values, "t")?;
    let n = request.values.len() as f64;
    let estimate = mean(&request.values);
    let test = Test {
        estimate,
        against: request.mean,
        se: sqrt(variance(&request.values) / n),
        df: n - 1.0,
    };
    let figures = test.figures(request.alternative, level)?.with(
        "cohen_d",
        (estimate - request.mean) / sqrt(variance(&request.values)),
    );
    let mut notes = Vec::new();
    note_shape(&mut notes, "values", &request.values);
    Ok(Answer {
        analysis: "one_sample_t",
        figures,
        method: format!(
            "one-sample t-test of the mean against {}, {}, df n - 1",
            shown(request.mean),
            request.alternative.words()
        ),
        notes,
    })
}

pub(crate) fn paired(request: &TwoSampleT) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    checks::sample("a", &request.a, 2)?;
    checks::sample("b", &request.b, 2)?;
    checks::same_length("a", request.a.len(), "b", request.b.len())?;
    let differences: Vec<f64> = request
        .a
        .iter()
        .zip(&request.b)
        .map(|(a, b)| a - b)
        .collect();
    let magnitude = checks::magnitude(&request.a).max(checks::magnitude(&request.b));
    if checks::constant(&differences, magnitude) {
        return Err(constant("a - b"));
    }
    let n = differences.len() as f64;
    let spread = variance(&differences);
    let test = Test {
        estimate: mean(&differences),
        against: 0.0,
        se: sqrt(spread / n),
        df: n - 1.0,
    };
    let figures = test
        .figures(request.alternative, level)?
        .with("cohen_d", test.estimate / sqrt(spread));
    let mut notes = Vec::new();
    note_shape(&mut notes, "a - b", &differences);
    Ok(Answer {
        analysis: "paired_t",
        figures,
        method: format!(
            "paired t-test of the mean of a - b against 0, {}, df pairs - 1; Cohen's d by the sd of the differences",
            request.alternative.words()
        ),
        notes,
    })
}

pub(crate) fn student(request: &TwoSampleT) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    let [a, b] = samples(request)?;
    let df = a.n + b.n - 2.0;
    let pooled = ((a.n - 1.0) * a.variance + (b.n - 1.0) * b.variance) / df;
    let test = Test {
        estimate: mean_difference(&request.a, &request.b),
        against: 0.0,
        se: sqrt(pooled * (1.0 / a.n + 1.0 / b.n)),
        df,
    };
    let mut notes = two_sample_notes(request);
    let (large, small) = (a.variance.max(b.variance), a.variance.min(b.variance));
    if large > VARIANCE_RATIO_NOTED * small {
        notes.push(
            "the variances are far from equal, and this test assumes they are equal: use welch_t"
                .to_owned(),
        );
    }
    Ok(Answer {
        analysis: "student_t",
        figures: test
            .figures(request.alternative, level)?
            .with("mean_a", a.mean)
            .with("mean_b", b.mean)
            .with("cohen_d", test.estimate / sqrt(pooled)),
        method: format!(
            "two-sample t-test of mean a - mean b with pooled variance, {}, df n_a + n_b - 2",
            request.alternative.words()
        ),
        notes,
    })
}

pub(crate) fn welch(request: &TwoSampleT) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    let [a, b] = samples(request)?;
    let (part_a, part_b) = (a.variance / a.n, b.variance / b.n);
    let sum = part_a + part_b;
    // Shares keep the squares in range whatever the unit.
    let (share_a, share_b) = (part_a / sum, part_b / sum);
    let test = Test {
        estimate: mean_difference(&request.a, &request.b),
        against: 0.0,
        se: sqrt(sum),
        df: 1.0 / (share_a * share_a / (a.n - 1.0) + share_b * share_b / (b.n - 1.0)),
    };
    Ok(Answer {
        analysis: "welch_t",
        figures: test
            .figures(request.alternative, level)?
            .with("mean_a", a.mean)
            .with("mean_b", b.mean),
        method: format!(
            "Welch's t-test of mean a - mean b with unequal variances, {}, df by Welch-Satterthwaite",
            request.alternative.words()
        ),
        notes: two_sample_notes(request),
    })
}

fn constant(field: &str) -> Refusal {
    Refusal::Constant {
        field: field.to_owned(),
        what: "t",
    }
}

struct Sample {
    n: f64,
    mean: f64,
    variance: f64,
}

fn samples(request: &TwoSampleT) -> Result<[Sample; 2], Refusal> {
    checks::sample("a", &request.a, 2)?;
    checks::sample("b", &request.b, 2)?;
    let samples = [&request.a, &request.b];
    if samples
        .iter()
        .all(|values| checks::constant(values, checks::magnitude(values)))
    {
        return Err(constant("a and b"));
    }
    Ok(samples.map(|values| Sample {
        n: values.len() as f64,
        mean: mean(values),
        variance: variance(values),
    }))
}

fn two_sample_notes(request: &TwoSampleT) -> Vec<String> {
    let mut notes = Vec::new();
    note_shape(&mut notes, "a", &request.a);
    note_shape(&mut notes, "b", &request.b);
    notes
}

fn note_shape(notes: &mut Vec<String>, name: &str, values: &[f64]) {
    if values.len() < FEW {
        notes.push(format!(
            "`{name}` has only {} values: the result holds only if they come from a normal distribution",
            values.len()
        ));
    } else if skewness(values).abs() > SKEWNESS_NOTED && values.len() < 5 * FEW {
        notes.push(format!(
            "`{name}` is skewed ({:.2}): compare with a rank test",
            skewness(values)
        ));
    }
}

struct Test {
    estimate: f64,
    against: f64,
    se: f64,
    df: f64,
}

impl Test {
    fn figures(&self, alternative: Alternative, level: f64) -> Result<Figures, Refusal> {
        let t = checks::computable("t", (self.estimate - self.against) / self.se)?;
        let (low, high) = match alternative {
            Alternative::TwoSided => {
                let reach = self.se * t_reach(level, self.df);
                (self.estimate - reach, self.estimate + reach)
            }
            Alternative::Less => (
                f64::NEG_INFINITY,
                self.estimate + self.se * t_above(1.0 - level, self.df),
            ),
            Alternative::Greater => (
                self.estimate - self.se * t_above(1.0 - level, self.df),
                f64::INFINITY,
            ),
        };
        Ok(Figures::new()
            .with("statistic", t)
            .with("df", self.df)
            .with("p", t_p(t, self.df, alternative))
            .with("estimate", self.estimate)
            .with("standard_error", self.se)
            .with("interval", Interval { level, low, high }))
    }
}
