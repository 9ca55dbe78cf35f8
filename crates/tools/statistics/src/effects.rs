//! Effect sizes.

use libm::{exp, log, sqrt};
use serde::Deserialize;

use crate::checks::{self, Count};
use crate::distributions::{noncentral_shift, normal_reach};
use crate::groups::{Parted, SeveralGroups};
use crate::intervals::newcombe;
use crate::moments::{Ranks, mean_difference, variance};
use crate::special::ln_beta;
use crate::tables::{Correction, Margins};
use crate::{Answer, Figures, Interval, Level, Refusal};

/// How far apart two samples are.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DifferenceEffect {
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    #[serde(default)]
    pub level: Level,
}

/// How strongly rows and columns of a table belong together.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssociationEffect {
    pub table: Vec<Vec<Count>>,
}

/// What an exposure does to a risk: those with and without the event, exposed and not.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiskEffect {
    pub exposed_event: Count,
    pub exposed_no_event: Count,
    pub unexposed_event: Count,
    pub unexposed_no_event: Count,
    #[serde(default)]
    pub level: Level,
}

/// Beyond this t the noncentral distribution is not inverted and the normal one serves.
const NONCENTRAL_T_MAX: f64 = 100.0;
const CORRECTION_ADDED: f64 = 0.5;

pub(crate) fn difference(request: &DifferenceEffect) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    checks::sample("a", &request.a, 2)?;
    checks::sample("b", &request.b, 2)?;
    let flat =
        [&request.a, &request.b].map(|values| checks::constant(values, checks::magnitude(values)));
    if flat == [true, true] {
        return Err(Refusal::Constant {
            field: "a and b".to_owned(),
            what: "a standardised difference",
        });
    }
    let (n_a, n_b) = (request.a.len() as f64, request.b.len() as f64);
    let df = n_a + n_b - 2.0;
    let apart = mean_difference(&request.a, &request.b);
    let pooled = ((n_a - 1.0) * variance(&request.a) + (n_b - 1.0) * variance(&request.b)) / df;
    let d = checks::computable("Cohen's d", apart / sqrt(pooled))?;
    // Gamma(df / 2) / (sqrt(df / 2) Gamma((df - 1) / 2)); the ratio of gammas is a beta function of a half.
    let shrink =
        exp(log(core::f64::consts::PI) / 2.0 - ln_beta((df - 1.0) / 2.0, 0.5)) / sqrt(df / 2.0);
    let harmonic = sqrt(n_a * n_b / (n_a + n_b));
    let mut notes = Vec::new();
    let (interval, how) = match noncentral_interval(d, harmonic, df, level) {
        Some(interval) => (interval, "inverting the noncentral t"),
        None => {
            notes.push("so large a difference has no noncentral interval".to_owned());
            let se = sqrt(1.0 / (harmonic * harmonic) + d * d / (2.0 * df));
            let reach = normal_reach(level) * se;
            let interval = Interval {
                level,
                low: d - reach,
                high: d + reach,
            };
            (interval, "the large-sample normal distribution of d")
        }
    };
    if request.a.len().min(request.b.len()) < 10 {
        notes.push("a sample has fewer than 10 values: read hedges_g, not cohen_d".to_owned());
    }
    let glass_delta = if flat[1] {
        notes.push("`b` does not vary: Glass's delta is not defined".to_owned());
        f64::NAN
    } else {
        apart / sqrt(variance(&request.b))
    };
    let superiority = superiority(&request.a, &request.b);
    Ok(Answer {
        analysis: "difference_effect",
        figures: Figures::new()
            .with("mean_difference", apart)
            .with("cohen_d", d)
            .with("cohen_d_interval", interval)
            .with("hedges_g", d * shrink)
            .with(
                "hedges_g_interval",
                Interval {
                    level,
                    low: interval.low * shrink,
                    high: interval.high * shrink,
                },
            )
            .with("glass_delta", glass_delta)
            .with("cliff_delta", 2.0 * superiority - 1.0)
            .with("superiority", superiority),
        method: format!(
            "a - b: Cohen's d by the pooled sd; Hedges' g with the exact gamma correction; intervals by {how}; Glass's \
             delta by the sd of b; Cliff's delta = P(a > b) - P(a < b)"
        ),
        notes,
    })
}

/// None if t is too far out to invert its noncentral distribution.
fn noncentral_interval(d: f64, harmonic: f64, df: f64, level: f64) -> Option<Interval> {
    let t = d * harmonic;
    let tail = (1.0 - level) / 2.0;
    (t.abs() <= NONCENTRAL_T_MAX).then(|| Interval {
        level,
        low: noncentral_shift(t, df, 1.0 - tail) / harmonic,
        high: noncentral_shift(t, df, tail) / harmonic,
    })
}

/// P(a > b) + P(a = b) / 2.
fn superiority(a: &[f64], b: &[f64]) -> f64 {
    let both: Vec<f64> = a.iter().chain(b).copied().collect();
    let (n_a, n_b) = (a.len() as f64, b.len() as f64);
    let sum: f64 = Ranks::of(&both).ranks[..a.len()].iter().sum();
    (sum - n_a * (n_a + 1.0) / 2.0) / (n_a * n_b)
}

