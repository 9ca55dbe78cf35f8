//! JSON Feed, versions 1 and 1.1.

use serde_json::Value;

use super::feed::{ENTRIES_MAX, Feed};
use super::story::Story;
use crate::address;
use crate::dates::stated_date;
use crate::plain::plain_text;

pub(super) fn read(text: &str, url: &str) -> Result<Feed, String> {
    let feed: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let items = feed["items"].as_array().ok_or("it has no items")?;
    let outlet = line(&feed["title"]).unwrap_or_else(|| address::host(url).unwrap_or_default());
    let mut read = Feed::default();
    for item in items.iter().take(ENTRIES_MAX) {
        match story(item, url) {
            Some(story) => read.stories.push(Story {
                outlet: outlet.clone(),
                language: line(&item["language"]).or_else(|| line(&feed["language"])),
                ..story
            }),
            None => read.without_link += 1,
        }
    }
    Ok(read)
}

fn story(item: &Value, base: &str) -> Option<Story> {
    let address =
        |value: &Value| address::resolve(base, value.as_str()?).filter(|url| address::is_web(url));
    let as_id = |value: &Value| {
        address(value).filter(|_| value.as_str().is_some_and(|id| id.contains("://")))
    };
    let url = address(&item["url"])
        .or_else(|| address(&item["external_url"]))
        .or_else(|| as_id(&item["id"]))?;
    let html = item["content_html"].as_str().map(plain_text);
    let text = line(&item["content_text"])
        .or(html)
        .or_else(|| line(&item["summary"]))
        .unwrap_or_default();
    let title = line(&item["title"]).unwrap_or_else(|| text.chars().take(120).collect());
    let published = [&item["date_published"], &item["date_modified"]];
    let author = line(&item["authors"][0]["name"]).or_else(|| line(&item["author"]["name"]));
    (!title.is_empty()).then(|| Story {
        title,
        text,
        url,
        published: published
            .iter()
            .find_map(|date| stated_date(date.as_str()?)),
        author,
        ..Story::default()
    })
}

fn line(value: &Value) -> Option<String> {
    let line = plain_text(value.as_str()?);
    (!line.is_empty()).then_some(line)
}
