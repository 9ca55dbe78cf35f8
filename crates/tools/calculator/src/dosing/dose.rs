//! Doses by weight or surface, with caps, and dose bands that the caller gives.

use super::body::SurfaceFormula;
use super::{WEIGHT, clinical, positive, range};
use crate::answer::{Range, Sheet};
use crate::describe::{Calculation, choice, described};
use crate::maths::held;
use crate::{Answer, Number, Refusal};
use rust_decimal::dec;

const DOSES_PER_DAY_MAX: u32 = 48;
const SURFACE: Range = range(
    "surface_m2",
    "m²",
    (dec!(0.05), dec!(5)),
    (dec!(0.15), dec!(2.5)),
);

choice! {
    /// What a dose per kg or per m² is the dose of.
    Basis {
        Dose = "dose",
        Day = "day",
    }
}

described! {
    /// A dose by body weight, with optional caps and the volume to draw up.
    DoseByWeight {
        /// Body weight in kg.
        weight_kg: Number,
        /// Amount per kg, in `dose_unit`.
        dose_per_kg: Number,
        /// Unit of the amount, as mg, mcg, units.
        dose_unit: String,
        /// Whether the amount per kg is for one dose (default) or for a whole day.
        basis: Option<Basis>,
        /// Doses in a day.
        doses_per_day: Option<u32>,
        /// The most for one dose, in `dose_unit`.
        max_dose: Option<Number>,
        /// The most for a day, in `dose_unit`.
        max_daily: Option<Number>,
        /// Strength of the preparation per mL, in `dose_unit`.
        concentration_per_ml: Option<Number>,
    }
}

described! {
    /// A dose by body surface, with optional caps and the volume to draw up.
    DoseBySurface {
        /// Body surface in m², unless weight and height are given.
        surface_m2: Option<Number>,
        /// Body weight in kg.
        weight_kg: Option<Number>,
        /// Height in cm.
        height_cm: Option<Number>,
        /// The surface formula; mosteller unless given.
        formula: Option<SurfaceFormula>,
        /// The most surface to dose by, in m².
        max_surface_m2: Option<Number>,
        /// Amount per m², in `dose_unit`.
        dose_per_m2: Number,
        /// Unit of the amount, as mg.
        dose_unit: String,
        /// Whether the amount per m² is for one dose (default) or for a whole day.
        basis: Option<Basis>,
        /// Doses in a day.
        doses_per_day: Option<u32>,
        /// The most for one dose, in `dose_unit`.
        max_dose: Option<Number>,
        /// The most for a day, in `dose_unit`.
        max_daily: Option<Number>,
        /// Strength of the preparation per mL, in `dose_unit`.
        concentration_per_ml: Option<Number>,
    }
}

described! {
    /// A band of a dose table.
    Band {
        /// The band begins at this value.
        at_least: Number,
        /// The band ends before this value; the last band may be open.
        below: Option<Number>,
        /// What the band says, as 500 mg every 24 h.
        dose: String,
    }
}

described! {
    /// Look a value such as an eGFR up in a dose table that the caller gives.
    DoseBand {
        /// The value, for example an eGFR in mL/min/1.73 m².
        value: Number,
        /// The table; bands may not overlap.
        bands: Vec<Band>,
    }
}

impl Calculation for DoseByWeight {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical("Dose per kg × weight, capped as given");
        sheet.check(self.weight_kg, &WEIGHT)?;
        Scaled {
            size: self.weight_kg,
            size_unit: "kg",
            per_size: self.dose_per_kg,
            per_size_field: "dose_per_kg",
            unit: &self.dose_unit,
            basis: self.basis.unwrap_or(Basis::Dose),
            doses_per_day: self.doses_per_day,
            max_dose: self.max_dose,
            max_daily: self.max_daily,
            concentration_per_ml: self.concentration_per_ml,
        }
        .answer(sheet)
    }
}

impl Calculation for DoseBySurface {
    fn answer(&self) -> Result<Answer, Refusal> {
        let formula = self.formula.unwrap_or(SurfaceFormula::Mosteller);
        let mut sheet = clinical(&format!(
            "Dose per m² × body surface by {}, capped as given",
            formula.source()
        ));
        let mut surface = match (self.surface_m2, self.weight_kg, self.height_cm) {
            (Some(surface), None, None) => {
                sheet.check(surface, &SURFACE)?;
                surface
            }
            (None, Some(weight), Some(height)) => formula.surface(&mut sheet, weight, height)?,
            _ => {
                return Err(Refusal::missing(
                    "surface_m2",
                    "give either the surface, or weight_kg and height_cm together",
                ));
            }
        };
        if let Some(most) = self.max_surface_m2.filter(|most| surface > *most) {
            positive("max_surface_m2", most)?;
            sheet.step(format!("surface capped: {surface} → {most} m²"));
            sheet.note(format!("The surface was capped at {most} m²."));
            surface = most;
        }
        Scaled {
            size: surface,
            size_unit: "m²",
            per_size: self.dose_per_m2,
            per_size_field: "dose_per_m2",
            unit: &self.dose_unit,
            basis: self.basis.unwrap_or(Basis::Dose),
            doses_per_day: self.doses_per_day,
            max_dose: self.max_dose,
            max_daily: self.max_daily,
            concentration_per_ml: self.concentration_per_ml,
        }
        .answer(sheet)
    }
}

