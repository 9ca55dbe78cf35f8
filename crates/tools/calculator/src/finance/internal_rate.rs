//! The rate at which cash flows are worth nothing now. Searched between two signs, never guessed at.

use jiff::civil::Date;
use rust_decimal::{Decimal, dec};

use super::{RATE_HIGH, RATE_LOW, flows_within};
use crate::answer::Sheet;
use crate::dates::{days_between, read_date};
use crate::describe::{Calculation, described};
use crate::maths::power;
use crate::{Answer, Number, Refusal};

const GROWTH_LOW: Decimal = dec!(0.01);
const GROWTH_HIGH: Decimal = dec!(11);
const GROWTH_STEP: Decimal = dec!(1.05);
const STEPS_MAX: usize = 200;
const HALVINGS: usize = 60;
const PERCENT_PLACES: u32 = 12;
const DAYS_IN_YEAR: i32 = 365;

described! {
    /// Internal rate of return of cash flows one period apart.
    InternalRate {
        /// Cash flows; the first is now, costs are negative.
        flows: Vec<Number>,
    }
}

described! {
    /// A cash flow on a date.
    DatedFlow {
        /// The date, as 2026-03-31.
        date: String,
        /// The amount, costs negative.
        amount: Number,
    }
}

described! {
    /// Internal rate of return a year of cash flows on dates (XIRR, 365 days).
    DatedRate {
        /// Cash flows; the first one is the earliest.
        flows: Vec<DatedFlow>,
    }
}

/// An amount and when it comes, in periods after the first.
struct Flow {
    amount: Number,
    at: Number,
}

impl Calculation for InternalRate {
    fn answer(&self) -> Result<Answer, Refusal> {
        flows_within("flows", self.flows.len())?;
        let flows = self.flows.iter().enumerate();
        let flows: Vec<_> = flows
            .map(|(at, &amount)| Flow {
                amount,
                at: at.into(),
            })
            .collect();
        answer(
            &flows,
            "Internal rate of return a period, by halving between two signs",
            "% a period",
        )
    }
}

impl Calculation for DatedRate {
    fn answer(&self) -> Result<Answer, Refusal> {
        flows_within("flows", self.flows.len())?;
        let mut flows = Vec::new();
        let mut first: Option<Date> = None;
        for flow in &self.flows {
            let date = read_date("flows", &flow.date)?;
            let days = days_between(*first.get_or_insert(date), date)?;
            if days < 0 {
                return Err(Refusal::unusable(
                    "flows",
                    date,
                    "the first flow must be the earliest",
                ));
            }
            flows.push(Flow {
                amount: flow.amount,
                at: Number::from(days) / DAYS_IN_YEAR,
            });
        }
        answer(
            &flows,
            "Internal rate of return a year of 365 days (XIRR), by halving between two signs",
            "% a year",
        )
    }
}

fn answer(flows: &[Flow], method: &str, unit: &str) -> Result<Answer, Refusal> {
    let mut sheet = Sheet::new(method);
    let none = || Refusal::NoRate {
        low: RATE_LOW.to_string(),
        high: RATE_HIGH.to_string(),
    };
    let changes = sign_changes(flows);
    let found = rates(flows)?;
    let &[growth] = found.as_slice() else {
        if found.is_empty() {
            return Err(none());
        }
        let rates: Vec<_> = found
            .iter()
            .map(|growth| format!("{} %", percent(*growth).fixed(4)))
            .collect();
        return Err(Refusal::SeveralRates {
            rates: rates.join(" and "),
        });
    };
    let percent = percent(growth);
    sheet.step(format!("changes of sign in the flows: {changes}"));
    sheet.step(format!(
        "sum of flow ÷ (1 + {percent} %)^time = {}",
        worth(flows, growth).round(8)
    ));
    if changes > 1 {
        sheet.note(format!(
            "The flows change their sign {changes} times: this is the only rate found between {RATE_LOW} and {RATE_HIGH} percent."
        ));
    }
    sheet.number(percent, unit, 2)
}

fn percent(growth: Number) -> Number {
    ((growth - 1) * 100).round(PERCENT_PLACES)
}

fn sign_changes(flows: &[Flow]) -> usize {
    let signs: Vec<_> = flows
        .iter()
        .filter(|flow| flow.amount != Number::ZERO)
        .map(|flow| flow.amount.is_negative())
        .collect();
    signs
        .windows(2)
        .filter(|pair| pair.first() != pair.last())
        .count()
}

/// The worth now, or, where money shrinks, at the end: of the same sign, and never too large for a decimal.
fn worth(flows: &[Flow], growth: Number) -> Number {
    let end = flows
        .iter()
        .map(|flow| flow.at)
        .fold(Number::ZERO, Number::max);
    let (base, from_end) = if growth < Number::ONE {
        (growth, true)
    } else {
        (Number::ONE / growth, false)
    };
    flows
        .iter()
        .map(|flow| flow.amount * power(base, if from_end { end - flow.at } else { flow.at }))
        .sum()
}

/// Every growth factor at which the worth changes its sign.
fn rates(flows: &[Flow]) -> Result<Vec<Number>, Refusal> {
    let mut found = Vec::new();
    let mut low = Number::from(GROWTH_LOW);
    let mut at_low = worth(flows, low);
    for _ in 0..STEPS_MAX {
        if low >= Number::from(GROWTH_HIGH) {
            break;
        }
        let high = (low * GROWTH_STEP).round(20).min(GROWTH_HIGH.into());
        let at_high = worth(flows, high);
        at_high.decimal()?;
        if at_low == Number::ZERO {
            found.push(low);
        } else if at_high != Number::ZERO && at_low.is_negative() != at_high.is_negative() {
            found.push(halved(flows, low, high, at_low));
        }
        (low, at_low) = (high, at_high);
    }
    Ok(found)
}

fn halved(flows: &[Flow], mut low: Number, mut high: Number, at_low: Number) -> Number {
    for _ in 0..HALVINGS {
        let middle = ((low + high) / 2).round(24);
        let at_middle = worth(flows, middle);
        if at_middle == Number::ZERO {
            return middle;
        }
        if at_middle.is_negative() == at_low.is_negative() {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2
}
