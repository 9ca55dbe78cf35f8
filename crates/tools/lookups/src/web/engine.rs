//! The engines a search may go through: what to send each, and what their answers mean.

use serde_json::{Value, json};

use super::search::Checked;
use crate::dates::stated_date;
use crate::plain::plain_text;
use crate::{HttpRequest, LookupError, Reply, Site, address, status, url};

/// One engine, as the settings have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    Tavily(Site),
    SerpApi(Site),
    Searxng(Site),
}

/// Tavily gives no more, and has no pages.
const TAVILY_MAX: usize = 20;
const SERPAPI_PAGE: usize = 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) title: String,
    pub(super) url: String,
    pub(super) text: String,
    pub(super) published: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) hits: Vec<Hit>,
    pub(super) total: Option<u64>,
    pub(super) notes: Vec<String>,
    pub(super) more: bool,
}

impl Engine {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Tavily(_) => "Tavily",
            Self::SerpApi(_) => "SerpApi",
            Self::Searxng(_) => "SearXNG",
        }
    }

    fn setting(&self) -> &'static str {
        match self {
            Self::Tavily(_) => "lookups.tavily.key",
            Self::SerpApi(_) => "lookups.serpapi.key",
            Self::Searxng(_) => "lookups.searxng.base",
        }
    }

    /// The request for a page, counted from zero, or the setting that is missing.
    pub(super) fn request(
        &self,
        search: &Checked,
        page: usize,
    ) -> Result<HttpRequest, LookupError> {
        let key = |site: &Site| match site.key.as_deref() {
            Some(key) if !key.is_empty() => Ok(key.to_owned()),
            _ => Err(LookupError::InvalidSetting(format!(
                "{} cannot be used: `{}` not set.",
                self.name(),
                self.setting()
            ))),
        };
        match self {
            Self::Tavily(site) => {
                let body = json!({
                    "query": search.query,
                    "max_results": search.most.min(TAVILY_MAX),
                    "search_depth": "basic",
                });
                let address = format!("{}/search", site.base);
                Ok(
                    HttpRequest::post(address, "application/json", body.to_string())
                        .with("authorization", format!("Bearer {}", key(site)?)),
                )
            }
            Self::SerpApi(site) => {
                let start = (page * SERPAPI_PAGE).to_string();
                let key = key(site)?;
                let mut pairs = vec![
                    ("engine", "google"),
                    ("q", search.query.as_str()),
                    ("start", &start),
                    ("api_key", &key),
                ];
                pairs.extend(search.language.as_deref().map(|code| ("hl", code)));
                Ok(HttpRequest::get(url::build(
                    &site.base,
                    "/search.json",
                    &pairs,
                )))
            }
            Self::Searxng(site) => {
                let number = (page + 1).to_string();
                let mut pairs = vec![
                    ("q", search.query.as_str()),
                    ("format", "json"),
                    ("pageno", &number),
                ];
                pairs.extend(search.language.as_deref().map(|code| ("language", code)));
                Ok(HttpRequest::get(url::build(&site.base, "/search", &pairs))
                    .with("accept", "application/json"))
            }
        }
    }

    pub(super) fn read(&self, reply: &Reply) -> Result<Page, LookupError> {
        let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
        self.refused(reply, &body)?;
        status::check(self.name(), reply)?;
        let unreadable = || {
            LookupError::Unreadable(format!(
                "The response of {} is not a list of results.",
                self.name()
            ))
        };
        match self {
            Self::Tavily(_) => {
                let results = body["results"].as_array().ok_or_else(unreadable)?;
                Ok(Page {
                    hits: hits(results, ["url", "content", "published_date"]),
                    ..Page::default()
                })
            }
            Self::SerpApi(_) => {
                let nothing = body["error"].is_string();
                let results = match body["organic_results"].as_array() {
                    Some(results) => results.as_slice(),
                    None if nothing => &[],
                    None => return Err(unreadable()),
                };
                Ok(Page {
                    hits: hits(results, ["link", "snippet", "date"]),
                    total: body["search_information"]["total_results"].as_u64(),
                    notes: Vec::new(),
                    more: body["serpapi_pagination"]["next"].is_string(),
                })
            }
            Self::Searxng(_) => {
                let results = body["results"].as_array().ok_or_else(unreadable)?;
                Ok(Page {
                    hits: hits(results, ["url", "content", "publishedDate"]),
                    total: body["number_of_results"]
                        .as_u64()
                        .filter(|total| *total > 0),
                    notes: silent_engines(&body),
                    more: !results.is_empty(),
                })
            }
        }
    }

    /// What each engine says in its own way.
    fn refused(&self, reply: &Reply, body: &Value) -> Result<(), LookupError> {
        let setting = self.setting();
        let said = match self {
            Self::Tavily(_) => body["detail"]["error"]
                .as_str()
                .or_else(|| body["detail"].as_str()),
            Self::SerpApi(_) => body["error"].as_str(),
            Self::Searxng(_) => None,
        };
        let said: String = said
            .unwrap_or("it gives no reason")
            .chars()
            .take(200)
            .collect();
        match (self, reply.status) {
            (Self::Tavily(_) | Self::SerpApi(_), 401 | 403) => Err(LookupError::InvalidSetting(
                format!("{} rejects the key in `{setting}`: {said}", self.name()),
            )),
            (Self::Tavily(_), 432 | 433) | (Self::SerpApi(_), 429) => Err(LookupError::Busy {
                message: format!("{} accepts no more searches for now: {said}", self.name()),
                after_seconds: status::retry_after_seconds(reply),
            }),
            (Self::Searxng(_), 403) => Err(LookupError::InvalidSetting(format!(
                "The SearXNG in `{setting}` does not answer in JSON: add `json` to `search.formats` in its settings."
            ))),
            (Self::SerpApi(_), 200) if body["search_metadata"]["status"] == "Error" => Err(
                LookupError::Unavailable(format!("{} failed: {said}", self.name())),
            ),
            _ => Ok(()),
        }
    }
}

/// `fields` are those of the address, the excerpt and the date.
fn hits(results: &[Value], fields: [&str; 3]) -> Vec<Hit> {
    let [link, excerpt, date] = fields;
    let one = |result: &Value| {
        let url = result[link].as_str().filter(|url| address::is_web(url))?;
        let title = plain_text(result["title"].as_str().unwrap_or_default());
        Some(Hit {
            title: if title.is_empty() {
                url.to_owned()
            } else {
                title
            },
            url: url.to_owned(),
            text: plain_text(result[excerpt].as_str().unwrap_or_default()),
            published: result[date].as_str().and_then(stated_date),
        })
    };
    results.iter().filter_map(one).collect()
}

fn silent_engines(body: &Value) -> Vec<String> {
    let silent = body["unresponsive_engines"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let names: Vec<&str> = silent
        .iter()
        .filter_map(|pair| pair[0].as_str())
        .take(10)
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "These engines behind SearXNG did not answer: {}.",
        names.join(", ")
    )]
}
