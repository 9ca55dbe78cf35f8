//! Three engines that search the same pages, each in its own form.

use adjutant_lookups::{Method, Reply};
use serde_json::{Value, json};

use crate::databases::limit::{Exceeded, Quota};
use crate::databases::request::Request;
use crate::databases::web::{Entry, address, find};
use crate::databases::words::is_known_key;

const PAGE: usize = 10;
const TAVILY_RESULTS_UNLESS_SAID: u64 = 5;
const TAVILY_RESULTS_MAX: u64 = 20;
pub(crate) const TAVILY_QUOTAS: &[Quota] = &[Quota {
    requests: 100,
    window_ms: 60_000,
}];
pub(crate) const SERPAPI_QUOTAS: &[Quota] = &[Quota {
    requests: 50,
    window_ms: 3_600_000,
}];
pub(crate) const SEARXNG_QUOTAS: &[Quota] = &[Quota {
    requests: 15,
    window_ms: 20_000,
}];

pub(crate) fn tavily(request: &Request) -> Reply {
    let header = request.header("authorization").unwrap_or_default();
    if !header.strip_prefix("Bearer ").is_some_and(is_known_key) {
        return tavily_fault(401, "Unauthorized: missing or invalid API key.");
    }
    if request.path != "/search" || request.method != Method::Post {
        return json_reply(404, &json!({ "detail": "Not Found" }));
    }
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let Some(query) = body["query"].as_str().filter(|query| !query.is_empty()) else {
        return tavily_fault(400, "Query is missing.");
    };
    let most = body["max_results"]
        .as_u64()
        .unwrap_or(TAVILY_RESULTS_UNLESS_SAID);
    if most > TAVILY_RESULTS_MAX {
        return tavily_fault(400, "Max results exceeds the limit of 20.");
    }
    let most = usize::try_from(most).unwrap_or(PAGE);
    let results: Vec<Value> = find(query)
        .iter()
        .take(most)
        .enumerate()
        .map(|(place, entry)| {
            let score = 1.0 / (place + 1) as f64;
            json!({ "title": entry.title, "url": address(request, entry), "content": entry.excerpt, "score": score, "raw_content": null })
        })
        .collect();
    json_reply(
        200,
        &json!({
            "query": query, "follow_up_questions": null, "answer": null, "images": [], "results": results,
            "response_time": 0.42, "request_id": "00000000-0000-0000-0000-000000000000",
        }),
    )
}

pub(crate) fn tavily_too_many(exceeded: Exceeded) -> Reply {
    let said =
        "Your request has been blocked due to excessive requests. Please reduce rate of requests.";
    tavily_fault(429, said).with("retry-after", exceeded.wait_seconds().to_string())
}

fn tavily_fault(status: u16, said: &str) -> Reply {
    json_reply(status, &json!({ "detail": { "error": said } }))
}

pub(crate) fn serpapi(request: &Request) -> Reply {
    let fault = |status: u16, said: &str| json_reply(status, &json!({ "error": said }));
    if !request.pair("api_key").is_some_and(is_known_key) {
        return fault(
            401,
            "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key",
        );
    }
    if request.path != "/search.json" && request.path != "/search" {
        return fault(404, "Not Found");
    }
    if request.pair("engine") != Some("google") {
        return fault(400, "Unsupported search engine.");
    }
    let Some(query) = request.pair("q") else {
        return fault(400, "Missing query `q` parameter.");
    };
    let start: usize = request
        .pair("start")
        .and_then(|start| start.parse().ok())
        .unwrap_or(0);
    let found = find(query);
    let results: Vec<Value> = found
        .iter()
        .skip(start)
        .take(PAGE)
        .enumerate()
        .map(|(place, entry)| {
            json!({ "position": place + 1, "title": entry.title, "link": address(request, entry), "snippet": entry.excerpt, "date": spoken(entry) })
        })
        .collect();
    let mut body = json!({
        "search_metadata": { "id": "000000000000000000000000", "status": "Success" },
        "search_parameters": { "engine": "google", "q": query },
        "search_information": { "total_results": found.len(), "organic_results_state": "Results for exact spelling" },
    });
    if let Some(fields) = body.as_object_mut() {
        if results.is_empty() {
            let said = "Google hasn't returned any results for this query.";
            fields.insert("error".into(), said.into());
        } else {
            fields.insert("organic_results".into(), results.into());
        }
        if found.len() > start + PAGE {
            let next = format!(
                "{}/search.json?engine=google&start={}",
                request.base,
                start + PAGE
            );
            fields.insert(
                "serpapi_pagination".into(),
                json!({ "current": start / PAGE + 1, "next": next }),
            );
        }
    }
    json_reply(200, &body)
}

/// As the engine writes dates: `Jun 18, 2026`.
fn spoken(entry: &Entry) -> String {
    let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut parts = entry.date.split('-');
    let year = parts.next().unwrap_or_default();
    let month: usize = parts
        .next()
        .and_then(|month| month.parse().ok())
        .unwrap_or(1);
    let day: u8 = parts.next().and_then(|day| day.parse().ok()).unwrap_or(1);
    format!(
        "{} {day}, {year}",
        months.get(month.wrapping_sub(1)).unwrap_or(&"Jan")
    )
}

pub(crate) fn serpapi_too_many(exceeded: Exceeded) -> Reply {
    let said = "You are exceeding your hourly throughput limit.";
    json_reply(429, &json!({ "error": said }))
        .with("retry-after", exceeded.wait_seconds().to_string())
}

/// Under `/closed` an instance that answers people only, as most public ones do.
pub(crate) fn searxng(request: &Request) -> Reply {
    let wants_json = request.pair("format") == Some("json");
    match request.path.as_str() {
        "/closed/search" if wants_json => {
            return Reply::new(
                403,
                "text/html",
                "<!doctype html><title>403 Forbidden</title><h1>Forbidden</h1>",
            );
        }
        "/search" | "/" => {}
        _ => return Reply::new(404, "text/html", "<!doctype html><h1>Page not found</h1>"),
    }
    let Some(query) = request.pair("q") else {
        return json_reply(400, &json!({ "error": "No query" }));
    };
    if !wants_json {
        return Reply::new(200, "text/html", "<!doctype html><title>SearXNG</title>");
    }
    let page: usize = request
        .pair("pageno")
        .and_then(|page| page.parse().ok())
        .unwrap_or(1);
    let results: Vec<Value> = find(query)
        .iter()
        .skip(page.saturating_sub(1) * PAGE)
        .take(PAGE)
        .map(|entry| {
            json!({
                "url": address(request, entry), "title": entry.title, "content": entry.excerpt,
                "publishedDate": format!("{}T00:00:00", entry.date), "engine": "stand-in", "engines": ["stand-in"],
                "score": 1.0, "category": "general", "template": "default.html",
            })
        })
        .collect();
    json_reply(
        200,
        &json!({
            "query": query, "number_of_results": 0, "results": results, "answers": [], "corrections": [],
            "infoboxes": [], "suggestions": [], "unresponsive_engines": [["slow-engine", "timeout"]],
        }),
    )
}

pub(crate) fn searxng_too_many(exceeded: Exceeded) -> Reply {
    Reply::new(429, "text/plain", "Too Many Requests")
        .with("retry-after", exceeded.wait_seconds().to_string())
}

fn json_reply(status: u16, body: &Value) -> Reply {
    Reply::new(status, "application/json", body.to_string())
}
