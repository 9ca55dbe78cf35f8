//! Pump and drip rates.

use rust_decimal::{Decimal, dec};

use super::{WEIGHT, clinical, positive, range};
use crate::answer::Range;
use crate::describe::{Calculation, choice, described};
use crate::{Answer, Number, Refusal};

const VOLUME: Range = range(
    "volume_ml",
    "mL",
    (dec!(0.1), dec!(20000)),
    (dec!(1), dec!(3000)),
);
const HOURS: Range = range(
    "hours",
    "h",
    (dec!(0.01), dec!(240)),
    (dec!(0.25), dec!(48)),
);
const DROPS: Range = range(
    "drops_per_ml",
    "drops/mL",
    (dec!(5), dec!(100)),
    (dec!(10), dec!(60)),
);
/// Faster than any pump.
const RATE_MAX: Decimal = dec!(2000);
const RATE_SLOW: Decimal = dec!(0.1);
const RATE_FAST: Decimal = dec!(999);

choice! {
    /// A dose rate.
    RateUnit {
        MicrogramPerKgMinute = "mcg/kg/min",
        MicrogramPerKgHour = "mcg/kg/h",
        MilligramPerKgHour = "mg/kg/h",
        MicrogramPerMinute = "mcg/min",
        MicrogramPerHour = "mcg/h",
        MilligramPerMinute = "mg/min",
        MilligramPerHour = "mg/h",
        UnitsPerKgHour = "units/kg/h",
        UnitsPerHour = "units/h",
        UnitsPerMinute = "units/min",
    }
}

choice! {
    /// What the drug in the bag is measured in.
    DrugUnit {
        Microgram = "mcg",
        Milligram = "mg",
        Gram = "g",
        Units = "units",
    }
}

described! {
    /// Pump rate in mL/h for a dose rate.
    InfusionRate {
        /// The dose rate.
        dose: Number,
        /// Its unit.
        dose_unit: RateUnit,
        /// Body weight in kg, for rates per kg.
        weight_kg: Option<Number>,
        /// Amount of drug in the bag or syringe.
        drug_amount: Number,
        /// Its unit.
        drug_unit: DrugUnit,
        /// Volume of the bag or syringe in mL.
        volume_ml: Number,
    }
}

described! {
    /// Drip rate in drops per minute for a gravity infusion.
    DripRate {
        /// Volume in mL.
        volume_ml: Number,
        /// Time in hours.
        hours: Number,
        /// Drop factor of the giving set in drops per mL: 20 for usual sets, 60 for microdrip.
        drops_per_ml: Number,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Mass,
    Units,
}

#[derive(Clone, Copy, PartialEq)]
enum Scale {
    PerKg,
    Whole,
}

impl RateUnit {
    /// Mass or units; per kg or not; micrograms (or units) an hour in one.
    fn meaning(self) -> (Kind, Scale, i32, &'static str) {
        match self {
            Self::MicrogramPerKgMinute => (Kind::Mass, Scale::PerKg, 60, "mcg/kg/min"),
            Self::MicrogramPerKgHour => (Kind::Mass, Scale::PerKg, 1, "mcg/kg/h"),
            Self::MilligramPerKgHour => (Kind::Mass, Scale::PerKg, 1000, "mg/kg/h"),
            Self::MicrogramPerMinute => (Kind::Mass, Scale::Whole, 60, "mcg/min"),
            Self::MicrogramPerHour => (Kind::Mass, Scale::Whole, 1, "mcg/h"),
            Self::MilligramPerMinute => (Kind::Mass, Scale::Whole, 60_000, "mg/min"),
            Self::MilligramPerHour => (Kind::Mass, Scale::Whole, 1000, "mg/h"),
            Self::UnitsPerKgHour => (Kind::Units, Scale::PerKg, 1, "units/kg/h"),
            Self::UnitsPerHour => (Kind::Units, Scale::Whole, 1, "units/h"),
            Self::UnitsPerMinute => (Kind::Units, Scale::Whole, 60, "units/min"),
        }
    }
}

impl DrugUnit {
    fn meaning(self) -> (Kind, i32, &'static str) {
        match self {
            Self::Microgram => (Kind::Mass, 1, "mcg"),
            Self::Milligram => (Kind::Mass, 1000, "mg"),
            Self::Gram => (Kind::Mass, 1_000_000, "g"),
            Self::Units => (Kind::Units, 1, "units"),
        }
    }
}

impl Calculation for InfusionRate {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical("Rate = dose rate × weight ÷ concentration");
        positive("dose", self.dose)?;
        positive("drug_amount", self.drug_amount)?;
        sheet.check(self.volume_ml, &VOLUME)?;
        let (kind, scale, hourly, dose_unit) = self.dose_unit.meaning();
        let (drug_kind, size, drug_unit) = self.drug_unit.meaning();
        if kind != drug_kind {
            return Err(Refusal::unusable(
                "drug_unit",
                drug_unit,
                format!("the dose is in {dose_unit}, give the drug in the same kind of unit"),
            ));
        }
        let small = match kind {
            Kind::Mass => "mcg",
            Kind::Units => "units",
        };
        let strength = self.drug_amount * size / self.volume_ml;
        sheet.step(format!(
            "concentration = {} {drug_unit} in {} mL = {strength} {small}/mL",
            self.drug_amount, self.volume_ml
        ));
        let mut need = self.dose * hourly;
        match (scale, self.weight_kg) {
            (Scale::PerKg, Some(weight)) => {
                sheet.check(weight, &WEIGHT)?;
                need = need * weight;
                sheet.step(format!(
                    "need = {} {dose_unit} × {weight} kg × {hourly} = {need} {small}/h",
                    self.dose
                ));
            }
            (Scale::PerKg, None) => {
                return Err(Refusal::missing(
                    "weight_kg",
                    format!("{dose_unit} needs the weight"),
                ));
            }
            (Scale::Whole, _) => {
                sheet.step(format!(
                    "need = {} {dose_unit} × {hourly} = {need} {small}/h",
                    self.dose
                ));
            }
        }
        let rate = need / strength;
        sheet.step(format!(
            "rate = {need} {small}/h ÷ {strength} {small}/mL = {rate} mL/h"
        ));
        if rate > Number::from(RATE_MAX) {
            return Err(Refusal::OutOfRange {
                field: "the rate",
                value: rate.to_string(),
                low: "0".to_owned(),
                high: RATE_MAX.to_string(),
                unit: "mL/h",
            });
        }
        if rate < Number::from(RATE_SLOW) || rate > Number::from(RATE_FAST) {
            sheet.note(format!(
                "{rate} mL/h is beyond what most pumps deliver: check dose and concentration."
            ));
        }
        sheet.part("lasts", self.volume_ml / rate, "h")?;
        sheet.number(rate, "mL/h", 1)
    }
}

impl Calculation for DripRate {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical("Drops a minute = volume × drop factor ÷ minutes");
        sheet.check(self.volume_ml, &VOLUME)?;
        sheet.check(self.hours, &HOURS)?;
        sheet.check(self.drops_per_ml, &DROPS)?;
        let minutes = self.hours * 60;
        let drops = self.volume_ml * self.drops_per_ml / minutes;
        let hourly = self.volume_ml / self.hours;
        sheet.step(format!(
            "{} mL × {} drops/mL ÷ {minutes} min = {drops} drops/min",
            self.volume_ml, self.drops_per_ml
        ));
        sheet.part("millilitres_an_hour", hourly, "mL/h")?;
        sheet.note("Drops are counted whole: the rounded number is what can be set.");
        sheet.number(drops, "drops/min", 0)
    }
}
