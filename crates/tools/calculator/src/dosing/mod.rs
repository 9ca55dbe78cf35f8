//! Doses, body measures, kidney function and clinical scores. Fields carry their unit in the name; what cannot be a
//! living person's value is refused. Nothing here chooses a drug or a dose.

mod body;
mod dose;
mod electrolytes;
mod heart;
mod infusion;
mod kidney;
mod kinetics;
mod liver;

use rust_decimal::{Decimal, dec};

use crate::answer::{Range, Sheet};
use crate::describe::choice;
use crate::{Number, Refusal};

pub(crate) use body::{BodyMassIndex, BodySurface, IdealWeight};
pub(crate) use dose::{DoseBand, DoseBySurface, DoseByWeight};
pub(crate) use electrolytes::{AnionGap, CorrectedCalcium};
pub(crate) use heart::{CorrectedQt, StrokeRisk};
pub(crate) use infusion::{DripRate, InfusionRate};
pub(crate) use kidney::{CreatinineClearance, FiltrationRate};
pub(crate) use kinetics::{Decay, LoadingDose, MaintenanceDose, SteadyState};
pub(crate) use liver::{ChildPugh, MeldSodium};

choice! {
    /// Sex, as the formulas were derived for it.
    Sex {
        Female = "female",
        Male = "male",
    }
}

/// A sheet that says what it is not.
fn clinical(method: &str) -> Sheet {
    let mut sheet = Sheet::new(method);
    sheet.note("A calculation, not advice: it does not replace the judgement of a prescriber.");
    sheet
}

const fn range(
    field: &'static str,
    unit: &'static str,
    possible: (Decimal, Decimal),
    usual: (Decimal, Decimal),
) -> Range {
    Range {
        field,
        unit,
        possible,
        usual,
    }
}

const WEIGHT: Range = range(
    "weight_kg",
    "kg",
    (dec!(0.2), dec!(650)),
    (dec!(2), dec!(200)),
);
const HEIGHT: Range = range(
    "height_cm",
    "cm",
    (dec!(20), dec!(275)),
    (dec!(45), dec!(210)),
);
const ADULT_AGE: Range = range(
    "age_years",
    "years",
    (dec!(18), dec!(120)),
    (dec!(18), dec!(95)),
);

/// Refuses zero and less, for numbers that have no other bounds.
fn positive(field: &str, value: Number) -> Result<(), Refusal> {
    if value.is_positive() {
        Ok(())
    } else {
        Err(Refusal::unusable(field, value, "give a number above zero"))
    }
}
