//! Pages of the web, and the index that the engines search.

use adjutant_lookups::Reply;
use serde::Deserialize;

use crate::databases::limit::{Exceeded, Quota};
use crate::databases::request::Request;
use crate::databases::words::words;

const INDEX: &str = include_str!("../../../../../samples/velmoran/apis/web.json");
const FILES: &[(&str, &[u8])] = &[
    (
        "orrinvale-cairn-2-topline.html",
        include_bytes!("../../../../../samples/velmoran/apis/web/orrinvale-cairn-2-topline.html"),
    ),
    (
        "zephrane-files-tavodrostat.html",
        include_bytes!("../../../../../samples/velmoran/apis/web/zephrane-files-tavodrostat.html"),
    ),
    (
        "velmoran-investor-blog.html",
        include_bytes!("../../../../../samples/velmoran/apis/web/velmoran-investor-blog.html"),
    ),
    (
        "ledger-velmoran-patent.html",
        include_bytes!("../../../../../samples/velmoran/apis/web/ledger-velmoran-patent.html"),
    ),
    (
        "orrinvale-investor-dashboard.html",
        include_bytes!(
            "../../../../../samples/velmoran/apis/web/orrinvale-investor-dashboard.html"
        ),
    ),
    (
        "velmoran-kalium.html",
        include_bytes!("../../../../../samples/velmoran/apis/web/velmoran-kalium.html"),
    ),
    (
        "private-board-papers.html",
        include_bytes!("../../../../../samples/velmoran/apis/web/private-board-papers.html"),
    ),
    (
        "resistant-hypertension-guide.html",
        include_bytes!(
            "../../../../../samples/velmoran/apis/web/resistant-hypertension-guide.html"
        ),
    ),
    (
        "velmoran-patients.html",
        include_bytes!("../../../../../samples/velmoran/apis/web/velmoran-patients.html"),
    ),
    (
        "pulse-consent.html",
        include_bytes!("../../../../../samples/velmoran/apis/web/pulse-consent.html"),
    ),
    (
        "tavodrostat-trials.html",
        include_bytes!("../../../../../samples/velmoran/apis/web/tavodrostat-trials.html"),
    ),
    (
        "cairn-2-summary.txt",
        include_bytes!("../../../../../samples/velmoran/apis/web/cairn-2-summary.txt"),
    ),
    (
        "velmoran-prices.csv",
        include_bytes!("../../../../../samples/velmoran/apis/web/velmoran-prices.csv"),
    ),
    (
        "trial-registry-cairn-2.json",
        include_bytes!("../../../../../samples/velmoran/apis/web/trial-registry-cairn-2.json"),
    ),
    (
        "zephrane-annual-report.pdf",
        include_bytes!("../../../../../samples/velmoran/apis/web/zephrane-annual-report.pdf"),
    ),
];
const ROBOTS: &str = "User-agent: *\nDisallow: /pages/private/\nCrawl-delay: 2\n";
pub(crate) const QUOTAS: &[Quota] = &[Quota {
    requests: 120,
    window_ms: 60_000,
}];

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Entry {
    pub(crate) path: String,
    file: String,
    content_type: String,
    pub(crate) title: String,
    pub(crate) excerpt: String,
    pub(crate) date: String,
    indexed: bool,
}

fn entries() -> Vec<Entry> {
    serde_json::from_str(INDEX).unwrap_or_default()
}

/// The pages stand under `/pages`, and what programs may read of them under `/robots.txt`.
pub(crate) fn answer(request: &Request) -> Reply {
    if request.base.ends_with("/robots.txt") {
        return Reply::new(200, "text/plain", ROBOTS);
    }
    let entry = entries()
        .into_iter()
        .find(|entry| entry.path == request.path);
    let file = entry
        .as_ref()
        .and_then(|entry| FILES.iter().find(|(name, _)| *name == entry.file));
    match (entry, file) {
        (Some(entry), Some((_, bytes))) => Reply::new(200, &entry.content_type, *bytes),
        _ => Reply::new(404, "text/html", "<h1>Not Found</h1>"),
    }
}

pub(crate) fn too_many(exceeded: Exceeded) -> Reply {
    Reply::new(429, "text/html", "<h1>Too Many Requests</h1>")
        .with("retry-after", exceeded.wait_seconds().to_string())
}

/// Pages with any of the words, those with most of them first.
pub(crate) fn find(query: &str) -> Vec<Entry> {
    let wanted = words(query);
    let score = |entry: &Entry| {
        let there = words(&format!("{} {}", entry.title, entry.excerpt));
        wanted.iter().filter(|word| there.contains(word)).count()
    };
    let mut found = entries();
    found.retain(|entry| entry.indexed && score(entry) > 0);
    found.sort_by_key(|entry| std::cmp::Reverse(score(entry)));
    found
}

/// Where a page is, as seen from a stand-in on the same host.
pub(crate) fn address(request: &Request, entry: &Entry) -> String {
    let origin = request
        .base
        .rsplit_once('/')
        .map_or("", |(origin, _)| origin);
    format!("{origin}/pages{}", entry.path)
}
