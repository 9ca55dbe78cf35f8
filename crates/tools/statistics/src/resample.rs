//! Permutation test and bootstrap: answers from the values themselves, by a seed.

use serde::Deserialize;

use crate::checks::{self, Count};
use crate::moments::{deviation, mean, mean_difference, median, quantile, seen_from};
use crate::random::Random;
use crate::{Alternative, Answer, Figures, Interval, Level, Refusal};

/// Could the difference of means have come from dealing the values out at random?
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PermutationTest {
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    #[serde(default)]
    pub alternative: Alternative,
    #[serde(default = "usual_resamples")]
    pub resamples: Count,
    pub seed: u64,
}

/// What of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    #[default]
    Mean,
    Median,
    Sd,
}

impl Statistic {
    /// May put the values into another order.
    fn measure(self, values: &mut [f64]) -> f64 {
        match self {
            Self::Mean => mean(values),
            Self::Median => median(values),
            Self::Sd => deviation(values),
        }
    }
}

/// The interval of a statistic by drawing the values anew.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BootstrapInterval {
    pub values: Vec<f64>,
    #[serde(default)]
    pub statistic: Statistic,
    #[serde(default = "usual_resamples")]
    pub resamples: Count,
    pub seed: u64,
    #[serde(default)]
    pub level: Level,
}

fn usual_resamples() -> Count {
    Count(10_000)
}

/// Resamples in one request.
pub const RESAMPLES_MAX: u64 = 1_000_000;
const RESAMPLES_MIN: u64 = 100;
/// Values drawn over all resamples.
pub const RESAMPLED_VALUES_MAX: u64 = 50_000_000;
/// Up to this many ways to deal the values out, all are tried.
const ENUMERATED_MAX: u64 = 20_000;
/// Differences this close, relative to the values, count as equal.
const ALIKE: f64 = 1e-12;

fn check_work(resamples: Count, values: usize) -> Result<(), Refusal> {
    if !(RESAMPLES_MIN..=RESAMPLES_MAX).contains(&resamples.0) {
        return Err(checks::out_of_range(
            "resamples",
            resamples.value(),
            format!("from {RESAMPLES_MIN} to {RESAMPLES_MAX}"),
        ));
    }
    let work = resamples.0.saturating_mul(values as u64);
    if work > RESAMPLED_VALUES_MAX {
        return Err(Refusal::TooMuchWork {
            work: "`resamples` times the number of values",
            got: work,
            max: RESAMPLED_VALUES_MAX,
            remedy: "request fewer resamples",
        });
    }
    Ok(())
}

pub(crate) fn permutation_test(request: &PermutationTest) -> Result<Answer, Refusal> {
    checks::sample("a", &request.a, 1)?;
    checks::sample("b", &request.b, 1)?;
    let values: Vec<f64> = request.a.iter().chain(&request.b).copied().collect();
    checks::varied("a and b", &values, "a difference")?;
    check_work(request.resamples, values.len())?;
    let deal = Deal::of(&values, request.a.len(), request.alternative);
    let ways = ways(values.len(), request.a.len());
    let (p, tried, how) = match ways {
        Some(ways) => {
            let mut extreme = 0;
            deal.each(0, 0, 0.0, &mut extreme);
            let how = "exact, over all ways to assign the values to the groups".to_owned();
            (extreme as f64 / ways as f64, ways, how)
        }
        None => {
            let extreme = deal.drawn(request.resamples.0, request.seed);
            let p = (extreme as f64 + 1.0) / (request.resamples.value() + 1.0);
            let how = format!(
                "over random deals, p = (extreme + 1) / (deals + 1), PCG32 seed {}",
                request.seed
            );
            (p, request.resamples.0, how)
        }
    };
    let sides = match request.alternative {
        Alternative::TwoSided => "two-sided by the size of the difference",
        other => other.words(),
    };
    Ok(Answer {
        analysis: "permutation_test",
        figures: Figures::new()
            .with("estimate", mean_difference(&request.a, &request.b))
            .with("p", p)
            .with("deals", tried),
        method: format!("permutation test of mean a - mean b, {sides}, {how}"),
        notes: vec![
            "assumes that without a difference the values are exchangeable between a and b"
                .to_owned(),
        ],
    })
}

