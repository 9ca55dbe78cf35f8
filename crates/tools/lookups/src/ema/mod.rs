//! The European Medicines Agency. It has no search: each of its tables comes whole, twice a day anew, and is looked
//! through here. Whoever performs the exchange may keep a table by its validators.

mod exchange;
mod row;
mod search;
mod table;

pub use exchange::lookup;
pub use search::{Category, Mark, Report, Search, schema};

use crate::{Pace, Site};

/// Where it is, unless the settings say otherwise.
pub const BASE: &str = "https://www.ema.europa.eu/en/documents/report";

/// It names no limit and soon answers with 429, so slowly.
pub fn pace(_site: &Site) -> Pace {
    Pace {
        requests: 10,
        per_seconds: 60,
    }
}
