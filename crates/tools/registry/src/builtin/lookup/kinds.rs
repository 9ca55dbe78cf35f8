//! The seven searches: what each is called, takes and costs, and which exchange it is.

use std::collections::BTreeSet;

use adjutant_lookups::news::{self, NewsSearch};
use adjutant_lookups::patents::{self, PatentSearch};
use adjutant_lookups::web::{self, Engine, WebFetch, WebSearch};
use adjutant_lookups::{HttpRequest, Lookup, Pace, Site, ema, fda, pubmed, trials};
use adjutant_mission::MicroUsd;
use reqwest::Url;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::super::read;
use super::{Begin, Kind, PaceOf, Sites};
use crate::AllowedHosts;

pub(super) fn all(sites: &Sites) -> Vec<Kind> {
    vec![
        simple(
            "L5-PS",
            "PubMed search",
            "Finds articles on medicine and the life sciences, with abstracts, in PubMed. Retracted articles are \
             included and marked.",
            MicroUsd(1_000),
            &sites.pubmed,
            pubmed::schema(),
            pubmed::lookup,
            pubmed::pace,
        ),
        simple(
            "L5-CT",
            "Clinical trial search",
            "Finds registered studies on ClinicalTrials.gov: design, status, outcomes, and posted results.",
            MicroUsd(1_000),
            &sites.trials,
            trials::schema(),
            trials::lookup,
            trials::pace,
        ),
        simple(
            "L5-FDA",
            "FDA database",
            "Looks up what the U.S. Food and Drug Administration publishes: approved drugs, labels, reports of adverse \
             events and their counts, cleared devices, recalls.",
            MicroUsd(2_000),
            &sites.fda,
            fda::schema(),
            fda::lookup,
            fda::pace,
        ),
        simple(
            "L5-EMA",
            "EMA database",
            "Looks up what the European Medicines Agency publishes: medicines, their authorisations, referrals, safety \
             communications, orphan designations, shortages.",
            MicroUsd(2_000),
            &sites.ema,
            ema::schema(),
            ema::lookup,
            ema::pace,
        ),
        patents(sites),
        news(sites),
        web(sites),
    ]
}

#[expect(
    clippy::too_many_arguments,
    reason = "four rows of one table: the columns are what differs"
)]
fn simple<S: DeserializeOwned + 'static>(
    id: &'static str,
    name: &'static str,
    description: &'static str,
    price: MicroUsd,
    site: &Site,
    input: Value,
    lookup: fn(&Site, S) -> Box<dyn Lookup>,
    pace: fn(&Site) -> Pace,
) -> Kind {
    let (at, paced) = (site.clone(), pace(site));
    let begin: Begin = Box::new(move |arguments| Ok(lookup(&at, read(arguments)?)));
    Kind {
        id,
        name,
        description,
        price,
        input,
        hosts: AllowedHosts::Only(host(&site.base).into_iter().collect()),
        begin,
        pace: Box::new(move |_| paced),
    }
}

fn patents(sites: &Sites) -> Kind {
    let offices = sites.patents.clone();
    let hosts = [&offices.uspto, &offices.epo].into_iter().flatten();
    let hosts = once(hosts.filter_map(|site| host(&site.base)));
    let at_uspto = base(offices.uspto.as_ref());
    Kind {
        id: "L5-PT",
        name: "Patent search",
        description: "Finds patents and applications at the offices of the United States and of Europe, with abstracts, \
                      owners, classes and dates.",
        price: MicroUsd(5_000),
        input: PatentSearch::schema(),
        hosts: AllowedHosts::Only(hosts),
        begin: Box::new(move |arguments| Ok(Box::new(patents::lookup(&offices, read(arguments)?)))),
        pace: Box::new(move |request| match at_uspto.as_deref() {
            Some(base) if request.url.starts_with(base) => patents::uspto_pace(),
            _ => patents::epo_pace(),
        }),
    }
}

fn news(sites: &Sites) -> Kind {
    let desks = sites.news.clone();
    let bases = desks.newsapi.iter().map(|site| &site.base);
    let hosts = once(bases.chain(&desks.feeds.urls).filter_map(|url| host(url)));
    let newsapi = base(desks.newsapi.as_ref());
    Kind {
        id: "L5-NEWS",
        name: "News search",
        description: "Finds recent news through NewsAPI and in the configured feeds. A story that appears in several \
                      places is listed once.",
        price: MicroUsd(1_000),
        input: NewsSearch::schema(),
        hosts: AllowedHosts::Only(hosts),
        begin: Box::new(move |arguments| Ok(Box::new(news::lookup(&desks, read(arguments)?)))),
        pace: Box::new(move |request| match newsapi.as_deref() {
            Some(base) if request.url.starts_with(base) => news::newsapi_pace(),
            _ => news::feed_pace(),
        }),
    }
}

/// A page by its address, or a search: by which of the two is named.
fn web(sites: &Sites) -> Kind {
    let (engine, manners) = (sites.engine.clone(), sites.manners.clone());
    let paced = engine.clone();
    let searches: PaceOf = Box::new(move |request: &HttpRequest| match &paced {
        Some(engine) if request.url.starts_with(engine_base(engine)) => web::search_pace(engine),
        _ => web::page_pace(),
    });
    Kind {
        id: "L5-WEB",
        name: "Web fetch and search",
        description: "Fetches a page and returns its main text as Markdown, without hidden content; or searches the \
                      web through the configured engine.",
        price: MicroUsd(1_000),
        input: page_or_search(),
        hosts: AllowedHosts::Any,
        begin: Box::new(move |arguments| {
            Ok(match arguments.get("url") {
                Some(_) => {
                    let page: WebFetch = read(arguments)?;
                    Box::new(web::fetch(&manners, page))
                }
                None => {
                    let search: WebSearch = read(arguments)?;
                    Box::new(web::search(engine.as_ref(), search))
                }
            })
        }),
        pace: searches,
    }
}

/// One schema of both, so that what does not fit is told of the one that was meant.
fn page_or_search() -> Value {
    let (page, search) = (WebFetch::schema(), WebSearch::schema());
    json!({
        "type": "object",
        "if": { "required": ["url"] },
        "then": page,
        "else": search
    })
}

fn engine_base(engine: &Engine) -> &str {
    match engine {
        Engine::Tavily(site) | Engine::SerpApi(site) | Engine::Searxng(site) => &site.base,
    }
}

fn base(site: Option<&Site>) -> Option<String> {
    site.map(|site| site.base.clone())
}

/// Each of them once.
fn once(hosts: impl Iterator<Item = String>) -> Vec<String> {
    hosts.collect::<BTreeSet<_>>().into_iter().collect()
}

fn host(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    url.host_str().map(str::to_owned)
}
