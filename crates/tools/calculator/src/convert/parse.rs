//! Reads `mcg/kg/min`, `kg*m/s^2`, `mL/min/1.73m2` into a size and a dimension.
//!
//! `/` divides by the one factor after it; a number and the symbol right behind it are one factor.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::dimension::{Base, Dimension};
use super::rational;
use super::table::{BINARY_PREFIXES, CURRENCIES, Known, PREFIXES, Prefixes, UNITS};
use crate::{Number, Refusal};

const UNIT_BYTES_MAX: usize = 100;
const EXPONENT_MAX: i32 = 24;
const DEPTH_MAX: usize = 8;
const LARGE_POWER: i32 = 3;
const SIZE_BITS_MAX: u64 = 10_000;

pub(super) struct Unit {
    pub(super) ratio: BigRational,
    /// Where zero lies in kelvin; only a lone temperature has one.
    pub(super) offset: BigRational,
    pub(super) dimension: Dimension,
}

impl Unit {
    fn plain(ratio: BigRational, dimension: Dimension) -> Self {
        Self {
            ratio,
            offset: BigRational::zero(),
            dimension,
        }
    }

    /// Nothing where the size would need more digits than any unit has.
    fn power(&self, exponent: i32) -> Option<Self> {
        let bits = self.ratio.numer().bits().max(self.ratio.denom().bits());
        let needed = bits.checked_mul(exponent.unsigned_abs().into())?;
        let dimension = self.dimension.power(exponent)?;
        (needed <= SIZE_BITS_MAX).then(|| Self::plain(self.ratio.pow(exponent), dimension))
    }

    fn times(&self, other: &Self) -> Self {
        Self::plain(
            &self.ratio * &other.ratio,
            self.dimension.times(&other.dimension),
        )
    }
}

pub(super) fn parse(field: &'static str, text: &str) -> Result<Unit, Refusal> {
    if text.len() > UNIT_BYTES_MAX {
        return Err(Refusal::TooMany {
            field: field.to_owned(),
            count: text.len(),
            max: UNIT_BYTES_MAX,
            advice: "write the unit by its symbol".to_owned(),
        });
    }
    let whole = text.trim().replace(['(', ')', ' '], "");
    if whole.eq_ignore_ascii_case("%w/v") || whole == "%v/v" || whole == "%w/w" {
        return lookup(&whole.to_lowercase()).ok_or(Refusal::Overflow);
    }
    if let Some(unit) = temperature(text.trim()) {
        return Ok(unit);
    }
    let mut reader = Reader {
        field,
        rest: text,
        depth: 0,
    };
    let unit = reader.product()?;
    match reader.rest.trim() {
        "" => Ok(unit),
        rest => Err(reader.unknown(rest)),
    }
}

