//! A loan that is paid back in equal payments.

use super::{Rounding, places, positive, rate};
use crate::answer::Sheet;
use crate::describe::{Calculation, described};
use crate::maths::power;
use crate::{Answer, Number, Refusal};

const PAYMENTS_MAX: u32 = 1_200;
const PAYMENTS_PER_YEAR_MAX: u32 = 366;

described! {
    /// Payment and amortisation schedule of a loan with equal payments at the end of each period.
    Loan {
        /// The sum lent.
        principal: Number,
        /// Nominal interest a year in percent.
        rate_percent: Number,
        /// Number of payments.
        payments: u32,
        /// Payments in a year; 12 unless given.
        payments_per_year: Option<u32>,
        /// Decimal places of the currency; 2 unless given.
        places: Option<u32>,
        /// How payment and interest are rounded; half_up unless given.
        rounding: Option<Rounding>,
    }
}

impl Calculation for Loan {
    fn answer(&self) -> Result<Answer, Refusal> {
        positive("principal", self.principal)?;
        let places = places(self.places)?;
        let rounding = self.rounding.unwrap_or(Rounding::HalfUp);
        let yearly = self.payments_per_year.unwrap_or(12);
        let within = |field: &str, count: u32, max: u32| match count {
            0 => Err(Refusal::unusable(field, count, "give at least 1")),
            _ if count > max => Err(Refusal::unusable(
                field,
                count,
                format!("give at most {max}"),
            )),
            _ => Ok(()),
        };
        within("payments", self.payments, PAYMENTS_MAX)?;
        within("payments_per_year", yearly, PAYMENTS_PER_YEAR_MAX)?;
        if self.principal != self.principal.round(places) {
            return Err(Refusal::unusable(
                "principal",
                self.principal,
                format!("give at most {places} decimal places"),
            ));
        }
        let periodic = rate("rate_percent", self.rate_percent)? / yearly;
        if periodic.is_negative() {
            return Err(Refusal::unusable(
                "rate_percent",
                self.rate_percent,
                "give zero or more",
            ));
        }
        let mut sheet = Sheet::new(format!(
            "Annuity: principal × i ÷ (1 − (1 + i)^−n), rounded {}; the last payment settles the rest",
            rounding.word()
        ));
        sheet.step(format!(
            "i = {} % ÷ {yearly} = {periodic}",
            self.rate_percent
        ));
        let exact = annuity(self.principal, periodic, self.payments);
        let payment = rounding.apply(exact, places);
        sheet.step(format!(
            "payment = {} × {periodic} ÷ (1 − (1 + {periodic})^−{}) = {exact} → {payment}",
            self.principal, self.payments
        ));
        let schedule = Schedule::new(self.principal, periodic, payment, self.payments, |number| {
            rounding.apply(number, places)
        })?;
        let paid = schedule.interest + self.principal;
        sheet.step(format!(
            "interest in all = {}; paid in all = {} + {} = {paid}",
            schedule.interest, self.principal, schedule.interest
        ));
        sheet.part("last_payment", schedule.last, "")?;
        sheet.part("interest_in_all", schedule.interest, "")?;
        sheet.part("paid_in_all", paid, "")?;
        if schedule.last != payment {
            sheet.note(format!(
                "The last payment is {} instead of {payment}, because cents were rounded.",
                schedule.last
            ));
        }
        let shown = |row: &Row| {
            let mut cells = vec![row.number.to_string()];
            let numbers = [row.payment, row.interest, row.repaid, row.owed];
            cells.extend(numbers.iter().map(|number| number.fixed(places)));
            cells
        };
        sheet.table(
            &["number", "payment", "interest", "repaid", "owed"],
            schedule.rows.iter().map(shown).collect(),
        );
        sheet.number(payment, "", places)
    }
}

pub(super) fn annuity(principal: Number, periodic: Number, payments: u32) -> Number {
    if periodic == Number::ZERO {
        return principal / payments;
    }
    let growth = power(periodic + 1, payments);
    if growth.inner().is_none() {
        // So much growth that all of a payment is interest.
        return principal * periodic;
    }
    principal * periodic * growth / (growth - 1)
}

struct Row {
    number: u32,
    payment: Number,
    interest: Number,
    repaid: Number,
    owed: Number,
}

struct Schedule {
    rows: Vec<Row>,
    interest: Number,
    last: Number,
}

impl Schedule {
    fn new(
        principal: Number,
        periodic: Number,
        payment: Number,
        payments: u32,
        cents: impl Fn(Number) -> Number,
    ) -> Result<Self, Refusal> {
        let mut owed = principal;
        let mut rows = Vec::new();
        for number in 1..=payments {
            let interest = cents(owed * periodic);
            let payment = if number == payments {
                owed + interest
            } else {
                payment.min(owed + interest)
            };
            let repaid = payment - interest;
            owed = owed - repaid;
            owed.decimal()?;
            rows.push(Row {
                number,
                payment,
                interest,
                repaid,
                owed,
            });
        }
        let interest = rows.iter().map(|row| row.interest).sum();
        let last = rows.last().map_or(Number::ZERO, |row| row.payment);
        Ok(Self {
            rows,
            interest,
            last,
        })
    }
}
