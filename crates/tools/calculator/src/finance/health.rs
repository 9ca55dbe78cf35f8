//! Health economics: quality-adjusted years, cost-effectiveness, budget impact.

use super::{not_negative, positive, rate};
use crate::answer::Sheet;
use crate::describe::{Calculation, described};
use crate::maths::power;
use crate::{Answer, Number, Refusal};
use rust_decimal::{RoundingStrategy, dec};

const YEARS_MAX: i32 = 150;
const STATES_MAX: usize = 200;
const BUDGET_YEARS_MAX: usize = 50;

described! {
    /// A time spent in a state of health.
    HealthState {
        /// How long, in years.
        years: Number,
        /// Its utility: 1 is full health, 0 as bad as death; below 0 is possible.
        utility: Number,
    }
}

described! {
    /// Quality-adjusted life years, discounted where a rate is given.
    QualityYears {
        /// The states of health, one after the other.
        states: Vec<HealthState>,
        /// Discount rate a year in percent; the first year is not discounted.
        rate_percent: Option<Number>,
    }
}

described! {
    /// Incremental cost-effectiveness ratio of a new intervention against an old one.
    CostEffectiveness {
        /// Cost of the new one.
        new_cost: Number,
        /// Effect of the new one, for example QALYs.
        new_effect: Number,
        /// Cost of the old one.
        old_cost: Number,
        /// Effect of the old one.
        old_effect: Number,
        /// What is willingly paid for one unit of effect.
        threshold: Option<Number>,
    }
}

described! {
    /// Cost per outcome.
    CostPerOutcome {
        /// The whole cost.
        cost: Number,
        /// How many outcomes it bought.
        outcomes: Number,
    }
}

described! {
    /// Budget impact of a new intervention that replaces an old one, year by year.
    BudgetImpact {
        /// People in the population in the first year.
        population: Number,
        /// Share of them who are eligible, in percent.
        eligible_percent: Number,
        /// Cost of the new intervention for one patient a year.
        new_cost: Number,
        /// Cost of what it replaces for one patient a year.
        old_cost: Number,
        /// Share of the eligible who get the new one, in percent, for each year.
        uptake_percent: Vec<Number>,
        /// Growth of the population a year in percent; 0 unless given.
        growth_percent: Option<Number>,
    }
}

impl Calculation for QualityYears {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = Sheet::new(
            "QALY = years × utility, Weinstein and Stason (1977); each year ÷ (1 + rate)^years before it",
        );
        if self.states.is_empty() || self.states.len() > STATES_MAX {
            return Err(Refusal::unusable(
                "states",
                self.states.len(),
                format!("give 1 to {STATES_MAX} states"),
            ));
        }
        let growth = rate("rate_percent", self.rate_percent.unwrap_or(Number::ZERO))? + 1;
        let mut at = Number::ZERO;
        let mut total = Number::ZERO;
        let mut plain = Number::ZERO;
        for state in &self.states {
            positive("states.years", state.years)?;
            if state.utility > Number::ONE || state.utility < Number::from(-1) {
                return Err(Refusal::unusable(
                    "states.utility",
                    state.utility,
                    "a utility is at most 1 and at least -1",
                ));
            }
            let end = at + state.years;
            if end > Number::from(YEARS_MAX) {
                return Err(Refusal::unusable(
                    "states.years",
                    end,
                    format!("give at most {YEARS_MAX} years in all"),
                ));
            }
            let mut worth = Number::ZERO;
            while at < end {
                let year = at.round_by(0, RoundingStrategy::ToNegativeInfinity);
                let next = (year + 1).min(end);
                worth = worth + (next - at) * state.utility / power(growth, year);
                at = next;
            }
            plain = plain + state.years * state.utility;
            total = total + worth;
            sheet.step(format!(
                "{} years × {} → {worth}",
                state.years, state.utility
            ));
        }
        sheet.step(format!("sum = {total}"));
        sheet.part("undiscounted", plain, "QALY")?;
        sheet.number(total, "QALY", 3)
    }
}

