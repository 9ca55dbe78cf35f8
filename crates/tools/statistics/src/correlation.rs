//! Correlation of pairs.

use libm::{atanh, sqrt, tanh};
use serde::Deserialize;

use crate::counting;
use crate::distributions::{normal_p, normal_quantile, normal_reach, t_p};
use crate::moments::{Ranks, mean, squares};
use crate::{Alternative, Answer, Figures, Interval, Level, Refusal, checks};

/// Do two lists go up and down together? `x[i]` and `y[i]` belong together.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correlation {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    #[serde(default)]
    pub alternative: Alternative,
    #[serde(default)]
    pub level: Level,
}

/// Pairs for Kendall's tau, which looks at every two of them.
pub const KENDALL_PAIRS_MAX: usize = 10_000;
const FEW: usize = 10;

fn check(request: &Correlation, needed: usize) -> Result<(), Refusal> {
    checks::sample("x", &request.x, needed)?;
    checks::sample("y", &request.y, needed)?;
    checks::same_length("x", request.x.len(), "y", request.y.len())?;
    checks::varied("x", &request.x, "a correlation")?;
    checks::varied("y", &request.y, "a correlation")
}

fn coefficient(x: &[f64], y: &[f64]) -> Result<f64, Refusal> {
    let (mean_x, mean_y) = (mean(x), mean(y));
    let (norm_x, norm_y) = (sqrt(squares(x)), sqrt(squares(y)));
    let sum: f64 = x
        .iter()
        .zip(y)
        .map(|(x, y)| (x - mean_x) / norm_x * ((y - mean_y) / norm_y))
        .sum();
    Ok(checks::computable("the correlation", sum)?.clamp(-1.0, 1.0))
}

/// t and its p-value; a perfect correlation has no finite t and a p-value of zero.
fn test(r: f64, n: f64, alternative: Alternative) -> (f64, f64) {
    let df = n - 2.0;
    let t = r * sqrt(df / ((1.0 - r) * (1.0 + r)));
    if t.is_finite() {
        return (t, t_p(t, df, alternative));
    }
    let p = match alternative {
        Alternative::TwoSided => 0.0,
        Alternative::Less => f64::from(r > 0.0),
        Alternative::Greater => f64::from(r < 0.0),
    };
    (t, p)
}

/// Fisher's z interval, one-sided if the alternative is.
fn fisher_interval(r: f64, n: f64, alternative: Alternative, level: f64) -> Interval {
    let se = 1.0 / sqrt(n - 3.0);
    let z = atanh(r);
    let one_sided = -normal_quantile(1.0 - level) * se;
    let (low, high) = match alternative {
        Alternative::TwoSided => {
            let reach = normal_reach(level) * se;
            (tanh(z - reach), tanh(z + reach))
        }
        Alternative::Less => (-1.0, tanh(z + one_sided)),
        Alternative::Greater => (tanh(z - one_sided), 1.0),
    };
    Interval { level, low, high }
}

pub(crate) fn pearson(request: &Correlation) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    check(request, 4)?;
    let n = request.x.len() as f64;
    let r = coefficient(&request.x, &request.y)?;
    let (t, p) = test(r, n, request.alternative);
    let mut notes = Vec::new();
    if request.x.len() < FEW {
        notes.push(format!("only {n} pairs: the result leans on normality"));
    }
    note_perfect(&mut notes, t);
    Ok(Answer {
        analysis: "pearson",
        figures: Figures::new()
            .with("estimate", r)
            .with("statistic", t)
            .with("df", n - 2.0)
            .with("p", p)
            .with(
                "interval",
                fisher_interval(r, n, request.alternative, level),
            )
            .with("r_squared", r * r),
        method: format!(
            "Pearson's r, {} t-test with n - 2 df, interval by Fisher's z",
            request.alternative.words()
        ),
        notes,
    })
}

