//! Interest, loans, returns, prices and the cost of health. Rates are in percent; sums of money come out to the cent.

mod cash_flows;
mod depreciation;
mod growth;
mod health;
mod internal_rate;
mod loan;
mod money;
mod pricing;

use crate::describe::choice;
use crate::{Number, Refusal};
use rust_decimal::{Decimal, RoundingStrategy, dec};

pub(crate) use cash_flows::{NetPresentValue, Payback};
pub(crate) use depreciation::Depreciation;
pub(crate) use growth::{CompoundInterest, GrowthRate, SimpleInterest};
pub(crate) use health::{BudgetImpact, CostEffectiveness, CostPerOutcome, QualityYears};
pub(crate) use internal_rate::{DatedRate, InternalRate};
pub(crate) use loan::Loan;
pub(crate) use money::{Round, Split};
pub(crate) use pricing::{BreakEven, Margin, Tax};

/// Cash flows of one request.
const FLOWS_MAX: usize = 400;
const PLACES_MAX: u32 = 12;
const CENTS: u32 = 2;
const RATE_LOW: Decimal = dec!(-99);
const RATE_HIGH: Decimal = dec!(1000);

choice! {
    /// How a number is rounded: half_even to the even neighbour, half_up away from zero, down towards zero.
    Rounding {
        HalfEven = "half_even",
        HalfUp = "half_up",
        Down = "down",
    }
}

impl Rounding {
    fn apply(self, number: Number, places: u32) -> Number {
        number.round_by(
            places,
            match self {
                Self::HalfEven => RoundingStrategy::MidpointNearestEven,
                Self::HalfUp => RoundingStrategy::MidpointAwayFromZero,
                Self::Down => RoundingStrategy::ToZero,
            },
        )
    }

    fn word(self) -> &'static str {
        match self {
            Self::HalfEven => "half to even",
            Self::HalfUp => "half up",
            Self::Down => "down",
        }
    }
}

fn places(given: Option<u32>) -> Result<u32, Refusal> {
    match given.unwrap_or(CENTS) {
        places if places > PLACES_MAX => Err(Refusal::unusable(
            "places",
            places,
            format!("give 0 to {PLACES_MAX}"),
        )),
        places => Ok(places),
    }
}

fn positive(field: &str, value: Number) -> Result<(), Refusal> {
    if value.is_positive() {
        Ok(())
    } else {
        Err(Refusal::unusable(field, value, "give a number above zero"))
    }
}

fn not_negative(field: &str, value: Number) -> Result<(), Refusal> {
    if value.is_negative() {
        Err(Refusal::unusable(field, value, "give zero or more"))
    } else {
        Ok(())
    }
}

/// A rate in percent as a fraction.
fn rate(field: &'static str, percent: Number) -> Result<Number, Refusal> {
    if percent < Number::from(RATE_LOW) || percent > Number::from(RATE_HIGH) {
        return Err(Refusal::OutOfRange {
            field,
            value: percent.to_string(),
            low: RATE_LOW.to_string(),
            high: RATE_HIGH.to_string(),
            unit: "percent",
        });
    }
    Ok(percent / 100)
}

fn flows_within(field: &str, count: usize) -> Result<(), Refusal> {
    if count < 2 {
        return Err(Refusal::missing(
            field,
            "give at least two cash flows, the first at the start",
        ));
    }
    if count > FLOWS_MAX {
        return Err(Refusal::TooMany {
            field: field.to_owned(),
            count,
            max: FLOWS_MAX,
            advice: "sum them up by longer periods".to_owned(),
        });
    }
    Ok(())
}
