//! News: NewsAPI, and the feeds that the settings name.

mod desk;
mod feed;
mod feed_json;
mod lookup;
mod newsapi;
mod same;
mod search;
mod story;

pub use lookup::{Feeds, NewsLookup, NewsSites, lookup};
pub use search::{NewsKind, NewsOrder, NewsSearch};

use crate::Pace;

/// The free plan allows 100 requests a day, and 50 in twelve hours.
pub fn newsapi_pace() -> Pace {
    Pace {
        requests: 50,
        per_seconds: 43_200,
    }
}

/// Nobody documents how often a feed may be read; this is what is polite to one host.
pub fn feed_pace() -> Pace {
    Pace {
        requests: 1,
        per_seconds: 1,
    }
}
