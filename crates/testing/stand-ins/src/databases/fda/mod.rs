//! openFDA as it answers: searches by field, counts, pages by a cursor, and errors as objects.

mod records;
mod search;

use std::collections::BTreeMap;

use adjutant_lookups::{Reply, url};
use serde_json::{Value, json};

use crate::databases::limit::{Exceeded, Quota};
use crate::databases::request::Request;

const MINUTE: Quota = Quota {
    requests: 240,
    window_ms: 60_000,
};
const WITHOUT_KEY: &[Quota] = &[
    MINUTE,
    Quota {
        requests: 1_000,
        window_ms: 86_400_000,
    },
];
const WITH_KEY: &[Quota] = &[
    MINUTE,
    Quota {
        requests: 120_000,
        window_ms: 86_400_000,
    },
];
const JSON: &str = "application/json; charset=utf-8";
/// A key that the database does not know, so that this can be seen, too.
const INVALID_KEY: &str = "invalid";
const LIMIT_MAX: usize = 1000;
const COUNTED: usize = 100;
const SKIP_MAX: usize = 25_000;

pub(crate) fn quotas(key: &str) -> &'static [Quota] {
    if key.is_empty() {
        WITHOUT_KEY
    } else {
        WITH_KEY
    }
}

pub(crate) fn too_many(exceeded: Exceeded) -> Reply {
    let message = "You have exceeded your rate limit. Try again later or contact us for assistance";
    error(429, "OVER_RATE_LIMIT", message).with("retry-after", exceeded.wait_seconds().to_string())
}

fn error(status: u16, code: &str, message: &str) -> Reply {
    let body = json!({ "error": { "code": code, "message": message } });
    Reply::new(status, JSON, body.to_string())
}

fn nothing() -> Reply {
    error(404, "NOT_FOUND", "No matches found!")
}

pub(crate) fn answer(request: &Request) -> Reply {
    if request.pair("api_key") == Some(INVALID_KEY) {
        return error(403, "API_KEY_INVALID", "An invalid api_key was supplied.");
    }
    let Some(records) = records::of(&request.path) else {
        return error(404, "NOT_FOUND", "Not Found");
    };
    match selected(request, records) {
        Ok(found) if found.is_empty() => nothing(),
        Ok(found) => match request.pair("count") {
            Some(field) => counted(request, field, &found),
            None => page(request, &found),
        },
        Err(message) => error(400, "BAD_REQUEST", &message),
    }
}

fn selected(request: &Request, records: &'static [Value]) -> Result<Vec<&'static Value>, String> {
    let all = records.iter();
    match request.pair("search") {
        None => Ok(all.collect()),
        Some(text) => {
            let query = search::parse(text)?;
            Ok(all.filter(|record| search::holds(&query, record)).collect())
        }
    }
}

fn number(request: &Request, name: &str, default: usize) -> Result<usize, Reply> {
    match request.pair(name) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| {
            let message = format!("Invalid {name} parameter value.");
            error(400, "BAD_REQUEST", &message)
        }),
    }
}

fn meta() -> Value {
    json!({
        "disclaimer": "Do not rely on openFDA to make decisions regarding medical care.",
        "terms": "https://open.fda.gov/terms/",
        "license": "https://open.fda.gov/license/",
        "last_updated": "2026-10-01",
    })
}

/// There is no total where values are counted.
fn counted(request: &Request, field: &str, found: &[&Value]) -> Reply {
    let limit = match number(request, "limit", COUNTED) {
        Ok(limit) if limit <= LIMIT_MAX => limit,
        Ok(_) => {
            return error(
                400,
                "BAD_REQUEST",
                "Limit cannot exceed 1000 results for search requests.",
            );
        }
        Err(reply) => return reply,
    };
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for record in found {
        let mut values = search::values(record, field.trim_end_matches(".exact"));
        values.sort_unstable();
        values.dedup();
        for value in values {
            *counts.entry(value.to_uppercase()).or_default() += 1;
        }
    }
    if counts.is_empty() {
        return nothing();
    }
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let rows = counts.into_iter().take(limit);
    let rows: Vec<Value> = rows
        .map(|(term, count)| json!({ "term": term, "count": count }))
        .collect();
    Reply::new(
        200,
        JSON,
        json!({ "meta": meta(), "results": rows }).to_string(),
    )
}

fn page(request: &Request, found: &[&Value]) -> Reply {
    let (limit, skip) = match (number(request, "limit", 1), number(request, "skip", 0)) {
        (Ok(limit), Ok(skip)) => (limit, skip),
        (Err(reply), _) | (_, Err(reply)) => return reply,
    };
    if limit > LIMIT_MAX {
        return error(
            400,
            "BAD_REQUEST",
            "Limit cannot exceed 1000 results for search requests.",
        );
    }
    if skip > SKIP_MAX {
        return error(400, "BAD_REQUEST", "Skip value must 25000 or less.");
    }
    let cursor = request
        .pair("search_after")
        .and_then(|text| text.strip_prefix("0="));
    let start = match cursor {
        Some(text) => text.parse().unwrap_or(usize::MAX),
        None => skip,
    };
    let results: Vec<&Value> = found.iter().skip(start).take(limit).copied().collect();
    if results.is_empty() {
        return nothing();
    }
    let next = start.saturating_add(results.len());
    let mut about = meta();
    about["results"] = json!({ "skip": skip, "limit": limit, "total": found.len() });
    let body = json!({ "meta": about, "results": results });
    let reply = Reply::new(200, JSON, body.to_string());
    if next >= found.len() || skip > 0 {
        return reply;
    }
    let (limit, cursor) = (limit.to_string(), format!("0={next}"));
    let mut pairs = vec![
        ("limit", limit.as_str()),
        ("skip", "0"),
        ("search_after", &cursor),
    ];
    if let Some(text) = request.pair("search") {
        pairs.insert(0, ("search", text));
    }
    let address = url::build(&request.base, &request.path, &pairs);
    reply.with("link", format!("<{address}>; rel=\"next\""))
}
