//! ClinicalTrials.gov by its second interface: registered studies and the results that were posted for them.

mod exchange;
mod results;
mod search;
mod study;

pub use exchange::lookup;
pub use search::{Phase, Results, Search, Sort, Status, schema};

use crate::{Pace, Site};

/// Where it is, unless the settings say otherwise.
pub const BASE: &str = "https://clinicaltrials.gov/api/v2";

/// About fifty requests a minute; there are no keys.
pub fn pace(_site: &Site) -> Pace {
    Pace {
        requests: 50,
        per_seconds: 60,
    }
}