fn ways(n: usize, k: usize) -> Option<u64> {
    let mut ways: u64 = 1;
    for i in 0..k.min(n - k) as u64 {
        ways = ways * (n as u64 - i) / (i + 1);
        if ways > ENUMERATED_MAX {
            return None;
        }
    }
    Some(ways)
}

/// Which deals are at least as extreme as the one seen, judged by the sum around the mean that the smaller sample gets.
/// What the larger one gets is the same with the other sign.
struct Deal {
    centred: Vec<f64>,
    hand: usize,
    seen: f64,
    close: f64,
    alternative: Alternative,
}

impl Deal {
    fn of(values: &[f64], n_a: usize, alternative: Alternative) -> Self {
        let mut centred = seen_from(mean(values), values);
        let n_b = values.len() - n_a;
        let alternative = if n_a <= n_b {
            alternative
        } else {
            centred.rotate_left(n_a);
            match alternative {
                Alternative::TwoSided => Alternative::TwoSided,
                Alternative::Less => Alternative::Greater,
                Alternative::Greater => Alternative::Less,
            }
        };
        let hand = n_a.min(n_b);
        Self {
            hand,
            seen: centred[..hand].iter().sum(),
            close: ALIKE * centred.iter().map(|value| value.abs()).sum::<f64>(),
            centred,
            alternative,
        }
    }

    fn extreme(&self, sum: f64) -> u64 {
        u64::from(match self.alternative {
            Alternative::TwoSided => sum.abs() >= self.seen.abs() - self.close,
            Alternative::Less => sum <= self.seen + self.close,
            Alternative::Greater => sum >= self.seen - self.close,
        })
    }

    fn each(&self, from: usize, dealt: usize, sum: f64, extreme: &mut u64) {
        if dealt == self.hand {
            *extreme += self.extreme(sum);
            return;
        }
        let last = self.centred.len() - (self.hand - dealt);
        for index in from..=last {
            self.each(index + 1, dealt + 1, sum + self.centred[index], extreme);
        }
    }

    fn drawn(&self, resamples: u64, seed: u64) -> u64 {
        let mut random = Random::new(seed);
        let mut values = self.centred.clone();
        let mut extreme = 0;
        for _ in 0..resamples {
            for index in 0..self.hand {
                let other = index + random.below(values.len() - index);
                values.swap(index, other);
            }
            extreme += self.extreme(values[..self.hand].iter().sum());
        }
        extreme
    }
}

pub(crate) fn bootstrap_interval(request: &BootstrapInterval) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    checks::sample("values", &request.values, 2)?;
    checks::varied("values", &request.values, "an interval")?;
    check_work(request.resamples, request.values.len())?;
    let mut random = Random::new(request.seed);
    let mut drawn = vec![0.0; request.values.len()];
    let mut results: Vec<f64> = (0..request.resamples.0)
        .map(|_| {
            for value in &mut drawn {
                *value = request.values[random.below(request.values.len())];
            }
            request.statistic.measure(&mut drawn)
        })
        .collect();
    let standard_error = deviation(&results);
    results.sort_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    let mut notes = Vec::new();
    if request.values.len() < 20 {
        notes.push("fewer than 20 values: a percentile interval is too short".to_owned());
    }
    let name = match request.statistic {
        Statistic::Mean => "mean",
        Statistic::Median => "median",
        Statistic::Sd => "sd",
    };
    Ok(Answer {
        analysis: "bootstrap_interval",
        figures: Figures::new()
            .with(
                "estimate",
                request.statistic.measure(&mut request.values.clone()),
            )
            .with("standard_error", standard_error)
            .with(
                "interval",
                Interval {
                    level,
                    low: quantile(&results, tail),
                    high: quantile(&results, 1.0 - tail),
                },
            )
            .with("resamples", request.resamples.0),
        method: format!(
            "percentile bootstrap of the {name}, PCG32 seed {}",
            request.seed
        ),
        notes,
    })
}
