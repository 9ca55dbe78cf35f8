//! Tails and quantiles of the distributions the tests need.

use core::f64::consts::{FRAC_1_SQRT_2, PI};

use libm::{erfc, exp, lgamma, log, sqrt};

use crate::Alternative;
use crate::special::{Tails, beta_tails, bisect, gamma_tails, ln_beta, newton};

/// Terms of the noncentral series on either side of its largest.
const SERIES_MAX: usize = 100_000;
const NEGLIGIBLE: f64 = 1e-18;

pub(crate) fn normal_lower(z: f64) -> f64 {
    0.5 * erfc(-z * FRAC_1_SQRT_2)
}

pub(crate) fn normal_upper(z: f64) -> f64 {
    0.5 * erfc(z * FRAC_1_SQRT_2)
}

fn normal_density(z: f64) -> f64 {
    exp(-0.5 * z * z) / sqrt(2.0 * PI)
}

pub(crate) fn normal_p(z: f64, alternative: Alternative) -> f64 {
    match alternative {
        Alternative::TwoSided => (2.0 * normal_upper(z.abs())).min(1.0),
        Alternative::Less => normal_lower(z),
        Alternative::Greater => normal_upper(z),
    }
}

/// Acklam's rational start, brought to full precision by two steps of Halley.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    let mut z = if p < 0.02425 {
        let q = sqrt(-2.0 * log(p));
        polynomial(
            q,
            &[
                -7.784894002430293e-3,
                -0.3223964580411365,
                -2.400758277161838,
                -2.549732539343734,
                4.374664141464968,
                2.938163982698783,
            ],
        ) / polynomial(
            q,
            &[
                7.784695709041462e-3,
                0.3224671290700398,
                2.445134137142996,
                3.754408661907416,
                1.0,
            ],
        )
    } else {
        let q = p - 0.5;
        let r = q * q;
        q * polynomial(
            r,
            &[
                -39.69683028665376,
                220.9460984245205,
                -275.9285104469687,
                138.357751867269,
                -30.66479806614716,
                2.506628277459239,
            ],
        ) / polynomial(
            r,
            &[
                -54.47609879822406,
                161.5858368580409,
                -155.6989798598866,
                66.80131188771972,
                -13.28068155288572,
                1.0,
            ],
        )
    };
    for _ in 0..2 {
        let off = (normal_lower(z) - p) / normal_density(z);
        z -= off / (1.0 + 0.5 * z * off);
    }
    z
}

fn polynomial(x: f64, coefficients: &[f64]) -> f64 {
    coefficients
        .iter()
        .fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// The normal quantile that leaves `level` between itself and its mirror.
pub(crate) fn normal_reach(level: f64) -> f64 {
    -normal_quantile((1.0 - level) / 2.0)
}

pub(crate) fn t_upper(t: f64, df: f64) -> f64 {
    let square = t * t;
    let tails = beta_tails(df / 2.0, 0.5, df / (df + square), square / (df + square));
    if t >= 0.0 {
        0.5 * tails.lower
    } else {
        0.5 + 0.5 * tails.upper
    }
}

pub(crate) fn t_p(t: f64, df: f64, alternative: Alternative) -> f64 {
    match alternative {
        Alternative::TwoSided => (2.0 * t_upper(t.abs(), df)).min(1.0),
        Alternative::Less => t_upper(-t, df),
        Alternative::Greater => t_upper(t, df),
    }
}

/// The point of the t distribution with `tail` above it, for a tail of at most a half.
pub(crate) fn t_above(tail: f64, df: f64) -> f64 {
    let mut high = 2.0;
    while t_upper(high, df) > tail && high < 1e150 {
        high *= 2.0;
    }
    let ln_front = lgamma((df + 1.0) / 2.0) - lgamma(df / 2.0) - 0.5 * log(df * PI);
    newton(0.0, high, -normal_quantile(tail), |t| {
        let density = exp(ln_front - 0.5 * (df + 1.0) * libm::log1p(t * t / df));
        (tail - t_upper(t, df), density)
    })
}

pub(crate) fn t_reach(level: f64, df: f64) -> f64 {
    t_above((1.0 - level) / 2.0, df)
}

pub(crate) fn chi_square_upper(x: f64, df: f64) -> f64 {
    gamma_tails(df / 2.0, x / 2.0).upper
}

pub(crate) fn f_upper(f: f64, above: f64, below: f64) -> f64 {
    let sum = below + above * f;
    beta_tails(below / 2.0, above / 2.0, below / sum, above * f / sum).lower
}

pub(crate) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let ln_front = ln_beta(a, b);
    let middle = a / (a + b);
    let start = if a > 1.0 && b > 1.0 {
        middle + normal_quantile(p) * sqrt(middle * (1.0 - middle) / (a + b + 1.0))
    } else {
        middle
    };
    // Never on the edge, where the density says nothing of the way inwards.
    let start = start.clamp(middle * 0.01, 1.0 - (1.0 - middle) * 0.01);
    newton(0.0, 1.0, start, |x| {
        let density = exp((a - 1.0) * log(x) + (b - 1.0) * libm::log1p(-x) - ln_front);
        (beta_tails(a, b, x, 1.0 - x).lower - p, density)
    })
}

/// Noncentral t: a Poisson mixture of beta tails, summed outwards from its largest term.
pub(crate) fn noncentral_t(t: f64, df: f64, shift: f64) -> Tails {
    if t < 0.0 {
        let mirrored = noncentral_t(-t, df, -shift);
        return Tails {
            lower: mirrored.upper,
            upper: mirrored.lower,
        };
    }
    let half = shift * shift / 2.0;
    if half < 1e-30 {
        let upper = t_upper(t, df);
        return Tails {
            lower: 1.0 - upper,
            upper,
        };
    }
    let (x, y) = (t * t / (df + t * t), df / (df + t * t));
    let term = |j: f64| {
        let even = exp(j * log(half) - half - lgamma(j + 1.0));
        let odd = exp((j + 0.5) * log(half) - half - lgamma(j + 1.5)) * shift.signum();
        let sum = even * beta_tails(j + 0.5, df / 2.0, x, y).lower
            + odd * beta_tails(j + 1.0, df / 2.0, x, y).lower;
        (sum, even.max(odd.abs()))
    };
    let middle = half.floor();
    let mut sum = 0.0;
    for step in 0..SERIES_MAX {
        let (add, weight) = term(middle + step as f64);
        sum += add;
        if weight < NEGLIGIBLE {
            break;
        }
    }
    for step in 1..SERIES_MAX {
        let j = middle - step as f64;
        if j < 0.0 {
            break;
        }
        let (add, weight) = term(j);
        sum += add;
        if weight < NEGLIGIBLE {
            break;
        }
    }
    let lower = (normal_upper(shift) + 0.5 * sum).clamp(0.0, 1.0);
    Tails {
        lower,
        upper: 1.0 - lower,
    }
}

/// The shift for which a noncentral t lies below `t` with probability `lower`.
pub(crate) fn noncentral_shift(t: f64, df: f64, lower: f64) -> f64 {
    let reach = 10.0 * sqrt(1.0 + t * t / (2.0 * df)) + 2.0;
    bisect(t - reach, t + reach, |shift| {
        lower - noncentral_t(t, df, shift).lower
    })
}

#[cfg(test)]
#[path = "distributions_tests.rs"]
mod tests;
