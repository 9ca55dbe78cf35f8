//! Powers, roots, logarithms and exponentials on decimals. What is irrational is good to `DIGITS` digits.

use rust_decimal::{Decimal, MathematicalOps, dec};

use crate::Number;

const DIGITS: u32 = 20;
/// What is left of them after a few multiplications.
pub(crate) const HELD_DIGITS: u32 = 18;

const LN_2: Decimal = dec!(0.6931471805599453094172321215);
const SERIES_MAX: u32 = 100;
const HALVINGS_MAX: u32 = 200;
/// Below two to the minus this, nothing is left of 28 places.
const DOUBLINGS_MAX: i32 = 94;
const WHOLE_EXPONENT_MAX: Decimal = dec!(100_000);

/// The digits that hold of a number with an irrational part.
pub(crate) fn held(number: Number) -> Number {
    number.significant(HELD_DIGITS)
}

/// Whole exponents are multiplied out, so exact as far as 28 digits go.
pub(crate) fn power(base: Number, exponent: impl Into<Number>) -> Number {
    let exponent = exponent.into();
    match exponent.inner() {
        Some(whole) if whole.is_integer() && whole.abs() <= WHOLE_EXPONENT_MAX => {
            let times = whole.abs().try_into().unwrap_or(0_u64);
            let product = multiplied(base, times);
            if whole.is_sign_negative() {
                Number::ONE / product
            } else {
                product
            }
        }
        _ if base == Number::ZERO && exponent.is_positive() => Number::ZERO,
        _ => exponential_exact(exponent * logarithm_exact(base)).significant(DIGITS),
    }
}

pub(crate) fn square_root(of: Number) -> Number {
    of.map(|decimal| decimal.sqrt())
}

pub(crate) fn cube_root(of: Number) -> Number {
    let root = power(of, Number::ONE / 3);
    let near = root.round(12);
    if near * near * near == of { near } else { root }
}

pub(crate) fn logarithm(of: Number) -> Number {
    logarithm_exact(of).significant(DIGITS)
}

pub(crate) fn exponential(of: Number) -> Number {
    exponential_exact(of).significant(DIGITS)
}

fn multiplied(base: Number, mut times: u64) -> Number {
    let mut product = Number::ONE;
    let mut square = base;
    while times > 0 {
        if times % 2 == 1 {
            product = product * square;
        }
        times /= 2;
        if times > 0 {
            square = square * square;
        }
    }
    product
}

/// Halved or doubled into 0.75 to 1.5, where the series of the inverse hyperbolic tangent is short.
fn logarithm_exact(of: Number) -> Number {
    if !of.is_positive() {
        return Number::NONE;
    }
    let (low, high) = (Number::from(dec!(0.75)), Number::from(dec!(1.5)));
    let mut rest = of;
    let mut halvings = 0_i64;
    for _ in 0..HALVINGS_MAX {
        if rest > high {
            rest = rest / 2;
            halvings += 1;
        } else if rest < low {
            rest = rest * 2;
            halvings -= 1;
        } else {
            break;
        }
    }
    let ratio = (rest - 1) / (rest + 1);
    let mut term = ratio;
    let mut sum = Number::ZERO;
    for index in 0..SERIES_MAX {
        if term == Number::ZERO {
            break;
        }
        sum = sum + term / i64::from(2 * index + 1);
        term = term * ratio.squared();
    }
    sum * 2 + Number::from(LN_2) * halvings
}

fn exponential_exact(of: Number) -> Number {
    let doublings = (of / LN_2).round(0);
    if doublings < Number::from(-DOUBLINGS_MAX) {
        return Number::ZERO;
    }
    let rest = of - doublings * LN_2;
    let mut term = Number::ONE;
    let mut sum = Number::ZERO;
    for index in 1..=SERIES_MAX {
        if term == Number::ZERO {
            break;
        }
        sum = sum + term;
        term = term * rest / i64::from(index);
    }
    sum * power(Number::from(2), doublings)
}
