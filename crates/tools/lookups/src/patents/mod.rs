//! Patents of the United States and of Europe: the Open Data Portal of the USPTO and the Open Patent Services of the EPO.

mod cql;
mod epo;
mod epo_document;
mod lookup;
mod patent;
mod search;
mod uspto;

pub use lookup::{PatentLookup, PatentSites, lookup};
pub use search::{Office, PatentSearch};

use crate::Pace;

/// The United States allow 60 requests a minute for one key.
pub fn uspto_pace() -> Pace {
    Pace {
        requests: 60,
        per_seconds: 60,
    }
}

/// Europe allows 30 searches a minute while its service is idle, fewer when it is busy.
pub fn epo_pace() -> Pace {
    Pace {
        requests: 30,
        per_seconds: 60,
    }
}
