//! Depreciation of an asset over its life.

use super::{CENTS, not_negative, positive};
use crate::answer::Sheet;
use crate::describe::{Calculation, choice, described};
use crate::{Answer, Number, Refusal};

const YEARS_MAX: u32 = 100;

choice! {
    /// A way to depreciate.
    DepreciationMethod {
        StraightLine = "straight_line",
        Declining = "declining_balance",
    }
}

described! {
    /// Depreciation schedule of an asset, to the cent.
    Depreciation {
        /// What it cost.
        cost: Number,
        /// What it is worth at the end of its life.
        salvage: Number,
        /// Its life in years.
        years: u32,
        /// The way to depreciate.
        way: DepreciationMethod,
        /// For declining_balance, the factor over the straight rate; 2 (double declining) unless given.
        factor: Option<Number>,
    }
}

impl Calculation for Depreciation {
    fn answer(&self) -> Result<Answer, Refusal> {
        positive("cost", self.cost)?;
        not_negative("salvage", self.salvage)?;
        not_negative("cost less salvage", self.cost - self.salvage)?;
        if self.years == 0 || self.years > YEARS_MAX {
            return Err(Refusal::unusable(
                "years",
                self.years,
                format!("give 1 to {YEARS_MAX}"),
            ));
        }
        let factor = self.factor.unwrap_or(2.into());
        positive("factor", factor)?;
        let mut sheet = Sheet::new(match self.way {
            DepreciationMethod::StraightLine => {
                "Straight line: (cost − salvage) ÷ life; the last year settles the cents"
            }
            DepreciationMethod::Declining => {
                "Declining balance: book value × factor ÷ life, never below salvage"
            }
        });
        let straight = (self.cost - self.salvage) / self.years;
        let share = (factor / self.years).min(Number::ONE);
        match self.way {
            DepreciationMethod::StraightLine => sheet.step(format!(
                "({} − {}) ÷ {} = {straight} a year",
                self.cost, self.salvage, self.years
            )),
            DepreciationMethod::Declining => {
                sheet.step(format!(
                    "rate = {factor} ÷ {} = {share} of the book value",
                    self.years
                ));
            }
        }
        let mut book = self.cost;
        let mut first = Number::ZERO;
        let mut rows = Vec::new();
        for year in 1..=self.years {
            let left = book - self.salvage;
            let amount = match self.way {
                DepreciationMethod::StraightLine if year == self.years => left,
                DepreciationMethod::StraightLine => straight.round(CENTS),
                DepreciationMethod::Declining => (book * share).round(CENTS),
            }
            .min(left);
            book = book - amount;
            if year == 1 {
                first = amount;
            }
            rows.push(vec![
                year.to_string(),
                amount.fixed(CENTS),
                book.fixed(CENTS),
            ]);
        }
        let in_all = self.cost - book;
        sheet.step(format!("in all {in_all}; book value at the end {book}"));
        sheet.part("in_all", in_all, "")?;
        sheet.part("book_value_at_end", book, "")?;
        if book > self.salvage {
            sheet.note(format!(
                "The book value ends at {book}, above the salvage value {}.",
                self.salvage
            ));
        }
        sheet.table(&["year", "depreciation", "book_value"], rows);
        sheet.number(first, "in the first year", CENTS)
    }
}
