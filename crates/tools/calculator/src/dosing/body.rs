//! Body surface, body mass index, ideal weight.

use rust_decimal::dec;

use super::{HEIGHT, Sex, WEIGHT, clinical};
use crate::answer::Sheet;
use crate::describe::{Calculation, choice, described};
use crate::maths::{power, square_root};
use crate::{Answer, Number, Refusal};

choice! {
    /// A formula for body surface.
    SurfaceFormula {
        Mosteller = "mosteller",
        DuBois = "du_bois",
        Haycock = "haycock",
    }
}

described! {
    /// Body surface area from weight and height.
    BodySurface {
        /// Body weight in kg.
        weight_kg: Number,
        /// Height in cm.
        height_cm: Number,
        /// The formula; mosteller unless given.
        formula: Option<SurfaceFormula>,
    }
}

described! {
    /// Body mass index with the WHO class for adults.
    BodyMassIndex {
        /// Body weight in kg.
        weight_kg: Number,
        /// Height in cm.
        height_cm: Number,
    }
}

described! {
    /// Ideal body weight (Devine) and, with the actual weight, the adjusted weight.
    IdealWeight {
        /// Sex.
        sex: Sex,
        /// Height in cm.
        height_cm: Number,
        /// Actual body weight in kg, for the adjusted weight.
        weight_kg: Option<Number>,
    }
}

impl SurfaceFormula {
    pub(super) fn source(self) -> &'static str {
        match self {
            Self::Mosteller => "Mosteller (1987), square root",
            Self::DuBois => "Du Bois and Du Bois (1916), powers by logarithms to 20 digits",
            Self::Haycock => "Haycock (1978), powers by logarithms to 20 digits",
        }
    }

    pub(super) fn surface(
        self,
        sheet: &mut Sheet,
        weight: Number,
        height: Number,
    ) -> Result<Number, Refusal> {
        sheet.check(weight, &WEIGHT)?;
        sheet.check(height, &HEIGHT)?;
        let (surface, formula) = match self {
            Self::Mosteller => (
                square_root(height * weight / 3600),
                format!("√({height} cm × {weight} kg ÷ 3600)"),
            ),
            Self::DuBois => (
                power(weight, dec!(0.425)) * power(height, dec!(0.725)) * dec!(0.007184),
                format!("0.007184 × {weight}^0.425 × {height}^0.725"),
            ),
            Self::Haycock => (
                power(weight, dec!(0.5378)) * power(height, dec!(0.3964)) * dec!(0.024265),
                format!("0.024265 × {weight}^0.5378 × {height}^0.3964"),
            ),
        };
        sheet.step(format!("body surface = {formula} = {surface} m²"));
        Ok(surface)
    }
}

impl Calculation for BodySurface {
    fn answer(&self) -> Result<Answer, Refusal> {
        let formula = self.formula.unwrap_or(SurfaceFormula::Mosteller);
        let mut sheet = clinical(formula.source());
        let surface = formula.surface(&mut sheet, self.weight_kg, self.height_cm)?;
        sheet.irrational(surface, "m²", 2)
    }
}

impl Calculation for BodyMassIndex {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical("Quetelet index; classes of the WHO (2000)");
        sheet.check(self.weight_kg, &WEIGHT)?;
        sheet.check(self.height_cm, &HEIGHT)?;
        let metres = self.height_cm / 100;
        let index = self.weight_kg / metres.squared();
        sheet.step(format!(
            "{} kg ÷ ({metres} m)² = {index} kg/m²",
            self.weight_kg
        ));
        sheet.part_in_words("class", body_class(index));
        sheet.note("The classes are for adults; children are judged by percentiles of their age.");
        if index < Number::from(10) || index > Number::from(80) {
            sheet.note("Such an index is very unusual: check weight and height.");
        }
        sheet.number(index, "kg/m²", 1)
    }
}

fn body_class(index: Number) -> &'static str {
    let classes = [
        (dec!(18.5), "underweight"),
        (dec!(25), "normal weight"),
        (dec!(30), "overweight"),
        (dec!(35), "obesity class I"),
        (dec!(40), "obesity class II"),
    ];
    classes
        .iter()
        .find(|(below, _)| index < Number::from(*below))
        .map_or("obesity class III", |(_, class)| class)
}

impl Calculation for IdealWeight {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet =
            clinical("Devine (1974); adjusted weight with 0.4 of the excess, Bauer (1983)");
        sheet.check(self.height_cm, &HEIGHT)?;
        let inches = self.height_cm / dec!(2.54);
        let start = match self.sex {
            Sex::Female => dec!(45.5),
            Sex::Male => dec!(50),
        };
        let ideal = (inches - 60) * dec!(2.3) + start;
        sheet.step(format!(
            "height = {} cm ÷ 2.54 = {inches} in",
            self.height_cm
        ));
        sheet.step(format!(
            "ideal weight = {start} + 2.3 × ({inches} − 60) = {ideal} kg"
        ));
        if inches < Number::from(60) {
            sheet.note("The formula is meant for adults of at least 60 inches (152.4 cm).");
        }
        super::positive("height_cm", ideal)?;
        if let Some(weight) = self.weight_kg {
            sheet.check(weight, &WEIGHT)?;
            let adjusted = ideal + (weight - ideal) * dec!(0.4);
            sheet.step(format!(
                "adjusted weight = {ideal} + 0.4 × ({weight} − {ideal}) = {adjusted} kg"
            ));
            sheet.part("adjusted_weight", adjusted, "kg")?;
            sheet.part("percent_of_ideal", (weight / ideal * 100).round(1), "%")?;
            if weight < ideal {
                sheet.note("The actual weight is below the ideal weight: the actual weight is usually used for dosing.");
            }
        }
        sheet.number(ideal, "kg", 1)
    }
}
