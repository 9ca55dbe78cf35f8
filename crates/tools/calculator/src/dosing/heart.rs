//! The corrected QT interval and the stroke risk score in atrial fibrillation.

use rust_decimal::dec;

use super::{ADULT_AGE, Sex, clinical, range};
use crate::answer::Range;
use crate::describe::{Calculation, choice, described};
use crate::maths::{cube_root, square_root};
use crate::{Answer, Number, Refusal};

const QT: Range = range(
    "qt_ms",
    "ms",
    (dec!(150), dec!(900)),
    (dec!(280), dec!(600)),
);
const RATE: Range = range(
    "heart_rate",
    "beats/min",
    (dec!(20), dec!(300)),
    (dec!(60), dec!(100)),
);

choice! {
    /// A formula for the corrected QT interval.
    QtFormula {
        Bazett = "bazett",
        Fridericia = "fridericia",
    }
}

choice! {
    /// A condition that counts in the stroke risk score.
    StrokeCondition {
        HeartFailure = "heart_failure",
        Hypertension = "hypertension",
        Diabetes = "diabetes",
        Stroke = "stroke_tia_or_embolism",
        Vascular = "vascular_disease",
    }
}

described! {
    /// QT interval corrected for heart rate.
    CorrectedQt {
        /// Measured QT interval in ms.
        qt_ms: Number,
        /// Heart rate in beats per minute.
        heart_rate: Number,
        /// The formula; fridericia unless given.
        formula: Option<QtFormula>,
    }
}

described! {
    /// CHA2DS2-VASc score of stroke risk in atrial fibrillation.
    StrokeRisk {
        /// Age in years.
        age_years: u32,
        /// Sex.
        sex: Sex,
        /// The conditions the patient has; an empty list for none.
        conditions: Vec<StrokeCondition>,
    }
}

impl Calculation for CorrectedQt {
    fn answer(&self) -> Result<Answer, Refusal> {
        let formula = self.formula.unwrap_or(QtFormula::Fridericia);
        let mut sheet = clinical(match formula {
            QtFormula::Bazett => "Bazett (1920), square root",
            QtFormula::Fridericia => "Fridericia (1920), cube root by logarithms to 20 digits",
        });
        sheet.check(self.qt_ms, &QT)?;
        sheet.check(self.heart_rate, &RATE)?;
        let interval = Number::from(60) / self.heart_rate;
        sheet.step(format!("RR = 60 ÷ {} = {interval} s", self.heart_rate));
        let (root, sign) = match formula {
            QtFormula::Bazett => (square_root(interval), "√"),
            QtFormula::Fridericia => (cube_root(interval), "∛"),
        };
        let corrected = self.qt_ms / root;
        sheet.step(format!(
            "QTc = {} ÷ {sign}{interval} = {corrected} ms",
            self.qt_ms
        ));
        if formula == QtFormula::Bazett
            && (self.heart_rate < 60.into() || self.heart_rate > 100.into())
        {
            sheet.note("Bazett corrects too much at fast rates and too little at slow ones: compare Fridericia.");
        }
        if corrected > Number::from(500) {
            sheet.note("Above 500 ms the risk of torsades de pointes is markedly higher.");
        }
        sheet.irrational(corrected, "ms", 0)
    }
}

impl StrokeCondition {
    fn points(self) -> (u32, &'static str) {
        match self {
            Self::HeartFailure => (1, "heart failure"),
            Self::Hypertension => (1, "hypertension"),
            Self::Diabetes => (1, "diabetes"),
            Self::Stroke => (2, "stroke, TIA or embolism"),
            Self::Vascular => (1, "vascular disease"),
        }
    }
}

impl Calculation for StrokeRisk {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical("CHA2DS2-VASc, Lip (2010)");
        sheet.check(self.age_years.into(), &ADULT_AGE)?;
        let mut score = 0;
        let age = match self.age_years {
            75.. => 2,
            65..75 => 1,
            _ => 0,
        };
        let female = u32::from(self.sex == Sex::Female);
        sheet.step(format!("age {}: {age}", self.age_years));
        sheet.step(format!("female sex: {female}"));
        for (index, condition) in self.conditions.iter().enumerate() {
            let (points, name) = condition.points();
            if self.conditions[..index].contains(condition) {
                return Err(Refusal::unusable(
                    "conditions",
                    name,
                    "each condition counts once, name it once",
                ));
            }
            score += points;
            sheet.step(format!("{name}: {points}"));
        }
        score += age + female;
        sheet.step(format!("sum = {score} of 9"));
        sheet.note("For atrial fibrillation without moderate or severe mitral stenosis or a mechanical valve.");
        sheet.number(score.into(), "points", 0)
    }
}
