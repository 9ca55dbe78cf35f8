//! Creatinine clearance and estimated filtration rate.

use rust_decimal::{Decimal, dec};

use super::{ADULT_AGE, Sex, WEIGHT, clinical, range};
use crate::answer::{Range, Sheet};
use crate::describe::{Calculation, choice, described};
use crate::maths::power;
use crate::{Answer, Number, Refusal};

const CREATININE: Range = range(
    "creatinine",
    "mg/dL",
    (dec!(0.1), dec!(40)),
    (dec!(0.4), dec!(8)),
);
/// What clinical laboratories convert creatinine with.
const MICROMOLES: Decimal = dec!(88.4);

choice! {
    /// The unit of a creatinine.
    CreatinineUnit {
        MilligramPerDecilitre = "mg/dL",
        MicromolePerLitre = "umol/L",
    }
}

choice! {
    /// An equation for the filtration rate.
    FiltrationEquation {
        CkdEpi2021 = "ckd_epi_2021",
        Mdrd = "mdrd",
    }
}

described! {
    /// Creatinine clearance by Cockcroft and Gault, for drug dosing in adults.
    CreatinineClearance {
        /// Age in years.
        age_years: Number,
        /// Sex.
        sex: Sex,
        /// Body weight in kg: actual, ideal or adjusted, as the drug's label asks.
        weight_kg: Number,
        /// Serum creatinine.
        creatinine: Number,
        /// Its unit.
        creatinine_unit: CreatinineUnit,
    }
}

described! {
    /// Estimated glomerular filtration rate of an adult, indexed to 1.73 m².
    FiltrationRate {
        /// Age in years.
        age_years: Number,
        /// Sex.
        sex: Sex,
        /// Serum creatinine.
        creatinine: Number,
        /// Its unit.
        creatinine_unit: CreatinineUnit,
        /// The equation; ckd_epi_2021 unless given.
        equation: Option<FiltrationEquation>,
    }
}

fn milligrams(
    sheet: &mut Sheet,
    creatinine: Number,
    unit: CreatinineUnit,
) -> Result<Number, Refusal> {
    let milligrams = match unit {
        CreatinineUnit::MilligramPerDecilitre => creatinine,
        CreatinineUnit::MicromolePerLitre => {
            let milligrams = creatinine / MICROMOLES;
            sheet.step(format!(
                "creatinine = {creatinine} µmol/L ÷ 88.4 = {milligrams} mg/dL"
            ));
            milligrams
        }
    };
    sheet.check(milligrams, &CREATININE)?;
    Ok(milligrams)
}

impl Calculation for CreatinineClearance {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical("Cockcroft and Gault (1976)");
        sheet.check(self.age_years, &ADULT_AGE)?;
        sheet.check(self.weight_kg, &WEIGHT)?;
        let creatinine = milligrams(&mut sheet, self.creatinine, self.creatinine_unit)?;
        let mut clearance =
            (Number::from(140) - self.age_years) * self.weight_kg / (creatinine * 72);
        sheet.step(format!(
            "(140 − {}) × {} kg ÷ (72 × {creatinine}) = {clearance} mL/min",
            self.age_years, self.weight_kg
        ));
        if self.sex == Sex::Female {
            let male = clearance;
            clearance = male * dec!(0.85);
            sheet.step(format!("female: {male} × 0.85 = {clearance} mL/min"));
        }
        sheet.note("Valid for a stable creatinine; not indexed to body surface.");
        sheet.number(clearance, "mL/min", 1)
    }
}

impl Calculation for FiltrationRate {
    fn answer(&self) -> Result<Answer, Refusal> {
        let equation = self.equation.unwrap_or(FiltrationEquation::CkdEpi2021);
        let mut sheet = clinical(match equation {
            FiltrationEquation::CkdEpi2021 => {
                "CKD-EPI creatinine equation, Inker (2021), powers by logarithms to 20 digits"
            }
            FiltrationEquation::Mdrd => {
                "MDRD with IDMS creatinine, Levey (2006), powers by logarithms to 20 digits"
            }
        });
        sheet.check(self.age_years, &ADULT_AGE)?;
        let creatinine = milligrams(&mut sheet, self.creatinine, self.creatinine_unit)?;
        let rate = match equation {
            FiltrationEquation::CkdEpi2021 => self.ckd_epi(&mut sheet, creatinine),
            FiltrationEquation::Mdrd => self.mdrd(&mut sheet, creatinine),
        };
        sheet.part_in_words("category", category(rate));
        sheet.note("Valid for a stable creatinine; the category requires three months of disease (KDIGO 2012).");
        sheet.irrational(rate, "mL/min/1.73m²", 0)
    }
}

impl FiltrationRate {
    fn ckd_epi(&self, sheet: &mut Sheet, creatinine: Number) -> Number {
        let (kappa, alpha, factor) = match self.sex {
            Sex::Female => (dec!(0.7), dec!(-0.241), dec!(1.012)),
            Sex::Male => (dec!(0.9), dec!(-0.302), dec!(1)),
        };
        let ratio = creatinine / kappa;
        let low = power(ratio.min(Number::ONE), alpha);
        let high = power(ratio.max(Number::ONE), dec!(-1.2));
        let age = power(dec!(0.9938).into(), self.age_years);
        let rate = low * high * age * factor * 142;
        sheet.step(format!("creatinine ÷ κ = {creatinine} ÷ {kappa} = {ratio}"));
        sheet.step(format!(
            "142 × min({ratio}, 1)^{alpha} × max({ratio}, 1)^-1.2 × 0.9938^{} × {factor} = {rate}",
            self.age_years
        ));
        rate
    }

    fn mdrd(&self, sheet: &mut Sheet, creatinine: Number) -> Number {
        let factor = match self.sex {
            Sex::Female => dec!(0.742),
            Sex::Male => dec!(1),
        };
        let rate =
            power(creatinine, dec!(-1.154)) * power(self.age_years, dec!(-0.203)) * factor * 175;
        sheet.step(format!(
            "175 × {creatinine}^-1.154 × {}^-0.203 × {factor} = {rate}",
            self.age_years
        ));
        sheet.note("Without the race factor, as is usual today.");
        if rate > Number::from(60) {
            sheet.note("MDRD underestimates above 60 mL/min/1.73m²: CKD-EPI 2021 is preferred.");
        }
        rate
    }
}

fn category(rate: Number) -> &'static str {
    let categories = [(15, "G5"), (30, "G4"), (45, "G3b"), (60, "G3a"), (90, "G2")];
    categories
        .iter()
        .find(|(below, _)| rate.round(0) < Number::from(*below))
        .map_or("G1", |(_, category)| category)
}
