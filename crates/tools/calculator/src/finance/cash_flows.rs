//! Net present value and payback.

use super::{flows_within, rate};
use crate::answer::Sheet;
use crate::describe::{Calculation, described};
use crate::maths::power;
use crate::{Answer, Number, Refusal};

described! {
    /// Net present value of cash flows one period apart.
    NetPresentValue {
        /// Discount rate for a period in percent.
        rate_percent: Number,
        /// Cash flows; the first is now and not discounted, costs are negative.
        flows: Vec<Number>,
    }
}

described! {
    /// Payback period, simple or discounted.
    Payback {
        /// Cash flows; the first is now, costs are negative.
        flows: Vec<Number>,
        /// Discount rate for a period in percent, for the discounted payback.
        rate_percent: Option<Number>,
    }
}

impl Calculation for NetPresentValue {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet =
            Sheet::new("Net present value: sum of flow ÷ (1 + rate)^period, the first flow now");
        flows_within("flows", self.flows.len())?;
        let growth = rate("rate_percent", self.rate_percent)? + 1;
        let mut value = Number::ZERO;
        for (period, &flow) in self.flows.iter().enumerate() {
            let present = flow / power(growth, period);
            value = value + present;
            sheet.step(format!(
                "period {period}: {flow} ÷ {growth}^{period} = {present}"
            ));
        }
        sheet.step(format!("sum = {value}"));
        sheet.note(
            "Some spreadsheets discount the first flow too: their NPV is this one ÷ (1 + rate).",
        );
        sheet.number(value, "", 2)
    }
}

impl Calculation for Payback {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = Sheet::new(
            "Payback: the period in which the flows so far reach zero, even within a period",
        );
        flows_within("flows", self.flows.len())?;
        let growth = match self.rate_percent {
            Some(percent) => rate("rate_percent", percent)? + 1,
            None => Number::ONE,
        };
        let mut so_far = Number::ZERO;
        for (period, &flow) in self.flows.iter().enumerate() {
            let present = flow / power(growth, period);
            let before = so_far;
            so_far = before + present;
            sheet.step(format!("period {period}: {before} + {present} = {so_far}"));
            if period == 0 && !so_far.is_negative() {
                return Err(Refusal::unusable(
                    "flows",
                    flow,
                    "the first flow is the investment, give it as a negative number",
                ));
            }
            if !so_far.is_negative() {
                let periods = Number::from(period) - 1 + (-before) / present;
                sheet.step(format!(
                    "payback = {} + {} ÷ {present} = {periods}",
                    period - 1,
                    -before
                ));
                let later = self.flows.get(period + 1..).unwrap_or_default();
                if later.iter().any(|flow| flow.is_negative()) {
                    sheet.note("Later flows are negative: the payback may be lost again.");
                }
                return sheet.number(periods, "periods", 2);
            }
        }
        so_far.decimal()?;
        sheet.note("The flows given do not pay the first one back.");
        Ok(sheet.words("not paid back"))
    }
}
