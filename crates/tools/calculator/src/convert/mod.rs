//! From one unit to another, by dimensions. Factors are exact fractions; only the result is rounded.

mod dimension;
mod parse;
mod substances;
mod table;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use rust_decimal::Decimal;

use crate::answer::Sheet;
use crate::describe::{Calculation, described};
use crate::{Answer, Number, Refusal};
use dimension::{Base, Dimension};
use parse::{Unit, parse};
use substances::Substance;

const PLACES_MAX: u32 = 28;
const SHOWN_DIGITS: u32 = 6;

described! {
    /// Convert a value between units: length, mass, volume, time, temperature, pressure, energy, power, speed,
    /// amount, concentration, dose rates (mcg/kg/min), percent w/v, data sizes, currencies.
    Convert {
        /// The number to convert.
        value: Number,
        /// Its unit, for example mg/dL, kg*m/s^2, mcg/kg/min, degF, %w/v, GiB, EUR.
        from: String,
        /// The unit wanted.
        to: String,
        /// What it is, to go between mass, moles and equivalents: for example glucose, creatinine, calcium.
        substance: Option<String>,
        /// What links two kinds of units, for example 0.025 mcg/IU, 1.08 USD/EUR, 0.789 g/mL, 151.16 g/mol.
        factor: Option<Factor>,
    }
}

described! {
    /// A number with a compound unit that links two kinds of units.
    Factor {
        /// The number.
        value: Number,
        /// Its unit, for example mcg/IU or USD/EUR.
        unit: String,
    }
}

/// What takes one dimension to another, and how it is told to the reader.
struct Bridge {
    ratio: BigRational,
    dimension: Dimension,
    text: String,
}

impl Calculation for Convert {
    fn answer(&self) -> Result<Answer, Refusal> {
        let from = parse("from", &self.from)?;
        let to = parse("to", &self.to)?;
        let mut sheet = Sheet::new(
            "SI Brochure (BIPM 2019) and NIST SP 811 (2008): exact factors, by dimensions",
        );
        let bridge = self.bridge(&from, &to, &mut sheet)?;
        let base = rational(self.value.decimal()?) * &from.ratio + &from.offset;
        if from.dimension == Dimension::of(Base::Temperature) && base.is_negative() {
            return Err(Refusal::unusable(
                "value",
                format!("{} {}", self.value, self.from),
                "this is below absolute zero, check the number and its unit",
            ));
        }
        let exact = (&base * &bridge - &to.offset) / &to.ratio;
        let number = decimal(&exact, &mut sheet)?;
        if from.offset.is_zero() && to.offset.is_zero() {
            let factor = shown(&(&from.ratio * bridge / &to.ratio));
            sheet.step(format!("1 {} = {factor} {}", self.from, self.to));
            sheet.step(format!(
                "{} {} × {factor} = {number} {}",
                self.value, self.from, self.to
            ));
        } else {
            let kelvin = shown(&base);
            sheet.step(format!(
                "{} {} × {} + {} = {kelvin} K",
                self.value,
                self.from,
                shown(&from.ratio),
                shown(&from.offset),
            ));
            sheet.step(format!(
                "({kelvin} K − {}) ÷ {} = {number} {}",
                shown(&to.offset),
                shown(&to.ratio),
                self.to
            ));
        }
        let mut answer = sheet.number(number, &self.to, 0)?;
        answer.rounded = Some(number.significant(SHOWN_DIGITS).to_string());
        Ok(answer)
    }
}

impl Convert {
    /// The factor between the two dimensions: one where they are the same.
    fn bridge(&self, from: &Unit, to: &Unit, sheet: &mut Sheet) -> Result<BigRational, Refusal> {
        let bridges = self.bridges()?;
        if from.dimension == to.dimension {
            return Ok(BigRational::one());
        }
        for bridge in bridges {
            if from.dimension.times(&bridge.dimension) == to.dimension {
                sheet.step(format!("multiply by {}", bridge.text));
                return Ok(bridge.ratio);
            }
            if to.dimension.times(&bridge.dimension) == from.dimension {
                sheet.step(format!("divide by {}", bridge.text));
                return Ok(bridge.ratio.recip());
            }
        }
        Err(Refusal::DifferentDimensions {
            from: self.from.clone(),
            from_measures: from.dimension.to_string(),
            to: self.to.clone(),
            to_measures: to.dimension.to_string(),
            advice: advice(&from.dimension, &to.dimension),
        })
    }

    fn bridges(&self) -> Result<Vec<Bridge>, Refusal> {
        let mut bridges = Vec::new();
        if let Some(factor) = &self.factor {
            let unit = parse("factor.unit", &factor.unit)?;
            if !factor.value.is_positive() {
                return Err(Refusal::unusable(
                    "factor.value",
                    factor.value,
                    "give a number above zero",
                ));
            }
            bridges.push(Bridge {
                ratio: rational(factor.value.decimal()?) * unit.ratio,
                dimension: unit.dimension,
                text: format!("the given factor {} {}", factor.value, factor.unit),
            });
        }
        if let Some(name) = &self.substance {
            let substance = Substance::named(name)?;
            bridges.extend(substance.bridges());
        }
        Ok(bridges)
    }
}

fn advice(from: &Dimension, to: &Dimension) -> &'static str {
    let links = |base: &Base| from.has(base) != to.has(base);
    if from.has_currency() || to.has_currency() {
        "give the rate as `factor`, for example 1.08 USD/EUR"
    } else if links(&Base::InternationalUnit) {
        "international units differ for each substance, give `factor`, for example 0.025 mcg/IU"
    } else if links(&Base::Amount) || links(&Base::Equivalent) {
        "give `substance`, or its molar mass as `factor` in g/mol"
    } else {
        "choose units of one kind, or give `factor`, for example a density in g/mL"
    }
}

fn rational(decimal: Decimal) -> BigRational {
    BigRational::new(
        decimal.mantissa().into(),
        BigInt::from(10).pow(decimal.scale()),
    )
}

/// The nearest decimal. Refused when too large; noted when little is left of it.
fn decimal(exact: &BigRational, sheet: &mut Sheet) -> Result<Number, Refusal> {
    let number = nearest(exact).ok_or(Refusal::Overflow)?;
    if &rational(number.decimal()?) != exact && number.abs() < Number::from(Decimal::new(1, 12)) {
        sheet.note(
            "The result is so small that digits past the 28th place are lost; use a smaller unit.",
        );
    }
    Ok(number)
}

fn nearest(exact: &BigRational) -> Option<Number> {
    let half = BigRational::new(1.into(), 2.into());
    for places in (0..=PLACES_MAX).rev() {
        let scaled = exact * BigRational::from_integer(BigInt::from(10).pow(places));
        let whole = (scaled.abs() + &half).floor().to_integer() * scaled.numer().signum();
        if let Some(decimal) = whole
            .to_i128()
            .and_then(|whole| Decimal::try_from_i128_with_scale(whole, places).ok())
        {
            return Some(decimal.normalize().into());
        }
    }
    None
}

fn shown(exact: &BigRational) -> String {
    match nearest(exact) {
        Some(number) if number != Number::ZERO => number.to_string(),
        _ if exact.is_zero() => "0".to_owned(),
        _ => {
            let digits = |whole: &BigInt| whole.to_string().trim_start_matches('-').len();
            let above = digits(exact.numer());
            let below = digits(exact.denom());
            match above.checked_sub(below) {
                Some(power) => format!("about 10^{power}"),
                None => format!("about 10^-{}", below - above),
            }
        }
    }
}
