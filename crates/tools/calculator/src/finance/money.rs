//! Rounding, and splitting a sum so that nothing is lost.

use std::cmp::Reverse;

use super::{Rounding, not_negative, places, positive};
use crate::answer::Sheet;
use crate::describe::{Calculation, described};
use crate::maths::power;
use crate::{Answer, Number, Refusal};
use rust_decimal::RoundingStrategy;

const SHARES_MAX: usize = 1_000;

described! {
    /// Round a number.
    Round {
        /// The number.
        value: Number,
        /// Digits behind the point; 2 unless given.
        places: Option<u32>,
        /// half_even, half_up or down.
        rounding: Rounding,
    }
}

described! {
    /// Split an amount by shares without losing a cent: the largest remainders get the cents left over.
    Split {
        /// The amount.
        amount: Number,
        /// The shares, as 1, 1, 1 or 50, 30, 20.
        shares: Vec<Number>,
        /// Decimal places of the currency; 2 unless given.
        places: Option<u32>,
    }
}

impl Calculation for Round {
    fn answer(&self) -> Result<Answer, Refusal> {
        let places = places(self.places)?;
        let rounded = self.rounding.apply(self.value, places);
        let mut sheet = Sheet::new(format!(
            "Rounded {} to {places} places",
            self.rounding.word()
        ));
        sheet.step(format!("{:?} → {rounded:?}", self.value));
        sheet.part("difference", rounded - self.value, "")?;
        sheet.number(rounded, "", places)
    }
}

impl Calculation for Split {
    fn answer(&self) -> Result<Answer, Refusal> {
        let places = places(self.places)?;
        if self.shares.is_empty() {
            return Err(Refusal::missing("shares", "give at least one share"));
        }
        if self.shares.len() > SHARES_MAX {
            return Err(Refusal::TooMany {
                field: "shares".to_owned(),
                count: self.shares.len(),
                max: SHARES_MAX,
                advice: "split in two steps".to_owned(),
            });
        }
        for &share in &self.shares {
            not_negative("shares", share)?;
        }
        if self.amount != self.amount.round(places) {
            return Err(Refusal::unusable(
                "amount",
                self.amount,
                format!("give at most {places} decimal places"),
            ));
        }
        let whole: Number = self.shares.iter().copied().sum();
        positive("sum of shares", whole)?;
        let mut sheet = Sheet::new("Largest remainder (Hamilton 1792)");
        let cent = Number::ONE / power(10.into(), places);
        let exact: Vec<_> = self
            .shares
            .iter()
            .map(|&share| self.amount * share / whole)
            .collect();
        let mut parts: Vec<_> = exact
            .iter()
            .map(|part| part.round_by(places, RoundingStrategy::ToZero))
            .collect();
        let given: Number = parts.iter().copied().sum();
        let left = ((self.amount - given) / cent).decimal()?;
        let count: usize = left.abs().try_into().map_err(|_| Refusal::Overflow)?;
        let step = if left.is_sign_negative() { -cent } else { cent };
        let mut order: Vec<_> = exact
            .iter()
            .zip(&parts)
            .map(|(exact, part)| (*exact - *part).abs())
            .enumerate()
            .collect();
        order.sort_by_key(|(_, rest)| Reverse(rest.inner()));
        for (index, _) in order.into_iter().cycle().take(count) {
            if let Some(part) = parts.get_mut(index) {
                *part = *part + step;
            }
        }
        let sum: Number = parts.iter().copied().sum();
        sheet.step(format!(
            "shares add up to {whole}; cut to {places} places the parts add up to {given}"
        ));
        sheet.step(format!(
            "{count} × {step} go to the largest remainders, the earlier first; sum = {sum}"
        ));
        let rows = self.shares.iter().zip(&parts).enumerate();
        let rows = rows.map(|(index, (share, part))| {
            vec![
                (index + 1).to_string(),
                share.to_string(),
                part.fixed(places),
            ]
        });
        sheet.table(&["number", "share", "amount"], rows.collect());
        let texts: Vec<_> = parts.iter().map(|part| part.fixed(places)).collect();
        if sum != self.amount {
            return Err(Refusal::Overflow);
        }
        Ok(sheet.words(texts.join(", ")))
    }
}
