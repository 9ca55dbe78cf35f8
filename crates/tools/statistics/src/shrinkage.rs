//! Ratios of observed to expected counts, drawn towards one where counts are small: the empirical Bayes geometric mean with
//! a mixture of two gamma distributions as prior.

use libm::{exp, lgamma, log, log1p};

use crate::Interval;
use crate::special::{bisect, gamma_tails};

/// What ratios are likely before anything was counted: a gamma distribution (shape, rate) with this share, and another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GammaMixture {
    pub share: f64,
    pub first: (f64, f64),
    pub second: (f64, f64),
}

impl GammaMixture {
    /// The values from which fits of this prior usually start, as published with the method.
    pub const CUSTOMARY: Self = Self {
        share: 1.0 / 3.0,
        first: (0.2, 0.1),
        second: (2.0, 4.0),
    };
}

/// A shrunk ratio and the interval that has this share of its probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShrunkRatio {
    pub mean: f64,
    pub interval: Interval,
}

/// A ratio beyond this is not looked for.
const RATIO_MAX: f64 = 1e6;
const EXPECTED_MIN: f64 = 1e-9;
const EXPECTED_MAX: f64 = 1e12;

/// The shrunk ratio of `observed` to `expected`, with the middle share `level` of its distribution. Nothing if `expected` is
/// not above zero or the level is not between 0 and 1.
pub fn shrunk_ratio(
    observed: u64,
    expected: f64,
    prior: &GammaMixture,
    level: f64,
) -> Option<ShrunkRatio> {
    let is_expected = (EXPECTED_MIN..=EXPECTED_MAX).contains(&expected);
    let is_level = level > 0.0 && level < 1.0;
    if !(is_expected && is_level) {
        return None;
    }
    let count = observed as f64;
    let posterior = |(shape, rate): (f64, f64)| (shape + count, rate + expected);
    let (first, second) = (posterior(prior.first), posterior(prior.second));
    let likely = log(prior.share) + ln_likelihood(count, expected, prior.first);
    let other = log(1.0 - prior.share) + ln_likelihood(count, expected, prior.second);
    let share = 1.0 / (1.0 + exp(other - likely));
    let ln_mean = |(shape, rate): (f64, f64)| digamma(shape) - log(rate);
    let mean = exp(share * ln_mean(first) + (1.0 - share) * ln_mean(second));
    let below = |ratio: f64| {
        let tail = |(shape, rate): (f64, f64)| gamma_tails(shape, ratio * rate).lower;
        share * tail(first) + (1.0 - share) * tail(second)
    };
    let edge = (1.0 - level) / 2.0;
    let quantile = |p: f64| bisect(0.0, RATIO_MAX, |ratio| below(ratio) - p);
    Some(ShrunkRatio {
        mean,
        interval: Interval {
            level,
            low: quantile(edge),
            high: quantile(1.0 - edge),
        },
    })
}

/// Of a count whose rate is gamma distributed: the negative binomial, without the factor that all priors share.
fn ln_likelihood(count: f64, expected: f64, (shape, rate): (f64, f64)) -> f64 {
    lgamma(shape + count)
        - lgamma(shape)
        - count * log1p(rate / expected)
        - shape * log1p(expected / rate)
}

/// The slope of the logarithm of the gamma function, for arguments above zero.
fn digamma(mut x: f64) -> f64 {
    const SERIES_MIN: f64 = 12.0;
    let mut below = 0.0;
    while x < SERIES_MIN {
        below -= 1.0 / x;
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series = inverse
        * (1.0 / 12.0
            - inverse
                * (1.0 / 120.0
                    - inverse * (1.0 / 252.0 - inverse * (1.0 / 240.0 - inverse / 132.0))));
    below + log(x) - 0.5 / x - series
}

#[cfg(test)]
#[path = "shrinkage_tests.rs"]
mod tests;
