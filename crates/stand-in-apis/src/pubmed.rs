//! PubMed as its E-utilities answer.

use adjutant_lookups::Reply;
use serde_json::json;

use crate::limit::{Exceeded, Quota};
use crate::request::Request;

const WITHOUT_KEY: &[Quota] = &[Quota {
    requests: 3,
    window_ms: 1000,
}];
const WITH_KEY: &[Quota] = &[Quota {
    requests: 10,
    window_ms: 1000,
}];

pub(crate) fn quotas(key: &str) -> &'static [Quota] {
    if key.is_empty() {
        WITHOUT_KEY
    } else {
        WITH_KEY
    }
}

pub(crate) fn too_many(request: &Request, exceeded: Exceeded) -> Reply {
    let body = json!({
        "error": "API rate limit exceeded",
        "api-key": request.pair("api_key").unwrap_or("127.0.0.1"),
        "count": exceeded.used.to_string(),
        "limit": exceeded.quota.requests.to_string(),
    });
    Reply::new(429, "application/json", body.to_string())
        .with("retry-after", exceeded.wait_seconds().to_string())
}

pub(crate) fn answer(request: &Request) -> Reply {
    Reply::new(404, "text/plain", format!("no {}", request.path))
}
