//! Whoever is asked for news: the service or one feed.

use super::feed;
use super::newsapi::NewsApi;
use super::search::Checked;
use super::story::Story;
use crate::words::words;
use crate::{HttpRequest, LookupError, Reply, status};

/// A search brings no more than that in all.
const PER_FEED_MAX: usize = 100;

#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) stories: Vec<Story>,
    pub(super) total: Option<u64>,
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
pub(super) enum Turn {
    Send(HttpRequest),
    Done(Batch),
}

#[derive(Debug)]
pub(super) enum Desk {
    Service(Box<NewsApi>),
    Feed { url: String, search: Checked },
}

impl Desk {
    pub(super) fn begin(&mut self) -> HttpRequest {
        match self {
            Self::Service(service) => service.begin(),
            Self::Feed { url, .. } => HttpRequest::get(url.as_str()).with(
                "accept",
                "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.1",
            ),
        }
    }

    pub(super) fn received(&mut self, reply: &Reply) -> Result<Turn, LookupError> {
        match self {
            Self::Service(service) => service.received(reply),
            Self::Feed { url, search } => read_feed(url, search, reply).map(Turn::Done),
        }
    }
}

fn read_feed(url: &str, search: &Checked, reply: &Reply) -> Result<Batch, LookupError> {
    let name = format!("The feed {url}");
    status::check(&name, reply)?;
    let content_type = reply.header("content-type").unwrap_or_default();
    let feed = feed::read(&reply.body, content_type, url)
        .map_err(|why| LookupError::Unreadable(format!("{name} cannot be read: {why}.")))?;
    let mut notes = Vec::new();
    if let Some(why) = feed.broken {
        notes.push(format!("{name} was read only in part: {why}."));
    }
    if feed.without_link > 0 {
        notes.push(format!(
            "{name}: {} entries without a link were left out.",
            feed.without_link
        ));
    }
    let about = |story: &Story| {
        let there = words(&format!("{} {}", story.title, story.text));
        search.words.iter().all(|word| there.contains(word))
    };
    let spoken = |story: &Story| match (&search.language, &story.language) {
        (Some(wanted), Some(known)) => known.to_lowercase().starts_with(wanted.as_str()),
        _ => true,
    };
    let mut stories: Vec<Story> = feed.stories;
    stories.retain(|story| about(story) && spoken(story));
    let before = stories
        .iter()
        .filter(|story| story.published.is_none())
        .count();
    stories.retain(|story| search.covers(story.published.as_deref()));
    if before > 0 && (search.from.is_some() || search.to.is_some()) {
        notes.push(format!(
            "{name}: {before} entries without a proper date were left out."
        ));
    }
    if stories.len() > PER_FEED_MAX {
        notes.push(format!(
            "{name}: only the {PER_FEED_MAX} newest of {} entries were taken.",
            stories.len()
        ));
        stories.sort_by(|one, other| other.published.cmp(&one.published));
        stories.truncate(PER_FEED_MAX);
    }
    Ok(Batch {
        stories,
        total: None,
        notes,
    })
}