struct Reader<'a> {
    field: &'static str,
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn product(&mut self) -> Result<Unit, Refusal> {
        let mut unit = self.factor()?;
        loop {
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.after(&["/", "per "]) {
                self.rest = rest;
                let below = self.factor()?;
                unit = unit.times(&self.raised(&below, -1)?);
            } else if let Some(rest) = self.after(&["*", "·", "×", "."]) {
                self.rest = rest;
                unit = unit.times(&self.factor()?);
            } else if self.rest.is_empty() || self.rest.starts_with(')') {
                return Ok(unit);
            } else {
                unit = unit.times(&self.factor()?);
            }
        }
    }

    /// What follows one of the marks, if one stands here.
    fn after(&self, marks: &[&str]) -> Option<&'a str> {
        marks.iter().find_map(|mark| self.rest.strip_prefix(mark))
    }

    fn factor(&mut self) -> Result<Unit, Refusal> {
        self.rest = self.rest.trim_start();
        if let Some(inner) = self.rest.strip_prefix('(') {
            self.depth += 1;
            if self.depth > DEPTH_MAX {
                return Err(self.unknown(inner));
            }
            self.rest = inner;
            let unit = self.product()?;
            self.rest = self
                .rest
                .strip_prefix(')')
                .ok_or_else(|| self.unknown(self.rest))?;
            self.depth -= 1;
            let exponent = self.exponent()?;
            return self.raised(&unit, exponent);
        }
        if self.rest.starts_with(|first: char| first.is_ascii_digit()) {
            let number = self.number()?;
            let follows = self
                .rest
                .starts_with(|next: char| next.is_alphabetic() || "°%[".contains(next));
            return if follows {
                Ok(number.times(&self.symbol()?))
            } else {
                Ok(number)
            };
        }
        self.symbol()
    }

    fn number(&mut self) -> Result<Unit, Refusal> {
        let end = self
            .rest
            .find(|next: char| !next.is_ascii_digit() && next != '.')
            .unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let number = Number::parse(digits).filter(|number| number.is_positive());
        let number = number.ok_or_else(|| self.unknown(digits))?;
        self.rest = rest;
        let exponent = if rest.starts_with('^') {
            self.exponent()?
        } else {
            1
        };
        let unit = Unit::plain(rational(number.decimal()?), Dimension::default());
        self.raised(&unit, exponent)
    }

    fn symbol(&mut self) -> Result<Unit, Refusal> {
        let end = self
            .rest
            .find(|next: char| !(next.is_alphabetic() || "°%‰_[]".contains(next)))
            .unwrap_or(self.rest.len());
        // Square brackets may hold a digit, as in cm[H2O]; so may the customary cmH2O.
        let end = ["cmH2O", "cm[H2O]"]
            .iter()
            .find(|whole| self.rest.starts_with(**whole))
            .map_or(end, |whole| whole.len());
        let (symbol, rest) = self.rest.split_at(end);
        let unit = lookup(symbol).ok_or_else(|| self.unknown(symbol))?;
        if !unit.offset.is_zero() {
            return Err(Refusal::unusable(
                self.field,
                symbol,
                "a temperature scale with an offset cannot be part of a compound unit, use K",
            ));
        }
        self.rest = rest;
        let exponent = self.exponent()?;
        self.raised(&unit, exponent)
    }

    /// `^-2`, `2`, `²`, `⁻¹`, or nothing, which is one.
    fn exponent(&mut self) -> Result<i32, Refusal> {
        let marked = self.rest.strip_prefix('^');
        let from = marked.unwrap_or(self.rest);
        let mut digits = String::new();
        let mut length = 0;
        for next in from.chars() {
            let digit = match next {
                '0'..='9' => next,
                '-' | '⁻' if digits.is_empty() => '-',
                '²' => '2',
                '³' => '3',
                '¹' => '1',
                _ => break,
            };
            digits.push(digit);
            length += next.len_utf8();
        }
        if digits.is_empty() && marked.is_none() {
            return Ok(1);
        }
        let exponent = digits
            .parse::<i32>()
            .ok()
            .filter(|exponent| exponent.abs() <= EXPONENT_MAX);
        let exponent = exponent.ok_or_else(|| self.unknown(from))?;
        self.rest = &from[length..];
        Ok(exponent)
    }

    fn raised(&self, unit: &Unit, exponent: i32) -> Result<Unit, Refusal> {
        unit.power(exponent).ok_or_else(|| {
            Refusal::unusable(self.field, exponent, "the powers are too large for a unit")
        })
    }

    fn unknown(&self, unit: &str) -> Refusal {
        Refusal::UnknownUnit {
            field: self.field,
            unit: unit.to_owned(),
            at: self.rest.to_owned(),
            advice: "write symbols as in mg/dL, mcg/kg/min, kg*m/s^2, degF, GiB; units are case-sensitive",
        }
    }
}

fn temperature(text: &str) -> Option<Unit> {
    lookup(text).filter(|unit| unit.dimension == Dimension::of(Base::Temperature))
}

fn lookup(symbol: &str) -> Option<Unit> {
    let exact = UNITS.iter().find(|known| known.symbols.contains(&symbol));
    if let Some(known) = exact {
        return Some(built(known, BigRational::one()));
    }
    if let Some(code) = CURRENCIES.iter().find(|code| **code == symbol) {
        return Some(Unit::plain(
            BigRational::one(),
            Dimension::of(Base::Currency(code)),
        ));
    }
    let binary = BINARY_PREFIXES.iter().find_map(|(prefix, power)| {
        let known = prefixed(symbol, prefix, &[Prefixes::LargeAndBinary])?;
        Some(built(
            known,
            BigRational::from_integer(BigInt::from(2).pow(*power)),
        ))
    });
    binary.or_else(|| {
        PREFIXES.iter().find_map(|(prefix, power)| {
            let allowed: &[_] = if *power >= LARGE_POWER {
                &[Prefixes::Decimal, Prefixes::Large, Prefixes::LargeAndBinary]
            } else {
                &[Prefixes::Decimal]
            };
            let known = prefixed(symbol, prefix, allowed)?;
            Some(built(
                known,
                BigRational::from_integer(10.into()).pow(*power),
            ))
        })
    })
}

fn prefixed(symbol: &str, prefix: &str, allowed: &[Prefixes]) -> Option<&'static Known> {
    let rest = symbol.strip_prefix(prefix)?;
    UNITS
        .iter()
        .find(|known| allowed.contains(&known.prefixes) && known.symbols.contains(&rest))
}

fn built(known: &Known, prefix: BigRational) -> Unit {
    Unit {
        ratio: rational(known.size.0) / rational(known.size.1) * prefix,
        offset: rational(known.zero.0) / rational(known.zero.1),
        dimension: Dimension::new(known.powers),
    }
}
