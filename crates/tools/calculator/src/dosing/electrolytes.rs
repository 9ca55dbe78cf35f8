//! Calcium corrected for albumin, and the anion gap.

use rust_decimal::dec;

use super::{clinical, range};
use crate::answer::Range;
use crate::describe::{Calculation, described};
use crate::{Answer, Number, Refusal};

const CALCIUM: Range = range(
    "calcium_mg_dl",
    "mg/dL",
    (dec!(2), dec!(25)),
    (dec!(6), dec!(14)),
);
const ALBUMIN: Range = range(
    "albumin_g_dl",
    "g/dL",
    (dec!(0.3), dec!(8)),
    (dec!(1.5), dec!(5.5)),
);
const SODIUM: Range = range(
    "sodium_mmol_l",
    "mmol/L",
    (dec!(90), dec!(200)),
    (dec!(120), dec!(160)),
);
const CHLORIDE: Range = range(
    "chloride_mmol_l",
    "mmol/L",
    (dec!(50), dec!(160)),
    (dec!(80), dec!(125)),
);
const BICARBONATE: Range = range(
    "bicarbonate_mmol_l",
    "mmol/L",
    (dec!(1), dec!(70)),
    (dec!(8), dec!(45)),
);
const POTASSIUM: Range = range(
    "potassium_mmol_l",
    "mmol/L",
    (dec!(1), dec!(12)),
    (dec!(2.5), dec!(7)),
);

described! {
    /// Total calcium corrected for albumin.
    CorrectedCalcium {
        /// Total calcium in mg/dL.
        calcium_mg_dl: Number,
        /// Albumin in g/dL.
        albumin_g_dl: Number,
    }
}

described! {
    /// Serum anion gap, corrected for albumin where that is given.
    AnionGap {
        /// Sodium in mmol/L.
        sodium_mmol_l: Number,
        /// Chloride in mmol/L.
        chloride_mmol_l: Number,
        /// Bicarbonate in mmol/L.
        bicarbonate_mmol_l: Number,
        /// Potassium in mmol/L, to count it too.
        potassium_mmol_l: Option<Number>,
        /// Albumin in g/dL, for the corrected gap.
        albumin_g_dl: Option<Number>,
    }
}

impl Calculation for CorrectedCalcium {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical("Payne (1973), in the form with 0.8 and an albumin of 4 g/dL");
        sheet.check(self.calcium_mg_dl, &CALCIUM)?;
        sheet.check(self.albumin_g_dl, &ALBUMIN)?;
        let corrected = self.calcium_mg_dl + (Number::from(4) - self.albumin_g_dl) * dec!(0.8);
        sheet.step(format!(
            "{} + 0.8 × (4 − {}) = {corrected} mg/dL",
            self.calcium_mg_dl, self.albumin_g_dl
        ));
        sheet.note("Unreliable in the critically ill and in kidney failure: ionised calcium is measured there.");
        sheet.number(corrected, "mg/dL", 1)
    }
}

impl Calculation for AnionGap {
    fn answer(&self) -> Result<Answer, Refusal> {
        let mut sheet = clinical("Emmett and Narins (1977); albumin by Figge (1998)");
        sheet.check(self.sodium_mmol_l, &SODIUM)?;
        sheet.check(self.chloride_mmol_l, &CHLORIDE)?;
        sheet.check(self.bicarbonate_mmol_l, &BICARBONATE)?;
        let mut cations = self.sodium_mmol_l;
        if let Some(potassium) = self.potassium_mmol_l {
            sheet.check(potassium, &POTASSIUM)?;
            cations = cations + potassium;
            sheet.step(format!(
                "cations = {} + {potassium} = {cations}",
                self.sodium_mmol_l
            ));
            sheet.note("With potassium the usual range is about 4 mmol/L higher.");
        }
        let gap = cations - self.chloride_mmol_l - self.bicarbonate_mmol_l;
        sheet.step(format!(
            "anion gap = {cations} − {} − {} = {gap} mmol/L",
            self.chloride_mmol_l, self.bicarbonate_mmol_l
        ));
        if let Some(albumin) = self.albumin_g_dl {
            sheet.check(albumin, &ALBUMIN)?;
            let corrected = gap + (Number::from(4) - albumin) * dec!(2.5);
            sheet.step(format!(
                "corrected for albumin = {gap} + 2.5 × (4 − {albumin}) = {corrected} mmol/L"
            ));
            sheet.part("corrected_for_albumin", corrected, "mmol/L")?;
        }
        if gap.is_negative() {
            sheet.note("A gap below zero is most often a mistake of the laboratory: repeat the measurement.");
        }
        sheet.number(gap, "mmol/L", 1)
    }
}
