//! The databases that are stood in for: one line each in every match.

use adjutant_lookups::Reply;

use crate::limit::{Exceeded, Quota};
use crate::request::Request;
use crate::{ema, fda, pubmed, trials};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Database {
    Ema,
    Fda,
    Pubmed,
    Trials,
}

impl Database {
    /// By the first part of a path.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "ema" => Some(Self::Ema),
            "fda" => Some(Self::Fda),
            "pubmed" => Some(Self::Pubmed),
            "trials" => Some(Self::Trials),
            _ => None,
        }
    }

    /// By whose key requests are counted; empty for those without one.
    pub(crate) fn key_of(self, request: &Request) -> String {
        let key = match self {
            Self::Fda | Self::Pubmed => request.pair("api_key"),
            Self::Ema | Self::Trials => None,
        };
        key.unwrap_or_default().to_owned()
    }

    pub(crate) fn quotas(self, key: &str) -> &'static [Quota] {
        match self {
            Self::Ema => ema::quotas(),
            Self::Fda => fda::quotas(key),
            Self::Pubmed => pubmed::quotas(key),
            Self::Trials => trials::quotas(),
        }
    }

    pub(crate) fn answer(self, request: &Request) -> Reply {
        match self {
            Self::Ema => ema::answer(request),
            Self::Fda => fda::answer(request),
            Self::Pubmed => pubmed::answer(request),
            Self::Trials => trials::answer(request),
        }
    }

    /// In the words of the database.
    pub(crate) fn too_many(self, request: &Request, exceeded: Exceeded) -> Reply {
        match self {
            Self::Ema => ema::too_many(exceeded),
            Self::Fda => fda::too_many(exceeded),
            Self::Pubmed => pubmed::too_many(request, exceeded),
            Self::Trials => trials::too_many(exceeded),
        }
    }
}
