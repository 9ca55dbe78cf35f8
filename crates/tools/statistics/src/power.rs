//! Power and sample size for comparing two groups.

use libm::sqrt;
use serde::Deserialize;

use crate::checks;
use crate::distributions::{noncentral_t, normal_lower, normal_quantile, normal_upper, t_above};
use crate::several::usual_alpha;
use crate::{Answer, Figures, Refusal};

/// Does the test look to one side or to both?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sides {
    #[default]
    Two,
    /// Towards the planned difference.
    One,
}

impl Sides {
    fn tail(self, alpha: f64) -> f64 {
        match self {
            Self::Two => alpha / 2.0,
            Self::One => alpha,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Two => "two-sided",
            Self::One => "one-sided",
        }
    }
}

/// Two means. Give `n_a` to learn the power, or `power` to learn the sample size.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerTwoMeans {
    pub difference: f64,
    pub sd: f64,
    #[serde(default)]
    pub n_a: Option<f64>,
    #[serde(default)]
    pub power: Option<f64>,
    /// n_b for each n_a.
    #[serde(default = "alike")]
    pub ratio: f64,
    #[serde(default = "usual_alpha")]
    pub alpha: f64,
    #[serde(default)]
    pub sides: Sides,
}

/// Two proportions. Give `n_a` to learn the power, or `power` to learn the sample size.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerTwoProportions {
    pub proportion_a: f64,
    pub proportion_b: f64,
    #[serde(default)]
    pub n_a: Option<f64>,
    #[serde(default)]
    pub power: Option<f64>,
    /// n_b for each n_a.
    #[serde(default = "alike")]
    pub ratio: f64,
    #[serde(default = "usual_alpha")]
    pub alpha: f64,
    #[serde(default)]
    pub sides: Sides,
}

fn alike() -> f64 {
    1.0
}

/// A group larger than this is not planned for.
pub const PLANNED_N_MAX: u64 = 10_000_000;
const RATIO_MAX: f64 = 100.0;
/// Beyond this shift the power is one to the last digit asked for.
const SHIFT_MAX: f64 = 100.0;
/// From this many degrees of freedom on, the normal distribution has all the digits asked for.
const NORMAL_DF_MIN: f64 = 1e7;

struct Plan {
    ratio: f64,
    alpha: f64,
    least: u64,
}

impl Plan {
    fn check(ratio: f64, alpha: f64, least: u64) -> Result<Self, Refusal> {
        checks::share("alpha", alpha)?;
        if !(1.0 / RATIO_MAX..=RATIO_MAX).contains(&ratio) {
            return Err(checks::out_of_range("ratio", ratio, "from 0.01 to 100"));
        }
        Ok(Self {
            ratio,
            alpha,
            least,
        })
    }

    fn n_b(&self, n_a: u64) -> f64 {
        (n_a as f64 * self.ratio).ceil().max(self.least as f64)
    }

