//! A decimal of 28 digits whose operators never panic: what overflows or divides by zero is no number any more, and
//! stays so until somebody asks for it.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Neg, Sub};

use rust_decimal::{Decimal, RoundingStrategy};
use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::Refusal;

/// Significant digits shown in steps and notes; results carry all they have.
const SHOWN_DIGITS: u32 = 12;

#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub struct Number(Option<Decimal>);

impl Number {
    pub const ZERO: Self = Self(Some(Decimal::ZERO));
    pub const ONE: Self = Self(Some(Decimal::ONE));
    pub const HUNDRED: Self = Self(Some(Decimal::ONE_HUNDRED));
    pub(crate) const NONE: Self = Self(None);

    /// The number written in `text`, with or without an exponent.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let decimal = if text.contains(['e', 'E']) {
            Decimal::from_scientific(text).ok()
        } else if text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) {
            Decimal::from_str_exact(text).ok()
        } else {
            None
        };
        decimal.map(|decimal| Self(Some(decimal)))
    }

    pub fn decimal(self) -> Result<Decimal, Refusal> {
        self.0
            .map(|decimal| decimal.normalize())
            .ok_or(Refusal::Overflow)
    }

    pub(crate) fn inner(self) -> Option<Decimal> {
        self.0
    }

    pub(crate) fn map(self, with: impl FnOnce(Decimal) -> Option<Decimal>) -> Self {
        Self(self.0.and_then(with))
    }

    pub(crate) fn is_positive(self) -> bool {
        self > Self::ZERO
    }

    pub(crate) fn is_negative(self) -> bool {
        self < Self::ZERO
    }

    pub(crate) fn is_whole(self) -> bool {
        self.0.is_some_and(|decimal| decimal.is_integer())
    }

    pub(crate) fn abs(self) -> Self {
        self.map(|decimal| Some(decimal.abs()))
    }

    pub(crate) fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    pub(crate) fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// Rounded half away from zero, as people round.
    pub(crate) fn round(self, places: u32) -> Self {
        self.round_by(places, RoundingStrategy::MidpointAwayFromZero)
    }

    pub(crate) fn round_by(self, places: u32, by: RoundingStrategy) -> Self {
        self.map(|decimal| Some(decimal.round_dp_with_strategy(places, by)))
    }

    pub(crate) fn significant(self, digits: u32) -> Self {
        self.map(|decimal| decimal.round_sf(digits))
    }

    pub(crate) fn squared(self) -> Self {
        self * self
    }

    /// As text with exactly `places` digits behind the point.
    pub(crate) fn fixed(self, places: u32) -> String {
        match self.round(places).0 {
            Some(decimal) => format!("{decimal:.*}", places as usize),
            None => self.to_string(),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.significant(SHOWN_DIGITS).0 {
            Some(decimal) => decimal.normalize().fmt(out),
            None => out.write_str("(no number)"),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(decimal) => decimal.fmt(out),
            None => out.write_str("(no number)"),
        }
    }
}

impl From<Decimal> for Number {
    fn from(decimal: Decimal) -> Self {
        Self(Some(decimal))
    }
}

macro_rules! from_whole {
    ($($whole:ty),+) => {$(
        impl From<$whole> for Number {
            fn from(whole: $whole) -> Self {
                Self(Some(whole.into()))
            }
        }
    )+};
}

from_whole!(i32, u32, i64, usize);

macro_rules! operator {
    ($trait:ident, $method:ident, $checked:ident) => {
        impl<T: Into<Number>> $trait<T> for Number {
            type Output = Number;

            fn $method(self, other: T) -> Number {
                match (self.0, other.into().0) {
                    (Some(left), Some(right)) => Number(left.$checked(right)),
                    _ => Number::NONE,
                }
            }
        }
    };
}

operator!(Add, add, checked_add);
operator!(Sub, sub, checked_sub);
operator!(Mul, mul, checked_mul);
operator!(Div, div, checked_div);

impl Neg for Number {
    type Output = Self;

    fn neg(self) -> Self {
        self.map(|decimal| Some(-decimal))
    }
}

impl Sum for Number {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        numbers.fold(Self::ZERO, |sum, number| sum + number)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a number or a decimal in quotes, of at most 28 digits")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Number, E> {
        Ok(value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Number, E> {
        Ok(Decimal::from(value).into())
    }

    /// The shortest text that means the same double is what was written, for up to 15 digits.
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
        self.visit_str(&format!("{value:e}"))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Number, E> {
        Number::parse(value).ok_or_else(|| E::invalid_value(de::Unexpected::Str(value), &self))
    }
}