struct Scaled<'a> {
    size: Number,
    size_unit: &'a str,
    per_size: Number,
    per_size_field: &'a str,
    unit: &'a str,
    basis: Basis,
    doses_per_day: Option<u32>,
    max_dose: Option<Number>,
    max_daily: Option<Number>,
    concentration_per_ml: Option<Number>,
}

impl Scaled<'_> {
    fn answer(&self, mut sheet: Sheet) -> Result<Answer, Refusal> {
        positive(self.per_size_field, self.per_size)?;
        let unit = self.unit;
        let amount = held(self.per_size * self.size);
        sheet.step(format!(
            "{} {unit}/{} × {} {} = {amount} {unit}",
            self.per_size, self.size_unit, self.size, self.size_unit
        ));
        let times = self.times()?;
        let mut dose = match self.basis {
            Basis::Dose => amount,
            Basis::Day => {
                let times = times.ok_or_else(|| {
                    Refusal::missing("doses_per_day", "a dose for a day needs it")
                })?;
                let dose = amount / times;
                sheet.step(format!(
                    "{amount} {unit} a day ÷ {times} doses = {dose} {unit}"
                ));
                dose
            }
        };
        if let Some(most) = self.max_dose {
            positive("max_dose", most)?;
            dose = capped(
                &mut sheet,
                dose,
                most,
                &format!("the most for one dose, {most} {unit}"),
            );
        }
        if let Some(most) = self.max_daily {
            positive("max_daily", most)?;
            let times = times
                .ok_or_else(|| Refusal::missing("doses_per_day", "a cap for a day needs it"))?;
            dose = capped(
                &mut sheet,
                dose,
                most / times,
                &format!("the most for a day, {most} {unit} ÷ {times}"),
            );
        }
        if let Some(times) = times {
            let daily = dose * times;
            sheet.step(format!(
                "{dose} {unit} × {times} doses = {daily} {unit} a day"
            ));
            sheet.part("daily", daily, unit)?;
        }
        if let Some(strength) = self.concentration_per_ml {
            positive("concentration_per_ml", strength)?;
            let volume = dose / strength;
            sheet.step(format!(
                "{dose} {unit} ÷ {strength} {unit}/mL = {volume} mL"
            ));
            sheet.part("volume", volume, "mL")?;
        }
        sheet.number(dose, unit, 2)
    }

    fn times(&self) -> Result<Option<Number>, Refusal> {
        match self.doses_per_day {
            Some(times) if times == 0 || times > DOSES_PER_DAY_MAX => Err(Refusal::unusable(
                "doses_per_day",
                times,
                format!("give 1 to {DOSES_PER_DAY_MAX}"),
            )),
            times => Ok(times.map(Number::from)),
        }
    }
}

fn capped(sheet: &mut Sheet, dose: Number, most: Number, why: &str) -> Number {
    if dose <= most {
        return dose;
    }
    sheet.step(format!("capped by {why}: {dose} → {most}"));
    sheet.note(format!("The dose was capped by {why}."));
    most
}

impl Calculation for DoseBand {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical("Dose table as given by the caller");
        let mut bands: Vec<_> = self.bands.iter().collect();
        bands.sort_by_key(|band| band.at_least.inner());
        for pair in bands.windows(2) {
            if let [first, second] = pair
                && first.below.is_none_or(|below| below > second.at_least)
            {
                return Err(Refusal::unusable(
                    "bands",
                    format!("{} and {}", first.dose, second.dose),
                    "these two overlap, give each band an end where the next begins",
                ));
            }
        }
        let band = bands.iter().find(|band| {
            self.value >= band.at_least && band.below.is_none_or(|below| self.value < below)
        });
        let band = band.ok_or_else(|| {
            Refusal::unusable(
                "value",
                self.value,
                "no band of the table contains it, check the table with its author",
            )
        })?;
        let end = band
            .below
            .map_or("no end".to_owned(), |below| format!("below {below}"));
        sheet.step(format!(
            "{} lies in: at least {}, {end} → {}",
            self.value, band.at_least, band.dose
        ));
        for edge in bands
            .iter()
            .map(|band| band.at_least)
            .filter(|edge| edge.is_positive())
        {
            if (self.value - edge).abs() * 20 < edge {
                sheet.note(format!("The value is within 5 % of the limit {edge}: a new measurement may change the band."));
            }
        }
        Ok(sheet.words(band.dose.clone()))
    }
}
