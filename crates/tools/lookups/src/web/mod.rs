//! The web: a page as its readers see it, and searches by whichever engine is set up.

mod about;
mod content;
mod engine;
mod fetch;
mod markdown;
mod page;
mod robots;
mod search;
mod sight;

pub use engine::Engine;
pub use fetch::{Manners, Robots, WebFetch, WebFetchLookup, fetch};
pub use search::{WebSearch, WebSearchLookup, search};

use crate::Pace;

/// To one host; a crawl delay that a page's host asks for is told in the notes.
pub fn page_pace() -> Pace {
    Pace {
        requests: 1,
        per_seconds: 1,
    }
}

/// What the plans of the engines allow at least; an instance of SearXNG sets its own limit.
pub fn search_pace(engine: &Engine) -> Pace {
    match engine {
        Engine::Tavily(_) => Pace {
            requests: 100,
            per_seconds: 60,
        },
        Engine::SerpApi(_) => Pace {
            requests: 50,
            per_seconds: 3600,
        },
        Engine::Searxng(_) => Pace {
            requests: 15,
            per_seconds: 20,
        },
    }
}
