//! One search of the service and of all feeds, one after the other.

use std::collections::VecDeque;

use super::desk::{Batch, Desk, Turn};
use super::newsapi::NewsApi;
use super::same::merged;
use super::search::{Checked, NewsOrder, NewsSearch};
use super::story::Story;
use crate::words::words;
use crate::{Found, Lookup, LookupError, Reply, Site, Step, address};

const FEEDS_MAX: usize = 20;

/// The feeds that the settings name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Feeds {
    pub urls: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewsSites {
    pub newsapi: Option<Site>,
    pub feeds: Feeds,
}

pub fn lookup(sites: &NewsSites, search: NewsSearch) -> NewsLookup {
    NewsLookup {
        sites: sites.clone(),
        search,
        checked: None,
        current: None,
        waiting: VecDeque::new(),
        done: Vec::new(),
        failed: Vec::new(),
        notes: Vec::new(),
    }
}

#[derive(Debug)]
pub struct NewsLookup {
    sites: NewsSites,
    search: NewsSearch,
    checked: Option<Checked>,
    current: Option<Desk>,
    waiting: VecDeque<Desk>,
    done: Vec<Batch>,
    failed: Vec<LookupError>,
    notes: Vec<String>,
}

impl Lookup for NewsLookup {
    fn begin(&mut self) -> Result<Step, LookupError> {
        let checked = self.search.check()?;
        let service = self.sites.newsapi.as_ref();
        if let Some(service) = service.and_then(|site| NewsApi::new(site, &checked)) {
            self.waiting.push_back(Desk::Service(Box::new(service)));
        }
        let (good, bad): (Vec<&String>, Vec<&String>) = self
            .sites
            .feeds
            .urls
            .iter()
            .partition(|url| address::is_web(url));
        for url in bad {
            self.notes.push(format!(
                "{url} in `lookups.feeds.urls` is not a valid feed address."
            ));
        }
        if good.len() > FEEDS_MAX {
            self.notes.push(format!(
                "Only the first {FEEDS_MAX} feeds of `lookups.feeds.urls` were read."
            ));
        }
        for url in good.into_iter().take(FEEDS_MAX) {
            self.waiting.push_back(Desk::Feed {
                url: url.clone(),
                search: checked.clone(),
            });
        }
        if self.waiting.is_empty() {
            return Err(LookupError::InvalidSetting(
                "No news source is configured: set `lookups.newsapi.key` or `lookups.feeds.urls`."
                    .into(),
            ));
        }
        self.checked = Some(checked);
        self.next()
    }

    fn received(&mut self, reply: Reply) -> Result<Step, LookupError> {
        let Some(desk) = &mut self.current else {
            return Err(LookupError::Unreadable(
                "A response arrived without a request.".into(),
            ));
        };
        match desk.received(&reply) {
            Ok(Turn::Send(request)) => return Ok(Step::Send(request)),
            Ok(Turn::Done(batch)) => self.done.push(batch),
            Err(error) => self.failed.push(error),
        }
        self.next()
    }
}

impl NewsLookup {
    fn next(&mut self) -> Result<Step, LookupError> {
        self.current = self.waiting.pop_front();
        match &mut self.current {
            Some(desk) => Ok(Step::Send(desk.begin())),
            None => self.finish(),
        }
    }

    fn finish(&mut self) -> Result<Step, LookupError> {
        let mut failed = std::mem::take(&mut self.failed);
        if self.done.is_empty() && !failed.is_empty() {
            return Err(failed.remove(0));
        }
        let Some(checked) = self.checked.take() else {
            return Err(LookupError::Unreadable(
                "A response arrived without a request.".into(),
            ));
        };
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(failed.iter().map(ToString::to_string));
        let mut stories = Vec::new();
        let mut total = None;
        let mut desks = 0;
        for batch in std::mem::take(&mut self.done) {
            desks += 1;
            stories.extend(batch.stories);
            total = batch.total;
            notes.extend(batch.notes);
        }
        let (mut stories, count) = merged(stories);
        if count > 0 {
            notes.push(format!("{count} reports of the same stories were put together; `also_reported_by` names them."));
        }
        // The service has ordered its own; only a mixture needs an order of ours.
        if desks > 1 || checked.order == NewsOrder::Newest {
            order(&mut stories, &checked);
        }
        stories.truncate(checked.most);
        Ok(Step::Done(Found {
            sources: stories.into_iter().map(Story::source).collect(),
            total: total.filter(|_| desks == 1 && failed.is_empty()),
            notes,
        }))
    }
}

fn order(stories: &mut [Story], search: &Checked) {
    let in_title = |story: &Story| {
        let title = words(&story.title);
        search
            .words
            .iter()
            .filter(|word| title.contains(word))
            .count()
    };
    stories.sort_by(|one, other| {
        let newer = other.published.cmp(&one.published);
        match search.order {
            NewsOrder::Newest => newer,
            _ => in_title(other).cmp(&in_title(one)).then(newer),
        }
    });
}
