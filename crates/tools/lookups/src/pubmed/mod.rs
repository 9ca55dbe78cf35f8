//! PubMed by its E-utilities: a search is kept by the server, then its articles are fetched in batches.

mod article;
mod book;
mod exchange;
mod published;
mod search;

pub use exchange::lookup;
pub use search::{ArticleType, Availability, Search, Sort, Species, schema};

use crate::{Pace, Site};

/// Where it is, unless the settings say otherwise.
pub const BASE: &str = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils";

/// Three requests a second, ten with a key.
pub fn pace(site: &Site) -> Pace {
    Pace {
        requests: if site.key.is_some() { 10 } else { 3 },
        per_seconds: 1,
    }
}