pub(crate) fn spearman(request: &Correlation) -> Result<Answer, Refusal> {
    check(request, 3)?;
    request.level.check()?;
    let n = request.x.len() as f64;
    let (x, y) = (Ranks::of(&request.x), Ranks::of(&request.y));
    let rho = coefficient(&x.ranks, &y.ranks)?;
    let (t, p) = test(rho, n, request.alternative);
    let mut notes = Vec::new();
    if request.x.len() < FEW {
        notes.push(format!(
            "only {n} pairs: the t approximation is rough, and kendall counts exactly"
        ));
    }
    note_perfect(&mut notes, t);
    note_ties(&mut notes, &x, &y);
    Ok(Answer {
        analysis: "spearman",
        figures: Figures::new()
            .with("estimate", rho)
            .with("statistic", t)
            .with("df", n - 2.0)
            .with("p", p),
        method: format!(
            "Spearman's rho (Pearson's r of mean ranks), {} t approximation with n - 2 df",
            request.alternative.words()
        ),
        notes,
    })
}

pub(crate) fn kendall(request: &Correlation) -> Result<Answer, Refusal> {
    check(request, 2)?;
    request.level.check()?;
    checks::length("x", request.x.len(), 2, KENDALL_PAIRS_MAX)?;
    let (x, y) = (Ranks::of(&request.x), Ranks::of(&request.y));
    let (mut concordant, mut discordant) = (0u64, 0u64);
    for i in 1..x.ranks.len() {
        for j in 0..i {
            let product = (x.ranks[i] - x.ranks[j]) * (y.ranks[i] - y.ranks[j]);
            concordant += u64::from(product > 0.0);
            discordant += u64::from(product < 0.0);
        }
    }
    let n = x.ranks.len() as f64;
    let pairs = n * (n - 1.0) / 2.0;
    let free = |ranks: &Ranks| pairs - tied(ranks, |t| t * (t - 1.0)) / 2.0;
    let score = concordant as f64 - discordant as f64;
    let tau = score / sqrt(free(&x)) / sqrt(free(&y));
    let counted = if x.tied() || y.tied() {
        None
    } else {
        counting::discordant_pairs(x.ranks.len())
    };
    let (p, how) = match counted {
        Some(distribution) => {
            let (below, above) = (
                distribution.at_least(discordant as usize),
                distribution.at_most(discordant as usize),
            );
            let p = match request.alternative {
                Alternative::TwoSided => (2.0 * below.min(above)).min(1.0),
                Alternative::Less => below,
                Alternative::Greater => above,
            };
            (p, "exact")
        }
        None => {
            let sd = sqrt(kendall_variance(n, &x, &y));
            (
                normal_p(score / sd, request.alternative),
                "normal approximation with tie correction, without continuity correction",
            )
        }
    };
    let mut notes = Vec::new();
    note_ties(&mut notes, &x, &y);
    Ok(Answer {
        analysis: "kendall",
        figures: Figures::new()
            .with("estimate", tau)
            .with("p", p)
            .with("concordant", concordant)
            .with("discordant", discordant),
        method: format!("Kendall's tau-b, {}, {how}", request.alternative.words()),
        notes,
    })
}

fn tied(ranks: &Ranks, each: impl Fn(f64) -> f64) -> f64 {
    ranks.ties.iter().map(|&size| each(size as f64)).sum()
}

fn kendall_variance(n: f64, x: &Ranks, y: &Ranks) -> f64 {
    let spread = |t: f64| t * (t - 1.0) * (2.0 * t + 5.0);
    let triples = |t: f64| t * (t - 1.0) * (t - 2.0);
    let doubles = |t: f64| t * (t - 1.0);
    let mut variance = (spread(n) - tied(x, spread) - tied(y, spread)) / 18.0
        + tied(x, doubles) * tied(y, doubles) / (2.0 * doubles(n));
    if n > 2.0 {
        variance += tied(x, triples) * tied(y, triples) / (9.0 * triples(n));
    }
    variance
}

fn note_perfect(notes: &mut Vec<String>, t: f64) {
    if t.is_infinite() {
        notes.push(
            "the correlation is perfect: t has no finite value, and p is 0 only by approximation"
                .to_owned(),
        );
    }
}

fn note_ties(notes: &mut Vec<String>, x: &Ranks, y: &Ranks) {
    if x.tied() || y.tied() {
        notes.push("there are ties; they share their mean rank".to_owned());
    }
}