    /// Power at the given size, or the smallest size with the given power.
    fn solve(
        &self,
        n_a: Option<f64>,
        power: Option<f64>,
        power_at: impl Fn(f64, f64) -> f64,
    ) -> Result<(u64, f64), Refusal> {
        let at = |n: u64| power_at(n as f64, self.n_b(n));
        match (n_a, power) {
            (Some(n), None) => {
                let whole = n as u64;
                if whole as f64 != n || !(self.least..=PLANNED_N_MAX).contains(&whole) {
                    return Err(checks::out_of_range(
                        "n_a",
                        n,
                        format!("a whole number from {} to {PLANNED_N_MAX}", self.least),
                    ));
                }
                Ok((whole, at(whole)))
            }
            (None, Some(wanted)) => {
                checks::share("power", wanted)?;
                let (mut low, mut high) = (self.least, self.least);
                while at(high) < wanted {
                    if high >= PLANNED_N_MAX {
                        return Err(checks::out_of_range(
                            "power",
                            wanted,
                            format!("reachable with at most {PLANNED_N_MAX} in group a"),
                        ));
                    }
                    low = high;
                    high = (high * 2).min(PLANNED_N_MAX);
                }
                while high - low > 1 {
                    let middle = low + (high - low) / 2;
                    if at(middle) < wanted {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                Ok((high, at(high)))
            }
            _ => Err(Refusal::Unsuitable {
                field: "n_a".to_owned(),
                problem: "and `power` are both given or both missing".to_owned(),
                remedy: "give one of them; the other is computed",
            }),
        }
    }

    fn figures(&self, n_a: u64, power: f64) -> Figures {
        let n_b = self.n_b(n_a) as u64;
        Figures::new()
            .with("power", power)
            .with("n_a", n_a)
            .with("n_b", n_b)
            .with("n_total", n_a + n_b)
            .with("alpha", self.alpha)
    }
}

pub(crate) fn two_means(request: &PowerTwoMeans) -> Result<Answer, Refusal> {
    checks::positive("sd", request.sd)?;
    checks::number("difference", request.difference)?;
    let d = request.difference / request.sd;
    if d == 0.0 {
        return Err(checks::out_of_range("difference", 0.0, "other than 0"));
    }
    let plan = Plan::check(request.ratio, request.alpha, 2)?;
    let (n_a, power) = plan.solve(request.n_a, request.power, |n_a, n_b| {
        t_power(d.abs(), n_a, n_b, request.alpha, request.sides)
    })?;
    Ok(Answer {
        analysis: "power_two_means",
        figures: plan.figures(n_a, power).with("cohen_d", d),
        method: format!(
            "power of the {} two-sample t-test with pooled variance by the noncentral t; n_b is ratio times n_a, rounded up",
            request.sides.words()
        ),
        notes: vec!["assumes equal variances, normal values and that sd is right".to_owned()],
    })
}

fn t_power(d: f64, n_a: f64, n_b: f64, alpha: f64, sides: Sides) -> f64 {
    let df = n_a + n_b - 2.0;
    let shift = d * sqrt(n_a * n_b / (n_a + n_b));
    let tail = sides.tail(alpha);
    let critical = if tail <= 0.5 {
        t_above(tail, df)
    } else {
        -t_above(1.0 - tail, df)
    };
    if shift > SHIFT_MAX && shift > critical + SHIFT_MAX {
        return 1.0;
    }
    if df >= NORMAL_DF_MIN {
        return normal_power(shift, critical, sides);
    }
    let above = noncentral_t(critical, df, shift).upper;
    match sides {
        Sides::One => above,
        Sides::Two => above + noncentral_t(-critical, df, shift).lower,
    }
}

fn normal_power(shift: f64, critical: f64, sides: Sides) -> f64 {
    let above = normal_upper(critical - shift);
    match sides {
        Sides::One => above,
        Sides::Two => above + normal_lower(-critical - shift),
    }
}

pub(crate) fn two_proportions(request: &PowerTwoProportions) -> Result<Answer, Refusal> {
    let a = checks::share("proportion_a", request.proportion_a)?;
    let b = checks::share("proportion_b", request.proportion_b)?;
    if a == b {
        return Err(checks::out_of_range(
            "proportion_b",
            b,
            "other than `proportion_a`",
        ));
    }
    let plan = Plan::check(request.ratio, request.alpha, 2)?;
    let critical = -normal_quantile(request.sides.tail(request.alpha));
    let (n_a, power) = plan.solve(request.n_a, request.power, |n_a, n_b| {
        let pooled = (a * n_a + b * n_b) / (n_a + n_b);
        let null = sqrt(pooled * (1.0 - pooled) * (1.0 / n_a + 1.0 / n_b));
        let planned = sqrt(a * (1.0 - a) / n_a + b * (1.0 - b) / n_b);
        let scaled = critical * null / planned;
        normal_power((a - b).abs() / planned, scaled, request.sides)
    })?;
    let mut notes = vec!["a normal approximation without continuity correction".to_owned()];
    let n_b = plan.n_b(n_a);
    if (n_a as f64 * a.min(1.0 - a)).min(n_b * b.min(1.0 - b)) < 5.0 {
        notes.push(
            "fewer than 5 expected of a kind in a group: the approximation is rough".to_owned(),
        );
    }
    Ok(Answer {
        analysis: "power_two_proportions",
        figures: plan.figures(n_a, power).with("difference", a - b),
        method: format!(
            "power of the {} z-test of two proportions, pooled variance under the hypothesis and unpooled under the plan; \
             n_b is ratio times n_a, rounded up",
            request.sides.words()
        ),
        notes,
    })
}
