//! Liver scores.

use rust_decimal::{Decimal, dec};

use super::{clinical, range};
use crate::answer::Range;
use crate::describe::{Calculation, choice, described};
use crate::maths::logarithm;
use crate::{Answer, Number, Refusal};

const BILIRUBIN: Range = range(
    "bilirubin_mg_dl",
    "mg/dL",
    (dec!(0.05), dec!(80)),
    (dec!(0.1), dec!(40)),
);
const INR: Range = range("inr", "", (dec!(0.5), dec!(20)), (dec!(0.8), dec!(8)));
const CREATININE: Range = range(
    "creatinine_mg_dl",
    "mg/dL",
    (dec!(0.1), dec!(40)),
    (dec!(0.4), dec!(8)),
);
const SODIUM: Range = range(
    "sodium_mmol_l",
    "mmol/L",
    (dec!(90), dec!(200)),
    (dec!(120), dec!(150)),
);
const ALBUMIN: Range = range(
    "albumin_g_dl",
    "g/dL",
    (dec!(0.3), dec!(8)),
    (dec!(1.5), dec!(5.5)),
);
const MELD_MAX: i32 = 40;
const CREATININE_CAP: i32 = 4;

choice! {
    /// Dialysis at least twice in the last week.
    Dialysis {
        No = "no",
        TwiceAWeek = "twice_in_last_week",
    }
}

choice! {
    /// Ascites.
    Ascites {
        None = "none",
        Mild = "mild",
        Severe = "moderate_or_severe",
    }
}

choice! {
    /// Hepatic encephalopathy.
    Encephalopathy {
        None = "none",
        Mild = "grade_1_or_2",
        Severe = "grade_3_or_4",
    }
}

described! {
    /// MELD-Na score of liver disease.
    MeldSodium {
        /// Bilirubin in mg/dL.
        bilirubin_mg_dl: Number,
        /// INR.
        inr: Number,
        /// Creatinine in mg/dL.
        creatinine_mg_dl: Number,
        /// Sodium in mmol/L.
        sodium_mmol_l: Number,
        /// Dialysis at least twice in the last week; no unless given.
        dialysis: Option<Dialysis>,
    }
}

described! {
    /// Child-Pugh score and class of cirrhosis.
    ChildPugh {
        /// Bilirubin in mg/dL.
        bilirubin_mg_dl: Number,
        /// Albumin in g/dL.
        albumin_g_dl: Number,
        /// INR.
        inr: Number,
        /// Ascites.
        ascites: Ascites,
        /// Hepatic encephalopathy.
        encephalopathy: Encephalopathy,
    }
}

impl Calculation for MeldSodium {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical(
            "MELD-Na as of OPTN (2016), after Kamath (2001) and Kim (2008); logarithms to 20 digits",
        );
        sheet.check(self.bilirubin_mg_dl, &BILIRUBIN)?;
        sheet.check(self.inr, &INR)?;
        sheet.check(self.creatinine_mg_dl, &CREATININE)?;
        sheet.check(self.sodium_mmol_l, &SODIUM)?;
        let cap = Number::from(CREATININE_CAP);
        let creatinine = match self.dialysis.unwrap_or(Dialysis::No) {
            Dialysis::TwiceAWeek => cap,
            Dialysis::No => self.creatinine_mg_dl.max(Number::ONE).min(cap),
        };
        let bilirubin = self.bilirubin_mg_dl.max(Number::ONE);
        let inr = self.inr.max(Number::ONE);
        let sodium = self.sodium_mmol_l.max(125.into()).min(137.into());
        sheet.step(format!(
            "within limits: creatinine {creatinine}, bilirubin {bilirubin}, INR {inr}, sodium {sodium}"
        ));
        let exact = logarithm(creatinine) * dec!(0.957)
            + logarithm(bilirubin) * dec!(0.378)
            + logarithm(inr) * dec!(1.120)
            + dec!(0.643);
        let first = exact.round(1) * 10;
        sheet.step(format!(
            "MELD = 10 × (0.957 ln {creatinine} + 0.378 ln {bilirubin} + 1.120 ln {inr} + 0.643) = 10 × {exact} → {first}"
        ));
        let mut score = first;
        if first > Number::from(11) {
            let missing = Number::from(137) - sodium;
            score = first + missing * dec!(1.32) - first * missing * dec!(0.033);
            sheet.step(format!(
                "MELD-Na = {first} + 1.32 × {missing} − 0.033 × {first} × {missing} = {score}"
            ));
        } else {
            sheet.note("Sodium counts only above a MELD of 11.");
        }
        let score = score.round(0).min(MELD_MAX.into());
        sheet.step(format!("rounded, and at most {MELD_MAX}: {score}"));
        sheet.part("meld_without_sodium", first, "points")?;
        sheet.note(
            "Since 2023 allocation in the United States uses MELD 3.0, which is another formula.",
        );
        sheet.number(score, "points", 0)
    }
}

/// One point below the first limit, three above the second; both limits belong to the middle.
fn points(value: Number, low: Decimal, high: Decimal) -> u32 {
    if value < Number::from(low) {
        1
    } else if value <= Number::from(high) {
        2
    } else {
        3
    }
}

impl Calculation for ChildPugh {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical("Pugh (1973), with INR for the prothrombin time");
        sheet.check(self.bilirubin_mg_dl, &BILIRUBIN)?;
        sheet.check(self.albumin_g_dl, &ALBUMIN)?;
        sheet.check(self.inr, &INR)?;
        let bilirubin = points(self.bilirubin_mg_dl, dec!(2), dec!(3));
        let albumin = 4 - points(self.albumin_g_dl, dec!(2.8), dec!(3.5));
        let inr = points(self.inr, dec!(1.7), dec!(2.3));
        let ascites = match self.ascites {
            Ascites::None => 1,
            Ascites::Mild => 2,
            Ascites::Severe => 3,
        };
        let encephalopathy = match self.encephalopathy {
            Encephalopathy::None => 1,
            Encephalopathy::Mild => 2,
            Encephalopathy::Severe => 3,
        };
        let score = bilirubin + albumin + inr + ascites + encephalopathy;
        sheet.step(format!(
            "bilirubin {} mg/dL: {bilirubin}",
            self.bilirubin_mg_dl
        ));
        sheet.step(format!("albumin {} g/dL: {albumin}", self.albumin_g_dl));
        sheet.step(format!("INR {}: {inr}", self.inr));
        sheet.step(format!(
            "ascites: {ascites}; encephalopathy: {encephalopathy}"
        ));
        let class = match score {
            ..=6 => "A",
            7..=9 => "B",
            _ => "C",
        };
        sheet.step(format!("sum = {score} → class {class}"));
        sheet.part_in_words("class", class);
        sheet.note("In cholestatic disease other limits of bilirubin apply.");
        sheet.number(score.into(), "points", 0)
    }
}
