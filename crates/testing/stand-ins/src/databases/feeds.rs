//! Three feeds in three formats, with what real feeds have wrong.

use adjutant_lookups::Reply;

use crate::databases::limit::{Exceeded, Quota};
use crate::databases::request::Request;

const RSS: &[u8] = include_bytes!("../../../../../samples/velmoran/apis/news-feed-rss.xml");
const ATOM: &[u8] = include_bytes!("../../../../../samples/velmoran/apis/news-feed-atom.xml");
const JSON: &[u8] = include_bytes!("../../../../../samples/velmoran/apis/news-feed.json");
pub(crate) const QUOTAS: &[Quota] = &[Quota {
    requests: 60,
    window_ms: 60_000,
}];

pub(crate) fn answer(request: &Request) -> Reply {
    match request.path.as_str() {
        "/wire.rss" => Reply::new(200, "application/rss+xml", RSS),
        "/kanaalpost.atom" => Reply::new(200, "application/atom+xml; charset=utf-8", ATOM),
        "/ledger.json" => Reply::new(200, "application/feed+json", JSON),
        _ => Reply::new(404, "text/html", "<h1>Not Found</h1>"),
    }
}

pub(crate) fn too_many(exceeded: Exceeded) -> Reply {
    Reply::new(429, "text/plain", "Too Many Requests")
        .with("retry-after", exceeded.wait_seconds().to_string())
}
