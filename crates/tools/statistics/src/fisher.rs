//! Fisher's exact test of a two-by-two table.

use libm::{exp, lgamma, log};
use serde::Deserialize;

use crate::checks::{self, Count};
use crate::special::bisect;
use crate::tables::Margins;
use crate::{Alternative, Answer, Figures, Interval, Level, Refusal};

/// Is a two-by-two table independent, given its margins?
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FisherExact {
    pub table: Vec<Vec<Count>>,
    #[serde(default)]
    pub alternative: Alternative,
    #[serde(default)]
    pub level: Level,
}

/// All that a table counts, so that its distribution stays small enough to sum.
pub const FISHER_TOTAL_MAX: u64 = 200_000;
/// Tables this close in probability to the one seen count as equally likely.
const ALIKE: f64 = 1e-7;
/// Beyond this log odds ratio nothing is looked for.
const LN_ODDS_MAX: f64 = 700.0;

pub(crate) fn fisher_exact(request: &FisherExact) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    let table = Margins::of(&request.table)?;
    if !table.two_by_two() {
        return Err(Refusal::Unsuitable {
            field: "table".to_owned(),
            problem: format!("is {} by {}", table.rows.len(), table.columns.len()),
            remedy: "give two rows of two counts, or use chi_square_independence",
        });
    }
    if table.total > FISHER_TOTAL_MAX as f64 {
        return Err(checks::out_of_range(
            "table",
            table.total,
            format!("at most {FISHER_TOTAL_MAX} in all, or use chi_square_independence"),
        ));
    }
    let given = Conditional::of(&table);
    let [[a, b], [c, d]] = [0, 1].map(|row| [table.cells[row][0], table.cells[row][1]]);
    let mut notes = Vec::new();
    if a * b * c * d == 0.0 {
        notes
            .push("a count is zero: the odds ratio or its interval is open on one side".to_owned());
    }
    let alpha = 1.0 - level;
    let (low, high) = match request.alternative {
        Alternative::TwoSided => (given.low(alpha / 2.0), given.high(alpha / 2.0)),
        Alternative::Less => (0.0, given.high(alpha)),
        Alternative::Greater => (given.low(alpha), f64::INFINITY),
    };
    let sides = match request.alternative {
        Alternative::TwoSided => "two-sided by the sum over tables no likelier than the one seen",
        other => other.words(),
    };
    Ok(Answer {
        analysis: "fisher_exact",
        figures: Figures::new()
            .with("p", given.p(request.alternative))
            .with("odds_ratio", given.estimate())
            .with("odds_ratio_sample", a * d / (b * c))
            .with("interval", Interval { level, low, high }),
        method: format!(
            "Fisher's exact test, {sides}; odds ratio by conditional maximum likelihood with exact conditional \
             interval; odds_ratio_sample is ad / bc"
        ),
        notes,
    })
}

/// The first cell's distribution given the margins.
struct Conditional {
    least: f64,
    seen: usize,
    /// Log weights at odds ratio one.
    weights: Vec<f64>,
}

impl Conditional {
    fn of(table: &Margins) -> Self {
        let (row, column, total) = (table.rows[0], table.columns[0], table.total);
        let least = (row + column - total).max(0.0);
        let most = row.min(column);
        let ln_choose = |n: f64, k: f64| lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
        let weights = (0..=(most - least) as usize)
            .map(|step| {
                let k = least + step as f64;
                ln_choose(row, k) + ln_choose(total - row, column - k)
            })
            .collect();
        Self {
            least,
            seen: (table.cells[0][0] - least) as usize,
            weights,
        }
    }

    fn probabilities(&self, ln_odds: f64) -> Vec<f64> {
        let tilted: Vec<f64> = self
            .weights
            .iter()
            .enumerate()
            .map(|(step, weight)| weight + ln_odds * step as f64)
            .collect();
        let top = tilted.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut shares: Vec<f64> = tilted.iter().map(|weight| exp(weight - top)).collect();
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        shares
    }

    fn p(&self, alternative: Alternative) -> f64 {
        let shares = self.probabilities(0.0);
        let p: f64 = match alternative {
            Alternative::TwoSided => {
                let bound = shares[self.seen] * (1.0 + ALIKE);
                shares.iter().filter(|&&share| share <= bound).sum()
            }
            Alternative::Less => shares[..=self.seen].iter().sum(),
            Alternative::Greater => shares[self.seen..].iter().sum(),
        };
        p.min(1.0)
    }

    fn estimate(&self) -> f64 {
        if self.seen == 0 {
            return 0.0;
        }
        if self.seen + 1 == self.weights.len() {
            return f64::INFINITY;
        }
        let seen = self.least + self.seen as f64;
        let ln_odds = bisect(-LN_ODDS_MAX, LN_ODDS_MAX, |ln_odds| {
            let mean: f64 = self
                .probabilities(ln_odds)
                .iter()
                .enumerate()
                .map(|(step, share)| (self.least + step as f64) * share)
                .sum();
            mean - seen
        });
        exp(ln_odds)
    }

    /// Where seeing as much or more becomes as unlikely as `tail`.
    fn low(&self, tail: f64) -> f64 {
        if self.seen == 0 {
            return 0.0;
        }
        exp(bisect(-LN_ODDS_MAX, LN_ODDS_MAX, |ln_odds| {
            let above: f64 = self.probabilities(ln_odds)[self.seen..].iter().sum();
            log(above.max(f64::MIN_POSITIVE)) - log(tail)
        }))
    }

    /// Where seeing as little or less becomes as unlikely as `tail`.
    fn high(&self, tail: f64) -> f64 {
        if self.seen + 1 == self.weights.len() {
            return f64::INFINITY;
        }
        exp(bisect(-LN_ODDS_MAX, LN_ODDS_MAX, |ln_odds| {
            let below: f64 = self.probabilities(ln_odds)[..=self.seen].iter().sum();
            log(tail) - log(below.max(f64::MIN_POSITIVE))
        }))
    }
}
