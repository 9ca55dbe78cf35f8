//! Incomplete gamma and beta functions, and finding roots. Both tails are computed directly, never as one
//! minus the other where that would lose digits. `libm` is used throughout, so that every platform gives
//! the same digits.

use core::f64::consts::PI;

use libm::{exp, lgamma, log, log1p};

const ITERATIONS_MAX: usize = 100_000;
const BISECTIONS_MAX: usize = 200;
const PRECISION: f64 = 1e-16;
const NEWTON_PRECISION: f64 = 1e-13;
/// From here on Stirling's series has all the digits.
const STIRLING_MIN: f64 = 10.0;
const TINY: f64 = 1e-300;

/// The two shares a point cuts a distribution into.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tails {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

impl Tails {
    fn from_lower(lower: f64) -> Self {
        let lower = lower.clamp(0.0, 1.0);
        Self {
            lower,
            upper: 1.0 - lower,
        }
    }

    fn swap(self) -> Self {
        Self {
            lower: self.upper,
            upper: self.lower,
        }
    }
}

/// Regularised incomplete gamma function.
pub(crate) fn gamma_tails(a: f64, x: f64) -> Tails {
    if x <= 0.0 {
        return Tails::from_lower(0.0);
    }
    let front = exp(a * log(x) - x - lgamma(a));
    if x < a + 1.0 {
        let mut term = 1.0 / a;
        let mut sum = term;
        for step in 1..ITERATIONS_MAX {
            term *= x / (a + step as f64);
            sum += term;
            if term < sum * PRECISION {
                break;
            }
        }
        return Tails::from_lower(front * sum);
    }
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for step in 1..ITERATIONS_MAX {
        let step = step as f64;
        let an = -step * (step - a);
        b += 2.0;
        d = 1.0 / away_from_zero(an * d + b);
        c = away_from_zero(b + an / c);
        let factor = d * c;
        fraction *= factor;
        if (factor - 1.0).abs() < PRECISION {
            break;
        }
    }
    Tails::from_lower(front * fraction).swap()
}

/// Regularised incomplete beta function at `x`, where `y` is `1 - x` with all its digits.
pub(crate) fn beta_tails(a: f64, b: f64, x: f64, y: f64) -> Tails {
    if x <= 0.0 {
        return Tails::from_lower(0.0);
    }
    if y <= 0.0 {
        return Tails::from_lower(1.0);
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return beta_lower(b, a, y, x).swap();
    }
    beta_lower(a, b, x, y)
}

fn beta_lower(a: f64, b: f64, x: f64, y: f64) -> Tails {
    let ln_x = if x > 0.5 { log1p(-y) } else { log(x) };
    let ln_y = if y > 0.5 { log1p(-x) } else { log(y) };
    let front = exp(a * ln_x + b * ln_y - ln_beta(a, b));
    Tails::from_lower(front * beta_fraction(a, b, x) / a)
}

pub(crate) fn ln_beta(a: f64, b: f64) -> f64 {
    let (small, large) = (a.min(b), a.max(b));
    if large < STIRLING_MIN {
        return lgamma(a) + lgamma(b) - lgamma(a + b);
    }
    // The gamma functions of large arguments nearly cancel, so only their difference is computed.
    let sum = small + large;
    if small < STIRLING_MIN {
        return lgamma(small) - (sum - 0.5) * log1p(small / large) - small * log(large)
            + small
            + stirling(large)
            - stirling(sum);
    }
    -(small - 0.5) * log1p(large / small) - (large - 0.5) * log1p(small / large)
        + 0.5 * (log(2.0 * PI) - log(sum))
        + stirling(small)
        + stirling(large)
        - stirling(sum)
}

/// What Stirling's formula lacks of the log gamma function.
fn stirling(x: f64) -> f64 {
    let square = 1.0 / (x * x);
    let series = 1.0 / 12.0
        - square
            * (1.0 / 360.0
                - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square * (1.0 / 1188.0))));
    series / x
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..ITERATIONS_MAX {
        let m = step as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        let factor = d * c;
        fraction *= factor;
        if (factor - 1.0).abs() < PRECISION {
            break;
        }
    }
    fraction
}

fn away_from_zero(value: f64) -> f64 {
    if value.abs() < TINY { TINY } else { value }
}

/// Where an increasing function of `[low, high]` crosses zero, to the last digit.
pub(crate) fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..BISECTIONS_MAX {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
}

/// As `bisect`, with the slope to be faster. `f` gives the value and the slope.
pub(crate) fn newton(
    mut low: f64,
    mut high: f64,
    start: f64,
    f: impl Fn(f64) -> (f64, f64),
) -> f64 {
    let mut x = start.clamp(low, high);
    for _ in 0..BISECTIONS_MAX {
        let (value, slope) = f(x);
        if value == 0.0 {
            return x;
        }
        if value < 0.0 {
            low = x;
        } else {
            high = x;
        }
        let step = x - value / slope;
        let next = if step > low && step < high {
            step
        } else {
            low + (high - low) / 2.0
        };
        if (next - x).abs() <= NEWTON_PRECISION * x.abs() {
            return next;
        }
        x = next;
    }
    x
}
