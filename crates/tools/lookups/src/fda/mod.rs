//! openFDA: applications, labels, reports of adverse events, cleared devices and recalls of the U.S. Food and Drug
//! Administration.

mod exchange;
mod query;
mod reactions;
mod records;
mod search;

pub use exchange::lookup;
pub use search::{Answer, Area, Class, Dataset, Search, Seriousness, schema};

use crate::{Pace, Site};

/// Where it is, unless the settings say otherwise.
pub const BASE: &str = "https://api.fda.gov";

/// Requests a day without a key; with one there are 120,000.
pub const DAILY_WITHOUT_KEY: u32 = 1_000;

/// 240 requests a minute, with a key or without.
pub fn pace(_site: &Site) -> Pace {
    Pace {
        requests: 240,
        per_seconds: 60,
    }
}
