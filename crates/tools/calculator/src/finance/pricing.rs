//! Prices: break-even, margin and markup, tax.

use super::{Rounding, not_negative, places, positive, rate};
use crate::answer::Sheet;
use crate::describe::{Calculation, choice, described};
use crate::{Answer, Number, Refusal};
use rust_decimal::RoundingStrategy;

described! {
    /// Units and revenue at which costs are covered.
    BreakEven {
        /// Fixed costs.
        fixed_costs: Number,
        /// Price of a unit.
        price: Number,
        /// Variable cost of a unit.
        variable_cost: Number,
    }
}

described! {
    /// Margin and markup. Give the cost and exactly one of price, margin_percent, markup_percent.
    Margin {
        /// What a unit costs.
        cost: Number,
        /// Its price.
        price: Option<Number>,
        /// Profit as a percentage of the price.
        margin_percent: Option<Number>,
        /// Profit as a percentage of the cost.
        markup_percent: Option<Number>,
    }
}

choice! {
    /// Whether tax is put on an amount or taken out of it.
    TaxWay {
        Add = "add",
        Remove = "remove",
    }
}

described! {
    /// Put a tax on a net amount, or take it out of a gross amount.
    Tax {
        /// The amount.
        amount: Number,
        /// The tax in percent.
        rate_percent: Number,
        /// add: the amount is net. remove: the amount is gross.
        way: TaxWay,
        /// Decimal places of the currency; 2 unless given.
        places: Option<u32>,
        /// How the tax is rounded; half_up unless given.
        rounding: Option<Rounding>,
    }
}

impl Calculation for BreakEven {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet =
            Sheet::new("Break-even: fixed costs ÷ (price − variable cost), up to whole units");
        not_negative("fixed_costs", self.fixed_costs)?;
        let contribution = self.price - self.variable_cost;
        if !contribution.is_positive() {
            return Err(Refusal::unusable(
                "price",
                self.price,
                "it does not cover the variable cost, so no number of units breaks even",
            ));
        }
        let exact = self.fixed_costs / contribution;
        let units = exact.round_by(0, RoundingStrategy::AwayFromZero);
        sheet.step(format!(
            "contribution = {} − {} = {contribution}",
            self.price, self.variable_cost
        ));
        sheet.step(format!(
            "{} ÷ {contribution} = {exact} → {units} units",
            self.fixed_costs
        ));
        sheet.part("exact_units", exact, "units")?;
        sheet.part("revenue", units * self.price, "")?;
        sheet.number(units, "units", 0)
    }
}

impl Calculation for Margin {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = Sheet::new("Margin = profit ÷ price; markup = profit ÷ cost");
        positive("cost", self.cost)?;
        let cost = self.cost;
        let price = match (self.price, self.margin_percent, self.markup_percent) {
            (Some(price), None, None) => price,
            (None, Some(margin), None) => {
                let share = rate("margin_percent", margin)?;
                if share >= Number::ONE {
                    return Err(Refusal::unusable(
                        "margin_percent",
                        margin,
                        "a margin is below 100 percent; a markup may be more",
                    ));
                }
                let price = cost / (Number::ONE - share);
                sheet.step(format!("price = {cost} ÷ (1 − {share}) = {price}"));
                price
            }
            (None, None, Some(markup)) => {
                let share = rate("markup_percent", markup)?;
                let price = cost * (share + 1);
                sheet.step(format!("price = {cost} × (1 + {share}) = {price}"));
                price
            }
            _ => {
                return Err(Refusal::missing(
                    "price",
                    "give exactly one of price, margin_percent, markup_percent",
                ));
            }
        };
        positive("price", price)?;
        let profit = price - cost;
        let margin = profit / price * 100;
        let markup = profit / cost * 100;
        sheet.step(format!("profit = {price} − {cost} = {profit}"));
        sheet.step(format!("margin = {profit} ÷ {price} = {margin} %"));
        sheet.step(format!("markup = {profit} ÷ {cost} = {markup} %"));
        sheet.part("profit", profit, "")?;
        sheet.part("margin", margin, "%")?;
        sheet.part("markup", markup, "%")?;
        if self.price.is_some() {
            sheet.number(margin, "% margin", 2)
        } else {
            sheet.number(price, "", 2)
        }
    }
}

impl Calculation for Tax {
    fn answer(&self) -> Result<Answer, Refusal> {
        let places = places(self.places)?;
        let rounding = self.rounding.unwrap_or(Rounding::HalfUp);
        let rate = rate("rate_percent", self.rate_percent)?;
        not_negative("rate_percent", rate)?;
        let mut sheet = Sheet::new(format!(
            "Tax rounded {} to {places} places; net + tax = gross",
            rounding.word()
        ));
        let amount = self.amount;
        let (net, tax, gross) = match self.way {
            TaxWay::Add => {
                let exact = amount * rate;
                let tax = rounding.apply(exact, places);
                sheet.step(format!("tax = {amount} × {rate} = {exact} → {tax}"));
                (amount, tax, amount + tax)
            }
            TaxWay::Remove => {
                let exact = amount - amount / (rate + 1);
                let tax = rounding.apply(exact, places);
                sheet.step(format!(
                    "tax = {amount} − {amount} ÷ (1 + {rate}) = {exact} → {tax}"
                ));
                (amount - tax, tax, amount)
            }
        };
        sheet.step(format!("{net} + {tax} = {gross}"));
        sheet.part("net", net, "")?;
        sheet.part("tax", tax, "")?;
        sheet.part("gross", gross, "")?;
        match self.way {
            TaxWay::Add => sheet.number(gross, "", places),
            TaxWay::Remove => sheet.number(net, "", places),
        }
    }
}
