//! Loading and maintenance doses, half-lives, steady state: one compartment, first order.

use rust_decimal::dec;

use super::{WEIGHT, clinical, positive, range};
use crate::answer::{Range, Sheet};
use crate::describe::{Calculation, described};
use crate::maths::{held, logarithm, power};
use crate::{Answer, Number, Refusal};

const BIOAVAILABILITY: Range = range(
    "bioavailability",
    "",
    (dec!(0.001), dec!(1)),
    (dec!(0.05), dec!(1)),
);
const FRACTION: Range = range(
    "fraction",
    "",
    (dec!(0.01), dec!(0.9999)),
    (dec!(0.5), dec!(0.99)),
);
const ONE_COMPARTMENT: &str = "One compartment, first-order elimination, Rowland and Tozer (2011)";

described! {
    /// Loading dose for a target concentration.
    LoadingDose {
        /// Target concentration in mg/L.
        target_mg_l: Number,
        /// Volume of distribution in L/kg.
        volume_l_kg: Number,
        /// Body weight in kg.
        weight_kg: Number,
        /// Concentration already there in mg/L; 0 unless given.
        present_mg_l: Option<Number>,
        /// Share that reaches the blood, 0 to 1; 1 unless given.
        bioavailability: Option<Number>,
    }
}

described! {
    /// Maintenance dose for an average concentration at steady state.
    MaintenanceDose {
        /// Target average concentration in mg/L.
        target_mg_l: Number,
        /// Clearance in L/h.
        clearance_l_h: Number,
        /// Dosing interval in hours.
        interval_h: Number,
        /// Share that reaches the blood, 0 to 1; 1 unless given.
        bioavailability: Option<Number>,
    }
}

described! {
    /// What is left after a time, by half-life.
    Decay {
        /// Amount or concentration at the start.
        start: Number,
        /// Its unit.
        unit: String,
        /// Half-life in hours.
        half_life_h: Number,
        /// Time passed in hours.
        hours: Number,
    }
}

described! {
    /// Time to a share of steady state, and accumulation at a dosing interval.
    SteadyState {
        /// Half-life in hours.
        half_life_h: Number,
        /// The share of steady state wanted, 0 to 1; 0.9 unless given.
        fraction: Option<Number>,
        /// Dosing interval in hours, for the accumulation.
        interval_h: Option<Number>,
    }
}

fn bioavailability(sheet: &mut Sheet, given: Option<Number>) -> Result<Number, Refusal> {
    let share = given.unwrap_or(Number::ONE);
    sheet.check(share, &BIOAVAILABILITY)?;
    Ok(share)
}

impl Calculation for LoadingDose {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical(ONE_COMPARTMENT);
        sheet.check(self.weight_kg, &WEIGHT)?;
        positive("volume_l_kg", self.volume_l_kg)?;
        let present = self.present_mg_l.unwrap_or(Number::ZERO);
        positive("target_mg_l", self.target_mg_l)?;
        positive("target_mg_l above present_mg_l", self.target_mg_l - present)?;
        let share = bioavailability(&mut sheet, self.bioavailability)?;
        let volume = self.volume_l_kg * self.weight_kg;
        let dose = (self.target_mg_l - present) * volume / share;
        sheet.step(format!(
            "volume = {} L/kg × {} kg = {volume} L",
            self.volume_l_kg, self.weight_kg
        ));
        sheet.step(format!(
            "dose = ({} − {present}) mg/L × {volume} L ÷ {share} = {dose} mg",
            self.target_mg_l
        ));
        if self.volume_l_kg > Number::from(50) {
            sheet.note("A volume of distribution above 50 L/kg is rare: check it.");
        }
        sheet.number(dose, "mg", 1)
    }
}

impl Calculation for MaintenanceDose {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical(ONE_COMPARTMENT);
        positive("target_mg_l", self.target_mg_l)?;
        positive("clearance_l_h", self.clearance_l_h)?;
        positive("interval_h", self.interval_h)?;
        let share = bioavailability(&mut sheet, self.bioavailability)?;
        let rate = self.target_mg_l * self.clearance_l_h;
        let dose = rate * self.interval_h / share;
        sheet.step(format!(
            "rate = {} mg/L × {} L/h = {rate} mg/h",
            self.target_mg_l, self.clearance_l_h
        ));
        sheet.step(format!(
            "dose = {rate} mg/h × {} h ÷ {share} = {dose} mg",
            self.interval_h
        ));
        if self.clearance_l_h > Number::from(100) {
            sheet.note(
                "A clearance above 100 L/h is above the flow of blood through the liver: check it.",
            );
        }
        sheet.part("rate", rate, "mg/h")?;
        sheet.number(dose, "mg", 1)
    }
}

impl Calculation for Decay {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical(
            "First-order decay; powers by logarithms to 20 digits where the half-lives are not whole",
        );
        positive("start", self.start)?;
        positive("half_life_h", self.half_life_h)?;
        if self.hours.is_negative() {
            return Err(Refusal::unusable("hours", self.hours, "give zero or more"));
        }
        let lives = self.hours / self.half_life_h;
        let left = power(dec!(0.5).into(), lives);
        let rest = self.start * left;
        sheet.step(format!(
            "half-lives = {} ÷ {} = {lives}",
            self.hours, self.half_life_h
        ));
        sheet.step(format!(
            "{} × 0.5^{lives} = {rest} {}",
            self.start, self.unit
        ));
        sheet.part("percent_left", held(left * 100), "%")?;
        sheet.irrational(rest, &self.unit, 3)
    }
}

impl Calculation for SteadyState {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical(&format!("{ONE_COMPARTMENT}; logarithms to 20 digits"));
        positive("half_life_h", self.half_life_h)?;
        let fraction = self.fraction.unwrap_or(dec!(0.9).into());
        sheet.check(fraction, &FRACTION)?;
        let lives = -logarithm(Number::ONE - fraction) / logarithm(2.into());
        let hours = lives * self.half_life_h;
        sheet.step(format!("half-lives = −ln(1 − {fraction}) ÷ ln 2 = {lives}"));
        sheet.step(format!(
            "time = {lives} × {} h = {hours} h",
            self.half_life_h
        ));
        if let Some(interval) = self.interval_h {
            positive("interval_h", interval)?;
            let left = power(dec!(0.5).into(), interval / self.half_life_h);
            let accumulation = Number::ONE / (Number::ONE - left);
            sheet.step(format!(
                "accumulation = 1 ÷ (1 − 0.5^({interval} ÷ {})) = {accumulation}",
                self.half_life_h
            ));
            sheet.part("accumulation", held(accumulation), "")?;
        }
        sheet.irrational(hours, "h", 1)
    }
}
