//! The `[lookups]` settings: where public databases are asked, and with which keys.

use adjutant_tools::{Engine, Feeds, Robots, Site, Sites};
use serde::Deserialize;

use super::Environment;

const USPTO: &str = "https://api.uspto.gov";
const EPO: &str = "https://ops.epo.org";
const NEWSAPI: &str = "https://newsapi.org";
const TAVILY: &str = "https://api.tavily.com";
const SERPAPI: &str = "https://serpapi.com";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lookups {
    /// In the place of all of them.
    stand_in: Option<String>,
    #[serde(default)]
    pubmed: SiteOf,
    #[serde(default)]
    trials: SiteOf,
    #[serde(default)]
    fda: SiteOf,
    #[serde(default)]
    ema: SiteOf,
    uspto: Option<SiteOf>,
    epo: Option<SiteOf>,
    newsapi: Option<SiteOf>,
    tavily: Option<SiteOf>,
    serpapi: Option<SiteOf>,
    searxng: Option<SiteOf>,
    #[serde(default)]
    feeds: FeedsOf,
    #[serde(default)]
    web: Web,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SiteOf {
    base: Option<String>,
    key: Option<String>,
    key_env: Option<String>,
    secret: Option<String>,
    secret_env: Option<String>,
    contact: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FeedsOf {
    #[serde(default)]
    urls: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Web {
    #[serde(default)]
    robots: RobotsOf,
    contact: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RobotsOf {
    #[default]
    Honour,
    Overlook,
}

impl SiteOf {
    fn at(self, base: &str) -> Site {
        let given = |literal: Option<String>, variable: Option<String>| {
            let named = || Environment::secret(&variable?).map(|value| value.to_string());
            literal.or_else(named)
        };
        let base = self.base.unwrap_or_else(|| base.to_owned());
        Site {
            base: base.trim_end_matches('/').to_owned(),
            key: given(self.key, self.key_env),
            secret: given(self.secret, self.secret_env),
            contact: self.contact,
        }
    }
}

/// Where the databases are, and the host of the stand-in if there is one in their place.
pub(super) struct LookupsOf {
    pub(super) sites: Sites,
    pub(super) stand_in_host: Option<String>,
}

impl Lookups {
    pub(super) fn of(self, environment: &Environment) -> LookupsOf {
        if let Some(url) = environment.stand_in.clone().or(self.stand_in) {
            let after = url.split_once("://").map_or(&*url, |(_, after)| after);
            let host = after.split(['/', ':']).next().unwrap_or_default();
            return LookupsOf {
                stand_in_host: Some(host.to_owned()),
                sites: Sites::at_stand_in(&url),
            };
        }
        let mut sites = Sites::default();
        sites.pubmed = self.pubmed.at(&sites.pubmed.base);
        sites.trials = self.trials.at(&sites.trials.base);
        sites.fda = self.fda.at(&sites.fda.base);
        sites.ema = self.ema.at(&sites.ema.base);
        sites.patents.uspto = self.uspto.map(|site| site.at(USPTO));
        sites.patents.epo = self.epo.map(|site| site.at(EPO));
        sites.news.newsapi = self.newsapi.map(|site| site.at(NEWSAPI));
        sites.news.feeds = Feeds {
            urls: self.feeds.urls,
        };
        let tavily = self.tavily.map(|site| Engine::Tavily(site.at(TAVILY)));
        let serpapi = self.serpapi.map(|site| Engine::SerpApi(site.at(SERPAPI)));
        let searxng = self.searxng.map(|site| Engine::Searxng(site.at("")));
        sites.engine = tavily.or(serpapi).or(searxng);
        sites.manners.robots = match self.web.robots {
            RobotsOf::Honour => Robots::Honour,
            RobotsOf::Overlook => Robots::Overlook,
        };
        sites.manners.contact = self.web.contact;
        LookupsOf {
            sites,
            stand_in_host: None,
        }
    }
}
