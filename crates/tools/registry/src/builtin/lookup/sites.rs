//! Where the databases are, and with which keys.

use adjutant_lookups::news::{Feeds, NewsSites};
use adjutant_lookups::patents::PatentSites;
use adjutant_lookups::web::{Engine, Manners};
use adjutant_lookups::{Site, ema, fda, pubmed, trials};

/// What stands in for a key where nobody looks at it.
const STAND_IN: &str = "stand-in";
/// The feeds that the stand-in has.
const STAND_IN_FEEDS: [&str; 3] = ["wire.rss", "kanaalpost.atom", "ledger.json"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sites {
    pub pubmed: Site,
    pub trials: Site,
    pub fda: Site,
    pub ema: Site,
    pub patents: PatentSites,
    pub news: NewsSites,
    /// None: pages are fetched, and nothing is searched for.
    pub engine: Option<Engine>,
    pub manners: Manners,
    /// They are not the databases themselves; every answer says so.
    pub stand_in: bool,
}

impl Default for Sites {
    /// The databases that want no key, where they are.
    fn default() -> Self {
        let at = |base: &str| Site {
            base: base.into(),
            ..Site::default()
        };
        Self {
            pubmed: at(pubmed::BASE),
            trials: at(trials::BASE),
            fda: at(fda::BASE),
            ema: at(ema::BASE),
            patents: PatentSites::default(),
            news: NewsSites::default(),
            engine: None,
            manners: Manners::default(),
            stand_in: false,
        }
    }
}

impl Sites {
    /// All of them at one stand-in, which `adjutant dev apis` serves.
    pub fn at_stand_in(url: &str) -> Self {
        let url = url.trim_end_matches('/');
        let at = |name: &str| Site {
            base: format!("{url}/{name}"),
            key: Some(STAND_IN.into()),
            secret: Some(STAND_IN.into()),
            contact: None,
        };
        let feed = |name: &str| format!("{url}/feeds/{name}");
        Self {
            pubmed: at("pubmed"),
            trials: at("trials"),
            fda: at("fda"),
            ema: at("ema"),
            patents: PatentSites {
                uspto: Some(at("uspto")),
                epo: Some(at("epo")),
            },
            news: NewsSites {
                newsapi: Some(at("newsapi")),
                feeds: Feeds {
                    urls: STAND_IN_FEEDS.map(feed).into(),
                },
            },
            engine: Some(Engine::Tavily(at("tavily"))),
            manners: Manners::default(),
            stand_in: true,
        }
    }
}
