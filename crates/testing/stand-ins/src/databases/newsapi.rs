//! NewsAPI, as its version 2 answers.

use adjutant_lookups::Reply;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::databases::limit::{Exceeded, Quota};
use crate::databases::request::Request;
use crate::databases::words::{is_known_key, words};

const RECORDS: &str = include_str!("../../../../../samples/velmoran/apis/news.json");
pub(crate) const QUOTAS: &[Quota] = &[Quota {
    requests: 50,
    window_ms: 43_200_000,
}];
const PAGE_SIZE_UNLESS_SAID: usize = 100;
const PAGE_SIZE_MAX: usize = 100;
/// The free plan shows no more of one search.
const REACH_MAX: usize = 100;
const HEADLINES_SINCE: &str = "2026-08-01";

#[derive(Debug, Clone, Deserialize)]
struct Article {
    outlet: String,
    author: Option<String>,
    title: String,
    description: String,
    content: String,
    url: String,
    published: String,
    language: String,
}

pub(crate) fn answer(request: &Request) -> Reply {
    let key = request
        .header("x-api-key")
        .or_else(|| request.pair("apiKey"));
    match key {
        None => return fault(401, "apiKeyMissing", "Your API key is missing."),
        Some(key) if !is_known_key(key) => {
            return fault(
                401,
                "apiKeyInvalid",
                "Your API key is invalid or incorrect.",
            );
        }
        Some(_) => {}
    }
    let found = match request.path.as_str() {
        "/v2/everything" => everything(request),
        "/v2/top-headlines" => headlines(request),
        _ => return fault(404, "notFound", "The requested endpoint was not found."),
    };
    match found {
        Ok(found) => page(request, &found),
        Err((code, message)) => fault(400, code, message),
    }
}

pub(crate) fn too_many(exceeded: Exceeded) -> Reply {
    let message = "You have made too many requests recently. Developer accounts are limited to 100 requests over a 24 hour period (50 requests available every 12 hours).";
    fault(429, "rateLimited", message).with("retry-after", exceeded.wait_seconds().to_string())
}

type Refusal = (&'static str, &'static str);

fn articles() -> Vec<Article> {
    serde_json::from_str(RECORDS).unwrap_or_default()
}

fn everything(request: &Request) -> Result<Vec<Article>, Refusal> {
    let Some(query) = request.pair("q") else {
        return Err((
            "parametersMissing",
            "Required parameters are missing, the scope of your search is too broad.",
        ));
    };
    let language = request.pair("language");
    if language.is_some_and(|code| code.len() != 2) {
        return Err(("parameterInvalid", "The language is not one that is known."));
    }
    let (from, to) = (day(request, "from")?, day(request, "to")?);
    let mut found = articles();
    found.retain(|article| {
        let date = article.published.get(..10).unwrap_or_default();
        fits(article, query)
            && language.is_none_or(|code| article.language == code)
            && from.as_deref().is_none_or(|from| date >= from)
            && to.as_deref().is_none_or(|to| date <= to)
    });
    match request.pair("sortBy").unwrap_or("publishedAt") {
        "publishedAt" | "popularity" => {
            found.sort_by(|one, other| other.published.cmp(&one.published))
        }
        "relevancy" => found.sort_by_key(|article| std::cmp::Reverse(in_title(article, query))),
        _ => return Err(("parameterInvalid", "sortBy is not one of the known orders.")),
    }
    Ok(found)
}

fn headlines(request: &Request) -> Result<Vec<Article>, Refusal> {
    let query = request.pair("q").unwrap_or_default();
    if query.is_empty() && request.pair("country").is_none() && request.pair("category").is_none() {
        return Err(("parametersMissing", "Required parameters are missing."));
    }
    let mut found = articles();
    found.retain(|article| article.published.as_str() >= HEADLINES_SINCE && fits(article, query));
    found.sort_by(|one, other| other.published.cmp(&one.published));
    Ok(found)
}

fn day(request: &Request, name: &str) -> Result<Option<String>, Refusal> {
    let Some(text) = request.pair(name) else {
        return Ok(None);
    };
    let day = text.get(..10).unwrap_or_default();
    let proper = day.len() == 10 && day.bytes().filter(|byte| *byte == b'-').count() == 2;
    if proper {
        return Ok(Some(day.to_owned()));
    }
    Err(("parameterInvalid", "The date must be in ISO 8601 format."))
}

/// All words joined by `AND`.
fn fits(article: &Article, query: &str) -> bool {
    let there = words(&format!(
        "{} {} {}",
        article.title, article.description, article.content
    ));
    let wanted = query.split(" AND ").flat_map(words);
    wanted.into_iter().all(|word| there.contains(&word))
}

fn in_title(article: &Article, query: &str) -> usize {
    let title = words(&article.title);
    let wanted = query.split(" AND ").flat_map(words);
    wanted.filter(|word| title.contains(word)).count()
}

fn page(request: &Request, found: &[Article]) -> Reply {
    let number =
        |name: &str, unless: usize| request.pair(name).map_or(Ok(unless), str::parse::<usize>);
    let (Ok(size), Ok(page)) = (number("pageSize", PAGE_SIZE_UNLESS_SAID), number("page", 1))
    else {
        return fault(
            400,
            "parameterInvalid",
            "pageSize and page must be numbers.",
        );
    };
    if size == 0 || size > PAGE_SIZE_MAX || page == 0 {
        return fault(
            400,
            "parameterInvalid",
            "The pageSize parameter must be between 1 and 100.",
        );
    }
    if (page - 1).saturating_mul(size) >= REACH_MAX {
        let message = "You have requested too many results. Developer accounts are limited to a max of 100 results.";
        return fault(426, "maximumResultsReached", message);
    }
    let shown: Vec<Value> = found
        .iter()
        .skip((page - 1) * size)
        .take(size)
        .map(article)
        .collect();
    let body = json!({ "status": "ok", "totalResults": found.len(), "articles": shown });
    Reply::new(200, "application/json; charset=utf-8", body.to_string())
}

fn article(article: &Article) -> Value {
    json!({
        "source": { "id": null, "name": article.outlet },
        "author": article.author,
        "title": article.title,
        "description": article.description,
        "url": article.url,
        "urlToImage": null,
        "publishedAt": article.published,
        "content": format!("{}… [+1204 chars]", article.content),
    })
}

fn fault(status: u16, code: &str, message: &str) -> Reply {
    let body = json!({ "status": "error", "code": code, "message": message });
    Reply::new(status, "application/json; charset=utf-8", body.to_string())
}
