//! The databases that are stood in for: one line each in every match.

use adjutant_lookups::Reply;

use crate::databases::limit::{Exceeded, Quota};
use crate::databases::request::Request;
use crate::databases::{ema, engines, epo, fda, feeds, newsapi, pubmed, trials, uspto, web};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Database {
    Ema,
    Epo,
    Fda,
    Feeds,
    Newsapi,
    Pages,
    Pubmed,
    Searxng,
    Serpapi,
    Tavily,
    Trials,
    Uspto,
}

impl Database {
    /// By the first part of a path.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "ema" => Some(Self::Ema),
            "fda" => Some(Self::Fda),
            "pubmed" => Some(Self::Pubmed),
            "trials" => Some(Self::Trials),
            "epo" => Some(Self::Epo),
            "feeds" => Some(Self::Feeds),
            "newsapi" => Some(Self::Newsapi),
            "pages" | "robots.txt" => Some(Self::Pages),
            "searxng" => Some(Self::Searxng),
            "serpapi" => Some(Self::Serpapi),
            "tavily" => Some(Self::Tavily),
            "uspto" => Some(Self::Uspto),
            _ => None,
        }
    }

    /// By whose key requests are counted; empty for those without one.
    pub(crate) fn key_of(self, request: &Request) -> String {
        let key = match self {
            Self::Epo | Self::Tavily => request.header("authorization"),
            Self::Ema | Self::Feeds | Self::Pages | Self::Searxng | Self::Trials => None,
            Self::Fda | Self::Pubmed | Self::Serpapi => request.pair("api_key"),
            Self::Newsapi | Self::Uspto => request.header("x-api-key"),
        };
        key.unwrap_or_default().to_owned()
    }

    pub(crate) fn quotas(self, key: &str) -> &'static [Quota] {
        match self {
            Self::Ema => ema::quotas(),
            Self::Fda => fda::quotas(key),
            Self::Pubmed => pubmed::quotas(key),
            Self::Trials => trials::quotas(),
            Self::Epo => epo::QUOTAS,
            Self::Feeds => feeds::QUOTAS,
            Self::Newsapi => newsapi::QUOTAS,
            Self::Pages => web::QUOTAS,
            Self::Searxng => engines::SEARXNG_QUOTAS,
            Self::Serpapi => engines::SERPAPI_QUOTAS,
            Self::Tavily => engines::TAVILY_QUOTAS,
            Self::Uspto => uspto::QUOTAS,
        }
    }

    pub(crate) fn answer(self, request: &Request) -> Reply {
        match self {
            Self::Ema => ema::answer(request),
            Self::Fda => fda::answer(request),
            Self::Pubmed => pubmed::answer(request),
            Self::Trials => trials::answer(request),
            Self::Epo => epo::answer(request),
            Self::Feeds => feeds::answer(request),
            Self::Newsapi => newsapi::answer(request),
            Self::Pages => web::answer(request),
            Self::Searxng => engines::searxng(request),
            Self::Serpapi => engines::serpapi(request),
            Self::Tavily => engines::tavily(request),
            Self::Uspto => uspto::answer(request),
        }
    }

    /// In the words of the database.
    pub(crate) fn too_many(self, request: &Request, exceeded: Exceeded) -> Reply {
        match self {
            Self::Ema => ema::too_many(exceeded),
            Self::Fda => fda::too_many(exceeded),
            Self::Pubmed => pubmed::too_many(request, exceeded),
            Self::Trials => trials::too_many(exceeded),
            Self::Epo => epo::too_many(exceeded),
            Self::Feeds => feeds::too_many(exceeded),
            Self::Newsapi => newsapi::too_many(exceeded),
            Self::Pages => web::too_many(exceeded),
            Self::Searxng => engines::searxng_too_many(exceeded),
            Self::Serpapi => engines::serpapi_too_many(exceeded),
            Self::Tavily => engines::tavily_too_many(exceeded),
            Self::Uspto => uspto::too_many(exceeded),
        }
    }
}
