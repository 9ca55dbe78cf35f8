//! NewsAPI, version 2.

use serde_json::Value;

use super::desk::{Batch, Turn};
use super::search::{Checked, NewsKind, NewsOrder};
use super::story::Story;
use crate::dates::stated_date;
use crate::plain::plain_text;
use crate::{HttpRequest, LookupError, Reply, Site, status, url};

const SERVICE: &str = "NewsAPI";
const PAGE_MAX: usize = 25;

#[derive(Debug)]
pub(super) struct NewsApi {
    site: Site,
    key: String,
    search: Checked,
    page: usize,
    seen: usize,
    batch: Batch,
}

impl NewsApi {
    pub(super) fn new(site: &Site, search: &Checked) -> Option<Self> {
        let key = site.key.clone().filter(|key| !key.is_empty())?;
        Some(Self {
            site: site.clone(),
            key,
            search: search.clone(),
            page: 1,
            seen: 0,
            batch: Batch::default(),
        })
    }

    pub(super) fn begin(&mut self) -> HttpRequest {
        let query = self.search.words.join(" AND ");
        let size = PAGE_MAX.to_string();
        let page = self.page.to_string();
        let mut pairs = vec![("q", query.as_str()), ("pageSize", &size), ("page", &page)];
        let path = match self.search.kind {
            NewsKind::Headlines => "/v2/top-headlines",
            NewsKind::Everything => {
                let order = match self.search.order {
                    NewsOrder::Relevance => "relevancy",
                    NewsOrder::Newest => "publishedAt",
                    NewsOrder::Popularity => "popularity",
                };
                pairs.push(("sortBy", order));
                pairs.extend(self.search.from.as_deref().map(|day| ("from", day)));
                pairs.extend(self.search.to.as_deref().map(|day| ("to", day)));
                pairs.extend(
                    self.search
                        .language
                        .as_deref()
                        .map(|code| ("language", code)),
                );
                "/v2/everything"
            }
        };
        HttpRequest::get(url::build(&self.site.base, path, &pairs)).with("x-api-key", &self.key)
    }

    pub(super) fn received(&mut self, reply: &Reply) -> Result<Turn, LookupError> {
        match self.take_page(reply) {
            Err(error) if self.seen > 0 => {
                let count = self.batch.stories.len();
                self.batch.notes.push(format!(
                    "Only the first {count} articles of {SERVICE} were retrieved: {error}"
                ));
                Ok(self.done())
            }
            next => next,
        }
    }

    fn take_page(&mut self, reply: &Reply) -> Result<Turn, LookupError> {
        let body: Option<Value> = serde_json::from_slice(&reply.body).ok();
        if let Some(error) = body.as_ref().and_then(|body| refused(body, reply)) {
            return Err(error);
        }
        status::check(SERVICE, reply)?;
        let articles = body.as_ref().and_then(|body| body["articles"].as_array());
        let (Some(body), Some(articles)) = (&body, articles) else {
            return Err(LookupError::Unreadable(format!(
                "The response of {SERVICE} is not a list of articles."
            )));
        };
        let total = body["totalResults"].as_u64();
        self.batch.total = total;
        self.seen += articles.len();
        let stories = articles.iter().filter_map(story);
        let stories: Vec<Story> = stories
            .filter(|story| self.search.covers(story.published.as_deref()))
            .collect();
        self.batch.stories.extend(stories);
        let more = total.is_none_or(|total| (self.seen as u64) < total);
        if articles.is_empty() || !more || self.batch.stories.len() >= self.search.most {
            return Ok(self.done());
        }
        self.page += 1;
        Ok(Turn::Send(self.begin()))
    }

    fn done(&mut self) -> Turn {
        Turn::Done(std::mem::take(&mut self.batch))
    }
}

fn refused(body: &Value, reply: &Reply) -> Option<LookupError> {
    if body["status"] != "error" {
        return None;
    }
    let code = body["code"].as_str().unwrap_or("unexpectedError");
    let said = body["message"].as_str().unwrap_or("it gives no reason");
    let said: String = said.chars().take(200).collect();
    Some(match code {
        "apiKeyMissing" | "apiKeyInvalid" | "apiKeyDisabled" => LookupError::InvalidSetting(
            format!("{SERVICE} rejects the key in `lookups.newsapi.key` ({code}): {said}"),
        ),
        "rateLimited" | "apiKeyExhausted" => LookupError::Busy {
            message: format!("{SERVICE} accepts no more requests for now ({code})."),
            after_seconds: status::retry_after_seconds(reply),
        },
        "unexpectedError" => LookupError::Unavailable(format!("{SERVICE} failed: {said}")),
        _ => LookupError::InvalidSearch(format!("{SERVICE} rejects this search ({code}): {said}")),
    })
}

fn story(article: &Value) -> Option<Story> {
    let text = |value: &Value| {
        let text = plain_text(value.as_str().unwrap_or_default());
        Some(text).filter(|text| !text.is_empty())
    };
    let title = text(&article["title"]).filter(|title| title != "[Removed]")?;
    let url = article["url"]
        .as_str()
        .filter(|url| crate::address::is_web(url))?;
    let parts = [
        text(&article["description"]),
        text(&article["content"]).map(|text| uncut(&text)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Some(Story {
        title,
        text: parts.join("\n\n"),
        url: url.to_owned(),
        published: article["publishedAt"].as_str().and_then(stated_date),
        outlet: text(&article["source"]["name"]).unwrap_or_default(),
        author: text(&article["author"]),
        language: None,
        others: Vec::new(),
    })
}

/// The service cuts texts and says by how much: `… [+1234 chars]`.
fn uncut(text: &str) -> String {
    match text.rsplit_once("[+") {
        Some((kept, rest)) if rest.ends_with("chars]") => kept.trim_end().to_owned(),
        _ => text.to_owned(),
    }
}
