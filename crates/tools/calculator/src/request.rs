//! Every kind of calculation, by its name on the wire.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::describe::{Calculation, Described};
use crate::{Answer, Refusal, convert, dates, dosing, finance};

macro_rules! requests {
    ($( $word:literal => $variant:ident($kind:ty) ),+ $(,)?) => {
        /// A calculation, tagged by `calculate`.
        #[derive(Debug, Clone, PartialEq, Deserialize)]
        #[serde(tag = "calculate")]
        pub enum Request {
            $( #[serde(rename = $word)] $variant($kind), )+
        }

        impl Request {
            /// The names of all kinds.
            pub const KINDS: &[&str] = &[$($word),+];

            fn calculation(&self) -> &dyn Calculation {
                match self {
                    $( Self::$variant(request) => request, )+
                }
            }
        }

        /// The JSON Schema of a request: one alternative for each kind.
        pub fn schema() -> Value {
            json!({
                "type": "object",
                "required": ["calculate"],
                "oneOf": [$( tagged($word, <$kind>::object()) ),+],
            })
        }
    };
}

requests! {
    "convert" => Convert(convert::Convert),
    "date_difference" => DateDifference(dates::DateDifference),
    "age" => Age(dates::Age),
    "date_add" => DateAdd(dates::DateAdd),
    "day_facts" => DayFacts(dates::DayFacts),
    "date_schedule" => DateSchedule(dates::DateSchedule),
    "zone_time" => ZoneTime(dates::ZoneTime),
    "dose_by_weight" => DoseByWeight(dosing::DoseByWeight),
    "dose_by_surface" => DoseBySurface(dosing::DoseBySurface),
    "dose_band" => DoseBand(dosing::DoseBand),
    "body_surface" => BodySurface(dosing::BodySurface),
    "body_mass_index" => BodyMassIndex(dosing::BodyMassIndex),
    "ideal_weight" => IdealWeight(dosing::IdealWeight),
    "creatinine_clearance" => CreatinineClearance(dosing::CreatinineClearance),
    "egfr" => FiltrationRate(dosing::FiltrationRate),
    "infusion_rate" => InfusionRate(dosing::InfusionRate),
    "drip_rate" => DripRate(dosing::DripRate),
    "loading_dose" => LoadingDose(dosing::LoadingDose),
    "maintenance_dose" => MaintenanceDose(dosing::MaintenanceDose),
    "half_life_decay" => Decay(dosing::Decay),
    "steady_state" => SteadyState(dosing::SteadyState),
    "corrected_calcium" => CorrectedCalcium(dosing::CorrectedCalcium),
    "anion_gap" => AnionGap(dosing::AnionGap),
    "corrected_qt" => CorrectedQt(dosing::CorrectedQt),
    "cha2ds2_vasc" => StrokeRisk(dosing::StrokeRisk),
    "meld_na" => MeldSodium(dosing::MeldSodium),
    "child_pugh" => ChildPugh(dosing::ChildPugh),
    "simple_interest" => SimpleInterest(finance::SimpleInterest),
    "compound_interest" => CompoundInterest(finance::CompoundInterest),
    "growth_rate" => GrowthRate(finance::GrowthRate),
    "loan" => Loan(finance::Loan),
    "net_present_value" => NetPresentValue(finance::NetPresentValue),
    "internal_rate" => InternalRate(finance::InternalRate),
    "dated_internal_rate" => DatedRate(finance::DatedRate),
    "payback" => Payback(finance::Payback),
    "break_even" => BreakEven(finance::BreakEven),
    "depreciation" => Depreciation(finance::Depreciation),
    "margin" => Margin(finance::Margin),
    "tax" => Tax(finance::Tax),
    "round" => Round(finance::Round),
    "split" => Split(finance::Split),
    "quality_years" => QualityYears(finance::QualityYears),
    "cost_effectiveness" => CostEffectiveness(finance::CostEffectiveness),
    "cost_per_outcome" => CostPerOutcome(finance::CostPerOutcome),
    "budget_impact" => BudgetImpact(finance::BudgetImpact),
}

/// Works a request out.
pub fn calculate(request: &Request) -> Result<Answer, Refusal> {
    request.calculation().answer()
}

fn tagged(word: &str, mut object: Value) -> Value {
    object["properties"]["calculate"] = json!({ "const": word });
    if let Some(required) = object["required"].as_array_mut() {
        required.insert(0, "calculate".into());
    }
    object
}