pub(crate) fn variance_explained(request: &SeveralGroups) -> Result<Answer, Refusal> {
    let parted = Parted::of(&request.groups)?;
    let mut notes = Vec::new();
    if parted.omega_squared() < 0.0 {
        notes.push("omega squared below zero means no difference beyond chance".to_owned());
    }
    let eta_squared = checks::computable("eta squared", parted.eta_squared())?;
    Ok(Answer {
        analysis: "variance_explained",
        figures: Figures::new()
            .with("eta_squared", eta_squared)
            .with("omega_squared", parted.omega_squared())
            .with("cohen_f", sqrt(parted.between / parted.within)),
        method: "shares of variance in a one-way layout: eta squared of the sample, omega squared corrected for chance"
            .to_owned(),
        notes,
    })
}

pub(crate) fn association(request: &AssociationEffect) -> Result<Answer, Refusal> {
    let margins = Margins::of(&request.table)?;
    let phi = if margins.two_by_two() {
        let [[a, b], [c, d]] = [0, 1].map(|row| [margins.cells[row][0], margins.cells[row][1]]);
        let (rows, columns) = (&margins.rows, &margins.columns);
        (a * d - b * c) / (sqrt(rows[0] * rows[1]) * sqrt(columns[0] * columns[1]))
    } else {
        sqrt(margins.chi_square(Correction::None) / margins.total)
    };
    Ok(Answer {
        analysis: "association_effect",
        figures: Figures::new()
            .with("cramer_v", margins.cramer_v())
            .with("phi", phi)
            .with("n", margins.total as u64),
        method: "Cramer's V and phi from Pearson's chi-square without correction; phi has a sign for two by two only"
            .to_owned(),
        notes: Vec::new(),
    })
}

pub(crate) fn risk(request: &RiskEffect) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    let counts = [
        request.exposed_event,
        request.exposed_no_event,
        request.unexposed_event,
        request.unexposed_no_event,
    ]
    .map(Count::value);
    let [a, b, c, d] = counts;
    for (name, sum) in [("exposed", a + b), ("unexposed", c + d)] {
        if sum == 0.0 {
            return Err(Refusal::Unsuitable {
                field: format!("{name}_event"),
                problem: format!("and `{name}_no_event` are both zero"),
                remedy: "count at least one in each group",
            });
        }
    }
    let mut notes = Vec::new();
    let ratios = if counts.contains(&0.0) {
        notes.push("a count is zero: 0.5 was added to all four for the two ratios".to_owned());
        Ratios::of(counts.map(|count| count + CORRECTION_ADDED), level)
    } else {
        Ratios::of(counts, level)
    };
    let (exposed, unexposed) = (a / (a + b), c / (c + d));
    let apart = exposed - unexposed;
    let interval = newcombe(exposed, a + b, unexposed, c + d, level);
    let certain = interval.low > 0.0 || interval.high < 0.0;
    if !certain {
        notes.push(
            "the risk difference may be zero: the number needed to treat has no bounded interval"
                .to_owned(),
        );
    }
    let (nnt_low, nnt_high) = if certain {
        let bounds = [1.0 / interval.low.abs(), 1.0 / interval.high.abs()];
        (bounds[0].min(bounds[1]), bounds[0].max(bounds[1]))
    } else {
        (f64::NAN, f64::NAN)
    };
    Ok(Answer {
        analysis: "risk_effect",
        figures: Figures::new()
            .with("risk_exposed", exposed)
            .with("risk_unexposed", unexposed)
            .with("odds_ratio", ratios.odds_ratio)
            .with("odds_ratio_interval", ratios.odds_interval)
            .with("risk_ratio", ratios.risk_ratio)
            .with("risk_ratio_interval", ratios.risk_interval)
            .with("risk_difference", apart)
            .with("risk_difference_interval", interval)
            .with("number_needed", 1.0 / apart.abs())
            .with(
                "number_needed_interval",
                Interval {
                    level,
                    low: nnt_low,
                    high: nnt_high,
                },
            )
            .with("direction", direction(apart)),
        method: "sample odds ratio (Woolf) and risk ratio (Katz) with log intervals; risk difference with Newcombe's \
                 interval; number needed = 1 / |difference|, to harm or to benefit by its direction"
            .to_owned(),
        notes,
    })
}

fn direction(apart: f64) -> &'static str {
    if apart > 0.0 {
        "exposure goes with more events"
    } else if apart < 0.0 {
        "exposure goes with fewer events"
    } else {
        "no difference"
    }
}

/// Odds ratio and risk ratio of four counts above zero, with log intervals.
pub(crate) struct Ratios {
    pub(crate) odds_ratio: f64,
    pub(crate) odds_interval: Interval,
    pub(crate) risk_ratio: f64,
    pub(crate) risk_interval: Interval,
}

impl Ratios {
    pub(crate) fn of([a, b, c, d]: [f64; 4], level: f64) -> Self {
        let z = normal_reach(level);
        let around = |ratio: f64, se: f64| Interval {
            level,
            low: ratio * exp(-z * se),
            high: ratio * exp(z * se),
        };
        let odds_ratio = a * d / (b * c);
        let risk_ratio = (a / (a + b)) / (c / (c + d));
        // b / (a (a + b)) is 1/a - 1/(a + b) without the cancellation.
        let risk_se = sqrt(b / (a * (a + b)) + d / (c * (c + d)));
        Self {
            odds_ratio,
            odds_interval: around(odds_ratio, sqrt(1.0 / a + 1.0 / b + 1.0 / c + 1.0 / d)),
            risk_ratio,
            risk_interval: around(risk_ratio, risk_se),
        }
    }
}