impl Calculation for CostEffectiveness {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet =
            Sheet::new("ICER = (new cost − old cost) ÷ (new effect − old effect), Drummond (2015)");
        let cost = self.new_cost - self.old_cost;
        let effect = self.new_effect - self.old_effect;
        sheet.step(format!(
            "more cost = {} − {} = {cost}",
            self.new_cost, self.old_cost
        ));
        sheet.step(format!(
            "more effect = {} − {} = {effect}",
            self.new_effect, self.old_effect
        ));
        sheet.part("more_cost", cost, "")?;
        sheet.part("more_effect", effect, "")?;
        if let Some(threshold) = self.threshold {
            positive("threshold", threshold)?;
            let benefit = effect * threshold - cost;
            sheet.step(format!(
                "net benefit = {effect} × {threshold} − {cost} = {benefit}"
            ));
            sheet.part("net_monetary_benefit", benefit, "")?;
        }
        let zero = Number::ZERO;
        let words = if effect == zero {
            Some("the effects are equal: compare the costs")
        } else if effect > zero && cost <= zero {
            Some("dominant: the new one is more effective and costs no more")
        } else if effect < zero && cost >= zero {
            Some("dominated: the new one is less effective and costs no less")
        } else {
            None
        };
        if let Some(words) = words {
            sheet.note("A ratio would mislead here, so none is given.");
            return Ok(sheet.words(words));
        }
        let ratio = cost / effect;
        sheet.step(format!("ICER = {cost} ÷ {effect} = {ratio}"));
        if effect < zero {
            sheet.note("Cheaper and less effective: the ratio is what is saved for each unit of effect given up.");
        }
        sheet.number(ratio, "for one more unit of effect", 2)
    }
}

impl Calculation for CostPerOutcome {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = Sheet::new("Cost ÷ outcomes");
        positive("outcomes", self.outcomes)?;
        not_negative("cost", self.cost)?;
        let each = self.cost / self.outcomes;
        sheet.step(format!("{} ÷ {} = {each}", self.cost, self.outcomes));
        sheet.number(each, "for one outcome", 2)
    }
}

impl Calculation for BudgetImpact {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = Sheet::new(
            "Budget impact: patients treated × difference in cost, Sullivan (ISPOR 2014), not discounted",
        );
        positive("population", self.population)?;
        let share = |field: &str, percent: Number| {
            if percent.is_negative() || percent > Number::HUNDRED {
                return Err(Refusal::unusable(field, percent, "give 0 to 100 percent"));
            }
            Ok(percent * dec!(0.01))
        };
        if self.uptake_percent.is_empty() || self.uptake_percent.len() > BUDGET_YEARS_MAX {
            return Err(Refusal::unusable(
                "uptake_percent",
                self.uptake_percent.len(),
                format!("give 1 to {BUDGET_YEARS_MAX} years"),
            ));
        }
        let eligible_share = share("eligible_percent", self.eligible_percent)?;
        let growth = rate(
            "growth_percent",
            self.growth_percent.unwrap_or(Number::ZERO),
        )? + 1;
        let difference = self.new_cost - self.old_cost;
        sheet.step(format!(
            "for one patient: {} − {} = {difference} a year",
            self.new_cost, self.old_cost
        ));
        let mut total = Number::ZERO;
        let mut rows = Vec::new();
        for (index, &uptake) in self.uptake_percent.iter().enumerate() {
            let eligible = self.population * power(growth, index) * eligible_share;
            let treated = eligible * share("uptake_percent", uptake)?;
            let impact = treated * difference;
            total = total + impact;
            sheet.step(format!(
                "year {}: {eligible} eligible × {uptake} % = {treated} treated; × {difference} = {impact}",
                index + 1
            ));
            rows.push(vec![
                (index + 1).to_string(),
                eligible.fixed(1),
                treated.fixed(1),
                impact.fixed(2),
            ]);
        }
        sheet.step(format!("sum = {total}"));
        sheet.note("Patients are not rounded to whole people.");
        sheet.table(&["year", "eligible", "treated", "impact"], rows);
        sheet.number(total, "", 2)
    }
}
