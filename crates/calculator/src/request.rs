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
