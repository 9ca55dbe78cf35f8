//! Interest and growth rates.

use super::{not_negative, positive, rate};
use crate::answer::Sheet;
use crate::describe::{Calculation, choice, described};
use crate::maths::{exponential, held, power};
use crate::{Answer, Number, Refusal};

choice! {
    /// How often interest is added.
    Compounding {
        Yearly = "yearly",
        HalfYearly = "half_yearly",
        Quarterly = "quarterly",
        Monthly = "monthly",
        Daily = "daily",
        Continuous = "continuous",
    }
}

described! {
    /// Simple interest: no interest on interest.
    SimpleInterest {
        /// The sum lent.
        principal: Number,
        /// Interest a year in percent.
        rate_percent: Number,
        /// Time in years.
        years: Number,
    }
}

described! {
    /// Compound interest.
    CompoundInterest {
        /// The sum lent.
        principal: Number,
        /// Nominal interest a year in percent.
        rate_percent: Number,
        /// Time in years.
        years: Number,
        /// How often interest is added; yearly unless given.
        compounding: Option<Compounding>,
    }
}

described! {
    /// Compound annual growth rate.
    GrowthRate {
        /// Value at the start.
        start: Number,
        /// Value at the end.
        end: Number,
        /// Years between.
        years: Number,
    }
}

impl Calculation for SimpleInterest {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = Sheet::new("Simple interest: principal × rate × time");
        not_negative("years", self.years)?;
        let rate = rate("rate_percent", self.rate_percent)?;
        let interest = self.principal * rate * self.years;
        let total = self.principal + interest;
        sheet.step(format!(
            "{} × {rate} × {} = {interest}",
            self.principal, self.years
        ));
        sheet.step(format!("{} + {interest} = {total}", self.principal));
        sheet.part("interest", interest, "")?;
        sheet.number(total, "", 2)
    }
}

impl Calculation for CompoundInterest {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = Sheet::new(
            "Compound interest: principal × (1 + rate ÷ n)^(n × years); other than whole powers to 20 digits",
        );
        not_negative("years", self.years)?;
        let rate = rate("rate_percent", self.rate_percent)?;
        let times = match self.compounding.unwrap_or(Compounding::Yearly) {
            Compounding::Yearly => Some(1),
            Compounding::HalfYearly => Some(2),
            Compounding::Quarterly => Some(4),
            Compounding::Monthly => Some(12),
            Compounding::Daily => Some(365),
            Compounding::Continuous => None,
        };
        let growth = match times {
            Some(times) => {
                let periods = self.years * times;
                let growth = power(rate / times + 1, periods);
                sheet.step(format!(
                    "growth = (1 + {rate} ÷ {times})^{periods} = {growth}"
                ));
                if !periods.is_whole() {
                    sheet.note("The time is not a whole number of periods: growth within the last one is exponential.");
                }
                growth
            }
            None => {
                let growth = exponential(rate * self.years);
                sheet.step(format!("growth = e^({rate} × {}) = {growth}", self.years));
                growth
            }
        };
        let total = self.principal * growth;
        sheet.step(format!("{} × {growth} = {total}", self.principal));
        let whole = times.is_some_and(|times| (self.years * times).is_whole());
        if whole {
            sheet.part("interest", total - self.principal, "")?;
            sheet.number(total, "", 2)
        } else {
            sheet.part("interest", held(total - self.principal), "")?;
            sheet.irrational(total, "", 2)
        }
    }
}

impl Calculation for GrowthRate {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = Sheet::new(
            "Compound annual growth rate: (end ÷ start)^(1 ÷ years) − 1, powers to 20 digits",
        );
        positive("start", self.start)?;
        positive("end", self.end)?;
        positive("years", self.years)?;
        let ratio = self.end / self.start;
        let percent = ((power(ratio, Number::ONE / self.years) - 1) * 100).round(14);
        sheet.step(format!(
            "({} ÷ {})^(1 ÷ {}) − 1 = {percent} %",
            self.end, self.start, self.years
        ));
        if self.years < Number::ONE {
            sheet.note("Less than a year is extrapolated to a year.");
        }
        sheet.number(percent, "%", 2)
    }
}
